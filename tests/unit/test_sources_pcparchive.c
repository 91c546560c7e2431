/* test_sources_pcparchive.c - records that are of one shape take a short way into samples. Here each generated archive is written twice: once as loggers do,
 * and once with something unknown in each record that has another length in each, so that no record has the shape of an earlier one. Samples of
 * both must be the same: values, where they are, instances, errors, what is kept of the sample before and over which time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* clang-format off */
#include <cmocka.h>
/* clang-format on */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "formats/pcp/context.h"
#include "formats/pcp/labels.h"
#include "formats/pcp/writer.h"
#include "groups/list.h"
#include "sources/list.h"

/* 2026-11-30 01:00:00 UTC */
#define T0     INT64_C(1796000400000000000)
#define SECOND INT64_C(1000000000)

enum { STEPS = 700, MANY = 6, DOMAINS = 4, DISKS_EVERY = 3 };

#define OWN_INDOM   PF_INDOM(PF_DOMAIN_MODULE, 5)
#define LAMPS	    PF_INDOM(PF_DOMAIN_MODULE, 6)
#define OWN(item)   PF_PMID(PF_DOMAIN_MODULE, 3, item)
#define PAD_PMID    PF_PMID(PF_DOMAIN_MODULE, 9, 1)
#define LINUX(c, i) PF_PMID(PF_DOMAIN_LINUX, c, i)
#define CPUS	    PF_INDOM(PF_DOMAIN_LINUX, 0)
#define DISKS	    PF_INDOM(PF_DOMAIN_LINUX, 1)

/* What comes with each sample, with every third, and now and then. */
enum { OFTEN, SELDOM, ONCE };

/* The meaning of metrics in the archive, which is not always what a group of ours makes of them: other types, other units. */
static const struct {
	struct pf_metric row;
	int record;
} metrics[] = {
	{ { "kernel.all.cpu.user", LINUX(0, 20), PF_INDOM_NONE, PF_U64, PF_COUNTER, PF_UNITS_MSEC, "" }, OFTEN },
	{ { "kernel.all.cpu.nice", LINUX(0, 21), PF_INDOM_NONE, PF_U32, PF_COUNTER, PF_UNITS_MSEC, "" }, OFTEN },
	{ { "kernel.all.cpu.sys", LINUX(0, 22), PF_INDOM_NONE, PF_DOUBLE, PF_COUNTER, PF_UNITS_MSEC, "" }, OFTEN },
	{ { "kernel.all.cpu.idle",
	    LINUX(0, 23),
	    PF_INDOM_NONE,
	    PF_U64,
	    PF_COUNTER,
	    { .time = 1, .time_scale = 3 },
	    "" },
	  OFTEN },
	{ { "kernel.percpu.cpu.user", LINUX(0, 0), CPUS, PF_U64, PF_COUNTER, PF_UNITS_MSEC, "" }, OFTEN },
	{ { "kernel.percpu.cpu.sys", LINUX(0, 2), CPUS, PF_S32, PF_COUNTER, PF_UNITS_MSEC, "" }, OFTEN },
	{ { "disk.dev.read", LINUX(0, 4), DISKS, PF_U64, PF_COUNTER, PF_UNITS_COUNT, "" }, SELDOM },
	{ { "disk.dev.write", LINUX(0, 5), DISKS, PF_U32, PF_COUNTER, PF_UNITS_COUNT, "" }, SELDOM },
	{ { "own.float", OWN(1), OWN_INDOM, PF_FLOAT, PF_INSTANT, PF_UNITS_NONE, "" }, OFTEN },
	{ { "own.s64", OWN(2), OWN_INDOM, PF_S64, PF_INSTANT, PF_UNITS_NONE, "" }, OFTEN },
	{ { "own.s32", OWN(3), PF_INDOM_NONE, PF_S32, PF_INSTANT, PF_UNITS_NONE, "" }, SELDOM },
	{ { "own.held", OWN(4), OWN_INDOM, PF_U32, PF_DISCRETE, PF_UNITS_NONE, "" }, ONCE },
	{ { "own.named", OWN(5), PF_INDOM_NONE, PF_STRING, PF_DISCRETE, PF_UNITS_NONE, "" }, ONCE },
	{ { "own.lamp", OWN(7), LAMPS, PF_U64, PF_DISCRETE, PF_UNITS_NONE, "" }, ONCE },
	{ { "own.text", OWN(6), PF_INDOM_NONE, PF_STRING, PF_INSTANT, PF_UNITS_NONE, "" }, OFTEN },
};
enum { N_METRICS = sizeof(metrics) / sizeof(metrics[0]), TEXT = N_METRICS - 1 };

