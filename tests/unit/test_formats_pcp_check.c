/* formats/pcp/check*.c: what is said of an archive with one damaged field, rule by rule; those that pmlogcheck has, too, are held against it in
 * tests/integration/pmlogcheck.py. */
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
#include "base/time.h"
#include "formats/pcp/check.h"
#include "formats/pcp/meta.h"
#include "formats/pcp/writer.h"

#define T0    INT64_C(1796011269000000000)
#define INDOM PF_INDOM(PF_DOMAIN_LINUX, 1)

enum {
	META,
	INDEX,
	DATA,
	N_FILES,
	LABEL = PF_PCP_LABEL3_LEN,
	ENTRY = PF_PCP_ENTRY3_LEN,
	SAMPLES = 12,
	TIME = 4,
	NANOS = 12
};

static const char *const suffixes[N_FILES] = { "meta", "index", "0" };

static const struct pf_metric metrics[] = {
	{ "test.count", PF_PMID(PF_DOMAIN_LINUX, 1, 0), PF_INDOM_NONE, PF_U64, PF_COUNTER, PF_UNITS_COUNT, "" },
	{ "tess.count", PF_PMID(PF_DOMAIN_LINUX, 1, 1), INDOM, PF_U32, PF_COUNTER, PF_UNITS_COUNT, "" },
	{ "test.text", PF_PMID(PF_DOMAIN_LINUX, 1, 2), PF_INDOM_NONE, PF_STRING, PF_DISCRETE, PF_UNITS_NONE, "" },
};

static char folder[64];
static struct pf_buf whole[N_FILES];

/* What was found: grades and rules, and all sentences; @lost: bytes. */
struct found {
	unsigned n[PF_N_GRADES];
	struct pf_buf rules;
	struct pf_buf texts;
	uint64_t lost;
	struct pf_pcp_check_result result;
};

static void path_of(char to[128], const char *suffix)
{
	(void)snprintf(to, 128, "%s/a%s%s", folder, suffix ? "." : "", suffix ? suffix : "");
}

static void tell(void *arg, const struct pf_finding *f)
{
	struct found *found = arg;
	found->n[f->grade]++;
	found->lost += f->lost;
	pf_buf_fmt(&found->rules, " %s:%s ", pf_grade_name(f->grade), f->rule);
	pf_buf_fmt(&found->texts, "%s %lld %lld %s\n", f->file, (long long)f->record, (long long)f->byte, f->text);
}

static struct found check(bool meta_only)
{
	struct found found = { 0 };
	char path[128];
	path_of(path, NULL);
	struct pf_findings to = { tell, &found };
	struct pf_pcp_check_options options = { .meta_only = meta_only };
	struct pf_err err = { 0 };
	if (pf_pcp_check(path, &options, &to, &found.result, &err) < 0)
		pf_buf_fmt(&found.rules, " unusable %s", err.text);
	pf_buf_str(&found.rules, "");
	pf_buf_str(&found.texts, "");
	return found;
}

static void forget(struct found *found)
{
	pf_buf_done(&found->rules);
	pf_buf_done(&found->texts);
}

static void write_files(const struct pf_buf files[N_FILES])
{
	for (unsigned i = 0; i < N_FILES; i++) {
		char path[128];
		path_of(path, suffixes[i]);
		pf_autoclose int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
		assert_true(fd >= 0);
		assert_int_equal(pf_io_write_all(fd, files[i].p, files[i].n), 0);
	}
}

static struct pf_pcp_writer *begin(void)
{
	char path[128];
	path_of(path, NULL);
	struct pf_pcp_writer_spec spec = { .version = 3, .path = path, .host = "h", .zone = "UTC", .zoneinfo = "" };
	struct pf_pcp_writer *w;
	assert_int_equal(pf_pcp_writer_open(&w, &spec, NULL), 0);
	return w;
}

