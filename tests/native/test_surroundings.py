# SPDX-License-Identifier: BSD-3-Clause
"""Virtual machines, containers and quotas are found, and hardware of the same makers is none."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from test_cores import facts_in, tree

from osgap.native.surroundings import container, quota, virtual

DMI = "/sys/class/dmi/id"
BARE = {"cpuinfo": "processor : 0;flags : fpu sse;"}
FLAG = {"cpuinfo": "processor : 0;flags : fpu hypervisor;"}


def dmi(vendor: str, product: str) -> dict[str, str]:
    return {f"{DMI}/sys_vendor": f"{vendor};", f"{DMI}/product_name": f"{product};"}


@pytest.mark.parametrize(
    ("facts", "name"),
    [
        ({}, ""),
        (dmi("Hetzner", "vServer"), "Hetzner vServer"),
        (dmi("Google", "Google Compute Engine"), "google"),
        (dmi("Google", "Google Compute Engine") | BARE, ""),
        (dmi("Google", "Izumi") | BARE, ""),
        (dmi("Google", "Kohaku"), ""),
        (dmi("Amazon EC2", "m7g.large"), "amazon"),
        (dmi("Amazon EC2", "m7g.metal"), ""),
        (dmi("Amazon EC2", "u-6tb1.metal-112xl") | BARE, ""),
        (dmi("Amazon EC2", "m5.large") | {"smbios-virtual": "0"}, ""),
        (dmi("Amazon.com, Inc.", "Snowball"), ""),
        (dmi("Microsoft Corporation", "Virtual Machine"), "hyper-v"),
        (dmi("Microsoft Corporation", "Surface Laptop 5"), ""),
        (dmi("Oracle Corporation", "SUN FIRE X4170 M3"), ""),
        (dmi("innotek GmbH", "VirtualBox"), "virtualbox"),
        (dmi("QEMU", "KVM Virtual Machine"), "kvm"),
        (dmi("VMware, Inc.", "VMware7,1"), "vmware"),
        (dmi("Xen", "HVM domU"), "xen"),
        (dmi("Any", "Board") | {"smbios-virtual": "1"}, "a hypervisor"),
        ({"acpi-oem": "FIRECK"} | FLAG, "firecracker"),
        (FLAG, "a hypervisor"),
        (FLAG | {"hypervisor": "KVMKVMKVM"}, "kvm"),
        (FLAG | {"hypervisor": "Microsoft Hv"}, "hyper-v"),
        (FLAG | {"hypervisor": "Microsoft Hv"} | dmi("QEMU", "Standard PC"), "qemu"),
        ({"/sys/hypervisor/type": "xen;"}, "xen"),
        ({"/sys/hypervisor/type": "xen;", "/proc/xen/capabilities": "control_d;"}, ""),
        (
            {"/sys/hypervisor/type": "xen;", "/sys/hypervisor/properties/features": "00000805;"},
            "",
        ),
        ({"/proc/device-tree/hypervisor/compatible": "linux,kvm "}, "kvm"),
        ({"/proc/device-tree/fw-cfg": "present"}, "qemu"),
        ({"/proc/device-tree/compatible": "riscv-virtio,qemu"}, "qemu"),
        ({"/proc/device-tree/model": "linux,dummy-virt"}, "a hypervisor"),
        ({"/proc/device-tree/model": "Raspberry Pi 4 Model B"}, ""),
        ({"cpuinfo": "vendor_id : User Mode Linux;"}, "uml"),
        ({"/proc/sysinfo": "VM00 Control Program: z/VM 7.2.0"}, "z/vm"),
    ],
)
def test_a_virtual_machine(facts: Mapping[str, str], name: str) -> None:
    assert virtual(facts) == name


@pytest.mark.parametrize(
    ("facts", "name"),
    [
        ({}, ""),
        ({"/run/systemd/container": "lxc;"}, "lxc"),
        ({"/proc/1/environ": "container=lxc;"}, "lxc"),
        ({"/proc/1/environ": "container=oci", "/run/.containerenv": ""}, "podman"),
        ({"/proc/1/environ": "container=oci"}, "oci"),
        ({"/run/host/container-manager": "systemd-nspawn;"}, "systemd-nspawn"),
        ({"/.dockerenv": "present"}, "docker"),
        ({"/.dockerenv": "present", "gvisor": "present"}, "gvisor"),
        ({"/proc/version": "#1 SMP Sun Jan 10 15:06:54 PST 2016"}, "gvisor"),
        ({"uname": "Linux 5.15.90.1-microsoft-standard-WSL2 x86_64"}, "wsl"),
        ({"uname": "Linux 4.4.0-19041-Microsoft x86_64"}, "wsl"),
        ({"/proc/vz": "present"}, "openvz"),
        ({"/proc/vz": "present", "/proc/bc": "present"}, ""),
        ({"/var/run/secrets/kubernetes.io": "present"}, "kubernetes"),
        ({"/proc/1/cgroup": "0::/kubepods.slice/x;"}, "kubernetes"),
        ({"/proc/1/cgroup": "0::/init.scope;"}, ""),
    ],
)
def test_a_container(facts: Mapping[str, str], name: str) -> None:
    assert container(facts) == name


@pytest.mark.parametrize(
    ("facts", "cpus"),
    [
        ({}, 0),
        ({"/sys/fs/cgroup/cpu.max": "max 100000;"}, 0),
        ({"/sys/fs/cgroup/a/cpu.max": "50000 100000;"}, 0.5),
        ({"/a/b/cpu.max": "max 100000;", "/a/cpu.max": "150000 100000;"}, 1.5),
        ({"/c/cpu.cfs_quota_us": "-1;", "/c/cpu.cfs_period_us": "100000;"}, 0),
        ({"/c/cpu.cfs_quota_us": "20000;", "/c/cpu.cfs_period_us": "100000;"}, 0.2),
    ],
)
def test_a_quota(facts: Mapping[str, str], cpus: float) -> None:
    assert quota(facts) == cpus


CGROUP2 = "30 20 0:25 {top} /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
CGROUP1 = "30 20 0:25 {top} /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"


@pytest.mark.parametrize(
    ("own", "mounts", "file", "text"),
    [
        ("0::/user/job\n", CGROUP2.format(top="/"), "/sys/fs/cgroup/user/cpu.max", "50000 100000"),
        # Seen from outside, in a container that has only its own cgroup mounted.
        ("0::/docker/x\n", CGROUP2.format(top="/docker/x"), "/sys/fs/cgroup/cpu.max", "5 10"),
        ("0::/../x\n", CGROUP2.format(top="/../x"), "/sys/fs/cgroup/cpu.max", "5 10"),
        (
            "4:cpu,cpuacct:/a\n0::/\n",
            CGROUP1.format(top="/"),
            "/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us",
            "50000",
        ),
    ],
)
def test_measure_sh_finds_the_cgroups_files(
    tmp_path: Path, own: str, mounts: str, file: str, text: str
) -> None:
    files = {"/proc/self/cgroup": own, "/proc/self/mountinfo": mounts, file: f"{text}\n"}
    assert f"fact {file} {text};" in facts_in(tree(tmp_path, files)).stdout.splitlines()


def test_of_the_first_process_nothing_but_the_container(tmp_path: Path) -> None:
    files = {"/proc/1/environ": "SECRET=x\0container=lxc\0"}
    said = facts_in(tree(tmp_path, files)).stdout
    assert "fact /proc/1/environ container=lxc\n" in said and "SECRET" not in said


def test_no_serial_number_is_said(tmp_path: Path) -> None:
    """The end of /proc/cpuinfo of a Raspberry Pi."""
    end = "Hardware\t: BCM2835\nRevision\t: c03114\nSerial\t\t: 10000000abcdef01\nModel\t\t: Pi\n"
    for cpuinfo in (f"processor\t: 0\nBogoMIPS\t: 108\n\n{end}", f"processor\t: 5\n{end}"):
        said = facts_in(tree(tmp_path, {"/proc/cpuinfo": cpuinfo})).stdout
        assert "abcdef" not in said
        assert "cpuinfo-end " in said and "Revision : c03114" in said.replace("  ", " ")
