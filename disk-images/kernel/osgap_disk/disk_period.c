// SPDX-License-Identifier: GPL-2.0
/*
 * What kernel entry costs over this kernel's own cost, and what else machines
 * of 1990 did, as parameters beside the disk's: the guest's orders reach no
 * other place. Needs patch 0006.
 */
#include <linux/module.h>

#include <asm/osgap_mapping.h>
#include <asm/osgap_period.h>

#define EVENT(name)								\
	module_param_named(name##_instructions, osgap_period_##name.instructions, \
			   uint, 0644);						\
	module_param_named(name##_stores, osgap_period_##name.stores, uint, 0644)

EVENT(call);
EVENT(trap);
EVENT(switch);
module_param_named(one_mapping, osgap_period_one_mapping, bool, 0644);
