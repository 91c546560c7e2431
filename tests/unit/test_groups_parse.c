/* groups/: what each group makes of its files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "group_bench.h"

#define IS(metric, instance, value) assert_true(bench_u64(&t, metric, instance) == UINT64_C(value))

static void cpu_times_are_milliseconds_of_every_column(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_cpu);
	bench_begin(&t, 1);
	bench_text(
		&t, 0,
		"cpu  1 2 3 4 5 6 7 8 9 10\ncpu0 11 2 3 4 5 6 7 8 9 1\ncpu12 1 2 3 4 5 6 7 8 0 0\nintr 456243 1 2 3\n"
		"ctxt 1060385\nbtime 1796010153\nprocesses 19892\nprocs_running 2\nprocs_blocked 1\nsoftirq 1 2 3\n");
	IS("kernel.all.cpu.user", "", 10);
	IS("kernel.all.cpu.guest_nice", "", 100);
	IS("kernel.all.cpu.intr", "", 130);
	IS("kernel.all.cpu.vuser", "", 0); /* more guest time than user time: never below 0 */
	IS("kernel.percpu.cpu.vuser", "cpu0", 20);
	IS("kernel.percpu.cpu.vnice", "cpu0", 10);
	IS("kernel.percpu.cpu.steal", "cpu12", 80);
	IS("hinv.ncpu", "", 2);
	IS("kernel.all.hz", "", 100);
	IS("kernel.all.intr", "", 456243);
	IS("kernel.all.pswitch", "", 1060385);
	IS("kernel.all.boottime", "", 1796010153);
	IS("kernel.all.sysfork", "", 19892);
	IS("kernel.all.running", "", 2);
	IS("kernel.all.blocked", "", 1);
	const struct pf_indom *dom = pf_catalog_domain_of(t.catalog, bench_metric(&t, "kernel.percpu.cpu.user"));
	assert_true(dom && dom->n > 1);
	assert_int_equal(dom ? dom->instances[bench_slot(&t, "kernel.percpu.cpu.user", "cpu12")].id : -1, 12);
	assert_int_equal(t.b.failed, 0);
	bench_done(&t);
}

static void cpu_lines_of_old_kernels_end_early(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_cpu);
	bench_begin(&t, 1);
	bench_text(&t, 0, "cpu  1 2 3 4\ncpu0 1 2 3 4 5 6 7\n");
	IS("kernel.all.cpu.idle", "", 40);
	assert_false(bench_has(&t, "kernel.all.cpu.wait.total", ""));
	assert_false(bench_has(&t, "kernel.all.cpu.intr", ""));
	IS("kernel.percpu.cpu.intr", "cpu0", 130);
	assert_false(bench_has(&t, "kernel.percpu.cpu.steal", "cpu0"));
	bench_done(&t);
}

static void cpu_loses_only_the_value_that_is_no_number(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_cpu);
	bench_begin(&t, 1);
	bench_text(&t, 0, "cpu  1 x 3 99999999999999999999 5\ncpux 1\ncpu 7");
	assert_false(bench_has(&t, "kernel.all.cpu.nice", ""));
	assert_false(bench_has(&t, "kernel.all.cpu.idle", ""));
	IS("kernel.all.cpu.wait.total", "", 50);
	assert_int_equal(t.b.failed, 2);
	bench_done(&t);
}

static void load_has_three_instances_and_four_numbers(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_cpu);
	bench_begin(&t, 1);
	bench_text(&t, 1, "0.56 0.53 10.22 2/120 55\n");
	unsigned load = bench_metric(&t, "kernel.all.load");
	assert_true(pf_sample_get(t.b.sample, load, bench_slot(&t, "kernel.all.load", "15 minute")).d == 10.22);
	IS("kernel.all.runnable", "", 2);
	IS("kernel.all.nprocs", "", 120);
	IS("kernel.all.lastpid", "", 55);
	bench_begin(&t, 2);
	bench_text(&t, 1, "bad 0.53\n");
	assert_false(bench_has(&t, "kernel.all.load", "1 minute"));
	assert_true(bench_has(&t, "kernel.all.load", "5 minute"));
	assert_true(t.b.failed > 0);
	bench_done(&t);
}

