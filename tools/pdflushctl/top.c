// SPDX-License-Identifier: GPL-2.0
/*
 * pdflushctl top: the engine, live, on a terminal.
 *
 * All is told by characters and bold print; colour only repeats it.
 */
#include <getopt.h>
#include <locale.h>
#include <math.h>
#include <ncurses.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "ctl.h"
#include "engine.h"
#include "holders.h"
#include "livepatch.h"
#include "notes.h"
#include "tasks.h"
#include "tracing.h"

static const char help[] =
"pdflushctl top [--events] [INTERVAL]\n"
"\n"
"The engine, live: dirty memory against the three thresholds, devices, who is held and how\n"
"long holds were. Anew every INTERVAL seconds (1).\n"
"\n"
"In the bar, # is dirty, = is on its way to a device; B, A and S mark the thresholds\n"
"background, async and sync. \"looks\" tells at how many of the looks since the start a writer\n"
"was found held; root is needed to see whom. With thousands of processes looks come further\n"
"apart, to take no more than half a percent of a CPU. Keys: q ends, any other draws anew.\n"
"\n"
"    -e, --events    of each writer also where, how long in all and at most it was held since the\n"
"                    start, as the events of pdflush_trace tell; takes more CPU where holds are\n"
"                    many\n"
"\n"
"Exit status: 0; 1 without a terminal; 3 if the engine is not loaded, or no longer.\n";

#define LEAST_ROWS	12
#define LEAST_COLUMNS	40

enum colour { PLAIN, CALM, BUSY, BAD };

/* All that is shown. */
struct view {
	struct engine now, before;
	struct settings set;
	struct notes notes;
	struct holders holders;
	bool stacks;			/* we may see who is held */
	bool traced;			/* ... and each end of a hold */
	struct tracing buffer;
	double seconds;			/* between the looks */
	double started;
};

static void paint(enum colour colour, bool on)
{
	if (colour == BAD || colour == BUSY) {
		if (on)
			attron(A_BOLD);
		else
			attroff(A_BOLD);
	}
	if (colour == PLAIN || !has_colors())
		return;
	if (on)
		attron(COLOR_PAIR(colour));
	else
		attroff(COLOR_PAIR(colour));
}

static void head_line(int row, const char *text)
{
	attron(A_REVERSE);
	mvhline(row, 0, ' ', COLS);
	mvaddnstr(row, 0, text, COLS);
	attroff(A_REVERSE);
}

/* ---- The bar ------------------------------------------------------------------------------- */

static int place_of(double bytes, double most, int width)
{
	int place = most > 0 ? (int)floor(bytes / most * width) : 0;

	return place < width ? place : width - 1;
}

static void draw_bar(const struct view *view, int row)
{
	double dirty = stat_bytes(&view->now, "dirty"), way = stat_bytes(&view->now, "writeback");
	double sync = threshold_bytes(&view->now, SYNC), most = sync * 1.15;
	int width = COLS - 2, end_dirty, end_way, x, level;
	static const char mark[] = "BAS";

	if (dirty + way > most)
		most = dirty + way;
	end_dirty = dirty > 0 ? place_of(dirty, most, width) + 1 : 0;
	end_way = dirty + way > 0 ? place_of(dirty + way, most, width) + 1 : 0;
	mvaddch(row, 0, '[');
	for (x = 0; x < width; x++) {
		paint(x < end_dirty ? BUSY : CALM, true);
		mvaddch(row, x + 1, x < end_dirty ? '#' : x < end_way ? '=' : ' ');
		paint(x < end_dirty ? BUSY : CALM, false);
	}
	mvaddch(row, width + 1, ']');
	for (level = BACKGROUND; level < NR_LEVELS; level++) {
		x = place_of(threshold_bytes(&view->now, level), most, width) + 1;
		mvaddch(row, x, (chtype)mark[level] | A_REVERSE);
	}
}

