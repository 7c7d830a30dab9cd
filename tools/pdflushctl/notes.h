/* SPDX-License-Identifier: GPL-2.0 */
#ifndef NOTES_H
#define NOTES_H

#include "engine.h"
#include "settings.h"

#define MAX_NOTES	24
#define NOTE_MAX	200

/**
 * struct note - something an administrator should know
 * @id: a word for programs; stays
 * @text: a sentence for people
 */
struct note {
	const char *id;
	char text[NOTE_MAX];
};

struct notes {
	size_t nr;
	struct note note[MAX_NOTES];
};

void notes_take(const struct engine *eng, const struct settings *set, struct notes *notes);

#endif
