// SPDX-License-Identifier: GPL-2.0
/*
 * Text written to a file under /proc/sys/vm: sysctl/parse.c.
 */
#include "unit.h"
#include <errno.h>
#include "parse.h"

#define UNTOUCHED	4711UL

/*
 * Every text is handed over in a buffer of its very size, so that the address sanitizer sees a
 * read past its end.
 */
static int number_of(const char *text, size_t len, unsigned long min, unsigned long max,
		     unsigned long *value)
{
	char *exact = memcpy(malloc(len ?: 1), text, len);
	int err = parse_number(exact, len, min, max, value);

	free(exact);
	return err;
}

static void check_number(const char *text, size_t len, unsigned long max, unsigned long expected)
{
	unsigned long value = UNTOUCHED;

	if (number_of(text, len, 0, max, &value))
		fail_msg("\"%s\" (%zu bytes, max %lu) was refused", text, len, max);
	assert_int_equal(value, expected);
}

static void check_refused(const char *text, size_t len, unsigned long min, unsigned long max)
{
	unsigned long value = UNTOUCHED;
	int err = number_of(text, len, min, max, &value);

	if (err != -EINVAL)
		fail_msg("\"%s\" (%zu bytes): returns %d", text, len, err);
	assert_int_equal(value, UNTOUCHED);
}

#define TAKES(text, max, value)	check_number(text, sizeof(text) - 1, max, value)
#define REFUSES(text)		check_refused(text, sizeof(text) - 1, 0, ULONG_MAX)

static void takes_numbers(void **state)
{
	(void)state;
	TAKES("0", 100, 0);
	TAKES("7", 100, 7);
	TAKES("99", 100, 99);
	TAKES("100", 100, 100);
	TAKES("30\n", 100, 30);
}

static void takes_white_space_around(void **state)
{
	(void)state;
	TAKES("30 ", 100, 30);
	TAKES("30  \n\n \t\n", 100, 30);
	TAKES(" \t30", 100, 30);
	TAKES("30\r\n", 100, 30);
}

static void takes_leading_zeros(void **state)
{
	(void)state;
	TAKES("030", 100, 30);
	TAKES("00000000000000000000000000000000100", 100, 100);
	TAKES("0000", 0, 0);
}

static void takes_one_nul_at_the_end(void **state)
{
	(void)state;
	TAKES("30\0", 100, 30);
	TAKES("30\n\0", 100, 30);
	REFUSES("3\0000");
	REFUSES("\00030");
	REFUSES("30\0005\n");
}

static void refuses_what_is_no_number(void **state)
{
	(void)state;
	REFUSES("abc");
	REFUSES("30abc");
	REFUSES("abc30");
	REFUSES("3O");
	REFUSES("0x1e");
	REFUSES("30%");
	REFUSES("3.5");
	REFUSES("3e1");
	REFUSES("1,000");
	REFUSES("\xb2");
	REFUSES("\xff\xff");
	REFUSES("/");
	REFUSES(":");
}

static void refuses_signs(void **state)
{
	(void)state;
	REFUSES("-1");
	REFUSES("-0");
	REFUSES("+5");
	REFUSES("-");
	REFUSES("- 1");
	REFUSES("-18446744073709551615");
}

static void refuses_nothing(void **state)
{
	(void)state;
	REFUSES("");
	REFUSES("\n");
	REFUSES(" \t\r\n ");
	REFUSES("\0");
	REFUSES("\n\0");
}

static void refuses_two_numbers(void **state)
{
	(void)state;
	REFUSES("10 20");
	REFUSES("10\n20\n");
	REFUSES("10\t20");
	REFUSES("1 0");
	REFUSES("40 0 0 0 500 3000 60 0 0\n");
}

static void refuses_what_is_out_of_range(void **state)
{
	(void)state;
	check_refused("101", 3, 0, 100);
	check_refused("0", 1, 1, 100);
	check_refused("4", 1, 5, 100);
	check_refused("1", 1, 0, 0);
	check_refused("1000000000000000000000000000000", 31, 0, 100);
	REFUSES("1000000000000000000000000000000");
}

static void takes_the_ends_of_a_range(void **state)
{
	unsigned long value;

	(void)state;
	assert_int_equal(number_of("5", 1, 5, 9, &value), 0);
	assert_int_equal(value, 5);
	assert_int_equal(number_of("9", 1, 5, 9, &value), 0);
	assert_int_equal(value, 9);
	assert_int_equal(number_of("10", 2, 10, 10, &value), 0);
	assert_int_equal(value, 10);
}

static void takes_the_largest_number(void **state)
{
	(void)state;
	TAKES("18446744073709551615", ULONG_MAX, ULONG_MAX);
	TAKES("18446744073709551614", ULONG_MAX - 1, ULONG_MAX - 1);
	TAKES("4294967296", ULONG_MAX, 1UL << 32);
	TAKES("9223372036854775808", ULONG_MAX, 1UL << 63);
	REFUSES("18446744073709551616");
	REFUSES("18446744073709551620");
	REFUSES("28446744073709551615");
	REFUSES("184467440737095516150");
	check_refused("18446744073709551615", 20, 0, ULONG_MAX - 1);
}

