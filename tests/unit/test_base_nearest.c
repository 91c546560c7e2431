/* test_base_nearest.c - slips of the hand are found, other words are not taken for them. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/nearest.h"

static unsigned distance(const char *a, const char *b)
{
	return pf_nearest_distance(pf_view_of(a), pf_view_of(b));
}

static void a_slip_counts_one(void **state)
{
	(void)state;
	assert_int_equal(distance("record", "record"), 0);
	assert_int_equal(distance("recrod", "record"), 1);
	assert_int_equal(distance("recor", "record"), 1);
	assert_int_equal(distance("recoord", "record"), 1);
	assert_int_equal(distance("tecord", "record"), 1);
	assert_int_equal(distance("", "log"), 3);
	assert_int_equal(distance("a-word-that-is-longer-than-31-bytes", "log"), UINT_MAX);
}

static void the_nearest_word_is_meant(void **state)
{
	(void)state;
	static const struct {
		const char *word, *meant;
	} cases[] = {
		{ "recrod", "record" }, { "reply", "replay" }, { "wacth", "watch" }, { "modul", "modules" },
		{ "xyz", "" },		{ "lag", "log" },      { "frobnicate", "" }, { "", "" },
	};
	static const char *const words[] = { "watch", "record", "replay", "log", "modules", "trace" };
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pf_nearest n = { .word = pf_view_of(cases[i].word) };
		for (size_t k = 0; k < sizeof(words) / sizeof(words[0]); k++)
			pf_nearest_offer(&n, pf_view_of(words[k]));
		if (!pf_view_is(n.best.n ? n.best : pf_view_of(""), cases[i].meant))
			fail_msg("%s: took %.*s", cases[i].word, (int)n.best.n, n.best.p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_slip_counts_one),
		cmocka_unit_test(the_nearest_word_is_meant),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
