# SPDX-License-Identifier: BSD-3-Clause
"""The virtual machine, the container and the cgroup around a measurement, from its facts.

They are looked for where systemd-detect-virt and virt-what look. The words of a maker count only
where they name a virtual machine: Amazon, Google, Microsoft and Oracle make hardware too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from osgap.native.text import Facts, fact, pairs

_DMI = "/sys/class/dmi/id"
_DMI_FILES = ("product_name", "sys_vendor", "board_vendor", "bios_vendor", "product_version")
_DMI_WORDS = {
    "KVM": "kvm",
    "OpenStack": "kvm",
    "KubeVirt": "kvm",
    "QEMU": "qemu",
    "VMware": "vmware",
    "VMW": "vmware",
    "innotek GmbH": "virtualbox",
    "VirtualBox": "virtualbox",
    "Xen": "xen",
    "HVM domU": "xen",
    "Bochs": "bochs",
    "Parallels": "parallels",
    "BHYVE": "bhyve",
    "Hyper-V": "hyper-v",
    "Apple Virtualization": "apple",
    "Firecracker": "firecracker",
    "Nutanix AHV": "nutanix",
    "RHEV": "kvm",
    "oVirt": "kvm",
}
"""Beginnings of DMI's texts that only virtual machines have."""
_PRODUCTS = {
    ("Hetzner", "vServer"): "Hetzner vServer",
    ("DigitalOcean", "Droplet"): "DigitalOcean Droplet",
    ("Microsoft Corporation", "Virtual Machine"): "hyper-v",
    ("Alibaba Cloud", "Alibaba Cloud ECS"): "Alibaba Cloud ECS",
    ("Akamai", "Compute Instance"): "Linode",
    ("Linode", "Compute Instance"): "Linode",
}
"""Maker and product, both whole."""
_RENTED = {"Amazon EC2": "amazon", "Google Compute Engine": "google"}
"""Machines that are virtual or not, under one name: SMBIOS, the product or the flags tell."""
_CPUID = {
    "XenVMMXenVMM": "xen",
    "KVMKVMKVM": "kvm",
    "Linux KVM Hv": "kvm",
    "TCGTCGTCGTCG": "qemu",
    "VMwareVMware": "vmware",
    "Microsoft Hv": "hyper-v",
    "bhyve bhyve": "bhyve",
    "QNXQVMBSQG": "qnx",
    "ACRNACRNACRN": "acrn",
    "SRESRESRESRE": "sre",
    "Apple VZ": "apple",
}
_TREE = "/proc/device-tree"
_OTHER = "a hypervisor"
_GVISOR = "#1 SMP Sun Jan 10 15:06:54 PST 2016"
"""The version that gVisor gives as its kernel's."""
_CGROUP_NAMES = (("/lxc", "lxc"), ("kubepods", "kubernetes"), ("/docker", "docker"))


def virtual(facts: Facts) -> str:
    """The name of the virtual machine, "" for none found."""
    dmi = _dmi(facts)
    if dmi in ("virtualbox", "xen", "parallels", *_RENTED.values()):
        return dmi
    if _block(facts).get("vendor_id") == "User Mode Linux":
        return "uml"
    if fact(facts, "acpi-oem") == "FIRECK":
        return "firecracker"
    is_xen = "/proc/xen" in facts or fact(facts, "/sys/hypervisor/type") == "xen"
    if is_xen and not _is_dom0(facts):
        return "xen"
    cpuid = _CPUID.get(fact(facts, "hypervisor"), "")
    # Other hypervisors give themselves out as Hyper-V.
    if cpuid and cpuid != "hyper-v":
        return cpuid
    named = dmi or ("" if is_xen else fact(facts, "/sys/hypervisor/type")) or _tree(facts)
    other = _OTHER if "hypervisor" in _flags(facts) else ""
    return named or _control_program(facts) or cpuid or other


