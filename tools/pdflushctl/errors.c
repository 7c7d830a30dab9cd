// SPDX-License-Identifier: GPL-2.0
/*
 * Errors: one line that says what is wrong and what to do.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "ctl.h"

const char *ctl_verb = "";

/**
 * ctl_error - say what went wrong
 * @status: what to return
 * @format: a line without its end
 *
 * Returns @status, for the exit.
 */
int ctl_error(int status, const char *format, ...)
{
	va_list args;

	fflush(stdout);
	fprintf(stderr, "pdflushctl%s%s: ", *ctl_verb ? " " : "", ctl_verb);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return status;
}

/**
 * ctl_not_loaded - say that there is no engine
 */
int ctl_not_loaded(void)
{
	return ctl_error(CTL_NOT_LOADED,
			 "the engine is not loaded; load it with: pdflushctl attach");
}

/**
 * ctl_need_root - say that only root may do it
 * @what: the command to give instead, from sudo on
 */
int ctl_need_root(const char *what)
{
	return ctl_error(CTL_FAILED, "only root may do that; try: sudo pdflushctl %s", what);
}

/**
 * ctl_may_change - are we root, or is it only a test's own folder that is changed?
 */
bool ctl_may_change(void)
{
	return !geteuid() || getenv("PDFLUSHCTL_ROOT");
}
