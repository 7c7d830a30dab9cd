// SPDX-License-Identifier: GPL-2.0
/*
 * Threads, as /proc shows them: who sleeps in the engine, who holds up a livepatch transition.
 */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "ctl.h"
#include "tasks.h"

#define PF_KTHREAD	0x00200000	/* in the flags of /proc/PID/stat: a kernel thread */
#define ENGINE_MARK	"[pdflush]"	/* what a stack shows behind functions of the module */

static const char *file_of(const struct task *task, const char *name, char path[96])
{
	snprintf(path, 96, "/proc/%d/task/%d/%s", task->pid, task->tid, name);
	return path;
}

/* Fill in all but its pid and tid. False if it is gone. */
static bool read_stat(struct task *task, const char *path)
{
	char line[512], *open, *close;
	unsigned long flags = 0;

	if (!read_word(path, line, sizeof(line)))
		return false;
	open = strchr(line, '(');
	close = strrchr(line, ')');	/* a name may have brackets of its own */
	if (!open || !close || close < open)
		return false;
	*close = '\0';
	snprintf(task->name, sizeof(task->name), "%s", open + 1);
	task->threads = 0;
	if (sscanf(close + 1, " %c %*d %*d %*d %*d %*d %lu %*u %*u %*u %*u %*u "
		   "%*u %*d %*d %*d %*d %d", &task->state, &flags, &task->threads) < 2)
		return false;
	task->kernel = flags & PF_KTHREAD;
	return true;
}

static bool each_thread(struct task *task, task_fn look, void *data)
{
	char path[96], real[PATH_MAX];
	struct dirent *entry;
	bool go_on = true;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", task->pid);
	dir = opendir(root_path(path, real, sizeof(real)));
	while (dir && go_on && (entry = readdir(dir))) {
		task->tid = atoi(entry->d_name);
		if (task->tid > 0 && read_stat(task, file_of(task, "stat", path)))
			go_on = look(task, data);
	}
	if (dir)
		closedir(dir);
	return go_on;
}

/**
 * tasks_each - look at every thread there is
 * @look: called with each; may change it
 * @data: for @look
 *
 * False if @look ended it.
 */
bool tasks_each(task_fn look, void *data)
{
	char path[96], real[PATH_MAX];
	struct dirent *entry;
	bool go_on = true;
	DIR *dir;

	dir = opendir(root_path("/proc", real, sizeof(real)));
	while (dir && go_on && (entry = readdir(dir))) {
		struct task task = { .pid = atoi(entry->d_name) };

		if (task.pid <= 0)
			continue;
		task.tid = task.pid;
		snprintf(path, sizeof(path), "/proc/%d/stat", task.pid);
		if (!read_stat(&task, path))
			continue;
		/* most have one thread, and a folder takes longer than a file */
		go_on = task.threads == 1 ? look(&task, data) : each_thread(&task, look, data);
	}
	if (dir)
		closedir(dir);
	return go_on;
}
/**
 * task_stack_readable - may we see where threads sleep?
 */
bool task_stack_readable(void)
{
	char *stack = read_text("/proc/self/stack");

	free(stack);
	/* in a folder of tests there is no self */
	return stack || (getenv("PDFLUSHCTL_ROOT") && !geteuid());
}

/**
 * task_in_engine - does it sleep in the engine?
 * @task: a thread
 */
bool task_in_engine(const struct task *task)
{
	char path[96], *stack = read_text(file_of(task, "stack", path));
	bool found = stack && strstr(stack, ENGINE_MARK);

	free(stack);
	return found;
}

/* Every sleep goes through these: they don't tell what for. */
static bool tells_nothing(const char *function)
{
	static const char * const plain[] = {
		"schedule", "io_schedule", "__schedule", "schedule_timeout", "io_schedule_timeout",
		"bit_wait_io", "bit_wait",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(plain); i++)
		if (!strcmp(function, plain[i]))
			return true;
	return false;
}

/**
 * task_where - the function that a thread sleeps in
 * @task: a thread
 * @buf: for its name
 * @size: of @buf
 *
 * False if that can't be seen or it does not sleep in the kernel.
 */
bool task_where(const struct task *task, char *buf, size_t size)
{
	char path[96], *stack, *rest, *line, function[64];
	bool found = false;

	stack = read_text(file_of(task, "stack", path));
	rest = stack;
	while (rest && (line = strsep(&rest, "\n"))) {
		if (sscanf(line, "[<%*[^>]>] %63[^+ ]", function) != 1)
			continue;
		found = true;
		snprintf(buf, size, "%s", function);
		if (!tells_nothing(function))
			break;
	}
	free(stack);
	return found;
}

/**
 * task_patch_state - on which side of a livepatch transition a thread is
 * @task: a thread
 *
 * 1: ours, 0: the stock one, -1: there is no transition, or it can't be seen.
 */
int task_patch_state(const struct task *task)
{
	char path[96], word[8];

	if (!read_word(file_of(task, "patch_state", path), word, sizeof(word)) || !*word)
		return -1;
	return atoi(word);
}
