/* import/import.c, declare.c, draw.c: order of calls, failing modules, records, values and views of declared metrics. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/time.h"
#include "import/import.h"
#include "model/catalog.h"
#include "perfolio/module.h"

struct fixture {
	char log[64];
	char modules[512];
	struct pf_catalog *cat;
	struct pf_frames frames;
	struct perfolio_state state;
	struct pf_buf said;
	struct pf_buf raw;
	struct pf_buf out;
	struct pf_import *imp;
};

static void hear(void *arg, enum pf_severity severity, const char *text)
{
	(void)severity;
	pf_buf_fmt(arg, "%s\n", text);
}

static void raw_line(void *arg, struct pf_view tag, struct pf_view line)
{
	pf_buf_fmt(arg, "%.*s|%.*s\n", (int)tag.n, tag.p, (int)line.n, line.p);
}

static int setup(void **state)
{
	static struct fixture f;
	f = (struct fixture){ .log = "/tmp/import-log.XXXXXX", .cat = pf_catalog_new() };
	assert_non_null(f.cat);
	(void)snprintf(f.modules, sizeof(f.modules), "%s/tests/modules", getenv("PF_BUILD_ROOT"));
	int fd = mkstemp(f.log);
	assert_true(fd >= 0);
	(void)close(fd);
	f.state = (struct perfolio_state){ .size = sizeof(f.state),
					   .datetime = "",
					   .mini_filler = "",
					   .rate = "/sec",
					   .separator = " ",
					   .int_secs = 1,
					   .interval = "1" };
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	f->imp = pf_import_close(f->imp);
	if (f->frames.catalog)
		pf_frames_done(&f->frames);
	f->cat = pf_catalog_free(f->cat);
	pf_buf_done(&f->said);
	pf_buf_done(&f->raw);
	pf_buf_done(&f->out);
	return unlink(f->log);
}

static void open_module(struct fixture *f, const char *name, const char *args, bool exit_on_error, int want)
{
	static struct pf_notice notice;
	char spec[1200];
	struct pf_err err = { 0 };
	const char *const path[] = { f->modules, NULL };
	notice = (struct pf_notice){ hear, &f->said };
	(void)snprintf(spec, sizeof(spec), "%s,%s", name, args);
	struct pf_import_setup setup = {
		.spec = spec, .path = path, .state = &f->state, .exit_on_error = exit_on_error, .notice = &notice
	};
	int rc = pf_import_open(&f->imp, &setup, f->cat, &err);
	if (rc < 0)
		hear(&f->said, PF_WARNING, err.text);
	if ((rc < 0) != (want < 0))
		fail_msg("%s", err.text);
	pf_frames_init(&f->frames, f->cat);
}

static void open_order(struct fixture *f, const char *words, bool exit_on_error, int want)
{
	char args[200];
	(void)snprintf(args, sizeof(args), "%s%s%s", f->log, words[0] ? "," : "", words);
	open_module(f, "order", args, exit_on_error, want);
}

static void expect_log(struct fixture *f, const char *want)
{
	struct pf_buf text = { 0 };
	assert_int_equal(pf_io_read_file(-1, f->log, 1 << 20, &text, NULL), 0);
	assert_string_equal(text.p ? text.p : "", want);
	pf_buf_done(&text);
}

static struct pf_step take_sample(struct fixture *f)
{
	int64_t now = (int64_t)(f->frames.seq + 1) * PF_NS_PER_SEC;
	struct pf_sample *s = pf_frames_begin(&f->frames, now, now);
	assert_non_null(s);
	pf_import_sample(f->imp, s);
	pf_import_get_data(f->imp);
	return pf_frames_step(&f->frames);
}

static void records_are_told_and_analysed_while_getdata_runs(void **state)
{
	struct fixture *f = *state;
	open_order(f, "", false, 0);
	pf_import_tap(f->imp, raw_line, &f->raw, true);
	pf_import_init_interval(f->imp);
	(void)take_sample(f);
	pf_import_interval_end(f->imp);
	expect_log(f, "Init\nInitInterval\nGetData\nAnalyze\nIntervalEnd\n");
	assert_string_equal(f->raw.p, "ord|0\n");
}

static void recording_alone_analyses_nothing(void **state)
{
	struct fixture *f = *state;
	open_order(f, "", false, 0);
	pf_import_tap(f->imp, raw_line, &f->raw, false);
	(void)take_sample(f);
	expect_log(f, "Init\nGetData\n");
	assert_string_equal(f->raw.p, "ord|0\n");
}

static void only_lines_with_data_and_a_matching_type_are_analysed(void **state)
{
	struct fixture *f = *state;
	open_order(f, "", false, 0);
	assert_true(pf_import_wants(f->imp, PF_VIEW("xord-1")));
	assert_false(pf_import_wants(f->imp, PF_VIEW("cpu")));
	pf_import_analyze(f->imp, PF_VIEW("xord-1"), PF_VIEW(" 1"));
	pf_import_analyze(f->imp, PF_VIEW("ord"), PF_VIEW("  "));
	pf_import_analyze(f->imp, PF_VIEW("cpu"), PF_VIEW("1"));
	expect_log(f, "Init\nAnalyze\n");
}

static void a_failing_module_is_heard_once_and_called_no_more(void **state)
{
	struct fixture *f = *state;
	open_order(f, "fail", false, 0);
	(void)take_sample(f);
	(void)take_sample(f);
	pf_import_interval_end(f->imp);
	expect_log(f, "Init\nGetData\n");
	assert_string_equal(f->said.p, "module order: get_data: Input/output error, going on without it\n");
	assert_int_equal(pf_import_n_summary(f->imp), 0);
	assert_null(pf_import_fatal(f->imp));
}

static void error_switches_a_module_off(void **state)
{
	struct fixture *f = *state;
	open_order(f, "error", false, 0);
	(void)take_sample(f);
	(void)take_sample(f);
	expect_log(f, "Init\nGetData\n");
	assert_string_equal(f->said.p, "module order: the well is dry, going on without it\n");
}

static void error_ends_the_run_where_that_is_wanted(void **state)
{
	struct fixture *f = *state;
	open_order(f, "error", true, 0);
	assert_null(pf_import_fatal(f->imp));
	(void)take_sample(f);
	assert_non_null(pf_import_fatal(f->imp));
	assert_string_equal(pf_import_fatal(f->imp)->text, "the well is dry");
	assert_int_equal(f->said.n, 0);
}

static void error_in_init_is_the_whole_sentence_where_it_ends_the_run(void **state)
{
	struct fixture *f = *state;
	open_order(f, "initerror", true, -1);
	assert_string_equal(f->said.p, "no such thing\n");
	expect_log(f, "Init\ndone\n");
}

static void error_in_init_switches_off_otherwise(void **state)
{
	struct fixture *f = *state;
	open_order(f, "initerror", false, 0);
	assert_string_equal(f->said.p, "module order: no such thing, going on without it\n");
	assert_int_equal(pf_import_n_summary(f->imp), 0);
}

static void a_module_that_withdraws_is_not_heard(void **state)
{
	struct fixture *f = *state;
	open_order(f, "drop", false, 0);
	(void)take_sample(f);
	expect_log(f, "Init\n");
	assert_int_equal(f->said.n, 0);
	assert_int_equal(pf_import_n_summary(f->imp), 0);
}

static void header_lines_are_whole_comments(void **state)
{
	struct fixture *f = *state;
	open_order(f, "sd", false, 0);
	pf_import_update_header(f->imp, &f->out);
	assert_string_equal(f->out.p, "# Order:      yes\n");
	pf_import_get_header(f->imp, f->out.p);
	expect_log(f, "Init\nUpdateHeader\nGetHeader\n");
}

static void plots_are_asked_for_what_the_options_say(void **state)
{
	struct fixture *f = *state;
	open_order(f, "d", false, 0);
	struct pf_step step = take_sample(f);
	pf_import_plot(f->imp, -1, PERFOLIO_PLOT_SUM_NAMES, &step, &f->out);
	pf_import_plot(f->imp, -1, PERFOLIO_PLOT_DET_NAMES, &step, &f->out);
	pf_import_plot(f->imp, -1, PERFOLIO_PLOT_SUM, &step, &f->out);
	pf_import_plot(f->imp, -1, PERFOLIO_PLOT_DET, &step, &f->out);
	assert_string_equal(f->out.p, "[ORD]N  1");
	expect_log(f, "Init\nGetData\nPrintPlot 2\nPrintPlot 4\n");
	assert_int_equal(pf_import_n_summary(f->imp), 0);
	assert_int_equal(pf_import_n_detail(f->imp), 1);
	assert_string_equal(pf_import_key(f->imp, 0), "ord");
	assert_null(pf_import_key(f->imp, 1));
}

static void declared_metrics_stand_in_the_catalog(void **state)
{
	struct fixture *f = *state;
	open_module(f, "declared", "sd", false, 0);
	assert_int_equal(f->cat->n_metrics, 5);
	const struct pf_metric *first = f->cat->metrics[0];
	const struct pf_metric *bytes = f->cat->metrics[3];
	assert_string_equal(first->name, "declared.requests");
	assert_string_equal(bytes->name, "declared.gpu.bytes");
	assert_int_equal(first->pmid >> 22, PF_DOMAIN_MODULE);
	assert_int_equal(bytes->pmid, first->pmid + 3);
	assert_true(pf_metric_is_singular(first));
	assert_int_equal(bytes->indom, f->cat->metrics[4]->indom);
	assert_int_equal(bytes->indom >> 22, PF_DOMAIN_MODULE);
}

static void metrics_stand_in_the_order_of_the_list(void **state)
{
	struct fixture *f = *state;
	char args[1100];
	(void)snprintf(args, sizeof(args), "s:%s/../../modules/hello.so", f->modules);
	open_module(f, "declared", args, false, 0);
	assert_int_equal(f->cat->n_metrics, 7);
	assert_string_equal(f->cat->metrics[0]->name, "declared.requests");
	assert_string_equal(f->cat->metrics[5]->name, "hello.total");
	assert_true(f->cat->metrics[0]->pmid >> 10 != f->cat->metrics[5]->pmid >> 10);
}

static void two_samples(struct fixture *f, struct pf_step *ret_step)
{
	pf_import_tap(f->imp, NULL, NULL, true);
	(void)take_sample(f);
	*ret_step = take_sample(f);
}

static void declared_values_reach_the_sample(void **state)
{
	struct fixture *f = *state;
	struct pf_step step;
	open_module(f, "declared", "sd", false, 0);
	two_samples(f, &step);
	assert_int_equal(pf_sample_get(step.cur, 0, 0).u, 100);
	assert_true(pf_sample_get(step.cur, 1, 0).d == 1.25);
	assert_string_equal(pf_sample_get(step.cur, 2, 0).s, "v 1\033");
	assert_int_equal(f->cat->n_domains, 1);
	const struct pf_indom *gpus = f->cat->domains[0];
	assert_int_equal(gpus->n, 2);
	assert_string_equal(gpus->instances[1].name, "gpu 1");
	assert_int_equal(pf_sample_get(step.cur, 3, 1).u, 1024);
	assert_int_equal(pf_sample_get(step.cur, 4, 0).i, -1);
	assert_false(pf_sample_has(step.cur, 4, 1));
}

static void declared_metrics_are_drawn_in_brief(void **state)
{
	struct fixture *f = *state;
	struct pf_step step;
	open_module(f, "declared", "s", false, 0);
	two_samples(f, &step);
	for (int type = PERFOLIO_BRIEF_TITLE; type <= PERFOLIO_BRIEF_TOTALS; type++) {
		pf_import_brief(f->imp, type, &step, &f->out);
		if (type <= PERFOLIO_BRIEF_VALUES)
			pf_buf_char(&f->out, '\n');
	}
	assert_string_equal(f->out.p, "<---------Declared--------->\n"
				      "  Reqs   Load  Bytes  state \n"
				      "   100      1   3072     -1 \n"
				      "   100      1   3072     -1 ");
}

static void declared_metrics_are_drawn_in_verbose(void **state)
{
	struct fixture *f = *state;
	struct pf_step step;
	open_module(f, "declared", "sd", false, 0);
	two_samples(f, &step);
	f->state.datetime = "12:00:00 ";
	f->state.mini_filler = "         ";
	pf_import_verbose(f->imp, true, false, &step, pf_view_of(""), &f->out);
	assert_string_equal(f->out.p, "\n# DECLARED STATISTICS (/sec)\n"
				      "#             Reqs     Load  Version    Bytes    state\n"
				      "12:00:00       100     1.25  v 1\\x1b     3072       -1\n"
				      "\n# DECLARED GPU DETAIL (/sec)\n"
				      "#         Name       Bytes    state\n"
				      "12:00:00 gpu0         2048       -1\n"
				      "12:00:00 gpu 1        1024         \n");
}

static void declared_metrics_are_drawn_as_plot(void **state)
{
	struct fixture *f = *state;
	struct pf_step step;
	open_module(f, "declared", "sd", false, 0);
	two_samples(f, &step);
	for (int type = PERFOLIO_PLOT_SUM_NAMES; type <= PERFOLIO_PLOT_DET; type++) {
		pf_import_plot(f->imp, -1, type, &step, &f->out);
		pf_buf_char(&f->out, '\n');
	}
	assert_string_equal(f->out.p,
			    "[DECLARED]Reqs [DECLARED]Load [DECLARED]Version [DECLARED]Bytes [DECLARED]state \n"
			    "[DECLARED:gpu0]Bytes [DECLARED:gpu_1]Bytes [DECLARED:gpu0]state [DECLARED:gpu_1]state \n"
			    " 100 1.25 v_1\\x1b 3072 -1\n"
			    " 2048 1024 -1 0\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(records_are_told_and_analysed_while_getdata_runs),
		TEST(recording_alone_analyses_nothing),
		TEST(only_lines_with_data_and_a_matching_type_are_analysed),
		TEST(a_failing_module_is_heard_once_and_called_no_more),
		TEST(error_switches_a_module_off),
		TEST(error_ends_the_run_where_that_is_wanted),
		TEST(error_in_init_is_the_whole_sentence_where_it_ends_the_run),
		TEST(error_in_init_switches_off_otherwise),
		TEST(a_module_that_withdraws_is_not_heard),
		TEST(header_lines_are_whole_comments),
		TEST(plots_are_asked_for_what_the_options_say),
		TEST(declared_metrics_stand_in_the_catalog),
		TEST(metrics_stand_in_the_order_of_the_list),
		TEST(declared_values_reach_the_sample),
		TEST(declared_metrics_are_drawn_in_brief),
		TEST(declared_metrics_are_drawn_in_verbose),
		TEST(declared_metrics_are_drawn_as_plot),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
