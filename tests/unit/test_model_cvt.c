/* model/cvt.c: short numbers as collectl 4.3.1 prints them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "model/cvt.h"

static const struct {
	double v;
	int width, unit;
	bool div1024;
	struct pf_cvt_style style;
	const char *text;
} cases[] = {
	{ 12345, 4, 0, false, { 0 }, "12K" },
	{ 999, 4, 0, false, { 0 }, "999" },
	{ 1000, 4, 0, false, { 0 }, "1000" },
	{ 9999.5, 4, 0, false, { 0 }, "10K" },
	{ 37940, 7, 1, true, { 0 }, "37940K" },
	{ 24684100, 7, 1, true, { 0 }, "24105M" },
	{ 0.4, 4, 0, false, { 0 }, "0" },
	{ 0.5, 4, 0, false, { 0 }, "1" },
	{ 0, 4, 1, true, { 0 }, "0" },
	{ -2732, 7, 1, true, { 0 }, "-2732K" },
	/* below zero there is no rounding, so the digits behind the point count as length */
	{ -123.876123876124, 4, 1, true, { 0 }, "1M" },
	{ -124, 4, 1, true, { 0 }, "-124K" },
	{ -6975.5, 7, 1, true, { 0 }, "-6975.5K" },
	{ -0.5, 7, 1, true, { 0 }, "-0.5K" },
	{ -12556.556556, 7, 1, true, { 0 }, "-12M" },
	{ 18446744073709551615.0, 6, 0, false, { 0 }, "18446P" },
	{ 18446744073709551615.0, 4, 0, false, { 0 }, "18" },
	{ 23374224, 4, 1, true, { .big = 'g' }, "22g3" },
	{ 23374224, 4, 1, true, { .big = 'G' }, "22G" },
	{ 1259 * 1024, 4, 1, true, { .big = 'g' }, "1g24" },
	{ 1259 * 1024, 4, 1, true, { .big = 'G' }, "1.2G" },
	{ 1279 * 1024, 4, 1, true, { .big = 'G' }, "1.3G" },
	{ 2020 * 1024, 4, 1, true, { .big = 'g' }, "1g10" },
	{ 2043 * 1024, 4, 1, true, { .big = 'g' }, "2g00" },
	{ 12280 * 1024, 4, 1, true, { .big = 'g' }, "11g1" },
	{ 12280 * 1024, 4, 1, true, { .big = 'G' }, "12G" },
	{ 102399 * 1024, 4, 1, true, { .big = 'g' }, "100g" },
	{ 102400 * 1024, 4, 1, true, { .big = 'g' }, "100G" },
	{ 819808, 4, 1, true, { .big = 'g' }, "800M" },
	{ 23374224, 4, 1, true, { .wide = true }, "23374224" },
	{ 1e15, 4, 0, false, { .wide = true }, "1000000000000000" },
};

static void cvt_prints_what_collectl_prints(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char buf[PF_CVT_SIZE];
		assert_string_equal(
			pf_cvt(cases[i].v, cases[i].width, cases[i].unit, cases[i].div1024, &cases[i].style, buf),
			cases[i].text);
	}
}

static void cvt_ends_on_every_number(void **state)
{
	(void)state;
	static const double odd[] = { NAN, INFINITY, -INFINITY, -1e300, 1e300, -0.0, 1e-300, -1e-300 };
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		for (int width = 0; width < 8; width++) {
			char buf[PF_CVT_SIZE];
			assert_true(pf_cvt(odd[i], width, (int)(i % 3), true, NULL, buf)[0] != '\0');
		}
	}
	char buf[PF_CVT_SIZE];
	assert_string_equal(pf_cvt(NAN, 4, 0, false, NULL, buf), "0");
}

static void fix_adds_one_wrap_of_32_bits(void **state)
{
	(void)state;
	assert_true(pf_fix(5) == 5);
	assert_true(pf_fix(-1) == 4294967295.0);
	assert_true(pf_fix(-8589934592.0) == -4294967296.0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cvt_prints_what_collectl_prints),
		cmocka_unit_test(cvt_ends_on_every_number),
		cmocka_unit_test(fix_adds_one_wrap_of_32_bits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