static void disk_keeps_sectors_and_derives_kbytes(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_disk);
	bench_begin(&t, 1);
	bench_text(
		&t, 0,
		"   8 0 sda 10 11 13 14 20 21 23 24 1 30 40 50 51 53 54 60 61 70\n   8 1 sda1 1 1 1 1 1 1 1 1 1 1 1\n"
		" 259 0 nvme0n1 1 2 4 8 16 32 64 128 0 1 2\n 253 0 dm-0 5 5 5 5 5 5 5 5 5 5 5\n");
	IS("disk.dev.read", "sda", 10);
	IS("disk.dev.blkread", "sda", 13);
	IS("disk.dev.read_bytes", "sda", 6);
	IS("disk.dev.total", "sda", 30);
	IS("disk.dev.total_bytes", "sda", 18);
	IS("disk.dev.total_rawactive", "sda", 38);
	IS("disk.dev.avactive", "sda", 30);
	IS("disk.dev.flush_rawactive", "sda", 61);
	IS("disk.dev.discard_bytes", "sda", 26);
	assert_false(bench_has(&t, "disk.dev.discard", "nvme0n1"));
	bench_end(&t);
	IS("disk.all.read", "", 11); /* partitions and mapped devices count once, below */
	IS("disk.all.blkwrite", "", 87);
	IS("hinv.ndisk", "", 2);
	bench_done(&t);
}

static void disk_rows_are_those_that_collectl_records(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		bool recorded, detail, sum, peer_sum;
	} cases[] = {
		{ "sda", true, true, true, true },	 { "sdaa", true, true, true, true },
		{ "vda", true, true, true, true },	 { "hdc", false, true, true, true },
		{ "dm-12", true, true, false, false },	 { "nvme0n1", true, true, true, true },
		{ "nvme10n1", true, true, true, false }, { "nvme0n1p1", false, false, false, false },
		{ "sda1", false, false, false, false },	 { "md0", false, true, false, false },
		{ "loop7", false, false, false, false }, { "mmcblk0", false, true, true, false },
		{ "psv3", true, true, false, false },	 { "emcpowera", true, true, true, true },
	};
	for (unsigned i = 0; i < PF_N(cases); i++) {
		char line[64];
		(void)snprintf(line, sizeof(line), "   8       0 %s 1 2 3", cases[i].name);
		struct pf_view kept = pf_view_of(line);
		struct pf_view name = pf_view_of(cases[i].name);
		assert_int_equal(pf_group_disk.rows[0].keep(&kept, NULL), cases[i].recorded);
		assert_int_equal(pf_group_disk.in_detail(name, false), cases[i].detail);
		assert_int_equal(pf_group_disk.in_detail(name, true), cases[i].recorded);
		assert_int_equal(pf_group_disk.in_summary(&(struct pf_judged){ .name = name }), cases[i].sum);
		assert_int_equal(pf_group_disk.in_summary(&(struct pf_judged){ .name = name, .peer = true }),
				 cases[i].peer_sum);
	}
}

static void network_names_end_at_the_colon(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_network);
	bench_begin(&t, 1);
	bench_text(&t, 0,
		   "    lo: 100 2 0 0 0 0 0 0 100 2 0 0 0 0 0 0\n"
		   "  eth0:221214676 5 1 2 3 4 5 6 7 8 9 10 11 12 13 14\n eth0.5: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n"
		   " face |bytes\n");
	IS("network.interface.in.bytes", "eth0", 221214676);
	IS("network.interface.in.mcasts", "eth0", 6);
	IS("network.interface.collisions", "eth0", 12);
	IS("network.interface.out.compressed", "eth0", 14);
	IS("network.interface.total.packets", "eth0", 13);
	IS("network.interface.total.mcasts", "eth0", 6);
	bench_end(&t);
	IS("network.all.in.bytes", "", 221214676); /* neither loopback nor the VLAN on top */
	IS("network.all.total.errors", "", 10);
	IS("hinv.ninterface", "", 3);
	bench_done(&t);
}

static void network_sums_ports_by_name_or_by_choice(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		bool plain, chosen;
	} cases[] = { { "eth0", true, true },	  { "ens3", true, true },   { "p2p1", true, true },
		      { "pxp1", false, true },	  { "bond0", false, true }, { "lo", false, true },
		      { "eth0.5", false, false }, { "ib0", true, true } };
	for (unsigned i = 0; i < PF_N(cases); i++) {
		struct pf_judged j = { .name = pf_view_of(cases[i].name), .peer = true };
		assert_int_equal(pf_group_network.in_summary(&j), cases[i].plain);
		j.filtered = true;
		assert_int_equal(pf_group_network.in_summary(&j), cases[i].chosen);
	}
}

