/* groups/cgroup.c: what each file of a control group becomes, whole and line by line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "group_bench.h"

#define IS(metric, instance, value) assert_true(bench_u64(&t, metric, instance) == UINT64_C(value))

/* The row of the file @name. */
static unsigned row_of(const char *name)
{
	for (unsigned i = 0; i < pf_group_cgroup.n_rows; i++) {
		if (strcmp(pf_group_cgroup.rows[i].kind, name) == 0)
			return i;
	}
	fail_msg("no row for %s", name);
	return 0;
}

static void at(struct bench *t, const char *path)
{
	t->b.parts[0] = pf_view_of(path);
}

static void times_of_two_groups_keep_apart(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_cgroup);
	bench_begin(&t, 1);
	at(&t, "/");
	bench_text(&t, row_of("cpu.stat"), "usage_usec 30\nuser_usec 20\nsystem_usec 10\nnice_usec 1\n");
	at(&t, "/a");
	bench_text(&t, row_of("cpu.stat"),
		   "usage_usec 7\nuser_usec 5\nsystem_usec 2\nnr_periods 9\nnr_throttled 4\nthrottled_usec 1234\n");
	IS("cgroup.cpu.stat.usage", "/", 30);
	IS("cgroup.cpu.stat.user", "/a", 5);
	IS("cgroup.cpu.stat.system", "/a", 2);
	IS("perfolio.cgroup.cpu.periods", "/a", 9);
	IS("perfolio.cgroup.cpu.throttled", "/a", 4);
	IS("perfolio.cgroup.cpu.throttled_time", "/a", 1234);
	assert_false(bench_has(&t, "perfolio.cgroup.cpu.periods", "/"));
	assert_int_equal(t.b.failed, 0);
	bench_done(&t);
}

static void a_limit_of_max_has_no_value(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_cgroup);
	bench_begin(&t, 1);
	at(&t, "/a");
	bench_text(&t, row_of("cpu.max"), "max 100000\n");
	bench_text(&t, row_of("memory.max"), "max\n");
	bench_text(&t, row_of("pids.max"), "max\n");
	bench_text(&t, row_of("memory.current"), "4096\n");
	at(&t, "/b");
	bench_text(&t, row_of("cpu.max"), "50000 100000\n");
	bench_text(&t, row_of("memory.max"), "1048576\n");
	IS("perfolio.cgroup.cpu.period", "/a", 100000);
	assert_false(bench_has(&t, "perfolio.cgroup.cpu.quota", "/a"));
	assert_false(bench_has(&t, "perfolio.cgroup.memory.max", "/a"));
	IS("perfolio.cgroup.cpu.quota", "/b", 50000);
	IS("perfolio.cgroup.memory.max", "/b", 1048576);
	IS("cgroup.memory.current", "/a", 4096);
	assert_int_equal(t.b.failed, 0);
	bench_done(&t);
}

static void devices_are_told_apart_and_summed(void **state)
{
	(void)state;
	struct bench t;
	static const char *const lines[] = { "8:0 rbytes=10 wbytes=20 rios=1 wios=2 dbytes=5 dios=1",
					     "8:16 rbytes=100 wbytes=200 rios=10 wios=20 dbytes=0 dios=0", "9:0 " };
	bench_init(&t, &pf_group_cgroup);
	bench_begin(&t, 1);
	at(&t, "/a");
	for (unsigned i = 0; i < PF_N(lines); i++)
		bench_text(&t, row_of("io.stat"), lines[i]);
	IS("cgroup.io.stat.rbytes", "/a::8:0", 10);
	IS("cgroup.io.stat.wios", "/a::8:16", 20);
	IS("cgroup.io.stat.dbytes", "/a::8:0", 5);
	IS("perfolio.cgroup.io.rbytes", "/a", 110);
	IS("perfolio.cgroup.io.wios", "/a", 22);
	bench_done(&t);
}

