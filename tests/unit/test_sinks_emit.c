/* sinks/emit*.c: samples and events as documents, byte for byte; what a sample costs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "sinks/sink.h"

/* The linker sends every allocation of the program through these (--wrap). */
static unsigned long allocations;

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void *__real_reallocarray(void *p, size_t n, size_t size);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
void *__wrap_reallocarray(void *p, size_t n, size_t size);

void *__wrap_malloc(size_t n)
{
	allocations++;
	return __real_malloc(n);
}

void *__wrap_calloc(size_t n, size_t size)
{
	allocations++;
	return __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t n)
{
	allocations++;
	return __real_realloc(p, n);
}

void *__wrap_reallocarray(void *p, size_t n, size_t size)
{
	allocations++;
	return __real_reallocarray(p, n, size);
}

/* A sink on an unnamed file, whose text is read back from its beginning. */
struct bench {
	struct pf_sink *sink;
	struct pf_doc_options options;
	struct pf_view_options view;
	struct pf_catalog *catalog;
	struct pf_frames frames;
	int fd;
	char *text;
};

enum { LOAD, USER, READ, RELEASE, N_METRICS };

static const struct pf_metric metrics[N_METRICS] = {
	[LOAD] = { "kernel.all.load", PF_PMID(60, 2, 0), PF_INDOM(60, 2), PF_FLOAT, PF_INSTANT, PF_UNITS_NONE, NULL },
	[USER] = { "kernel.all.cpu.user", PF_PMID(60, 0, 20), PF_INDOM_NONE, PF_U64, PF_COUNTER, PF_UNITS_MSEC, NULL },
	[READ] = { "disk.dev.read", PF_PMID(60, 0, 4), PF_INDOM(60, 1), PF_U64, PF_COUNTER, PF_UNITS_COUNT, NULL },
	[RELEASE] = { "kernel.uname.release", PF_PMID(60, 12, 0), PF_INDOM_NONE, PF_STRING, PF_DISCRETE, PF_UNITS_NONE,
		      NULL },
};

static struct bench *bench_open(const char *words, bool events)
{
	struct bench *b = calloc(1, sizeof(*b));
	assert_non_null(b);
	struct pf_err err = { 0 };
	unsigned base;
	assert_int_equal(pf_doc_options_parse(words, true, &b->options, &err), 0);
	b->view.host = "web1";
	b->catalog = pf_catalog_new();
	assert_non_null(b->catalog);
	assert_int_equal(pf_catalog_add(b->catalog, metrics, N_METRICS, &base, &err), 0);
	pf_frames_init(&b->frames, b->catalog);
	b->fd = memfd_create("emit", 0);
	assert_true(b->fd >= 0);
	const struct pf_sink_spec spec = {
		.fd = b->fd,
		.view = &b->view,
		.doc = &b->options,
		.catalog = b->catalog,
		.interval_ns = 1000000000,
		.events = events,
	};
	assert_int_equal(pf_sink_emit.open(&b->sink, &spec, &err), 0);
	return b;
}

/* Completes the document. */
static const char *bench_text(struct bench *b)
{
	assert_int_equal(b->sink->kind->close(b->sink, NULL), 0);
	b->sink = NULL;
	off_t n = lseek(b->fd, 0, SEEK_END);
	assert_true(n >= 0);
	b->text = calloc(1, (size_t)n + 1);
	assert_non_null(b->text);
	assert_int_equal(pread(b->fd, b->text, (size_t)n, 0), n);
	return b->text;
}

static void bench_close(struct bench *b)
{
	if (b->sink)
		assert_int_equal(b->sink->kind->close(b->sink, NULL), 0);
	pf_frames_done(&b->frames);
	(void)pf_catalog_free(b->catalog);
	(void)close(b->fd);
	free(b->text);
	free(b);
}

static struct pf_sample *next_sample(struct bench *b, int64_t t)
{
	struct pf_sample *s = pf_frames_begin(&b->frames, t, t);
	assert_non_null(s);
	return s;
}

static void put(struct pf_sample *s, unsigned metric, unsigned slot, union pf_value v)
{
	assert_int_equal(pf_sample_set(s, metric, slot, v), 0);
}

