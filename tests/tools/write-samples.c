/* write-samples VERSION SEED COUNT ARCHIVE LIST - generated samples of all types through the archive sink, and a list of what was written:
 *   s TIME             a sample, nanoseconds since 1970
 *   m                  nothing is known before the next sample
 *   v METRIC INSTANCE NAME TEXT   a value: the instance's number and its name in hex, "- -" for a single one; strings in hex,
 *                      floating-point numbers with all their digits
 * Instances come and go, numbers are used again under other names, values are extremes as often as not. The same arguments give the same
 * archive. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "model/builder.h"
#include "model/catalog.h"
#include "model/sample.h"
#include "sinks/sink.h"
#include "sinks/volumes.h"

/* 2026-11-30 01:00:00 UTC */
#define T0 INT64_C(1796000400000000000)

enum { S32, U32, S64, U64, FLOAT, DOUBLE, STRING, N_TYPES };
enum { SOME = N_TYPES, OTHERS = 2 * N_TYPES, GROWS32 = 3 * N_TYPES, GROWS64, GROWS_DOUBLE, GROWS_EACH, N_ROWS };
enum { MANY = 40, FEW = 5, NAMES = 3, LONG_TEXT = 65536, VOLUMES = 4, MARK_EVERY = 499, LONG_EVERY = 1009 };

#define SINGLE PF_INDOM_NONE
#define WILD   PF_INDOM(PF_DOMAIN_MODULE, 1)
#define QUIET  PF_INDOM(PF_DOMAIN_MODULE, 2)

#define ROW(i, name, indom, type, sem)                                                                                 \
	[i] = { name, PF_PMID(PF_DOMAIN_MODULE, 7, i), indom, type, sem, PF_UNITS_NONE, "" }
#define ROWS(first, name, indom)                                                                                       \
	ROW((first) + S32, name ".s32", indom, PF_S32, PF_INSTANT),                                                    \
		ROW((first) + U32, name ".u32", indom, PF_U32, PF_DISCRETE),                                           \
		ROW((first) + S64, name ".s64", indom, PF_S64, PF_INSTANT),                                            \
		ROW((first) + U64, name ".u64", indom, PF_U64, PF_INSTANT),                                            \
		ROW((first) + FLOAT, name ".float", indom, PF_FLOAT, PF_INSTANT),                                      \
		ROW((first) + DOUBLE, name ".double", indom, PF_DOUBLE, PF_INSTANT),                                   \
		ROW((first) + STRING, name ".string", indom, PF_STRING, PF_DISCRETE)

static const struct pf_metric rows[N_ROWS] = {
	ROWS(0, "gen.single", SINGLE),
	ROWS(SOME, "gen.wild", WILD),
	ROWS(OTHERS, "gen.quiet", QUIET),
	ROW(GROWS32, "gen.grows.u32", SINGLE, PF_U32, PF_COUNTER),
	ROW(GROWS64, "gen.grows.u64", SINGLE, PF_U64, PF_COUNTER),
	ROW(GROWS_DOUBLE, "gen.grows.double", SINGLE, PF_DOUBLE, PF_COUNTER),
	ROW(GROWS_EACH, "gen.grows.each", QUIET, PF_U64, PF_COUNTER),
};

/* @named: by number of an instance, which of its names it goes by. @long_due: a text of LONG_TEXT bytes is to come. */
struct writer {
	uint64_t state;
	FILE *list;
	struct pf_catalog *catalog;
	struct pf_builder b;
	unsigned named[MANY];
	bool long_due;
	char text[LONG_TEXT + 1];
};

/* xorshift64* */
static uint64_t random64(struct writer *w)
{
	w->state ^= w->state >> 12;
	w->state ^= w->state << 25;
	w->state ^= w->state >> 27;
	return w->state * UINT64_C(2685821657736338717);
}

static unsigned below(struct writer *w, unsigned n)
{
	return (unsigned)((random64(w) >> 32) % n);
}

static uint64_t some_bits(struct writer *w)
{
	static const uint64_t extremes[] = {
		0,	   1, INT32_MAX, UINT64_C(1) << 31, UINT32_MAX, UINT64_C(1) << 32, INT64_MAX, UINT64_C(1) << 63,
		UINT64_MAX
	};
	return below(w, 2) ? extremes[below(w, sizeof(extremes) / sizeof(extremes[0]))] : random64(w) >> below(w, 64);
}

static double some_float(struct writer *w)
{
	static const float extremes[] = {
		0.0F,	  -0.0F,     1e-45F, -1e-45F, 1.17549435e-38F, 3.40282347e+38F, -3.40282347e+38F,
		INFINITY, -INFINITY, NAN,    0.1F,    16777217.0F
	};
	if (below(w, 2))
		return (double)extremes[below(w, sizeof(extremes) / sizeof(extremes[0]))];
	return (double)(float)ldexp((double)(int32_t)random64(w), (int)below(w, 120) - 90);
}

