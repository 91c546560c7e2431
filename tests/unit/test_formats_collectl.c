/* Raw files: headers, markers, and readers of whole, cut and damaged ones. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "formats/collectl/header.h"
#include "formats/collectl/reader.h"
#include "formats/collectl/writer.h"

static const char header_text[] =
	"################################################################################\n"
	"# Collectl:   V4.3.1-1  HiRes: 1  Options: -scdnm -i1 -c14 -f cdnm \n"
	"# Host:       vm  DaemonOpts: \n"
	"# Date:       20261130-045602  Secs: 1796010962 TZ: +0100\n"
	"# SubSys:     cdnm Options:  Interval: 0.5:60 NumCPUs: 2 [HYPER] NumBud: 0 Flags: i\n"
	"# HZ:         100  Arch: x86_64-linux-gnu-thread-multi PageSize: 4096\n"
	"# Kernel:     6.18.44  Memory: 24684100 kB  Swap: 0 kB\n"
	"# NumDisks:   1 DiskNames: vda sda\n"
	"# NumNets:    2 NetNames: lo:?? eth0:-1\n"
	"################################################################################\n";

static void header_gives_what_the_recorder_wrote(void **state)
{
	(void)state;
	struct pf_collectl_header h;
	assert_int_equal(pf_collectl_header_parse(pf_view_of(header_text), &h, NULL), 0);
	assert_string_equal(h.version, "4.3.1-1");
	assert_string_equal(h.host, "vm");
	assert_string_equal(h.subsys, "cdnm");
	assert_string_equal(h.zone, "+0100");
	assert_int_equal(h.zone_ns, INT64_C(3600000000000));
	assert_int_equal(h.secs, 1796010962);
	assert_int_equal(h.interval_ns[0], 500000000);
	assert_int_equal(h.interval_ns[1], INT64_C(60000000000));
	assert_int_equal(h.interval_ns[2], 0);
	assert_int_equal(h.cpus, 2);
	assert_true(h.hyper);
	assert_int_equal(h.page_size, 4096);
	assert_int_equal(h.memory_kb, 24684100);
	assert_true(pf_view_is(h.disks, "vda sda"));
	assert_true(pf_view_is(h.nets, "lo:?? eth0:-1"));
}

static void blank_fields_of_a_header_are_empty(void **state)
{
	(void)state;
	struct pf_collectl_header h;
	assert_int_equal(pf_collectl_header_parse(PF_VIEW("# Collectl:   V4.0\n# Host:       DaemonOpts: \n"
							  "# SubSys:      Options:  Interval: 1\n"),
						  &h, NULL),
			 0);
	assert_string_equal(h.host, "");
	assert_string_equal(h.subsys, "");
	assert_int_equal(h.zone_ns, 0);
}

static void headers_of_others_are_refused(void **state)
{
	(void)state;
	static const struct {
		struct pf_view text;
		int rc;
	} cases[] = {
		{ PF_VIEW(""), -EINVAL },
		{ PF_VIEW("hello\n"), -EINVAL },
		{ PF_VIEW("# Collectl:   4.3.1\n"), -EINVAL },
		{ PF_VIEW("# Collectl:   V1.9\n"), -EPROTO },
		{ PF_VIEW("# Collectl:   V3.0\n# Kernel:     2.4.21  Memory: 1 kB\n"), -EPROTO },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pf_collectl_header h;
		struct pf_err err = { 0 };
		assert_int_equal(pf_collectl_header_parse(cases[i].text, &h, &err), cases[i].rc);
		assert_true(err.text[0] != '\0');
	}
}

static void markers_are_exact(void **state)
{
	(void)state;
	static const struct {
		struct pf_view line;
		int rc;
		int64_t ns;
	} cases[] = {
		{ PF_VIEW(">>> 1796010964.002 <<<"), 1, INT64_C(1796010964002000000) },
		{ PF_VIEW(">>> 1796010964 <<<"), 1, INT64_C(1796010964000000000) },
		{ PF_VIEW(">>> 1796010964.123456789 <<<"), 1, INT64_C(1796010964123456789) },
		{ PF_VIEW(">>> x <<<"), -EBADMSG, 0 },
		{ PF_VIEW(">>> 99999999999999999999 <<<"), -EBADMSG, 0 },
		{ PF_VIEW(">>> 1796010964.002"), -EBADMSG, 0 },
		{ PF_VIEW(">>>"), -EBADMSG, 0 },
		{ PF_VIEW("cpu 1 2"), 0, 0 },
		{ PF_VIEW(">"), 0, 0 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int64_t ns = 7;
		assert_int_equal(pf_collectl_marker(cases[i].line, &ns), cases[i].rc);
		assert_true(ns == (cases[i].rc > 0 ? cases[i].ns : 7));
	}
}

/* A folder for one test. */
static int enter(void **state)
{
	char *folder = strdup("/tmp/pf-collectl.XXXXXX");
	*state = folder;
	return folder && mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave(void **state)
{
	char *folder = *state;
	(void)unlink("f");
	int rc = chdir("/") | rmdir(folder);
	free(folder);
	return rc;
}

static void put(struct pf_view bytes)
{
	int fd = open("f", O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(pf_io_write_all(fd, bytes.p, bytes.n), 0);
	assert_int_equal(close(fd), 0);
}

static struct pf_buf get(void)
{
	struct pf_buf b = { 0 };
	assert_int_equal(pf_io_read_file(AT_FDCWD, "f", 1 << 24, &b, NULL), 0);
	return b;
}

/* Interval @i of a raw file: different enough that it cannot be packed to nothing. */
static void add_interval(struct pf_buf *b, unsigned i)
{
	pf_collectl_marker_build(b, INT64_C(1796010964000000000) + i * INT64_C(1000000000));
	for (unsigned k = 0; k < 20; k++)
		pf_buf_fmt(b, "key%u %u\n", k, i * 2654435761u + k * 40503u);
}

/* A raw file of @n intervals as we write it: a flush for each, members of some. */
static void write_file(unsigned n)
{
	struct pf_collectl_writer *w;
	(void)unlink("f");
	assert_int_equal(pf_collectl_create(&w, "f", NULL), 0);
	assert_int_equal(pf_collectl_write(w, header_text, sizeof(header_text) - 1, NULL), 0);
	struct pf_buf b = { 0 };
	for (unsigned i = 0; i < n; i++) {
		pf_buf_clear(&b);
		add_interval(&b, i);
		assert_int_equal(pf_collectl_write(w, b.p, b.n, NULL), 0);
	}
	pf_buf_done(&b);
	assert_int_equal(pf_collectl_finish(w, NULL), 0);
}

/* Read all; damage is counted and its last sentence kept. Returns the lines. */
static struct pf_buf read_file(unsigned *ret_damages, struct pf_err *ret_last)
{
	struct pf_collectl_reader *r;
	struct pf_buf all = { 0 };
	*ret_damages = 0;
	assert_int_equal(pf_collectl_open(&r, "f", NULL), 0);
	for (;;) {
		struct pf_view lines;
		struct pf_err err = { 0 };
		int rc = pf_collectl_lines(r, &lines, &err);
		if (rc == -ENODATA)
			break;
		if (rc == -EBADMSG) {
			(*ret_damages)++;
			*ret_last = err;
			continue;
		}
		assert_int_equal(rc, 1);
		assert_true(lines.n > 0 && lines.p[lines.n - 1] == '\n');
		pf_buf_view(&all, lines);
	}
	(void)pf_collectl_close(r);
	return all;
}

static unsigned count_markers(const struct pf_buf *b)
{
	unsigned n = 0;
	struct pf_view rest = pf_buf_text(b);
	struct pf_view line;
	while (pf_view_line(&rest, &line) == 0)
		n += pf_view_starts(line, ">>> ");
	return n;
}

static void what_is_written_is_read(void **state)
{
	(void)state;
	struct pf_buf want = { 0 };
	for (unsigned i = 0; i < 50; i++)
		add_interval(&want, i);
	write_file(50);
	unsigned damages;
	struct pf_err err;
	struct pf_buf got = read_file(&damages, &err);
	assert_int_equal(damages, 0);
	assert_int_equal(got.n, want.n);
	assert_memory_equal(got.p, want.p, want.n);
	pf_buf_done(&got);

	/* As one member, and not packed at all. */
	struct pf_buf plain = { 0 };
	pf_buf_str(&plain, header_text);
	pf_buf_view(&plain, pf_buf_text(&want));
	gzFile z = gzopen("f", "wb");
	assert_int_equal(gzwrite(z, plain.p, (unsigned)plain.n), (int)plain.n);
	assert_int_equal(gzclose(z), Z_OK);
	got = read_file(&damages, &err);
	assert_int_equal(damages, 0);
	assert_int_equal(got.n, want.n);
	pf_buf_done(&got);
	put(pf_buf_text(&plain));
	got = read_file(&damages, &err);
	assert_int_equal(damages, 0);
	assert_memory_equal(got.p, want.p, want.n);
	pf_buf_done(&got);
	pf_buf_done(&plain);
	pf_buf_done(&want);
}

static void a_file_cut_anywhere_gives_its_beginning(void **state)
{
	(void)state;
	write_file(40);
	struct pf_buf whole = get();
	unsigned before = 0;
	for (size_t n = 400; n < whole.n; n += 97) {
		put((struct pf_view){ whole.p, n });
		unsigned damages;
		struct pf_err err = { 0 };
		struct pf_buf got = read_file(&damages, &err);
		unsigned markers = count_markers(&got);
		assert_true(damages <= 1);
		assert_true(damages == 0 || strstr(err.text, "cut off at byte") != NULL);
		assert_true(markers >= before);
		before = markers;
		pf_buf_done(&got);
	}
	assert_true(before >= 38);
	pf_buf_done(&whole);
}

static void damage_costs_one_member(void **state)
{
	(void)state;
	write_file(64);
	struct pf_buf whole = get();
	unsigned told = 0;
	for (size_t at = whole.n / 3; at < whole.n * 2 / 3; at += 211) {
		whole.p[at] ^= 0x55;
		put(pf_buf_text(&whole));
		whole.p[at] ^= 0x55;
		unsigned damages;
		struct pf_err err = { 0 };
		struct pf_buf got = read_file(&damages, &err);
		assert_true(count_markers(&got) >= 64 - PF_COLLECTL_MEMBER_FLUSHES - 1);
		told += damages > 0;
		pf_buf_done(&got);
	}
	assert_true(told > 0);
	pf_buf_done(&whole);
}

static void garbage_behind_the_end_is_told(void **state)
{
	(void)state;
	write_file(3);
	struct pf_buf b = get();
	pf_buf_str(&b, "garbage\n");
	put(pf_buf_text(&b));
	unsigned damages;
	struct pf_err err = { 0 };
	struct pf_buf got = read_file(&damages, &err);
	assert_int_equal(damages, 1);
	assert_non_null(strstr(err.text, "damaged up to the end"));
	assert_int_equal(count_markers(&got), 3);
	pf_buf_done(&got);
	pf_buf_done(&b);
}

static void a_line_without_end_is_left_out(void **state)
{
	(void)state;
	struct pf_buf b = { 0 };
	pf_buf_str(&b, header_text);
	pf_buf_str(&b, "a 1\n");
	pf_buf_pad(&b, 'x', 4 * (size_t)PF_COLLECTL_LINE_MAX);
	pf_buf_str(&b, "\nb 2\n");
	put(pf_buf_text(&b));
	pf_buf_done(&b);
	unsigned damages;
	struct pf_err err = { 0 };
	struct pf_buf got = read_file(&damages, &err);
	assert_int_equal(damages, 1);
	assert_string_equal(got.p, "a 1\nb 2\n");
	pf_buf_done(&got);
}

static void files_of_others_are_refused(void **state)
{
	(void)state;
	static const struct {
		struct pf_view bytes;
		int rc;
	} cases[] = {
		{ PF_VIEW(""), -ENODATA },
		{ PF_VIEW("hello\n"), -EINVAL },
		{ PF_VIEW("\x1f\x8b"), -EINVAL },
		{ PF_VIEW("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03garbage"), -EINVAL },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pf_collectl_reader *r = NULL;
		struct pf_err err = { 0 };
		put(cases[i].bytes);
		assert_int_equal(pf_collectl_open(&r, "f", &err), cases[i].rc);
		assert_null(r);
		assert_int_equal(strncmp(err.text, "f: ", 3), 0);
		assert_false(pf_collectl_looks_like("f"));
	}
	write_file(1);
	assert_true(pf_collectl_looks_like("f"));
	assert_false(pf_collectl_looks_like("nowhere"));
}

/* They may make one wait for ever or have no end. */
static void pipes_devices_and_folders_are_refused(void **state)
{
	(void)state;
	(void)unlink("pipe");
	assert_int_equal(mkfifo("pipe", 0600), 0);
	static const char *const paths[] = { "pipe", "/dev/zero", "/dev/null", "/" };
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		struct pf_collectl_reader *r = NULL;
		struct pf_err err = { 0 };
		assert_false(pf_collectl_looks_like(paths[i]));
		assert_true(pf_collectl_open(&r, paths[i], &err) < 0);
		assert_int_equal(strncmp(err.text, paths[i], strlen(paths[i])), 0);
	}
	assert_int_equal(unlink("pipe"), 0);
}

/* Terabytes without a line: that it is no recording is seen at once, and behind a header one can stop between the reads. */
static void a_file_without_lines_does_not_keep_one(void **state)
{
	(void)state;
	struct pf_collectl_reader *r = NULL;
	put(PF_VIEW(""));
	assert_int_equal(truncate("f", (off_t)1 << 40), 0);
	assert_false(pf_collectl_looks_like("f"));
	assert_int_equal(pf_collectl_open(&r, "f", NULL), -EINVAL);

	put(pf_view_of(header_text));
	assert_int_equal(truncate("f", (off_t)1 << 40), 0);
	assert_true(pf_collectl_looks_like("f"));
	assert_int_equal(pf_collectl_open(&r, "f", NULL), 0);
	struct pf_view lines = { 0 };
	assert_int_equal(pf_collectl_lines(r, &lines, NULL), 1);
	assert_int_equal(lines.n, 0);
	(void)pf_collectl_close(r);
	put(PF_VIEW(""));
}

static void a_full_disk_loses_nothing_until_the_backlog_is_full(void **state)
{
	(void)state;
	if (access("/dev/full", W_OK) < 0)
		skip();
	struct pf_collectl_writer *w;
	assert_int_equal(pf_collectl_create(&w, "/dev/full", NULL), 0);
	struct pf_err err = { 0 };
	assert_int_equal(pf_collectl_write(w, header_text, sizeof(header_text) - 1, &err), 1);
	assert_non_null(strstr(err.text, "No space left"));
	size_t n = 1 << 20;
	unsigned char *noise = malloc(n);
	uint32_t x = 1;
	for (size_t i = 0; i < n; i++) {
		x = x * 1664525u + 1013904223u;
		noise[i] = (unsigned char)(x >> 24);
	}
	int rc = 1;
	for (unsigned i = 0; i < 8 && rc == 1; i++)
		rc = pf_collectl_write(w, noise, n, &err);
	free(noise);
	assert_int_equal(rc, 2);
	assert_int_equal(pf_collectl_finish(w, &err), -ENOSPC);
}

static void names_have_host_date_and_time(void **state)
{
	(void)state;
	struct pf_buf b = { 0 };
	(void)setenv("TZ", "UTC", 1);
	pf_collectl_name(&b, "/", "vm", "", INT64_C(1796010962000000000));
	assert_string_equal(b.p, "/vm-20261130-035602.raw.gz");
	pf_buf_clear(&b);
	pf_collectl_name(&b, "/tmp", "vm", "", INT64_C(1796010962000000000));
	assert_string_equal(b.p, "/tmp/vm-20261130-035602.raw.gz");
	pf_buf_clear(&b);
	pf_collectl_name(&b, "/tmp/no-such-thing", "vm", "", INT64_C(1796010962000000000));
	assert_string_equal(b.p, "/tmp/no-such-thing-vm-20261130-035602.raw.gz");
	pf_buf_done(&b);
}

/* A recording of @n seconds in which each interval is different, as we pack it or as it is. */
static void write_long(unsigned n, bool packed)
{
	struct pf_buf text = { 0 };
	struct pf_collectl_writer *w = NULL;
	pf_buf_str(&text, header_text);
	(void)unlink("f");
	if (packed)
		assert_int_equal(pf_collectl_create(&w, "f", NULL), 0);
	uint32_t chance = 1;
	for (unsigned i = 1; i <= n; i++) {
		pf_collectl_marker_build(&text, i * INT64_C(1000000000));
		for (unsigned k = 0; k < 40; k++) {
			chance = chance * 1664525 + 1013904223;
			pf_buf_fmt(&text, "cpu%u %u\n", k, chance);
		}
		if (packed) {
			assert_int_equal(pf_collectl_write(w, text.p, text.n, NULL), 0);
			pf_buf_clear(&text);
		}
	}
	if (packed)
		assert_int_equal(pf_collectl_finish(w, NULL), 0);
	else
		put(pf_buf_text(&text));
	pf_buf_done(&text);
}

/* Time in seconds of the first marker that is read behind a skip, and how many there are. */
static int64_t first_behind(int64_t before, unsigned *ret_n)
{
	struct pf_collectl_reader *r = NULL;
	struct pf_view lines, line;
	int64_t first = 0, ns = 0;
	*ret_n = 0;
	assert_int_equal(pf_collectl_open(&r, "f", NULL), 0);
	assert_true(pf_view_starts(pf_collectl_header_text(r), "####"));
	pf_collectl_skip(r, before * INT64_C(1000000000));
	while (pf_collectl_lines(r, &lines, NULL) == 1) {
		while (pf_view_line(&lines, &line) == 0) {
			if (pf_collectl_marker(line, &ns) != 1)
				continue;
			first = *ret_n == 0 ? ns / 1000000000 : first;
			++*ret_n;
		}
	}
	assert_null(pf_collectl_close(r));
	return first;
}

static void what_lies_before_a_time_is_passed_over(void **state)
{
	(void)state;
	for (unsigned packed = 0; packed < 2; packed++) {
		unsigned n;
		write_long(3000, packed);
		for (int64_t before = -5; before <= 3100; before += 115) {
			int64_t first = first_behind(before, &n);
			assert_true(first == 1 || first < before);
			assert_true(first == 1 || first > before - 600); /* most is passed over */
			assert_int_equal(n, 3001 - first);
		}
		assert_true(first_behind(2900, &n) > 2000);
	}
}

/* One member can only be read from its start; one that is damaged behind is still found. */
static void a_file_without_places_is_read_from_its_start(void **state)
{
	(void)state;
	unsigned n;
	write_long(3000, false);
	struct pf_buf text = { 0 };
	assert_int_equal(pf_io_read_file(AT_FDCWD, "f", 1 << 24, &text, NULL), 0);
	gzFile z = gzopen("f", "wb");
	assert_int_equal(gzwrite(z, text.p, (unsigned)text.n), (int)text.n);
	assert_int_equal(gzclose(z), Z_OK);
	assert_int_equal(first_behind(2500, &n), 1);
	assert_int_equal(n, 3000);

	/* Looks like a member at every third byte, and is none. */
	struct pf_buf odd = { 0 };
	pf_buf_str(&odd, header_text);
	for (unsigned i = 0; i < 100000; i++)
		pf_buf_add(&odd, "\x1f\x8b\x08", 3);
	pf_buf_str(&odd, "\n>>> x <<<\n>>>\n");
	put(pf_buf_text(&odd));
	(void)first_behind(2500, &n);
	assert_int_equal(n, 0);
	pf_buf_done(&odd);
	pf_buf_done(&text);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(header_gives_what_the_recorder_wrote),
		cmocka_unit_test(blank_fields_of_a_header_are_empty),
		cmocka_unit_test(headers_of_others_are_refused),
		cmocka_unit_test(markers_are_exact),
		cmocka_unit_test_setup_teardown(what_is_written_is_read, enter, leave),
		cmocka_unit_test_setup_teardown(a_file_cut_anywhere_gives_its_beginning, enter, leave),
		cmocka_unit_test_setup_teardown(damage_costs_one_member, enter, leave),
		cmocka_unit_test_setup_teardown(garbage_behind_the_end_is_told, enter, leave),
		cmocka_unit_test_setup_teardown(a_line_without_end_is_left_out, enter, leave),
		cmocka_unit_test_setup_teardown(files_of_others_are_refused, enter, leave),
		cmocka_unit_test_setup_teardown(pipes_devices_and_folders_are_refused, enter, leave),
		cmocka_unit_test_setup_teardown(a_file_without_lines_does_not_keep_one, enter, leave),
		cmocka_unit_test(a_full_disk_loses_nothing_until_the_backlog_is_full),
		cmocka_unit_test(names_have_host_date_and_time),
		cmocka_unit_test_setup_teardown(what_lies_before_a_time_is_passed_over, enter, leave),
		cmocka_unit_test_setup_teardown(a_file_without_places_is_read_from_its_start, enter, leave),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