static void draw_memory(const struct view *view, int row)
{
	const struct engine *eng = &view->now;
	char a[TEXT_MAX], b[TEXT_MAX], c[TEXT_MAX];

	mvprintw(row, 0, "Dirty %s, on its way %s, dirtyable %s",
		 text_bytes(stat_bytes(eng, "dirty"), a),
		 text_bytes(stat_bytes(eng, "writeback"), b),
		 text_bytes(stat_bytes(eng, "dirtyable"), c));
	draw_bar(view, row + 1);
	mvprintw(row + 2, 0, "B background %s  A async %s  S sync %s",
		 text_bytes(threshold_bytes(eng, BACKGROUND), a),
		 text_bytes(threshold_bytes(eng, ASYNC), b),
		 text_bytes(threshold_bytes(eng, SYNC), c));
}

/* ---- Lines of counts ----------------------------------------------------------------------- */

static double per_second(const struct view *view, const char *name)
{
	unsigned long long now = stat_of(&view->now, name), before = stat_of(&view->before, name);

	return (double)(now >= before ? now - before : now) / view->seconds;
}

static double mb_per_second(const struct view *view, const char *name)
{
	return per_second(view, name) * (double)view->now.page / (1 << 20);
}

static void draw_counts(const struct view *view, int row)
{
	unsigned long long threads = stat_of(&view->now, "threads");
	unsigned long long idle = stat_of(&view->now, "threads_idle");
	unsigned long long held = stat_of(&view->now, "held");

	mvprintw(row, 0, "Checks/s kick %.0f pace %.0f wait %.0f; ",
		 per_second(view, "verdict_kick"), per_second(view, "verdict_pace"),
		 per_second(view, "verdict_wait"));
	paint(held ? BAD : PLAIN, true);
	printw("held now %llu", held);
	paint(held ? BAD : PLAIN, false);
	printw(", %.0f ms/s", per_second(view, "stalled_ms"));
	mvprintw(row + 1, 0, "Written, MB/s: background %.1f, old data %.1f, others %.1f",
		 mb_per_second(view, "pages_by_pdflush"), mb_per_second(view, "pages_by_kupdate"),
		 mb_per_second(view, "pages_by_others"));
	mvprintw(row + 2, 0, "Pool: %llu threads, %llu at work (%s to %s)", threads,
		 threads > idle ? threads - idle : 0, view->set.value[SET_THREADS_MIN],
		 view->set.value[SET_THREADS_MAX]);
}

/* ---- Devices, writers, stalls -------------------------------------------------------------- */

static int busiest_first(const void *a, const void *b)
{
	const struct device *x = a, *y = b;
	unsigned long long of_x = x->dirty + x->writeback, of_y = y->dirty + y->writeback;

	if (of_x != of_y)
		return of_x < of_y ? 1 : -1;
	return strcmp(x->name, y->name);
}

static void draw_devices(const struct view *view, int row, int rows)
{
	char dirty[TEXT_MAX], way[TEXT_MAX], speed[TEXT_MAX], line[128];
	const struct device *dev;
	int i;

	snprintf(line, sizeof(line), "%-16s %10s %10s %12s %8s", "Device", "dirty", "on its way",
		 "writes", "thread");
	head_line(row, line);
	for (i = 0; i < rows - 1 && i < (int)view->now.nr_devices; i++) {
		dev = &view->now.devices[i];
		snprintf(line, sizeof(line), "%-16s %10s %10s %10s/s", dev->name,
			 text_bytes((double)dev->dirty * (double)view->now.page, dirty),
			 text_bytes((double)dev->writeback * (double)view->now.page, way),
			 text_bytes(dev->speed, speed));
		mvaddnstr(row + 1 + i, 0, line, COLS);
		if (dev->thread)
			mvprintw(row + 1 + i, 51, " %8d", dev->thread);
	}
	if (i < (int)view->now.nr_devices)
		mvprintw(row, COLS > 78 ? 64 : 0, " %d more ", (int)view->now.nr_devices - i);
}

