/* formats/collectl/mend.c: files that a kill has cut are continued behind what is whole in them. */
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
#include "formats/collectl/mend.h"
#include "formats/collectl/writer.h"

static char *torn_path(void)
{
	static char path[64];
	(void)snprintf(path, sizeof(path), "/tmp/pf-torn.%ld", (long)getpid());
	return path;
}

/* Written by whoever was killed: the first @keep bytes of one member of three flushed pieces, 0: all of it, without its end. */
static void write_torn(const char *text, size_t keep)
{
	static unsigned char bytes[4096];
	z_stream z = { 0 };
	assert_int_equal(deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	z.next_out = bytes;
	z.avail_out = sizeof(bytes);
	for (int i = 0; i < 3; i++) {
		z.next_in = (z_const Bytef *)(uintptr_t)text;
		z.avail_in = (unsigned)strlen(text);
		assert_int_equal(deflate(&z, Z_SYNC_FLUSH), Z_OK);
	}
	size_t n = sizeof(bytes) - z.avail_out;
	(void)deflateEnd(&z);
	int fd = open(torn_path(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(pf_io_write_all(fd, bytes, keep ? keep : n), 0);
	assert_int_equal(close(fd), 0);
}

/* Everything that can be unpacked; fails for a file that is not whole. */
static size_t read_packed(char *to, size_t size)
{
	gzFile f = gzopen(torn_path(), "r");
	assert_non_null(f);
	int n = gzread(f, to, (unsigned)size - 1);
	assert_true(n >= 0);
	to[n] = '\0';
	assert_int_equal(gzclose_r(f), Z_OK);
	return (size_t)n;
}

static void a_file_cut_at_any_byte_can_be_continued(void **state)
{
	(void)state;
	static const char row[] = "20261130 04:56:02 1 2 3\n";
	char text[512];
	write_torn(row, 0);
	struct pf_buf whole = { 0 };
	assert_int_equal(pf_io_read_file(AT_FDCWD, torn_path(), 4096, &whole, NULL), 0);
	size_t most = 0;
	for (size_t keep = 1; keep <= whole.n; keep++) {
		bool mid_line;
		struct pf_collectl_writer *w;
		struct pf_err err = { 0 };
		write_torn(row, keep);
		assert_int_equal(pf_collectl_mend(torn_path(), false, &mid_line, &err), 1);
		assert_false(mid_line);
		assert_int_equal(pf_collectl_mend(torn_path(), false, &mid_line, &err), 0);
		assert_int_equal(pf_collectl_create(&w, torn_path(), &err), 0);
		assert_int_equal(pf_collectl_write(w, "again\n", 6, &err), 0);
		assert_int_equal(pf_collectl_finish(w, &err), 0);
		size_t n = read_packed(text, sizeof(text));
		assert_int_equal((n - 6) % strlen(row), 0);
		assert_string_equal(text + n - 6, "again\n");
		assert_true(n >= most);
		most = n;
	}
	assert_int_equal(most, 3 * strlen(row) + 6);
	pf_buf_done(&whole);
	(void)unlink(torn_path());
}

static void a_row_that_was_cut_is_noticed(void **state)
{
	(void)state;
	bool mid_line;
	write_torn("half a ro", 0);
	assert_int_equal(pf_collectl_mend(torn_path(), false, &mid_line, NULL), 1);
	assert_true(mid_line);
	int fd = open(torn_path(), O_WRONLY | O_TRUNC);
	assert_int_equal(pf_io_write_all(fd, "whole\nhal", 9), 0);
	assert_int_equal(close(fd), 0);
	assert_int_equal(pf_collectl_mend(torn_path(), true, &mid_line, NULL), 0);
	assert_true(mid_line);
	assert_int_equal(pf_collectl_mend(torn_path(), false, &mid_line, NULL),
			 -EBADMSG); /* and this is no packed file */
	(void)unlink(torn_path());
	assert_int_equal(pf_collectl_mend(torn_path(), false, &mid_line, NULL), 0);
	assert_false(mid_line);
}

static void damage_within_a_file_is_not_taken_for_its_end(void **state)
{
	(void)state;
	bool mid_line;
	write_torn("20261130 04:56:02 1 2 3\n", 0);
	int fd = open(torn_path(), O_RDWR);
	assert_int_equal(pwrite(fd, "\x07", 1, 10), 1); /* a block of no known kind */
	assert_int_equal(close(fd), 0);
	assert_int_equal(pf_collectl_mend(torn_path(), false, &mid_line, NULL), -EBADMSG);
	(void)unlink(torn_path());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_cut_at_any_byte_can_be_continued),
		cmocka_unit_test(a_row_that_was_cut_is_noticed),
		cmocka_unit_test(damage_within_a_file_is_not_taken_for_its_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
