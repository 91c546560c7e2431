/* sinks/told, sources/lasting: an archive is not told again what has not changed, and whoever reads it sees every value all the same. Instances come,
 * go, are renamed, lose single values, and pass on their numbers, by chance. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "formats/pcp/reader.h"
#include "model/builder.h"
#include "sinks/pcparchive.h"
#include "sinks/sink.h"
#include "sinks/volumes.h"
#include "sources/list.h"

#define T0    INT64_C(1796011269000000000)
#define SEC   INT64_C(1000000000)
#define TASKS PF_INDOM(PF_DOMAIN_MODULE, 5)
#define LAMPS PF_INDOM(PF_DOMAIN_MODULE, 6)

enum { TIMES, ARGS, OWNER, ONE, COLOUR, N_ROWS };
enum { N_TASKS = 6, N_LAMPS = 3, N_MOST = 6, N_SAMPLES = 400, TEXT = 24 };

#define ROW(item, name, indom, type, sem)                                                                              \
	{                                                                                                              \
		name, PF_PMID(PF_DOMAIN_MODULE, 9, item), indom, type, sem, PF_UNITS_NONE, ""                          \
	}

static const struct pf_metric rows[N_ROWS] = {
	[TIMES] = ROW(TIMES, "t.times", TASKS, PF_U32, PF_COUNTER),
	[ARGS] = ROW(ARGS, "t.args", TASKS, PF_STRING, PF_DISCRETE),
	[OWNER] = ROW(OWNER, "t.owner", TASKS, PF_U64, PF_DISCRETE),
	[ONE] = ROW(ONE, "t.one", PF_INDOM_NONE, PF_STRING, PF_DISCRETE),
	[COLOUR] = ROW(COLOUR, "t.colour", LAMPS, PF_U32, PF_DISCRETE),
};

/* @name: of the instance, "" if it is not there; @text: its value, "" if it has none. */
struct cell {
	char name[TEXT];
	char text[TEXT];
};

/* One task or lamp. */
struct thing {
	bool there;
	uint64_t born;
	unsigned name;
	unsigned values[N_ROWS]; /* 0: none */
};

static struct cell expected[N_SAMPLES][N_ROWS][N_MOST];
static struct thing things[2][N_MOST];
static unsigned one;
static uint32_t chance;
static char folder[64];

static int make_folder(void **state)
{
	(void)state;
	(void)snprintf(folder, sizeof(folder), "/tmp/pf-told-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	DIR *dir = opendir(folder);
	for (const struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir)) {
		if (e->d_name[0] != '.')
			(void)unlinkat(dirfd(dir), e->d_name, 0);
	}
	if (dir)
		(void)closedir(dir);
	return rmdir(folder);
}

/* Does what happens once in @in times happen now? */
static bool happens(unsigned in)
{
	chance = chance * 1664525U + 1013904223U;
	return (chance >> 8) % in == 0;
}

static void live(struct thing *t, unsigned from, unsigned to)
{
	if (happens(t->there ? 40 : 10)) {
		t->there = !t->there;
		t->born++;
		t->name = happens(2) ? 0 : 1;
	} else if (happens(60)) {
		t->born++; /* another one at once, with the same number and name */
	} else if (happens(60)) {
		t->name = !t->name;
	}
	for (unsigned m = from; m <= to; m++) {
		if (happens(30))
			t->values[m] = happens(3) ? 0 : t->values[m] + 1;
	}
}

static void live_on(void)
{
	for (unsigned k = 0; k < N_TASKS; k++)
		live(&things[0][k], ARGS, OWNER);
	for (unsigned k = 0; k < N_LAMPS; k++)
		live(&things[1][k], COLOUR, COLOUR);
	if (happens(20))
		one = happens(3) ? 0 : one + 1;
}

static void expect(unsigned i, unsigned metric, unsigned k, const char *name, unsigned value)
{
	struct cell *c = &expected[i][metric][k];
	(void)snprintf(c->name, TEXT, "%s", name);
	if (value > 0)
		(void)snprintf(c->text, TEXT, "%u", value);
}

static void put(struct pf_builder *b, unsigned metric, unsigned slot, unsigned value)
{
	char text[TEXT];
	(void)snprintf(text, sizeof(text), "%u", value);
	if (value == 0)
		return;
	if (rows[metric].type == PF_STRING)
		pf_builder_str(b, metric, slot, pf_view_of(text));
	else
		pf_builder_u64(b, metric, slot, value);
}