static void memory_comes_from_its_files(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_cgroup);
	bench_begin(&t, 1);
	at(&t, "/a");
	bench_text(&t, row_of("memory.stat"),
		   "anon 1\nfile 2\nkernel 3\nkernel_stack 4\nsecret 5\nslab 6\npgmajfault 7\n");
	bench_text(&t, row_of("memory.events"), "low 0\nhigh 1\nmax 2\noom 3\noom_kill 4\noom_group_kill 5\n");
	bench_text(&t, row_of("memory.swap.current"), "77\n");
	IS("cgroup.memory.stat.anon", "/a", 1);
	IS("perfolio.cgroup.memory.kernel", "/a", 3);
	IS("cgroup.memory.stat.kernel_stack", "/a", 4);
	IS("cgroup.memory.stat.pgmajfault", "/a", 7);
	IS("perfolio.cgroup.memory.events.oom_kill", "/a", 4);
	IS("perfolio.cgroup.memory.swap", "/a", 77);
	bench_done(&t);
}

static void pressure_has_three_averages_and_a_total(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_cgroup);
	bench_begin(&t, 1);
	at(&t, "/a");
	bench_text(
		&t, row_of("io.pressure"),
		"some avg10=1.50 avg60=0.25 avg300=0.10 total=123\nfull avg10=0.50 avg60=0.00 avg300=0.00 total=45\n");
	bench_text(&t, row_of("cpu.pressure"), "full avg10=0.00 avg60=0.00 avg300=0.00 total=9\n");
	IS("cgroup.pressure.io.some.total", "/a", 123);
	IS("cgroup.pressure.io.full.total", "/a", 45);
	IS("perfolio.cgroup.pressure.cpu.full.total", "/a", 9);
	unsigned m = bench_metric(&t, "cgroup.pressure.io.some.avg1min");
	assert_true(pf_sample_get(t.b.sample, m, bench_slot(&t, "cgroup.pressure.io.some.avg1min", "/a")).d == 0.25);
	bench_done(&t);
}

/* Two paths that differ only behind what is kept are two groups all the same. */
static void very_long_paths_keep_apart(void **state)
{
	(void)state;
	struct bench t;
	char one[3000], other[3000];
	memset(one, 'x', sizeof(one));
	one[0] = '/';
	one[sizeof(one) - 1] = '\0';
	memcpy(other, one, sizeof(one));
	other[sizeof(other) - 2] = 'y';
	bench_init(&t, &pf_group_cgroup);
	bench_begin(&t, 1);
	at(&t, one);
	bench_text(&t, row_of("pids.current"), "1\n");
	at(&t, other);
	bench_text(&t, row_of("pids.current"), "2\n");
	at(&t, one);
	bench_text(&t, row_of("io.stat"), "8:0 rbytes=10\n");
	const struct pf_indom *dom = pf_catalog_domain_of(t.catalog, bench_metric(&t, "cgroup.cpu.stat.usage"));
	assert_int_equal(dom ? dom->n : 0, 2);
	bench_done(&t);
}

static void nonsense_loses_only_itself(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_cgroup);
	bench_begin(&t, 1);
	at(&t, "/a");
	bench_text(&t, row_of("cpu.stat"), "usage_usec x\nuser_usec 5\n\n \n");
	bench_text(&t, row_of("memory.current"), "-1\n");
	bench_text(&t, row_of("io.stat"), "rubbish rbytes=1\n8:0 rbytes=z wbytes=3\n");
	IS("cgroup.cpu.stat.user", "/a", 5);
	assert_false(bench_has(&t, "cgroup.cpu.stat.usage", "/a"));
	IS("cgroup.io.stat.wbytes", "/a::8:0", 3);
	assert_int_equal(t.b.failed, 3);
	bench_done(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_of_two_groups_keep_apart),
		cmocka_unit_test(a_limit_of_max_has_no_value),
		cmocka_unit_test(devices_are_told_apart_and_summed),
		cmocka_unit_test(memory_comes_from_its_files),
		cmocka_unit_test(pressure_has_three_averages_and_a_total),
		cmocka_unit_test(very_long_paths_keep_apart),
		cmocka_unit_test(nonsense_loses_only_itself),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