static const uint32_t indoms[DOMAINS] = { CPUS, DISKS, OWN_INDOM, LAMPS };

/* @holds: discrete values hold until others come. @texts: one of the metrics that come often is a text. */
struct variant {
	unsigned version;
	bool holds;
	bool texts;
	uint64_t seed;
};

/* What there is at a time: instances, how often they were named anew, and metrics that have an error or not all of their instances. */
struct world {
	const struct variant *variant;
	bool varies;
	unsigned n; /* records so far */
	uint64_t state;
	bool exists[DOMAINS][MANY];
	unsigned named[DOMAINS][MANY];
	int32_t codes[N_METRICS];
	unsigned without[N_METRICS];
	struct pf_pcp_writer *w;
	struct pf_pcp_build build;
};

static uint64_t next_of(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(2685821657736338717);
}

static unsigned below(uint64_t *state, unsigned n)
{
	return (unsigned)((next_of(state) >> 32) % n);
}

static uint64_t mixed(const struct world *w, uint64_t step, uint64_t metric, uint64_t inst)
{
	uint64_t state = w->variant->seed * 7919 + step * 1000003 + metric * 10007 + inst * 101 + 1;
	(void)next_of(&state);
	return next_of(&state);
}

static unsigned domain_of(uint32_t indom)
{
	unsigned d = 0;
	while (indoms[d] != indom)
		d++;
	return d;
}

static void write_domain(struct world *w, unsigned d, int64_t time_ns)
{
	struct pf_pcp_instance instances[MANY];
	char names[MANY][32];
	uint32_t n = 0;
	for (unsigned i = 0; i < MANY; i++) {
		if (!w->exists[d][i])
			continue;
		int len = snprintf(names[i], sizeof(names[i]), "%s%u%c", d == 1 ? "sd" : "cpu", i,
				   'a' + (int)(w->named[d][i] % 26));
		instances[n++] = (struct pf_pcp_instance){ .id = (int32_t)i * 3, .name = { names[i], (size_t)len } };
	}
	assert_int_equal(pf_pcp_writer_indom(w->w, time_ns, indoms[d], instances, n, NULL), 0);
}

/* Long times in which nothing changes lie between those in which much does. */
static void change(struct world *w, unsigned step, int64_t time_ns)
{
	bool changed[DOMAINS] = { step == 0, step == 0, step == 0, step == 0 };
	unsigned calm = step % 100 < 50 ? 200 : 8;
	for (unsigned d = 0; d < DOMAINS; d++) {
		if (below(&w->state, calm) == 0) {
			unsigned i = below(&w->state, MANY);
			w->exists[d][i] = !w->exists[d][i];
			changed[d] = true;
		}
		if (below(&w->state, 4 * calm) == 0) {
			w->named[d][below(&w->state, MANY)]++;
			changed[d] = true;
		}
		if (changed[d])
			write_domain(w, d, time_ns);
	}
	unsigned m = below(&w->state, N_METRICS);
	if (below(&w->state, calm) == 0)
		w->codes[m] = w->codes[m] ? 0 : -12350 - (int32_t)below(&w->state, 2);
	m = below(&w->state, N_METRICS);
	if (below(&w->state, calm) == 0)
		w->without[m] = below(&w->state, MANY + 1);
}

