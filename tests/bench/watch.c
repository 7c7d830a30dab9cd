// SPDX-License-Identifier: GPL-2.0
/*
 * watch: look at dirty memory and a disk at regular intervals, and at every task that ends.
 *
 *	watch MS FILE SIZE DISK [DIRTY_RATIO]
 *
 * Prints until it is killed by SIGTERM, each value after its name's first letter:
 *	sample T DIRTY WRITEBACK BACKGROUND ASYNC SYNC DIRTYABLE BUSY WRITTEN
 *		every MS ms; T in ms since the start, memory in pages, BUSY in ms and WRITTEN in
 *		sectors are the slow disk's own counters
 *	task NAME PID BLOCKED WRITTEN
 *		a task ended; ms it was blocked on I/O (delay accounting), bytes it wrote
 * and to stderr
 *	progress PERCENT
 *		when FILE has grown to another 5 % of SIZE bytes
 *
 * Thresholds are the engine's while it is attached, else those of the kernel; DIRTY_RATIO is what
 * it has then (20 by default), as it does not tell how much memory can be dirty.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <linux/genetlink.h>
#include <linux/taskstats.h>
#include <sys/socket.h>
#include <sys/stat.h>

#define NSEC_PER_MSEC	1000000ULL

static volatile sig_atomic_t stop;
static unsigned int dirty_ratio = 20;

static void on_signal(int sig)
{
	(void)sig;
	stop = 1;
}

static unsigned long long now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000ULL + ts.tv_nsec / NSEC_PER_MSEC;
}

/* ---- Files with counters ------------------------------------------------------------------ */

/* All of it, as it is now. Files in /proc and /sys are written anew for a read from 0. */
static void slurp(int fd, char *buf, size_t size)
{
	ssize_t got, sum = 0;

	while ((got = pread(fd, buf + sum, size - 1 - sum, sum)) > 0)
		sum += got;
	if (got < 0)
		err(1, "read");
	buf[sum] = 0;
}

/* The value of a "name value" line */
static unsigned long value_of(const char *text, const char *name)
{
	size_t len = strlen(name);

	for (; text; text = strchr(text, '\n')) {
		text += *text == '\n';
		if (!strncmp(text, name, len) && text[len] == ' ')
			return strtoul(text + len, NULL, 10);
	}
	errx(1, "no %s", name);
}

static int open_attr(const char *disk, const char *name)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "/sys/block/%s/slow/%s", disk, name);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		err(1, "%s", path);
	return fd;
}

static unsigned long number(int fd)
{
	char buf[32];

	slurp(fd, buf, sizeof(buf));
	return strtoul(buf, NULL, 10);
}

struct sources {
	int engine;		/* -1: not attached */
	int vmstat;
	int busy;
	int written;
};

static void open_sources(struct sources *src, const char *disk)
{
	src->engine = open("/proc/pdflush/stats", O_RDONLY);
	src->vmstat = open("/proc/vmstat", O_RDONLY);
	if (src->vmstat < 0)
		err(1, "/proc/vmstat");
	src->busy = open_attr(disk, "busy_ms");
	src->written = open_attr(disk, "written_sectors");
}

static void sample(const struct sources *src, unsigned long long ms)
{
	unsigned long dirty, writeback, background, async, sync, dirtyable;
	static char text[16384];

	if (src->engine >= 0) {
		slurp(src->engine, text, sizeof(text));
		dirty = value_of(text, "dirty");
		writeback = value_of(text, "writeback");
		background = value_of(text, "background_thresh");
		async = value_of(text, "async_thresh");
		sync = value_of(text, "sync_thresh");
		dirtyable = value_of(text, "dirtyable");
	} else {
		slurp(src->vmstat, text, sizeof(text));
		dirty = value_of(text, "nr_dirty");
		writeback = value_of(text, "nr_writeback");
		background = value_of(text, "nr_dirty_background_threshold");
		sync = value_of(text, "nr_dirty_threshold");
		async = (background + sync) / 2;	/* stock pauses writers from there */
		dirtyable = sync * 100 / dirty_ratio;
	}
	printf("sample %llu %lu %lu %lu %lu %lu %lu %lu %lu\n", ms, dirty, writeback, background,
	       async, sync, dirtyable, number(src->busy), number(src->written));
}

static void progress(const char *file, unsigned long long size)
{
	static unsigned int shown;
	unsigned int percent;
	struct stat st;

	if (stat(file, &st))
		return;
	percent = st.st_size * 100ULL / size;
	if (percent / 5 <= shown / 5)
		return;
	shown = percent;
	fprintf(stderr, "progress %u\n", percent);
}

/* ---- Tasks that end: the kernel tells by generic netlink ---------------------------------- */

