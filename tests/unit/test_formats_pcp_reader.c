/* formats/pcp/reader and writer: archives of pmlogger and of ours, whole and damaged. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "formats/pcp/reader.h"
#include "formats/pcp/writer.h"

#define T0 INT64_C(1796011269000000000)

static char folder[64];

static int make_folder(void **state)
{
	(void)state;
	(void)snprintf(folder, sizeof(folder), "/tmp/pf-pcp-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static void path_in(char *to, size_t size, const char *name)
{
	(void)snprintf(to, size, "%s/%s", folder, name);
}

static int remove_folder(void **state)
{
	(void)state;
	static const char *const names[] = { "a.meta", "a.index", "a.0", "b.meta", "b.0", "b.index" };
	for (unsigned i = 0; i < PF_N(names); i++) {
		char path[128];
		path_in(path, sizeof(path), names[i]);
		(void)unlink(path);
	}
	return rmdir(folder);
}

static void golden(char *to, size_t size, const char *name)
{
	const char *top = getenv("PF_SOURCE_ROOT");
	(void)snprintf(to, size, "%s/tests/golden/pcp/%s", top ? top : ".", name);
}

struct totals {
	unsigned records;
	unsigned marks;
	unsigned damaged;
	unsigned values;
	struct pf_err first;
};

static struct totals read_all(struct pf_pcp_reader *r)
{
	struct totals t = { 0 };
	for (;;) {
		struct pf_pcp_result result;
		struct pf_err err = { 0 };
		int rc = pf_pcp_reader_next(r, &result, &err);
		if (rc == -ENODATA)
			return t;
		if (rc == -EBADMSG) {
			if (t.damaged++ == 0)
				t.first = err;
			continue;
		}
		assert_int_equal(rc, 1);
		t.records++;
		t.marks += result.n == 0;
		struct pf_pcp_set set;
		while (pf_pcp_result_next(&result, &set, NULL) == 1)
			t.values += set.n > 0 ? (unsigned)set.n : 0;
	}
}

static struct pf_pcp_reader *open_golden(const char *name)
{
	char path[512];
	golden(path, sizeof(path), name);
	struct pf_pcp_reader *r;
	struct pf_err err = { 0 };
	if (pf_pcp_reader_open(&r, path, NULL, &err) < 0)
		fail_msg("%s", err.text);
	return r;
}

static void real_archives_are_read_to_the_end(void **state)
{
	(void)state;
	/* Counted in what pmdumplog prints about them. */
	static const struct {
		const char *name;
		unsigned records, marks, metrics;
	} cases[] = {
		{ "a-v2-basic", 12, 0, 26 },	     { "b-v3-basic", 12, 0, 26 }, { "b-v3-basic.meta", 12, 0, 26 },
		{ "c-v3-indom", 11, 0, 16 },	     { "d-v2-indom", 11, 0, 16 }, { "e-v3-mark.0", 15, 1, 26 },
		{ "f-v2-volumes.index", 16, 0, 26 }, { "g-v3-types", 6, 0, 85 },
	};
	for (unsigned i = 0; i < PF_N(cases); i++) {
		struct pf_pcp_reader *r = open_golden(cases[i].name);
		assert_string_equal(pf_pcp_reader_label(r)->host, "golden-a");
		struct totals t = read_all(r);
		assert_int_equal(t.damaged, 0);
		assert_int_equal(t.records, cases[i].records);
		assert_int_equal(t.marks, cases[i].marks);
		assert_int_equal(pf_pcp_reader_meta(r)->n_metrics, cases[i].metrics);
		(void)pf_pcp_reader_close(r);
	}
}

static void damage_is_named_and_stepped_over(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		unsigned records, damaged;
		const char *says;
	} cases[] = {
		{ "broken/cut-v2", 5, 1,
		  "cut-v2.0: record 6 at byte 2036: the record has 756 bytes, but the file ends after 464" },
		{ "broken/badtrailer-v3", 11, 1, "badtrailer-v3.0: record 5 at byte " },
		{ "broken/noindex-v3", 12, 0, "" },
		{ "broken/badlabel-v2", 12, 1, "badlabel-v2.meta: label says archive version 6" },
	};
	for (unsigned i = 0; i < PF_N(cases); i++) {
		struct pf_pcp_reader *r = open_golden(cases[i].name);
		struct totals t = read_all(r);
		assert_int_equal(t.records, cases[i].records);
		assert_int_equal(t.damaged, cases[i].damaged);
		if (!strstr(t.first.text, cases[i].says))
			fail_msg("%s", t.first.text);
		(void)pf_pcp_reader_close(r);
	}
}

