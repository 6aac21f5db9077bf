################################################################################
#
# osgap-tcc
#
################################################################################

# The commit that Debian's 0.9.27+git20200814.62c30a4a is.
OSGAP_TCC_VERSION = 62c30a4a13166dcd5f6b95f4de47a187a59c3043
OSGAP_TCC_SITE = $(call github,TinyCC,tinycc,$(OSGAP_TCC_VERSION))
OSGAP_TCC_LICENSE = LGPL-2.1+
OSGAP_TCC_LICENSE_FILES = COPYING

define OSGAP_TCC_CONFIGURE_CMDS
	cd $(@D) && ./configure --cpu=riscv64 --cross-prefix=$(TARGET_CROSS) --prefix=/usr \
		--extra-ldflags="-static -Wl,--build-id=none"
endef

define OSGAP_TCC_BUILD_CMDS
	$(TARGET_MAKE_ENV) $(MAKE) -C $(@D) tcc
endef

define OSGAP_TCC_INSTALL_TARGET_CMDS
	$(INSTALL) -D -m 0755 $(@D)/tcc $(OSGAP_PARTS)/tcc
endef

$(eval $(generic-package))
