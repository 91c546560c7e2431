/* tests/tools/emit-demo.c - writes synthetic samples or D events through the emit sink to standard output, in any format: what the
 * integration tests validate. `emit-demo samples|events|mixed FORMAT[,MODIFIER...]`; flushes after each piece. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "sinks/sink.h"

#define T    INT64_C(8105220231)
#define WALL INT64_C(1700000000000000000)

static const struct pf_probe_name begin = { "dtrace", "", "", "BEGIN", 1 };

#define INT(v)                                                                                                         \
	{                                                                                                              \
		.kind = PF_DATUM_INT, .size = 8, .i = (v)                                                              \
	}
#define UINT(v)                                                                                                        \
	{                                                                                                              \
		.kind = PF_DATUM_UINT, .size = 8, .u = (v)                                                             \
	}
#define TEXT(v)                                                                                                        \
	{                                                                                                              \
		.kind = PF_DATUM_TEXT, .text = {(v), sizeof(v) - 1 }                                                   \
	}
#define BYTES(v)                                                                                                       \
	{                                                                                                              \
		.kind = PF_DATUM_BYTES, .text = {(v), sizeof(v) - 1 }                                                  \
	}
#define VALUE(d)                                                                                                       \
	{                                                                                                              \
		.kind = PF_RECORD_VALUE, .value = d                                                                    \
	}
#define STACK(record, f, pid_)                                                                                         \
	{                                                                                                              \
		.kind = (record), .stack = {(f), PF_N(f), (pid_) }                                                     \
	}

static const struct pf_frame kernel_frames[] = {
	{ 0xffffffff812a0035, "vmlinux", "vfs_read", 0x35, NULL },
	{ 0xffffffff812a1000, "vmlinux", "ksys_read", 0, NULL },
	{ 0xffffffffc0401234, "ext4", NULL, 0, NULL },
	{ 0x1234, NULL, NULL, 0, NULL },
	{ 0, NULL, NULL, 0, NULL },
	{ 0x5678, NULL, NULL, 0, NULL },
};
static const struct pf_frame user_frames[] = {
	{ 0x7f0014, "libc.so.6", "write", 0x14, "a note <&>" },
	{ 0x401000, "a.out", NULL, 0, NULL },
	{ 0x1234, NULL, NULL, 0, NULL },
	{ 0x2000, NULL, "Helper.run(\"x\")", 0, NULL },
};

/* Every byte but NUL, in one text. */
static const char *all_bytes(void)
{
	static char text[256];
	for (unsigned i = 1; i < 256; i++)
		text[i - 1] = (char)i;
	return text;
}

static int probe(struct pf_sink *s, const struct pf_record *records, size_t n)
{
	struct pf_event e = { .time_ns = T, .cpu = 1, .probe = begin, .records = records, .n_records = n };
	int rc = s->kind->event(s, &e, NULL);
	return rc < 0 ? rc : s->kind->flush(s);
}

static int values(struct pf_sink *s)
{
	struct pf_record r[] = {
		VALUE(INT(42)),
		VALUE(INT(INT64_MIN)),
		VALUE(UINT(UINT64_MAX)),
		VALUE(TEXT("hello")),
		VALUE(TEXT("")),
		VALUE(TEXT("cut here\0not seen")),
		VALUE(TEXT("tab\there \"q\" back\\slash")),
		VALUE(TEXT("caf\xc3\xa9 \xe2\x80\xa8 \xf0\x9f\x98\x80")),
		VALUE(TEXT("ok\xffz")),
		VALUE(TEXT("]]>&<b attr='1'>,;\r\n=1")),
		VALUE(BYTES("\x00\x11\xff")),
		{ .kind = PF_RECORD_MESSAGE, .message = { "pid 7 \xfe\n", 8, "pid %d %s\n", 2 } },
		{ .kind = PF_RECORD_VALUE, .of_message = true, .value = INT(7) },
		{ .kind = PF_RECORD_VALUE, .of_message = true, .value = TEXT("\xfe") },
		{ .kind = PF_RECORD_DEFAULT },
		{ .kind = PF_RECORD_TRACEMEM, .value = BYTES("Linu") },
		{ .kind = PF_RECORD_TRACEMEM, .value = BYTES("") },
		{ .kind = PF_RECORD_SYSTEM, .system = { "echo shell-7", 0, NULL } },
		{ .kind = PF_RECORD_FREOPEN, .system = { "", 0, NULL } },
		{ .kind = PF_RECORD_VALUE, .value = { .kind = PF_DATUM_TEXT, .text = { all_bytes(), 255 } } },
	};
	return probe(s, r, PF_N(r));
}