static void instances_follow_full_and_delta_records(void **state)
{
	(void)state;
	static const char *const names[] = { "c-v3-indom", "d-v2-indom" };
	for (unsigned k = 0; k < PF_N(names); k++) {
		struct pf_pcp_reader *r = open_golden(names[k]);
		struct pf_pcp_meta *m = pf_pcp_reader_meta(r);
		unsigned hint = 0;
		bool seen = false;
		bool gone = false;
		struct pf_pcp_result result;
		const struct pf_pcp_metric *in = pf_pcp_meta_metric(m, PF_PMID(60, 3, 0));
		assert_non_null(in);
		while (pf_pcp_reader_next(r, &result, NULL) == 1) {
			/* The bridge has internal number 4. */
			const struct pf_pcp_member *br0 = pf_pcp_meta_member(m, in->domain, 4, &hint);
			if (br0) {
				assert_string_equal(br0->name, "br0");
				seen = true;
			} else if (seen) {
				gone = true;
			}
		}
		assert_true(seen);
		assert_true(gone);
		(void)pf_pcp_reader_close(r);
	}
}

static const struct pf_metric level = { "t.level", PF_PMID(485, 1, 0), PF_INDOM_NONE, PF_S32, PF_INSTANT, PF_UNITS_NONE,
					"" };
static const struct pf_metric reads = { "t.reads", PF_PMID(485, 1, 1), PF_INDOM(485, 1),
					PF_U64,	   PF_COUNTER,	       PF_UNITS_COUNT,
					"" };

static struct pf_pcp_writer *new_writer(const char *name)
{
	char path[128];
	path_in(path, sizeof(path), name);
	const struct pf_pcp_writer_spec spec = { .path = path, .host = "box", .zone = "UTC", .zoneinfo = "" };
	struct pf_pcp_writer *w;
	struct pf_err err = { 0 };
	if (pf_pcp_writer_open(&w, &spec, &err) < 0)
		fail_msg("%s", err.text);
	return w;
}

/* Sample @i of a made-up recording: one level, one counter with i + 1 instances. Return: what the writer says. */
static int write_sample(struct pf_pcp_writer *w, unsigned i, struct pf_err *err)
{
	static const struct pf_pcp_instance instances[] = { { .id = 0, .name = { "sda", 3 } },
							    { .id = 7, .name = { "sdb", 3 } } };
	int64_t t = pf_pcp_writer_begin(w, T0 + i * INT64_C(1000000000), err);
	if (t < 0)
		return (int)t;
	if (i == 0) {
		int rc = pf_pcp_writer_desc(w, &level, err);
		if (rc == 0)
			rc = pf_pcp_writer_desc(w, &reads, err);
		if (rc < 0)
			return rc;
	}
	unsigned n = i == 0 ? 1 : 2;
	if (i < 2) {
		int rc = pf_pcp_writer_indom(w, t, reads.indom, instances, n, err);
		if (rc < 0)
			return rc;
	}
	struct pf_pcp_build b = { 0 };
	pf_pcp_build_begin(&b);
	pf_pcp_build_set(&b, level.pmid, level.type);
	pf_pcp_build_bits(&b, -1, (uint64_t) - (int64_t)i);
	pf_pcp_build_set(&b, reads.pmid, reads.type);
	for (unsigned k = 0; k < n; k++)
		pf_pcp_build_bits(&b, instances[k].id, UINT64_MAX - i);
	int rc = pf_pcp_writer_result(w, t, &b, pf_pcp_writer_entry_due(w), err);
	pf_pcp_build_done(&b);
	return rc;
}

static struct pf_pcp_reader *open_ours(const char *name)
{
	char path[128];
	path_in(path, sizeof(path), name);
	struct pf_pcp_reader *r;
	struct pf_err err = { 0 };
	if (pf_pcp_reader_open(&r, path, NULL, &err) < 0)
		fail_msg("%s", err.text);
	return r;
}

