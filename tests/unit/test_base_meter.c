/* base/meter.c and groups/cost.c: what is counted, and lines of it read back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/meter.h"
#include "group_bench.h"

static void counts_go_on_and_the_slowest_is_of_one_sample(void **state)
{
	(void)state;
	struct pf_meter *m = pf_meter_new();
	assert_non_null(m);
	int a = pf_meter_source(m, "proc/a");
	int b = pf_meter_source(m, "proc/b");
	assert_int_equal(pf_meter_source(m, "proc/a"), a);
	m->late_ns = 1;
	for (unsigned i = 1; i <= 2; i++) {
		pf_meter_begin(m);
		assert_int_equal(m->slowest_ns, -1);
		pf_meter_read_named(m, a, pf_meter_start(m) - 3000000, 100, "proc/a");
		pf_meter_read_named(m, b, pf_meter_start(m) - 1000000, 10, "proc/b");
		pf_meter_lap(m, b);
		pf_meter_end(m);
		assert_string_equal(m->slowest_name, "proc/a");
		assert_true(m->slowest_ns >= 3000000);
		assert_true(m->sources[b].slowest_ns < m->sources[a].slowest_ns);
		assert_int_equal(m->sources[a].bytes, 100 * i);
		assert_int_equal(m->sources[b].reads, i);
		assert_int_equal(m->late, i);
		assert_int_equal(m->samples, i);
	}
	pf_meter_begin(m);
	assert_int_equal(m->sources[a].slowest_ns, 0);
	assert_string_equal(m->slowest_name, "");
	assert_null(pf_meter_free(m));
}

static void without_a_meter_no_clock_is_read(void **state)
{
	(void)state;
	assert_int_equal(pf_meter_start(NULL), 0);
	assert_null(pf_meter_free(NULL));
}

static struct pf_view text_of(struct bench *t, unsigned metric, unsigned slot)
{
	return pf_view_of(pf_sample_get(t->b.sample, t->b.base + metric, slot).s);
}

static void lines_of_cost_become_values(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_cost);
	bench_begin(&t, 1);
	pf_group_cost.rows[0].parse(PF_VIEW("10 20 3 1 1700000000000000000 1700000000000300000 300 70 proc/8/odd name"),
				    &t.b);
	pf_group_cost.rows[1].parse(PF_VIEW("1 2 3 4 proc/stat\n5 6 7 8 module two words\n"), &t.b);
	static const uint64_t all[] = { 10, 20, 3, 1, 1700000000000000000, 1700000000000300000, 300, 70 };
	for (unsigned i = 0; i < 8; i++)
		assert_true(pf_sample_get(t.b.sample, t.b.base + i, 0).u == all[i]);
	assert_true(pf_view_is(text_of(&t, 8, 0), "proc/8/odd name"));
	const struct pf_indom *dom = pf_catalog_domain_of(t.catalog, t.b.base + 9);
	assert_non_null(dom);
	if (!dom)
		return;
	assert_int_equal(dom->n, 2);
	assert_string_equal(dom->instances[1].name, "module two words");
	for (unsigned i = 0; i < 8; i++)
		assert_int_equal(pf_sample_get(t.b.sample, t.b.base + 9 + i % 4, i / 4).u, i + 1);
	assert_int_equal(t.b.failed, 0);
	bench_done(&t);
}

static void lines_that_are_cut_or_odd_give_what_they_have(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_cost);
	bench_begin(&t, 1);
	pf_group_cost.rows[0].parse(PF_VIEW("10 x 3"), &t.b);
	pf_group_cost.rows[1].parse(PF_VIEW("1 2 3\n\n9 9 -1 9 proc/a\n"), &t.b);
	assert_int_equal(pf_sample_get(t.b.sample, t.b.base, 0).u, 10);
	assert_false(pf_sample_has(t.b.sample, t.b.base + 1, 0));
	assert_false(pf_sample_has(t.b.sample, t.b.base + 8, 0));
	const struct pf_indom *dom = pf_catalog_domain_of(t.catalog, t.b.base + 9);
	assert_non_null(dom);
	if (!dom)
		return;
	assert_int_equal(dom->n, 1);
	assert_int_equal(t.b.failed, 2);
	bench_done(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_go_on_and_the_slowest_is_of_one_sample),
		cmocka_unit_test(without_a_meter_no_clock_is_read),
		cmocka_unit_test(lines_of_cost_become_values),
		cmocka_unit_test(lines_that_are_cut_or_odd_give_what_they_have),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
