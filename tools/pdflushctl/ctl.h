/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What all verbs of pdflushctl share: exit codes, errors, options, files below the root, numbers
 * for people.
 */
#ifndef CTL_H
#define CTL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* ---- Exit codes, see pdflushctl(8) --------------------------------------------------------- */

enum ctl_exit {
	CTL_FINE,
	CTL_FAILED,
	CTL_USAGE,
	CTL_NOT_LOADED,
	CTL_GAVE_UP,
};

/* The verb at work, for messages; "" before it is known. */
extern const char *ctl_verb;

int ctl_error(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
int ctl_not_loaded(void);
int ctl_need_root(const char *what);
bool ctl_may_change(void);

/* ---- Verbs --------------------------------------------------------------------------------- */

/**
 * struct verb - one word of the command line
 * @name: the word
 * @summary: a line for pdflushctl --help
 * @help: all about it, for pdflushctl NAME --help
 * @run: argv[0] is the verb; returns an exit code
 */
struct verb {
	const char *name;
	const char *summary;
	const char *help;
	int (*run)(int argc, char **argv);
};

extern const struct verb verb_status, verb_top, verb_watch, verb_attach, verb_detach, verb_profile,
	verb_trace, verb_metrics, verb_doctor;

/* ---- Options ------------------------------------------------------------------------------- */

enum opt_kind { OPT_FLAG, OPT_TEXT, OPT_COUNT, OPT_SECONDS };

/**
 * struct opt - an option of a verb
 * @name: without the dashes
 * @letter: its short form, or 0
 * @kind: what follows it
 * @value: a bool, const char *, unsigned long or double to fill in
 */
struct opt {
	const char *name;
	char letter;
	enum opt_kind kind;
	void *value;
};

#define OPT_GO_ON (-1)

int options_read(const struct verb *verb, int argc, char **argv, const struct opt *opts,
		 size_t nr_opts);
int options_interval(int argc, char **argv, double *interval);
bool parse_seconds(const char *text, double *value);
bool parse_count(const char *text, unsigned long *value);

/* ---- Files --------------------------------------------------------------------------------- */

const char *root_path(const char *path, char *buf, size_t size);
char *read_text(const char *path);
bool read_word(const char *path, char *buf, size_t size);
bool read_number(const char *path, unsigned long long *value);
int write_text(const char *path, const char *text);
bool path_exists(const char *path);
size_t folder_names(const char *folder, bool (*test)(const char *name), char *buf, size_t size);
int replace_file(const char *dir, const char *name, const char *text);

/* ---- Numbers for people -------------------------------------------------------------------- */

#define TEXT_MAX 24

const char *text_bytes(double bytes, char buf[TEXT_MAX]);
const char *text_ms(double ms, char buf[TEXT_MAX]);
double now_seconds(void);

#endif