static void put_sample(struct pf_pcp_writer *w, unsigned i)
{
	static const struct pf_pcp_instance both[] = { { .id = 1, .name = { "one", 3 } },
						       { .id = 2, .name = { "two", 3 } } };
	static const struct pf_pcp_instance gone[] = { { .id = 2, .removed = true } };
	static struct pf_pcp_build b;
	int64_t time_ns = pf_pcp_writer_begin(w, T0 + i * PF_NS_PER_SEC, NULL);
	struct pf_pcp_context context = { 0 };
	pf_pcp_context_text(&context, "hostname", PF_VIEW("h"), PF_OF_CONTEXT);
	if (i == 0)
		assert_int_equal(pf_pcp_writer_context(w, time_ns, &context, NULL), 0);
	pf_pcp_context_done(&context);
	for (unsigned m = 0; i == 0 && m < PF_N(metrics); m++)
		assert_int_equal(pf_pcp_writer_desc(w, &metrics[m], NULL), 0);
	if (i == 0)
		assert_int_equal(pf_pcp_writer_indom(w, time_ns, INDOM, both, 2, NULL), 0);
	if (i == 5)
		assert_int_equal(pf_pcp_writer_delta(w, time_ns, INDOM, gone, 1, NULL), 0);
	pf_pcp_build_begin(&b);
	pf_pcp_build_set(&b, metrics[0].pmid, PF_U64);
	pf_pcp_build_bits(&b, -1, 1000 + i);
	pf_pcp_build_set(&b, metrics[1].pmid, PF_U32);
	pf_pcp_build_bits(&b, 1, UINT64_C(3000000000) + i);
	if (i < 5)
		pf_pcp_build_bits(&b, 2, 50);
	pf_pcp_build_set(&b, metrics[2].pmid, PF_STRING);
	pf_pcp_build_text(&b, -1, (struct pf_view){ "word", 4 });
	assert_int_equal(pf_pcp_writer_result(w, time_ns, &b, i % 4 == 0, NULL), 0);
	pf_pcp_build_done(&b);
}

