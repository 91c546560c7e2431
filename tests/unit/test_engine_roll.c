/* Boundaries of recordings: checks of -r, days with a clock change, and what is too old. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/time.h"
#include "engine/roll.h"

static void what_is_no_rolling_is_refused_as_by_collectl(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		const char *error;
	} cases[] = {
		{ "0:00", "-r time must be in HH:MM format" },
		{ "abc", "-r time must be in HH:MM format" },
		{ "", "-r time must be in HH:MM format" },
		{ "00:000", "-r time must be in HH:MM format" },
		{ "24:00", "-r time invalid" },
		{ "00:60", "-r time invalid" },
		{ "00:00,x", "-r purge days must be an integer" },
		{ "00:00,-1", "-r purge days must be an integer" },
		{ "00:00,7:x", "-r purge months must be an integer" },
		{ "00:00,7,7", "-r increment must be a factor of 24 hours" },
		{ "00:00,7,0", "-r increment must be a factor of 24 hours" },
		{ "00:00,7,x", "-r increment must be a factor of 24 hours" },
		{ "00:00,7,2880", "-r increment must be a factor of 24 hours" },
		{ "00:00,7,90", "if -r increment>1 hour, must be multiple of 1 hour" },
		{ "10:00,7,60", "roll time must be specified in 1st interval" },
		{ "00:07,7,5", "roll time must be specified in 1st interval" },
		{ "02:00,7,120", "roll time must be specified in 1st interval" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pf_err err = { 0 };
		struct pf_roll roll;
		assert_int_equal(pf_roll_parse(&roll, cases[i].text, &err), -EINVAL);
		assert_string_equal(err.text, cases[i].error);
	}
}

static void parts_that_are_left_out_have_their_defaults(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		struct pf_roll roll;
	} cases[] = {
		{ "00:00", { 0, 1440, 7, 12 } },	 { "23:59,3", { 1439, 1440, 3, 12 } },
		{ "01:59,3:2,120", { 119, 120, 3, 2 } }, { "00:00,,1", { 0, 1, 7, 12 } },
		{ "00:00,7,1,2", { 0, 1, 7, 12 } },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pf_roll roll;
		assert_int_equal(pf_roll_parse(&roll, cases[i].text, NULL), 0);
		assert_memory_equal(&roll, &cases[i].roll, sizeof(roll));
	}
}

/* "2024-03-31 00:59:59" UTC */
static int64_t utc(const char *text)
{
	struct tm tm = { 0 };
	assert_non_null(strptime(text, "%Y-%m-%d %H:%M:%S", &tm));
	return (int64_t)timegm(&tm) * PF_NS_PER_SEC;
}

static void assert_boundaries(const char *zone, const char *roll_text, const char *after, const char *const *expected)
{
	struct pf_roll roll;
	assert_int_equal(setenv("TZ", zone, 1), 0);
	tzset();
	assert_int_equal(pf_roll_parse(&roll, roll_text, NULL), 0);
	int64_t at = utc(after);
	for (; *expected; expected++) {
		at = pf_roll_next(&roll, at);
		struct tm tm = pf_time_utc(at);
		char text[32];
		assert_true(strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm) > 0);
		assert_string_equal(text, *expected);
	}
}

static void boundaries_stay_on_the_local_clock_when_it_is_changed(void **state)
{
	(void)state;
	/* Berlin: 2024-03-31 02:00 becomes 03:00 at 01:00 UTC; 2024-10-27 03:00 becomes 02:00 at 01:00 UTC. */
	assert_boundaries(
		"Europe/Berlin", "00:00", "2024-03-30 12:00:00",
		(const char *const[]){ "2024-03-30 23:00:00", "2024-03-31 22:00:00", "2024-04-01 22:00:00", NULL });
	assert_boundaries(
		"Europe/Berlin", "00:00", "2024-10-26 12:00:00",
		(const char *const[]){ "2024-10-26 22:00:00", "2024-10-27 23:00:00", "2024-10-28 23:00:00", NULL });
	assert_boundaries("Europe/Berlin", "00:00,7,120", "2024-03-30 22:30:00",
			  (const char *const[]){ "2024-03-30 23:00:00", "2024-03-31 01:00:00", "2024-03-31 02:00:00",
						 "2024-03-31 04:00:00", NULL });
	/* 02:00 comes twice: the first counts */
	assert_boundaries("Europe/Berlin", "00:00,7,120", "2024-10-26 21:30:00",
			  (const char *const[]){ "2024-10-26 22:00:00", "2024-10-27 00:00:00", "2024-10-27 03:00:00",
						 "2024-10-27 05:00:00", NULL });
	/* 02:30 is left out: at the change */
	assert_boundaries("Europe/Berlin", "02:30", "2024-03-30 12:00:00",
			  (const char *const[]){ "2024-03-31 01:00:00", "2024-04-01 00:30:00", NULL });
	/* 02:30 comes twice */
	assert_boundaries("Europe/Berlin", "02:30", "2024-10-26 12:00:00",
			  (const char *const[]){ "2024-10-27 00:30:00", "2024-10-28 01:30:00", NULL });
}

