/* formats/text/number.c: shortest forms that read back equal, whatever the locale. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "formats/text/number.h"

static void reals_have_their_shortest_form(void **state)
{
	(void)state;
	static const struct {
		double v;
		const char *want;
	} cases[] = {
		{ 0, "0" },
		{ -0.0, "0" },
		{ 1, "1" },
		{ -1, "-1" },
		{ 1.5, "1.5" },
		{ -0.001, "-0.001" },
		{ 0.1, "0.1" },
		{ 0.30000000000000004, "0.30000000000000004" },
		{ 1.0 / 3, "0.3333333333333333" },
		{ 100, "100" },
		{ 123456.789, "123456.789" },
		{ 0.000001, "0.000001" },
		{ 0.0000001, "1e-7" },
		{ 1.25e-7, "1.25e-7" },
		{ 999999999, "999999999" },
		{ 1e9, "1000000000" },
		{ 1e20, "100000000000000000000" },
		{ 1e21, "1e+21" },
		{ 1.5e300, "1.5e+300" },
		{ 9007199254740993.0, "9007199254740992" },
		{ DBL_MAX, "1.7976931348623157e+308" },
		{ DBL_MIN, "2.2250738585072014e-308" },
		{ 5e-324, "5e-324" },
		{ 18446744073709551615.0, "18446744073709552000" },
		{ 4.35, "4.35" },
		{ 0.000123, "0.000123" },
		{ 72057594037927945.0, "72057594037927950" },
		{ NAN, "nan" },
		{ INFINITY, "inf" },
		{ -INFINITY, "-inf" },
	};
	for (size_t i = 0; i < PF_N(cases); i++) {
		char text[PF_NUMBER_SIZE];
		assert_int_equal(pf_number_real(text, cases[i].v), strlen(cases[i].want));
		assert_string_equal(text, cases[i].want);
	}
}

static void single_precision_needs_fewer_digits(void **state)
{
	(void)state;
	static const struct {
		float v;
		const char *want;
	} cases[] = {
		{ 0.1f, "0.1" },     { 0.25f, "0.25" },	  { 16777216.0f, "16777216" }, { FLT_MAX, "3.4028235e+38" },
		{ 1e-45f, "1e-45" }, { -2.05f, "-2.05" },
	};
	for (size_t i = 0; i < PF_N(cases); i++) {
		char text[PF_NUMBER_SIZE];
		(void)pf_number_float(text, cases[i].v);
		assert_string_equal(text, cases[i].want);
	}
}

static void any_real_reads_back_equal(void **state)
{
	(void)state;
	uint64_t x = 88172645463325252U; /* xorshift64: the same numbers every time */
	for (unsigned i = 0; i < 200000; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		double v;
		memcpy(&v, &x, sizeof(v));
		if (i % 2)
			v = (double)(x % 1000000000) / (double)(1 + x % 97) / 1000.0;
		if (!isfinite(v))
			continue;
		char text[PF_NUMBER_SIZE];
		(void)pf_number_real(text, v);
		assert_true(strtod(text, NULL) == v);
	}
}

static void the_locale_changes_nothing(void **state)
{
	(void)state;
	static const char *const names[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "ps_AF.UTF-8", "fa_IR.UTF-8" };
	bool found = false;
	for (size_t i = 0; i < PF_N(names); i++) {
		if (!setlocale(LC_NUMERIC, names[i]))
			continue;
		found = true;
		char text[PF_NUMBER_SIZE];
		(void)pf_number_real(text, 1.0 / 3);
		(void)setlocale(LC_NUMERIC, "C");
		assert_string_equal(text, "0.3333333333333333");
	}
	if (!found)
		skip(); /* no locale with another decimal point is installed */
}

static void integers_have_all_digits(void **state)
{
	(void)state;
	char text[PF_NUMBER_SIZE];
	assert_int_equal(pf_number_u64(text, UINT64_MAX), 20);
	assert_string_equal(text, "18446744073709551615");
	assert_int_equal(pf_number_u64(text, 0), 1);
	assert_string_equal(text, "0");
	(void)pf_number_i64(text, INT64_MIN);
	assert_string_equal(text, "-9223372036854775808");
	(void)pf_number_i64(text, -1);
	assert_string_equal(text, "-1");
	assert_int_equal(pf_number_hex(text, 0), 3);
	assert_string_equal(text, "0x0");
	(void)pf_number_hex(text, 0xabc);
	assert_string_equal(text, "0xabc");
	assert_int_equal(pf_number_hex(text, UINT64_MAX), 18);
	assert_string_equal(text, "0xffffffffffffffff");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reals_have_their_shortest_form), cmocka_unit_test(single_precision_needs_fewer_digits),
		cmocka_unit_test(any_real_reads_back_equal),	  cmocka_unit_test(the_locale_changes_nothing),
		cmocka_unit_test(integers_have_all_digits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
