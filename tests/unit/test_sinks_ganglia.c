/* sinks/ganglia: the datagrams, byte for byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sinks/ganglia.h"

static void compare(const struct pf_buf *got, const void *want, size_t n)
{
	assert_int_equal(got->failed, 0);
	assert_int_equal(got->n, n);
	assert_memory_equal(got->p, want, n);
}

static void a_description_has_units_times_and_its_group(void **state)
{
	(void)state;
	static const char want[] = "\0\0\0\x80"
				   "\0\0\0\x02vm\0\0"
				   "\0\0\0\x0e"
				   "cputotals.user\0\0"
				   "\0\0\0\0"
				   "\0\0\0\x06"
				   "double\0\0"
				   "\0\0\0\x0e"
				   "cputotals.user\0\0"
				   "\0\0\0\x07percent\0"
				   "\0\0\0\x03"
				   "\0\0\0\x0e"
				   "\0\0\0\x1c"
				   "\0\0\0\x01"
				   "\0\0\0\x05GROUP\0\0\0"
				   "\0\0\0\x03"
				   "cpu";
	const struct pf_ganglia_value v = { .host = "vm",
					    .name = "cputotals.user",
					    .units = "percent",
					    .group = "cpu",
					    .max_gap = 14,
					    .lifetime = 28 };
	struct pf_buf b = { 0 };
	pf_ganglia_describe(&b, &v);
	compare(&b, want, sizeof(want)); /* the NUL of the literal is the padding of the last text */
	pf_buf_done(&b);
}

static void a_title_is_a_second_pair_and_nothing_is_none(void **state)
{
	(void)state;
	static const char pairs[] = "\0\0\0\x02"
				    "\0\0\0\x05GROUP\0\0\0\0\0\0\x03grp\0"
				    "\0\0\0\x05TITLE\0\0\0\0\0\0\x04"
				    "four";
	struct pf_ganglia_value v = { .host = "h", .name = "n", .group = "grp", .title = "four" };
	struct pf_buf b = { 0 };
	pf_ganglia_describe(&b, &v);
	assert_true(b.n > sizeof(pairs) - 1);
	assert_memory_equal(b.p + b.n - (sizeof(pairs) - 1), pairs, sizeof(pairs) - 1);
	pf_buf_clear(&b);
	v.group = v.title = NULL;
	pf_ganglia_describe(&b, &v);
	assert_memory_equal(b.p + b.n - 4, "\0\0\0\0", 4);
	pf_buf_done(&b);
}

static void a_value_is_text(void **state)
{
	(void)state;
	static const char want[] = "\0\0\0\x85"
				   "\0\0\0\x02vm\0\0"
				   "\0\0\0\x05odd.a\0\0\0"
				   "\0\0\0\0"
				   "\0\0\0\x02%s\0\0"
				   "\0\0\0\x04"
				   "1234";
	const struct pf_ganglia_value v = { .host = "vm", .name = "odd.a", .text = "1234" };
	struct pf_buf b = { 0 };
	pf_ganglia_value(&b, &v);
	compare(&b, want, sizeof(want) - 1);
	pf_buf_done(&b);
}

static void every_packet_is_a_multiple_of_four(void **state)
{
	(void)state;
	struct pf_buf b = { 0 };
	char text[10] = "";
	for (unsigned n = 0; n < sizeof(text) - 1; n++) {
		const struct pf_ganglia_value v = {
			.host = text, .name = text, .units = text, .group = text, .text = text
		};
		pf_buf_clear(&b);
		pf_ganglia_describe(&b, &v);
		assert_int_equal(b.n % 4, 0);
		pf_ganglia_value(&b, &v);
		assert_int_equal(b.n % 4, 0);
		text[n] = 'x';
	}
	pf_buf_done(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_description_has_units_times_and_its_group),
		cmocka_unit_test(a_title_is_a_second_pair_and_nothing_is_none),
		cmocka_unit_test(a_value_is_text),
		cmocka_unit_test(every_packet_is_a_multiple_of_four),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
