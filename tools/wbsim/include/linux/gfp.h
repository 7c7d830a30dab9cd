/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _SHIM_LINUX_GFP_H
#define _SHIM_LINUX_GFP_H

#define GFP_KERNEL	1u	/* may sleep */
#define GFP_ATOMIC	2u
#define GFP_NOWAIT	4u
#define __GFP_NOWARN	8u

#endif
