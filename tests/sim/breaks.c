// SPDX-License-Identifier: GPL-2.0
/*
 * An engine, or a host, broken on purpose. The linker puts these functions in front of the real
 * ones; WBSIM_BREAK names the one fault to be made. Each must be found out by an invariant.
 */
#include <linux/errno.h>
#include <string.h>
#include <linux/page-writeback.h>
#include <linux/pdflush.h>
#include "machine.h"

static bool broken(const char *what)
{
	const char *chosen = getenv("WBSIM_BREAK");

	return chosen && !strcmp(chosen, what);
}

/* A page that was written stays counted as under way. */
void __real_file_page_done(struct sim_file *file, u64 page, u32 pages);
void __wrap_file_page_done(struct sim_file *file, u64 page, u32 pages)
{
	static unsigned int calls;

	__real_file_page_done(file, page, pages);
	if (++calls == 10 && broken("counts"))
		machine.writeback++;
}

/* Callers are held, but nobody is told to write. Old data is never asked for. */
void __real_wb_device_want(struct wb_device *dev, int why);
void __wrap_wb_device_want(struct wb_device *dev, int why)
{
	if (!broken("sleeper") && !(broken("age") && why == WB_WANT_KUPDATE))
		__real_wb_device_want(dev, why);
}

/* Whoever becomes idle does not look for devices that want a thread. */
bool __real_wb_device_next_wanted(pdflush_fn *fn, unsigned long *arg);
bool __wrap_wb_device_next_wanted(pdflush_fn *fn, unsigned long *arg)
{
	return !broken("wanted") && __real_wb_device_next_wanted(fn, arg);
}

bool __real_pdflush_has_idle(void);
bool __wrap_pdflush_has_idle(void)
{
	return !broken("wanted") && __real_pdflush_has_idle();
}

/* The thread that writes has another idea of when to stop. */
bool __real_wb_writer_goes_on(struct bdi_writeback *wb);
bool __wrap_wb_writer_goes_on(struct bdi_writeback *wb)
{
	static unsigned int calls;

	return !(broken("agreement") && ++calls % 2) && __real_wb_writer_goes_on(wb);
}

/* Nobody is ever held. */
bool __real_host_hold_caller(struct bdi_writeback *wb, unsigned long ms);
bool __wrap_host_hold_caller(struct bdi_writeback *wb, unsigned long ms)
{
	return broken("bound") || __real_host_hold_caller(wb, ms);
}

static void intrude(unsigned long arg)
{
	struct wb_device *dev = (struct wb_device *)arg;

	host_write_device(dev->wb);
	wb_device_put(dev);
}

/* A job is given to a second thread as well, or to none. */
int __real_pdflush_operation(pdflush_fn fn, unsigned long arg);
int __wrap_pdflush_operation(pdflush_fn fn, unsigned long arg)
{
	int err;

	if (broken("wanted") && fn == wb_device_work)
		return -EBUSY;
	if (broken("once") && fn != wb_device_work && fn != wb_kupdate)
		return 0;
	err = __real_pdflush_operation(fn, arg);
	if (!err && fn == wb_device_work && broken("one-thread")) {
		struct wb_device *dev = (struct wb_device *)arg;

		refcount_inc(&dev->ref);
		if (__real_pdflush_operation(intrude, arg))
			wb_device_put(dev);
	}
	return err;
}

/* Threads die though they are needed. */
bool __real_pdflush_wants_death(const struct pdflush_state *st);
bool __wrap_pdflush_wants_death(const struct pdflush_state *st)
{
	return broken("pool") || __real_pdflush_wants_death(st);
}

/* Threads stay when the engine goes. */
bool __real_pdflush_stop(unsigned long patience);
bool __wrap_pdflush_stop(unsigned long patience)
{
	return broken("detach") || __real_pdflush_stop(patience);
}

/* What readers may still stand on is freed at once. */
void __real_call_rcu(struct rcu_head *head, void (*func)(struct rcu_head *head));
void __wrap_call_rcu(struct rcu_head *head, void (*func)(struct rcu_head *head))
{
	if (broken("grace"))
		func(head);
	else
		__real_call_rcu(head, func);
}
