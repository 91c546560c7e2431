/* Which devices are wanted, which count: model/select.c, model/choice.c, model/remap.c, and sums of rates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/err.h"
#include "group_bench.h"
#include "model/choice.h"
#include "model/rates.h"
#include "model/remap.h"

#define IS(metric, instance, v) assert_int_equal(bench_u64(&t, metric, instance), v)

/* A line of diskstats in which everything is @n. */
static void disk(struct bench *t, const char *name, unsigned n)
{
	char line[256];
	(void)snprintf(line, sizeof(line), "   8 0 %s %u %u %u %u %u %u %u %u 0 %u %u\n", name, n, n, n, n, n, n, n, n,
		       n, n);
	bench_text(t, 0, line);
}

/* As the raw source does: which metrics are sums of which. */
static void note_sums(struct bench *t)
{
	for (unsigned i = 0; i < t->group->n_sums; i++) {
		for (unsigned k = 0; k < t->group->sums[i].n; k++)
			t->catalog->metric_sums[t->b.base + t->group->sums[i].all + k] =
				t->b.base + t->group->sums[i].each + k;
	}
}

static enum pf_device look(void *arg, uint32_t indom, struct pf_view name)
{
	(void)arg;
	(void)indom;
	return pf_view_is(name, "sdb")	   ? PF_DEVICE_ABOVE
	       : pf_view_is(name, "weird") ? PF_DEVICE_OWN
	       : pf_view_is(name, "eth0")  ? PF_DEVICE_ABOVE
	       : pf_view_is(name, "lan7")  ? PF_DEVICE_OWN
					   : PF_DEVICE_UNKNOWN;
}

static void each_byte_counts_once_by_name(void **state)
{
	(void)state;
	struct bench t;
	static const char *const names[] = { "sda",	 "sda1",       "dm-0",	  "md0",       "loop0", "zram0", "ram1",
					     "nvme12n3", "nvme12n3p1", "mmcblk0", "mmcblk0p1", "rbd4",	"vdb" };
	bench_init(&t, &pf_group_disk);
	bench_begin(&t, 1);
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		disk(&t, names[i], 10);
	bench_end(&t);
	IS("hinv.ndisk", "", 5); /* sda nvme12n3 mmcblk0 rbd4 vdb */
	IS("disk.all.read", "", 50);
	bench_done(&t);
}

static void sys_knows_better_than_names(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_disk);
	t.catalog->device = (struct pf_device_look){ look, NULL };
	bench_begin(&t, 1);
	disk(&t, "sda", 1);
	disk(&t, "sdb", 10);
	disk(&t, "weird", 100);
	bench_end(&t);
	IS("disk.all.read", "", 101);
	bench_done(&t);

	bench_init(&t, &pf_group_network);
	t.catalog->device = (struct pf_device_look){ look, NULL };
	bench_begin(&t, 1);
	bench_text(&t, 0,
		   "eth0: 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\nlan7: 2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
		   "eth1: 4 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\nveth1: 8 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n");
	bench_end(&t);
	IS("network.all.in.bytes", "", 6);
	bench_done(&t);
}

static void paths_of_an_nvme_disk_count_only_where_the_disk_does_not(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_disk);
	bench_begin(&t, 1);
	disk(&t, "nvme0c0n1", 7);
	disk(&t, "nvme0c1n1", 5);
	disk(&t, "nvme0n1", 12);
	disk(&t, "nvme1c3n1", 4);
	disk(&t, "nvme1n1", 0);	  /* this kernel counts at the paths alone */
	disk(&t, "nvme2c0n1", 1); /* the disk was not recorded */
	bench_end(&t);
	IS("disk.all.read", "", 12 + 4 + 1);
	bench_done(&t);
}