static void fill_things(struct pf_builder *b, unsigned i, unsigned kind, unsigned first, unsigned from, unsigned to)
{
	struct pf_indom *dom = pf_catalog_domain_of(b->catalog, first);
	for (unsigned k = 0; dom && k < (kind ? N_LAMPS : N_TASKS); k++) {
		const struct thing *t = &things[kind][k];
		char name[TEXT];
		(void)snprintf(name, sizeof(name), kind ? "lamp %u" : "%06u name%u", k + 1, kind ? 0 : t->name);
		/* Every seventh sample leaves the tasks out, as the second interval does. */
		if (!t->there || (kind == 0 && i % 7 == 6))
			continue;
		int slot = kind ? pf_builder_instance(b, dom, pf_view_of(name), -1)
				: pf_indom_numbered(dom, (int32_t)k + 1, t->born, pf_view_of(name), b->sample->seq);
		assert_true(slot >= 0);
		if (kind == 0) {
			pf_builder_u64(b, TIMES, (unsigned)slot, i + 1);
			expect(i, TIMES, k, name, i + 1);
		}
		for (unsigned m = from; m <= to; m++) {
			put(b, m, (unsigned)slot, t->values[m]);
			if (t->values[m] > 0)
				expect(i, m, k, name, t->values[m]);
		}
	}
}

static void fill(struct pf_catalog *cat, struct pf_sample *s, unsigned i)
{
	struct pf_builder b = { .catalog = cat, .sample = s };
	fill_things(&b, i, 0, TIMES, ARGS, OWNER);
	fill_things(&b, i, 1, COLOUR, COLOUR, COLOUR);
	put(&b, ONE, 0, one);
	if (one > 0)
		expect(i, ONE, 0, "", one);
	assert_int_equal(b.oom, 0);
}

/* Samples a second apart, with a gap in the middle. */
static int64_t time_of(unsigned i)
{
	return T0 + (i + (i >= N_SAMPLES / 2 ? 100 : 0)) * SEC;
}

static bool is_empty(unsigned i)
{
	static const struct cell none[N_ROWS][N_MOST];
	return memcmp(expected[i], none, sizeof(none)) == 0;
}

static void write_archive(const char *path, const struct pf_volume_options *volumes, uint32_t seed)
{
	struct pf_catalog *cat = pf_catalog_new();
	unsigned base;
	assert_int_equal(pf_catalog_add(cat, rows, N_ROWS, &base, NULL), 0);
	struct pf_frames frames;
	pf_frames_init(&frames, cat);
	struct pf_sink *sink;
	const struct pf_sink_spec spec = {
		.fd = -1, .path = path, .catalog = cat, .interval_ns = SEC, .volumes = volumes
	};
	assert_int_equal(pf_sink_pcparchive.open(&sink, &spec, NULL), 0);
	memset(expected, 0, sizeof(expected));
	memset(things, 0, sizeof(things));
	chance = seed;
	for (unsigned i = 0; i < N_SAMPLES; i++) {
		live_on();
		fill(cat, pf_frames_begin(&frames, time_of(i), time_of(i)), i);
		struct pf_step step = pf_frames_step(&frames);
		assert_int_equal(sink->kind->sample(sink, &step, NULL), 0);
	}
	assert_int_equal(sink->kind->close(sink, NULL), 0);
	pf_frames_done(&frames);
	(void)pf_catalog_free(cat);
}

static void check_cell(const struct pf_catalog *cat, const struct pf_sample *s, unsigned i, unsigned row, unsigned slot)
{
	int index = pf_catalog_find(cat, pf_view_of(rows[row].name));
	assert_true(index >= 0);
	const struct pf_indom *dom = pf_catalog_domain_of(cat, (unsigned)index);
	if (!pf_sample_has(s, (unsigned)index, slot) || (dom && dom->instances[slot].seen != s->seq))
		return;
	union pf_value v = pf_sample_get(s, (unsigned)index, slot);
	char text[TEXT];
	(void)snprintf(text, sizeof(text), "%llu", (unsigned long long)(rows[row].type == PF_STRING ? 0 : v.u));
	for (unsigned k = 0; k < N_MOST; k++) {
		struct cell *c = &expected[i][row][k];
		if (strcmp(c->name, dom ? dom->instances[slot].name : "") != 0 || c->text[0] == '\0')
			continue;
		if (strcmp(c->text, rows[row].type == PF_STRING ? v.s : text) != 0)
			fail_msg("sample %u: %s of %s is %s instead of %s", i, rows[row].name, c->name,
				 rows[row].type == PF_STRING ? v.s : text, c->text);
		*c = (struct cell){ 0 }; /* ticked off */
		return;
	}
	fail_msg("sample %u: %s of %s should have no value", i, rows[row].name, dom ? dom->instances[slot].name : "");
}