static void memory_finds_keys_in_any_order(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_memory);
	bench_begin(&t, 1);
	bench_text(&t, 0,
		   "MemFree: 10 kB\nNewThing: 5 kB\nBuffers: 3 kB\nMemTotal: 100 kB\nCached: 20 kB\nWriteback: 1 kB\n"
		   "Dirty: 4 kB\nInactive(file): 7 kB\nInactive: 9 kB\nSwapTotal: 8 kB\nSwapFree: 5 kB\n"
		   "HugePages_Total: 3\nHugepagesize: 2048 kB\nnonsense\n: 1\n");
	IS("mem.physmem", "", 100);
	IS("mem.util.free", "", 10);
	IS("mem.util.used", "", 90);
	IS("mem.util.other", "", 67);
	IS("mem.util.inactive", "", 9);
	IS("mem.util.inactive_file", "", 7);
	IS("swap.used", "", 3072);
	IS("hinv.hugepagesize", "", 2097152);
	IS("mem.util.hugepagesTotalBytes", "", 6291456);
	bench_text(&t, 1, "pswpin 5\nunknown_counter 1\npgfault 77\nnr_shmem_hugepages 2\nnr_shmem 3\n");
	IS("mem.vmstat.pgfault", "", 77);
	IS("mem.vmstat.nr_shmem", "", 3);
	IS("mem.vmstat.nr_shmem_hugepages", "", 2);
	IS("swap.pagesin", "", 5);
	assert_int_equal(t.b.failed, 0);
	bench_done(&t);
}

static void memory_takes_half_of_a_huge_number_as_failed(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_memory);
	bench_begin(&t, 1);
	bench_text(&t, 0, "SwapTotal: 18446744073709551615 kB\nSwapFree: 1 kB\nMemFree: many kB\nHugepagesize:\n");
	IS("mem.util.swapTotal", "", 18446744073709551615);
	assert_false(bench_has(&t, "swap.length", ""));
	assert_false(bench_has(&t, "mem.util.free", ""));
	assert_true(t.b.failed >= 3);
	bench_done(&t);
}

/* Archives with other descriptors cannot be merged with those of pmlogger. */
static void levels_that_pcp_calls_counters_are_counters(void **state)
{
	(void)state;
	static const char *const names[] = { "mem.vmstat.nr_free_cma", "mem.vmstat.workingset_nodes" };
	unsigned n = 0;
	for (unsigned m = 0; m < pf_group_memory.n_metrics; m++) {
		for (unsigned i = 0; i < PF_N(names); i++) {
			if (strcmp(pf_group_memory.metrics[m].name, names[i]) != 0)
				continue;
			assert_int_equal(pf_group_memory.metrics[m].sem, PF_COUNTER);
			n++;
		}
	}
	assert_int_equal(n, PF_N(names));
}

static void vmstat_lines_of_a_raw_file_are_those_of_collectl(void **state)
{
	(void)state;
	static const struct {
		const char *line;
		bool kept;
	} cases[] = { { "nr_free_pages 1", false }, { "nr_shmem 1", true },	    { "nr_shmem_hugepages 1", true },
		      { "numa_hit 1", false },	    { "workingset_nodes 1", true }, { "pgpgin 1", true },
		      { "pgmajfault 1", true },	    { "pgrefill 1", false },	    { "thp_fault_alloc 1", false } };
	for (unsigned i = 0; i < PF_N(cases); i++) {
		struct pf_view line = pf_view_of(cases[i].line);
		assert_int_equal(pf_group_memory.rows[1].keep(&line, NULL), cases[i].kept);
	}
}

static void a_raw_file_keeps_only_the_sum_of_interrupts(void **state)
{
	(void)state;
	struct pf_view line = PF_VIEW("intr 456243 0 1 2");
	assert_true(pf_group_cpu.rows[0].keep(&line, NULL));
	assert_true(pf_view_is(line, "intr 456243"));
	line = PF_VIEW("softirq 1 2");
	assert_false(pf_group_cpu.rows[0].keep(&line, NULL));
	line = PF_VIEW("btime 1");
	assert_false(pf_group_cpu.rows[0].keep(&line, NULL));
	line = PF_VIEW("cpu0 1 2");
	assert_true(pf_group_cpu.rows[0].keep(&line, NULL));
}

static void sockets_and_inodes_are_read_by_word_and_by_place(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_sockets);
	bench_begin(&t, 1);
	bench_text(
		&t, 0,
		"sockets: used 18\nTCP: inuse 3 orphan 1 tw 156 alloc 4 mem 317\nUDP: inuse 7 mem 2 new 9\nFRAG: inuse 0 memory 5\n");
	IS("network.sockstat.total", "", 18);
	IS("network.sockstat.tcp.tw", "", 156);
	IS("network.sockstat.udp.inuse", "", 7);
	IS("network.sockstat.frag.memory", "", 5);
	bench_done(&t);

	bench_init(&t, &pf_group_inodes);
	bench_begin(&t, 1);
	bench_text(&t, 0, "153460\t149120\t45\t0\t39216\t0\n");
	bench_text(&t, 1, "114054\t10\n");
	bench_text(&t, 2, "846\t0\t9223372036854775807\n");
	IS("vfs.dentry.free", "", 149120);
	IS("vfs.inodes.free", "", 10);
	IS("vfs.files.max", "", 9223372036854775807);
	bench_done(&t);
}