static double some_double(struct writer *w)
{
	static const double extremes[] = { 0.0,
					   -0.0,
					   4.9406564584124654e-324,
					   -4.9406564584124654e-324,
					   2.2250738585072014e-308,
					   1.7976931348623157e+308,
					   -1.7976931348623157e+308,
					   INFINITY,
					   -INFINITY,
					   NAN,
					   0.1,
					   9007199254740993.0 };
	if (below(w, 2))
		return extremes[below(w, sizeof(extremes) / sizeof(extremes[0]))];
	return ldexp((double)(int64_t)random64(w), (int)below(w, 1800) - 900);
}

/* Text without newlines, which stand between the lines of a dump. */
static const char *some_text(struct writer *w)
{
	static const char *const extremes[] = { "",
						" ",
						"\"",
						"\\",
						("Gr\xc3\xbc\xc3\x9f"
						 "e \xe2\x82\xac \xf0\x9f\x90\xa7"),
						"\t~\x7f",
						"\xff\xfe no UTF-8",
						"value 1",
						"a \"b\" c" };
	if (!w->long_due && below(w, 2))
		return extremes[below(w, sizeof(extremes) / sizeof(extremes[0]))];
	unsigned n = w->long_due ? LONG_TEXT : below(w, 30);
	w->long_due = false;
	for (unsigned i = 0; i < n; i++)
		w->text[i] = (char)(' ' + below(w, 95));
	w->text[n] = '\0';
	return w->text;
}

static void tell_hex(struct writer *w, const char *text)
{
	for (const char *p = text; *p != '\0'; p++)
		(void)fprintf(w->list, "%02x", (unsigned char)*p);
}

static void tell_head(struct writer *w, unsigned row, int32_t inst, const char *name)
{
	(void)fprintf(w->list, "v %s ", rows[row].name);
	if (name) {
		(void)fprintf(w->list, "%" PRId32 " ", inst);
		tell_hex(w, name);
	} else {
		(void)fputs("- -", w->list);
	}
	(void)fputc(' ', w->list);
}

static void put_value(struct writer *w, unsigned row, unsigned slot, int32_t inst, const char *name)
{
	double d;
	const char *text;
	uint64_t bits = some_bits(w);
	tell_head(w, row, inst, name);
	switch (rows[row].type) {
	case PF_S32:
		pf_builder_i64(&w->b, row, slot, (int32_t)bits);
		(void)fprintf(w->list, "%" PRId32, (int32_t)bits);
		break;
	case PF_U32:
		pf_builder_u64(&w->b, row, slot, (uint32_t)bits);
		(void)fprintf(w->list, "%" PRIu32, (uint32_t)bits);
		break;
	case PF_S64:
		pf_builder_i64(&w->b, row, slot, (int64_t)bits);
		(void)fprintf(w->list, "%" PRId64, (int64_t)bits);
		break;
	case PF_U64:
		pf_builder_u64(&w->b, row, slot, bits);
		(void)fprintf(w->list, "%" PRIu64, bits);
		break;
	case PF_STRING:
		text = some_text(w);
		pf_builder_str(&w->b, row, slot, pf_view_of(text));
		tell_hex(w, text);
		break;
	default:
		d = rows[row].type == PF_FLOAT ? some_float(w) : some_double(w);
		pf_builder_double(&w->b, row, slot, d);
		(void)fprintf(w->list, "%.17g", d);
	}
	(void)fputc('\n', w->list);
}

static void put_counter(struct writer *w, unsigned row, unsigned slot, int32_t inst, const char *name, uint64_t v)
{
	tell_head(w, row, inst, name);
	if (rows[row].type == PF_DOUBLE)
		pf_builder_double(&w->b, row, slot, (double)v / 8);
	else
		pf_builder_u64(&w->b, row, slot, v);
	if (rows[row].type == PF_DOUBLE)
		(void)fprintf(w->list, "%.17g\n", (double)v / 8);
	else
		(void)fprintf(w->list, "%" PRIu64 "\n", v);
}

static struct pf_indom *domain_of(const struct writer *w, unsigned row)
{
	struct pf_indom *dom = pf_catalog_domain_of(w->catalog, row);
	if (!dom)
		abort();
	return dom;
}

/* Any of them, or none, may be there; now and then one has got another name. */
static void put_wild(struct writer *w)
{
	struct pf_indom *dom = domain_of(w, SOME);
	unsigned likely = below(w, 5);
	for (unsigned i = 0; i < MANY; i++) {
		char name[64];
		if (below(w, 4) >= likely)
			continue;
		if (below(w, 50) == 0)
			w->named[i] = (w->named[i] + 1) % NAMES;
		static const char *const ends[NAMES] = { " a name", " \xc3\xa4 \"quoted\"", "" };
		(void)snprintf(name, sizeof(name), "%u%s", i, ends[w->named[i]]);
		int slot =
			pf_indom_numbered(dom, (int32_t)(i * 1000003), w->named[i], pf_view_of(name), w->b.sample->seq);
		if (slot < 0)
			abort();
		for (unsigned t = 0; t < N_TYPES; t++) {
			if (below(w, 3))
				put_value(w, SOME + t, (unsigned)slot, (int32_t)(i * 1000003), name);
		}
	}
}

