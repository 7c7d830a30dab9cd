/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory of the engine itself: poisoned when freed, and kept for a while, so that late readers
 * fall over it and late writers are noticed.
 */
#ifndef _SHIM_LINUX_SLAB_H
#define _SHIM_LINUX_SLAB_H

#include <linux/gfp.h>
#include <linux/types.h>

void *kmalloc(size_t size, unsigned int gfp);
void *kzalloc(size_t size, unsigned int gfp);
void kfree(const void *ptr);

#endif
