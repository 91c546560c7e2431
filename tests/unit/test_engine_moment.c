/* engine/moment.c: moments as people type them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "engine/moment.h"

#define SEC INT64_C(1000000000)

/* The recording: from 2026-11-30 18:30:00.25 UTC on for a day and a half. */
#define START (INT64_C(1796063400) * SEC + SEC / 4)
#define END   (START + 129600 * SEC)
#define NIGHT INT64_C(1795996800) /* the midnight before it */

static const struct pf_time_line line = { .start_ns = START, .end_ns = END, .day_of_ns = START };

/* Where there is an "@", the times are those of PCP's own __pmParseTime(). */
static void every_form_is_understood(void **state)
{
	(void)state;
	static const struct {
		const char *in;
		int64_t ns;
		const char *what;
	} cases[] = {
		{ "3:56:02", (NIGHT + 14162) * SEC, NULL },
		{ "18:41", (NIGHT + 67260) * SEC, NULL },
		{ "18:41:05.5", (NIGHT + 67265) * SEC + SEC / 2, NULL },
		{ "6:41pm", (NIGHT + 67260) * SEC, NULL },
		{ "12:05am", (NIGHT + 300) * SEC, NULL },
		{ "20261130", NIGHT * SEC, NULL },
		{ "20261130", (NIGHT + 86399) * SEC, "--thru" },
		{ "20261130:03:56:02", (NIGHT + 14162) * SEC, NULL },
		{ "2026-11-30", NIGHT * SEC, NULL },
		{ "2026-11-30", (NIGHT + 86399) * SEC, "--thru" },
		{ "@2026-11-30", NIGHT * SEC, "--thru" },
		{ "2026-11-30 18:41", (NIGHT + 67260) * SEC, NULL },
		{ "18:41 2026-11-30", (NIGHT + 67260) * SEC, NULL },
		{ "2026-11-30T18:41:05.25Z", (NIGHT + 67265) * SEC + SEC / 4, NULL },
		{ "2026-11-30T18:41+02:00", (NIGHT + 60060) * SEC, NULL },
		{ "26-11-30", NIGHT * SEC, NULL },
		{ "11/30/2026", NIGHT * SEC, NULL },
		{ "11/30/26 18:41", (NIGHT + 67260) * SEC, NULL },
		{ "Mon Nov 30 18:41:05 2026", (NIGHT + 67265) * SEC, NULL },
		{ "30 November 2026", NIGHT * SEC, NULL },
		{ "Nov 30, 2026 18:41 UTC", (NIGHT + 67260) * SEC, NULL },
		{ "Nov 30", NIGHT * SEC, NULL },
		{ "Mar 1", (NIGHT + 91 * 86400) * SEC, NULL },
		{ "@18:41", (NIGHT + 67260) * SEC, NULL },
		{ "@ 18:41", (NIGHT + 67260) * SEC, NULL },
		{ "@18:05", (NIGHT + 65100) * SEC, NULL },
		{ "@17:59", (NIGHT + 86400 + 64740) * SEC, NULL },
		{ "Nov 2", (NIGHT - 28 * 86400) * SEC, NULL },
		{ "Oct 31", (NIGHT + 335 * 86400) * SEC, NULL },
		{ "Feb 29", (NIGHT + 456 * 86400) * SEC, NULL },
		{ "@10:00", (NIGHT + 86400 + 36000) * SEC, NULL },
		{ "10:00", (NIGHT + 36000) * SEC, NULL },
		{ "@Dec 1 10:00", (NIGHT + 86400 + 36000) * SEC, NULL },
		{ "1796063400", START - SEC / 4, NULL },
		{ "@1796063400.25", START, NULL },
		{ "5min", START + 300 * SEC, NULL },
		{ "+1hour 30min", START + 5400 * SEC, NULL },
		{ "10", START + 10 * SEC, NULL },
		{ "-5min", END - 300 * SEC, NULL },
		{ "-0", END, NULL },
		{ "-1.5sec", END - 3 * SEC / 2, NULL },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pf_moment m = { 0 };
		struct pf_err err = { 0 };
		const char *what = cases[i].what ? cases[i].what : "--from";
		if (pf_moment_parse(cases[i].in, what, false, &m, &err) < 0)
			fail_msg("%s", err.text);
		int64_t ns = pf_moment_resolve(&m, &line);
		if (ns != cases[i].ns)
			fail_msg("'%s' is %lld, not %lld", cases[i].in, (long long)ns, (long long)cases[i].ns);
	}
}

static void what_there_is_not_is_named(void **state)
{
	(void)state;
	static const struct {
		const char *in;
		const char *text;
		bool peer;
	} cases[] = {
		{ "25:00", "--from 25:00: there is no hour 25", false },
		{ "12:60", "--from 12:60: there is no minute 60", false },
		{ "12:00:60", "--from 12:00:60: there is no second 60", false },
		{ "13:00pm", "--from 13:00pm: there is no hour pm 13", false },
		{ "2026-13-01", "--from 2026-13-01: there is no month 13", false },
		{ "20261301:00:00", "--from 20261301:00:00: there is no month 13", false },
		{ "2026-02-31", "--from 2026-02-31: month 2 has 28 days, there is no day 31", false },
		{ "Feb 30", "--from Feb 30: month 2 has 29 days, there is no day 30", false },
		{ "2026-11-00", "--from 2026-11-00: month 11 has 30 days, there is no day 0", false },
		{ "99999999:00:00", "--from 99999999:00:00: the year 9999 is not from 1970 to 2261", false },
		{ "99999999:00:00", "--from 99999999:00:00: the year 9999 is not from 1970 to 2261", true },
		{ "20260231:00:00", "--from 20260231:00:00: month 2 has 28 days, there is no day 31", true },
		{ "25:00", "--from specifies invalid time", true },
		{ "1", "--from time format must be hh:mm[:ss]", true },
		{ "5min", "--from time format must be hh:mm[:ss]", true },
		{ "18:41:05.5", "--from time format must be hh:mm[:ss]", true },
		{ "18:41pm", "--from time format must be hh:mm[:ss]", true },
		{ "18:", "--from time format must be hh:mm[:ss]", true },
		{ "2026:00:00", "Date portion of --from must be exactly 8 digits", true },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pf_moment m;
		struct pf_err err = { 0 };
		assert_int_equal(pf_moment_parse(cases[i].in, "--from", cases[i].peer, &m, &err), -EINVAL);
		assert_string_equal(err.text, cases[i].text);
	}
}