static int stacks(struct pf_sink *s)
{
	struct pf_record r[] = {
		STACK(PF_RECORD_STACK, kernel_frames, 0),
		STACK(PF_RECORD_USTACK, user_frames, 7),
		{ .kind = PF_RECORD_USTACK, .stack = { NULL, 0, 7 } },
		STACK(PF_RECORD_SYM, kernel_frames, 0),
		{ .kind = PF_RECORD_SYM, .stack = { kernel_frames + 2, 1, 0 } },
		{ .kind = PF_RECORD_SYM, .stack = { kernel_frames + 3, 1, 0 } },
		STACK(PF_RECORD_MOD, kernel_frames, 0),
		{ .kind = PF_RECORD_MOD, .stack = { kernel_frames + 3, 1, 0 } },
		STACK(PF_RECORD_USYM, user_frames, 7),
		STACK(PF_RECORD_UADDR, user_frames, 7),
		{ .kind = PF_RECORD_UADDR, .stack = { user_frames + 1, 1, 7 } },
		STACK(PF_RECORD_UMOD, user_frames, 7),
		{ .kind = PF_RECORD_UMOD, .stack = { user_frames + 2, 1, 7 } },
	};
	return probe(s, r, PF_N(r));
}

static const struct pf_bucket powers[] = { { -2, 0, NULL }, { -1, 0, NULL }, { 0, 0, NULL }, { 1, 3, NULL },
					   { 2, 0, NULL },  { 4, 1, NULL },  { 8, 0, NULL }, { 16, 0, NULL } };
static const struct pf_bucket empty_powers[] = {
	{ -2, 0, NULL }, { -1, 0, NULL }, { 0, 0, NULL }, { 1, 0, NULL }, { 2, 0, NULL }
};
static const struct pf_bucket linear[] = { { 0, 0, "<" }, { 0, 1, NULL }, { 10, 0, NULL }, { 20, 0, ">=" } };
static const struct pf_bucket logs[] = {
	{ -100, 0, "<=" }, { -10, 0, NULL }, { 10, 2, "abs<" }, { 10, 0, NULL }, { 100, 5, ">=" }
};

static int aggregations(struct pf_sink *s)
{
	const struct pf_key keys[] = {
		{ .kind = PF_KEY_VALUE, .value = TEXT("say \"hi\"\xff") },
		{ .kind = PF_KEY_VALUE, .value = INT(-2) },
		{ .kind = PF_KEY_STACK, .stack = { kernel_frames, 2, 0 } },
		{ .kind = PF_KEY_USTACK, .stack = { user_frames, 1, 9 } },
		{ .kind = PF_KEY_SYM, .stack = { kernel_frames, 1, 0 } },
		{ .kind = PF_KEY_MOD, .stack = { kernel_frames, 1, 0 } },
		{ .kind = PF_KEY_USYM, .stack = { user_frames, 1, 9 } },
		{ .kind = PF_KEY_UADDR, .stack = { user_frames, 1, 9 } },
		{ .kind = PF_KEY_UMOD, .stack = { user_frames, 1, 9 } },
	};
	const struct pf_agg_value v[] = {
		{ PF_AGG_COUNT, 17, NULL, 0 },
		{ PF_AGG_SUM, -40, NULL, 0 },
		{ PF_AGG_MIN, INT64_MIN, NULL, 0 },
		{ PF_AGG_MAX, INT64_MAX, NULL, 0 },
		{ PF_AGG_AVG, 3, NULL, 0 },
		{ PF_AGG_STDDEV, 1, NULL, 0 },
		{ PF_AGG_QUANTIZE, 0, powers, PF_N(powers) },
		{ PF_AGG_QUANTIZE, 0, empty_powers, PF_N(empty_powers) },
		{ PF_AGG_LQUANTIZE, 0, linear, PF_N(linear) },
		{ PF_AGG_LLQUANTIZE, 0, logs, PF_N(logs) },
	};
	static const char *const names[] = { "_", "b", "c", "c", "e", "f", "g", "h", "i", "j" };
	struct pf_agg_row rows[PF_N(v)];
	struct pf_record r[PF_N(v) + 2];
	for (size_t i = 0; i < PF_N(v); i++) {
		rows[i] = (struct pf_agg_row){ keys, i < PF_N(keys) ? i : PF_N(keys), &v[i], i == 1 ? 1000 : 1 };
		r[i] = (struct pf_record){ .kind = PF_RECORD_AGG,
					   .agg = { &names[i], 1, i == 2 ? "%@d" : NULL, NULL, &rows[i], 1 } };
	}
	struct pf_agg_row joined[] = { { keys, 2, v, 1 }, { keys, 1, v, 1 } };
	r[PF_N(v)] = (struct pf_record){ .kind = PF_RECORD_AGG,
					 .agg = { names, PF_N(v), NULL, NULL, joined, PF_N(joined) } };
	r[PF_N(v) + 1] = (struct pf_record){ .kind = PF_RECORD_AGG, .agg = { names, 1, NULL, NULL, NULL, 0 } };
	int rc = probe(s, r, PF_N(r));
	if (rc < 0)
		return rc;

	struct pf_event last = { .kind = PF_EVENT_AGGREGATIONS, .time_ns = T, .cpu = -1, .records = r, .n_records = 1 };
	return s->kind->event(s, &last, NULL);
}

