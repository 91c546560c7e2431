/* Processes: what the texts of /proc/PID mean, whatever names and numbers somebody chose. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "group_bench.h"
#include "groups/list.h"

enum { STAT, STATUS, CMDLINE, IO };

static void bench_process(struct bench *t)
{
	bench_init(t, &pf_group_process);
	t->b.page_size = 4096;
	bench_begin(t, 1);
}

static void give(struct bench *t, int32_t pid, unsigned row, struct pf_view text)
{
	t->b.owner = pid;
	t->group->rows[row].parse(text, &t->b);
}

static void stat_of(struct bench *t, int32_t pid, const char *name, const char *state, unsigned utime, unsigned start)
{
	char text[1024];
	int n = snprintf(
		text, sizeof(text),
		"%d (%s) %s 7 1 1 0 -1 4194560 11 22 33 44 %u 66 77 88 -51 -20 3 0 %u 10240 5 99 1 2 3 4 5 6 7 8 "
		"9 10 11 12 17 1 0 0 0 0 0\n",
		pid, name, state, utime, start);
	give(t, pid, STAT, (struct pf_view){ text, (size_t)n });
}

static struct pf_indom *domain(const struct bench *t)
{
	struct pf_indom *dom = pf_catalog_domain_of(t->catalog, t->b.base);
	if (!dom)
		abort();
	return dom;
}

static unsigned n_processes(const struct bench *t)
{
	return domain(t)->n;
}

static const char *text_of(const struct bench *t, const char *metric, unsigned slot)
{
	unsigned m = bench_metric(t, metric);
	assert_true(pf_sample_has(t->b.sample, m, slot));
	return pf_sample_get(t->b.sample, m, slot).s;
}

static void fields_are_found_behind_the_name(void **state)
{
	(void)state;
	struct bench t;
	bench_process(&t);
	stat_of(&t, 12, "sh", "S", 55, 1234);
	assert_int_equal(bench_u64(&t, "proc.psinfo.ppid", "000012 sh"), 7);
	assert_int_equal(bench_u64(&t, "proc.psinfo.minflt", "000012 sh"), 11);
	assert_int_equal(bench_u64(&t, "proc.psinfo.utime", "000012 sh"), 550);
	assert_int_equal((int64_t)bench_u64(&t, "proc.psinfo.priority", "000012 sh"), -51);
	assert_int_equal(bench_u64(&t, "proc.psinfo.threads", "000012 sh"), 3);
	assert_int_equal(bench_u64(&t, "proc.psinfo.start_time", "000012 sh"), 12340);
	assert_int_equal(bench_u64(&t, "proc.psinfo.vsize", "000012 sh"), 10);
	assert_int_equal(bench_u64(&t, "proc.psinfo.rss", "000012 sh"), 20);
	assert_int_equal(bench_u64(&t, "proc.psinfo.processor", "000012 sh"), 1);
	assert_int_equal(t.b.failed, 0);
	bench_done(&t);
}

static void a_name_may_hold_anything(void **state)
{
	(void)state;
	static const char *const names[] = { "a b",	"a) S 1 1", "((",	"))",	 ") R 2 (",
					     "\033[2J", "a\nb",	    "\xff\xfe", "\"\\'", "" };
	for (unsigned i = 0; i < PF_N(names); i++) {
		struct bench t;
		bench_process(&t);
		stat_of(&t, 5, names[i], "R", 1, 10);
		assert_string_equal(text_of(&t, "proc.psinfo.cmd", 0), names[i]);
		assert_string_equal(text_of(&t, "proc.psinfo.sname", 0), "R");
		unsigned ppid = bench_metric(&t, "proc.psinfo.ppid");
		assert_int_equal(pf_sample_get(t.b.sample, ppid, 0).u, 7);
		bench_done(&t);
	}
}

static void keys_of_status_and_io_are_taken_by_name(void **state)
{
	(void)state;
	struct bench t;
	bench_process(&t);
	stat_of(&t, 8, "x", "S", 1, 10);
	give(&t, 8, STATUS,
	     PF_VIEW("Name:\tx\nTgid:\t8\nUid:\t1000\t0\t0\t0\nGid:\t5\nVmSize:\t    4876 kB\nVmRSS:\t3772 kB\nThreads:\t1\n"
		     "voluntary_ctxt_switches:\t10\nnonvoluntary_ctxt_switches:\t3\n"));
	give(&t, 8, IO,
	     PF_VIEW("rchar: 1\nwchar: 2\nsyscr: 3\nsyscw: 4\nread_bytes: 5\nwrite_bytes: 6\ncancelled_write_bytes: 7\n"));
	assert_int_equal(bench_u64(&t, "proc.id.uid", "000008 x"), 1000);
	assert_int_equal(bench_u64(&t, "proc.memory.vmsize", "000008 x"), 4876);
	assert_int_equal(bench_u64(&t, "proc.psinfo.nvctxsw", "000008 x"), 3);
	assert_int_equal(bench_u64(&t, "proc.io.cancelled_write_bytes", "000008 x"), 7);
	assert_int_equal(t.b.failed, 0);
	bench_done(&t);
}

static void a_command_line_shows_blanks_for_its_nuls(void **state)
{
	(void)state;
	struct bench t;
	bench_process(&t);
	stat_of(&t, 8, "x", "S", 1, 10);
	give(&t, 8, CMDLINE, (struct pf_view){ "sh\0-c\0ls \n", 10 });
	assert_string_equal(text_of(&t, "proc.psinfo.psargs", 0), "sh -c ls \n");
	stat_of(&t, 9, "kthreadd", "S", 1, 10);
	give(&t, 9, CMDLINE, PF_VIEW(""));
	assert_false(bench_has(&t, "proc.psinfo.psargs", "000009 kthreadd"));
	bench_done(&t);
}

static void a_number_used_again_is_another_process(void **state)
{
	(void)state;
	struct bench t;
	bench_process(&t);
	stat_of(&t, 8, "old", "S", 100, 10);
	unsigned utime = bench_metric(&t, "proc.psinfo.utime");
	bench_begin(&t, 2);
	stat_of(&t, 8, "old", "S", 5, 20);
	give(&t, 8, IO, PF_VIEW("rchar: 9\n"));
	struct pf_indom *dom = domain(&t);
	int slot = pf_indom_find_numbered(dom, 8, t.b.sample->seq);
	assert_int_equal(slot, 1);
	assert_false(pf_sample_has(t.b.sample, utime, 0));
	assert_int_equal(pf_sample_get(t.b.sample, utime, 1).u, 50);
	assert_int_equal(pf_sample_get(t.b.sample, bench_metric(&t, "proc.io.rchar"), 1).u, 9);
	bench_done(&t);
}

static void an_exec_keeps_the_process_and_changes_its_name(void **state)
{
	(void)state;
	struct bench t;
	bench_process(&t);
	stat_of(&t, 8, "sh", "S", 100, 10);
	bench_begin(&t, 2);
	stat_of(&t, 8, "ls", "R", 120, 10);
	assert_int_equal(bench_u64(&t, "proc.psinfo.utime", "000008 ls"), 1200);
	assert_int_equal(n_processes(&t), 1);
	bench_done(&t);
}

static void what_is_left_of_a_vanished_process_is_nothing(void **state)
{
	(void)state;
	struct bench t;
	bench_process(&t);
	give(&t, 8, STATUS, PF_VIEW("VmSize:\t1 kB\n")); /* its stat could not be read */
	give(&t, 8, STAT, PF_VIEW("8 (sh) S 1 2\n"));
	give(&t, 8, STAT, PF_VIEW("8 sh S\n"));
	give(&t, 8, STAT, PF_VIEW(""));
	assert_int_equal(n_processes(&t), 0);
	assert_int_equal(t.b.failed, 3);
	bench_done(&t);
}

