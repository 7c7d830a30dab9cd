// SPDX-License-Identifier: GPL-2.0
/*
 * wbsim: the writeback engine on simulated memory, disks and programs.
 */
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>
#include <linux/page-writeback.h>
#include "run.h"
#include "settings.h"
#include "machine.h"
#include "testbed.h"

static const char help[] =
"wbsim: the pdflush engine on simulated memory, disks and programs, in virtual time\n"
"\n"
"wbsim run TESTBED [--policy NAME] [--set NAME=VALUE]... [--seed N] [--seconds N]\n"
"          [--json] [--png FILE]\n"
"    one run's figures; --png draws dirty memory and thresholds over time\n"
"wbsim sweep TESTBED --rows NAME=FROM:TO:STEP --cols NAME=FROM:TO:STEP\n"
"            [--figure NAME] [--csv | --png FILE] [--policy NAME] [--set NAME=VALUE]...\n"
"            [--seed N]\n"
"    one figure of many runs, as a table, as CSV or as a heat map\n"
"wbsim explore TESTBED [--seeds N] [--seed FIRST] [--set NAME=VALUE]...\n"
"    many schedules of one testbed, a switch of tasks possible at every atomic operation\n"
"\n"
"TESTBED is a file or the name of one that comes with wbsim. NAME is a file under\n"
"/proc/sys/vm: dirty_background_ratio, dirty_async_bytes, dirty_writeback_centisecs,\n"
"nr_pdflush_threads_max, ... The same seed gives the same run. See wbsim(1).\n";

void usage_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fprintf(stderr, "wbsim: ");
	vfprintf(stderr, format, args);
	fprintf(stderr, "\n");
	va_end(args);
	exit(2);
}

void sim_fail(const char *format, ...)
{
	va_list args;

	fflush(stdout);
	va_start(args, format);
	fprintf(stderr, "wbsim: %s, seed %llu, at %.6f s: ", testbed.name,
		(unsigned long long)sim_seed, (double)sim_clock / NSEC_PER_SEC);
	vfprintf(stderr, format, args);
	fprintf(stderr, "\n");
	va_end(args);
	_exit(1);
}

void shim_bug(const char *file, int line, const char *what)
{
	sim_fail("BUG in %s of %s:%d: %s", sim_current ? sim_current->comm : "an event", file, line,
		 what);
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
	const char *who = sim_current ? sim_current->comm : "an event";

	(void)signal;
	(void)context;
	if (slab_owns(info->si_addr))
		sim_fail("memory used after it was freed, or beyond its end, by %s", who);
	sim_fail("bad memory access in %s", who);
}

static void catch_faults(void)
{
	static char stack[65536];
	stack_t alternative = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_ONSTACK | SA_SIGINFO };

	sigaltstack(&alternative, NULL);
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(int argc, char **argv);
	} commands[] = {
		{ "run", command_run }, { "sweep", command_sweep }, { "explore", command_explore },
	};
	unsigned int i;

	if (argc < 2)
		usage_error("run, sweep or explore? See wbsim --help");
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
		fputs(help, stdout);
		return 0;
	}
	for (i = 1; i < (unsigned int)argc; i++)
		if (!strcmp(argv[i], "--help")) {
			fputs(help, stdout);
			return 0;
		}
	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		if (strcmp(argv[1], commands[i].name))
			continue;
		catch_faults();
		policies_register();
		return commands[i].run(argc - 1, argv + 1);
	}
	usage_error("there is no command %s", argv[1]);
}
