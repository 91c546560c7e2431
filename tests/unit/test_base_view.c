/* base/view.c: cutting text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>

#include "base/view.h"

static void u64_accepts_only_a_whole_decimal(void **state)
{
	(void)state;
	static const struct {
		struct pf_view in;
		int rc;
		uint64_t v;
	} cases[] = {
		{ { "0", 1 }, 0, 0 },
		{ { "18446744073709551615", 20 }, 0, UINT64_MAX },
		{ { "18446744073709551616", 20 }, -ERANGE, 7 },
		{ { "99999999999999999999", 20 }, -ERANGE, 7 },
		{ { "12x", 3 }, -EINVAL, 7 },
		{ { "-1", 2 }, -EINVAL, 7 },
		{ { "", 0 }, -EINVAL, 7 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t v = 7; /* must survive failure */
		assert_int_equal(pf_view_u64(cases[i].in, &v), cases[i].rc);
		assert_true(v == cases[i].v);
	}
}

static void i64_reaches_both_ends(void **state)
{
	(void)state;
	int64_t v = 7;
	assert_int_equal(pf_view_i64(PF_VIEW("-9223372036854775808"), &v), 0);
	assert_true(v == INT64_MIN);
	assert_int_equal(pf_view_i64(PF_VIEW("9223372036854775807"), &v), 0);
	assert_true(v == INT64_MAX);
	assert_int_equal(pf_view_i64(PF_VIEW("9223372036854775808"), &v), -ERANGE);
	assert_int_equal(pf_view_i64(PF_VIEW("-"), &v), -EINVAL);
}

static void a_last_line_without_newline_counts(void **state)
{
	(void)state;
	struct pf_view rest = PF_VIEW("a\n\nb");
	struct pf_view line;
	assert_int_equal(pf_view_line(&rest, &line), 0);
	assert_true(pf_view_is(line, "a"));
	assert_int_equal(pf_view_line(&rest, &line), 0);
	assert_true(line.n == 0);
	assert_int_equal(pf_view_line(&rest, &line), 0);
	assert_true(pf_view_is(line, "b"));
	assert_int_equal(pf_view_line(&rest, &line), -ENODATA);
}

static void words_are_cut_at_blanks_and_tabs(void **state)
{
	(void)state;
	struct pf_view rest = PF_VIEW("  one\ttwo ");
	struct pf_view word;
	assert_int_equal(pf_view_word(&rest, &word), 0);
	assert_true(pf_view_is(word, "one"));
	assert_int_equal(pf_view_word(&rest, &word), 0);
	assert_true(pf_view_is(word, "two"));
	assert_int_equal(pf_view_word(&rest, &word), -ENODATA);
	assert_true(pf_view_is(word, "two"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(u64_accepts_only_a_whole_decimal),
		cmocka_unit_test(i64_reaches_both_ends),
		cmocka_unit_test(a_last_line_without_newline_counts),
		cmocka_unit_test(words_are_cut_at_blanks_and_tabs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