static void check_sample(const struct pf_catalog *cat, const struct pf_sample *s, unsigned i)
{
	for (unsigned row = 0; row < N_ROWS; row++) {
		int index = pf_catalog_find(cat, pf_view_of(rows[row].name));
		const struct pf_indom *dom = pf_catalog_domain_of(cat, (unsigned)index);
		for (unsigned slot = 0; slot < (dom ? dom->n : 1); slot++)
			check_cell(cat, s, i, row, slot);
		for (unsigned k = 0; k < N_MOST; k++) {
			if (expected[i][row][k].text[0] != '\0')
				fail_msg("sample %u: %s of %s has no value", i, rows[row].name,
					 expected[i][row][k].name);
		}
	}
}

/* From the sample @from on, which need not be the first that comes. */
static void read_archive(const char *path, unsigned from)
{
	struct pf_catalog *cat = pf_catalog_new();
	struct pf_frames frames;
	pf_frames_init(&frames, cat);
	const struct pf_source_spec spec = { .path = path };
	struct pf_source *source;
	assert_int_equal(pf_source_pcparchive.open(&source, &spec, cat, NULL), 0);
	if (from > 0)
		(source->kind->skip)(source, time_of(from));
	unsigned i = 0;
	unsigned n = 0;
	while (source->kind->next(source, &frames, NULL) == 1) {
		struct pf_step step = pf_frames_step(&frames);
		while (i < N_SAMPLES && time_of(i) < step.cur->time_ns) {
			if (from == 0 && !is_empty(i))
				fail_msg("sample %u is missing", i);
			i++;
		}
		assert_true(i < N_SAMPLES && time_of(i) == step.cur->time_ns);
		check_sample(cat, step.cur, i++);
		n++;
	}
	assert_true(i > N_SAMPLES - 10);
	if (from > 140)
		assert_true(n < N_SAMPLES - 50);
	(void)source->kind->close(source);
	pf_frames_done(&frames);
	(void)pf_catalog_free(cat);
}

static void every_value_comes_back(void **state)
{
	(void)state;
	char path[128];
	for (uint32_t seed = 1; seed <= 20; seed++) {
		(void)snprintf(path, sizeof(path), "%s/all%u", folder, seed);
		write_archive(path, NULL, seed);
		read_archive(path, 0);
	}
}

static void a_reader_may_begin_at_entries_of_the_index(void **state)
{
	(void)state;
	char path[128];
	static const unsigned from[] = { 130, 199, 201, 330, 399 };
	for (unsigned k = 0; k < PF_N(from); k++) {
		(void)snprintf(path, sizeof(path), "%s/from%u", folder, k);
		write_archive(path, NULL, 77 + k);
		read_archive(path, from[k]);
	}
}

/* An index as others make it: an entry for each record. */
static void index_all(const char *base)
{
	char path[160];
	struct pf_buf data = { 0 };
	struct pf_buf index = { 0 };
	(void)snprintf(path, sizeof(path), "%s.0", base);
	assert_int_equal(pf_io_read_file(AT_FDCWD, path, 1 << 24, &data, NULL), 0);
	(void)snprintf(path, sizeof(path), "%s.index", base);
	assert_int_equal(pf_io_read_file(AT_FDCWD, path, 1 << 24, &index, NULL), 0);
	index.n = PF_PCP_LABEL3_LEN;
	for (size_t off = PF_PCP_LABEL3_LEN; off < data.n;) {
		struct pf_view rec = { data.p + off, pf_be_get_u32(pf_buf_text(&data), off) };
		struct pf_pcp_result result;
		assert_int_equal(pf_pcp_result_decode(rec, 3, &result, NULL), 0);
		const struct pf_pcp_entry e = { .time_ns = result.time_ns, .meta = PF_PCP_LABEL3_LEN, .data = off };
		if (result.n > 0)
			pf_pcp_entry_encode(&index, 3, &e);
		off += rec.n;
	}
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	assert_int_equal(pf_io_write_all(fd, index.p, index.n), 0);
	(void)close(fd);
	pf_buf_done(&data);
	pf_buf_done(&index);
}

