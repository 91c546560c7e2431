/* sinks/pcparchive, sources/pcparchive, sources/folio: samples into an archive and back, cell by cell. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "formats/pcp/writer.h"
#include "groups/list.h"
#include "model/builder.h"
#include "sinks/sink.h"
#include "sources/list.h"

#define T0    INT64_C(1796011269000000000)
#define SEC   INT64_C(1000000000)
#define DISKS PF_INDOM(PF_DOMAIN_MODULE, 5)

enum { S32, U32, S64, U64, FLOAT, DOUBLE, STRING, READS, NAMES, BYTES, EVENTS, FINE, DEAD, N_ROWS };

#define ROW(item, name, indom, type, sem)                                                                              \
	{                                                                                                              \
		name, PF_PMID(PF_DOMAIN_MODULE, 9, item), indom, type, sem, PF_UNITS_NONE, ""                          \
	}

static const struct pf_metric rows[N_ROWS] = {
	[S32] = ROW(S32, "t.s32", PF_INDOM_NONE, PF_S32, PF_INSTANT),
	[U32] = ROW(U32, "t.u32", PF_INDOM_NONE, PF_U32, PF_COUNTER),
	[S64] = ROW(S64, "t.s64", PF_INDOM_NONE, PF_S64, PF_INSTANT),
	[U64] = ROW(U64, "t.u64", PF_INDOM_NONE, PF_U64, PF_COUNTER),
	[FLOAT] = ROW(FLOAT, "t.float", PF_INDOM_NONE, PF_FLOAT, PF_INSTANT),
	[DOUBLE] = ROW(DOUBLE, "t.double", PF_INDOM_NONE, PF_DOUBLE, PF_INSTANT),
	[STRING] = ROW(STRING, "t.string", PF_INDOM_NONE, PF_STRING, PF_DISCRETE),
	[READS] = ROW(READS, "t.reads", DISKS, PF_U64, PF_COUNTER),
	[NAMES] = ROW(NAMES, "t.names", DISKS, PF_STRING, PF_DISCRETE),
	[BYTES] = ROW(BYTES, "t.bytes", PF_INDOM_NONE, PF_AGGREGATE, PF_INSTANT),
	[EVENTS] = ROW(EVENTS, "t.events", DISKS, PF_EVENTS, PF_INSTANT),
	[FINE] = ROW(FINE, "t.fine", PF_INDOM_NONE, PF_HIGHRES_EVENTS, PF_INSTANT),
	[DEAD] = ROW(DEAD, "t.dead", DISKS, PF_U64, PF_COUNTER),
};

static char folder[64];

static int make_folder(void **state)
{
	(void)state;
	(void)snprintf(folder, sizeof(folder), "/tmp/pf-archive-XXXXXX");
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

static struct pf_indom *domain_of(const struct pf_catalog *cat, unsigned metric)
{
	struct pf_indom *dom = pf_catalog_domain_of(cat, metric);
	if (!dom)
		abort(); /* the compiler does not know that an assertion ends the test */
	return dom;
}

static void set(struct pf_builder *b, unsigned row, unsigned slot, union pf_value v)
{
	assert_int_equal(pf_sample_set(b->sample, row, slot, v), 0);
}

/* Bytes, events and errors: constants, as if they were in the arena. */
static const struct pf_view some_bytes = { "\0\xff~", 3 };
static const struct pf_event_param params[] = {
	{ .metric = S32, .type = PF_S32, .value = { .i = -14 } },
	{ .metric = U64, .type = PF_U64, .value = { .u = UINT64_MAX } },
	{ .metric = FLOAT, .type = PF_FLOAT, .value = { .d = -0.5 } },
	{ .metric = DOUBLE, .type = PF_DOUBLE, .value = { .d = 0.1 } },
	{ .metric = STRING, .type = PF_STRING, .value = { .s = "thirteen" } },
	{ .metric = BYTES, .type = PF_AGGREGATE, .value = { .bytes = &some_bytes } },
	{ .metric = -1, .pmid = PF_PMID(29, 0, 134), .type = PF_STRING, .value = { .s = "" } },
};
static const struct pf_event_record records[] = {
	{ .time_ns = T0 + 1001, .flags = PF_EVENT_START | PF_EVENT_PARENT, .n = PF_N(params), .params = params },
	{ .time_ns = T0 + 2001, .flags = PF_EVENT_MISSED, .missed = 7 },
};
static const struct pf_event_records events = { PF_N(records), records };
static const struct pf_event_records no_events;

