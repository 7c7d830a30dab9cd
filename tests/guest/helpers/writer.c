// SPDX-License-Identifier: GPL-2.0
/*
 * writer: writes files in ways that tests need, with contents that can be told again.
 *
 *	writer write FILE MB SEED	write(2), 128 KB at a time
 *	writer mmap FILE MB SEED	stores into a shared mapping
 *	writer check FILE MB SEED	is that what FILE holds?
 *	writer forever FILE MB		write(2) FILE again and again, until an error or a signal
 *	writer nowait FILE MB TRIES	pwritev2(2) with RWF_NOWAIT, up to TRIES refusals in a row
 *	writer uring FILE MB TRIES	the same through io_uring
 *	writer hold FILE		open FILE for writing and sleep
 *	writer sysctl FILE OFFSET TEXT	one pwrite(2) of TEXT to FILE at OFFSET
 *	writer sysctl-long FILE BYTES TEXT	... of TEXT and spaces up to BYTES in all
 *	writer sysctl-read FILE OFFSET BYTES	one pread(2)
 *
 * Prints "NAME VALUE" lines; exits with 1 if it came to an error, whose name it says.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define CHUNK		(128 * 1024)
#define MB		(1024 * 1024)
#define PAGE		4096

static uint64_t buffer[CHUNK / 8];

/* Every page bears its place and the seed, and the rest follows from these. */
static void fill(uint64_t *to, uint64_t offset, size_t bytes, uint64_t seed)
{
	size_t i;

	for (i = 0; i < bytes / 8; i++) {
		if (i % (PAGE / 8) == 0)
			to[i] = (offset + i * 8 + 1) * 0x9e3779b97f4a7c15ULL ^ seed;
		else
			to[i] = to[i - 1] * 6364136223846793005ULL + 1442695040888963407ULL;
	}
}

static double now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1e3 + ts.tv_nsec / 1e6;
}

static long sleeps(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nvcsw;
}

static int open_file(const char *path, int flags)
{
	int fd = open(path, flags, 0644);

	if (fd < 0)
		err(1, "%s", path);
	return fd;
}

static void report(double started, double longest)
{
	printf("total_ms %.0f\nlongest_ms %.0f\n", now_ms() - started, longest);
}

static void write_all(int fd, const void *data, size_t bytes)
{
	ssize_t done;

	for (; bytes; bytes -= done, data = (const char *)data + done) {
		done = write(fd, data, bytes);
		if (done < 0)
			err(1, "write: %s", strerrorname_np(errno));
	}
}

static int do_write(const char *path, uint64_t bytes, uint64_t seed)
{
	int fd = open_file(path, O_WRONLY | O_CREAT);
	double started = now_ms(), longest = 0;
	uint64_t offset;

	for (offset = 0; offset < bytes; offset += CHUNK) {
		double before;

		fill(buffer, offset, CHUNK, seed);
		before = now_ms();
		write_all(fd, buffer, CHUNK);
		if (now_ms() - before > longest)
			longest = now_ms() - before;
	}
	report(started, longest);
	return 0;
}

static int do_mmap(const char *path, uint64_t bytes, uint64_t seed)
{
	int fd = open_file(path, O_RDWR | O_CREAT);
	double started = now_ms(), longest = 0;
	uint64_t offset;
	char *map;

	if (ftruncate(fd, bytes))
		err(1, "%s", path);
	map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		err(1, "mmap");
	for (offset = 0; offset < bytes; offset += PAGE) {
		double before = now_ms();

		fill((uint64_t *)(map + offset), offset, PAGE, seed);
		if (now_ms() - before > longest)
			longest = now_ms() - before;
	}
	report(started, longest);
	return 0;
}

static int do_check(const char *path, uint64_t bytes, uint64_t seed)
{
	static uint64_t found[CHUNK / 8];
	int fd = open_file(path, O_RDONLY);
	uint64_t offset;
	ssize_t done;

	for (offset = 0; offset < bytes; offset += done) {
		done = pread(fd, found, CHUNK, offset);
		if (done < 0)
			err(1, "%s", path);
		if (!done || done % PAGE)
			errx(1, "%s: ends at %llu", path, (unsigned long long)(offset + done));
		fill(buffer, offset, done, seed);
		if (memcmp(buffer, found, done))
			errx(1, "%s: differs from %llu on", path, (unsigned long long)offset);
	}
	if (pread(fd, found, 1, bytes))
		errx(1, "%s: is longer", path);
	return 0;
}

static int do_forever(const char *path, uint64_t bytes)
{
	int fd = open_file(path, O_WRONLY | O_CREAT);
	uint64_t offset;

	for (offset = 0;; offset = (offset + CHUNK) % bytes) {
		if (lseek(fd, offset, SEEK_SET) < 0)
			err(1, "lseek");
		write_all(fd, buffer, CHUNK);
	}
}

/* ---- Writers that don't want to sleep ------------------------------------------------------ */

static int ring_fd;
static struct io_uring_params ring;
static char *sq, *cq;
static struct io_uring_sqe *sqes;

static void open_ring(void)
{
	size_t size;

	ring_fd = syscall(__NR_io_uring_setup, 4, &ring);
	if (ring_fd < 0)
		err(1, "io_uring_setup");
	size = ring.sq_off.array + ring.sq_entries * sizeof(uint32_t);
	sq = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, ring_fd, IORING_OFF_SQ_RING);
	size = ring.cq_off.cqes + ring.cq_entries * sizeof(struct io_uring_cqe);
	cq = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, ring_fd, IORING_OFF_CQ_RING);
	size = ring.sq_entries * sizeof(*sqes);
	sqes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, ring_fd, IORING_OFF_SQES);
	if (sq == MAP_FAILED || cq == MAP_FAILED || sqes == MAP_FAILED)
		err(1, "mmap of a ring");
}