static void a_reader_does_not_begin_where_values_are_left_out(void **state)
{
	(void)state;
	char path[128];
	for (unsigned from = 120; from < N_SAMPLES; from += 23) {
		(void)snprintf(path, sizeof(path), "%s/each%u", folder, from);
		write_archive(path, NULL, 200 + from);
		index_all(path);
		read_archive(path, from);
	}
}

/* The first volume is taken away. */
static void each_volume_has_everything(void **state)
{
	(void)state;
	char path[128];
	char first[160];
	const struct pf_volume_options volumes = { .samples = 30 };
	(void)snprintf(path, sizeof(path), "%s/volumes", folder);
	write_archive(path, &volumes, 5);
	(void)snprintf(first, sizeof(first), "%s.0", path);
	assert_int_equal(unlink(first), 0);
	struct pf_catalog *cat = pf_catalog_new();
	struct pf_frames frames;
	pf_frames_init(&frames, cat);
	const struct pf_source_spec spec = { .path = path };
	struct pf_source *source;
	assert_int_equal(pf_source_pcparchive.open(&source, &spec, cat, NULL), 0);
	assert_int_equal(source->kind->next(source, &frames, NULL), 1);
	unsigned i = 0;
	while (time_of(i) < pf_frames_step(&frames).cur->time_ns)
		i++;
	assert_true(i >= 30 && i < 40);
	check_sample(cat, pf_frames_step(&frames).cur, i);
	(void)source->kind->close(source);
	pf_frames_done(&frames);
	(void)pf_catalog_free(cat);
}

/* Sets of each metric in the records of an archive that is told the same thing a hundred times. */
static void what_stays_is_told_at_entries_only(void **state)
{
	(void)state;
	char path[128];
	(void)snprintf(path, sizeof(path), "%s/stays", folder);
	struct pf_catalog *cat = pf_catalog_new();
	unsigned base;
	assert_int_equal(pf_catalog_add(cat, rows, N_ROWS, &base, NULL), 0);
	struct pf_frames frames;
	pf_frames_init(&frames, cat);
	struct pf_sink *sink;
	const struct pf_sink_spec to = { .fd = -1, .path = path, .catalog = cat };
	assert_int_equal(pf_sink_pcparchive.open(&sink, &to, NULL), 0);
	memset(things, 0, sizeof(things));
	for (unsigned i = 0; i < 100; i++) {
		for (unsigned k = 0; k < 2; k++)
			things[0][k] = (struct thing){ .there = true, .values = { [ARGS] = 3, [OWNER] = 1 } };
		things[0][1].values[OWNER] = i >= 50 ? 2 : 1;
		one = 9;
		fill(cat, pf_frames_begin(&frames, T0 + i * SEC, T0 + i * SEC), 0);
		struct pf_step step = pf_frames_step(&frames);
		assert_int_equal(sink->kind->sample(sink, &step, NULL), 0);
	}
	assert_int_equal(sink->kind->close(sink, NULL), 0);
	pf_frames_done(&frames);
	(void)pf_catalog_free(cat);

	struct pf_pcp_reader *r;
	struct pf_pcp_result result;
	unsigned values[N_ROWS] = { 0 };
	unsigned n = 0;
	assert_int_equal(pf_pcp_reader_open(&r, path, NULL, NULL), 0);
	assert_true(pf_pcp_reader_holds(r));
	for (; pf_pcp_reader_next(r, &result, NULL) == 1; n++) {
		struct pf_pcp_set set;
		while (pf_pcp_result_next(&result, &set, NULL) == 1)
			values[set.pmid & 0x3ff] += (unsigned)set.n;
	}
	(void)pf_pcp_reader_close(r);
	assert_int_equal(n, 100);
	assert_int_equal(values[TIMES], 200);
	assert_int_equal(values[ARGS], 4); /* two entries */
	assert_int_equal(values[ONE], 2);
	assert_int_equal(values[OWNER], 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_value_comes_back),
		cmocka_unit_test(a_reader_may_begin_at_entries_of_the_index),
		cmocka_unit_test(a_reader_does_not_begin_where_values_are_left_out),
		cmocka_unit_test(each_volume_has_everything),
		cmocka_unit_test(what_stays_is_told_at_entries_only),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