static void a_filter_decides_for_rows_and_sums(void **state)
{
	(void)state;
	static const struct {
		const char *filter;
		uint64_t sum;
		unsigned kept;
	} cases[] = { { "dm-", 4, 1 }, { "^sdb", 1, 3 }, { "sd", 1 + 2 + 8, 3 }, { "nothing", 0, 0 } };
	static const struct pf_group *const groups[] = { &pf_group_disk, NULL };
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bench t;
		struct pf_instance_filter *filter = NULL;
		assert_int_equal(pf_filter_new('d', cases[i].filter, NULL, &filter, NULL), 0);
		struct pf_select select = { .filters = filter, .groups = groups };
		bench_init(&t, &pf_group_disk);
		t.catalog->select = &select;
		bench_begin(&t, 1);
		disk(&t, "sda", 1);
		disk(&t, "sdb", 2);
		disk(&t, "dm-0", 4);
		disk(&t, "sda1", 8);
		bench_end(&t);
		if (cases[i].sum > 0)
			IS("disk.all.read", "", cases[i].sum);
		unsigned kept, all, told = 0;
		unsigned metric = bench_metric(&t, "disk.dev.read");
		assert_true(pf_select_count(t.catalog, 'd', t.b.sample, &kept, &all));
		assert_int_equal(kept, cases[i].kept);
		assert_int_equal(all, 4);
		for (unsigned slot = 0; slot < 4; slot++)
			told += pf_select_tells(t.catalog, metric, slot, t.b.sample);
		assert_int_equal(told, cases[i].kept);
		bench_done(&t);
		(void)pf_filter_free(filter);
	}
}

static double sum_rate(struct bench *t, int *ret_rc)
{
	struct pf_step step = pf_frames_step(&t->frames);
	double rate = -1;
	*ret_rc = pf_rate(&step, bench_metric(t, "disk.all.read"), 0, &rate);
	return rate;
}

static void a_sum_moves_by_what_its_devices_do(void **state)
{
	(void)state;
	struct bench t;
	int rc;
	bench_init(&t, &pf_group_disk);
	note_sums(&t);
	bench_begin(&t, 0);
	disk(&t, "sda", 100);
	bench_end(&t);
	bench_begin(&t, 1000000000);
	disk(&t, "sda", 103);
	disk(&t, "sdb", 1000000); /* plugged in */
	bench_end(&t);
	assert_true(sum_rate(&t, &rc) == 3 && rc == 1);
	bench_begin(&t, 2000000000);
	disk(&t, "sdb", 1000004); /* sda is gone */
	bench_end(&t);
	assert_true(sum_rate(&t, &rc) == 4 && rc == 1);
	bench_begin(&t, 3000000000);
	disk(&t, "sda", 5); /* and back, with smaller counters */
	disk(&t, "sdb", 1000005);
	bench_end(&t);
	assert_true(sum_rate(&t, &rc) == 1 && rc == 1);
	bench_begin(&t, 4000000000);
	disk(&t, "sda", 4); /* started anew between two samples */
	disk(&t, "sdb", 1000006);
	bench_end(&t);
	(void)sum_rate(&t, &rc);
	assert_int_equal(rc, 0);
	bench_done(&t);
}

static void counters_wrap_jump_and_go_back(void **state)
{
	(void)state;
	static const struct {
		unsigned before, after;
		enum pf_reset reset;
		int rc;
		double d;
	} cases[] = {
		{ 10, 15, PF_RESET_SKIP, 1, 5 },	{ 15, 10, PF_RESET_SKIP, 0, 0 },
		{ 15, 10, PF_RESET_NEGATIVE, 1, -5 },	{ 4294967295, 4, PF_RESET_WRAP32, 1, 5 },
		{ 4294967295, 4, PF_RESET_SKIP, 0, 0 }, { 7, 7, PF_RESET_SKIP, 1, 0 },
	};
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bench t;
		double d = 0;
		bench_init(&t, &pf_group_disk);
		bench_begin(&t, 0);
		disk(&t, "sda", cases[i].before);
		bench_begin(&t, 1000000000);
		disk(&t, "sda", cases[i].after);
		struct pf_step step = pf_frames_step(&t.frames);
		assert_int_equal(pf_delta(&step, bench_metric(&t, "disk.dev.read"), 0, cases[i].reset, &d),
				 cases[i].rc);
		assert_true(d == cases[i].d);
		bench_done(&t);
	}
}

