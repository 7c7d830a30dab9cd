// SPDX-License-Identifier: GPL-2.0
/*
 * Running another program: modprobe, insmod, rmmod.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "ctl.h"
#include "process.h"

/* In a group of its own: a ^C is for us, who know how to leave nothing half done. */
static void become(const char * const *argv, int out)
{
	setpgid(0, 0);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	dup2(out, STDOUT_FILENO);
	dup2(out, STDERR_FILENO);
	execvp(argv[0], (char * const *)argv);
	dprintf(out, "cannot run %s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

/* The first line is enough for us. */
static void one_line(char *said)
{
	said[strcspn(said, "\r\n")] = '\0';
}

/**
 * process_run - run a program to its end
 * @argv: its words, NULL at the end; looked for in PATH
 * @seconds: how long it may take
 * @said: for the first line of what it prints
 * @size: of @said
 *
 * Returns its exit status, 128 and the signal that ended it, PROCESS_NO_START, or
 * PROCESS_STILL_RUNS: then it is left alone.
 */
int process_run(const char * const *argv, double seconds, char *said, size_t size)
{
	double end = now_seconds() + seconds;
	const struct timespec pause = { .tv_nsec = 10000000 };
	size_t len = 0;
	int fd[2], status;
	ssize_t got;
	pid_t pid;

	said[0] = '\0';
	if (pipe2(fd, O_CLOEXEC | O_NONBLOCK))
		return PROCESS_NO_START;
	pid = fork();
	if (!pid)
		become(argv, fd[1]);
	close(fd[1]);
	if (pid < 0) {
		close(fd[0]);
		return PROCESS_NO_START;
	}
	for (;;) {
		/* first whether it has ended, then what it said: so its last words are not lost */
		pid_t ended = waitpid(pid, &status, WNOHANG);

		while (len + 1 < size && (got = read(fd[0], said + len, size - 1 - len)) > 0)
			len += (size_t)got;
		if (ended == pid || now_seconds() >= end) {
			close(fd[0]);
			said[len] = '\0';
			one_line(said);
			if (ended != pid)
				return PROCESS_STILL_RUNS;
			return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
		}
		nanosleep(&pause, NULL);
	}
}
