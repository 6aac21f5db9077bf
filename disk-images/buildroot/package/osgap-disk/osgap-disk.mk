################################################################################
#
# osgap-disk
#
################################################################################

OSGAP_DISK_VERSION = local
OSGAP_DISK_SITE = $(OSGAP_CHECKOUT)/disk-images/kernel/osgap_disk
OSGAP_DISK_SITE_METHOD = local
OSGAP_DISK_LICENSE = GPL-2.0

define OSGAP_DISK_INSTALL_TARGET_CMDS
	$(INSTALL) -d -m 0755 $(OSGAP_PARTS)
	$(TARGET_STRIP) --strip-debug -o $(OSGAP_PARTS)/osgap_disk.ko $(@D)/osgap_disk.ko
endef

$(eval $(kernel-module))
$(eval $(generic-package))