/* Now and then one that has no place in the row of a group, which has another type or other units: negative, or too large. */
static void put_value(struct world *w, unsigned step, unsigned m, unsigned inst, int32_t id)
{
	uint64_t bits = mixed(w, metrics[m].record == ONCE ? step / 90 : step, m, inst) >> inst % 7 * 8;
	if (step % 37 != inst)
		bits = metrics[m].row.type == PF_S32 ? bits & INT32_MAX : bits >> 24;
	char text[16];
	float f = (float)(int32_t)bits / 8;
	double d = (double)(int64_t)bits / 1024;
	uint32_t f_bits;
	uint64_t d_bits;
	memcpy(&f_bits, &f, sizeof(f_bits));
	memcpy(&d_bits, &d, sizeof(d_bits));
	switch (metrics[m].row.type) {
	case PF_STRING:
		(void)snprintf(text, sizeof(text), "%08x", (unsigned)bits);
		pf_pcp_build_text(&w->build, id, pf_view_of(text));
		break;
	case PF_FLOAT:
		pf_pcp_build_bits(&w->build, id, f_bits);
		break;
	case PF_DOUBLE:
		pf_pcp_build_bits(&w->build, id, d_bits);
		break;
	default:
		pf_pcp_build_bits(&w->build, id, bits);
	}
}

static void put_set(struct world *w, unsigned step, unsigned m)
{
	const struct pf_metric *row = &metrics[m].row;
	if (w->codes[m]) {
		pf_pcp_build_fail(&w->build, row->pmid, w->codes[m]);
		return;
	}
	if (row->indom == PF_INDOM_NONE) {
		pf_pcp_build_set(&w->build, row->pmid, row->type);
		put_value(w, step, m, 0, -1);
		return;
	}
	unsigned d = domain_of(row->indom);
	bool any = false;
	for (unsigned i = 0; i < MANY; i++) {
		if (!w->exists[d][i] || i + 1 == w->without[m])
			continue;
		if (!any)
			pf_pcp_build_set(&w->build, row->pmid, row->type);
		any = true;
		put_value(w, step, m, i, (int32_t)i * 3);
	}
	if (!any)
		pf_pcp_build_fail(&w->build, row->pmid, 0);
}

/* A set that nobody knows, of a length that only the varying archive changes. */
static void put_pad(struct world *w)
{
	static const char pad[3 * STEPS];
	size_t n = w->varies ? ++w->n : STEPS;
	assert_true(n <= sizeof(pad));
	pf_pcp_build_set(&w->build, PAD_PMID, PF_AGGREGATE);
	pf_pcp_build_block(&w->build, -1, (struct pf_view){ pad, n });
}

static void write_record(struct world *w, unsigned step, int record, int64_t time_ns)
{
	pf_pcp_build_begin(&w->build);
	for (unsigned m = 0; m < N_METRICS; m++) {
		if (metrics[m].record == record && (m != TEXT || w->variant->texts))
			put_set(w, step, m);
	}
	put_pad(w);
	assert_int_equal(pf_pcp_writer_result(w->w, time_ns, &w->build, false, NULL), 0);
}

static void begin_archive(struct world *w, int64_t time_ns)
{
	for (unsigned m = 0; m < N_METRICS; m++)
		assert_int_equal(pf_pcp_writer_desc(w->w, &metrics[m].row, NULL), 0);
	if (!w->variant->holds)
		return;
	struct pf_pcp_context context = { 0 };
	pf_pcp_context_text(&context, PF_PCP_UNCHANGED, PF_VIEW(PF_PCP_HELD), PF_OF_CONTEXT);
	assert_int_equal(pf_pcp_writer_context(w->w, time_ns, &context, NULL), 0);
	pf_pcp_context_done(&context);
}