static void what_is_written_reads_back(void **state)
{
	(void)state;
	struct pf_pcp_writer *w = new_writer("a");
	for (unsigned i = 0; i < 5; i++)
		assert_int_equal(write_sample(w, i, NULL), 0);
	assert_int_equal(pf_pcp_writer_samples(w), 5);
	assert_int_equal(pf_pcp_writer_close(w, NULL), 0);

	struct pf_pcp_reader *r = open_ours("a");
	assert_true(pf_pcp_reader_label(r)->start_ns == T0);
	assert_string_equal(pf_pcp_reader_label(r)->host, "box");
	struct pf_pcp_result result;
	for (unsigned i = 0; i < 5; i++) {
		struct pf_pcp_set set;
		struct pf_pcp_value v;
		uint64_t u;
		assert_int_equal(pf_pcp_reader_next(r, &result, NULL), 1);
		assert_true(result.time_ns == T0 + i * INT64_C(1000000000));
		assert_int_equal(pf_pcp_result_next(&result, &set, NULL), 1);
		assert_int_equal(pf_pcp_set_get(&set, 0, &v, NULL), 0);
		assert_int_equal(pf_pcp_value_u64(&v, PF_S32, &u), 0);
		assert_true((int64_t)u == -(int64_t)i);
		assert_int_equal(pf_pcp_result_next(&result, &set, NULL), 1);
		assert_int_equal(set.n, i == 0 ? 1 : 2);
		const struct pf_pcp_metric *m = pf_pcp_meta_metric(pf_pcp_reader_meta(r), reads.pmid);
		unsigned hint = 0;
		const struct pf_pcp_member *sdb = pf_pcp_meta_member(pf_pcp_reader_meta(r), m->domain, 7, &hint);
		assert_int_equal(sdb != NULL, i > 0);
	}
	assert_int_equal(pf_pcp_reader_next(r, &result, NULL), -ENODATA);
	(void)pf_pcp_reader_close(r);
	(void)remove_folder(NULL);
	assert_int_equal(mkdir(folder, 0700), 0);
}

static void existing_files_are_never_touched(void **state)
{
	(void)state;
	char path[128];
	path_in(path, sizeof(path), "b.meta");
	int fd = open(path, O_WRONLY | O_CREAT, 0600);
	assert_int_equal(write(fd, "mine", 4), 4);
	(void)close(fd);

	char base[128];
	path_in(base, sizeof(base), "b");
	const struct pf_pcp_writer_spec spec = { .path = base, .host = "box", .zone = "UTC", .zoneinfo = "" };
	struct pf_pcp_writer *w;
	struct pf_err err = { 0 };
	assert_int_equal(pf_pcp_writer_open(&w, &spec, &err), -EEXIST);
	assert_non_null(strstr(err.text, "b.meta is there already"));
	path_in(path, sizeof(path), "b.index");
	assert_int_equal(access(path, F_OK), -1);
	path_in(path, sizeof(path), "b.meta");
	struct pf_buf text = { 0 };
	assert_int_equal(pf_io_read_file(AT_FDCWD, path, 100, &text, NULL), 0);
	assert_true(pf_view_is(pf_buf_text(&text), "mine"));
	pf_buf_done(&text);
	(void)unlink(path);
}

static void a_recording_without_values_leaves_nothing(void **state)
{
	(void)state;
	struct pf_pcp_writer *w = new_writer("a");
	assert_true(pf_pcp_writer_begin(w, T0, NULL) == T0);
	assert_int_equal(pf_pcp_writer_close(w, NULL), 0);
	assert_int_equal(rmdir(folder), 0);
	assert_int_equal(mkdir(folder, 0700), 0);
}

