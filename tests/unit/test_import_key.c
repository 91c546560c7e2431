/* import/key.c and import/spec.c: keys as Perl would match them, the text behind --import. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>

#include "base/err.h"
#include "import/key.h"
#include "import/spec.h"

static void a_key_matches_anywhere_in_the_type(void **state)
{
	(void)state;
	static const struct {
		const char *key, *type;
		bool match;
	} cases[] = {
		{ "hw", "hw-0", true },
		{ "hw", "xhw-1", true },
		{ "hw", "h-w", false },
		{ "hw", "", false },
		{ "", "anything", true },
		{ "", "", true },
		{ "LLITE|LLDET", "LLDET:0", true },
		{ "LLITE|LLDET", "LLxx", false },
		{ "^hw$", "hw", true },
		{ "^hw$", "hw-0", false },
		{ "^hw$", "xhw", false },
		{ "^$", "", true },
		{ "^$", "x", false },
		{ "ib\\d+-\\d", "ib12-1:rcvd", true },
		{ "ib\\d+-\\d", "ib-1:rcvd", false },
		{ "a\\.b", "axb", false },
		{ "a\\.b", "a.b", true },
		{ "(?:ab)+c", "ababc", true },
		{ "[\\d:]$", "x:", true },
		{ "a/b", "xa/bx", true },
		{ "a\\/b", "a/b", true },
		{ "n-\\w+", "n-x_1", true },
		{ "[]x]y", "]y", true },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pf_key key;
		assert_int_equal(pf_key_init(&key, cases[i].key, NULL), 0);
		if (pf_key_matches(&key, pf_view_of(cases[i].type)) != cases[i].match)
			fail_msg("key '%s' and type '%s'", cases[i].key, cases[i].type);
		pf_key_done(&key);
	}
}

static void a_key_sees_no_byte_behind_the_type(void **state)
{
	(void)state;
	struct pf_key key;
	assert_int_equal(pf_key_init(&key, "b$", NULL), 0);
	assert_true(pf_key_matches(&key, (struct pf_view){ "abc", 2 }));
	assert_false(pf_key_matches(&key, (struct pf_view){ "abc", 3 }));
	pf_key_done(&key);
	assert_int_equal(pf_key_init(&key, "bc", NULL), 0);
	assert_false(pf_key_matches(&key, (struct pf_view){ "abc", 2 }));
	pf_key_done(&key);
}

static void what_is_no_expression_is_refused_in_words(void **state)
{
	(void)state;
	static const char *const bad[] = { "(", "[a", "a\\", "(?=x)", "\\1", "\\q" };
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct pf_key key;
		struct pf_err err = { 0 };
		assert_int_equal(pf_key_init(&key, bad[i], &err), -EINVAL);
		assert_non_null(strstr(err.text, bad[i]));
		pf_key_done(&key);
	}
}

static void items_are_cut_at_colons_and_at_their_first_comma(void **state)
{
	(void)state;
	struct pf_view rest = PF_VIEW("hello:misc,i=2,a:x,:./y.so");
	static const struct {
		const char *name, *args;
	} want[] = { { "hello", NULL }, { "misc", "i=2,a" }, { "x", "" }, { "./y.so", NULL } };
	struct pf_import_item item;
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(pf_import_item_next(&rest, &item, NULL), 1);
		assert_true(pf_view_is(item.name, want[i].name));
		assert_int_equal(item.has_args, want[i].args != NULL);
		if (want[i].args)
			assert_true(pf_view_is(item.args, want[i].args));
	}
	assert_int_equal(pf_import_item_next(&rest, &item, NULL), 0);
}

static void an_item_without_a_name_is_refused(void **state)
{
	(void)state;
	static const char *const bad[] = { "", ":", "a:", ",d", "a::b" };
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct pf_view rest = pf_view_of(bad[i]);
		struct pf_import_item item;
		int rc;
		do
			rc = pf_import_item_next(&rest, &item, NULL);
		while (rc > 0);
		assert_int_equal(rc, -EINVAL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_key_matches_anywhere_in_the_type),
		cmocka_unit_test(a_key_sees_no_byte_behind_the_type),
		cmocka_unit_test(what_is_no_expression_is_refused_in_words),
		cmocka_unit_test(items_are_cut_at_colons_and_at_their_first_comma),
		cmocka_unit_test(an_item_without_a_name_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
