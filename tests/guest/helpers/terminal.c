// SPDX-License-Identifier: GPL-2.0
/*
 * terminal SECONDS OUTPUT COMMAND [ARG]...: runs a command on a terminal of 80 columns and 24 rows,
 * types q after so many seconds, keeps what it shows in the file OUTPUT, and prints
 *	status S cpu_us C wall_us W
 * With 0 SECONDS nothing is typed. Ends with the status of the command; a command that does not end
 * by itself in a minute is killed.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE	60.0

static double now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return (double)at.tv_sec + (double)at.tv_nsec / 1e9;
}

static void die(const char *what)
{
	perror(what);
	exit(125);
}

static long us_of(const struct timeval *time)
{
	return time->tv_sec * 1000000L + time->tv_usec;
}

/* Pass on what it shows until it ends. */
static void listen_to(int terminal, int output, double seconds, pid_t child)
{
	double start = now(), type_at = seconds > 0 ? start + seconds : 0;
	struct pollfd poll_fd = { .fd = terminal, .events = POLLIN };
	char buf[4096];
	ssize_t got;

	for (;;) {
		poll(&poll_fd, 1, 100);
		if (poll_fd.revents) {
			got = read(terminal, buf, sizeof(buf));
			if (got <= 0)	/* EIO: nobody has the terminal open any more */
				return;
			if (write(output, buf, (size_t)got) != got)
				die("write");
		}
		if (type_at && now() >= type_at) {
			if (write(terminal, "q", 1) != 1)
				die("type");
			type_at = 0;
		}
		if (now() > start + seconds + PATIENCE)
			kill(child, SIGKILL);
	}
}

int main(int argc, char **argv)
{
	struct winsize size = { .ws_row = 24, .ws_col = 80 };
	int terminal, output, status;
	struct rusage usage;
	double start;
	pid_t child;

	if (argc < 4) {
		fprintf(stderr, "terminal SECONDS OUTPUT COMMAND [ARG]...\n");
		return 125;
	}
	output = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (output < 0)
		die(argv[2]);
	start = now();
	child = forkpty(&terminal, NULL, NULL, &size);
	if (child < 0)
		die("forkpty");
	if (!child) {
		execvp(argv[3], argv + 3);
		die(argv[3]);
	}
	listen_to(terminal, output, atof(argv[1]), child);
	if (wait4(child, &status, 0, &usage) != child)
		die("wait4");
	status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	printf("status %d cpu_us %ld wall_us %.0f\n", status,
	       us_of(&usage.ru_utime) + us_of(&usage.ru_stime), (now() - start) * 1e6);
	return status;
}