static unsigned slot_of(struct bench *b, unsigned metric, const char *name, struct pf_sample *s)
{
	int slot = pf_indom_slot(pf_catalog_domain_of(b->catalog, metric), pf_view_of(name), 0, -1, s->seq);
	assert_true(slot >= 0);
	return (unsigned)slot;
}

static void hand(struct bench *b, uint64_t lost)
{
	struct pf_step step = pf_frames_step(&b->frames);
	step.lost = lost;
	assert_int_equal(b->sink->kind->sample(b->sink, &step, NULL), 0);
	assert_int_equal(b->sink->kind->flush(b->sink), 0);
}

static void four_samples(struct bench *b)
{
	struct pf_sample *s = next_sample(b, 1000);
	put(s, LOAD, slot_of(b, LOAD, "1 minute", s), (union pf_value){ .d = (double)0.1f });
	put(s, USER, 0, (union pf_value){ .u = 100 });
	hand(b, 0);

	s = next_sample(b, 1000 + 500000000);
	put(s, LOAD, slot_of(b, LOAD, "1 minute", s), (union pf_value){ .d = __builtin_nan("") });
	put(s, USER, 0, (union pf_value){ .u = 101 });
	put(s, READ, slot_of(b, READ, "sda", s), (union pf_value){ .u = 5 });
	hand(b, 2);

	s = next_sample(b, 1000 + 2500000000);
	put(s, USER, 0, (union pf_value){ .u = 50 }); /* started anew */
	put(s, READ, slot_of(b, READ, "sda", s), (union pf_value){ .u = 6 });
	put(s, READ, slot_of(b, READ, "s\"b\xff", s), (union pf_value){ .u = UINT64_MAX });
	put(s, RELEASE, 0, (union pf_value){ .s = "6.1" });
	hand(b, 0);

	pf_frames_cut(&b->frames);
	(void)next_sample(b, 9000000000);
	hand(b, 0);
}

static void samples_tell_values_rates_gaps_and_drops(void **state)
{
	(void)state;
	static const char want[] =
		"{\"perfolio\": {\"format-version\":1,\"host\":\"web1\",\"interval\":1000000000, \"samples\": [\n"
		"{\"timestamp\":1000, \"metrics\": [{\"name\":\"kernel.all.load\",\"semantics\":\"instant\",\"units\":\"\", "
		"\"instances\": [{\"instance\":\"1 minute\",\"value\":0.1}]}, {\"name\":\"kernel.all.cpu.user\",\"semantics\":\"counter\","
		"\"units\":\"millisec\",\"value\":100}]}\n"
		", {\"timestamp\":500001000, \"drop\": {\"count\":2,\"total\":2,\"msg\":\"2 reads failed or came late\"}}\n"
		", {\"timestamp\":500001000,\"interval\":500000000, \"metrics\": [{\"name\":\"kernel.all.cpu.user\",\"semantics\":\"counter\","
		"\"units\":\"millisec\",\"value\":101,\"rate\":2}, {\"name\":\"disk.dev.read\",\"semantics\":\"counter\",\"units\":\"count\", "
		"\"instances\": [{\"instance\":\"sda\",\"value\":5}]}]}\n"
		", {\"timestamp\":2500001000,\"interval\":2000000000, \"metrics\": [{\"name\":\"kernel.all.cpu.user\",\"semantics\":\"counter\","
		"\"units\":\"millisec\",\"value\":50,\"msg\":\"reset\"}, {\"name\":\"disk.dev.read\",\"semantics\":\"counter\",\"units\":\"count\", \"instances\": ["
		"{\"instance\":\"sda\",\"value\":6,\"rate\":0.5}, {\"instance\":\"s\\\"b\xef\xbf\xbd\",\"raw\":\"0x732262ff\","
		"\"value\":18446744073709551615}]}, {\"name\":\"kernel.uname.release\",\"semantics\":\"discrete\",\"units\":\"\",\"value\":\"6.1\"}]}\n"
		", {\"timestamp\":9000000000, \"gap\": {\"from\":2500001000,\"until\":9000000000,\"msg\":\"no samples in this time\"}}\n"
		", {\"timestamp\":9000000000, \"metrics\": []}\n"
		"]}}\n";
	struct bench *b = bench_open("json", false);
	four_samples(b);
	assert_string_equal(bench_text(b), want);
	bench_close(b);
}

