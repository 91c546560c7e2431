/* groups/: interrupts, soft interrupts, buddies, protocols, nodes, pressure: what each makes of its files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "group_bench.h"

#define IS(metric, instance, value) assert_true(bench_u64(&t, metric, instance) == UINT64_C(value))

static void interrupts_are_summed_by_line_and_by_cpu(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_interrupts);
	bench_begin(&t, 1);
	bench_text(&t, 0,
		   " 24:          1          2  IO-APIC   5-edge      ACPI:Ged\n"
		   "LOC:      51133      50445   Local timer interrupts\nERR:          7\nMIS:          3\n");
	IS("kernel.percpu.interrupts", "24::cpu1", 2);
	IS("kernel.percpu.interrupts", "LOC::cpu0", 51133);
	IS("kernel.percpu.intr", "cpu0", 51134);
	IS("kernel.percpu.intr", "cpu1", 50447);
	IS("perfolio.interrupts.percpu", "cpu0", 51144);
	IS("kernel.all.interrupts.total", "24", 3);
	IS("kernel.all.interrupts.errors", "", 7);
	IS("kernel.all.interrupts.missed", "", 3);
	assert_string_equal(bench_str(&t, "perfolio.interrupts.chip", "24"), "IO-APIC");
	assert_string_equal(bench_str(&t, "perfolio.interrupts.device", "24"), "5-edge ACPI:Ged");
	assert_string_equal(bench_str(&t, "perfolio.interrupts.device", "LOC"), "Local timer interrupts");
	assert_false(bench_has(&t, "perfolio.interrupts.chip", "LOC"));
	bench_done(&t);
}

/* With CPU 1 offline the second column is CPU 2's. */
static void the_heading_tells_which_cpus_the_columns_are(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_softirqs);
	bench_begin(&t, 1);
	bench_text(&t, 0, "                    CPU0       CPU2       \n          HI:          5          6\n");
	IS("kernel.percpu.softirqs", "HI::cpu0", 5);
	IS("kernel.percpu.softirqs", "HI::cpu2", 6);
	IS("kernel.percpu.sirq", "cpu2", 6);
	IS("kernel.all.softirqs.total", "HI", 11);
	const struct pf_indom *dom = pf_catalog_domain_of(t.catalog, bench_metric(&t, "kernel.percpu.sirq"));
	assert_int_equal(dom ? dom->instances[bench_slot(&t, "kernel.percpu.sirq", "cpu2")].id : -1, 2);
	bench_done(&t);
}

enum { MANY_CPUS = 1024, MANY_LINES = 40 };

static void many_cpus_have_a_cell_each(void **state)
{
	(void)state;
	struct bench t;
	struct pf_buf text = { 0 };
	for (unsigned line = 0; line < MANY_LINES; line++) {
		pf_buf_fmt(&text, "%u:", line);
		for (unsigned cpu = 0; cpu < MANY_CPUS; cpu++)
			pf_buf_fmt(&text, " %u", line * 10000 + cpu);
		pf_buf_str(&text, " PCI-MSI edge eth0\n");
	}
	bench_init(&t, &pf_group_interrupts);
	for (unsigned pass = 1; pass <= 2; pass++) {
		bench_begin(&t, pass);
		bench_text(&t, 0, text.p);
		IS("kernel.percpu.interrupts", "0::cpu1023", 1023);
		IS("kernel.percpu.interrupts", "39::cpu1000", 391000);
		IS("kernel.percpu.intr", "cpu1", 7800040);
	}
	const struct pf_indom *dom = pf_catalog_domain_of(t.catalog, bench_metric(&t, "kernel.percpu.interrupts"));
	assert_int_equal(dom ? dom->n : 0, MANY_CPUS * MANY_LINES);
	pf_buf_done(&text);
	bench_done(&t);
}