/* Whatever size the files may reach, what is left is a whole archive. A limit on file size stands for a full disk. */
static void running_out_of_room_leaves_whole_records(void **state)
{
	(void)state;
	struct rlimit old;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	(void)signal(SIGXFSZ, SIG_IGN);
	for (rlim_t room = 100; room < 2200; room += 52) {
		struct pf_pcp_writer *w = new_writer("a");
		struct rlimit limit = { room, old.rlim_max };
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
		struct pf_err err = { 0 };
		unsigned done = 0;
		int rc = 0;
		for (; done < 20; done++) {
			rc = write_sample(w, done, &err);
			if (rc < 0)
				break;
		}
		int again = write_sample(w, done, NULL);
		unsigned long long written = pf_pcp_writer_samples(w);
		int closed = pf_pcp_writer_close(w, NULL);
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
		assert_int_equal(rc, -EFBIG);
		assert_int_equal(again, -EFBIG);
		assert_int_equal(closed, -EFBIG);
		assert_non_null(strstr(err.text, "/a."));

		if (written > 0) {
			struct pf_pcp_reader *r = open_ours("a");
			struct totals t = read_all(r);
			assert_int_equal(t.damaged, 0);
			assert_int_equal(t.records, written);
			(void)pf_pcp_reader_close(r);
		}
		(void)remove_folder(NULL);
		assert_int_equal(mkdir(folder, 0700), 0);
	}
}

