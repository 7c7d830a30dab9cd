/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TASKS_H
#define TASKS_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct task - a thread, of a program or the kernel's
 * @pid: of its process
 * @tid: its own
 * @state: R, S, D, ...
 * @threads: of its process
 * @kernel: it is a kernel thread
 * @name: what ps shows
 */
struct task {
	int pid;
	int tid;
	char state;
	int threads;
	bool kernel;
	char name[20];
};

/* Asked of each thread; false ends the round. */
typedef bool (*task_fn)(struct task *task, void *data);

bool tasks_each(task_fn look, void *data);
bool task_stack_readable(void);
bool task_in_engine(const struct task *task);
bool task_where(const struct task *task, char *buf, size_t size);
int task_patch_state(const struct task *task);

#endif