static void fill_odd(struct pf_builder *b, unsigned slot, unsigned i)
{
	set(b, BYTES, 0, (union pf_value){ .bytes = &some_bytes });
	set(b, EVENTS, slot, (union pf_value){ .events = i % 2 ? &no_events : &events });
	set(b, FINE, 0, (union pf_value){ .events = &events });
	assert_int_equal(pf_sample_fail(b->sample, DEAD, i % 2 ? 0 : -12386), 0);
}

/* Values of sample @i; disks come and go: "a" always, "b" in even samples, "c" from the third on. */
static void fill(struct pf_catalog *cat, struct pf_sample *s, unsigned i)
{
	struct pf_builder b = { .catalog = cat, .sample = s };
	pf_builder_i64(&b, S32, 0, -(int64_t)i);
	pf_builder_u64(&b, U32, 0, UINT32_MAX - i);
	pf_builder_i64(&b, S64, 0, INT64_MIN + i);
	pf_builder_u64(&b, U64, 0, UINT64_MAX - i);
	pf_builder_double(&b, FLOAT, 0, 0.5 * i);
	if (i != 1)
		pf_builder_double(&b, DOUBLE, 0, 1.0 / (i + 3));
	pf_builder_str(&b, STRING, 0, PF_VIEW("hullo \xff\n"));
	struct pf_indom *dom = domain_of(cat, READS);
	static const char *const names[] = { "a", "b", "c" };
	for (unsigned k = 0; k < 3; k++) {
		if ((k == 1 && i % 2) || (k == 2 && i < 2))
			continue;
		int slot = pf_builder_instance(&b, dom, pf_view_of(names[k]), -1);
		assert_true(slot >= 0);
		pf_builder_u64(&b, READS, (unsigned)slot, 1000 * k + i);
		pf_builder_str(&b, NAMES, (unsigned)slot, pf_view_of(names[k]));
		if (k == 0)
			fill_odd(&b, (unsigned)slot, i);
	}
	assert_int_equal(b.oom, 0);
}

static void write_archive(const char *path, unsigned n, int64_t from)
{
	struct pf_catalog *cat = pf_catalog_new();
	unsigned base;
	assert_int_equal(pf_catalog_add(cat, rows, N_ROWS, &base, NULL), 0);
	struct pf_frames frames;
	pf_frames_init(&frames, cat);
	struct pf_sink *sink;
	const struct pf_sink_spec spec = { .fd = -1, .path = path, .catalog = cat };
	struct pf_err err = { 0 };
	if (pf_sink_pcparchive.open(&sink, &spec, &err) < 0)
		fail_msg("%s", err.text);
	for (unsigned i = 0; i < n; i++) {
		struct pf_sample *s = pf_frames_begin(&frames, from + i * SEC, from + i * SEC);
		fill(cat, s, i);
		struct pf_step step = pf_frames_step(&frames);
		assert_int_equal(sink->kind->sample(sink, &step, NULL), 0);
	}
	assert_int_equal(sink->kind->close(sink, NULL), 0);
	pf_frames_done(&frames);
	(void)pf_catalog_free(cat);
}

static const struct pf_instance *find(const struct pf_indom *dom, const char *name, uint64_t seq, unsigned *ret_slot)
{
	for (unsigned k = 0; k < dom->n; k++) {
		if (strcmp(dom->instances[k].name, name) == 0 && dom->instances[k].seen == seq) {
			*ret_slot = k;
			return &dom->instances[k];
		}
	}
	return NULL;
}

static unsigned index_of(const struct pf_catalog *cat, unsigned row)
{
	int i = pf_catalog_find(cat, pf_view_of(rows[row].name));
	assert_true(i >= 0);
	return (unsigned)i;
}

static union pf_value get(const struct pf_catalog *cat, const struct pf_sample *s, unsigned row, unsigned slot)
{
	assert_true(pf_sample_has(s, index_of(cat, row), slot));
	return pf_sample_get(s, index_of(cat, row), slot);
}

