/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _SHIM_LINUX_ERR_H
#define _SHIM_LINUX_ERR_H

#include <linux/errno.h>
#include <linux/types.h>

#define MAX_ERRNO	4095

static inline bool IS_ERR(const void *ptr)
{
	return (unsigned long)ptr >= -(unsigned long)MAX_ERRNO;
}

static inline long PTR_ERR(const void *ptr)
{
	return (long)ptr;
}

static inline void *ERR_PTR(long error)
{
	return (void *)error;
}

#endif