static void draw_writer(const struct view *view, int row, const struct held *held)
{
	double looks = 100.0 * held->looks / view->holders.looks;
	char all[TEXT_MAX], longest[TEXT_MAX];

	paint(held->now ? BAD : PLAIN, true);
	mvprintw(row, 0, "%-16s %8d %7.0f%%", held->name, held->tid, looks);
	if (view->traced)
		printw(" %9s %9s  %s", text_ms((double)held->us / 1000, all),
		       text_ms((double)held->longest / 1000, longest), held->device);
	paint(held->now ? BAD : PLAIN, false);
}

static void draw_writers(const struct view *view, int row, int rows)
{
	char line[96];
	int i;

	snprintf(line, sizeof(line), "%-16s %8s %8s %9s %9s  %s", "Writers held", "task", "looks",
		 view->traced ? "in all" : "", view->traced ? "longest" : "",
		 view->traced ? "disk" : "");
	head_line(row, line);
	if (!view->stacks && rows > 1) {
		mvaddnstr(row + 1, 0, "(only root can see who is held)", COLS);
		return;
	}
	for (i = 0; i < rows - 1 && i < (int)view->holders.nr; i++)
		draw_writer(view, row + 1 + i, &view->holders.held[i]);
}

/* Slots by twos are too many to show: three or so make one. */
#define NR_SPANS 7

static void sum_spans(const struct engine *eng, unsigned long long sum[NR_SPANS])
{
	static const unsigned long long below[NR_SPANS] = {
		1 << 7, 1 << 10, 1 << 13, 1 << 16, 1 << 19, 1 << 22, ~0ULL,
	};
	size_t i, d;

	memset(sum, 0, NR_SPANS * sizeof(*sum));
	for (i = 0; i < eng->nr_stalls; i++) {
		for (d = 0; eng->stalls[i].from_us >= below[d]; d++)
			;
		sum[d] += eng->stalls[i].count;
	}
}

static void draw_stalls(const struct view *view, int row)
{
	unsigned long long now[NR_SPANS], before[NR_SPANS];
	int d;

	sum_spans(&view->now, now);
	sum_spans(&view->before, before);
	head_line(row, "Holds from       0  0.1 ms    1 ms    8 ms   66 ms   0.5 s     4 s");
	mvprintw(row + 1, 0, "lately    ");
	for (d = 0; d < NR_SPANS; d++)
		printw(" %7llu", now[d] >= before[d] ? now[d] - before[d] : now[d]);
	mvprintw(row + 2, 0, "in all    ");
	for (d = 0; d < NR_SPANS; d++)
		printw(" %7llu", now[d]);
}

static void draw_note(const struct view *view, int row)
{
	size_t i;

	/* what the lines above tell anyhow is left out */
	for (i = 0; i < view->notes.nr; i++)
		if (strcmp(view->notes.note[i].id, "held_now") &&
		    strcmp(view->notes.note[i].id, "writers_paced"))
			break;
	if (i == view->notes.nr)
		return;
	paint(BAD, true);
	mvprintw(row, 0, "! %.*s", COLS - 2, view->notes.note[i].text);
	paint(BAD, false);
}

/*
 * Rows from above: title, memory (3), counts (3), a note, devices, writers, stalls (3) at the
 * bottom. Devices get what they need up to half of what is left.
 */
static void draw(const struct view *view)
{
	int rows = LINES, left = rows - 8 - 3, devices, row = 8;
	char title[128];

	erase();
	if (LINES < LEAST_ROWS || COLS < LEAST_COLUMNS) {
		mvaddnstr(0, 0, "The window is too small", COLS);
		refresh();
		return;
	}
	snprintf(title, sizeof(title), "pdflush %s, policy %s, each line over %.1f s; q ends",
		 livepatch_state() == PATCH_ON ? "attached" : "NOT IN FORCE",
		 view->set.value[SET_POLICY], view->seconds);
	head_line(0, title);
	draw_memory(view, 1);
	draw_counts(view, 4);
	draw_note(view, 7);
	devices = (int)view->now.nr_devices + 1;
	if (devices > left / 2)
		devices = left / 2;
	if (devices >= 2) {
		draw_devices(view, row, devices);
		row += devices + (left > 8);
	}
	if (rows - 3 - row >= 2)
		draw_writers(view, row, rows - 3 - row);
	draw_stalls(view, rows - 3);
	refresh();
}

