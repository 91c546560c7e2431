/* Settings files: keys, defaults, what is no setting. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
/* cmocka.h wants the four above */
#include <cmocka.h>

#include "base/err.h"
#include "engine/settings.h"

struct told {
	unsigned n;
	char last[256];
};

static void tell(void *arg, enum pf_severity severity, const char *text)
{
	struct told *t = arg;
	(void)severity;
	t->n++;
	(void)strncpy(t->last, text, sizeof(t->last) - 1);
}

static void what_is_no_settings_file_is_recognised(void **state)
{
	(void)state;
	static const struct {
		struct pf_view text;
		bool are;
	} cases[] = {
		{ PF_VIEW(""), true },
		{ PF_VIEW("# only remarks\n\n"), true },
		{ PF_VIEW("Bogus = 1\nPort = 3\nno\n"), true },
		{ PF_VIEW(" Port = 3\n"), true },
		{ PF_VIEW("Bogus = 1\n"), false },
		{ PF_VIEW(">>> 1796010963.001 <<<\ncpu 1 2 3\n"), false },
		{ PF_VIEW("#\nPort = 3\n\x1f\x8b\n"), false },
		{ PF_VIEW("Port = 3\0"), false },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(pf_settings_are(cases[i].text), cases[i].are);
}

static void many_strange_lines_are_counted(void **state)
{
	(void)state;
	struct pf_settings s;
	struct told told = { 0 };
	struct pf_notice notice = { tell, &told };
	assert_int_equal(pf_settings_init(&s), 0);
	assert_int_equal(pf_settings_parse(&s, PF_VIEW("a\nb\nc\nd\ne\nPort = 1\nf\n"), false, &notice), 0);
	assert_int_equal(told.n, 4);
	assert_non_null(strstr(told.last, "3 more lines"));
	assert_int_equal(s.port, 1);
	pf_settings_done(&s);
}

static void defaults_hold_without_a_file(void **state)
{
	(void)state;
	struct pf_settings s;
	assert_int_equal(pf_settings_init(&s), 0);
	assert_string_equal(s.core, "bcdfijmnstx");
	assert_string_equal(s.interval[0], "10");
	assert_int_equal(s.port, 2655);
	assert_int_equal(s.disk_max_kb, 5000000);
	assert_int_equal(s.net_speed_mbit, 10000);
	assert_null(s.disk_filter);
	assert_string_equal(s.daemon, "");
	pf_settings_done(&s);
	assert_int_equal(pf_settings_default()->term_height, 24);
}

static void every_line_is_a_key_a_remark_or_told(void **state)
{
	(void)state;
	static const char text[] =
		"# Port = 1\n\nPort = 3000  # remark\nTimeout=5\n Interval = 3\nBogus = 7\nno setting\n"
		"TermHeight = abc\nDiskFilter = /sd[a-z]+ |vda /\nLimSVC = 2.5\nLimBool = 1\n"
		"DiskMaxValue=-1\nPasswd = /x/y";
	struct pf_settings s;
	struct told told = { 0 };
	struct pf_notice notice = { tell, &told };
	assert_int_equal(pf_settings_init(&s), 0);
	assert_int_equal(pf_settings_parse(&s, PF_VIEW(text), false, &notice), 0);
	assert_int_equal(s.port, 3000);
	assert_int_equal(s.timeout_s, 5);
	assert_string_equal(s.interval[0], "10"); /* a key begins its line */
	assert_int_equal(s.term_height, 24);
	assert_string_equal(s.disk_filter, "sd[a-z]+ |vda ");
	assert_true(s.lim_service_ms == 2.5);
	assert_true(s.lim_and);
	assert_int_equal(s.disk_max_kb, -1);
	assert_string_equal(s.passwd, "/x/y");
	assert_int_equal(told.n, 2);
	assert_string_equal(told.last, "settings: 'abc' is no value for TermHeight, ignoring it");
	pf_settings_done(&s);
}

static void the_first_line_of_daemon_commands_wins(void **state)
{
	(void)state;
	struct pf_settings s;
	assert_int_equal(pf_settings_init(&s), 0);
	assert_int_equal(pf_settings_parse(&s, PF_VIEW("DaemonCommands = -i2\nDaemonCommands = -i3 -m\n"), false, NULL),
			 0);
	assert_string_equal(s.daemon, "-i3 -m -i2");
	pf_settings_done(&s);
}

static void a_file_that_is_needed_and_missing_is_named(void **state)
{
	(void)state;
	struct pf_settings s;
	struct pf_err err = { 0 };
	const char *const paths[] = { "/nonexistent/a.conf", NULL };
	assert_int_equal(pf_settings_init(&s), 0);
	assert_int_equal(pf_settings_load(&s, paths, false, false, NULL, &err), 0);
	assert_int_equal(pf_settings_load(&s, paths, true, false, NULL, &err), -ENOENT);
	assert_non_null(strstr(err.text, "/nonexistent/a.conf"));
	pf_settings_done(&s);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_no_settings_file_is_recognised),
		cmocka_unit_test(many_strange_lines_are_counted),
		cmocka_unit_test(defaults_hold_without_a_file),
		cmocka_unit_test(every_line_is_a_key_a_remark_or_told),
		cmocka_unit_test(the_first_line_of_daemon_commands_wins),
		cmocka_unit_test(a_file_that_is_needed_and_missing_is_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
