// SPDX-License-Identifier: GPL-2.0
/*
 * wbsim explore: many schedules of one testbed. The seeds are shared out to as many processes as
 * the
 * host has CPUs; the first that breaks something is named and can be run again by itself.
 */
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "options.h"
#include "run.h"
#include "sim.h"
#include "testbed.h"

static struct options options;

static void run_share(unsigned int mine, unsigned int shares, int to)
{
	struct run_options run = { .explore = true, .quiet = true };
	u64 i;

	for (i = mine; i < options.seeds; i += shares) {
		run.seed = options.seed + i;
		run_testbed(&run);
		run_clear();
		if (write(to, &sim_steps, sizeof(sim_steps)) != sizeof(sim_steps))
			_exit(1);
	}
	_exit(0);
}

static double seconds_since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec - start->tv_sec + (now.tv_nsec - start->tv_nsec) / 1e9;
}

int command_explore(int argc, char **argv)
{
	unsigned int shares = max(sysconf(_SC_NPROCESSORS_ONLN), 1L), i, failed = 0;
	bool show = isatty(STDERR_FILENO);
	u64 steps = 0, done = 0, some;
	struct timespec start;
	int pipes[2], status;

	options_read(&options, argc, argv, OPT_SEEDS);
	testbed_open(options.testbed);
	shares = max(min((u64)shares, options.seeds), (u64)1);
	clock_gettime(CLOCK_MONOTONIC, &start);
	if (pipe(pipes))
		sim_fail("no pipe");
	fflush(stdout);
	for (i = 0; i < shares; i++) {
		pid_t pid = fork();

		if (pid < 0)
			sim_fail("no process");
		if (!pid) {
			close(pipes[0]);
			run_share(i, shares, pipes[1]);
		}
	}
	close(pipes[1]);
	while (read(pipes[0], &some, sizeof(some)) == sizeof(some)) {
		steps += some;
		if (++done % 256 == 0 && show)
			fprintf(stderr, "\r%s: %llu of %llu schedules, %.0f a second ",
				testbed.name, (unsigned long long)done,
				(unsigned long long)options.seeds,
				done / seconds_since(&start));
	}
	if (show)
		fprintf(stderr, "\r\033[K");
	for (i = 0; i < shares; i++)
		if (wait(&status) > 0 && status)
			failed = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
	if (failed)
		return failed;
	printf("%s: %llu schedules, %llu steps, every invariant held\n", testbed.name,
	       (unsigned long long)done, (unsigned long long)steps);
	testbed_close();
	return 0;
}
