/* groups/ of -s h: what each makes of its files and of what was asked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "group_bench.h"

#define IS(metric, instance, value)   assert_true(bench_u64(&t, metric, instance) == UINT64_C(value))
#define SAYS(metric, instance, value) assert_string_equal(bench_str(&t, metric, instance), value)

/* Row of @group whose file is @path. */
static unsigned row_of(const struct pf_group *group, const char *path)
{
	for (unsigned i = 0; i < group->n_rows; i++) {
		if (strcmp(group->rows[i].path, path) == 0)
			return i;
	}
	fail_msg("no row %s", path);
	return 0;
}

#define TEXT(path, text) bench_text(&t, row_of(t.group, path), text)

static double real(const struct bench *t, const char *metric, const char *instance)
{
	assert_true(bench_has(t, metric, instance));
	return pf_sample_get(t->b.sample, bench_metric(t, metric), bench_slot(t, metric, instance)).d;
}

static void zones_without_pages_are_left_out_and_nodes_are_told_once(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_zones);
	bench_begin(&t, 1);
	t.b.page_size = 4096;
	TEXT("proc/zoneinfo",
	     "Node 0, zone      DMA\n  per-node stats\n      nr_dirty     7\n  pages free     3\n        min      2\n"
	     "        present  9\n        protection: (0, 2939)\n      nr_free_pages 3\n  pagesets\n    cpu: 0\n"
	     "              high:     5\n  start_pfn: 1\n"
	     "Node 0, zone  Movable\n  pages free     4\n        present  0\n        protection: (0, 0)\n");
	IS("mem.zoneinfo.nr_dirty", "node0", 28);
	IS("mem.zoneinfo.free", "DMA::node0", 12);
	IS("mem.zoneinfo.min", "DMA::node0", 8);
	IS("mem.zoneinfo.present", "DMA::node0", 36);
	IS("mem.zoneinfo.nr_free_pages", "DMA::node0", 12);
	IS("mem.zoneinfo.protection", "DMA::node0::lowmem_reserved1", 11756);
	assert_false(bench_has(&t, "mem.zoneinfo.high", "DMA::node0")); /* that of a CPU's set */
	const struct pf_indom *zones = pf_catalog_domain_of(t.catalog, bench_metric(&t, "mem.zoneinfo.free"));
	assert_int_equal(zones ? zones->n : 0, 2);
	bench_done(&t);
}

static void ip6_takes_known_words_in_any_order(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_ip6);
	bench_begin(&t, 1);
	TEXT("proc/net/snmp6", "Udp6NoPorts \t5\nIp6InReceives                   \t12\nIp6InFuture 3\nIcmp6InMsgs x\n");
	TEXT("proc/net/sockstat6", "TCP6: inuse 4\nFRAG6: inuse 1 memory 2\nSCTP6: inuse 9\nTCP6\n\n");
	IS("network.ip6.inreceives", "", 12);
	IS("network.udp6.noports", "", 5);
	IS("network.sockstat.tcp6.inuse", "", 4);
	IS("network.sockstat.frag6.inuse", "", 1);
	IS("network.sockstat.frag6.memory", "", 2);
	assert_false(bench_has(&t, "network.icmp6.inmsgs", ""));
	bench_done(&t);
}

static void softnet_lines_are_hexadecimal_and_name_their_cpu(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_softnet);
	bench_begin(&t, 1);
	TEXT("proc/net/softnet_stat",
	     "0000001f 00000001 00000002 0 0 0 0 0 00000003 00000004 00000005 00000000 00000000 0 0\n"
	     "00000001 00000000 00000000 0 0 0 0 0 00000000 00000000 00000000 00000000 00000002 0 0\n");
	IS("network.softnet.processed", "", 32);
	IS("network.softnet.percpu.processed", "cpu0", 31);
	IS("network.softnet.percpu.processed", "cpu2", 1);
	IS("network.softnet.percpu.flow_limit_count", "cpu0", 5);
	bench_done(&t);
}

