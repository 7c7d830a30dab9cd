// SPDX-License-Identifier: GPL-2.0
/*
 * Files below the root: / or, for tests, what PDFLUSHCTL_ROOT says.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "ctl.h"

/**
 * root_path - where a file really is
 * @path: from /
 * @buf: for the answer
 * @size: of @buf
 */
const char *root_path(const char *path, char *buf, size_t size)
{
	const char *root = getenv("PDFLUSHCTL_ROOT");

	snprintf(buf, size, "%s%s", root ? root : "", path);
	return buf;
}

static int open_file(const char *path, int flags)
{
	char real[PATH_MAX];

	return open(root_path(path, real, sizeof(real)), flags | O_CLOEXEC, 0644);
}

/**
 * read_text - all of a file
 * @path: from /
 *
 * Returns a string to free, or NULL with errno.
 */
char *read_text(const char *path)
{
	size_t size = 4096, len = 0;
	char *text, *more;
	int fd, err;
	ssize_t got;

	fd = open_file(path, O_RDONLY);
	if (fd < 0)
		return NULL;
	text = malloc(size);
	while (text) {
		got = read(fd, text + len, size - len - 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			err = errno;
			free(text);
			text = NULL;
			errno = err;
			break;
		}
		len += (size_t)got;
		if (!got) {
			text[len] = '\0';
			break;
		}
		if (size - len > 1)
			continue;
		size *= 2;
		more = realloc(text, size);
		if (!more)
			free(text);
		text = more;
	}
	err = errno;
	close(fd);
	errno = err;
	return text;
}

/**
 * read_word - the first line of a file, without blanks at its ends
 * @path: from /
 * @buf: for the line; "" if there is none
 * @size: of @buf; what is longer is cut
 */
bool read_word(const char *path, char *buf, size_t size)
{
	int fd = open_file(path, O_RDONLY);
	ssize_t got = -1;
	char *start;
	size_t len;

	buf[0] = '\0';
	if (fd < 0)
		return false;
	got = read(fd, buf, size - 1);
	close(fd);
	if (got < 0)
		return false;
	buf[got] = '\0';
	start = buf + strspn(buf, " \t\n");
	len = strcspn(start, "\n");
	memmove(buf, start, len);
	while (len && (buf[len - 1] == ' ' || buf[len - 1] == '\t'))
		len--;
	buf[len] = '\0';
	return true;
}

/**
 * read_number - a file of one number
 * @path: from /
 * @value: result; 0 if there is none
 */
bool read_number(const char *path, unsigned long long *value)
{
	char word[32], *end;

	*value = 0;
	if (!read_word(path, word, sizeof(word)) || !*word)
		return false;
	*value = strtoull(word, &end, 10);
	return !*end;
}

/**
 * write_text - write a file in one piece, as /proc and /sys want it
 * @path: from /
 * @text: with its newline
 *
 * Returns 0 or -errno. Makes no file.
 */
int write_text(const char *path, const char *text)
{
	int fd = open_file(path, O_WRONLY | O_TRUNC), err = 0;
	size_t len = strlen(text);
	ssize_t put;

	if (fd < 0)
		return -errno;
	put = write(fd, text, len);
	if (put < 0)
		err = -errno;
	else if ((size_t)put != len)
		err = -EIO;
	if (close(fd) && !err)
		err = -errno;
	return err;
}

/**
 * path_exists - is there a file of this name?
 * @path: from /
 */
bool path_exists(const char *path)
{
	char real[PATH_MAX];
	struct stat st;

	return !stat(root_path(path, real, sizeof(real)), &st);
}

/**
 * folder_names - names in a folder, hidden ones left out
 * @folder: from /; one that is not there is empty
 * @test: which names
 * @buf: for them, with commas between; cut off if there is no room
 * @size: of @buf
 *
 * Returns how many there are.
 */
size_t folder_names(const char *folder, bool (*test)(const char *name), char *buf, size_t size)
{
	char real[PATH_MAX];
	struct dirent *entry;
	size_t count = 0, used = 0;
	DIR *dir = opendir(root_path(folder, real, sizeof(real)));

	*buf = '\0';
	while (dir && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.' || !test(entry->d_name))
			continue;
		if (used < size)
			used += (size_t)snprintf(buf + used, size - used, "%s%s",
						 count ? ", " : "", entry->d_name);
		count++;
	}
	if (dir)
		closedir(dir);
	return count;
}

/**
 * replace_file - put a whole new file in the place of one, or of none
 * @dir: its folder, as it is (PDFLUSHCTL_ROOT is not looked at)
 * @name: its name there
 * @text: what shall be in it
 *
 * A reader finds the old file or the new one. Returns 0 or -errno; then the old one is still there.
 */
int replace_file(const char *dir, const char *name, const char *text)
{
	size_t len = strlen(text), done = 0;
	char new[PATH_MAX], path[PATH_MAX];
	int fd, err = 0;
	ssize_t put;

	/* node_exporter takes files that end in .prom alone: not this one */
	if ((size_t)snprintf(new, sizeof(new), "%s/.%s.XXXXXX", dir, name) >= sizeof(new) ||
	    (size_t)snprintf(path, sizeof(path), "%s/%s", dir, name) >= sizeof(path))
		return -ENAMETOOLONG;
	fd = mkostemp(new, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	while (done < len && !err) {
		put = write(fd, text + done, len - done);
		if (put > 0)
			done += (size_t)put;
		else if (errno != EINTR)
			err = -errno;
	}
	if (!err && (fchmod(fd, 0644) || fsync(fd)))
		err = -errno;
	if (close(fd) && !err)
		err = -errno;
	if (!err && rename(new, path))
		err = -errno;
	if (err)
		unlink(new);
	return err;
}