static void takes_no_more_than_4095_bytes(void **state)
{
	char text[5000];

	(void)state;
	memset(text, ' ', sizeof(text));
	text[0] = '5';
	check_number(text, 4095, 100, 5);
	check_refused(text, 4096, 0, 100);
	check_refused(text, 4097, 0, 100);
	memset(text, '0', sizeof(text));
	check_number(text, 4095, 100, 0);
	check_refused(text, 4097, 0, 100);
	memset(text, '\n', sizeof(text));
	check_refused(text, 4097, 0, 100);
}

static int word_of(const char *text, size_t len, char *word, size_t size)
{
	char *exact = memcpy(malloc(len ?: 1), text, len);
	char *room = memcpy(malloc(size ?: 1), word, size);
	int err = parse_word(exact, len, room, size);

	memcpy(word, room, size);
	free(exact);
	free(room);
	return err;
}

static void check_word(const char *text, size_t len, const char *expected)
{
	char word[16] = "untouched";

	assert_int_equal(word_of(text, len, word, sizeof(word)), 0);
	assert_string_equal(word, expected);
}

static void check_word_refused(const char *text, size_t len, size_t size)
{
	char word[16] = "untouched";

	assert_int_equal(word_of(text, len, word, size), -EINVAL);
	assert_string_equal(word, "untouched");
}

#define TAKES_WORD(text, word)	check_word(text, sizeof(text) - 1, word)
#define REFUSES_WORD(text)	check_word_refused(text, sizeof(text) - 1, 16)

static void takes_words(void **state)
{
	(void)state;
	TAKES_WORD("ratios", "ratios");
	TAKES_WORD("ratios\n", "ratios");
	TAKES_WORD(" \tratios \r\n", "ratios");
	TAKES_WORD("ratios\0", "ratios");
	TAKES_WORD("-", "-");
	TAKES_WORD("x", "x");
}

static void takes_words_that_fit(void **state)
{
	(void)state;
	TAKES_WORD("fifteen-letters", "fifteen-letters");
	TAKES_WORD("    fifteen-letters   ", "fifteen-letters");
	REFUSES_WORD("sixteen--letters");
	check_word_refused("x", 1, 1);
	check_word_refused("x", 1, 0);
}

static void refuses_other_than_one_word(void **state)
{
	(void)state;
	REFUSES_WORD("");
	REFUSES_WORD("\n");
	REFUSES_WORD("\0");
	REFUSES_WORD("two words");
	REFUSES_WORD("two\nlines");
	REFUSES_WORD("a\0b");
	REFUSES_WORD("\0b");
	REFUSES_WORD("b\0\0");
}

static void takes_no_word_in_more_than_4095_bytes(void **state)
{
	char text[5000];

	(void)state;
	memset(text, ' ', sizeof(text));
	memcpy(text, "ratios", 6);
	check_word(text, 4095, "ratios");
	check_word_refused(text, 4096, 16);
	check_word_refused(text, 4097, 16);
}

/* The same by comparing digits as text; @text is terminated and has no NUL inside. */
static bool expected(const char *text, unsigned long min, unsigned long max, unsigned long *value)
{
	const char *space = " \t\n\r";
	char digits[64], limit[32];
	size_t len;

	text += strspn(text, space);
	len = strspn(text, "0123456789");
	if (!len || text[len + strspn(text + len, space)])
		return false;
	while (len > 1 && *text == '0') {
		text++;
		len--;
	}
	assert_true(len < sizeof(digits));
	memcpy(digits, text, len);
	digits[len] = '\0';
	snprintf(limit, sizeof(limit), "%lu", max);
	if (len > strlen(limit) || (len == strlen(limit) && strcmp(digits, limit) > 0))
		return false;
	*value = strtoul(digits, NULL, 10);
	return *value >= min;
}

/* Texts that are nearly right, and bounds near what they say. */
static void chance_agrees_with_comparing_text(void **state)
{
	static const char *const pieces[] = {
		"0", "1", "9", "18446744073709551615", "1844674407370955161", "100", " ", "\n",
		"\t", "\r", "-", "+", "x", ".", "0x", "\x80", "\v", "a", "/", ":",
	};
	int i, taken = 0;

	(void)state;
	for (i = 0; i < 300000; i++) {
		unsigned long min = pick(4) ? 0 : any_number(64), max = any_number(64);
		unsigned long value = UNTOUCHED, want = UNTOUCHED;
		unsigned int n = pick(4);
		char text[64] = "";
		int err;

		if (pick(2))
			snprintf(text, sizeof(text), "%lu",
				 pick(2) ? any_number(64) : max + pick(3) - 1);
		while (n--)
			if (strlen(text) < 40)
				strcat(text, pieces[pick(ARRAY_SIZE(pieces))]);
		err = number_of(text, strlen(text), min, max, &value);
		if (expected(text, min, max, &want) != !err || value != (err ? UNTOUCHED : want))
			fail_msg("\"%s\" from %lu to %lu: returns %d, value %lu",
				 text, min, max, err, value);
		taken += !err;
	}
	assert_in_range(taken, 30000, 270000);
}

