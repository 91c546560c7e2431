/* base/buf.c, base/arena.c, base/err.c, base/io.c: text that grows, memory that comes back, sentences, whole files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"

static void text_grows_and_stays_terminated(void **state)
{
	(void)state;
	struct pf_buf b = { 0 };
	for (unsigned i = 0; i < 1000; i++)
		pf_buf_fmt(&b, "%u,", i);
	assert_int_equal(b.failed, 0);
	assert_int_equal(b.n, 10 * 2 + 90 * 3 + 900 * 4);
	assert_int_equal(b.p[b.n], '\0');
	assert_memory_equal(b.p + b.n - 4, "999,", 4);
	pf_buf_done(&b);
}

static void a_format_longer_than_the_room_is_whole(void **state)
{
	(void)state;
	struct pf_buf b = { 0 };
	pf_buf_fmt(&b, "%*d", 5000, 7);
	assert_int_equal(b.n, 5000);
	assert_int_equal(b.p[4999], '7');
	pf_buf_done(&b);
}

static void integers_reach_both_ends(void **state)
{
	(void)state;
	struct pf_buf b = { 0 };
	pf_buf_u64(&b, UINT64_MAX);
	pf_buf_char(&b, ' ');
	pf_buf_i64(&b, INT64_MIN);
	assert_string_equal(b.p, "18446744073709551615 -9223372036854775808");
	pf_buf_done(&b);
}

static void an_arena_settles_after_a_round(void **state)
{
	(void)state;
	struct pf_arena a = { 0 };
	for (unsigned round = 0; round < 3; round++) {
		for (unsigned i = 0; i < 100; i++) {
			char *p = pf_arena_alloc(&a, 1000);
			assert_non_null(p);
			assert_int_equal(p[999], 0);
			p[999] = 1;
		}
		struct pf_arena_block *before = a.head;
		pf_arena_reset(&a);
		if (round > 0)
			assert_ptr_equal(a.head, before);
	}
	pf_arena_done(&a);
}

static void context_stands_before_the_reason(void **state)
{
	(void)state;
	struct pf_err err = { 0 };
	assert_int_equal(pf_err_set(&err, -EINVAL, "field %d is not a number", 4), -EINVAL);
	assert_int_equal(pf_err_context(&err, err.rc, "line %u", 3U), -EINVAL);
	assert_string_equal(err.text, "line 3: field 4 is not a number");
	struct pf_err plain = { 0 };
	(void)pf_err_context(&plain, -ENOENT, "proc/x");
	assert_string_equal(plain.text, "proc/x: No such file or directory");
	assert_int_equal(pf_err_set(NULL, -EIO, "nobody listens"), -EIO);
}

static void a_file_is_read_whole_and_again(void **state)
{
	(void)state;
	char path[] = "/tmp/perfolio-io-XXXXXX";
	pf_autoclose int fd = mkstemp(path);
	assert_true(fd >= 0);
	(void)unlink(path);
	pf_autofree char *big = malloc(100000);
	assert_non_null(big);
	memset(big, 'x', 100000);
	assert_int_equal(pf_io_write_all(fd, big, 100000), 0);

	struct pf_buf b = { 0 };
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(pf_io_pread_all(fd, 1 << 20, &b), 0);
		assert_int_equal(b.n, 100000);
	}
	assert_int_equal(pf_io_pread_all(fd, 99999, &b), -EFBIG);
	pf_buf_done(&b);
}

static void a_missing_file_is_named(void **state)
{
	(void)state;
	struct pf_buf b = { 0 };
	struct pf_err err = { 0 };
	assert_int_equal(pf_io_read_file(AT_FDCWD, "/nonexistent/x", 10, &b, &err), -ENOENT);
	assert_string_equal(err.text, "/nonexistent/x: No such file or directory");
	pf_buf_done(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_grows_and_stays_terminated),
		cmocka_unit_test(a_format_longer_than_the_room_is_whole),
		cmocka_unit_test(integers_reach_both_ends),
		cmocka_unit_test(an_arena_settles_after_a_round),
		cmocka_unit_test(context_stands_before_the_reason),
		cmocka_unit_test(a_file_is_read_whole_and_again),
		cmocka_unit_test(a_missing_file_is_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
