/* sinks/: brief, verbose and plot over samples made here: counters that break, names that bite, columns that come and go. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <unistd.h>

#include "base/err.h"
#include "base/time.h"
#include "group_bench.h"
#include "model/filter.h"
#include "sinks/sink.h"
#include "sinks/times.h"

/* A view of one group, writing into memory. */
struct view {
	struct bench t;
	struct pf_view_options options;
	const struct pf_group *groups[2];
	struct pf_sink *sink;
	int fd;
	struct pf_buf text;
};

static void view_open(struct view *v, const struct pf_sink_kind *kind, const struct pf_group *group,
		      const char *letters)
{
	bench_init(&v->t, group);
	v->options.letters = letters;
	v->options.separator = " ";
	v->options.host = "VM";
	v->groups[0] = group;
	v->groups[1] = NULL;
	char path[] = "/tmp/perfolio-view-XXXXXX";
	v->fd = mkstemp(path);
	assert_true(v->fd >= 0);
	assert_int_equal(unlink(path), 0);
	struct pf_sink_spec spec = {
		.fd = v->fd, .view = &v->options, .groups = v->groups, .bases = &v->t.b.base, .catalog = v->t.catalog
	};
	assert_int_equal(kind->open(&v->sink, &spec, NULL), 0);
}

/* Begin a sample @ms after 1970, put text in with bench_text(), then show it. */
static void view_show(struct view *v)
{
	struct pf_step step = pf_frames_step(&v->t.frames);
	assert_int_equal(v->sink->kind->sample(v->sink, &step, NULL), 0);
}

static void view_begin(struct view *v, int64_t ms)
{
	bench_begin(&v->t, ms * PF_NS_PER_MS);
}

/* What was written, in full. */
static const char *view_close(struct view *v)
{
	assert_int_equal(v->sink->kind->close(v->sink, NULL), 0);
	pf_buf_clear(&v->text);
	assert_int_equal(pf_io_pread_all(v->fd, 1 << 20, &v->text), 0);
	(void)close(v->fd);
	bench_done(&v->t);
	return pf_buf_text(&v->text).p;
}

static void view_done(struct view *v)
{
	pf_buf_done(&v->text);
}

