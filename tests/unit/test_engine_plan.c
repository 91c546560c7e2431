/* What a plan refuses and chooses: letters, times, sub-options, views. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "engine/plan.h"

static void what_cannot_work_is_refused_in_one_sentence(void **state)
{
	(void)state;
	static const struct {
		struct pf_request req;
		int rc;
		const char *text;
	} cases[] = {
		{ { .subsys = "a" }, -EINVAL, "no subsystem has the letter 'a'; --showsubsys lists them" },
		{ { .subsys = "q", .as_peer = true }, -EINVAL, "invalid subsystem 'q'" },
		{ { .subsys = "t", .tcp_filter = "x" }, -EINVAL, "only valid --tcpopts values are 'cituIT'" },
		{ { .subsys = "f", .nfs_filter = "c3,q" },
		  -EINVAL,
		  "--nfsfilt option 'q' not one of 'c2,s2,c3,s3,c4,s4'" },
		{ { .subsys = "f", .nfs_options = "q" }, -EINVAL, "invalid value for --nfsopts" },
		{ { .subsys = "T" }, -EINVAL, "-sT can only be used with -f or -P" },
		{ { .subsys = "l" }, -EINVAL, "no subsystem has the letter 'l'; --showsubsys lists them" },
		{ { .subsys = "ca" }, -EINVAL, "no subsystem has the letter 'a'; --showsubsys lists them" },
		{ { .subsys = "cq", .as_peer = true }, -EINVAL, "invalid subsystem 'cq'" },
		{ { .subsys = "+c-q", .as_peer = true }, -EINVAL, "invalid subsystem '+c-q'" },
		{ { .subsys = "c+d" }, -EINVAL, "+/- must start -s arguments if used" },
		{ { .subsys = "-cdn" }, -EINVAL, "no subsystems selected" },
		{ { .subsys = "-all" }, -EINVAL, "-s-all only allowed with -p" },
		{ { .verbose = true, .plot = true }, -EINVAL, "can't use -P with --verbose" },
		{ { .full = true, .plot = true }, -EINVAL, "can't use -P with --verbose" },
		{ { .verbose = true, .filename = "x" }, -EINVAL, "can't use -f with --verbose" },
		{ { .all = true, .subsys = "c" }, -EINVAL, "can't mix -s with -all" },
		{ { .home = true, .filename = "x" }, -EINVAL, "--home only applies to terminal output" },
		{ { .home = true, .playback = "x.gz" }, -EINVAL, "--home does not apply to -p" },
		{ { .playback = "x.gz", .interval = "1" }, -EINVAL, "-i not allowed with -p" },
		{ { .playback = "x.gz", .filename = "y" }, -EINVAL, "MUST specify -P if -p and -f" },
		{ { .from = "1:00", .as_peer = true }, -EINVAL, "--from/--thru only apply to -p" },
		{ { .from = "1:00" }, -EINVAL, "--from and --thru are for recordings: perfolio replay FILE" },
		{ { .grep = "x" }, -EINVAL, "--grep is for recordings: perfolio replay FILE" },
		{ { .has_offset = true }, -EINVAL, "--offsettime is for recordings: perfolio replay FILE" },
		{ { .has_count = true, .count = 1, .runtime = "5s" }, -EINVAL, "-c conflicts with -r and -R" },
		{ { .runtime = "5", .as_peer = true }, -EINVAL, "invalid -R format" },
		{ { .runtime = "1.5m", .as_peer = true }, -EINVAL, "invalid -R format" },
		{ { .runtime = "5y" },
		  -EINVAL,
		  "-R 5y: a time is such as 5 (seconds), 0.5, 500msec, 1.5min or 1hour 30min, 2w" },
		{ { .interval = "5sec", .as_peer = true },
		  -EINVAL,
		  "interval '5sec' is not in seconds, as 5, 0.5 or 5:60 (processes and slabs every 60)" },
		{ { .has_header_repeat = true, .header_repeat = -2 }, -EINVAL, "--headerrepeat must be >= -1" },
		{ { .interval = "x" },
		  -EINVAL,
		  "interval 'x' is not in seconds, as 5, 0.5 or 5:60 (processes and slabs every 60), nor with units, as 500msec or 1min" },
		{ { .interval = "1:2" }, -EINVAL, "interval2 only applies to -s y,Y or Z" },
		{ { .interval = "-1" },
		  -EINVAL,
		  "interval '-1' is not in seconds, as 5, 0.5 or 5:60 (processes and slabs every 60), nor with units, as 500msec or 1min" },
		{ { .options = "q" }, -EINVAL, "-o knows only the letters TdDmUngGxX12zacui, see --showoptions" },
		{ { .options = "q", .as_peer = true }, -EINVAL, "invalid option" },
		{ { .options = "Td" }, -EINVAL, "use only 1 of -o dDT" },
		{ { .options = "1" }, -EINVAL, "option 1 only apply to -P" },
		{ { .options = "z" }, -EINVAL, "-oz only applies to -P files" },
		{ { .options = "i" }, -EINVAL, "-oi only supported interactively with -P to terminal" },
		{ { .utc = true }, -EINVAL, "-ou/--utc only apply to -P format" },
		{ { .separator = "1" }, -EINVAL, "--sep only applies to plot format" },
		{ { .separator = "%" }, -EINVAL, "--sep cannot be a '%'" },
		{ { .separator = "ab", .plot = true }, -EINVAL, "--sep much be 1 character or a number" },
		{ { .mem_options = "q" }, -EINVAL, "invalid value for --memopts" },
		{ { .mem_options = "RP" }, -EINVAL, "--memopts R cannot be user with any of [psPV]" },
		{ { .disk_options = "q" }, -EINVAL, "only valid values for --dskopts are 'fioz'" },
		{ { .disk_options = "z" }, -EINVAL, "--dskopts z only applies to -sD" },
		{ { .net_options = "w2" }, -EINVAL, "--netopts -w only applies to -sN" },
		{ { .net_options = "w2", .subsys = "N" }, -EINVAL, "--netopts width must be at least 5" },
		{ { .playback = "x.gz", .from = "1", .as_peer = true },
		  -EINVAL,
		  "--from time format must be hh:mm[:ss]" },
		{ { .playback = "x.gz", .from = "25:00", .as_peer = true }, -EINVAL, "--from specifies invalid time" },
		{ { .playback = "x.gz", .from = "1234567:01:00", .as_peer = true },
		  -EINVAL,
		  "Date portion of --from must be exactly 8 digits" },
		{ { .playback = "x.gz", .from = "1:00-2:00", .thru = "3:00" },
		  -EINVAL,
		  "do not specify 2 times with --from and also use --thru" },
		{ { .playback = "x.gz,y" }, -EINVAL, "-p filename must end in '*', 'raw' or 'gz'" },
		{ { .debug = -1 }, -EINVAL, "-d takes a sum of 1, 2, 4 ..., see perfolio-watch(1)" },
		{ { .roll = "00:00" }, -EINVAL, "-r requires -f" },
		{ { .roll = "00:00", .filename = "x", .runtime = "1s" }, -EINVAL, "pick either -r or -R" },
		{ { .utime = 8, .has_utime = true, .filename = "x" }, -EINVAL, "max value for --utime is 7" },
		{ { .utime = 1, .has_utime = true }, -EINVAL, "--utime requires -f" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pf_plan plan;
		struct pf_err err = { 0 };
		assert_int_equal(pf_plan_make(&plan, &cases[i].req, NULL, &err), cases[i].rc);
		assert_string_equal(err.text, cases[i].text);
		pf_plan_done(&plan);
	}
}

static void letters_are_taken_added_and_dropped(void **state)
{
	(void)state;
	static const struct {
		const char *subsys, *import, *want;
	} cases[] = {
		{ NULL, NULL, "cdn" }, { "cm", NULL, "cm" },	  { "ccm", NULL, "cm" }, { "+C", NULL, "cdnC" },
		{ "-d", NULL, "cn" },  { "+mC-d", NULL, "cnmC" }, { NULL, "hello", "" }, { "c", "hello", "c" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pf_plan plan;
		struct pf_request req = { .subsys = cases[i].subsys, .import = cases[i].import };
		assert_int_equal(pf_plan_make(&plan, &req, NULL, NULL), 0);
		assert_string_equal(plan.letters, cases[i].want);
		pf_plan_done(&plan);
	}
}

static void the_view_follows_from_letters_and_switches(void **state)
{
	(void)state;
	static const struct {
		struct pf_request req;
		const struct pf_sink_kind *want;
	} cases[] = {
		{ { 0 }, &pf_sink_brief },
		{ { .subsys = "cdnm" }, &pf_sink_brief },
		{ { .subsys = "cD" }, &pf_sink_verbose },
		{ { .verbose = true }, &pf_sink_verbose },
		{ { .full = true }, &pf_sink_verbose },
		{ { .mem_options = "P", .subsys = "m" }, &pf_sink_verbose },
		{ { .mem_options = "R", .subsys = "m" }, &pf_sink_brief },
		{ { .plot = true, .subsys = "D" }, &pf_sink_plot },
		{ { .oformat = "json", .subsys = "D" }, &pf_sink_emit },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pf_plan plan;
		assert_int_equal(pf_plan_make(&plan, &cases[i].req, NULL, NULL), 0);
		assert_ptr_equal(pf_plan_sink(&plan, plan.letters, NULL), cases[i].want);
		pf_plan_done(&plan);
	}
}

static void intervals_and_lengths_of_time_are_exact(void **state)
{
	(void)state;
	int64_t ns[3];
	assert_int_equal(pf_times_interval(".5", false, ns, NULL), 0);
	assert_int_equal(ns[0], 500000000);
	assert_int_equal(ns[1], -1);
	assert_int_equal(pf_times_interval("1:60:120", false, ns, NULL), 0);
	assert_int_equal(ns[2], INT64_C(120000000000));
	assert_int_equal(pf_times_interval(":60", false, ns, NULL), 0);
	assert_int_equal(ns[0], 1000000000);
	assert_int_equal(pf_times_interval("", false, ns, NULL), -EINVAL);
	assert_int_equal(pf_times_interval("1:2:3:4", true, ns, NULL), -EINVAL);
	assert_int_equal(pf_times_interval("1e400", false, ns, NULL), -EINVAL);

	/* collectl knows seconds and whole numbers with one letter, and nothing else. */
	assert_int_equal(pf_times_interval("500msec:1min", false, ns, NULL), -EINVAL);
	assert_int_equal(pf_times_interval("500msec:1min", true, ns, NULL), 0);
	assert_int_equal(ns[0], 500000000);
	assert_int_equal(ns[1], INT64_C(60000000000));

	int64_t run;
	assert_int_equal(pf_times_runtime("1.5min", false, &run, NULL), -EINVAL);
	assert_int_equal(pf_times_runtime("90", false, &run, NULL), -EINVAL);
	assert_int_equal(pf_times_runtime("1.5min", true, &run, NULL), 0);
	assert_int_equal(run, INT64_C(90000000000));
	assert_int_equal(pf_times_runtime("90", true, &run, NULL), 0);
	assert_int_equal(run, INT64_C(90000000000));
	assert_int_equal(pf_times_runtime("2h", false, &run, NULL), 0);
	assert_int_equal(run, INT64_C(7200000000000));
	assert_int_equal(pf_times_runtime("99999999999w", true, &run, NULL), -EINVAL);

	assert_int_equal(pf_times_span("-10sec", &run, NULL), 0);
	assert_int_equal(run, INT64_C(-10000000000));
	assert_int_equal(pf_times_span("+1hour 30min", &run, NULL), 0);
	assert_int_equal(run, INT64_C(5400000000000));
	assert_int_equal(pf_times_span("--1", &run, NULL), -EINVAL);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_cannot_work_is_refused_in_one_sentence),
		cmocka_unit_test(letters_are_taken_added_and_dropped),
		cmocka_unit_test(the_view_follows_from_letters_and_switches),
		cmocka_unit_test(intervals_and_lengths_of_time_are_exact),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