static void names_change_rule_after_rule(void **state)
{
	(void)state;
	static const struct {
		const char *rules, *name, *want;
	} cases[] = { { "nvme0n1:fast", "nvme0n1", "fast" },
		      { "sd:XX,vd(.):d$1", "vda", "d$1" },
		      { "a:b,b:c", "sda", "sdc" },
		      { "d:dd", "sdad", "sddad" },
		      { "vda:", "vda", "" },
		      { "a:b:c", "vda", "vdb" },
		      { "^x:y", "sdx", "sdx" } };
	char buf[PF_REMAP_NAME_MAX];
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pf_remap *r = NULL;
		assert_int_equal(pf_remap_new(&r, cases[i].rules, NULL), 0);
		assert_true(pf_view_is(pf_remap_name(r, pf_view_of(cases[i].name), buf), cases[i].want));
		(void)pf_remap_free(r);
	}
	static const char *const wrong[] = { "vda", ",a:b", "[:x", "" };
	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct pf_remap *r = NULL;
		struct pf_err err = { 0 };
		assert_int_equal(pf_remap_new(&r, wrong[i], &err), -EINVAL);
		assert_null(r);
		assert_true(err.text[0] != '\0');
	}
}

static void lines_are_chosen_as_a_whole(void **state)
{
	(void)state;
	static const struct {
		const char *want;
		bool add;
		const char *ignore;
		bool usual, takes;
	} cases[] = { { " sd[a-z]+ ", false, NULL, false, true }, { "^sd", false, NULL, true, false },
		      { "md", true, NULL, true, true },		  { "md", true, NULL, false, false },
		      { NULL, false, "sda", true, false },	  { "sda", false, "vd|sda", true, false },
		      { NULL, false, "vd", true, true } };
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pf_choice *c = NULL;
		assert_int_equal(pf_choice_new(&c, cases[i].want, cases[i].add, cases[i].ignore, NULL), 0);
		assert_int_equal(pf_choice_takes(c, PF_VIEW("   8       0 sda 1 2 3"), cases[i].usual), cases[i].takes);
		(void)pf_choice_free(c);
	}
}

static void lines_of_old_and_new_kernels_are_understood(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_disk);
	bench_begin(&t, 1);
	bench_text(&t, 0,
		   "   8 0 sda 1 2 3 4 5 6 7 8 9 10 11\n"			      /* 2.6 */
		   "   8 16 sdb 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n"		      /* 4.18 */
		   "   8 32 sdc 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17\n"	      /* 5.5 */
		   "   8 48 sdd 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20\n" /* who knows */
		   "   8 1 sda1 5 6 7 8\n"					      /* partitions before 2.6.25 */
		   "   8 64 sde 1 x 3\n   8\n\n");
	bench_end(&t);
	IS("disk.dev.aveq", "sda", 11);
	assert_false(bench_has(&t, "disk.dev.discard", "sda"));
	IS("disk.dev.discard_rawactive", "sdb", 15);
	IS("disk.dev.flush_rawactive", "sdc", 17);
	IS("disk.dev.flush_rawactive", "sdd", 17);
	assert_false(bench_has(&t, "disk.dev.read_merge", "sde"));
	bench_done(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_byte_counts_once_by_name),
		cmocka_unit_test(sys_knows_better_than_names),
		cmocka_unit_test(paths_of_an_nvme_disk_count_only_where_the_disk_does_not),
		cmocka_unit_test(a_filter_decides_for_rows_and_sums),
		cmocka_unit_test(a_sum_moves_by_what_its_devices_do),
		cmocka_unit_test(counters_wrap_jump_and_go_back),
		cmocka_unit_test(names_change_rule_after_rule),
		cmocka_unit_test(lines_are_chosen_as_a_whole),
		cmocka_unit_test(lines_of_old_and_new_kernels_are_understood),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
