/* model/: catalog, samples in turn, differences. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/time.h"
#include "model/builder.h"
#include "model/rates.h"

enum { TICKS, READS, LEVEL, N_ROWS };

#define DISKS PF_INDOM(PF_DOMAIN_LINUX, 1)

static const struct pf_metric rows[N_ROWS] = {
	[TICKS] = { "t.ticks", PF_PMID(60, 0, 1), PF_INDOM_NONE, PF_U64, PF_COUNTER, PF_UNITS_COUNT, "" },
	[READS] = { "t.reads", PF_PMID(60, 0, 2), DISKS, PF_U64, PF_COUNTER, PF_UNITS_COUNT, "" },
	[LEVEL] = { "t.level", PF_PMID(60, 0, 3), PF_INDOM_NONE, PF_S64, PF_INSTANT, PF_UNITS_NONE, "" },
};

struct fixture {
	struct pf_catalog *cat;
	struct pf_frames frames;
	struct pf_builder b;
};

static int setup(void **state)
{
	static struct fixture f;
	f = (struct fixture){ .cat = pf_catalog_new() };
	assert_non_null(f.cat);
	assert_int_equal(pf_catalog_add(f.cat, rows, N_ROWS, &f.b.base, NULL), 0);
	pf_frames_init(&f.frames, f.cat);
	f.b.catalog = f.cat;
	*state = &f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	pf_frames_done(&f->frames);
	f->cat = pf_catalog_free(f->cat);
	return 0;
}

static void begin(struct fixture *f, int64_t seconds)
{
	f->b.sample = pf_frames_begin(&f->frames, seconds * PF_NS_PER_SEC, seconds * PF_NS_PER_SEC);
	f->b.line_hint = 0;
	assert_non_null(f->b.sample);
}

static unsigned disk(struct fixture *f, const char *name)
{
	int slot = pf_builder_instance(&f->b, pf_catalog_domain_of(f->cat, READS), pf_view_of(name), -1);
	assert_true(slot >= 0);
	return (unsigned)slot;
}

static void the_first_sample_has_no_rates(void **state)
{
	struct fixture *f = *state;
	begin(f, 1);
	pf_builder_u64(&f->b, TICKS, 0, 100);
	struct pf_step step = pf_frames_step(&f->frames);
	assert_null(step.prev);
	double d = 7;
	assert_int_equal(pf_delta(&step, TICKS, 0, PF_RESET_SKIP, &d), 0);
	assert_true(d == 7);
}

static void a_rate_is_per_second_of_the_measured_interval(void **state)
{
	struct fixture *f = *state;
	begin(f, 1);
	pf_builder_u64(&f->b, TICKS, 0, 100);
	begin(f, 5);
	pf_builder_u64(&f->b, TICKS, 0, 300);
	struct pf_step step = pf_frames_step(&f->frames);
	double r = 0;
	assert_int_equal(pf_rate(&step, TICKS, 0, &r), 1);
	assert_true(r == 50);
}

static void a_counter_that_goes_back_is_treated_as_asked(void **state)
{
	struct fixture *f = *state;
	begin(f, 1);
	pf_builder_u64(&f->b, TICKS, 0, 4294967290U);
	pf_builder_i64(&f->b, LEVEL, 0, 5);
	begin(f, 2);
	pf_builder_u64(&f->b, TICKS, 0, 4);
	pf_builder_i64(&f->b, LEVEL, 0, 2);
	struct pf_step step = pf_frames_step(&f->frames);
	double d = 7;
	assert_int_equal(pf_delta(&step, TICKS, 0, PF_RESET_SKIP, &d), 0);
	assert_int_equal(pf_delta(&step, TICKS, 0, PF_RESET_WRAP32, &d), 1);
	assert_true(d == 10);
	assert_int_equal(pf_delta(&step, TICKS, 0, PF_RESET_NEGATIVE, &d), 1);
	assert_true(d == -4294967286.0);
	assert_int_equal(pf_delta(&step, LEVEL, 0, PF_RESET_SKIP, &d), 1);
	assert_true(d == -3); /* levels may fall */
}

static void large_counters_differ_exactly(void **state)
{
	struct fixture *f = *state;
	begin(f, 1);
	pf_builder_u64(&f->b, TICKS, 0, UINT64_MAX - 1);
	begin(f, 2);
	pf_builder_u64(&f->b, TICKS, 0, UINT64_MAX);
	struct pf_step step = pf_frames_step(&f->frames);
	double d = 0;
	assert_int_equal(pf_delta(&step, TICKS, 0, PF_RESET_SKIP, &d), 1);
	assert_true(d == 1);
}

