// SPDX-License-Identifier: GPL-2.0
/*
 * crowd: many threads write at once, each to a file of its own, 4 KB at a time.
 *
 *	crowd FOLDER WRITERS WARMUP SECONDS
 *
 * Prints, of the SECONDS after the first WARMUP: bytes written by all, by the one that got least,
 * by the one that got most; and the longest write(2) of all, from the beginning, in us.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define STACK_SIZE	(64 << 10)

enum phase { WARMUP, MEASURED, OVER };

struct writer {
	pthread_t thread;
	int fd;
	unsigned long long bytes;	/* while measured */
	unsigned long long longest_us;
};

static volatile enum phase phase;
static pthread_barrier_t all_there;

static unsigned long long now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000ULL + ts.tv_nsec / 1000;
}

static void *write_on(void *arg)
{
	static char page[4096];
	struct writer *me = arg;
	unsigned long long before, now;

	pthread_barrier_wait(&all_there);
	for (before = now_us(); phase != OVER; before = now) {
		if (write(me->fd, page, sizeof(page)) != sizeof(page))
			err(1, "write");
		now = now_us();
		if (phase == MEASURED)
			me->bytes += sizeof(page);
		if (now - before > me->longest_us)
			me->longest_us = now - before;
	}
	return NULL;
}

static void start(struct writer *writer, const char *folder, int nr)
{
	char path[256];
	pthread_attr_t attr;

	snprintf(path, sizeof(path), "%s/%d", folder, nr);
	writer->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	if (writer->fd < 0)
		err(1, "%s", path);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_SIZE);
	errno = pthread_create(&writer->thread, &attr, write_on, writer);
	if (errno)
		err(1, "thread %d", nr);
}

int main(int argc, char **argv)
{
	unsigned long long sum = 0, least = ULLONG_MAX, most = 0, longest = 0;
	struct writer *writers;
	int nr, i;

	if (argc != 5 || (nr = atoi(argv[2])) <= 0)
		errx(2, "usage: crowd FOLDER WRITERS WARMUP SECONDS");
	writers = calloc(nr, sizeof(*writers));
	if (!writers)
		err(1, "memory");
	pthread_barrier_init(&all_there, NULL, nr + 1);
	for (i = 0; i < nr; i++)
		start(&writers[i], argv[1], i);
	pthread_barrier_wait(&all_there);
	sleep(atoi(argv[3]));
	phase = MEASURED;
	sleep(atoi(argv[4]));
	phase = OVER;
	for (i = 0; i < nr; i++) {
		struct writer *writer = &writers[i];

		pthread_join(writer->thread, NULL);
		sum += writer->bytes;
		least = writer->bytes < least ? writer->bytes : least;
		most = writer->bytes > most ? writer->bytes : most;
		longest = writer->longest_us > longest ? writer->longest_us : longest;
	}
	printf("%llu %llu %llu %llu\n", sum, least, most, longest);
	return 0;
}