/* One write through the ring. Returns its result. */
static ssize_t ring_write(int fd, const struct iovec *iov, uint64_t offset)
{
	uint32_t *sq_tail = (uint32_t *)(sq + ring.sq_off.tail);
	uint32_t *cq_head = (uint32_t *)(cq + ring.cq_off.head);
	uint32_t *cq_tail = (uint32_t *)(cq + ring.cq_off.tail);
	uint32_t mask = *(uint32_t *)(sq + ring.sq_off.ring_mask);
	uint32_t slot = *sq_tail & mask;
	struct io_uring_cqe *cqe;
	int res;

	memset(&sqes[slot], 0, sizeof(sqes[slot]));
	sqes[slot].opcode = IORING_OP_WRITEV;
	sqes[slot].fd = fd;
	sqes[slot].off = offset;
	sqes[slot].addr = (uintptr_t)iov;
	sqes[slot].len = 1;
	sqes[slot].rw_flags = RWF_NOWAIT;
	((uint32_t *)(sq + ring.sq_off.array))[slot] = slot;
	__atomic_store_n(sq_tail, *sq_tail + 1, __ATOMIC_RELEASE);
	if (syscall(__NR_io_uring_enter, ring_fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) < 0)
		err(1, "io_uring_enter");
	if (__atomic_load_n(cq_tail, __ATOMIC_ACQUIRE) == *cq_head)
		errx(1, "io_uring: nothing completed");
	cqe = (struct io_uring_cqe *)(cq + ring.cq_off.cqes) +
	      (*cq_head & *(uint32_t *)(cq + ring.cq_off.ring_mask));
	res = cqe->res;
	__atomic_store_n(cq_head, *cq_head + 1, __ATOMIC_RELEASE);
	return res;
}

static ssize_t plain_write(int fd, const struct iovec *iov, uint64_t offset)
{
	ssize_t done = pwritev2(fd, iov, 1, offset, RWF_NOWAIT);

	return done < 0 ? -errno : done;
}

/*
 * A write that must not wait is also refused when the file's times have to change, so these are
 * brought up to date before every try. What is counted is refusals in a row.
 */
static int do_nowait(const char *path, uint64_t bytes, unsigned int tries, bool by_ring)
{
	int fd = open_file(path, O_WRONLY | O_CREAT);
	struct iovec iov = { buffer, PAGE };
	unsigned int in_a_row = 0;
	uint64_t offset = 0;
	double started;
	long slept = 0;

	if (by_ring)
		open_ring();
	started = now_ms();
	while (offset < bytes && in_a_row < tries) {
		ssize_t done;

		if (futimens(fd, NULL))
			err(1, "futimens");
		slept -= sleeps();
		done = by_ring ? ring_write(fd, &iov, offset) : plain_write(fd, &iov, offset);
		slept += sleeps();
		if (done > 0) {
			offset += done;
			in_a_row = 0;
		} else if (done == -EAGAIN) {
			in_a_row++;
		} else {
			errx(1, "nowait write: %s", strerrorname_np(-done));
		}
	}
	printf("written_mb %llu\nrefused %u\nsleeps %ld\n", (unsigned long long)offset / MB,
	       in_a_row, slept);
	report(started, 0);
	return 0;
}

/* ---- Files under /proc/sys --------------------------------------------------------------- */

static int do_sysctl(const char *path, off_t offset, const char *text, size_t bytes)
{
	int fd = open_file(path, O_WRONLY);
	ssize_t done = pwrite(fd, text, bytes, offset);

	if (done < 0) {
		printf("%s\n", strerrorname_np(errno));
		return 1;
	}
	printf("%zd\n", done);
	return 0;
}

static int do_sysctl_long(const char *path, size_t bytes, const char *text)
{
	char *padded = malloc(bytes);

	memset(padded, ' ', bytes);
	memcpy(padded, text, strnlen(text, bytes));
	return do_sysctl(path, 0, padded, bytes);
}

static int do_sysctl_read(const char *path, off_t offset, size_t bytes)
{
	int fd = open_file(path, O_RDONLY);
	ssize_t done = pread(fd, buffer, bytes < CHUNK ? bytes : CHUNK, offset);

	if (done < 0) {
		printf("%s\n", strerrorname_np(errno));
		return 1;
	}
	fwrite(buffer, 1, done, stdout);
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "", *path = argv[2];
	uint64_t mb = argc > 3 ? strtoull(argv[3], NULL, 0) : 0;
	uint64_t third = argc > 4 ? strtoull(argv[4], NULL, 0) : 0;

	if (!strcmp(what, "hold")) {
		open_file(path, O_WRONLY);
		for (;;)
			pause();
	}
	if (!strcmp(what, "forever") && argc == 4)
		return do_forever(path, mb * MB);
	if (argc == 5) {
		if (!strcmp(what, "write"))
			return do_write(path, mb * MB, third);
		if (!strcmp(what, "mmap"))
			return do_mmap(path, mb * MB, third);
		if (!strcmp(what, "check"))
			return do_check(path, mb * MB, third);
		if (!strcmp(what, "nowait") || !strcmp(what, "uring"))
			return do_nowait(path, mb * MB, third, *what == 'u');
		if (!strcmp(what, "sysctl"))
			return do_sysctl(path, mb, argv[4], strlen(argv[4]));
		if (!strcmp(what, "sysctl-long"))
			return do_sysctl_long(path, mb, argv[4]);
		if (!strcmp(what, "sysctl-read"))
			return do_sysctl_read(path, mb, third);
	}
	fprintf(stderr, "usage: see the top of writer.c\n");
	return 2;
}