/* ---- Looks --------------------------------------------------------------------------------- */

/* Without the count of held writers, an engine may always hold one. */
static bool holds_anybody(const struct engine *eng)
{
	return !stat_there(eng, "held") || stat_of(eng, "held");
}

static int take_release(struct tep_event *event, struct tep_record *record, int cpu, void *data)
{
	struct view *view = data;

	(void)cpu;
	holders_released(&view->holders, tep_data_pid(view->buffer.tep, record),
			 tracing_number(event, record, "us"), tracing_device(event, record));
	return 0;
}

static bool look(struct view *view)
{
	double at = now_seconds();

	engine_free(&view->before);
	view->before = view->now;
	if (!engine_read(&view->now)) {
		memset(&view->now, 0, sizeof(view->now));
		return false;
	}
	view->seconds = fmax(at - view->started, 0.001);
	view->started = at;
	qsort(view->now.devices, view->now.nr_devices, sizeof(struct device), busiest_first);
	settings_read(&view->set);
	notes_take(&view->now, &view->set, &view->notes);
	if (view->traced)
		tracing_read(&view->buffer, take_release, view);
	if (view->stacks)
		holders_look(&view->holders, holds_anybody(&view->now));
	return true;
}

static void set_up_screen(double interval)
{
	cbreak();
	noecho();
	curs_set(0);
	keypad(stdscr, TRUE);
	timeout((int)(interval * 1000));
	if (has_colors()) {
		start_color();
		use_default_colors();
		init_pair(CALM, COLOR_CYAN, -1);
		init_pair(BUSY, COLOR_YELLOW, -1);
		init_pair(BAD, COLOR_RED, -1);
	}
}

static int live(struct view *view)
{
	int key;

	while (!livepatch_interrupted()) {
		draw(view);
		key = getch();
		if (key == 'q' || key == 'Q')
			break;
		/* the new size first, what is new at the next look */
		if (key == KEY_RESIZE)
			continue;
		if (!isatty(STDIN_FILENO))
			break;
		if (!look(view))
			return CTL_NOT_LOADED;
	}
	return CTL_FINE;
}

static int top(double interval, bool events)
{
	struct view view = { .stacks = task_stack_readable() };
	int status;

	view.started = now_seconds();
	if (!look(&view))
		return ctl_not_loaded();
	/* rates are over the time since the look before: at first there is none */
	view.before = view.now;
	view.before.devices = NULL;
	livepatch_catch_signals();
	view.traced = events && tracing_open(&view.buffer) &&
		      tracing_enable(&view.buffer, TRACING_RELEASE, "");
	set_up_screen(interval);
	status = live(&view);
	endwin();
	tracing_close(&view.buffer);
	engine_free(&view.now);
	engine_free(&view.before);
	if (status)
		return ctl_error(status, "the engine has been unloaded meanwhile");
	return CTL_FINE;
}

static int run(int argc, char **argv)
{
	double interval = 1;
	bool events = false;
	const struct opt opts[] = {
		{ "events", 'e', OPT_FLAG, &events },
	};
	int status = options_read(&verb_top, argc, argv, opts, ARRAY_SIZE(opts));
	SCREEN *screen;

	if (status == OPT_GO_ON)
		status = options_interval(argc, argv, &interval);
	if (status != OPT_GO_ON)
		return status;
	if (!engine_there())
		return ctl_not_loaded();
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return ctl_error(CTL_FAILED, "top needs a terminal; without one try: pdflushctl "
					     "watch");
	if (events && !tracing_there())
		return ctl_error(CTL_FAILED, "no events to be had: they need root, and the module "
				 "pdflush_trace");
	setlocale(LC_ALL, "");
	screen = newterm(NULL, stdout, stdin);
	if (!screen)
		return ctl_error(CTL_FAILED, "this terminal (TERM) is not known; try: pdflushctl "
					     "watch");
	status = top(interval, events);
	delscreen(screen);
	return status;
}

const struct verb verb_top = { "top", "the engine, live, on a terminal", help, run };