static void a_new_instance_starts_at_zero(void **state)
{
	struct fixture *f = *state;
	begin(f, 1);
	pf_builder_u64(&f->b, READS, disk(f, "sda"), 10);
	begin(f, 2);
	pf_builder_u64(&f->b, READS, disk(f, "sda"), 11);
	unsigned sdb = disk(f, "sdb");
	pf_builder_u64(&f->b, READS, sdb, 4000);
	struct pf_step step = pf_frames_step(&f->frames);
	double d = 7;
	assert_int_equal(pf_delta(&step, READS, sdb, PF_RESET_SKIP, &d), 1);
	assert_true(d == 0);
}

static void the_slot_of_a_vanished_instance_is_used_again(void **state)
{
	struct fixture *f = *state;
	begin(f, 1);
	unsigned sda = disk(f, "sda");
	unsigned sdb = disk(f, "sdb");
	begin(f, 2);
	assert_int_equal(disk(f, "sda"), sda);
	begin(f, 3);
	assert_int_equal(disk(f, "sda"), sda);
	assert_int_equal(disk(f, "sdc"), sdb);
	const struct pf_indom *dom = pf_catalog_domain_of(f->cat, READS);
	if (!dom)
		fail_msg("no domain");
	else
		assert_true(dom->n == 2 && strcmp(dom->instances[sdb].name, "sdc") == 0);
}

static void a_cut_forgets_the_predecessor(void **state)
{
	struct fixture *f = *state;
	begin(f, 1);
	pf_builder_u64(&f->b, TICKS, 0, 1);
	pf_frames_cut(&f->frames);
	begin(f, 2);
	pf_builder_u64(&f->b, TICKS, 0, 2);
	struct pf_step step = pf_frames_step(&f->frames);
	assert_null(step.prev);
	begin(f, 3);
	step = pf_frames_step(&f->frames);
	assert_non_null(step.prev);
}

static void values_of_an_older_sample_do_not_show(void **state)
{
	struct fixture *f = *state;
	for (int64_t s = 1; s <= 3; s++) {
		begin(f, s);
		if (s < 3)
			pf_builder_u64(&f->b, TICKS, 0, 1);
	}
	assert_false(pf_sample_has(f->b.sample, TICKS, 0));
}

static void a_clash_of_meaning_is_refused_and_a_repeat_is_not(void **state)
{
	struct fixture *f = *state;
	static const struct pf_metric other = { "t.ticks", PF_PMID(60, 0, 9), PF_INDOM_NONE,
						PF_U32,	   PF_COUNTER,	      PF_UNITS_COUNT,
						"" };
	unsigned base = 7;
	struct pf_err err = { 0 };
	assert_true(pf_catalog_add(f->cat, &other, 1, &base, &err) < 0);
	assert_int_equal(base, 7);
	assert_string_equal(err.text, "metric t.ticks clashes with t.ticks");
}

static void highest_number_of_an_instance_is_followed_by_zero(void **state)
{
	struct fixture *f = *state;
	struct pf_indom *dom = pf_catalog_indom(f->cat, DISKS);
	assert_int_equal(pf_indom_slot(dom, pf_view_of("a"), 0, INT32_MAX, 1), 0);
	assert_int_equal(pf_indom_slot(dom, pf_view_of("b"), 0, -1, 1), 1);
	assert_int_equal(dom->instances[0].id, INT32_MAX);
	assert_int_equal(dom->instances[1].id, 0);
}

/* As many as a hostile recording brings; looking at all of them for each of them takes a minute. */
static void many_instances_are_found_by_name(void **state)
{
	struct fixture *f = *state;
	struct pf_indom *dom = pf_catalog_indom(f->cat, DISKS);
	enum { MANY = 100000 };
	for (uint64_t seq = 1; seq <= 4; seq++) {
		for (int i = 0; i < MANY; i++) {
			char name[16];
			/* The second half has other names from the third sample on, which reuse slots in the fourth. */
			bool renamed = seq >= 3 && i >= MANY / 2;
			if (renamed && seq == 3)
				continue;
			(void)snprintf(name, sizeof(name), "%s%d", renamed ? "new" : "if", i);
			assert_int_equal(pf_indom_slot(dom, pf_view_of(name), 0, -1, seq), i);
		}
	}
	assert_int_equal(dom->n, MANY);
	assert_string_equal(dom->instances[MANY - 1].name, "new99999");
}

static void cells_are_made_for_as_many_instances_as_are_expected(void **state)
{
	struct fixture *f = *state;
	pf_indom_expect(pf_catalog_domain_of(f->cat, READS), 1000);
	begin(f, 1);
	pf_builder_u64(&f->b, READS, 0, 7);
	assert_in_range(f->b.sample->cells[READS].cap, 1000, 1200);
	pf_builder_u64(&f->b, READS, 5000, 8); /* more come than were expected */
	assert_int_equal(pf_sample_get(f->b.sample, READS, 0).u, 7);
	assert_int_equal(pf_sample_get(f->b.sample, READS, 5000).u, 8);
	assert_false(pf_sample_has(f->b.sample, READS, 4999));
	pf_builder_u64(&f->b, TICKS, 0, 9); /* nobody expects instances of a metric without them */
	assert_int_equal(f->b.sample->cells[TICKS].cap, 1);
}

