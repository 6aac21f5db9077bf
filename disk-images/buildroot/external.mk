# SPDX-License-Identifier: BSD-3-Clause
# The checkout that this tree lies in: its sources and fragments are used, not copies of them.
OSGAP_CHECKOUT = $(realpath $(BR2_EXTERNAL_OSGAP_PATH)/../..)

# Built parts by name; board/osgap/post-fakeroot.sh puts them where contents.list says.
OSGAP_PARTS = $(TARGET_DIR)/osgap-parts

include $(sort $(wildcard $(BR2_EXTERNAL_OSGAP_PATH)/package/*/*.mk))

# tinyconfig and the fragment, as in SCons's build. Buildroot can only name a
# defconfig of the kernel's, or a file.
LINUX_KCONFIG_DEFCONFIG = tinyconfig

# allnoconfig and the fragment, and "no" to each option that those bring up:
# Buildroot would take the defaults, which are most of busybox.
OSGAP_BUSYBOX_FRAGMENT = $(OSGAP_CHECKOUT)/disk-images/rootfs/busybox.config

define BUSYBOX_KCONFIG_FIXUP_CMDS
	$(BUSYBOX_KCONFIG_MAKE) allnoconfig >/dev/null
	$(TOPDIR)/support/kconfig/merge_config.sh -m -O $(BUSYBOX_DIR) \
		$(BUSYBOX_DIR)/.config $(OSGAP_BUSYBOX_FRAGMENT)
	yes n | head -n 2000 | $(BUSYBOX_KCONFIG_MAKE) oldconfig >/dev/null
endef

# SCons's values for what would come from the clock, the user and the host.
export SOURCE_DATE_EPOCH = 645062400
LINUX_MAKE_ENV += \
	KBUILD_BUILD_USER=osgap \
	KBUILD_BUILD_HOST=osgap \
	KBUILD_BUILD_VERSION=1 \
	KBUILD_BUILD_TIMESTAMP="1990-06-11 00:00:00 UTC"

# Without an entry for the root itself, which SCons's archive has not either.
define ROOTFS_CPIO_CMD
	cd $(TARGET_DIR) && \
	find . -mindepth 1 | LC_ALL=C sort | cpio $(ROOTFS_CPIO_OPTS) --quiet -o -H newc > $@
endef