/* What was sampled at the second interval stays the predecessor until it is sampled again. */
static void samples_in_between_do_not_cut_the_second_interval(void **state)
{
	(void)state;
	struct bench t;
	bench_process(&t);
	t.b.sample->second = true;
	stat_of(&t, 8, "sh", "S", 100, 10);
	for (int64_t i = 2; i <= 4; i++)
		bench_begin(&t, i * 1000);
	t.b.sample->second = true;
	stat_of(&t, 8, "sh", "S", 130, 10);
	struct pf_step step = pf_frames_step(&t.frames);
	double d = 0;
	assert_int_equal(step.second_ns, 3999);
	assert_int_equal(step.interval_ns, 1000);
	assert_int_equal(pf_delta(&step, bench_metric(&t, "proc.psinfo.utime"), 0, PF_RESET_SKIP, &d), 1);
	assert_true(d == 300);
	if (!step.prev)
		abort();
	assert_string_equal(pf_sample_get(step.prev, bench_metric(&t, "proc.psinfo.cmd"), 0).s, "sh");
	pf_frames_cut(&t.frames);
	bench_begin(&t, 5000);
	t.b.sample->second = true;
	assert_int_equal(pf_frames_step(&t.frames).second_ns, 0);
	bench_done(&t);
}

static void a_thousand_processes_are_found_by_number(void **state)
{
	(void)state;
	struct bench t;
	bench_process(&t);
	for (int32_t round = 0; round < 3; round++) {
		bench_begin(&t, 10 + round);
		for (int32_t pid = 1; pid <= 1000; pid++) {
			stat_of(&t, pid + round * 500, "p", "S", 1, 10);
			give(&t, pid + round * 500, STATUS, PF_VIEW("VmSize:\t1 kB\n"));
		}
	}
	struct pf_indom *dom = domain(&t);
	assert_true(dom->n <= 2000); /* places of those that are gone are used again */
	assert_int_equal(bench_u64(&t, "proc.memory.vmsize", "001700 p"), 1);
	assert_int_equal(pf_indom_find_numbered(dom, 1, t.b.sample->seq), -ENOENT);
	bench_done(&t);
}