static void chance_finds_no_bytes_that_break_it(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < 100000; i++) {
		char text[24], word[16];
		size_t len = pick(sizeof(text)), j;
		unsigned long value;

		for (j = 0; j < len; j++)
			text[j] = pick(3) ? (char)pick(256) : " 0\n"[pick(4)];
		number_of(text, len, 0, ULONG_MAX, &value);
		if (!word_of(text, len, word, sizeof(word))) {
			assert_true(memchr(word, '\0', sizeof(word)));
			assert_int_equal(strcspn(word, " \t\n\r"), strlen(word));
			assert_true(memmem(text, len, word, strlen(word)));
		}
	}
}

#define ROOM 9

/* From a copy that ends where the text does. Returns the number of numbers, or an error. */
static int numbers_of(const char *text, size_t len, unsigned long *value)
{
	char *exact = malloc(len ?: 1);
	unsigned int n = 77;
	int err;

	memcpy(exact, text, len);
	err = parse_numbers(exact, len, value, ROOM, &n);
	free(exact);
	if (err)
		assert_int_equal(n, 77);
	return err ?: (int)n;
}

static void takes_up_to_so_many_numbers(void **state)
{
	static const char seven[] = "80 64 64 256 500 6000 90\n";
	static const char nine[] = "\t90  64\t64 256 500\r\n3000 95 0 0 \n";
	unsigned long value[ROOM];

	(void)state;
	assert_int_equal(numbers_of(seven, sizeof(seven) - 1, value), 7);
	assert_int_equal(value[0], 80);
	assert_int_equal(value[5], 6000);
	assert_int_equal(value[6], 90);
	assert_int_equal(numbers_of(nine, sizeof(nine), value), 9);
	assert_int_equal(value[6], 95);
	assert_int_equal(value[8], 0);
	assert_int_equal(numbers_of("5", 1, value), 1);
	assert_int_equal(numbers_of("18446744073709551615", 20, value), 1);
	assert_int_equal(value[0], ULONG_MAX);
}

static void refuses_all_for_one_that_is_none(void **state)
{
	static const char *const bad[] = {
		"", " ", "\n", "x", "1 x", "1 2x", "1,2", "-1", "1 -2", "+1", "0x10", "\"1 2\"",
		"1 2 3 4 5 6 7 8 9 10", "18446744073709551616", "1 99999999999999999999", "1.5",
	};
	unsigned long value[ROOM];
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		if (numbers_of(bad[i], strlen(bad[i]), value) != -EINVAL)
			fail_msg("\"%s\" is taken", bad[i]);
	assert_int_equal(numbers_of("1\0 2", 4, value), -EINVAL);
	assert_int_equal(numbers_of("1 2\0\0", 5, value), -EINVAL);
}

static void chance_finds_no_numbers_that_break_it(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < 100000; i++) {
		unsigned long value[ROOM];
		char text[24];
		size_t len = pick(sizeof(text)), j;

		for (j = 0; j < len; j++)
			text[j] = pick(8) ? "0123456789  \t\n"[pick(14)] : (char)pick(256);
		assert_in_range(numbers_of(text, len, value) + EINVAL, 0, EINVAL + ROOM);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(takes_numbers),
	cmocka_unit_test(takes_white_space_around),
	cmocka_unit_test(takes_leading_zeros),
	cmocka_unit_test(takes_one_nul_at_the_end),
	cmocka_unit_test(refuses_what_is_no_number),
	cmocka_unit_test(refuses_signs),
	cmocka_unit_test(refuses_nothing),
	cmocka_unit_test(refuses_two_numbers),
	cmocka_unit_test(refuses_what_is_out_of_range),
	cmocka_unit_test(takes_the_ends_of_a_range),
	cmocka_unit_test(takes_the_largest_number),
	cmocka_unit_test(takes_no_more_than_4095_bytes),
	cmocka_unit_test(takes_words),
	cmocka_unit_test(takes_words_that_fit),
	cmocka_unit_test(refuses_other_than_one_word),
	cmocka_unit_test(takes_no_word_in_more_than_4095_bytes),
	cmocka_unit_test(chance_agrees_with_comparing_text),
	cmocka_unit_test(chance_finds_no_bytes_that_break_it),
	cmocka_unit_test(takes_up_to_so_many_numbers),
	cmocka_unit_test(refuses_all_for_one_that_is_none),
	cmocka_unit_test(chance_finds_no_numbers_that_break_it),
};

UNIT_MAIN(tests)