static void lines_that_are_no_counts_are_left_out(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_interrupts);
	bench_begin(&t, 1);
	bench_text(&t, 0, "\nno colon\n: 1 2\nXYZ:\nABC: text\n5: 99999999999999999999 1\nDEF: 1\n");
	IS("kernel.all.interrupts.total", "DEF", 1);
	const struct pf_indom *dom = pf_catalog_domain_of(t.catalog, bench_metric(&t, "kernel.all.interrupts.total"));
	assert_int_equal(dom ? dom->n : 0, 1);
	bench_done(&t);
}

static void buddies_are_named_by_zone_order_and_node(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_buddy);
	bench_begin(&t, 1);
	bench_text(
		&t, 0,
		"Node 0, zone   Normal   5743   1089 0 1\nNode 1, zone DMA32 1\nNode x, zone Normal 1\nNode 0 zone A 1\n");
	IS("mem.buddyinfo.pages", "Normal::order0::node0", 5743);
	IS("mem.buddyinfo.pages", "Normal::order1::node0", 1089);
	IS("mem.buddyinfo.total", "Normal::order1::node0", 8712);
	IS("mem.buddyinfo.pages", "DMA32::order0::node1", 1);
	IS("perfolio.buddy.free", "Normal::node0", 31716);
	const struct pf_indom *dom = pf_catalog_domain_of(t.catalog, bench_metric(&t, "perfolio.buddy.free"));
	assert_int_equal(dom ? dom->n : 0, 2);
	bench_done(&t);
}

static void numbers_are_named_by_the_line_before_even_if_they_come_alone(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_tcp);
	bench_begin(&t, 1);
	bench_text(&t, 0, "tcp-TcpExt: TCPFastRetrans OfTomorrow TW");
	bench_text(&t, 0, "tcp-TcpExt: 5 6 7");
	IS("network.tcp.fastretrans", "", 5);
	IS("network.tcp.timewaited", "", 7);
	bench_text(&t, 1, "Tcp: RtoAlgorithm MaxConn ActiveOpens\nTcp: 1 -1 x\nUdp: 1 2 3\n");
	IS("network.tcp.rtoalgorithm", "", 1);
	IS("network.tcp.maxconn", "", 18446744073709551615);
	assert_false(bench_has(&t, "network.tcp.activeopens", ""));
	assert_false(bench_has(&t, "network.udp.indatagrams", "")); /* nobody said what its numbers are */
	assert_int_equal(t.b.failed, 1);
	bench_done(&t);
}

static void only_chosen_protocols_are_recorded(void **state)
{
	(void)state;
	const struct pf_row *row = &pf_group_tcp.rows[1];
	const struct pf_line_filter filter = { .variants = PF_TCP_UDP };
	struct pf_view udp = PF_VIEW("Udp: 1 2"), tcp = PF_VIEW("Tcp: 1 2"), lite = PF_VIEW("UdpLite: 1");
	assert_true(row->keep(&udp, &filter));
	assert_false(row->keep(&tcp, &filter));
	assert_false(row->keep(&lite, NULL));
	struct pf_view net = PF_VIEW("net 1 2 3 4"), three = PF_VIEW("proc3 1 2"), four = PF_VIEW("nfsc-proc4 1 2");
	const struct pf_line_filter third = { .variants = PF_NFS_C3 };
	assert_true(pf_group_nfs.rows[0].keep(&net, &third));
	assert_true(pf_group_nfs.rows[0].keep(&three, &third));
	assert_false(pf_group_nfs.rows[0].keep(&four, &third));
}

