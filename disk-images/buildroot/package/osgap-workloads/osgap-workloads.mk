################################################################################
#
# osgap-workloads
#
################################################################################

OSGAP_WORKLOADS_VERSION = local
OSGAP_WORKLOADS_SITE = $(OSGAP_CHECKOUT)
OSGAP_WORKLOADS_SITE_METHOD = local
OSGAP_WORKLOADS_OVERRIDE_SRCDIR_RSYNC_EXCLUSIONS = \
	--include=/LICENSE --include=/workloads/*** --include=/disk-images/ \
	--include=/disk-images/rootfs/*** --include=/disk-images/programs/*** \
	--include=/disk-images/reflect/*** \
	--exclude=*
OSGAP_WORKLOADS_LICENSE = BSD-3-Clause
OSGAP_WORKLOADS_LICENSE_FILES = LICENSE

define OSGAP_WORKLOADS_BUILD_CMDS
	cd $(@D) && CC="$(TARGET_CC)" sh $(OSGAP_WORKLOADS_PKGDIR)/build.sh
endef

define OSGAP_WORKLOADS_INSTALL_TARGET_CMDS
	$(INSTALL) -d -m 0755 $(OSGAP_PARTS)
	cp $(@D)/parts/* $(OSGAP_PARTS)/
endef

$(eval $(generic-package))
