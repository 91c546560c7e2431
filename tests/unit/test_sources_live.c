/* The live source on a folder that stands for the host: what is read, what is told, what a missing file means. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "groups/list.h"
#include "model/catalog.h"
#include "model/sample.h"
#include "sources/source.h"

struct fixture {
	char folder[32];
	int root_fd;
	struct pf_catalog *catalog;
	struct pf_frames frames;
	struct pf_buf told;
	struct pf_buf notices;
};

static void put(const struct fixture *f, const char *path, const char *text)
{
	int fd = openat(f->root_fd, path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(pf_io_write_all(fd, text, strlen(text)), 0);
	assert_int_equal(close(fd), 0);
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	if (!f)
		return -1;
	memcpy(f->folder, "/tmp/pf-live.XXXXXX", sizeof("/tmp/pf-live.XXXXXX"));
	if (!mkdtemp(f->folder))
		return -1;
	f->root_fd = open(f->folder, O_PATH | O_DIRECTORY);
	f->catalog = pf_catalog_new();
	pf_frames_init(&f->frames, f->catalog);
	static const char *const folders[] = { "proc", "proc/sys", "proc/sys/kernel", "proc/net" };
	for (unsigned i = 0; i < 4; i++) {
		if (mkdirat(f->root_fd, folders[i], 0700) < 0)
			return -1;
	}
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	static const char *const files[] = { "proc/stat", "proc/loadavg", "proc/diskstats", "proc/sys/kernel/hostname",
					     "proc/sys/kernel/osrelease" };
	static const char *const folders[] = { "proc/sys/kernel", "proc/sys", "proc/net", "proc", "." };
	for (unsigned i = 0; i < 5; i++)
		(void)unlinkat(f->root_fd, files[i], 0);
	for (unsigned i = 0; i < 4; i++)
		(void)unlinkat(f->root_fd, folders[i], AT_REMOVEDIR);
	(void)rmdir(f->folder);
	(void)close(f->root_fd);
	pf_frames_done(&f->frames);
	(void)pf_catalog_free(f->catalog);
	pf_buf_done(&f->told);
	pf_buf_done(&f->notices);
	free(f);
	return 0;
}

static void tell_line(void *arg, struct pf_view tag, struct pf_view line)
{
	struct fixture *f = arg;
	pf_buf_view(&f->told, tag);
	pf_buf_char(&f->told, '|');
	pf_buf_view(&f->told, line);
	pf_buf_char(&f->told, '\n');
}

static void tell_notice(void *arg, enum pf_severity severity, const char *text)
{
	struct fixture *f = arg;
	(void)severity;
	pf_buf_str(&f->notices, text);
	pf_buf_char(&f->notices, '\n');
}

static const struct pf_group *const cpu_and_disk[] = { &pf_group_cpu, &pf_group_disk, NULL };

static double value(const struct fixture *f, const char *metric, unsigned slot)
{
	int m = pf_catalog_find(f->catalog, pf_view_of(metric));
	assert_true(m >= 0);
	struct pf_step step = pf_frames_step(&f->frames);
	assert_true(pf_sample_has(step.cur, (unsigned)m, slot));
	return (double)pf_sample_get(step.cur, (unsigned)m, slot).u;
}

static const char *text(const struct fixture *f, const char *metric)
{
	int m = pf_catalog_find(f->catalog, pf_view_of(metric));
	assert_true(m >= 0);
	struct pf_step step = pf_frames_step(&f->frames);
	assert_true(pf_sample_has(step.cur, (unsigned)m, 0));
	return pf_sample_get(step.cur, (unsigned)m, 0).s;
}

static void write_proc(const struct fixture *f)
{
	put(f, "proc/stat",
	    "cpu  10 0 20 30 0 0 0 0 0 0\ncpu0 10 0 20 30 0 0 0 0 0 0\nintr 55 1 2\nctxt 66\nbtime 7\n"
	    "processes 8\nprocs_running 1\nprocs_blocked 0\nsoftirq 1 2\n");
	put(f, "proc/loadavg", "0.10 0.20 0.30 1/99 1234\n");
	put(f, "proc/diskstats",
	    "   7       0 loop0 1 2 3 4 5 6 7 8 9 10 11\n 254       0 vda 100 2 3 4 5 6 7 8 9 10 11\n"
	    " 254       1 vda1 1 2 3 4 5 6 7 8 9 10 11\n");
	put(f, "proc/sys/kernel/hostname", "box.example.org\n");
}

static void a_folder_is_sampled_like_the_host(void **state)
{
	struct fixture *f = *state;
	write_proc(f);
	struct pf_source_spec spec = { .root_fd = f->root_fd, .groups = cpu_and_disk };
	struct pf_source *s;
	assert_int_equal(pf_source_open(&s, &spec, f->catalog, NULL), 0);
	assert_string_equal(s->kind->info(s)->host, "box");
	assert_int_equal(s->kind->next(s, &f->frames, NULL), 1);
	assert_int_equal((int)value(f, "kernel.all.pswitch", 0), 66);
	assert_int_equal((int)value(f, "kernel.all.intr", 0), 55);

	/* Descriptors are held: new bytes in the same file are seen. */
	put(f, "proc/stat", "cpu  11 0 20 30 0 0 0 0 0 0\nintr 56 1\nctxt 67\n");
	assert_int_equal(s->kind->next(s, &f->frames, NULL), 1);
	assert_int_equal((int)value(f, "kernel.all.pswitch", 0), 67);
	assert_null(s->kind->close(s));
}

