/* tests/unit/test_import_spec.c - the text behind --import is cut where it says, and not inside addresses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/spec.h"

/* All items as "name|alias|args;" in one text. */
static void cut(const char *spec, char *to, size_t size)
{
	struct pf_view rest = pf_view_of(spec);
	struct pf_import_item item;
	size_t n = 0;
	to[0] = '\0';
	while (pf_import_item_next(&rest, &item, NULL) > 0 && n < size) {
		n += (size_t)snprintf(to + n, size - n, "%.*s|%.*s|%.*s;", (int)item.name.n, item.name.p,
				      (int)item.alias.n, item.alias.n ? item.alias.p : "", (int)item.args.n,
				      item.has_args ? item.args.p : "");
	}
}

static void a_list_is_cut_at_colons_that_separate(void **state)
{
	(void)state;
	static const struct {
		const char *in, *out;
	} cases[] = {
		{ "hello:misc,i=2", "hello||;misc||i=2;" },
		{ "hello,sd:misc", "hello||sd;misc||;" },
		{ "./a.so:b", "./a.so||;b||;" },
		{ "openmetrics,http://h:9100/metrics:hello", "openmetrics||http://h:9100/metrics;hello||;" },
		{ "openmetrics,http://h:9100:hello", "openmetrics||http://h:9100;hello||;" },
		{ "openmetrics,http://h:hello", "openmetrics||http://h;hello||;" },
		{ "openmetrics,http://h:9100", "openmetrics||http://h:9100;" },
		{ "openmetrics,http://h:80x:y", "openmetrics||http://h;80x||;y||;" },
		{ "openmetrics,http://[::1]:9100/m,timeout=2:misc",
		  "openmetrics||http://[::1]:9100/m,timeout=2;misc||;" },
		{ "openmetrics,https://me:pw@h:1/x:misc", "openmetrics||https://me:pw@h:1/x;misc||;" },
		{ "openmetrics,http://h/a\\:b:misc", "openmetrics||http://h/a\\:b;misc||;" },
		{ "openmetrics,timeout=1,exec:cat x,y:misc", "openmetrics||timeout=1,exec:cat x,y;misc||;" },
		{ "openmetrics=node,exec:curl http://h:1/:misc", "openmetrics|node|exec:curl http://h:1/;misc||;" },
		{ "openmetrics=a:openmetrics=b,x", "openmetrics|a|;openmetrics|b|x;" },
		{ "./odd=1.so", "./odd=1.so||;" },
		{ "a=", "a=||;" },
		{ "=a", "=a||;" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char got[256];
		cut(cases[i].in, got, sizeof(got));
		assert_string_equal(got, cases[i].out);
	}
}

static void a_backslash_makes_a_colon_a_letter(void **state)
{
	(void)state;
	char args[] = "a\\:b\\c\\\\:d\\";
	pf_import_unescape(args);
	assert_string_equal(args, "a:b\\c\\:d\\");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_is_cut_at_colons_that_separate),
		cmocka_unit_test(a_backslash_makes_a_colon_a_letter),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