static void what_is_no_time_is_told_with_the_forms(void **state)
{
	(void)state;
	static const char *const texts[] = { "",	  "@",	     "x",	  "18",
					     "18:",	  "18:41:",  "18:41:5.",  "1:2:3:4",
					     "2026-11",	  "2026",    "@2026",	  "20261130:",
					     "20261130x", "Nov Nov", "30",	  "18:41 19:00",
					     "@-5min",	  "--5",     "5 monthss", "2026-11-30 2026-11-30",
					     "1:00+1:00", "18:41,5" };
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct pf_moment m;
		struct pf_err err = { 0 };
		bool length =
			strcmp(texts[i], "18") == 0 || strcmp(texts[i], "2026") == 0 || strcmp(texts[i], "30") == 0;
		int rc = pf_moment_parse(texts[i], "--from", false, &m, &err);
		if (rc != (length ? 0 : -EINVAL))
			fail_msg("'%s' gives %d", texts[i], rc);
		if (rc < 0)
			assert_non_null(strstr(err.text, "a time is such as 18:41, "));
	}
}

static void a_dash_divides_only_what_is_two_times(void **state)
{
	(void)state;
	static const struct {
		const char *in;
		int64_t from, thru; /* thru 0: there is none */
		bool peer;
	} cases[] = {
		{ "3:11-3:13", (NIGHT + 11460) * SEC, (NIGHT + 11580) * SEC, false },
		{ "3:11-3:13", (NIGHT + 11460) * SEC, (NIGHT + 11580) * SEC, true },
		{ "20261130:3:11-20261130:3:13", (NIGHT + 11460) * SEC, (NIGHT + 11580) * SEC, true },
		{ "2026-11-30", NIGHT * SEC, 0, false },
		{ "2026-11-30 03:11", (NIGHT + 11460) * SEC, 0, false },
		{ "2026-11-30-2026-12-01", NIGHT * SEC, (NIGHT + 2 * 86400 - 1) * SEC, false },
		{ "2026-11-30 03:11-2026-11-30 03:13", (NIGHT + 11460) * SEC, (NIGHT + 11580) * SEC, false },
		{ "-5min", END - 300 * SEC, 0, false },
		{ "-5min--1min", END - 300 * SEC, END - 60 * SEC, false },
		{ "@18:41-@18:42", (NIGHT + 67260) * SEC, (NIGHT + 67320) * SEC, false },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pf_moment from = { 0 }, thru = { 0 };
		struct pf_err err = { 0 };
		if (pf_moment_span(cases[i].in, cases[i].peer, &from, &thru, &err) < 0)
			fail_msg("%s", err.text);
		if (pf_moment_resolve(&from, &line) != cases[i].from)
			fail_msg("'%s' begins at another time", cases[i].in);
		if (thru.given != (cases[i].thru != 0) ||
		    (thru.given && pf_moment_resolve(&thru, &line) != cases[i].thru))
			fail_msg("'%s' ends at another time", cases[i].in);
	}
	struct pf_moment from, thru;
	struct pf_err err = { 0 };
	assert_int_equal(pf_moment_span("3:11-25:00", false, &from, &thru, &err), -EINVAL);
	assert_string_equal(err.text, "--thru 25:00: there is no hour 25");
}

static void zones_and_fractions_are_kept_apart(void **state)
{
	(void)state;
	struct pf_time_line there = line;
	struct pf_moment m = { 0 };
	there.zone_ns = 3600 * SEC;
	assert_int_equal(pf_moment_parse("19:41", "--thru", false, &m, NULL), 0);
	assert_true(pf_moment_resolve(&m, &there) == (NIGHT + 67260) * SEC);
	assert_true(pf_moment_last(&m) == SEC - 1);
	assert_int_equal(pf_moment_parse("19:41 UTC", "--thru", false, &m, NULL), 0);
	assert_true(pf_moment_resolve(&m, &there) == (NIGHT + 70860) * SEC);
	assert_int_equal(pf_moment_parse("19:41:00.000", "--thru", false, &m, NULL), 0);
	assert_true(pf_moment_last(&m) == 0);
	assert_int_equal(pf_moment_parse("292years", "--thru", false, &m, NULL), -EINVAL);
	assert_int_equal(pf_moment_parse("100000d", "--thru", false, &m, NULL), 0);
	assert_true(pf_moment_resolve(&m, &there) == INT64_MAX / 2);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_form_is_understood),
		cmocka_unit_test(what_there_is_not_is_named),
		cmocka_unit_test(what_is_no_time_is_told_with_the_forms),
		cmocka_unit_test(a_dash_divides_only_what_is_two_times),
		cmocka_unit_test(zones_and_fractions_are_kept_apart),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