static void what_cannot_change_is_read_once_and_is_in_each_sample(void **state)
{
	struct fixture *f = *state;
	static const struct pf_group *const groups[] = { &pf_group_host, NULL };
	put(f, "proc/sys/kernel/osrelease", "6.1.0-x\n");
	put(f, "proc/sys/kernel/hostname", "box\n");
	struct pf_source_spec spec = { .root_fd = f->root_fd, .groups = groups };
	struct pf_source *s;
	assert_int_equal(pf_source_open(&s, &spec, f->catalog, NULL), 0);
	assert_int_equal(s->kind->next(s, &f->frames, NULL), 1);
	put(f, "proc/sys/kernel/osrelease", "other\n");
	put(f, "proc/sys/kernel/hostname", "renamed\n");
	assert_int_equal(s->kind->next(s, &f->frames, NULL), 1);
	assert_string_equal(text(f, "kernel.uname.release"), "6.1.0-x");
	assert_string_equal(text(f, "kernel.uname.nodename"), "renamed");
	assert_null(s->kind->close(s));
}

static void raw_text_is_what_collectl_records(void **state)
{
	struct fixture *f = *state;
	write_proc(f);
	struct pf_raw_tap tap = { .line = tell_line, .arg = f };
	struct pf_source_spec spec = { .root_fd = f->root_fd, .groups = cpu_and_disk, .tap = &tap, .no_parse = true };
	struct pf_source *s;
	assert_int_equal(pf_source_open(&s, &spec, f->catalog, NULL), 0);
	assert_int_equal(s->kind->next(s, &f->frames, NULL), 1);
	assert_null(s->kind->close(s));
	assert_string_equal(f->told.p,
			    "|cpu  10 0 20 30 0 0 0 0 0 0\n|cpu0 10 0 20 30 0 0 0 0 0 0\n|intr 55\n|ctxt 66\n"
			    "|processes 8\n|procs_running 1\n|procs_blocked 0\nload|0.10 0.20 0.30 1/99 1234\n"
			    "disk| 254       0 vda 100 2 3 4 5 6 7 8 9 10 11\n");
}

static void a_missing_file_is_told_once_and_survived(void **state)
{
	struct fixture *f = *state;
	put(f, "proc/stat", "ctxt 66\n");
	struct pf_notice notice = { tell_notice, f };
	struct pf_source_spec spec = { .root_fd = f->root_fd, .groups = cpu_and_disk, .notice = &notice };
	struct pf_source *s;
	assert_int_equal(pf_source_open(&s, &spec, f->catalog, NULL), 0);
	assert_int_equal(s->kind->next(s, &f->frames, NULL), 1);
	assert_int_equal(s->kind->next(s, &f->frames, NULL), 1);
	assert_int_equal((int)value(f, "kernel.all.pswitch", 0), 66);
	assert_null(s->kind->close(s));
	assert_non_null(strstr(f->notices.p, "/proc/diskstats: No such file or directory"));
	unsigned lines = 0;
	for (const char *p = f->notices.p; *p != '\0'; p++)
		lines += *p == '\n';
	assert_int_equal(lines, 2);
}

static void other_files_are_no_recordings(void **state)
{
	struct fixture *f = *state;
	char path[64];
	struct pf_buf b = { 0 };
	pf_buf_fmt(&b, "%s/proc/stat", f->folder);
	assert_true(b.n < sizeof(path));
	memcpy(path, b.p, b.n + 1);
	pf_buf_done(&b);
	struct pf_source *s = NULL;
	struct pf_err err = { 0 };
	struct pf_source_spec spec = { .root_fd = -1, .path = path };
	assert_int_equal(pf_source_open(&s, &spec, f->catalog, &err), -ENOENT);
	put(f, "proc/stat", "hello\n");
	assert_int_equal(pf_source_open(&s, &spec, f->catalog, &err), -EINVAL);
	assert_non_null(strstr(err.text, "no kind of recording"));
	assert_null(s);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_folder_is_sampled_like_the_host, setup, teardown),
		cmocka_unit_test_setup_teardown(what_cannot_change_is_read_once_and_is_in_each_sample, setup, teardown),
		cmocka_unit_test_setup_teardown(raw_text_is_what_collectl_records, setup, teardown),
		cmocka_unit_test_setup_teardown(a_missing_file_is_told_once_and_survived, setup, teardown),
		cmocka_unit_test_setup_teardown(other_files_are_no_recordings, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
