// SPDX-License-Identifier: GPL-2.0
/*
 * Numbers for people. A MB is 2^20 bytes, as in /proc/pdflush/devices.
 */
#include <math.h>
#include <stdio.h>
#include <time.h>
#include "ctl.h"

/**
 * text_bytes - a size with its unit, three digits or so
 * @bytes: the size
 * @buf: for the text
 */
const char *text_bytes(double bytes, char buf[TEXT_MAX])
{
	static const char * const unit[] = { "B", "KB", "MB", "GB", "TB" };
	unsigned int u = 0;

	/* small ones read better as a part of a MB */
	if (bytes >= 102.4 * 1024) {
		bytes /= 1 << 20;
		u = 2;
		while (bytes >= 999.5 && u + 1 < ARRAY_SIZE(unit)) {
			bytes /= 1024;
			u++;
		}
	} else if (bytes >= 1024) {
		bytes /= 1024;
		u = 1;
	}
	snprintf(buf, TEXT_MAX, "%.*f %s", u > 1 && bytes < 99.95 ? 1 : 0, bytes, unit[u]);
	return buf;
}

/**
 * text_ms - a length of time with its unit
 * @ms: milliseconds
 * @buf: for the text
 */
const char *text_ms(double ms, char buf[TEXT_MAX])
{
	if (ms < 999.5)
		snprintf(buf, TEXT_MAX, "%.0f ms", ms);
	else if (ms < 59950)
		snprintf(buf, TEXT_MAX, "%.*f s", ms < 9950 ? 2 : 1, ms / 1000);
	else if (ms < 3600e3)
		snprintf(buf, TEXT_MAX, "%.0f min", ms / 60e3);
	else
		snprintf(buf, TEXT_MAX, "%.1f h", ms / 3600e3);
	return buf;
}

/**
 * now_seconds - a clock that only goes forward
 */
double now_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}
