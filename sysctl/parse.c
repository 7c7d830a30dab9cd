// SPDX-License-Identifier: GPL-2.0
/*
 * Text written to a file under /proc/sys/vm, to a value. Pure. All or nothing: on an error the
 * result is untouched.
 */
#include <linux/kernel.h>
#include <linux/errno.h>
#include <linux/string.h>
#include "parse.h"

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Cut white space off both ends, and the NUL that C programs like to write along. */
static int trim(const char **text, size_t *len)
{
	if (*len > SYSCTL_TEXT_MAX)
		return -EINVAL;
	if (*len && !(*text)[*len - 1])
		--*len;
	while (*len && is_space((*text)[*len - 1]))
		--*len;
	while (*len && is_space(**text)) {
		++*text;
		--*len;
	}
	return *len ? 0 : -EINVAL;
}

/* Digits and nothing else. */
static int to_number(const char *text, size_t len, unsigned long min, unsigned long max,
		     unsigned long *value)
{
	unsigned long sum = 0;

	for (; len; text++, len--) {
		unsigned long digit = *text - '0';

		if (*text < '0' || *text > '9')
			return -EINVAL;
		if (sum > (max - min(digit, max)) / 10 || digit > max)
			return -EINVAL;
		sum = sum * 10 + digit;
	}
	if (sum < min || sum > max)
		return -EINVAL;
	*value = sum;
	return 0;
}

/**
 * parse_number - one decimal number and nothing else
 * @text: as written, not NUL-terminated
 * @len: its length in bytes
 * @min: smallest value taken
 * @max: largest value taken
 * @value: result
 *
 * Returns 0, or -EINVAL for anything that is not one number in range.
 */
int parse_number(const char *text, size_t len, unsigned long min, unsigned long max,
		 unsigned long *value)
{
	return trim(&text, &len) ?: to_number(text, len, min, max, value);
}

/**
 * parse_numbers - decimal numbers with white space between them and nothing else
 * @text: as written, not NUL-terminated
 * @len: its length in bytes
 * @value: result
 * @most: room there; more numbers are an error
 * @n: result, how many there were
 *
 * Returns 0, or -EINVAL for anything else, even if it begins well; @value may then have changed.
 */
int parse_numbers(const char *text, size_t len, unsigned long *value, unsigned int most,
		  unsigned int *n)
{
	unsigned int count = 0;
	int err = trim(&text, &len);

	while (!err && len) {
		size_t word = 0;

		while (word < len && !is_space(text[word]))
			word++;
		if (count == most)
			return -EINVAL;
		err = to_number(text, word, 0, ULONG_MAX, &value[count++]);
		text += word;
		len -= word;
		while (len && is_space(*text)) {
			text++;
			len--;
		}
	}
	if (!err)
		*n = count;
	return err;
}

/**
 * parse_word - one word and nothing else
 * @text: as written, not NUL-terminated
 * @len: its length in bytes
 * @word: result, NUL-terminated
 * @size: room in @word
 *
 * Returns 0, or -EINVAL if there is no word, more than one, or one that does not fit.
 */
int parse_word(const char *text, size_t len, char *word, size_t size)
{
	size_t i;
	int err = trim(&text, &len);

	if (err)
		return err;
	if (len >= size)
		return -EINVAL;
	for (i = 0; i < len; i++)
		if (is_space(text[i]) || !text[i])
			return -EINVAL;
	memcpy(word, text, len);
	word[len] = '\0';
	return 0;
}