static void stamps_that_begin_anew_show_no_cell_that_was_never_filled(void **state)
{
	struct fixture *f = *state;
	f->frames.seq = UINT32_MAX - 1;
	begin(f, 1);
	pf_builder_u64(&f->b, TICKS, 0, 1);
	pf_builder_u64(&f->b, READS, 1, 1);
	begin(f, 2);
	pf_builder_u64(&f->b, READS, 1, 1);
	assert_false(pf_sample_has(f->b.sample, READS, 0));
	assert_false(pf_sample_has(f->b.sample, TICKS, 0));
	assert_null(pf_frames_step(&f->frames).prev);
	begin(f, 3);
	assert_non_null(pf_frames_step(&f->frames).prev);
	assert_false(pf_sample_has(f->b.sample, READS, 0));
}

static double rate_of(struct fixture *f, unsigned metric, unsigned slot)
{
	struct pf_step step = pf_frames_step(&f->frames);
	double rate = -1;
	if (!step.prev || !pf_sample_has(step.prev, metric, slot))
		return -1;
	return pf_rate(&step, metric, slot, &rate) > 0 ? rate : -1;
}

static void metrics_with_times_of_their_own_have_rates_over_them(void **state)
{
	struct fixture *f = *state;
	f->frames.apart = true;
	begin(f, 10);
	pf_builder_u64(&f->b, TICKS, 0, 100);
	pf_builder_u64(&f->b, READS, disk(f, "sda"), 1000);
	begin(f, 11);
	pf_builder_u64(&f->b, TICKS, 0, 130);
	assert_int_equal(rate_of(f, TICKS, 0), 30);
	begin(f, 12);
	pf_builder_u64(&f->b, TICKS, 0, 170);
	begin(f, 14);
	pf_builder_u64(&f->b, READS, disk(f, "sda"), 1400);
	pf_frames_settle(&f->frames);
	assert_int_equal(rate_of(f, READS, 0), 100);
	begin(f, 15);
	pf_builder_u64(&f->b, TICKS, 0, 200);
	assert_int_equal(rate_of(f, TICKS, 0), 10);

	pf_frames_cut(&f->frames);
	begin(f, 20);
	pf_builder_u64(&f->b, TICKS, 0, 300);
	begin(f, 21);
	pf_builder_u64(&f->b, READS, disk(f, "sda"), 1500);
	assert_int_equal(rate_of(f, READS, 0), -1);
	begin(f, 22);
	pf_builder_u64(&f->b, TICKS, 0, 310);
	assert_int_equal(rate_of(f, TICKS, 0), 5);
	pf_frames_part(&f->frames);
	begin(f, 23);
	pf_builder_u64(&f->b, READS, disk(f, "sda"), 1600);
	assert_int_equal(rate_of(f, READS, 0), -1);
}

static void what_was_kept_is_not_of_the_instance_that_has_the_slot_now(void **state)
{
	struct fixture *f = *state;
	f->frames.apart = true;
	begin(f, 1);
	unsigned slot = disk(f, "sda");
	pf_builder_u64(&f->b, READS, slot, 10);
	for (int64_t s = 2; s < 5; s++) {
		begin(f, s); /* other metrics of the domain show that sda is gone */
		(void)disk(f, "sdz");
	}
	begin(f, 5);
	unsigned other = disk(f, "sdb");
	assert_int_equal(other, slot);
	pf_builder_u64(&f->b, READS, other, 15);
	assert_int_equal(rate_of(f, READS, other), 1);
	pf_frames_settle(&f->frames);
	assert_int_equal(rate_of(f, READS, other), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define CASE(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		CASE(highest_number_of_an_instance_is_followed_by_zero),
		CASE(many_instances_are_found_by_name),
		CASE(cells_are_made_for_as_many_instances_as_are_expected),
		CASE(stamps_that_begin_anew_show_no_cell_that_was_never_filled),
		CASE(the_first_sample_has_no_rates),
		CASE(a_rate_is_per_second_of_the_measured_interval),
		CASE(a_counter_that_goes_back_is_treated_as_asked),
		CASE(large_counters_differ_exactly),
		CASE(a_new_instance_starts_at_zero),
		CASE(the_slot_of_a_vanished_instance_is_used_again),
		CASE(a_cut_forgets_the_predecessor),
		CASE(metrics_with_times_of_their_own_have_rates_over_them),
		CASE(what_was_kept_is_not_of_the_instance_that_has_the_slot_now),
		CASE(values_of_an_older_sample_do_not_show),
		CASE(a_clash_of_meaning_is_refused_and_a_repeat_is_not),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
