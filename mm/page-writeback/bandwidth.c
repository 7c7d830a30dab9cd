// SPDX-License-Identifier: GPL-2.0
/*
 * How fast a device writes. Pure.
 *
 * The kernel's own estimate starts at 100 MB/s and is brought up to date by the throttle that we
 * replace and, rarely, by the walker: under a long queue it lags by many seconds.
 */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/page-writeback.h>

/**
 * wb_bandwidth_next - take one more observation in
 * @old: estimate so far, pages a second; 0: none
 * @pages: completed while the device had something under way all the time
 * @us: in that time, not 0
 *
 * File systems complete in lumps (ext4: up to 8 MB), so one observation counts for a quarter.
 * Returns the new estimate, at least 1.
 */
unsigned long wb_bandwidth_next(unsigned long old, u64 pages, u64 us)
{
	unsigned long seen = min_t(u64, mul_u64_u64_div_u64(pages, 1000000, us), LONG_MAX / 4);

	if (old)
		seen = old - old / 4 + seen / 4;
	return max(seen, 1UL);
}
