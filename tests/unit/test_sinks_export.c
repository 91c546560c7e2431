/* sinks/export: arguments, values folded over the intervals of a report, changes, totals of --stats. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <unistd.h>

#include "base/err.h"
#include "base/time.h"
#include "group_bench.h"
#include "sinks/export_options.h"
#include "sinks/sink.h"

/* One interface, sampled every two seconds, into a sink that writes to memory. */
struct run {
	struct bench t;
	struct pf_view_options view;
	struct pf_export_options options;
	const struct pf_group *groups[2];
	struct pf_sink *sink;
	int fd;
	struct pf_buf text;
};

static int run_open(struct run *r, const char *export, struct pf_err *err)
{
	const struct pf_sink_kind *kind = &pf_sink_brief;
	bench_init(&r->t, &pf_group_network);
	r->view.letters = "n";
	r->view.separator = " ";
	r->view.host = "vm";
	r->groups[0] = &pf_group_network;
	char path[] = "/tmp/perfolio-export-XXXXXX";
	r->fd = mkstemp(path);
	assert_true(r->fd >= 0);
	assert_int_equal(unlink(path), 0);
	if (export) {
		assert_int_equal(pf_export_options_parse(export, &r->options, err), 0);
		kind = r->options.kind;
	}
	struct pf_sink_spec spec = { .fd = r->fd,
				     .view = &r->view,
				     .export = &r->options,
				     .groups = r->groups,
				     .bases = &r->t.b.base,
				     .catalog = r->t.catalog,
				     .interval_ns = 2 * PF_NS_PER_SEC };
	return kind->open(&r->sink, &spec, err);
}

/* Sample number @i, with @packets received up to now. */
static void run_step(struct run *r, int64_t i, unsigned packets)
{
	char line[100];
	bench_begin(&r->t, 2 * i * PF_NS_PER_SEC);
	(void)snprintf(line, sizeof(line), "eth0: 0 %u 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n", packets);
	bench_text(&r->t, 0, line);
	struct pf_step step = pf_frames_step(&r->t.frames);
	assert_int_equal(r->sink->kind->sample(r->sink, &step, NULL), 0);
}

static const char *run_close(struct run *r)
{
	assert_int_equal(r->sink->kind->close(r->sink, NULL), 0);
	assert_int_equal(pf_io_pread_all(r->fd, 1 << 20, &r->text), 0);
	(void)close(r->fd);
	bench_done(&r->t);
	return pf_buf_text(&r->text).p;
}

/* Rates of 5, 20 and 11 a second, in one report. */
static void expect_fold(const char *export, const char *want)
{
	struct run r = { 0 };
	assert_int_equal(run_open(&r, export, NULL), 0);
	run_step(&r, 1, 0);
	run_step(&r, 2, 10);
	run_step(&r, 3, 50);
	run_step(&r, 4, 72);
	const char *text = run_close(&r);
	assert_non_null(strstr(text, want));
	assert_null(strstr(strstr(text, want) + strlen(want), "pktin")); /* one report */
	pf_buf_done(&r.text);
}

static void a_report_is_the_last_interval_or_what_was_asked_for(void **state)
{
	(void)state;
	expect_fold("lexpr,i=6", "nettotals.pktin 11\n");
	expect_fold("lexpr,i=6,avg", "nettotals.pktin 12\n");
	expect_fold("lexpr,i=6,max", "nettotals.pktin 20\n");
	expect_fold("lexpr,i=6,min", "nettotals.pktin 5\n");
	expect_fold("lexpr,i=6,tot", "nettotals.pktin 72\n");
}

static void the_peer_rounds_and_multiplies_by_the_nominal_interval(void **state)
{
	(void)state;
	struct run r = { .view.variants = PF_AS_PEER };
	assert_int_equal(run_open(&r, "lexpr,i=4,tot", NULL), 0);
	run_step(&r, 1, 0);
	run_step(&r, 2, 3);
	run_step(&r, 3, 6);
	assert_non_null(strstr(run_close(&r), "nettotals.pktin 6\n"));
	pf_buf_done(&r.text);
}

static void a_counter_that_was_reset_is_left_out_of_the_average(void **state)
{
	(void)state;
	struct run r = { 0 };
	assert_int_equal(run_open(&r, "lexpr,i=6,avg", NULL), 0);
	run_step(&r, 1, 100);
	run_step(&r, 2, 120);
	run_step(&r, 3, 4);
	run_step(&r, 4, 24);
	assert_non_null(strstr(run_close(&r), "nettotals.pktin 10\n"));
	pf_buf_done(&r.text);
}

static unsigned count(const char *text, const char *word)
{
	unsigned n = 0;
	for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
		n++;
	return n;
}

