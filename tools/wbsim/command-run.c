// SPDX-License-Identifier: GPL-2.0
/*
 * wbsim run: one run's figures.
 */
#include "options.h"
#include "run.h"
#include "testbed.h"

int command_run(int argc, char **argv)
{
	struct run_options run = { 0 };
	struct options options;
	json_t *figures;

	options_read(&options, argc, argv, OPT_JSON | OPT_PNG);
	testbed_open(options.testbed);
	run.seed = options.seed;
	run.samples = options.png;
	run.seconds = options.seconds;
	run_testbed(&run);
	figures = run_figures();
	if (options.json) {
		json_dumpf(figures, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
		printf("\n");
	} else {
		print_table(figures);
	}
	json_decref(figures);
	run_clear();
	testbed_close();
	if (options.png)
		plot_lines(options.png);
	return 0;
}