static void a_clock_that_is_set_is_an_element_in_every_form(void **state)
{
	(void)state;
	static const struct {
		const char *format;
		const char *part;
	} cases[] = {
		{ "json",
		  ", {\"timestamp\":500001000, \"step\": {\"by\":-3600250000000,\"msg\":\"the clock was set back by 3600.250 seconds\"}}\n"
		  ", {\"timestamp\":500001000,\"interval\":500000000, \"metrics\"" },
		{ "jsonl", "\n{\"timestamp\":500001000, \"step\": {\"by\":-3600250000000,\"msg\":" },
		{ "xml", "<step><by>-3600250000000</by><msg>the clock was set back by 3600.250 seconds</msg></step>" },
		{ "csv", "\n500001000,,,,,,,,the clock was set back by 3600.250 seconds,\n" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bench *b = bench_open(cases[i].format, false);
		struct pf_sample *s = next_sample(b, 1000);
		put(s, USER, 0, (union pf_value){ .u = 100 });
		hand(b, 0);
		s = next_sample(b, 1000 + 500000000);
		put(s, USER, 0, (union pf_value){ .u = 101 });
		b->frames.stepped_ns = -3600250000000;
		hand(b, 0);
		assert_non_null(strstr(bench_text(b), cases[i].part));
		bench_close(b);
	}
}

static void csv_has_a_row_for_each_value(void **state)
{
	(void)state;
	static const char want[] =
		"timestamp,interval,name,semantics,units,instance,value,rate,msg,raw\n"
		"1000,,kernel.all.load,instant,,1 minute,0.1,,,\n"
		"1000,,kernel.all.cpu.user,counter,millisec,,100,,,\n"
		"500001000,,,,,,,,2 reads failed or came late,\n"
		"500001000,500000000,kernel.all.cpu.user,counter,millisec,,101,2,,\n"
		"500001000,500000000,disk.dev.read,counter,count,sda,5,,,\n"
		"2500001000,2000000000,kernel.all.cpu.user,counter,millisec,,50,,reset,\n"
		"2500001000,2000000000,disk.dev.read,counter,count,sda,6,0.5,,\n"
		"2500001000,2000000000,disk.dev.read,counter,count,\"s\"\"b\xef\xbf\xbd\",18446744073709551615,,,0x732262ff\n"
		"2500001000,2000000000,kernel.uname.release,discrete,,,6.1,,,\n"
		"9000000000,,,,,,,,no samples in this time,\n"
		"9000000000,,,,,,,,,\n";
	struct bench *b = bench_open("csv", false);
	four_samples(b);
	assert_string_equal(bench_text(b), want);
	bench_close(b);
}

static void a_sample_allocates_nothing(void **state)
{
	(void)state;
	static const char *const formats[] = { "json", "json,pretty", "jsonl", "xml", "html", "csv" };
	for (size_t f = 0; f < PF_N(formats); f++) {
		struct bench *b = bench_open(formats[f], false);
		unsigned long settled = 0;
		for (int64_t k = 1; k <= 1100; k++) {
			struct pf_sample *s = next_sample(b, k * 1000000007);
			for (unsigned i = 0; i < 3; i++) {
				static const char *const names[] = { "a", "b\xff", "c,\"" };
				put(s, LOAD, slot_of(b, LOAD, names[i], s), (union pf_value){ .d = (double)k / 3 });
				put(s, READ, slot_of(b, READ, names[i], s), (union pf_value){ .u = (uint64_t)k * 977 });
			}
			put(s, USER, 0, (union pf_value){ .u = (uint64_t)k });
			put(s, RELEASE, 0, (union pf_value){ .s = "6.1" });
			if (k == 100)
				settled = allocations;
			hand(b, k % 10 == 0);
		}
		assert_int_equal(allocations - settled, 0);
		assert_true(settled > 0);
		bench_close(b);
	}
}

#define ENVELOPE                                                                                                       \
	"{\"timestamp\":8105220231,\"cpu\":1,\"id\":1,\"provider\":\"dtrace\",\"module\":\"\",\"function\":\"\",\"name\":\"BEGIN\""

/* The document of one event that fired in BEGIN. */
static void records_give(const struct pf_record *records, size_t n, const char *output)
{
	struct bench *b = bench_open("json", true);
	const struct pf_event e = {
		.time_ns = 8105220231,
		.cpu = 1,
		.probe = { "dtrace", "", "", "BEGIN", 1 },
		.records = records,
		.n_records = n,
	};
	struct pf_buf want = { 0 };
	pf_buf_fmt(&want, "{\"dtrace\": {\"probes\": [\n" ENVELOPE ", \"output\": [%s]}\n]}}\n", output);
	assert_int_equal(b->sink->kind->event(b->sink, &e, NULL), 0);
	assert_string_equal(bench_text(b), want.p);
	pf_buf_done(&want);
	bench_close(b);
}

#define VALUE(...)                                                                                                     \
	{                                                                                                              \
		.kind = PF_RECORD_VALUE, .value = { __VA_ARGS__ }                                                      \
	}
#define LITERAL(s) .text = { (s), sizeof(s) - 1 }

static void values_keep_their_type(void **state)
{
	(void)state;
	const struct pf_record r[] = {
		VALUE(PF_DATUM_INT, 1, .i = -1),
		VALUE(PF_DATUM_UINT, 8, .u = UINT64_MAX),
		VALUE(PF_DATUM_TEXT, 0, LITERAL("0x41\0rest")),
		VALUE(PF_DATUM_TEXT, 0, LITERAL("")),
		VALUE(PF_DATUM_TEXT, 0, LITERAL("ok\xffz")),
		VALUE(PF_DATUM_BYTES, 0, LITERAL("\x00\x11\xff")),
		{ .kind = PF_RECORD_DEFAULT },
		{ .kind = PF_RECORD_MESSAGE, .message = { "pid 7\n", 6, "pid %d\n", 1 } },
		{ .kind = PF_RECORD_VALUE, .of_message = true, .value = { PF_DATUM_INT, 4, .i = 7 } },
		{ .kind = PF_RECORD_TRACEMEM, .value = { PF_DATUM_BYTES, 0, LITERAL("Linu") } },
		{ .kind = PF_RECORD_SYSTEM, .system = { "echo shell-7", 0, NULL } },
		{ .kind = PF_RECORD_FREOPEN, .system = { "", 0, NULL } },
	};
	records_give(
		r, PF_N(r),
		"{\"value\":-1}, {\"value\":18446744073709551615}, {\"value\":\"0x41\"}, {\"value\":\"\"}, "
		"{\"value\":\"ok\xef\xbf\xbdz\",\"raw\":\"0x6f6bff7a\"}, {\"value\":\"0x0011ff\",\"encoding\":\"hex\"}, "
		"{\"message\":\"pid 7\\n\",\"format\":\"pid %d\\n\",\"args\":1}, {\"value\":7}, {\"tracemem\":\"0x4c696e75\",\"size\":4}, "
		"{\"system\":\"echo shell-7\",\"status\":0}, {\"freopen\":\"\"}");
	records_give(NULL, 0, "");
}

static void stacks_and_symbols_tell_what_is_known(void **state)
{
	(void)state;
	static const struct pf_frame k[] = {
		{ 0xffffffff812a0035, "vmlinux", "vfs_read", 0x35, NULL },
		{ 0xffffffffc0401234, "ext4", NULL, 0, NULL },
		{ 0x1234, NULL, NULL, 0, NULL },
		{ 0, NULL, NULL, 0, NULL },
	};
	static const struct pf_frame u[] = { { 0x7f0014, "libc.so.6", "write", 0x14, "note" },
					     { 0x99, NULL, NULL, 0, NULL } };
	const struct pf_record r[] = {
		{ .kind = PF_RECORD_STACK, .stack = { k, 4, 0 } },
		{ .kind = PF_RECORD_STACK, .stack = { NULL, 0, 0 } },
		{ .kind = PF_RECORD_USTACK, .stack = { u, 2, 7 } },
		{ .kind = PF_RECORD_SYM, .stack = { k, 1, 0 } },
		{ .kind = PF_RECORD_SYM, .stack = { k + 1, 1, 0 } },
		{ .kind = PF_RECORD_SYM, .stack = { k + 2, 1, 0 } },
		{ .kind = PF_RECORD_MOD, .stack = { k, 1, 0 } },
		{ .kind = PF_RECORD_MOD, .stack = { k + 2, 1, 0 } },
		{ .kind = PF_RECORD_USYM, .stack = { u, 1, 7 } },
		{ .kind = PF_RECORD_UADDR, .stack = { u, 1, 7 } },
		{ .kind = PF_RECORD_UMOD, .stack = { u, 1, 7 } },
	};
	records_give(
		r, PF_N(r),
		"{\"stack-frames\": [{\"symbol\":\"vmlinux`vfs_read+0x35\",\"module\":\"vmlinux\",\"name\":\"vfs_read\",\"offset\":\"0x35\","
		"\"address\":\"0xffffffff812a0035\"}, {\"symbol\":\"ext4`0xffffffffc0401234\",\"module\":\"ext4\",\"offset\":"
		"\"0xffffffffc0401234\",\"address\":\"0xffffffffc0401234\"}, {\"symbol\":\"0x1234\",\"offset\":\"0x1234\",\"address\":\"0x1234\"}"
		"]}, {\"stack-frames\": []}, {\"ustack-frames\": [{\"symbol\":\"libc.so.6`write+0x14\",\"module\":\"libc.so.6\",\"name\":\"write\","
		"\"offset\":\"0x14\",\"address\":\"0x7f0014\",\"annotation\":\"note\"}, {\"symbol\":\"0x99\",\"address\":\"0x99\"}],\"pid\":7}, "
		"{\"sym\":\"vmlinux`vfs_read\",\"object\":\"vmlinux\",\"name\":\"vfs_read\"}, "
		"{\"sym\":\"ext4`0xffffffffc0401234\",\"object\":\"ext4\",\"offset\":\"0xffffffffc0401234\",\"address\":\"0xffffffffc0401234\"}, "
		"{\"sym\":\"0x1234\",\"address\":\"0x1234\"}, {\"mod\":\"vmlinux\"}, {\"mod\":\"0x1234\"}, "
		"{\"usym\":\"libc.so.6`write\",\"module\":\"libc.so.6\",\"name\":\"write\",\"pid\":7}, "
		"{\"usym\":\"libc.so.6`write+0x14\",\"module\":\"libc.so.6\",\"name\":\"write\",\"offset\":\"0x14\",\"address\":\"0x7f0014\",\"pid\":7}, "
		"{\"umod\":\"libc.so.6\"}");
}

#define BUCKETS(table) 0, (table), PF_N(table)

static void aggregations_show_keys_values_and_the_right_buckets(void **state)
{
	(void)state;
	static const struct pf_bucket powers[] = { { -1, 0, NULL }, { 0, 0, NULL }, { 1, 3, NULL }, { 2, 0, NULL },
						   { 4, 1, NULL },  { 8, 0, NULL }, { 16, 0, NULL } };
	static const struct pf_bucket no_powers[] = { { -4, 0, NULL }, { -2, 0, NULL }, { -1, 0, NULL },
						      { 0, 0, NULL },  { 1, 0, NULL },	{ 2, 0, NULL } };
	static const struct pf_bucket no_lines[] = { { 0, 0, "<" }, { 0, 0, NULL }, { 10, 0, NULL }, { 20, 0, ">=" } };
	static const struct pf_bucket lines[] = { { 0, 0, "<" }, { 0, 0, NULL }, { 10, 0, NULL }, { 20, 7, ">=" } };
	static const struct pf_bucket logs[] = {
		{ -100, 0, "<=" }, { -10, 0, NULL }, { 10, 2, "abs<" }, { 10, 0, NULL }, { 100, 0, ">=" }
	};
	static const struct pf_bucket positive_logs[] = {
		{ -100, 0, "<=" }, { -10, 0, NULL }, { 10, 0, "abs<" }, { 10, 4, NULL }, { 100, 0, ">=" }
	};
	const struct pf_agg_value v[] = {
		{ PF_AGG_QUANTIZE, BUCKETS(powers) },	 { PF_AGG_QUANTIZE, BUCKETS(no_powers) },
		{ PF_AGG_LQUANTIZE, BUCKETS(no_lines) }, { PF_AGG_LQUANTIZE, BUCKETS(lines) },
		{ PF_AGG_LLQUANTIZE, BUCKETS(logs) },	 { PF_AGG_LLQUANTIZE, BUCKETS(positive_logs) },
	};
	static const char *const names[] = { "a", "b", "c", "d", "e", "f" };
	static const char *const scalar_names[] = { "calls", "_" };
	const struct pf_agg_value scalars[] = { { PF_AGG_AVG, 17, NULL, 0 }, { PF_AGG_SUM, -40, NULL, 0 } };
	const struct pf_key keys[] = { { .kind = PF_KEY_VALUE, .value = { PF_DATUM_TEXT, 0, LITERAL("read") } },
				       { .kind = PF_KEY_VALUE, .value = { PF_DATUM_INT, 8, .i = 3 } } };
	const struct pf_agg_row row = { keys, 2, scalars, 1000 };
	const struct pf_agg_row many = { keys, 0, v, 1 };
	const struct pf_record r[] = {
		{ .kind = PF_RECORD_AGG, .agg = { scalar_names, 1, "%@d\n", NULL, &row, 1 } },
		{ .kind = PF_RECORD_AGG, .agg = { scalar_names + 1, 1, NULL, NULL, NULL, 0 } },
		{ .kind = PF_RECORD_AGG, .agg = { scalar_names, 2, NULL, NULL, &row, 1 } },
		{ .kind = PF_RECORD_AGG, .agg = { names, PF_N(v), NULL, NULL, &many, 1 } },
	};
#define B(value, count)	    "{\"value\":" #value ",\"count\":" #count "}"
#define O(value, count, op) "{\"value\":" #value ",\"count\":" #count ",\"operator\":\"" op "\"}"
	records_give(
		r, PF_N(r),
		"{\"aggregation-data\": [{\"keys\": [{\"value\":\"read\"}, {\"value\":3}],\"average\":17,\"normal\":1000}],"
		"\"aggregation-name\":\"calls\",\"format\":\"%@d\\n\"}, {\"aggregation-data\": [],\"aggregation-name\":\"_\"}, "
		"{\"aggregation-data\": [{\"keys\": [{\"value\":\"read\"}, {\"value\":3}], \"values\": [{\"aggregation-name\":\"calls\","
		"\"average\":17}, {\"aggregation-name\":\"_\",\"sum\":-40}],\"normal\":1000}],\"aggregation-name\":\"calls\", "
		"\"aggregation-names\": [\"calls\",\"_\"]}, {\"aggregation-data\": [{\"keys\": [], \"values\": ["
		"{\"aggregation-name\":\"a\", \"buckets\": [" B(0, 0) ", " B(1, 3) ", " B(2, 0) ", " B(4, 1) ", " B(
			8,
			0) "]}, "
			   "{\"aggregation-name\":\"b\", \"buckets\": [" B(-1, 0) ", " B(0, 0) ", " B(
				   1,
				   0) "]}, "
				      "{\"aggregation-name\":\"c\", \"buckets\": [" O(0, 0, "<") ", " B(0, 0) ", " B(
					      10,
					      0) "]}, "
						 "{\"aggregation-name\":\"d\", \"buckets\": [" B(10, 0) ", " O(
							 20, 7,
							 ">=") "]}, "
							       "{\"aggregation-name\":\"e\", \"buckets\": [" B(-10, 0) ", " O(
								       10, 2,
								       "abs<") ", " B(10,
										      0) "]}, "
											 "{\"aggregation-name\":\"f\", \"buckets\": [" O(
												 10, 0,
												 "<") ", " B(10,
													     4) ", " O(100,
														       0,
														       ">=") "]}]}],"
															     "\"aggregation-name\":\"a\", \"aggregation-names\": [\"a\",\"b\",\"c\",\"d\",\"e\",\"f\"]}");
}

static void pseudo_probes_tell_drops_and_faults(void **state)
{
	(void)state;
	struct pf_event drop = { .kind = PF_EVENT_DROP, .time_ns = 1, .cpu = -1, .msg = "3 dynamic variable drops" };
	drop.drop.count = 3;
	drop.drop.total = 9;
	drop.drop.kind = 2;
	drop.drop.kind_name = "DTRACEDROP_DYNAMIC";
	struct pf_event error = { .kind = PF_EVENT_ERROR, .time_ns = 2, .cpu = 1, .msg = "invalid address (0x10)" };
	error.error.fault = 1;
	error.error.fault_name = "invalid address";
	error.error.action = -1;
	error.error.offset = 12;
	error.error.has_address = true;
	error.error.address = 0x10;
	error.error.probe = (struct pf_probe_name){ "dtrace", "", "", "BEGIN", 1 };
	struct pf_event flow = { .time_ns = 3, .cpu = 0, .probe = { "syscall", "vmlinux", "read", "entry", 77 } };
	flow.flow = "entry";
	flow.depth = 2;

	struct bench *b = bench_open("json", true);
	assert_int_equal(b->sink->kind->event(b->sink, &drop, NULL), 0);
	assert_int_equal(b->sink->kind->event(b->sink, &error, NULL), 0);
	assert_int_equal(b->sink->kind->event(b->sink, &flow, NULL), 0);
#define INTERNAL "\"id\":-1,\"provider\":\"dtrace\",\"module\":\"INTERNAL\",\"function\":\"INTERNAL\""
	assert_string_equal(
		bench_text(b),
		"{\"dtrace\": {\"probes\": [\n{\"timestamp\":1,\"cpu\":-1," INTERNAL
		",\"name\":\"DROP\",\"count\":3,\"total\":9,"
		"\"kind\":2,\"kind-name\":\"DTRACEDROP_DYNAMIC\",\"msg\":\"3 dynamic variable drops\", \"output\": []}\n"
		", {\"timestamp\":2,\"cpu\":1," INTERNAL
		",\"name\":\"ERROR\",\"fault\":1,\"fault-name\":\"invalid address\",\"offset\":12,"
		"\"address\":\"0x10\",\"msg\":\"invalid address (0x10)\", \"probe\": {\"id\":1,\"provider\":\"dtrace\",\"module\":\"\","
		"\"function\":\"\",\"name\":\"BEGIN\"}, \"output\": []}\n"
		", {\"timestamp\":3,\"cpu\":0,\"id\":77,\"provider\":\"syscall\",\"module\":\"vmlinux\",\"function\":\"read\","
		"\"name\":\"entry\",\"flow\":\"entry\",\"depth\":2, \"output\": []}\n]}}\n");
	bench_close(b);
}

static void csv_refuses_events_between_samples(void **state)
{
	(void)state;
	const struct pf_event e = { .probe = { "dtrace", "", "", "BEGIN", 1 } };
	struct pf_err err = { 0 };
	struct bench *b = bench_open("csv", false);
	assert_int_equal(b->sink->kind->event(b->sink, &e, &err), -ENOTSUP);
	assert_string_equal(err.text, "csv cannot hold events between samples: use json, jsonl, xml or html");
	bench_close(b);
}

static void text_is_no_document(void **state)
{
	(void)state;
	struct pf_doc_options o = { .format = PF_FORMAT_TEXT };
	struct pf_sink_spec spec = { .fd = -1, .doc = &o };
	struct pf_sink *sink = NULL;
	struct pf_err err = { 0 };
	assert_int_equal(pf_sink_emit.open(&sink, &spec, &err), -EINVAL);
	assert_string_equal(err.text, "text output is no document");
	spec.doc = NULL;
	assert_int_equal(pf_sink_emit.open(&sink, &spec, &err), -EINVAL);
	assert_null(sink);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_tell_values_rates_gaps_and_drops),
		cmocka_unit_test(a_clock_that_is_set_is_an_element_in_every_form),
		cmocka_unit_test(csv_has_a_row_for_each_value),
		cmocka_unit_test(a_sample_allocates_nothing),
		cmocka_unit_test(values_keep_their_type),
		cmocka_unit_test(stacks_and_symbols_tell_what_is_known),
		cmocka_unit_test(aggregations_show_keys_values_and_the_right_buckets),
		cmocka_unit_test(pseudo_probes_tell_drops_and_faults),
		cmocka_unit_test(csv_refuses_events_between_samples),
		cmocka_unit_test(text_is_no_document),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