static int pseudo(struct pf_sink *s)
{
	struct pf_event flow = { .time_ns = T, .cpu = 0, .probe = { "syscall", "vmlinux", "read", "entry", 77 } };
	flow.flow = "entry";
	flow.depth = 3;
	struct pf_event drop = { .kind = PF_EVENT_DROP, .time_ns = T, .cpu = -1, .msg = "3 dynamic variable drops" };
	drop.drop.count = 3;
	drop.drop.total = 9;
	drop.drop.kind = 2;
	drop.drop.kind_name = "DTRACEDROP_DYNAMIC";
	struct pf_event error = {
		.kind = PF_EVENT_ERROR, .time_ns = T, .cpu = 1, .msg = "error in dt_clause_0: invalid address (0x10)"
	};
	error.error.fault = 1;
	error.error.fault_name = "invalid address";
	error.error.action = 2;
	error.error.offset = 12;
	error.error.has_address = true;
	error.error.address = 0x10;
	error.error.probe = begin;
	struct pf_event bare = { .kind = PF_EVENT_ERROR, .time_ns = T, .cpu = 1, .msg = "failed to set option" };
	bare.error.fault_name = "library-level fault";
	bare.error.action = bare.error.offset = -1;
	const struct pf_event *const all[] = { &flow, &drop, &error, &bare };
	int rc = 0;
	for (size_t i = 0; i < PF_N(all) && rc == 0; i++) {
		rc = s->kind->event(s, all[i], NULL);
		rc = rc < 0 ? rc : s->kind->flush(s);
	}
	return rc;
}

static const struct pf_metric metrics[] = {
	{ "kernel.all.load", PF_PMID(60, 2, 0), PF_INDOM(60, 2), PF_FLOAT, PF_INSTANT, PF_UNITS_NONE, NULL },
	{ "kernel.all.cpu.user", PF_PMID(60, 0, 20), PF_INDOM_NONE, PF_U64, PF_COUNTER, PF_UNITS_MSEC, NULL },
	{ "mem.util.free", PF_PMID(60, 1, 2), PF_INDOM_NONE, PF_U64, PF_INSTANT, PF_UNITS_KBYTE, NULL },
	{ "disk.dev.read", PF_PMID(60, 0, 4), PF_INDOM(60, 1), PF_U64, PF_COUNTER, PF_UNITS_COUNT, NULL },
	{ "kernel.uname.release", PF_PMID(60, 12, 0), PF_INDOM_NONE, PF_STRING, PF_DISCRETE, PF_UNITS_NONE, NULL },
	{ "demo.ratio", PF_PMID(485, 1, 0), PF_INDOM_NONE, PF_DOUBLE, PF_INSTANT, PF_UNITS_NONE, NULL },
	{ "demo.level", PF_PMID(485, 1, 1), PF_INDOM_NONE, PF_S32, PF_INSTANT, PF_UNITS_NONE, NULL },
};