def container(facts: Facts) -> str:
    """The name of the container, "" for none found."""
    release = facts.get("uname", "")
    if "gvisor" in facts or _GVISOR in facts.get("/proc/version", ""):
        return "gvisor"
    if "/proc/vz" in facts and "/proc/bc" not in facts:
        return "openvz"
    if re.search("microsoft|WSL", release, re.IGNORECASE):
        return "wsl"
    environment = re.search(r"\bcontainer=([^; ]+)", facts.get("/proc/1/environ", ""))
    manager = (
        fact(facts, "/run/host/container-manager")
        or fact(facts, "/run/systemd/container")
        or (environment[1] if environment else "")
    )
    if manager and manager != "oci":
        return manager
    if "/run/.containerenv" in facts:
        return "podman"
    if "/.dockerenv" in facts:
        return "docker"
    if "/var/run/secrets/kubernetes.io" in facts:
        return "kubernetes"
    groups = facts.get("/proc/1/cgroup", "")
    return manager or next((name for word, name in _CGROUP_NAMES if word in groups), "")


def quota(facts: Facts) -> float:
    """The CPUs that the cgroup and those around it leave to the measurement; 0 for no limit."""
    return min(_quotas(facts), default=0.0)


def _quotas(facts: Facts) -> Iterator[float]:
    for path in facts:
        if path.endswith("/cpu.max"):
            limit, _, period = fact(facts, path).partition(" ")
        elif path.endswith("/cpu.cfs_quota_us"):
            limit = fact(facts, path)
            period = fact(facts, path.replace("cfs_quota_us", "cfs_period_us"))
        else:
            continue
        if limit.isdigit() and period.isdigit() and int(period):
            yield int(limit) / int(period)


def _dmi(facts: Facts) -> str:
    texts = [fact(facts, f"{_DMI}/{name}") for name in _DMI_FILES]
    product, vendor = texts[:2]
    rented = next((name for word, name in _RENTED.items() if word in (vendor, product)), "")
    if rented:
        return "" if _is_whole(facts, product) else rented
    if name := _PRODUCTS.get((vendor, product)):
        return name
    names = (name for text in texts for word, name in _DMI_WORDS.items() if text.startswith(word))
    return next(names, _OTHER if fact(facts, "smbios-virtual") == "1" else "")


def _is_whole(facts: Facts, product: str) -> bool:
    """Returns whether a rented machine is a whole one, not a virtual one."""
    bit = fact(facts, "smbios-virtual")
    if bit:
        return bit == "0"
    if re.search(r"[.-]metal(-|$)", product):
        return True
    flags = _flags(facts)
    return bool(flags) and "hypervisor" not in flags


def _is_dom0(facts: Facts) -> bool:
    features = fact(facts, "/sys/hypervisor/properties/features")
    if re.fullmatch(r"[0-9a-f]{1,16}", features):
        return bool(int(features, 16) >> 11 & 1)
    return "control_d" in facts.get("/proc/xen/capabilities", "")


def _tree(facts: Facts) -> str:
    """The virtual machine that a device tree names."""
    hypervisor = fact(facts, f"{_TREE}/hypervisor/compatible")
    for word, name in (("linux,kvm", "kvm"), ("xen", "xen"), ("vmware", "vmware")):
        if word in hypervisor:
            return name
    if hypervisor:
        return _OTHER
    models = [f"{_TREE}/compatible", f"{_TREE}/model", "/sys/firmware/devicetree/base/model"]
    texts = " ".join(facts.get(path, "") for path in models)
    emulated = "emulated by qemu" in facts.get("cpuinfo-end", "")
    if f"{_TREE}/fw-cfg" in facts or "qemu" in texts or emulated:
        return "qemu"
    if "linux,dummy-virt" in texts:
        return _OTHER
    powervm = f"{_TREE}/ibm,partition-name" in facts and f"{_TREE}/hmc-managed?" in facts
    return "powervm" if powervm else ""


def _control_program(facts: Facts) -> str:
    """The control program that an s390 names."""
    name = fact(facts, "/proc/sysinfo").rpartition(":")[2].strip()
    return "z/vm" if name.startswith("z/VM") else "kvm" if name.startswith("KVM") else ""


def _flags(facts: Facts) -> list[str]:
    return _block(facts).get("flags", "").split()


def _block(facts: Facts) -> dict[str, str]:
    return pairs(facts.get("cpuinfo", ""))