static void check_events(const struct pf_catalog *cat, const struct pf_event_records *all, int64_t tick)
{
	assert_int_equal(all->n, 2);
	assert_true(all->records[0].time_ns == (T0 + 1001) / tick * tick);
	assert_int_equal(all->records[0].flags, PF_EVENT_START | PF_EVENT_PARENT);
	assert_int_equal(all->records[0].n, PF_N(params));
	assert_int_equal(all->records[1].flags, PF_EVENT_MISSED);
	assert_int_equal(all->records[1].missed, 7);
	const struct pf_event_param *p = all->records[0].params;
	for (unsigned i = 0; i < PF_N(params); i++) {
		assert_int_equal(p[i].type, params[i].type);
		assert_int_equal(p[i].metric,
				 params[i].metric < 0 ? -1 : (int)index_of(cat, (unsigned)params[i].metric));
	}
	assert_true(p[0].value.i == -14 && p[1].value.u == UINT64_MAX);
	assert_true(p[2].value.d == -0.5 && p[3].value.d == 0.1);
	assert_string_equal(p[4].value.s, "thirteen");
	assert_int_equal(p[5].value.bytes->n, 3);
	assert_memory_equal(p[5].value.bytes->p, some_bytes.p, 3);
	assert_string_equal(p[6].value.s, "");
	assert_int_equal(p[6].pmid, PF_PMID(29, 0, 134));
}

static void check_odd(const struct pf_catalog *cat, const struct pf_sample *s, unsigned slot, unsigned i)
{
	const struct pf_view *bytes = get(cat, s, BYTES, 0).bytes;
	int32_t code;
	assert_int_equal(bytes->n, 3);
	assert_memory_equal(bytes->p, some_bytes.p, 3);
	if (i % 2)
		assert_int_equal(get(cat, s, EVENTS, slot).events->n, 0);
	else
		check_events(cat, get(cat, s, EVENTS, slot).events, 1000);
	check_events(cat, get(cat, s, FINE, 0).events, 1);
	assert_true(pf_sample_failed(s, index_of(cat, DEAD), &code));
	assert_int_equal(code, i % 2 ? 0 : -12386);
	assert_false(pf_sample_failed(s, index_of(cat, READS), &code));
}

static void check_sample(const struct pf_catalog *cat, const struct pf_sample *s, unsigned i)
{
	assert_true(get(cat, s, S32, 0).i == -(int64_t)i);
	assert_true(get(cat, s, U32, 0).u == UINT32_MAX - i);
	assert_true(get(cat, s, S64, 0).i == INT64_MIN + i);
	assert_true(get(cat, s, U64, 0).u == UINT64_MAX - i);
	assert_true(get(cat, s, FLOAT, 0).d == 0.5 * i);
	if (i != 1)
		assert_true(get(cat, s, DOUBLE, 0).d == 1.0 / (i + 3));
	else
		assert_false(pf_sample_has(s, index_of(cat, DOUBLE), 0));
	assert_string_equal(get(cat, s, STRING, 0).s, "hullo \xff\n");
	const struct pf_indom *dom = domain_of(cat, index_of(cat, READS));
	unsigned slot = 0;
	assert_non_null(find(dom, "a", s->seq, &slot));
	assert_true(get(cat, s, READS, slot).u == i);
	check_odd(cat, s, slot, i);
	assert_int_equal(find(dom, "b", s->seq, &slot) != NULL, i % 2 == 0);
	assert_int_equal(find(dom, "c", s->seq, &slot) != NULL, i >= 2);
	if (i >= 2) {
		assert_non_null(find(dom, "c", s->seq, &slot));
		assert_true(get(cat, s, READS, slot).u == 2000 + i);
		assert_string_equal(get(cat, s, NAMES, slot).s, "c");
	}
}

static void samples_come_back_cell_by_cell(void **state)
{
	(void)state;
	char path[128];
	(void)snprintf(path, sizeof(path), "%s/cells", folder);
	write_archive(path, 6, T0);

	struct pf_catalog *cat = pf_catalog_new();
	struct pf_frames frames;
	pf_frames_init(&frames, cat);
	const struct pf_source_spec spec = { .path = path };
	struct pf_source *source;
	assert_true(pf_source_pcparchive.accepts(path));
	assert_int_equal(pf_source_pcparchive.open(&source, &spec, cat, NULL), 0);
	const struct pf_source_info *info = source->kind->info(source);
	assert_true(info->start_ns == T0);
	assert_string_equal(info->letters, "");
	for (unsigned i = 0; i < 6; i++) {
		assert_int_equal(source->kind->next(source, &frames, NULL), 1);
		struct pf_step step = pf_frames_step(&frames);
		assert_true(step.cur->time_ns == T0 + i * SEC);
		assert_true(step.interval_ns == (i ? SEC : 0));
		check_sample(cat, step.cur, i);
	}
	assert_int_equal(source->kind->next(source, &frames, NULL), -ENODATA);
	(void)source->kind->close(source);
	pf_frames_done(&frames);
	(void)pf_catalog_free(cat);
}