static void write_archive(const char *path, const struct variant *variant, bool varies)
{
	struct world w = { .variant = variant, .varies = varies, .state = variant->seed };
	const struct pf_pcp_writer_spec spec = {
		.version = variant->version, .path = path, .host = "host", .zone = "UTC", .zoneinfo = ""
	};
	assert_int_equal(pf_pcp_writer_open(&w.w, &spec, NULL), 0);
	for (unsigned d = 0; d < DOMAINS; d++) {
		for (unsigned i = 0; i < MANY / 2; i++)
			w.exists[d][i] = true;
	}
	for (unsigned step = 0; step < STEPS; step++) {
		int64_t time_ns = T0 + step * SECOND;
		assert_true(pf_pcp_writer_begin(w.w, time_ns, NULL) == time_ns);
		if (step == 0)
			begin_archive(&w, time_ns);
		change(&w, step, time_ns);
		if (step % 30 == 0 || below(&w.state, 40) == 0)
			write_record(&w, step, ONCE, time_ns);
		write_record(&w, step, OFTEN, time_ns + SECOND / 100);
		if (step % DISKS_EVERY == 0 && step % 100 >= 20)
			write_record(&w, step, SELDOM, time_ns + SECOND / 10);
		if (below(&w.state, 150) == 0)
			assert_int_equal(pf_pcp_writer_mark(w.w, time_ns + SECOND / 2, NULL), 0);
	}
	pf_pcp_build_done(&w.build);
	assert_int_equal(pf_pcp_writer_close(w.w, NULL), 0);
}

static void put_cell(struct pf_buf *b, enum pf_type type, union pf_value v)
{
	if (type == PF_STRING)
		pf_buf_str(b, v.s);
	else
		pf_buf_fmt(b, "%016llx", (unsigned long long)v.u);
}

static void tell_metric(struct pf_buf *b, const struct pf_step *step, unsigned m)
{
	const struct pf_metric *row = step->catalog->metrics[m];
	const struct pf_indom *dom = pf_catalog_domain_of(step->catalog, m);
	unsigned slots = dom ? dom->n : 1;
	int32_t code;
	if (pf_sample_failed(step->cur, m, &code))
		pf_buf_fmt(b, "%s failed %d\n", row->name, code);
	for (unsigned slot = 0; slot < slots; slot++) {
		if (!pf_sample_has(step->cur, m, slot))
			continue;
		pf_buf_fmt(b, "%s[%u] ", row->name, slot);
		put_cell(b, row->type, pf_sample_get(step->cur, m, slot));
		pf_buf_fmt(b, " in %lld", (long long)pf_step_interval(step, m));
		if (step->prev && row->type != PF_STRING && pf_sample_has(step->prev, m, slot)) {
			pf_buf_str(b, " from ");
			put_cell(b, row->type, pf_sample_get(step->prev, m, slot));
		}
		pf_buf_char(b, '\n');
	}
}

static void tell_sample(struct pf_buf *out, const struct pf_frames *frames)
{
	struct pf_step step = pf_frames_step(frames);
	pf_buf_fmt(out, "sample %lld %lld%s\n", (long long)step.cur->time_ns, (long long)step.interval_ns,
		   step.prev ? "" : " first");
	for (unsigned d = 0; d < step.catalog->n_domains; d++) {
		const struct pf_indom *dom = step.catalog->domains[d];
		pf_buf_fmt(out, "domain %u%s\n", dom->id, dom->changed == step.cur->seq ? " changed" : "");
		for (unsigned slot = 0; slot < dom->n; slot++) {
			const struct pf_instance *inst = &dom->instances[slot];
			pf_buf_fmt(out, "%s%s%s\n", inst->name, inst->seen == step.cur->seq ? " there" : "",
				   inst->came == step.cur->seq ? " new" : "");
		}
	}
	for (unsigned m = 0; m < step.catalog->n_metrics; m++)
		tell_metric(out, &step, m);
}