static void hours_and_less_are_elapsed_time(void **state)
{
	(void)state;
	assert_boundaries(
		"Europe/Berlin", "00:00,7,60", "2024-10-26 23:30:00",
		(const char *const[]){ "2024-10-27 00:00:00", "2024-10-27 01:00:00", "2024-10-27 02:00:00", NULL });
	assert_boundaries("Europe/Berlin", "00:00,7,60", "2024-03-31 00:30:00",
			  (const char *const[]){ "2024-03-31 01:00:00", "2024-03-31 02:00:00", NULL });
	assert_boundaries("UTC", "00:05,7,10", "2024-06-15 13:05:00",
			  (const char *const[]){ "2024-06-15 13:15:00", "2024-06-15 13:25:00", NULL });
	assert_boundaries("Asia/Kathmandu", "00:00,7,60", "2024-06-15 13:05:00",
			  (const char *const[]){ "2024-06-15 13:15:00", "2024-06-15 14:15:00", NULL });
	assert_boundaries("Pacific/Auckland", "00:00", "2024-06-15 13:05:00",
			  (const char *const[]){ "2024-06-16 12:00:00", NULL });
}

static void touch(int dir, const char *name)
{
	int fd = openat(dir, name, O_CREAT | O_WRONLY, 0600);
	assert_true(fd >= 0);
	(void)close(fd);
}

static void only_names_that_are_too_old_go(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		bool peer_keeps, we_keep;
	} files[] = {
		{ "vm-20261122-000000.raw.gz", false, false },
		{ "vm-20261123-000000.raw.gz", true, true },
		{ "vm-20261101.tab", false, false },
		{ "other-20261101-000000.raw.gz", false, true },
		{ "vm-20261101-000000", true, true },
		{ "vm20261101.raw", true, true },
		{ "vm-202611011.raw", true, true },
		{ "vm-collectl-202511.log", false, false },
		{ "vm-collectl-202512.log", true, true },
		{ "other-202501.log", false, true },
		{ "L", true, true },
	};
	char path[] = "/tmp/test-roll.XXXXXX";
	struct pf_roll roll = { 0, 1440, 7, 12 };
	assert_int_equal(setenv("TZ", "UTC", 1), 0);
	tzset();
	assert_non_null(mkdtemp(path));
	int dir = open(path, O_DIRECTORY);
	for (int own = 0; own < 2; own++) {
		for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
			touch(dir, files[i].name);
		unsigned n = pf_roll_purge(&roll, path, own ? "vm-" : "", utc("2026-11-30 10:52:00"), NULL);
		assert_int_equal(n, own ? 3 : 5);
		for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
			bool keeps = own ? files[i].we_keep : files[i].peer_keeps;
			assert_int_equal(faccessat(dir, files[i].name, F_OK, 0), keeps ? 0 : -1);
			(void)unlinkat(dir, files[i].name, 0);
		}
	}
	(void)close(dir);
	assert_int_equal(rmdir(path), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_no_rolling_is_refused_as_by_collectl),
		cmocka_unit_test(parts_that_are_left_out_have_their_defaults),
		cmocka_unit_test(boundaries_stay_on_the_local_clock_when_it_is_changed),
		cmocka_unit_test(hours_and_less_are_elapsed_time),
		cmocka_unit_test(only_names_that_are_too_old_go),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