static void a_folio_plays_the_archives_of_its_first_host(void **state)
{
	(void)state;
	char path[128];
	(void)snprintf(path, sizeof(path), "%s/one", folder);
	write_archive(path, 3, T0);
	(void)snprintf(path, sizeof(path), "%s/two", folder);
	write_archive(path, 2, T0 + 100 * SEC);
	(void)snprintf(path, sizeof(path), "%s/f.folio", folder);
	static const char text[] =
		"PCPFolio\nVersion: 1\nArchive: a one\nArchive: b other\nArchive: a two\nArchive: a gone\n";
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_int_equal(pf_io_write_all(fd, text, sizeof(text) - 1), 0);
	(void)close(fd);

	struct pf_catalog *cat = pf_catalog_new();
	struct pf_frames frames;
	pf_frames_init(&frames, cat);
	const struct pf_source_spec spec = { .path = path };
	struct pf_source *source;
	assert_true(pf_source_folio.accepts(path));
	assert_int_equal(pf_source_folio.open(&source, &spec, cat, NULL), 0);
	struct pf_err err = { 0 };
	assert_int_equal(source->kind->next(source, &frames, &err), -EBADMSG);
	assert_non_null(strstr(err.text, "gone.meta"));
	static const int64_t want[] = { 0, 1, 2, 100, 101 };
	for (unsigned i = 0; i < PF_N(want); i++) {
		assert_int_equal(source->kind->next(source, &frames, NULL), 1);
		struct pf_step step = pf_frames_step(&frames);
		assert_true(step.cur->time_ns == T0 + want[i] * SEC);
		assert_int_equal(step.prev == NULL, want[i] % 100 == 0);
	}
	assert_int_equal(source->kind->next(source, &frames, NULL), -ENODATA);
	(void)source->kind->close(source);
	pf_frames_done(&frames);
	(void)pf_catalog_free(cat);
}

static void metrics_of_a_built_in_group_land_in_its_rows(void **state)
{
	(void)state;
	char path[512];
	const char *top = getenv("PF_SOURCE_ROOT");
	(void)snprintf(path, sizeof(path), "%s/tests/golden/pcp/b-v3-basic", top ? top : ".");
	struct pf_catalog *cat = pf_catalog_new();
	struct pf_frames frames;
	pf_frames_init(&frames, cat);
	static const struct pf_group *const groups[] = { &pf_group_cpu, NULL };
	const struct pf_source_spec spec = { .path = path, .groups = groups };
	struct pf_source *source;
	assert_int_equal(pf_source_pcparchive.open(&source, &spec, cat, NULL), 0);
	assert_string_equal(source->kind->info(source)->letters, "c");
	assert_string_equal(source->kind->info(source)->host, "golden-a");
	assert_int_equal(cat->n_metrics, pf_group_cpu.n_metrics); /* nothing else was asked for */

	int user = pf_catalog_find(cat, PF_VIEW("kernel.all.cpu.user"));
	int percpu = pf_catalog_find(cat, PF_VIEW("kernel.percpu.cpu.user"));
	int ncpu = pf_catalog_find(cat, PF_VIEW("hinv.ncpu"));
	assert_true(user >= 0 && percpu >= 0 && ncpu >= 0);
	const struct pf_indom *cpus = domain_of(cat, (unsigned)percpu);
	unsigned samples = 0;
	unsigned values = 0;
	while (source->kind->next(source, &frames, NULL) == 1) {
		struct pf_step step = pf_frames_step(&frames);
		samples++;
		/* Recorded once, and discrete: it holds. */
		assert_true(pf_sample_has(step.cur, (unsigned)ncpu, 0));
		assert_int_equal(pf_sample_get(step.cur, (unsigned)ncpu, 0).u, 2);
		if (!pf_sample_has(step.cur, (unsigned)user, 0))
			continue;
		values++;
		assert_true(pf_sample_has(step.cur, (unsigned)percpu, 1));
		assert_string_equal(cpus->instances[1].name, "cpu1");
	}
	/* Fetch groups of one moment are one sample; the prologue, which has nothing of the group, is none. */
	assert_int_equal(values, 6);
	assert_int_equal(samples, 6);
	(void)source->kind->close(source);
	pf_frames_done(&frames);
	(void)pf_catalog_free(cat);
}

