/* Unit tests of sources/pcpvalue.c: a value becomes one of its row, or none; never another one. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "formats/pcp/be.h"
#include "sources/pcpvalue.h"

enum { NONE, IS };

/* @in: bits as they come; @out: of the integer or the double. */
struct conversion {
	enum pf_type from;
	uint64_t in;
	enum pf_type to;
	int is;
	uint64_t out;
	bool counter;
	uint64_t by;
	uint64_t over;
};

static uint64_t bits(double d)
{
	uint64_t u;
	memcpy(&u, &d, sizeof(u));
	return u;
}

static int convert(const struct conversion *c, int32_t said, union pf_value *ret)
{
	struct pf_buf b = { 0 };
	struct pf_arena room = { 0 };
	bool narrow = c->from == PF_S32 || c->from == PF_U32;
	if (narrow)
		pf_be_put_u32(&b, (uint32_t)c->in);
	else
		pf_be_put_u64(&b, c->in);
	const struct pf_pcp_value v = { .inst = -1, .type = said, .bytes = pf_buf_text(&b) };
	const struct pf_pcp_into into = { .from = (int32_t)c->from,
					  .to = c->to,
					  .scale = { c->by ? c->by : 1, c->over ? c->over : 1 },
					  .counter = c->counter };
	int rc = pf_pcp_value_into(&v, &into, &room, ret);
	pf_buf_done(&b);
	return rc;
}

static void what_a_row_cannot_hold_is_no_value(void **state)
{
	(void)state;
	static const struct conversion cases[] = {
		{ .from = PF_U64, .in = UINT32_MAX, .to = PF_U32, .is = IS, .out = UINT32_MAX },
		{ .from = PF_U64, .in = UINT64_C(5000000000), .to = PF_U32, .is = NONE },
		{ .from = PF_U64,
		  .in = UINT64_C(5000000000),
		  .to = PF_U32,
		  .is = IS,
		  .out = 705032704,
		  .counter = true },
		{ .from = PF_S64, .in = (uint64_t)-1, .to = PF_U32, .is = NONE },
		{ .from = PF_S64, .in = (uint64_t)-1, .to = PF_U32, .is = NONE, .counter = true },
		{ .from = PF_S64, .in = (uint64_t)-1, .to = PF_U64, .is = NONE },
		{ .from = PF_S64, .in = (uint64_t)-1, .to = PF_S32, .is = IS, .out = (uint64_t)-1 },
		{ .from = PF_S64, .in = (uint64_t)INT32_MIN - 1, .to = PF_S32, .is = NONE },
		{ .from = PF_S32, .in = UINT32_MAX, .to = PF_S64, .is = IS, .out = (uint64_t)-1 },
		{ .from = PF_U64, .in = UINT64_MAX, .to = PF_S64, .is = NONE },
		{ .from = PF_U32, .in = UINT32_MAX, .to = PF_S32, .is = NONE },
		{ .from = PF_U64, .in = UINT64_MAX, .to = PF_U64, .is = NONE, .by = 1024, .over = 1 },
		{ .from = PF_U64, .in = 3000, .to = PF_U64, .is = IS, .out = 2, .by = 1, .over = 1024 },
		{ .from = PF_S64,
		  .in = (uint64_t)-3000,
		  .to = PF_S64,
		  .is = IS,
		  .out = (uint64_t)-2,
		  .by = 1,
		  .over = 1024 },
	};
	for (unsigned i = 0; i < PF_N(cases); i++) {
		union pf_value v = { .u = 7 };
		int rc = convert(&cases[i], -1, &v);
		if (rc != cases[i].is || v.u != (rc == IS ? cases[i].out : 7))
			fail_msg("case %u: %d, %llu", i, rc, (unsigned long long)v.u);
	}
}

static void numbers_with_fractions_fit_or_are_none(void **state)
{
	(void)state;
	const struct conversion cases[] = {
		{ .from = PF_DOUBLE, .in = bits(12.9), .to = PF_U32, .is = IS, .out = 12 },
		{ .from = PF_DOUBLE, .in = bits(-1), .to = PF_U64, .is = NONE },
		{ .from = PF_DOUBLE, .in = bits(1e18), .to = PF_S64, .is = IS, .out = UINT64_C(1000000000000000000) },
		{ .from = PF_DOUBLE, .in = bits(1e19), .to = PF_S64, .is = NONE },
		{ .from = PF_DOUBLE, .in = bits(1e300), .to = PF_U64, .is = NONE },
		{ .from = PF_DOUBLE, .in = bits(NAN), .to = PF_U64, .is = NONE },
		{ .from = PF_DOUBLE, .in = bits(INFINITY), .to = PF_S32, .is = NONE },
		{ .from = PF_DOUBLE, .in = bits(1e300), .to = PF_FLOAT, .is = NONE },
		{ .from = PF_DOUBLE, .in = bits(1e300), .to = PF_DOUBLE, .is = IS, .out = bits(1e300) },
		{ .from = PF_DOUBLE, .in = bits(1.5), .to = PF_FLOAT, .is = IS, .out = bits(1.5) },
		{ .from = PF_U64, .in = 3, .to = PF_DOUBLE, .is = IS, .out = bits(3) },
		{ .from = PF_S64, .in = (uint64_t)-3, .to = PF_DOUBLE, .is = IS, .out = bits(-3) },
		{ .from = PF_U64, .in = 3, .to = PF_DOUBLE, .is = IS, .out = bits(1.5), .by = 1, .over = 2 },
	};
	for (unsigned i = 0; i < PF_N(cases); i++) {
		union pf_value v = { .u = 7 };
		int rc = convert(&cases[i], -1, &v);
		if (rc != cases[i].is || v.u != (rc == IS ? cases[i].out : 7))
			fail_msg("case %u: %d, %llu", i, rc, (unsigned long long)v.u);
	}
}

static void a_value_that_says_it_is_of_another_type_is_none(void **state)
{
	(void)state;
	const struct conversion c = { .from = PF_U64, .in = bits(1.5), .to = PF_U64 };
	union pf_value v;
	assert_int_equal(convert(&c, PF_DOUBLE, &v), 0);
	assert_int_equal(convert(&c, PF_U64, &v), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_row_cannot_hold_is_no_value),
		cmocka_unit_test(numbers_with_fractions_fit_or_are_none),
		cmocka_unit_test(a_value_that_says_it_is_of_another_type_is_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
