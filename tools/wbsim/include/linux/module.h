/* SPDX-License-Identifier: GPL-2.0 */
/*
 * There is one program, so nothing is ever loaded or goes away.
 */
#ifndef _SHIM_LINUX_MODULE_H
#define _SHIM_LINUX_MODULE_H

#include <linux/types.h>

struct module;

#define THIS_MODULE		((struct module *)NULL)
#define EXPORT_SYMBOL_GPL(name)	extern typeof(name) name

static inline bool try_module_get(struct module *owner)
{
	(void)owner;
	return true;
}

static inline void module_put(struct module *owner)
{
	(void)owner;
}

#endif