static void processors_have_facts_and_nodes(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_processors);
	bench_begin(&t, 1);
	TEXT("proc/cpuinfo",
	     "vendor_id\t: Lost\nprocessor\t: 0\nvendor_id\t: GenuineIntel\nmodel\t\t: 85\nmodel name\t: A CPU @ 2\n"
	     "cpu MHz\t\t: 2596.142\ncache size\t: 1024 KB\nflags\t\t: fpu vme\n\nprocessor\t: 11\nstepping\t: 4\n"
	     "cpu MHz\t\t: fast\n");
	t.b.owner = 0;
	TEXT("sys/devices/system/node/node[0-9]*/cpulist", "0-1,11\n");
	SAYS("hinv.cpu.vendor", "cpu0", "GenuineIntel");
	SAYS("hinv.cpu.model", "cpu0", "85");
	SAYS("hinv.cpu.model_name", "cpu0", "A CPU @ 2");
	SAYS("hinv.cpu.flags", "cpu0", "fpu vme");
	SAYS("hinv.cpu.stepping", "cpu11", "4");
	IS("hinv.cpu.cache", "cpu0", 1024);
	IS("hinv.map.cpu_node", "cpu11", 0);
	assert_true(real(&t, "hinv.cpu.clock", "cpu0") == 2596.142);
	assert_false(bench_has(&t, "hinv.cpu.clock", "cpu11"));
	assert_int_equal(t.b.failed, 1);
	bench_done(&t);
}

static void lists_of_cpus_that_make_no_sense_end_there(void **state)
{
	(void)state;
	static const char *const texts[] = { "",    "\n", "-", "5-3", "x", "1-", "99999999999999999999", "0-4294967295",
					     "1,,2" };
	for (unsigned i = 0; i < PF_N(texts); i++) {
		struct bench t;
		bench_init(&t, &pf_group_host);
		bench_begin(&t, 1);
		TEXT("sys/devices/system/cpu/online", texts[i]);
		bench_done(&t);
	}
}

static void filesystems_have_sizes_in_kilobytes(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_filesystems);
	bench_begin(&t, 1);
	TEXT("perfolio/asked/mounts", "/dev/vda 4096 1000 400 300 5000000000 10 1 /mnt/a place\n/dev/vdb 512\n");
	IS("filesys.capacity", "/dev/vda", 4000);
	IS("filesys.used", "/dev/vda", 2400);
	IS("filesys.free", "/dev/vda", 1600);
	IS("filesys.avail", "/dev/vda", 1200);
	IS("filesys.maxfiles", "/dev/vda", 4294967295);
	IS("filesys.readonly", "/dev/vda", 1);
	SAYS("filesys.mountdir", "/dev/vda", "/mnt/a place");
	assert_true(real(&t, "filesys.full", "/dev/vda") == 100.0 * 600 / 900);
	IS("hinv.nfilesys", "", 1);
	bench_done(&t);
}

static void interfaces_have_addresses_and_perhaps_a_speed(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_interfaces);
	bench_begin(&t, 1);
	TEXT("perfolio/asked/interfaces",
	     "eth0 1500 4163 0 1000 2 52:54:00:12:34:56 192.0.2.2\nlo 65536 73 0 0 0 00:00:00:00:00:00 -\n");
	TEXT("proc/net/if_inet6", "fe80000000000000505400fffe123456 02 40 20 80     eth0\nfe8 02 40 20 80 lo\n");
	IS("network.interface.mtu", "eth0", 1500);
	IS("network.interface.up", "lo", 1);
	IS("network.interface.running", "eth0", 1);
	IS("network.interface.baudrate", "eth0", 125000000);
	IS("network.interface.duplex", "eth0", 2);
	assert_false(bench_has(&t, "network.interface.speed", "lo"));
	SAYS("network.interface.hw_addr", "eth0", "52:54:00:12:34:56");
	SAYS("network.interface.inet_addr", "eth0", "192.0.2.2");
	assert_false(bench_has(&t, "network.interface.inet_addr", "lo"));
	SAYS("network.interface.ipv6_addr", "eth0", "fe80::5054:ff:fe12:3456/64");
	SAYS("network.interface.ipv6_scope", "eth0", "Link");
	bench_done(&t);
}

static void a_host_has_names_users_and_cpus(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_host);
	bench_begin(&t, 1);
	TEXT("proc/uptime", "628.92 481.04\n");
	TEXT("proc/sys/kernel/osrelease", "6.18.44-x\n");
	TEXT("proc/sys/kernel/pty/nr", "3\n");
	TEXT("etc/debian_version", "12.11\n");
	TEXT("etc/os-release", "NAME=x\nPRETTY_NAME=\"Another 1\"\n");
	TEXT("perfolio/asked/host", "machine x86_64\npagesize 4096\nusers 2\nroots 1\nsessions 7\nunknown 1\n");
	TEXT("sys/devices/system/cpu/online", "0-1,11\n");
	TEXT("sys/devices/system/node/online", "0\n");
	assert_true(real(&t, "kernel.all.uptime", "") == 628.92 && real(&t, "kernel.all.idletime", "") == 481.04);
	SAYS("kernel.uname.release", "", "6.18.44-x");
	SAYS("kernel.uname.distro", "", "Debian 12.11");
	SAYS("kernel.uname.machine", "", "x86_64");
	IS("hinv.pagesize", "", 4096);
	IS("kernel.all.nptys", "", 3);
	IS("kernel.all.nusers", "", 2);
	IS("kernel.all.nroots", "", 1);
	IS("kernel.all.nsessions", "", 7);
	IS("hinv.map.cpu_num", "cpu11", 11);
	IS("hinv.cpu.online", "cpu1", 1);
	IS("hinv.nnode", "", 1);
	bench_done(&t);
}