/* All samples as text. @ret_made: how many were of those that have the cells of the ones before. */
static void read_archive(const char *path, const struct pf_source_spec *how, struct pf_buf *out, unsigned *ret_made)
{
	struct pf_catalog *cat = pf_catalog_new();
	struct pf_source_spec spec = *how;
	struct pf_source *source = NULL;
	struct pf_frames frames;
	spec.path = path;
	spec.root_fd = -1;
	pf_frames_init(&frames, cat);
	struct pf_err err = { 0 };
	assert_int_equal(pf_source_open(&source, &spec, cat, &err), 0);
	int rc;
	*ret_made = 0;
	uint64_t before = 0;
	while ((rc = source->kind->next(source, &frames, &err)) == 1) {
		tell_sample(out, &frames);
		uint64_t made = pf_frames_step(&frames).cur->made;
		*ret_made += made != 0 && made == before;
		before = made;
	}
	/* The set that nobody knows is told, with shapes and without. */
	assert_int_equal(rc, -EBADMSG);
	const char *told = strstr(err.text, "values of 1 metric are not described there");
	while (told && told > err.text && told[-1] != ':')
		told--;
	pf_buf_str(out, told ? told : err.text);
	assert_int_equal(source->kind->next(source, &frames, &err), -ENODATA);
	source->kind->close(source);
	pf_frames_done(&frames);
	(void)pf_catalog_free(cat);
}

/* The first line that differs says more than two long texts. */
static void must_be_equal(const struct pf_buf *a, const struct pf_buf *b)
{
	assert_int_equal(a->failed | b->failed, 0);
	size_t i = 0;
	while (i < a->n && i < b->n && a->p[i] == b->p[i])
		i++;
	if (i == a->n && i == b->n)
		return;
	while (i > 0 && a->p[i - 1] != '\n')
		i--;
	print_error("%.*s\n%.*s\n", (int)(a->n - i < 300 ? a->n - i : 300), a->p + i,
		    (int)(b->n - i < 300 ? b->n - i : 300), b->p + i);
	fail_msg("samples differ at byte %zu", i);
}

static void remove_archive(const char *base)
{
	static const char *const suffixes[] = { "meta", "index", "0" };
	char path[128];
	for (unsigned i = 0; i < 3; i++) {
		(void)snprintf(path, sizeof(path), "%s.%s", base, suffixes[i]);
		assert_int_equal(unlink(path), 0);
	}
}

static void compare(const struct variant *variant, const char *dir)
{
	const struct pf_source_spec ways[] = { { .groups = NULL },
					       { .as_recorded = true },
					       { .groups = pf_groups },
					       { .groups = pf_groups, .each_record = true } };
	char plain[64], varied[64];
	(void)snprintf(plain, sizeof(plain), "%s/plain", dir);
	(void)snprintf(varied, sizeof(varied), "%s/varied", dir);
	write_archive(plain, variant, false);
	write_archive(varied, variant, true);
	for (unsigned i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		struct pf_buf a = { 0 };
		struct pf_buf b = { 0 };
		unsigned short_way, long_way;
		read_archive(plain, &ways[i], &a, &short_way);
		read_archive(varied, &ways[i], &b, &long_way);
		must_be_equal(&a, &b);
		assert_int_equal(long_way, 0);
		if (!variant->texts)
			assert_in_range(short_way, 20, STEPS * 2);
		pf_buf_done(&a);
		pf_buf_done(&b);
	}
	remove_archive(plain);
	remove_archive(varied);
}

static void samples_are_the_same_whether_records_have_a_shape_or_not(void **state)
{
	(void)state;
	char dir[] = "/tmp/pcparchive.XXXXXX";
	assert_non_null(mkdtemp(dir));
	for (unsigned i = 0; i < 16; i++) {
		const struct variant variant = {
			.version = i & 1 ? 2 : 3, .holds = i & 2, .texts = i & 4, .seed = 88172645463325252 + i
		};
		compare(&variant, dir);
	}
	assert_int_equal(rmdir(dir), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_are_the_same_whether_records_have_a_shape_or_not),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