static void a_clock_set_back_keeps_samples_apart(void **state)
{
	(void)state;
	char path[128];
	(void)snprintf(path, sizeof(path), "%s/back", folder);
	struct pf_catalog *cat = pf_catalog_new();
	unsigned base;
	assert_int_equal(pf_catalog_add(cat, rows, N_ROWS, &base, NULL), 0);
	struct pf_frames frames;
	pf_frames_init(&frames, cat);
	struct pf_sink *sink;
	const struct pf_sink_spec to = { .fd = -1, .path = path, .catalog = cat };
	assert_int_equal(pf_sink_pcparchive.open(&sink, &to, NULL), 0);
	static const int64_t wall[] = { 0, 1, -3599, -3598, 10 };
	for (unsigned i = 0; i < PF_N(wall); i++) {
		fill(cat, pf_frames_begin(&frames, T0 + wall[i] * SEC, i * SEC), i);
		struct pf_step step = pf_frames_step(&frames);
		assert_int_equal(sink->kind->sample(sink, &step, NULL), 0);
	}
	assert_int_equal(sink->kind->close(sink, NULL), 0);
	pf_frames_done(&frames);
	(void)pf_catalog_free(cat);

	cat = pf_catalog_new();
	pf_frames_init(&frames, cat);
	const struct pf_source_spec from = { .path = path };
	struct pf_source *source;
	assert_int_equal(pf_source_pcparchive.open(&source, &from, cat, NULL), 0);
	static const int64_t want[] = { 0, 1, 2, 3, 10 };
	for (unsigned i = 0; i < PF_N(want); i++) {
		assert_int_equal(source->kind->next(source, &frames, NULL), 1);
		assert_true(pf_frames_step(&frames).cur->time_ns == T0 + want[i] * SEC);
	}
	assert_int_equal(source->kind->next(source, &frames, NULL), -ENODATA);
	(void)source->kind->close(source);
	pf_frames_done(&frames);
	(void)pf_catalog_free(cat);
}

/* Version 2 ends at 2^31-1 bytes; here at less. */
static void a_file_that_is_full_takes_nothing_and_the_next_volume_does(void **state)
{
	(void)state;
	enum { MOST = 300 };
	char path[80];
	char *closed = NULL;
	struct pf_err err = { 0 };
	struct pf_pcp_writer *w;
	struct pf_pcp_build values = { 0 };
	(void)snprintf(path, sizeof(path), "%s/full", folder);
	const struct pf_pcp_writer_spec spec = {
		.version = 2, .file_bytes = MOST, .path = path, .host = "h", .zone = "UTC", .zoneinfo = ""
	};
	assert_int_equal(pf_pcp_writer_open(&w, &spec, &err), 0);
	assert_int_equal(pf_pcp_writer_tick(w), 1000);
	unsigned n = 0;
	for (;; n++) {
		int64_t time_ns = pf_pcp_writer_begin(w, T0 + n * SEC + 999, &err);
		assert_true(time_ns == T0 + n * SEC);
		pf_pcp_build_begin(&values);
		pf_pcp_build_set(&values, rows[U32].pmid, PF_U32);
		pf_pcp_build_bits(&values, -1, n);
		if (!pf_pcp_writer_fits(w, &values))
			break;
		assert_int_equal(pf_pcp_writer_result(w, time_ns, &values, false, &err), 0);
		assert_true(pf_pcp_writer_volume_bytes(w) <= MOST);
	}
	assert_int_equal(n, (MOST - PF_PCP_LABEL2_LEN) / 40);
	assert_int_equal(pf_pcp_writer_switch(w, &closed, &err), 0);
	assert_non_null(closed);
	free(closed);
	assert_true(pf_pcp_writer_fits(w, &values));
	assert_int_equal(pf_pcp_writer_result(w, T0 + n * SEC, &values, false, &err), 0);
	while (pf_pcp_writer_fits(w, &values)) {
		pf_pcp_build_set(&values, rows[U32].pmid, PF_U32);
		pf_pcp_build_bits(&values, -1, 0);
	}
	assert_int_equal(pf_pcp_writer_result(w, T0 + n * SEC, &values, false, &err), -EFBIG);
	assert_non_null(strstr(err.text, "full.1 is full: an archive of version 2 has at most 300 bytes in a file"));
	pf_pcp_writer_discard(w);
	(void)pf_pcp_writer_close(w, NULL);
	(void)strncat(path, ".0", sizeof(path) - strlen(path) - 1);
	assert_int_equal(access(path, F_OK), -1);
	pf_pcp_build_done(&values);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_come_back_cell_by_cell),
		cmocka_unit_test(a_clock_set_back_keeps_samples_apart),
		cmocka_unit_test(a_folio_plays_the_archives_of_its_first_host),
		cmocka_unit_test(metrics_of_a_built_in_group_land_in_its_rows),
		cmocka_unit_test(a_file_that_is_full_takes_nothing_and_the_next_volume_does),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