static int set_up(void **state)
{
	(void)state;
	(void)snprintf(folder, sizeof(folder), "/tmp/pf-check-XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	struct pf_pcp_writer *w = begin();
	for (unsigned i = 0; i < SAMPLES; i++)
		put_sample(w, i);
	struct pf_err err = { 0 };
	assert_int_equal(pf_pcp_writer_close(w, &err), 0);
	for (unsigned i = 0; i < N_FILES; i++) {
		char path[128];
		path_of(path, suffixes[i]);
		assert_int_equal(pf_io_read_file(AT_FDCWD, path, 1 << 20, &whole[i], NULL), 0);
	}
	return 0;
}

static void remove_files(void)
{
	for (unsigned i = 0; i < N_FILES; i++) {
		char path[128];
		path_of(path, suffixes[i]);
		(void)unlink(path);
	}
}

static int tear_down(void **state)
{
	(void)state;
	remove_files();
	for (unsigned i = 0; i < N_FILES; i++)
		pf_buf_done(&whole[i]);
	return rmdir(folder);
}

static void a_sound_archive_has_no_findings(void **state)
{
	(void)state;
	write_files(whole);
	struct found found = check(false);
	assert_string_equal(found.texts.p, "");
	assert_int_equal(found.result.results, SAMPLES);
	assert_true(found.result.start_ns == T0);
	assert_true(found.result.end_ns == T0 + (SAMPLES - 1) * PF_NS_PER_SEC);
	forget(&found);
	found = check(true);
	assert_string_equal(found.texts.p, "");
	assert_int_equal(found.result.results, 0);
	forget(&found);
}

/* Offset of record @number of a file. */
static size_t record(const struct pf_buf *b, unsigned number)
{
	size_t at = 0;
	while (number-- > 0)
		at += pf_be_get_u32(pf_buf_text(b), at);
	return at;
}

/* A word, @off bytes into the record of that number; the label is number 0. */
struct place {
	unsigned file;
	unsigned record;
	size_t off;
};

static uint32_t word(const struct pf_buf files[N_FILES], struct place p)
{
	return pf_be_get_u32(pf_buf_text(&files[p.file]), record(&files[p.file], p.record) + p.off);
}

static void set(struct pf_buf files[N_FILES], struct place p, uint32_t v)
{
	pf_be_set_u32(&files[p.file], record(&files[p.file], p.record) + p.off, v);
}

/* Records of .meta: 1 is a label set, 2 to 4 are descriptors, 5 the instances, 6 their change. In a descriptor: PMID 8, type 12, domain 16, name 36. In
 * instances: time 8, domain 20, number of them 24, their numbers from 28. In values: sets from 20; of the first 12 bytes and a pair. */
static const struct {
	const char *rule;
	struct place place;
	uint32_t add; /* to the word that is there */
} cases[] = {
	{ "error:entry-data", { INDEX, 1, 2 * ENTRY + 28 }, 4 },
	{ "error:entry-time", { INDEX, 1, 2 * ENTRY + 8 }, 1 },
	{ "error:entry-meta", { INDEX, 1, 2 * ENTRY + 20 }, 1 },
	{ "error:entry-time-back", { INDEX, 1, 2 * ENTRY }, (uint32_t)-20 },
	{ "error:label-differs", { DATA, 0, 8 }, 1 },
	{ "warning:label-differs", { DATA, 0, 292 }, 1 },
	{ "error:label-volume", { DATA, 0, 24 }, 1 },
	{ "error:label-version", { META, 0, 4 }, 5 },
	{ "error:type", { META, 2, 12 }, 90 },
	{ "error:semantics", { META, 2, 20 }, 7 },
	{ "warning:domain", { META, 3, 16 }, 1u << 22 },
	{ "error:name", { META, 2, 36 }, 0x10 },
	{ "error:metric-twice", { META, 3, 8 }, (uint32_t)-1 },
	{ "error:unknown", { META, 3, 8 }, 7 },
	{ "error:name-twice", { META, 3, 36 }, 0 },
	{ "error:indom-early", { META, 5, 8 }, (uint32_t)-9 },
	{ "error:indom-back", { META, 6, 8 }, (uint32_t)-9 },
	{ "warning:indom-late", { META, 6, 8 }, 60 },
	{ "error:instance-number", { META, 5, 28 }, 0x80000000u },
	{ "error:instance-twice", { META, 5, 28 }, 1 },
	{ "error:delta", { META, 6, 28 }, 5 },
	{ "error:delta", { META, 6, 20 }, 5 },
	{ "error:meta-record", { META, 5, 24 }, 1000 },
	{ "error:time-back", { DATA, 7, TIME }, (uint32_t)-2 },
	{ "error:early", { DATA, 7, TIME }, (uint32_t)-60 },
	{ "error:record", { DATA, 7, 16 }, 1 },
	{ "error:record", { DATA, 7, 16 }, (uint32_t)-1 },
	{ "error:unknown", { DATA, 7, 20 }, 90 },
	{ "warning:instance", { DATA, 7, 52 }, 9 },
	{ "warning:value-twice", { DATA, 2, 60 }, (uint32_t)-1 },
	{ "warning:wrap-u64", { DATA, 7, 88 }, (uint32_t)-500 },
	{ "warning:wrap-u32", { DATA, 7, 56 }, 2000000000 },
	{ "error:value-type", { DATA, 7, 92 }, (uint32_t) - (1 << 24) },
	{ "error:value ", { DATA, 7, 80 }, 1u << 24 },
	{ "error:trailer", { DATA, 7, 0 }, 4 },
	{ "error:length", { DATA, 7, 0 }, (uint32_t)-104 },
};

static void each_damaged_field_is_named(void **state)
{
	(void)state;
	for (unsigned i = 0; i < PF_N(cases); i++) {
		struct pf_buf files[N_FILES] = { { 0 } };
		for (unsigned f = 0; f < N_FILES; f++)
			pf_buf_view(&files[f], pf_buf_text(&whole[f]));
		struct place p = cases[i].place;
		uint32_t was = word(files, p);
		if (strcmp(cases[i].rule, "error:name-twice") == 0)
			set(files, p, pf_be_get_u32(pf_buf_text(&whole[META]), record(&whole[META], 2) + 36));
		else
			set(files, p, was + cases[i].add);
		write_files(files);
		struct found found = check(false);
		if (!strstr(found.rules.p, cases[i].rule))
			fail_msg("%u: not %s but%s: %s", i, cases[i].rule, found.rules.p, found.texts.p);
		forget(&found);
		for (unsigned f = 0; f < N_FILES; f++)
			pf_buf_done(&files[f]);
	}
}

/* pmlogger describes derived metrics again with every value; their instances are those of the agent whose metrics they are made of. */
static void a_derived_metric_is_whole(void **state)
{
	(void)state;
	const uint32_t pmid = PF_PMID(511, 2048, 16);
	struct pf_buf files[N_FILES] = { { 0 } };
	for (unsigned f = 0; f < N_FILES; f++)
		pf_buf_view(&files[f], pf_buf_text(&whole[f]));
	set(files, (struct place){ META, 3, 8 }, pmid);
	for (unsigned i = 1; i <= SAMPLES; i++)
		set(files, (struct place){ DATA, i, 40 }, pmid);
	size_t at = record(&files[META], 3);
	struct pf_view desc = { files[META].p + at, record(&files[META], 4) - at };
	struct pf_buf copy = { 0 };
	pf_buf_view(&copy, desc);
	for (unsigned i = 0; i < 3; i++)
		pf_buf_view(&files[META], pf_buf_text(&copy));
	pf_buf_done(&copy);
	write_files(files);
	struct found found = check(false);
	assert_string_equal(found.rules.p, " note:domain  note:metric-twice ");
	forget(&found);
	for (unsigned f = 0; f < N_FILES; f++)
		pf_buf_done(&files[f]);
}

static void a_gap_is_a_note(void **state)
{
	(void)state;
	struct pf_buf files[N_FILES] = { { 0 } };
	for (unsigned f = 0; f < N_FILES; f++)
		pf_buf_view(&files[f], pf_buf_text(&whole[f]));
	files[INDEX].n = LABEL + ENTRY;
	for (unsigned i = 8; i <= SAMPLES; i++)
		set(files, (struct place){ DATA, i, TIME }, word(files, (struct place){ DATA, i, TIME }) + 100);
	write_files(files);
	struct found found = check(false);
	assert_string_equal(found.rules.p, " note:gap ");
	assert_non_null(strstr(found.texts.p, "nothing is recorded for 101.000 s, usual are 1.000 s"));
	forget(&found);
	for (unsigned f = 0; f < N_FILES; f++)
		pf_buf_done(&files[f]);
}

/* Behind a record that is damaged everything is looked at; what is lost is told in bytes. */
static void what_is_lost_is_counted(void **state)
{
	(void)state;
	struct pf_buf files[N_FILES] = { { 0 } };
	for (unsigned f = 0; f < N_FILES; f++)
		pf_buf_view(&files[f], pf_buf_text(&whole[f]));
	size_t bytes = record(&whole[DATA], 5) - record(&whole[DATA], 4);
	set(files, (struct place){ DATA, 4, 0 }, 7);
	write_files(files);
	struct found found = check(false);
	assert_int_equal(found.result.results, SAMPLES - 1);
	assert_int_equal(found.n[PF_GRADE_ERROR], 1);
	assert_int_equal(found.lost, bytes);
	forget(&found);
	for (unsigned f = 0; f < N_FILES; f++)
		pf_buf_done(&files[f]);
}

static void missing_files_are_named(void **state)
{
	(void)state;
	char path[128];
	write_files(whole);
	path_of(path, "index");
	(void)unlink(path);
	struct found found = check(false);
	assert_string_equal(found.rules.p, " note:no-index ");
	forget(&found);
	path_of(path, "0");
	(void)unlink(path);
	found = check(false);
	assert_non_null(strstr(found.rules.p, "no such file: the archive has no values"));
	forget(&found);
	write_files(whole);
	path_of(path, "meta");
	(void)unlink(path);
	found = check(false);
	assert_non_null(strstr(found.rules.p, "a.meta: no such file"));
	forget(&found);
}

/* So many records, changes and entries take so long that a check that looks at all for each would not come to an end. */
static void a_hundred_thousand_records_are_checked(void **state)
{
	(void)state;
	enum { MANY = 100000, INSTANCES = 4 };
	static struct pf_pcp_build b;
	remove_files();
	struct pf_pcp_writer *w = begin();
	for (unsigned i = 0; i < MANY; i++) {
		struct pf_pcp_instance now[INSTANCES];
		int64_t time_ns = pf_pcp_writer_begin(w, T0 + i * PF_NS_PER_SEC, NULL);
		for (unsigned m = 0; i == 0 && m < PF_N(metrics); m++)
			assert_int_equal(pf_pcp_writer_desc(w, &metrics[m], NULL), 0);
		for (unsigned k = 0; k < INSTANCES; k++)
			now[k] = (struct pf_pcp_instance){ .id = (int32_t)(i + k), .name = { "process", 7 } };
		assert_int_equal(pf_pcp_writer_indom(w, time_ns, INDOM, now, INSTANCES, NULL), 0);
		pf_pcp_build_begin(&b);
		pf_pcp_build_set(&b, metrics[1].pmid, PF_U32);
		for (unsigned k = 0; k < INSTANCES; k++)
			pf_pcp_build_bits(&b, (int32_t)(i + k), i);
		assert_int_equal(pf_pcp_writer_result(w, time_ns, &b, true, NULL), 0);
	}
	pf_pcp_build_done(&b);
	struct pf_err err = { 0 };
	assert_int_equal(pf_pcp_writer_close(w, &err), 0);
	struct found found = check(false);
	assert_string_equal(found.texts.p, "");
	assert_int_equal(found.result.results, MANY);
	forget(&found);
}

static void a_name_that_cannot_be_becomes_one_that_can(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		const char *mended;
	} rows[] = {
		{ "mem.util.used", "mem.util.used" }, { "_mem.9til", "xmem.xtil" }, { "mem..used", "mem.xused" },
		{ ".mem.used.", "xmem.used_" },	      { "me\x80 m", "me__m" },	    { ".", "x" },
	};
	for (size_t i = 0; i < PF_N(rows); i++) {
		char text[32];
		(void)snprintf(text, sizeof(text), "%s", rows[i].name);
		bool same = strcmp(rows[i].name, rows[i].mended) == 0;
		assert_int_equal(pf_pcp_meta_name_is_good(pf_view_of(text)), same);
		pf_pcp_meta_name_mend(text, strlen(text));
		assert_string_equal(text, rows[i].mended);
		assert_true(pf_pcp_meta_name_is_good(pf_view_of(text)));
	}
	assert_false(pf_pcp_meta_name_is_good(pf_view_of("")));
}

static void kinds_of_records_belong_to_versions(void **state)
{
	(void)state;
	for (uint32_t kind = 0; kind < 10; kind++) {
		bool both = kind == PF_PCP_DESC || kind == PF_PCP_TEXT;
		bool two = kind == PF_PCP_INDOM2 || kind == PF_PCP_LABELS2;
		bool three = kind == PF_PCP_INDOM3 || kind == PF_PCP_DELTA3 || kind == PF_PCP_LABELS3;
		assert_int_equal(pf_pcp_meta_kind_fits(kind, 2), both || two);
		assert_int_equal(pf_pcp_meta_kind_fits(kind, 3), both || three);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sound_archive_has_no_findings),
		cmocka_unit_test(each_damaged_field_is_named),
		cmocka_unit_test(a_derived_metric_is_whole),
		cmocka_unit_test(a_gap_is_a_note),
		cmocka_unit_test(what_is_lost_is_counted),
		cmocka_unit_test(missing_files_are_named),
		cmocka_unit_test(a_name_that_cannot_be_becomes_one_that_can),
		cmocka_unit_test(kinds_of_records_belong_to_versions),
		cmocka_unit_test(a_hundred_thousand_records_are_checked),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