static void whole_files_and_single_lines_give_the_same(void **state)
{
	(void)state;
	for (unsigned g = 0; pf_groups[g]; g++) {
		struct bench a, b;
		bench_init(&a, pf_groups[g]);
		bench_init(&b, pf_groups[g]);
		bench_begin(&a, 1);
		bench_begin(&b, 1);
		bench_fixture(&a, "linux-6.18", false);
		bench_fixture(&b, "linux-6.18", true);
		unsigned n = 0;
		for (unsigned m = 0; m < a.catalog->n_metrics; m++) {
			const struct pf_indom *dom = pf_catalog_domain_of(a.catalog, m);
			for (unsigned slot = 0; slot < (dom ? dom->n : 1); slot++) {
				bool has = pf_sample_has(a.b.sample, m, slot);
				assert_int_equal(has, pf_sample_has(b.b.sample, m, slot));
				union pf_value x = { 0 }, y = { 0 };
				if (has) {
					x = pf_sample_get(a.b.sample, m, slot);
					y = pf_sample_get(b.b.sample, m, slot);
				}
				if (has && a.catalog->metrics[m]->type == PF_STRING)
					assert_string_equal(x.s, y.s);
				else
					assert_true(x.u == y.u);
				n += has;
			}
		}
		/* Processes and what has no file have tests of their own. */
		assert_true(n >= 7 || strchr(pf_groups[g]->rows[0].path, '*') || pf_groups[g]->rows[0].made ||
			    pf_groups[g]->rows[0].command);
		assert_int_equal(a.b.failed, 0);
		assert_int_equal(b.b.failed, 0);
		bench_done(&a);
		bench_done(&b);
	}
}

static void all_groups_share_one_catalog(void **state)
{
	(void)state;
	struct pf_catalog *cat = pf_catalog_new();
	assert_non_null(cat);
	for (unsigned g = 0; pf_groups[g]; g++) {
		unsigned base = 0;
		assert_int_equal(pf_group_base(cat, pf_groups[g], &base, NULL), 0);
		for (unsigned m = 0; m < pf_groups[g]->n_metrics; m++) {
			assert_non_null(pf_groups[g]->metrics[m].name); /* no hole in a table */
			assert_non_null(pf_groups[g]->metrics[m].help);
			assert_true(pf_groups[g]->metrics[m].sem != 0);
		}
	}
	(void)pf_catalog_free(cat);
}

static void hostile_names_are_only_names(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_disk);
	bench_begin(&t, 1);
	bench_fixture(&t, "hostile", false);
	IS("disk.dev.read", "sd\033]0;x\aa", 1);
	IS("disk.dev.read", "\377\376", 1);
	bench_done(&t);
	bench_init(&t, &pf_group_network);
	bench_begin(&t, 1);
	bench_fixture(&t, "hostile", false);
	IS("network.interface.out.compressed", "e\033[2Jth", 16);
	assert_int_equal(t.b.failed, 3);
	bench_done(&t);
}

static void a_name_ends_at_a_nul_byte(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_disk);
	for (int k = 1; k <= 3; k++) {
		bench_begin(&t, k);
		static const char text[] = "8 0 sd\0a 1 2 3\n8 0 sd\0b 4 5 6\n";
		t.group->rows[0].parse((struct pf_view){ text, sizeof(text) - 1 }, &t.b);
	}
	IS("disk.dev.read", "sd", 4);
	const struct pf_indom *dom = pf_catalog_domain_of(t.catalog, t.b.base);
	assert_true(dom && dom->n == 1);
	bench_done(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cpu_times_are_milliseconds_of_every_column),
		cmocka_unit_test(cpu_lines_of_old_kernels_end_early),
		cmocka_unit_test(cpu_loses_only_the_value_that_is_no_number),
		cmocka_unit_test(load_has_three_instances_and_four_numbers),
		cmocka_unit_test(disk_keeps_sectors_and_derives_kbytes),
		cmocka_unit_test(disk_rows_are_those_that_collectl_records),
		cmocka_unit_test(network_names_end_at_the_colon),
		cmocka_unit_test(network_sums_ports_by_name_or_by_choice),
		cmocka_unit_test(memory_finds_keys_in_any_order),
		cmocka_unit_test(memory_takes_half_of_a_huge_number_as_failed),
		cmocka_unit_test(levels_that_pcp_calls_counters_are_counters),
		cmocka_unit_test(vmstat_lines_of_a_raw_file_are_those_of_collectl),
		cmocka_unit_test(a_raw_file_keeps_only_the_sum_of_interrupts),
		cmocka_unit_test(sockets_and_inodes_are_read_by_word_and_by_place),
		cmocka_unit_test(whole_files_and_single_lines_give_the_same),
		cmocka_unit_test(all_groups_share_one_catalog),
		cmocka_unit_test(hostile_names_are_only_names),
		cmocka_unit_test(a_name_ends_at_a_nul_byte),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