static void the_kernel_tells_numbers(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_kernel);
	bench_begin(&t, 1);
	TEXT("sys/kernel/mm/ksm/sleep_millisecs", "20\n");
	TEXT("perfolio/asked/ipc", "1 2 3 4 5 6 7 8 9 10 - - - - - - - - 18446744073692774399 1 2\n");
	IS("mem.ksm.sleep_time", "", 20);
	IS("ipc.sem.max_exit", "", 10);
	IS("ipc.shm.max_segsz", "", 4278190079); /* as PCP: the lower half */
	assert_false(bench_has(&t, "ipc.msg.sz_pool", ""));
	bench_done(&t);
}

static void processes_are_counted_by_their_states(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_runqueue);
	bench_begin(&t, 1);
#define STAT(pid_and_name, state, vsize)                                                                               \
	bench_text(&t, 0,                                                                                              \
		   pid_and_name " " state " 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 " vsize " 24 25\n")
	STAT("1 (a) b)", "R", "4096");
	STAT("2 (x)", "S", "4096");
	STAT("3 (y)", "R", "8192");
	STAT("5 (traced)", "t", "4096");
	STAT("6 (kthread)", "S", "0");
	STAT("7 (kworker)", "I", "0");
	STAT("8 (ended)", "Z", "0");
	STAT("9 (new)", "X", "4096");
	bench_text(&t, 0, "4 (gone\n");
	IS("proc.nprocs", "", 8);
	IS("proc.runq.runnable", "", 2);
	IS("proc.runq.sleeping", "", 1);
	IS("proc.runq.stopped", "", 1);
	IS("proc.runq.swapped", "", 2);
	IS("proc.runq.defunct", "", 1);
	IS("proc.runq.unknown", "", 1);
	IS("proc.runq.kernel", "", 0);
	IS("proc.runq.blocked", "", 0);
	bench_done(&t);
}

static void ipc_tells_what_the_kernel_has(void **state)
{
	(void)state;
	struct bench t;
	bench_init(&t, &pf_group_ipc);
	bench_begin(&t, 1);
	TEXT("proc/sysvipc/shm",
	     "  74827209          7  1644                  1000 14762     3      2  1000     0     0     0\n");
	TEXT("proc/sysvipc/sem", "-812393964          1   600          2     0     0     0     0\nno line\n");
	TEXT("perfolio/asked/owners", "shm 7 somebody\nsem 1 root\n");
	SAYS("ipc.shm.key", "7", "0x0475c5c9");
	SAYS("ipc.shm.status", "7", "dest");
	SAYS("ipc.shm.owner", "7", "somebody");
	IS("ipc.shm.perms", "7", 644);
	IS("ipc.shm.segsz", "7", 1000);
	IS("ipc.shm.creator_pid", "7", 14762);
	IS("ipc.shm.nattch", "7", 2);
	SAYS("ipc.sem.key", "1", "0xcf93da14");
	IS("ipc.sem.nsems", "1", 2);
	bench_done(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zones_without_pages_are_left_out_and_nodes_are_told_once),
		cmocka_unit_test(ip6_takes_known_words_in_any_order),
		cmocka_unit_test(softnet_lines_are_hexadecimal_and_name_their_cpu),
		cmocka_unit_test(processors_have_facts_and_nodes),
		cmocka_unit_test(lists_of_cpus_that_make_no_sense_end_there),
		cmocka_unit_test(filesystems_have_sizes_in_kilobytes),
		cmocka_unit_test(interfaces_have_addresses_and_perhaps_a_speed),
		cmocka_unit_test(a_host_has_names_users_and_cpus),
		cmocka_unit_test(the_kernel_tells_numbers),
		cmocka_unit_test(processes_are_counted_by_their_states),
		cmocka_unit_test(ipc_tells_what_the_kernel_has),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
