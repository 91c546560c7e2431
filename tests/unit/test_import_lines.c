/* import/lines.c and import/exec.c: which lines become records. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/time.h"
#include "import/exec.h"
#include "import/key.h"
#include "import/lines.h"
#include "model/choice.h"
#include "model/group.h"

static const struct pf_line_filter all = { .variants = PF_TCP_ALL };

static void take(void *arg, struct pf_view tag, struct pf_view line)
{
	struct pf_buf *out = arg;
	if (tag.n > 0) {
		pf_buf_view(out, tag);
		pf_buf_char(out, ' ');
	}
	pf_buf_view(out, line);
	pf_buf_char(out, '\n');
}

static void expect(const struct pf_buf *out, const char *want)
{
	assert_string_equal(out->p ? out->p : "", want);
}

static void each_kind_of_getproc_keeps_its_lines(void **state)
{
	(void)state;
	static const struct {
		int kind;
		struct pf_view text;
		const char *want;
	} cases[] = {
		{ 0, PF_VIEW("a 1\n\nb 2"), "T a 1\nT \nT b 2\n" },
		{ 1, PF_VIEW("read_bytes 1\nother\nwrite 2\n write 3\n"), "T read_bytes 1\nT write 2\n" },
		{ 2, PF_VIEW("1 2\n3 4\n\n5 6\n"), "T:0 1 2\nT:1 3 4\n" },
		{ 3, PF_VIEW("mds_x 1\nxmds_ 2\n"), "T mds_x 1\n" },
		{ 4, PF_VIEW("a 1\n"), "" },
		{ 5, PF_VIEW("nr_free 1\nnr_shmem 2\nnuma_hit 3\npgpgin 4\npgrefill 5\npgx 6\n"),
		  "nr_shmem 2\npgpgin 4\n" },
		{ 8, PF_VIEW("net 1\n"), "Tnet 1\n" },
		{ 11, PF_VIEW("dirty 1\nx 2\nopen 3\n"), "T dirty 1\nT open 3\n" },
		{ 12, PF_VIEW("rchar 1\nread_bytes: 2\nwrite_bytes: 3\nread_bytes: 4\n"),
		  "T read_bytes: 2\nT write_bytes: 3\n" },
		{ 13, PF_VIEW("Name: x\nTgid: 1\nVmRSS: 2\nnonvol: 3\n"), "T Tgid: 1\nT VmRSS: 2\nT nonvol: 3\n" },
		{ 16, PF_VIEW("sh\0-c\0true\0\nmore"), "T sh -c true \n" },
		{ 20, PF_VIEW("TcpExt: 1\nIpExt: 2\nx\n"), "tcp-TcpExt: 1\ntcp-IpExt: 2\n" },
		{ 21, PF_VIEW("Ip: 1\nIcmp: 2\nIcmpMsg: 3\nUdp: 4\nUdpLite: 5\n"),
		  "tcp-Ip: 1\ntcp-Icmp: 2\ntcp-Udp: 4\n" },
		{ 99, PF_VIEW("a"), "T a\n" },
		{ 6, PF_VIEW("a"), "" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pf_buf out = { 0 };
		const struct pf_lines_to to = { take, &out };
		pf_lines_proc(cases[i].kind, cases[i].text, PF_VIEW("T"), 0, 0, NULL, &all, &to);
		expect(&out, cases[i].want);
		pf_buf_done(&out);
	}
}

static void the_recorders_choice_of_lines_holds(void **state)
{
	(void)state;
	static const struct pf_view vmstat = PF_VIEW("pgpgin 1\npgrefill 2\npgsteal 3\npginodesteal 4\n");
	static const struct pf_view disks = PF_VIEW("8 0 sda 1\n8 1 sda1 1\n7 0 loop0 1\n");
	static const struct pf_view nets = PF_VIEW("  eth0: 1\n    lo: 2\n");
	static const struct pf_view slabs = PF_VIEW("dentry 1\nkmalloc-8 2\n");
	static const char *const dent[] = { "dent", NULL };
	struct pf_choice *loop = NULL, *eth = NULL;
	assert_int_equal(pf_choice_new(&loop, "loop", false, NULL, NULL), 0);
	assert_int_equal(pf_choice_new(&eth, NULL, false, "eth", NULL), 0);
	const struct {
		int kind;
		struct pf_line_filter filter;
		struct pf_view text;
		const char *want;
	} cases[] = {
		{ 5, { .variants = PF_WITH_PAGES }, vmstat, "pgpgin 1\npgrefill 2\n" },
		{ 5, { .variants = PF_WITH_SCAN }, vmstat, "pgpgin 1\npgrefill 2\npgsteal 3\n" },
		{ 7, { 0 }, nets, "T   eth0: 1\nT     lo: 2\n" },
		{ 7, { .nets = eth }, nets, "T     lo: 2\n" },
		{ 9, { 0 }, disks, "T 8 0 sda 1\n" },
		{ 9, { .disks = loop }, disks, "T 7 0 loop0 1\n" },
		{ 14, { 0 }, slabs, "T dentry 1\nT kmalloc-8 2\n" },
		{ 14, { .peer = true }, slabs, "" },
		{ 14, { .peer = true, .slabs = dent }, slabs, "T dentry 1\n" },
		{ 20, { .variants = PF_TCP_USUAL }, PF_VIEW("TcpExt: 1\nIpExt: 2\n"), "" },
		{ 20, { .variants = PF_TCP_IPEXT }, PF_VIEW("TcpExt: 1\nIpExt: 2\n"), "tcp-IpExt: 2\n" },
		{ 21,
		  { .variants = PF_TCP_ICMP | PF_TCP_UDP },
		  PF_VIEW("Ip: 1\nIcmp: 2\nTcp: 3\nUdp: 4\n"),
		  "tcp-Icmp: 2\ntcp-Udp: 4\n" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pf_buf out = { 0 };
		const struct pf_lines_to to = { take, &out };
		pf_lines_proc(cases[i].kind, cases[i].text, PF_VIEW("T"), 0, 0, NULL, &cases[i].filter, &to);
		expect(&out, cases[i].want);
		pf_buf_done(&out);
	}
	assert_null(pf_choice_free(loop));
	assert_null(pf_choice_free(eth));
}

static void skip_max_and_the_last_line_bound_what_is_read(void **state)
{
	(void)state;
	struct pf_buf out = { 0 };
	const struct pf_lines_to to = { take, &out };
	struct pf_key last;
	assert_int_equal(pf_key_init(&last, "^end", NULL), 0);
	pf_lines_proc(0, PF_VIEW("h\na\nb\nc\n"), PF_VIEW("T"), 1, 2, NULL, &all, &to);
	expect(&out, "T a\nT b\n");
	pf_buf_clear(&out);
	pf_lines_proc(0, PF_VIEW("h\na\nend\nc\n"), PF_VIEW(""), 1, 0, &last, &all, &to);
	expect(&out, "a\n");
	pf_buf_clear(&out);
	pf_lines_proc(0, PF_VIEW("h\n"), PF_VIEW("T"), 5, 0, NULL, &all, &to);
	assert_true(out.n == 0);
	pf_key_done(&last);
	pf_buf_done(&out);
}

static void each_kind_of_getexec_makes_its_record(void **state)
{
	(void)state;
	static const struct {
		int kind;
		struct pf_view text;
		const char *want;
	} cases[] = {
		{ 0, PF_VIEW("a 1\nb 2\n"), "T: a 1\nT: b 2\n" },
		{ 3, PF_VIEW("x\n"), "T: x\n" },
		{ 4, PF_VIEW("x\ny\nz"), "T: 3\n" },
		{ 4, PF_VIEW(""), "T: 0\n" },
		{ 1, PF_VIEW("# Port counters: Lid 1 port 1\nibwarn: [1] 9\nPortXmitData:....12\nPortRcvData:....7\n"),
		  "T: port 0 12 7\n" },
		{ 5, PF_VIEW("Xmit Data: 12 MB (3 Flits)\nRcv: 4\n"), "T: 12 4\n" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pf_buf out = { 0 };
		const struct pf_lines_to to = { take, &out };
		pf_lines_exec(cases[i].kind, cases[i].text, PF_VIEW("T"), &all, &to);
		expect(&out, cases[i].want);
		pf_buf_done(&out);
	}
}

static void a_command_gives_its_output_and_nothing_of_its_errors(void **state)
{
	(void)state;
	struct pf_buf out = { 0 };
	assert_int_equal(pf_exec_shell("echo one; echo two >&2; cat; exit 3", 100, 10 * PF_NS_PER_SEC, &out, NULL), 0);
	expect(&out, "one\n");
	pf_buf_done(&out);
}

static void a_command_that_does_not_end_is_ended(void **state)
{
	(void)state;
	static const char *const endless[] = { "sleep 1000", "exec >&-; sleep 1000", "sleep 1000 & echo x" };
	for (size_t i = 0; i < sizeof(endless) / sizeof(endless[0]); i++) {
		struct pf_buf out = { 0 };
		struct pf_err err = { 0 };
		assert_int_equal(pf_exec_shell(endless[i], 100, 20 * PF_NS_PER_MS, &out, &err), -ETIMEDOUT);
		assert_non_null(strstr(err.text, endless[i]));
		pf_buf_done(&out);
	}
}

static void a_command_that_writes_too_much_is_ended(void **state)
{
	(void)state;
	struct pf_buf out = { 0 };
	struct pf_err err = { 0 };
	assert_int_equal(pf_exec_shell("yes", 1000, 10 * PF_NS_PER_SEC, &out, &err), -EFBIG);
	assert_non_null(strstr(err.text, "more than 1000 bytes"));
	pf_buf_done(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_of_getproc_keeps_its_lines),
		cmocka_unit_test(the_recorders_choice_of_lines_holds),
		cmocka_unit_test(skip_max_and_the_last_line_bound_what_is_read),
		cmocka_unit_test(each_kind_of_getexec_makes_its_record),
		cmocka_unit_test(a_command_gives_its_output_and_nothing_of_its_errors),
		cmocka_unit_test(a_command_that_does_not_end_is_ended),
		cmocka_unit_test(a_command_that_writes_too_much_is_ended),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
