/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _SHIM_LINUX_STRING_H
#define _SHIM_LINUX_STRING_H

#include <string.h>
#include <sys/types.h>

#define E2BIG_SHIM	7	/* errno.h's, which not everybody wants */

/* Copy as much as fits, always with an end. Returns the length, or -E2BIG if it was cut. */
static inline ssize_t strscpy(char *to, const char *from, size_t size)
{
	size_t len = strnlen(from, size);

	if (!size)
		return -E2BIG_SHIM;
	if (len == size) {
		memcpy(to, from, size - 1);
		to[size - 1] = '\0';
		return -E2BIG_SHIM;
	}
	memcpy(to, from, len + 1);
	return len;
}

#endif