struct message {
	struct nlmsghdr nl;
	struct genlmsghdr genl;
	char attrs[8192];
};

static struct nlattr *next_attr(struct nlattr *attr)
{
	return (void *)attr + NLA_ALIGN(attr->nla_len);
}

static void *payload(struct nlattr *attr)
{
	return (void *)attr + NLA_HDRLEN;
}

/* The attribute of a type in a range, or NULL */
static struct nlattr *find_attr(void *from, void *end, int type)
{
	struct nlattr *attr;

	for (attr = from; (void *)attr + NLA_HDRLEN <= end && attr->nla_len >= NLA_HDRLEN;
	     attr = next_attr(attr))
		if (attr->nla_type == type)
			return attr;
	return NULL;
}

static void *end_of(struct message *msg)
{
	return (void *)msg + msg->nl.nlmsg_len;
}

static void ask(int fd, int family, int cmd, int type, const char *text)
{
	struct message msg = {
		.nl = { .nlmsg_type = family, .nlmsg_flags = NLM_F_REQUEST },
		.genl = { .cmd = cmd, .version = 1 },
	};
	struct nlattr *attr = (void *)msg.attrs;

	attr->nla_type = type;
	attr->nla_len = NLA_HDRLEN + strlen(text) + 1;
	strcpy(payload(attr), text);
	msg.nl.nlmsg_len = NLMSG_LENGTH(GENL_HDRLEN) + NLA_ALIGN(attr->nla_len);
	if (send(fd, &msg, msg.nl.nlmsg_len, 0) < 0)
		err(1, "netlink");
}

static int family_of(int fd, const char *name)
{
	struct nlattr *attr = NULL;
	struct message msg;

	ask(fd, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, CTRL_ATTR_FAMILY_NAME, name);
	if (recv(fd, &msg, sizeof(msg), 0) > 0 && msg.nl.nlmsg_type != NLMSG_ERROR)
		attr = find_attr(msg.attrs, end_of(&msg), CTRL_ATTR_FAMILY_ID);
	if (!attr)
		errx(1, "the kernel has no %s", name);
	return *(__u16 *)payload(attr);
}

/* A socket that gets a message for each task that ends, on any CPU */
static int open_tasks(void)
{
	int room = 1 << 20, fd, possible;
	char cpus[64];

	fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_GENERIC);
	if (fd < 0)
		err(1, "netlink");
	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof(room));
	possible = open("/sys/devices/system/cpu/possible", O_RDONLY);
	if (possible < 0)
		err(1, "cpu/possible");
	slurp(possible, cpus, sizeof(cpus));
	close(possible);
	cpus[strcspn(cpus, "\n")] = 0;
	ask(fd, family_of(fd, TASKSTATS_GENL_NAME), TASKSTATS_CMD_GET,
	    TASKSTATS_CMD_ATTR_REGISTER_CPUMASK, cpus);
	return fd;
}

static void task_ended(int fd)
{
	struct nlattr *task, *stats;
	struct taskstats *ts;
	struct message msg;

	if (recv(fd, &msg, sizeof(msg), 0) <= 0) {
		warn("tasks that ended were lost");
		return;
	}
	if (msg.nl.nlmsg_type == NLMSG_ERROR)
		errx(1, "the kernel does not tell of tasks that end");
	task = find_attr(msg.attrs, end_of(&msg), TASKSTATS_TYPE_AGGR_PID);
	if (!task)
		return;
	stats = find_attr(payload(task), next_attr(task), TASKSTATS_TYPE_STATS);
	if (!stats)
		return;
	ts = payload(stats);
	printf("task %s %u %.1f %llu\n", ts->ac_comm, ts->ac_pid,
	       (double)ts->blkio_delay_total / NSEC_PER_MSEC,
	       (unsigned long long)ts->write_char);
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = on_signal };
	unsigned long long start, next, now, size;
	unsigned int interval;
	struct sources src;
	struct pollfd tasks;

	if (argc < 5 || argc > 6 || !(interval = atoi(argv[1])) ||
	    !(size = strtoull(argv[3], NULL, 10)))
		errx(2, "usage: watch MS FILE SIZE DISK [DIRTY_RATIO]");
	if (argc == 6)
		dirty_ratio = atoi(argv[5]);
	sigaction(SIGTERM, &action, NULL);
	open_sources(&src, argv[4]);
	tasks = (struct pollfd){ .fd = open_tasks(), .events = POLLIN };
	start = now_ms();
	for (next = start; !stop; ) {
		now = now_ms();
		if (now >= next) {
			sample(&src, now - start);
			progress(argv[2], size);
			next += interval;
			continue;
		}
		if (poll(&tasks, 1, next - now) > 0)
			task_ended(tasks.fd);
	}
	sample(&src, now_ms() - start);
	return 0;
}