static void a_slab_tells_objects_slabs_and_bytes(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_slab);
	t.b.page_size = 4096;
	bench_begin(&t, 1);
	bench_text(
		&t, 0,
		"TCP 26 28 2368 13 8 : tunables 0 0 0 : slabdata 2 3 0\nbad x 1 1 1 1 : tunables 0 0 0 : slabdata 1 1 0\n"
		"short 1 2\n");
	assert_int_equal(bench_u64(&t, "mem.slabinfo.objects.active", "TCP"), 26);
	assert_int_equal(bench_u64(&t, "mem.slabinfo.slabs.active", "TCP"), 2);
	assert_int_equal(bench_u64(&t, "mem.slabinfo.slabs.total_size", "TCP"), 3 * 8 * 4096);
	assert_int_equal(n_processes(&t), 1);
	assert_int_equal(t.b.failed, 2);
	bench_done(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_are_found_behind_the_name),
		cmocka_unit_test(a_name_may_hold_anything),
		cmocka_unit_test(keys_of_status_and_io_are_taken_by_name),
		cmocka_unit_test(a_command_line_shows_blanks_for_its_nuls),
		cmocka_unit_test(a_number_used_again_is_another_process),
		cmocka_unit_test(an_exec_keeps_the_process_and_changes_its_name),
		cmocka_unit_test(what_is_left_of_a_vanished_process_is_nothing),
		cmocka_unit_test(samples_in_between_do_not_cut_the_second_interval),
		cmocka_unit_test(a_thousand_processes_are_found_by_number),
		cmocka_unit_test(a_slab_tells_objects_slabs_and_bytes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