static void put_quiet(struct writer *w, uint64_t number)
{
	struct pf_indom *dom = domain_of(w, OTHERS);
	for (unsigned i = 0; i < FEW; i++) {
		char name[16];
		if (i == FEW - 1 && number % 1000 >= 500)
			continue;
		(void)snprintf(name, sizeof(name), "unit%u", i);
		int slot = pf_indom_slot(dom, pf_view_of(name), i, (int32_t)i, w->b.sample->seq);
		if (slot < 0)
			abort();
		put_counter(w, GROWS_EACH, (unsigned)slot, (int32_t)i, name, number * (i + 1));
		for (unsigned t = 0; t < N_TYPES; t++) {
			if (below(w, 8) == 0)
				put_value(w, OTHERS + t, (unsigned)slot, (int32_t)i, name);
		}
	}
}

static void put_sample(struct writer *w, uint64_t number)
{
	w->long_due = number % LONG_EVERY == LONG_EVERY / 2;
	for (unsigned t = 0; t < N_TYPES; t++) {
		if (w->long_due || below(w, 4))
			put_value(w, t, 0, 0, NULL);
	}
	if (below(w, 3) == 0)
		put_wild(w);
	if (below(w, 2))
		put_quiet(w, number);
	put_counter(w, GROWS32, 0, 0, NULL, number * 3);
	put_counter(w, GROWS64, 0, 0, NULL, number * UINT64_C(1000000000000));
	put_counter(w, GROWS_DOUBLE, 0, 0, NULL, number * 5);
	if (w->b.oom < 0)
		abort();
}

static int write_all(struct writer *w, struct pf_frames *frames, struct pf_sink *sink, unsigned version, uint64_t count,
		     struct pf_err *err)
{
	int64_t time_ns = T0;
	for (uint64_t i = 0; i < count; i++) {
		time_ns += 1000 + (int64_t)(random64(w) % UINT64_C(3000000000));
		w->b.sample = pf_frames_begin(frames, time_ns, time_ns);
		if (!w->b.sample)
			return pf_err_set(err, -ENOMEM, "no memory");
		bool mark = i % MARK_EVERY == MARK_EVERY - 1;
		if (mark)
			(void)fputs("m\n", w->list);
		(void)fprintf(w->list, "s %" PRId64 "\n", version == 2 ? time_ns - time_ns % 1000 : time_ns);
		put_sample(w, i);
		struct pf_step step = pf_frames_step(frames);
		if (mark)
			step.prev = NULL;
		int rc = sink->kind->sample(sink, &step, err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int run(struct writer *w, unsigned version, uint64_t count, const char *path, struct pf_err *err)
{
	unsigned base;
	struct pf_frames frames;
	struct pf_sink *sink = NULL;
	w->catalog = pf_catalog_new();
	if (!w->catalog)
		return pf_err_set(err, -ENOMEM, "no memory");
	w->b.catalog = w->catalog;
	pf_frames_init(&frames, w->catalog);
	const struct pf_volume_options volumes = { .samples = count / VOLUMES + 1 };
	const struct pf_sink_spec spec = { .fd = -1,
					   .path = path,
					   .host = "generated",
					   .zone = "UTC",
					   .archive_version = version,
					   .volumes = &volumes,
					   .catalog = w->catalog };
	int rc = pf_catalog_add(w->catalog, rows, N_ROWS, &base, err);
	if (rc == 0)
		rc = pf_sink_pcparchive.open(&sink, &spec, err);
	if (rc == 0)
		rc = write_all(w, &frames, sink, version, count, err);
	int closed = sink ? sink->kind->close(sink, rc == 0 ? err : NULL) : 0;
	pf_frames_done(&frames);
	(void)pf_catalog_free(w->catalog);
	return rc < 0 ? rc : closed;
}

int main(int argc, char **argv)
{
	static struct writer w;
	uint64_t version, count;
	struct pf_err err = { 0 };
	if (argc != 6 || pf_view_u64(pf_view_of(argv[1]), &version) < 0 ||
	    pf_view_u64(pf_view_of(argv[2]), &w.state) < 0 || pf_view_u64(pf_view_of(argv[3]), &count) < 0 ||
	    w.state == 0) {
		(void)fputs("usage: write-samples VERSION SEED COUNT ARCHIVE LIST\n", stderr);
		return 2;
	}
	w.list = fopen(argv[5], "we");
	if (!w.list) {
		perror(argv[5]);
		return 1;
	}
	int rc = run(&w, (unsigned)version, count, argv[4], &err);
	bool listed = !ferror(w.list);
	if (fclose(w.list) != 0 || !listed || rc < 0) {
		(void)fprintf(stderr, "write-samples: %s\n", rc < 0 ? err.text : "the list cannot be written");
		return 1;
	}
	return 0;
}
