# SPDX-License-Identifier: BSD-3-Clause
"""Runs apt in a private state directory: without root, and without changing the machine's lists."""

import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from osgap.base.errors import OsgapError
from osgap.base.processes import environment
from osgap.image.provision import aptsources

_POLICY = re.compile(r"^  (Installed|Candidate): (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Offer:
    """The installed and the candidate version of a binary package; None if there is none."""

    installed: str | None
    candidate: str | None


@dataclass(frozen=True)
class Apt:
    """A private apt, whose directory holds lists, caches and the rewritten sources."""

    home: Path
    etc: Path = Path("/etc/apt")

    def _argv(self, tool: str, words: Sequence[str]) -> list[str]:
        options = {
            "Dir::State": self.home / "state",
            "Dir::State::status": "/var/lib/dpkg/status",
            "Dir::Cache": self.home / "cache",
            "Dir::Etc::SourceList": "/dev/null",
            "Dir::Etc::SourceParts": self.home / "sources.list.d",
            "Acquire::Languages": "none",
            "Acquire::IndexTargets::deb::DEP-11::DefaultEnabled": "false",
            # Root's downloads go to a directory that the user _apt cannot write.
            "APT::Sandbox::User": "root",
        }
        return [tool, *(f"-o{name}={value}" for name, value in options.items()), *words]

    def run(self, tool: str, *words: str, cwd: Path | None = None) -> str:
        """Runs an apt tool and returns its output. Raises OsgapError with its last error line."""
        try:
            done = subprocess.run(
                self._argv(tool, words),
                cwd=cwd,
                env=environment({"LC_ALL": "C"}),
                capture_output=True,
                text=True,
                check=False,
            )
        except FileNotFoundError as error:
            raise OsgapError(f"{tool} is not on this machine: osgap needs Debian's apt") from error
        if done.returncode:
            lines = [line for line in done.stderr.splitlines() if line.startswith("E:")]
            reason = (lines or done.stderr.strip().splitlines() or ["no reason given"])[-1]
            raise OsgapError(f"{tool} {words[0]} failed: {reason.removeprefix('E: ')}")
        return done.stdout

    def update(self) -> str | None:
        """Fetches the package lists; returns the reason if a source could not be read."""
        for name in ("state/lists/partial", "cache/archives/partial"):
            (self.home / name).mkdir(parents=True, exist_ok=True)
        aptsources.write(aptsources.read_machine(self.etc), self.home / "sources.list.d")
        try:
            self.run("apt-get", "update", "-q")
        except OsgapError as error:
            # A third party's broken source must not matter when Debian's own is in order.
            return str(error)
        return None

    def names(self, pattern: str) -> list[str]:
        """Returns the names of binary packages that match a regular expression."""
        lines = self.run("apt-cache", "search", "--names-only", pattern).splitlines()
        return sorted({line.split(" ")[0] for line in lines if line})

    def offer(self, name: str) -> Offer:
        """Returns the installed and the candidate version of a binary package."""
        policy = dict(_POLICY.findall(self.run("apt-cache", "policy", name)))
        versions = {key: None if value == "(none)" else value for key, value in policy.items()}
        return Offer(versions.get("Installed"), versions.get("Candidate"))
