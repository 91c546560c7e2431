/* tests/unit/test_trace_format.c - printf() of D, charts of distributions, patterns and options. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "trace/bpf/value.h"
#include "trace/chart.h"
#include "trace/options.h"
#include "trace/providers/provider.h"

static struct pf_arg number(int64_t v, unsigned size, bool is_signed)
{
	struct pf_arg arg = { 0 };
	arg.key.value.kind = is_signed ? PF_DATUM_INT : PF_DATUM_UINT;
	arg.key.value.size = (uint8_t)size;
	arg.key.value.i = v;
	return arg;
}

static struct pf_arg text(const char *s)
{
	struct pf_arg arg = { 0 };
	arg.key.value.kind = PF_DATUM_TEXT;
	arg.key.value.text.p = s;
	arg.key.value.text.n = strlen(s);
	return arg;
}

static void check(struct pf_dconv conv, struct pf_arg arg, const char *want)
{
	struct pf_buf out = { 0 };
	struct pf_dformat format = { .convs = &conv, .n_convs = 1, .after = PF_VIEW("") };
	conv.before = PF_VIEW("");
	pf_format(&out, &format, &arg, 1, NULL, 0, 14);
	assert_string_equal(out.p ? out.p : "", want);
	pf_buf_done(&out);
}

static void conversions_print_as_c_does(void **state)
{
	(void)state;
	check((struct pf_dconv){ .conv = 'd', .width = -1, .precision = -1 }, number(-5, 4, true), "-5");
	check((struct pf_dconv){ .conv = 'd', .width = 5, .precision = -1 }, number(42, 4, true), "   42");
	check((struct pf_dconv){ .conv = 'd', .width = 5, .precision = -1, .flags = PF_DFMT_LEFT }, number(42, 4, true),
	      "42   ");
	check((struct pf_dconv){ .conv = 'd', .width = 5, .precision = -1, .flags = PF_DFMT_ZERO },
	      number(-42, 4, true), "-0042");
	check((struct pf_dconv){ .conv = 'd', .width = 6, .precision = 3, .flags = PF_DFMT_ZERO }, number(7, 4, true),
	      "   007");
	check((struct pf_dconv){ .conv = 'd', .width = -1, .precision = 0 }, number(0, 4, true), "");
	check((struct pf_dconv){ .conv = 'd', .width = -1, .precision = -1, .flags = PF_DFMT_PLUS }, number(3, 4, true),
	      "+3");
	check((struct pf_dconv){ .conv = 'd', .width = -1, .precision = -1 }, number(INT64_MIN, 8, true),
	      "-9223372036854775808");
	check((struct pf_dconv){ .conv = 'x', .width = -1, .precision = -1, .flags = PF_DFMT_ALT },
	      number(255, 4, true), "0xff");
	check((struct pf_dconv){ .conv = 'X', .width = 8, .precision = -1, .flags = PF_DFMT_ALT | PF_DFMT_ZERO },
	      number(255, 4, true), "0X0000FF");
	check((struct pf_dconv){ .conv = 'o', .width = -1, .precision = -1, .flags = PF_DFMT_ALT }, number(8, 4, true),
	      "010");
	check((struct pf_dconv){ .conv = 's', .width = 5, .precision = 2 }, text("abc"), "   ab");
	check((struct pf_dconv){ .conv = 'S', .width = -1, .precision = -1 }, text("a\tb\n"), "a\\tb\\n");
	check((struct pf_dconv){ .conv = 'c', .width = -1, .precision = -1 }, number('A', 4, true), "A");
	check((struct pf_dconv){ .conv = 'p', .width = -1, .precision = -1 }, number(4096, 8, false), "1000");
	check((struct pf_dconv){ .conv = 'T', .width = -1, .precision = -1 }, number(0, 8, true),
	      "Thu, 01 Jan 1970 00:00:00 UTC");
}

static void numbers_have_the_size_of_their_type(void **state)
{
	(void)state;
	check((struct pf_dconv){ .conv = 'u', .width = -1, .precision = -1 }, number(-1, 4, true), "4294967295");
	check((struct pf_dconv){ .conv = 'x', .width = -1, .precision = -1 }, number(-1, 1, true), "ff");
	check((struct pf_dconv){ .conv = 'd', .width = -1, .precision = -1 }, number(200, 1, false), "-56");
	check((struct pf_dconv){ .conv = 'u', .width = -1, .precision = -1 }, number(-1, 8, true),
	      "18446744073709551615");
}

static void charts_show_one_bucket_beyond_on_each_side(void **state)
{
	(void)state;
	struct pf_bucket buckets[] = { { 0, 0, NULL }, { 1, 0, NULL }, { 2, 3, NULL },
				       { 4, 1, NULL }, { 8, 0, NULL }, { 16, 0, NULL } };
	struct pf_agg_value v = { .func = PF_AGG_QUANTIZE, .buckets = buckets, .n_buckets = PF_N(buckets) };
	struct pf_buf out = { 0 };
	pf_chart(&out, &v);
	assert_string_equal(out.p, "\n"
				   "           value  ------------- Distribution ------------- count    \n"
				   "               1 |                                         0        \n"
				   "               2 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@           3        \n"
				   "               4 |@@@@@@@@@@                               1        \n"
				   "               8 |                                         0        \n");
	pf_buf_done(&out);
}

static void negative_counts_grow_to_the_left(void **state)
{
	(void)state;
	struct pf_bucket buckets[] = { { 0, -1, "<" }, { 0, 1, NULL }, { 1, 0, ">=" } };
	struct pf_agg_value v = { .func = PF_AGG_LQUANTIZE, .buckets = buckets, .n_buckets = PF_N(buckets) };
	struct pf_buf out = { 0 };
	pf_chart(&out, &v);
	assert_non_null(strstr(out.p, "             < 0           @@@@@@@@@@|                     -1       \n"));
	assert_non_null(strstr(out.p, "               0                     |@@@@@@@@@@           1        \n"));
	pf_buf_done(&out);
}

static void patterns_match_like_a_shell(void **state)
{
	(void)state;
	static const struct {
		const char *pattern, *text;
		bool match;
	} cases[] = {
		{ "", "anything", true },     { "open*", "openat", true }, { "*at", "openat", true },
		{ "*pen?t", "openat", true }, { "open", "openat", false }, { "o[a-q]en", "open", true },
		{ "o[!p]en", "open", false }, { "\\*", "*", true },	   { "\\*", "x", false },
		{ "a*b*c", "aXbYbZc", true }, { "[", "[", false },	   { "*", "", true },
	};
	for (size_t i = 0; i < PF_N(cases); i++)
		assert_int_equal(pf_glob(cases[i].pattern, cases[i].text), cases[i].match);
}

static void options_take_units_and_refuse_the_rest(void **state)
{
	(void)state;
	struct pf_trace_options o;
	struct pf_err err = { 0 };
	pf_trace_options_init(&o);
	assert_int_equal(pf_trace_options_set(&o, "bufsize", "64k", false, &err), 0);
	assert_int_equal(pf_trace_options_get(&o, "bufsize"), 65536);
	assert_int_equal(pf_trace_options_set(&o, "switchrate", "10hz", false, &err), 0);
	assert_int_equal(pf_trace_options_get(&o, "switchrate"), 100000000);
	assert_int_equal(pf_trace_options_set(&o, "statusrate", "2s", false, &err), 0);
	assert_int_equal(pf_trace_options_get(&o, "statusrate"), 2000000000);
	assert_int_equal(pf_trace_options_set(&o, "quiet", NULL, false, &err), 0);
	assert_int_equal(pf_trace_options_get(&o, "quiet"), 1);
	assert_int_equal(pf_trace_options_set(&o, "quiet", "no", true, &err), 0);
	assert_int_equal(pf_trace_options_get(&o, "quiet"), 0);
	assert_int_equal(pf_trace_options_set(&o, "bufsize", "64q", false, &err), -EINVAL);
	assert_string_equal(err.text, "Invalid value for specified option");
	assert_int_equal(pf_trace_options_set(&o, "strsize", "99999999", false, &err), -EINVAL);
	assert_int_equal(pf_trace_options_set(&o, "nosuch", "1", false, &err), -EINVAL);
	assert_string_equal(err.text, "Invalid option name");
	assert_int_equal(pf_trace_options_set(&o, "bufsize", "1m", true, &err), -EBUSY);
	assert_int_equal(pf_trace_options_get(&o, "bufsize"), 65536);
	pf_trace_options_done(&o);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(conversions_print_as_c_does),
		cmocka_unit_test(numbers_have_the_size_of_their_type),
		cmocka_unit_test(charts_show_one_bucket_beyond_on_each_side),
		cmocka_unit_test(negative_counts_grow_to_the_left),
		cmocka_unit_test(patterns_match_like_a_shell),
		cmocka_unit_test(options_take_units_and_refuse_the_rest),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