/* The bytes of a file of an archive, changed, as an open file. */
static int changed_copy(struct pf_view bytes, size_t at, unsigned char flip)
{
	int fd = memfd_create("archive", MFD_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(pf_io_write_all(fd, bytes.p, bytes.n), 0);
	if (at < bytes.n) {
		char c = (char)(bytes.p[at] ^ flip);
		assert_int_equal(pwrite(fd, &c, 1, (off_t)at), 1);
	}
	return fd;
}

static void one_changed_byte_costs_at_most_one_record(void **state)
{
	(void)state;
	struct pf_buf meta = { 0 };
	struct pf_buf data = { 0 };
	char path[512];
	golden(path, sizeof(path), "b-v3-basic.meta");
	assert_int_equal(pf_io_read_file(AT_FDCWD, path, 1 << 20, &meta, NULL), 0);
	golden(path, sizeof(path), "b-v3-basic.0");
	assert_int_equal(pf_io_read_file(AT_FDCWD, path, 1 << 20, &data, NULL), 0);
	for (size_t at = PF_PCP_LABEL3_LEN; at < data.n; at += 3) {
		struct pf_pcp_reader *r;
		int rc = pf_pcp_reader_open_fds(&r, "x", changed_copy(pf_buf_text(&meta), SIZE_MAX, 0),
						changed_copy(pf_buf_text(&data), at, 0x81), -1, NULL, NULL);
		assert_int_equal(rc, 0);
		struct totals t = read_all(r);
		assert_true(t.records >= 11);
		assert_true(t.records == 12 || t.damaged == 1);
		(void)pf_pcp_reader_close(r);
	}
	for (size_t at = PF_PCP_LABEL3_LEN; at < meta.n; at += 7) {
		struct pf_pcp_reader *r;
		int rc = pf_pcp_reader_open_fds(&r, "x", changed_copy(pf_buf_text(&meta), at, 0x81),
						changed_copy(pf_buf_text(&data), SIZE_MAX, 0), -1, NULL, NULL);
		assert_int_equal(rc, 0);
		assert_int_equal(read_all(r).records, 12);
		assert_true(pf_pcp_reader_meta(r)->n_metrics >= 25);
		(void)pf_pcp_reader_close(r);
	}
	pf_buf_done(&meta);
	pf_buf_done(&data);
}

static void absurd_label_counts_are_refused_without_memory(void **state)
{
	(void)state;
	/* pcp issue 475: 1702259043 labels in a record of 69 bytes. */
	struct pf_buf meta = { 0 };
	struct pf_buf data = { 0 };
	char path[512];
	golden(path, sizeof(path), "a-v2-basic.meta");
	assert_int_equal(pf_io_read_file(AT_FDCWD, path, 1 << 20, &meta, NULL), 0);
	golden(path, sizeof(path), "a-v2-basic.0");
	assert_int_equal(pf_io_read_file(AT_FDCWD, path, 1 << 20, &data, NULL), 0);
	struct pf_buf rec = { 0 };
	pf_be_put_u32(&rec, 69);
	pf_be_put_u32(&rec, PF_PCP_LABELS2);
	pf_be_put_u32(&rec, 0x6b0cf505);
	pf_be_put_u32(&rec, 0x7b6);
	pf_be_put_u32(&rec, 2);
	pf_be_put_u32(&rec, 60);
	pf_be_put_u32(&rec, 1);
	pf_be_put_u32(&rec, UINT32_MAX);
	pf_be_put_u32(&rec, 17);
	pf_buf_str(&rec, "{\"agent\":\"linux\"}");
	pf_be_put_u32(&rec, 1702259043);
	pf_be_put_u64(&rec, UINT64_C(0x0002050200090007));
	pf_be_put_u32(&rec, 69);
	assert_int_equal(rec.n, 69);
	pf_buf_view(&meta, pf_buf_text(&rec));

	struct pf_pcp_reader *r;
	assert_int_equal(pf_pcp_reader_open_fds(&r, "x", changed_copy(pf_buf_text(&meta), SIZE_MAX, 0),
						changed_copy(pf_buf_text(&data), SIZE_MAX, 0), -1, NULL, NULL),
			 0);
	struct totals t = read_all(r);
	assert_int_equal(t.records, 12);
	assert_int_equal(t.damaged, 1);
	char place[64];
	(void)snprintf(place, sizeof(place), "at byte %zu: label set 0 of 1", meta.n - 69);
	assert_non_null(strstr(t.first.text, place));
	(void)pf_pcp_reader_close(r);
	pf_buf_done(&rec);
	pf_buf_done(&meta);
	pf_buf_done(&data);
}

static void a_length_never_asks_for_more_memory_than_the_file_holds(void **state)
{
	(void)state;
	struct pf_buf meta = { 0 };
	char path[512];
	golden(path, sizeof(path), "b-v3-basic.meta");
	assert_int_equal(pf_io_read_file(AT_FDCWD, path, 1 << 20, &meta, NULL), 0);
	struct pf_buf data = { 0 };
	golden(path, sizeof(path), "b-v3-basic.0");
	assert_int_equal(pf_io_read_file(AT_FDCWD, path, 1 << 20, &data, NULL), 0);
	pf_be_set_u32(&data, PF_PCP_LABEL3_LEN, PF_PCP_RECORD_MAX);

	struct pf_pcp_file f;
	assert_int_equal(pf_pcp_file_init(&f, changed_copy(pf_buf_text(&data), SIZE_MAX, 0), "x", 4, NULL), 0);
	f.off = PF_PCP_LABEL3_LEN;
	struct pf_view rec;
	struct pf_err err = { 0 };
	assert_int_equal(pf_pcp_file_peek(&f, &rec, &err), -EBADMSG);
	assert_true(f.cap <= data.n);
	pf_pcp_file_done(&f);
	pf_buf_done(&meta);
	pf_buf_done(&data);
}

static void what_is_no_archive_is_refused_in_a_sentence(void **state)
{
	(void)state;
	static const struct {
		const char *meta, *data;
		int rc;
		const char *says;
	} cases[] = {
		{ "", "", -ENODATA, "empty: the recording never began" },
		{ "hello\nthis is text\n", "and so is this\n", -EBADMSG, "not a PCP archive" },
	};
	for (unsigned i = 0; i < PF_N(cases); i++) {
		struct pf_pcp_reader *r;
		struct pf_err err = { 0 };
		int rc = pf_pcp_reader_open_fds(&r, "x", changed_copy(pf_view_of(cases[i].meta), SIZE_MAX, 0),
						changed_copy(pf_view_of(cases[i].data), SIZE_MAX, 0), -1, NULL, &err);
		assert_int_equal(rc, cases[i].rc);
		assert_non_null(strstr(err.text, cases[i].says));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(real_archives_are_read_to_the_end),
		cmocka_unit_test(damage_is_named_and_stepped_over),
		cmocka_unit_test(instances_follow_full_and_delta_records),
		cmocka_unit_test(what_is_written_reads_back),
		cmocka_unit_test(existing_files_are_never_touched),
		cmocka_unit_test(a_recording_without_values_leaves_nothing),
		cmocka_unit_test(running_out_of_room_leaves_whole_records),
		cmocka_unit_test(one_changed_byte_costs_at_most_one_record),
		cmocka_unit_test(absurd_label_counts_are_refused_without_memory),
		cmocka_unit_test(a_length_never_asks_for_more_memory_than_the_file_holds),
		cmocka_unit_test(what_is_no_archive_is_refused_in_a_sentence),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
