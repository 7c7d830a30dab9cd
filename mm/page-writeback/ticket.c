// SPDX-License-Identifier: GPL-2.0
/*
 * Turns at a device. A held caller draws a ticket: the count of completed pages at which its turn
 * ends. Turns lie end to end, so callers leave one after the other at the device's own speed, and
 * no list of them is kept.
 */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/atomic.h>
#include <linux/page-writeback.h>

/**
 * wb_ticket_next - where a new caller's turn ends
 * @last: where the turn drawn last ends
 * @written: pages the device has completed
 * @backlog: pages it has yet to write, dirty or on their way
 * @share: the turn's length, pages
 *
 * Never past what there is to write: a ticket there could never come up (turns of callers that left
 * early are not all given back).
 */
u64 wb_ticket_next(u64 last, u64 written, u64 backlog, u64 share)
{
	u64 start = clamp(last, written, written + backlog);

	return min(start + share, written + backlog);
}

/**
 * wb_ticket_wait_ms - how long until a turn ends, by the device's measured speed
 * @ticket: where it ends
 * @written: pages completed
 * @bandwidth: pages a second, at least 1
 */
unsigned long wb_ticket_wait_ms(u64 ticket, u64 written, unsigned long bandwidth)
{
	u64 pages;

	if (written >= ticket)
		return 0;
	pages = min_t(u64, ticket - written, U32_MAX);
	return min_t(u64, DIV64_U64_ROUND_UP(pages * 1000, bandwidth), U32_MAX);
}

/**
 * wb_ticket_draw - draw a ticket at a device
 * @dev: the device
 * @written: pages it has completed
 * @backlog: pages it has yet to write
 * @share: the turn's length, pages
 *
 * Any context, takes no lock. Returns the ticket.
 */
u64 wb_ticket_draw(struct wb_device *dev, u64 written, u64 backlog, u64 share)
{
	s64 last = atomic64_read(&dev->ticket);
	u64 mine;

	do {
		mine = wb_ticket_next(max_t(s64, last, 0), written, backlog, share);
	} while (!atomic64_try_cmpxchg(&dev->ticket, &last, mine));
	return mine;
}

/**
 * wb_ticket_return - give a turn back that was not waited for
 * @dev: the device
 * @share: the turn's length, pages
 *
 * Those who drew later still wait for theirs; only newcomers get in earlier. What was cut at the
 * end of the backlog is given back in full, so the sum may even become negative. Any context.
 */
void wb_ticket_return(struct wb_device *dev, u64 share)
{
	atomic64_sub(share, &dev->ticket);
}