static void the_first_sample_is_only_a_baseline(void **state)
{
	(void)state;
	struct view v = { 0 };
	view_open(&v, &pf_sink_brief, &pf_group_network, "n");
	view_begin(&v, 1000);
	bench_text(&v.t, 0, "eth0: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
	view_show(&v);
	assert_string_equal(view_close(&v), "");
	view_done(&v);
}

static void steal_that_jumps_or_goes_back_spoils_nothing_else(void **state)
{
	(void)state;
	struct view v = { 0 };
	view_open(&v, &pf_sink_verbose, &pf_group_cpu, "C");
	view_begin(&v, 10000);
	bench_fixture(&v.t, "reset/before", false);
	view_show(&v);
	view_begin(&v, 20000);
	bench_fixture(&v.t, "reset/after", false);
	view_show(&v);
	assert_string_equal(view_close(&v), "\n# SINGLE CPU STATISTICS\n"
					    "#   Cpu  User Nice  Sys Wait IRQ  Soft Steal Guest NiceG Idle\n"
					    "      0    30    0   10    0    0    0     -     0     0   60\n"
					    "      1    37    0   12    0    0    0     -     0     0   50\n");
	view_done(&v);
}

static void the_host_total_survives_impossible_steal(void **state)
{
	(void)state;
	struct view v = { 0 };
	view_open(&v, &pf_sink_brief, &pf_group_cpu, "c");
	view_begin(&v, 10000);
	bench_fixture(&v.t, "reset/before", false);
	view_show(&v);
	view_begin(&v, 20000);
	bench_fixture(&v.t, "reset/after", false);
	view_show(&v);
	assert_string_equal(view_close(&v), "#<--------CPU-------->\n#cpu sys inter  ctxsw \n  44  11   100    100 \n");
	view_done(&v);
}

static void disk_time_that_goes_back_is_a_gap_not_a_percentage(void **state)
{
	(void)state;
	struct view v = { 0 };
	view_open(&v, &pf_sink_verbose, &pf_group_disk, "D");
	view_begin(&v, 10000);
	bench_fixture(&v.t, "reset/before", false);
	view_show(&v);
	view_begin(&v, 20000);
	bench_fixture(&v.t, "reset/after", false);
	view_show(&v);
	const char *text = view_close(&v);
	const char *sda = strstr(text, "\nsda");
	const char *sdb = strstr(text, "\nsdb");
	assert_non_null(sda);
	assert_non_null(sdb);
	assert_non_null(strstr(sda, "    -\nsdb")); /* sda's Util */
	assert_non_null(strstr(sdb, "   50\n"));
	view_done(&v);
}

/* collectl 4.3.1 adds 2^32 once to whatever went back. */
static void the_peer_takes_every_step_back_for_a_wrap(void **state)
{
	(void)state;
	struct view v = { .options = { .variants = PF_AS_PEER } };
	view_open(&v, &pf_sink_brief, &pf_group_disk, "d");
	view_begin(&v, 1000);
	bench_text(&v.t, 0, "8 0 sda 4294967290 0 0 0 0 0 0 0 0 0 0\n");
	view_show(&v);
	view_begin(&v, 2000);
	bench_text(&v.t, 0, "8 0 sda 4 0 0 0 0 0 0 0 0 0 0\n");
	view_show(&v);
	assert_non_null(strstr(view_close(&v), "\n      0     10      0      0 \n"));
	view_done(&v);
}

static void counters_of_64_bits_keep_their_last_digits(void **state)
{
	(void)state;
	struct view v = { 0 };
	view_open(&v, &pf_sink_brief, &pf_group_disk, "d");
	view_begin(&v, 1000);
	bench_text(&v.t, 0, "8 0 sda 18446744073709551600 0 9007199254740993 0 0 0 0 0 0 0 0\n");
	view_show(&v);
	view_begin(&v, 2000);
	bench_text(&v.t, 0, "8 0 sda 18446744073709551615 0 9007199254740995 0 0 0 0 0 0 0 0\n");
	view_show(&v);
	assert_non_null(strstr(view_close(&v), "\n      1     15      0      0 \n"));
	view_done(&v);
}

static void no_control_of_a_name_reaches_the_text(void **state)
{
	(void)state;
	static const struct {
		const struct pf_sink_kind *kind;
		const struct pf_group *group;
		const char *letters;
	} cases[] = { { &pf_sink_verbose, &pf_group_disk, "D" },
		      { &pf_sink_plot, &pf_group_disk, "D" },
		      { &pf_sink_verbose, &pf_group_network, "N" },
		      { &pf_sink_plot, &pf_group_network, "N" } };
	for (unsigned i = 0; i < 4; i++) {
		struct view v = { .options = { .variants = PF_AS_RECORDED } };
		view_open(&v, cases[i].kind, cases[i].group, cases[i].letters);
		for (int k = 1; k <= 2; k++) {
			view_begin(&v, k * 1000);
			bench_fixture(&v.t, "hostile", false);
			view_show(&v);
		}
		const char *text = view_close(&v);
		assert_non_null(strstr(text, "\\x1b"));
		for (size_t n = 0; n < v.text.n; n++) {
			unsigned char c = (unsigned char)text[n];
			assert_true(c == '\n' || (c >= 0x20 && c < 0x7f));
		}
		view_done(&v);
	}
}

static void an_interface_that_comes_later_starts_with_zeros(void **state)
{
	(void)state;
	struct view v = { 0 };
	view_open(&v, &pf_sink_verbose, &pf_group_network, "N");
	view_begin(&v, 1000);
	bench_text(&v.t, 0, "eth0: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
	view_show(&v);
	view_begin(&v, 2000);
	bench_text(&v.t, 0, "a: 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9 9\neth0: 2048 2 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
	view_show(&v);
	assert_non_null(
		strstr(view_close(&v),
		       "   0    eth0      2      2   1024      0      0      0      0      0      0      0      0\n"
		       "   1       a      0      0      0      0      0      0      0      0      0      0      0\n"));
	view_done(&v);
}

static void rows_stand_in_the_order_in_which_names_came(void **state)
{
	(void)state;
	static const char *const texts[] = { "8 0 a 1\n8 0 b 1\n8 0 c 1\n", "8 0 a 1\n8 0 c 1\n", "8 0 a 1\n8 0 c 1\n",
					     "8 0 d 1\n8 0 a 1\n8 0 c 1\n", "8 0 b 1\n8 0 d 1\n8 0 a 1\n8 0 c 1\n" };
	struct view v = { .options = { .variants = PF_AS_RECORDED } };
	view_open(&v, &pf_sink_plot, &pf_group_disk, "D");
	for (int k = 0; k < 5; k++) {
		view_begin(&v, (k + 1) * 1000);
		bench_text(&v.t, 0, texts[k]);
		view_show(&v);
	}
	const char *text = view_close(&v);
	const char *last = strrchr(text, '#');
	assert_non_null(last);
	const char *order[] = { "[DSK:a]Name", "[DSK:c]Name", "[DSK:d]Name", "[DSK:b]Name" };
	for (unsigned i = 0; i < 4; i++) {
		last = strstr(last, order[i]);
		assert_non_null(last);
	}
	view_done(&v);
}

static void idle_cpus_can_be_left_out(void **state)
{
	(void)state;
	struct view v = { .options = { .hide_idle_cpus = true } };
	view_open(&v, &pf_sink_verbose, &pf_group_cpu, "C");
	view_begin(&v, 1000);
	bench_text(&v.t, 0, "cpu0 0 0 0 0 0 0 0 0\ncpu1 0 0 0 0 0 0 0 0\n");
	view_show(&v);
	view_begin(&v, 2000);
	bench_text(&v.t, 0, "cpu0 0 0 0 100 0 0 0 0\ncpu1 0 0 1 99 0 0 0 0\n");
	view_show(&v);
	const char *text = view_close(&v);
	assert_null(strstr(text, "\n      0 "));
	assert_non_null(strstr(text, "\n      1     0    0    1    0    0    0     0     0     0   99\n"));
	view_done(&v);
}

static void plot_names_its_columns_anew_when_disks_change(void **state)
{
	(void)state;
	for (int peer = 0; peer <= 1; peer++) {
		struct view v = { .options = { .variants = peer ? PF_AS_PEER : 0 } };
		view_open(&v, &pf_sink_plot, &pf_group_disk, "D");
		for (int k = 1; k <= 3; k++) {
			view_begin(&v, k * 1000);
			bench_text(&v.t, 0, k < 3 ? "8 0 sda 1 2 3\n" : "8 0 sda 1 2 3\n8 16 sdb 1 2 3\n");
			view_show(&v);
		}
		const char *text = view_close(&v);
		assert_int_equal(strstr(text + 1, "#Date") != NULL, !peer);
		assert_int_equal(strstr(text, "[DSK:sdb]Util") != NULL, !peer);
		view_done(&v);
	}
}

static void shifted_error_columns_are_the_peers_alone(void **state)
{
	(void)state;
	for (int peer = 0; peer <= 1; peer++) {
		struct view v = { .options = { .variants = PF_WITH_ERRORS | (peer ? PF_AS_PEER : 0u) } };
		view_open(&v, &pf_sink_verbose, &pf_group_network, "n");
		view_begin(&v, 1000);
		bench_text(&v.t, 0, "eth0: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
		view_show(&v);
		view_begin(&v, 2000);
		bench_text(&v.t, 0, "eth0: 0 0 1 2 3 4 0 0 0 0 5 6 7 8 9 0\n");
		view_show(&v);
		const char *want =
			peer ? "\n       1       2       3       4         5       5       6       7       8\n"
			     : "\n       1       2       3       4         5       6       7       8       9\n";
		assert_non_null(strstr(view_close(&v), want));
		view_done(&v);
	}
}

static void filters_choose_by_number_and_by_expression(void **state)
{
	(void)state;
	static const struct {
		char letter;
		const char *text;
		const char *kept, *dropped;
	} cases[] = { { 'c', "1,3-5", "cpu4", "cpu2" },	 { 'c', "^0", "cpu1", "cpu0" },
		      { 'd', "sd", "nvsd0", "vda" },	 { 'd', "^sd,vda", "xvdb", "vda" },
		      { 'n', "^^eth", "myeth", "eth0" }, { 'n', "eth\\d+$", "eth12", "eth1.5" } };
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pf_instance_filter *f = NULL;
		assert_int_equal(pf_filter_new(cases[i].letter, cases[i].text, NULL, &f, NULL), 0);
		assert_true(pf_filter_find(f, cases[i].letter) == f);
		assert_null(pf_filter_find(f, 'z'));
		assert_true(pf_filter_keeps(f, pf_view_of(cases[i].kept)));
		assert_false(pf_filter_keeps(f, pf_view_of(cases[i].dropped)));
		f = pf_filter_free(f);
	}
}

static void a_filter_that_is_none_is_refused_in_one_sentence(void **state)
{
	(void)state;
	static const struct {
		char letter;
		const char *text, *part;
	} cases[] = { { 'c', "1-x", "'1-x'" },
		      { 'c', "5-3", "'5-3'" },
		      { 'd', "sd[", "'sd['" },
		      { 'n', "", "empty" },
		      { 'n', "^,", "empty" } };
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pf_instance_filter *f = NULL;
		struct pf_err err = { 0 };
		assert_true(pf_filter_new(cases[i].letter, cases[i].text, NULL, &f, &err) < 0);
		assert_null(f);
		assert_non_null(strstr(err.text, cases[i].part));
	}
}

static void a_reader_that_is_gone_is_told(void **state)
{
	(void)state;
	struct view v = { 0 };
	view_open(&v, &pf_sink_brief, &pf_group_disk, "d");
	for (int k = 1; k <= 2; k++) {
		view_begin(&v, k * 1000);
		bench_text(&v.t, 0, "8 0 sda 1 2 3\n");
		view_show(&v);
	}
	(void)close(v.fd);
	assert_true(v.sink->kind->flush(v.sink) < 0);
	struct pf_err err = { 0 };
	assert_true(v.sink->kind->close(v.sink, &err) < 0);
	assert_non_null(strstr(err.text, "brief"));
	bench_done(&v.t);
	view_done(&v);
}

static void a_day_of_one_digit_takes_the_milliseconds_of_the_peer(void **state)
{
	(void)state;
	struct pf_view_options view = { .millis = true };
	struct pf_buf out = { 0 };
	pf_times_ctime(&out, &view, INT64_C(1796084968331000000));
	assert_string_equal(out.p, "Tue Dec  1 00:29:28.331 2026");
	pf_buf_clear(&out);
	view.variants = PF_AS_PEER;
	pf_times_ctime(&out, &view, INT64_C(1796084968331000000));
	assert_string_equal(out.p, "Tue Dec  1.331 00:29:28");
	pf_buf_clear(&out);
	pf_times_ctime(&out, &view, INT64_C(1796862568331000000));
	assert_string_equal(out.p, "Thu Dec 10 00:29:28.331 2026");
	pf_buf_clear(&out);
	view.millis = false;
	pf_times_ctime(&out, &view, INT64_C(1796084968331000000));
	assert_string_equal(out.p, "Tue Dec  1 00:29:28 2026");
	pf_buf_done(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_day_of_one_digit_takes_the_milliseconds_of_the_peer),
		cmocka_unit_test(the_first_sample_is_only_a_baseline),
		cmocka_unit_test(steal_that_jumps_or_goes_back_spoils_nothing_else),
		cmocka_unit_test(the_host_total_survives_impossible_steal),
		cmocka_unit_test(disk_time_that_goes_back_is_a_gap_not_a_percentage),
		cmocka_unit_test(the_peer_takes_every_step_back_for_a_wrap),
		cmocka_unit_test(counters_of_64_bits_keep_their_last_digits),
		cmocka_unit_test(no_control_of_a_name_reaches_the_text),
		cmocka_unit_test(an_interface_that_comes_later_starts_with_zeros),
		cmocka_unit_test(rows_stand_in_the_order_in_which_names_came),
		cmocka_unit_test(idle_cpus_can_be_left_out),
		cmocka_unit_test(plot_names_its_columns_anew_when_disks_change),
		cmocka_unit_test(shifted_error_columns_are_the_peers_alone),
		cmocka_unit_test(filters_choose_by_number_and_by_expression),
		cmocka_unit_test(a_filter_that_is_none_is_refused_in_one_sentence),
		cmocka_unit_test(a_reader_that_is_gone_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
