/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _SHIM_LINUX_KTHREAD_H
#define _SHIM_LINUX_KTHREAD_H

#include <linux/completion.h>
#include <linux/sched.h>

struct task_struct *kthread_create(int (*fn)(void *data), void *data, const char *name);
int kthread_stop(struct task_struct *task);
bool kthread_should_stop(void);
void *kthread_func(struct task_struct *task);
void kthread_complete_and_exit(struct completion *done, long code) __attribute__((noreturn));

#endif