static void calls_of_nfs_are_counted_by_operation_and_by_side(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_nfs);
	bench_begin(&t, 1);
	bench_text(&t, 0, "nfsc-proc3 22 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22\nrpc 30 31 32\n");
	bench_text(
		&t, 1,
		"proc4ops 40 0 0 0 3 0 5 6 0 0 9 10 11 0 0 0 15 0 0 18 0 0 0 22 0 0 25 26 27 28 29 0 0 0 0 34 0 0 0 38 0\n"
		"ra 32 1 2 3 0 0 0 0 0 0 4 5\n");
	IS("nfs3.client.reqs", "null", 1);
	IS("nfs3.client.reqs", "commit", 22);
	IS("nfs3.client.calls", "", 253);
	IS("perfolio.nfs.read", "Clt3", 7);
	IS("perfolio.nfs.client.meta", "Clt3", 49);
	IS("perfolio.nfs.server.reads", "Svr4", 25);
	IS("perfolio.nfs.server.meta", "Svr4", 87);
	IS("nfs4.server.reqs", "putfh", 22);
	IS("rpc.client.rpcretrans", "", 31);
	IS("rpc.server.ra_hits", "", 10);
	assert_false(bench_has(&t, "perfolio.nfs.server.reads", "Clt3"));
	assert_int_equal(t.b.failed, 0);
	bench_done(&t);
}

/* How many follow is told by the line: more than it says, or than there can be, are not looked at. */
static void counts_of_operations_are_limits_and_no_promises(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_nfs);
	bench_begin(&t, 1);
	bench_text(&t, 0, "proc3 2 1 2 3 4\nproc2 18446744073709551615 5\nproc4\n");
	IS("nfs3.client.calls", "", 3);
	IS("nfs.client.calls", "", 5);
	assert_false(bench_has(&t, "nfs4.client.calls", ""));
	bench_done(&t);
}

static void nodes_are_told_by_the_line(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_numa);
	bench_begin(&t, 1);
	bench_text(&t, 0,
		   "Node 0 MemFree:  10 kB\nNode 3 MemFree:  20 kB\nNode 3 AnonHugePages: 4 kB\nNode 3 New: 1 kB\n");
	bench_text(&t, 1, "Node 3 numa_hit 77\nNode x numa_hit 1\nnuma_hit 9\n");
	IS("mem.numa.util.free", "node0", 10);
	IS("mem.numa.util.free", "node3", 20);
	IS("perfolio.numa.anonhugepages", "node3", 4);
	IS("mem.numa.alloc.hit", "node3", 77);
	assert_false(bench_has(&t, "mem.numa.alloc.hit", "node0"));
	bench_done(&t);
}

static void pressure_has_averages_and_a_total(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_pressure);
	bench_begin(&t, 1);
	bench_text(
		&t, 2,
		"some avg10=0.13 avg60=0.23 avg300=x total=42288957\nfull avg10=0.00 total=12389894\nnone total=1\n");
	IS("kernel.all.pressure.io.some.total", "", 42288957);
	IS("kernel.all.pressure.io.full.total", "", 12389894);
	unsigned m = bench_metric(&t, "kernel.all.pressure.io.some.avg");
	unsigned slot = bench_slot(&t, "kernel.all.pressure.io.some.avg", "1 minute");
	double v = pf_sample_get(t.b.sample, m, slot).d;
	assert_true(v > 0.2299 && v < 0.2301);
	assert_int_equal(t.b.failed, 1);
	bench_done(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(interrupts_are_summed_by_line_and_by_cpu),
		cmocka_unit_test(the_heading_tells_which_cpus_the_columns_are),
		cmocka_unit_test(many_cpus_have_a_cell_each),
		cmocka_unit_test(lines_that_are_no_counts_are_left_out),
		cmocka_unit_test(buddies_are_named_by_zone_order_and_node),
		cmocka_unit_test(numbers_are_named_by_the_line_before_even_if_they_come_alone),
		cmocka_unit_test(only_chosen_protocols_are_recorded),
		cmocka_unit_test(calls_of_nfs_are_counted_by_operation_and_by_side),
		cmocka_unit_test(counts_of_operations_are_limits_and_no_promises),
		cmocka_unit_test(nodes_are_told_by_the_line),
		cmocka_unit_test(pressure_has_averages_and_a_total),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