static void fill(struct pf_catalog *cat, struct pf_sample *s, unsigned k)
{
	static const char *const loads[] = { "1 minute", "5 minute", "15 minute" };
	static const char *const disks[] = { "sda", "we\"ird\xff", "n\nl,<&>" };
	struct pf_indom *load = pf_catalog_indom(cat, PF_INDOM(60, 2));
	struct pf_indom *disk = pf_catalog_indom(cat, PF_INDOM(60, 1));
	for (unsigned i = 0; i < 3; i++) {
		int slot = pf_indom_slot(load, pf_view_of(loads[i]), i, -1, s->seq);
		(void)pf_sample_set(s, 0, (unsigned)slot, (union pf_value){ .d = (double)(0.1f * (float)(i + k)) });
		slot = pf_indom_slot(disk, pf_view_of(disks[i]), i, -1, s->seq);
		if (i != 1 || k != 1) /* one that goes and comes back */
			(void)pf_sample_set(s, 3, (unsigned)slot,
					    (union pf_value){ .u = k == 3 ? 1 : 1000 * i + 7 * k });
	}
	(void)pf_sample_set(s, 1, 0, (union pf_value){ .u = UINT64_MAX - 1000 + 3 * k });
	(void)pf_sample_set(s, 2, 0, (union pf_value){ .u = 123456 });
	(void)pf_sample_set(s, 4, 0, (union pf_value){ .s = k == 2 ? "6.1\x01\xc0\x80" : "6.1.0-amd64" });
	(void)pf_sample_set(s, 5, 0, (union pf_value){ .d = k == 1 ? __builtin_nan("") : 1.0 / 3 });
	(void)pf_sample_set(s, 6, 0, (union pf_value){ .i = -5 });
}

static int samples(struct pf_sink *s, struct pf_catalog *cat, bool mixed)
{
	struct pf_frames f;
	pf_frames_init(&f, cat);
	int rc = 0;
	for (unsigned k = 0; k < 6 && rc == 0; k++) {
		if (k == 4)
			pf_frames_cut(&f);
		int64_t t = WALL + (int64_t)k * 999999937;
		struct pf_sample *sample = pf_frames_begin(&f, t, t);
		if (!sample)
			return -1;
		fill(cat, sample, k);
		struct pf_step step = pf_frames_step(&f);
		step.lost = k == 2 ? 1 : 0;
		rc = s->kind->sample(s, &step, NULL);
		if (rc == 0)
			rc = s->kind->flush(s);
		if (rc == 0 && mixed)
			rc = values(s);
	}
	pf_frames_done(&f);
	return rc;
}

static int run(const char *what, const char *words, struct pf_catalog *cat, struct pf_err *err)
{
	struct pf_doc_options options;
	unsigned base;
	int rc = pf_doc_options_parse(words, true, &options, err);
	if (rc == 0)
		rc = pf_catalog_add(cat, metrics, PF_N(metrics), &base, err);
	if (rc < 0)
		return rc;

	const struct pf_view_options view = { .host = "we<b>1" };
	const struct pf_sink_spec spec = {
		.fd = STDOUT_FILENO,
		.view = &view,
		.doc = &options,
		.catalog = cat,
		.interval_ns = 1000000000,
		.events = strcmp(what, "events") == 0,
	};
	struct pf_sink *s;
	rc = pf_sink_emit.open(&s, &spec, err);
	if (rc < 0)
		return rc;
	if (spec.events) {
		int (*const parts[])(struct pf_sink *) = { values, stacks, aggregations, pseudo };
		for (size_t i = 0; i < PF_N(parts) && rc == 0; i++)
			rc = parts[i](s);
	} else {
		rc = samples(s, cat, strcmp(what, "mixed") == 0);
	}
	int end = s->kind->close(s, err);
	return rc < 0 ? rc : end;
}

int main(int argc, char **argv)
{
	if (argc != 3) {
		(void)fputs("usage: emit-demo samples|events|mixed FORMAT[,MODIFIER...]\n", stderr);
		return 2;
	}
	struct pf_err err = { 0 };
	struct pf_catalog *cat = pf_catalog_new();
	int rc = cat ? run(argv[1], argv[2], cat, &err) : -1;
	(void)pf_catalog_free(cat);
	if (rc < 0)
		(void)fprintf(stderr, "emit-demo: %s\n", err.text);
	return rc < 0;
}
