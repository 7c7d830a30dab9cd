// SPDX-License-Identifier: GPL-2.0
/*
 * feel-exec: how long it takes to start a program.
 *
 *	feel-exec MS PROGRAM
 *
 * Forks, runs PROGRAM, which is this one once more, waits for its end, then for MS ms, again and
 * again until SIGTERM. Prints lines as fio's logs have them: ms since the start when it ended, and
 * how long it took in ns.
 */
#include <err.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NSEC_PER_MSEC	1000000ULL
#define NSEC_PER_SEC	1000000000ULL

static volatile sig_atomic_t stop;

static void on_signal(int sig)
{
	(void)sig;
	stop = 1;
}

static unsigned long long now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

static void run(char *program)
{
	char *argv[] = { program, NULL };
	int status;
	pid_t pid = fork();

	if (pid < 0)
		err(1, "fork");
	if (!pid) {
		execv(program, argv);
		_exit(1);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			err(1, "wait");
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		errx(1, "cannot run %s", program);
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = on_signal };
	unsigned long long start, before, now;
	struct timespec pause;
	unsigned int ms;

	if (argc == 1)
		return 0;
	if (argc != 3)
		errx(2, "usage: feel-exec MS PROGRAM");
	ms = atoi(argv[1]);
	pause.tv_sec = ms / 1000;
	pause.tv_nsec = ms % 1000 * NSEC_PER_MSEC;
	sigaction(SIGTERM, &action, NULL);
	start = now_ns();
	while (!stop) {
		before = now_ns();
		run(argv[2]);
		now = now_ns();
		printf("%llu, %llu\n", (now - start) / NSEC_PER_MSEC, now - before);
		nanosleep(&pause, NULL);
	}
	return 0;
}