static void only_changes_are_told_and_again_after_a_while(void **state)
{
	(void)state;
	struct run r = { 0 };
	assert_int_equal(run_open(&r, "lexpr,co,ttl=2", NULL), 0);
	for (unsigned i = 1; i <= 5; i++)
		run_step(&r, i, i * 10);
	const char *text = run_close(&r);
	assert_int_equal(count(text, "sample.time"), 4);
	assert_int_equal(count(text, "nettotals.pktin 5\n"), 2); /* in the first report and in the third */
	pf_buf_done(&r.text);
}

static void align_waits_for_a_whole_minute(void **state)
{
	(void)state;
	struct run r = { 0 };
	assert_int_equal(run_open(&r, "lexpr,align,i=4", NULL), 0);
	for (unsigned i = 27; i <= 33; i++)
		run_step(&r, i, i);
	const char *text = run_close(&r);
	assert_int_equal(count(text, "sample.time"), 2);
	assert_non_null(strstr(text, "sample.time 62.000"));
	assert_non_null(strstr(text, "sample.time 66.000"));
	pf_buf_done(&r.text);
}

static void what_does_not_fit_the_run_is_refused(void **state)
{
	(void)state;
	static const char *const bad[] = { "lexpr,avg", "lexpr,i=3", "lexpr,s=c" };
	for (unsigned i = 0; i < 3; i++) {
		struct run r = { 0 };
		struct pf_err err = { 0 };
		assert_int_equal(run_open(&r, bad[i], &err), -EINVAL);
		assert_non_null(strstr(err.text, "lexpr"));
		(void)close(r.fd);
		bench_done(&r.t);
	}
}

static void totals_add_up_and_averages_divide(void **state)
{
	(void)state;
	struct run r = { .view = { .stats = true, .stats_averages = true } };
	assert_int_equal(run_open(&r, NULL, NULL), 0);
	run_step(&r, 1, 0);
	run_step(&r, 2, 10);
	run_step(&r, 3, 50);
	run_step(&r, 4, 72);
	const char *text = run_close(&r);
	assert_non_null(strstr(text, "\nA     0     12      0       0 \n"));
	assert_non_null(strstr(text, "\nT     0     72      0       0 \n"));
	assert_int_equal(count(text, "\n"), 4);
	pf_buf_done(&r.text);
}

static void arguments_are_checked(void **state)
{
	(void)state;
	struct pf_export_options o;
	static const char *const bad[] = {
		"",	      "foo",	     "lexpr,zz", "lexpr,avg,max",    "lexpr,i=0",	"lexpr,i=x",
		"lexpr,d=99", "lexpr,avg=1", "gexpr",	 "gexpr,h,zz",	     "gexpr,host",	"gexpr,host:0",
		"gexpr,:5",   "lexpr,g",     "graphite", "graphite,h:99999", "graphite,a,e=ab", "vmstat,i=2",
		"lexpr,",
	};
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct pf_err err = { 0 };
		assert_int_equal(pf_export_options_parse(bad[i], &o, &err), -EINVAL);
		assert_true(err.text[0] != '\0');
	}
	assert_int_equal(pf_export_options_parse("lexpr,x=", &o, NULL), -EINVAL);
	assert_int_equal(pf_export_options_parse("lexpr,x=a:b", &o, NULL), -EINVAL);
	assert_int_equal(pf_export_options_parse("sexpr,x=a", &o, NULL), -EINVAL);
	assert_int_equal(pf_export_options_parse("lexpr,co,x=mine,i=5,z", &o, NULL),
			 0); /* what follows is the module's */
	assert_string_equal(o.extension, "mine,i=5,z");
	assert_int_equal(o.interval_ns, 0);

	assert_int_equal(pf_export_options_parse("gexpr,[::1]:8649,co,ttl=3,d=9,i=1.5,s=cd,G", &o, NULL), 0);
	assert_string_equal(o.host, "::1");
	assert_string_equal(o.port, "8649");
	assert_int_equal(o.ttl, 3);
	assert_int_equal(o.debug, 9);
	assert_int_equal(o.interval_ns, 1500000000);
	assert_string_equal(o.subsys, "cd");
	assert_int_equal(o.ganglia, 'G');
	assert_true(o.changes);

	assert_int_equal(pf_export_options_parse("graphite,host,b=a.,p=.z,e=_,f,r=2", &o, NULL), 0);
	assert_string_equal(o.port, "2003");
	assert_string_equal(o.prefix, "a.");
	assert_string_equal(o.postfix, ".z");
	assert_int_equal(o.escape, '_');
	assert_true(o.full_name);
	assert_int_equal(o.delay_ns, 2000000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_report_is_the_last_interval_or_what_was_asked_for),
		cmocka_unit_test(the_peer_rounds_and_multiplies_by_the_nominal_interval),
		cmocka_unit_test(a_counter_that_was_reset_is_left_out_of_the_average),
		cmocka_unit_test(only_changes_are_told_and_again_after_a_while),
		cmocka_unit_test(align_waits_for_a_whole_minute),
		cmocka_unit_test(what_does_not_fit_the_run_is_refused),
		cmocka_unit_test(totals_add_up_and_averages_divide),
		cmocka_unit_test(arguments_are_checked),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
