# SPDX-License-Identifier: BSD-3-Clause
"""The machine's apt sources, rewritten to offer source packages."""

from pathlib import Path

import pytest

from osgap.image.provision import aptsources


def test_a_line_becomes_deb_and_deb_src() -> None:
    assert aptsources.convert_line("deb http://host/debian bookworm main contrib # comment") == [
        "deb http://host/debian bookworm main",
        "deb-src http://host/debian bookworm main",
    ]


def test_a_line_keeps_its_options() -> None:
    line = "deb [arch=amd64 signed-by=/usr/share/keyrings/a.gpg] http://host/u noble main universe"
    assert aptsources.convert_line(line) == [
        f"{kind} [arch=amd64 signed-by=/usr/share/keyrings/a.gpg] http://host/u noble main universe"
        for kind in ("deb", "deb-src")
    ]


@pytest.mark.parametrize(
    "line",
    [
        "",
        "# deb http://host/debian bookworm main",
        "deb http://host/debian bookworm contrib non-free",
        "deb http://host/flat ./",
        "debian http://host/debian bookworm main",
    ],
)
def test_lines_without_use_are_dropped(line: str) -> None:
    assert aptsources.convert_line(line) == []


KEY = "Signed-By:\n -----BEGIN PGP PUBLIC KEY BLOCK-----\n .\n mQINBF\n -----END-----"


def test_a_stanza_gets_both_types_and_keeps_its_key() -> None:
    stanza = f"Types: deb\n# a comment\nURIs: http://host/d\nSuites: a b\nComponents: main x\n{KEY}"
    assert aptsources.convert_stanza(stanza) == (
        f"Types: deb deb-src\nURIs: http://host/d\nSuites: a b\nComponents: main\n{KEY}"
    )


@pytest.mark.parametrize("enabled", ["no", "No", "false", "0"])
def test_a_disabled_stanza_is_dropped(enabled: str) -> None:
    stanza = "Types: deb\nURIs: http://host/d\nSuites: a\nComponents: main"
    assert aptsources.convert_stanza(stanza) is not None
    assert aptsources.convert_stanza(f"Enabled: {enabled}\n{stanza}") is None


def test_a_stanza_of_other_components_is_dropped() -> None:
    stanza = "Types: deb\nURIs: http://host/d\nSuites: a\nComponents: non-free"
    assert aptsources.convert_stanza(stanza) is None


def test_the_machine_is_read_by_apts_naming_rules(tmp_path: Path) -> None:
    parts = tmp_path / "sources.list.d"
    parts.mkdir()
    (tmp_path / "sources.list").write_text("deb http://one/d s main\n")
    (parts / "a.list").write_text("deb http://two/d s main\ndeb http://one/d s main\n")
    (parts / "b.list.disabled").write_text("deb http://three/d s main\n")
    (parts / "c.sources").write_text(
        "Types: deb\nURIs: http://four/d\nSuites: s\nComponents: main\n\n"
        "Types: deb\nURIs: http://five/d\nSuites: s\nComponents: main\n"
    )
    found = aptsources.read_machine(tmp_path)
    hosts = [line.split("//")[1].split("/")[0] for line in found.lines]
    assert hosts == ["one", "one", "two", "two"]
    assert ["four" in text or "five" in text for text in found.stanzas] == [True, True]

    aptsources.write(found, tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "osgap.list",
        "osgap.sources",
    ]
    assert (tmp_path / "out/osgap.list").read_text().splitlines() == list(found.lines)
