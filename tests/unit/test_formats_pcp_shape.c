/* test_formats_pcp_shape.c - records that are taken to be whole because an earlier one was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* clang-format off */
#include <cmocka.h>
/* clang-format on */

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "formats/pcp/record.h"
#include "formats/pcp/shape.h"

#define T0 INT64_C(1796000400000000000)

/* Every way in which values stand in a record, and sets without any. */
static struct pf_buf record_of(unsigned version, unsigned n, uint64_t value)
{
	struct pf_pcp_build b = { 0 };
	struct pf_buf out = { 0 };
	pf_pcp_build_begin(&b);
	pf_pcp_build_set(&b, 1, PF_U32);
	for (unsigned i = 0; i < n; i++)
		pf_pcp_build_bits(&b, (int32_t)i, value + i);
	pf_pcp_build_set(&b, 2, PF_U64);
	for (unsigned i = 0; i < n; i++)
		pf_pcp_build_bits(&b, (int32_t)i, value * i);
	pf_pcp_build_fail(&b, 3, -12350);
	pf_pcp_build_set(&b, 4, PF_FLOAT);
	pf_pcp_build_bits(&b, -1, value & UINT32_MAX);
	pf_pcp_build_set(&b, 5, PF_STRING);
	pf_pcp_build_text(&b, -1, value % 2 ? PF_VIEW("abcde") : PF_VIEW("fghij"));
	pf_pcp_build_fail(&b, 6, 0);
	assert_int_equal(pf_pcp_build_end(&b, version, T0 + (int64_t)value, &out), 0);
	pf_pcp_build_done(&b);
	return out;
}

static void other_values_and_times_have_the_same_shape(void **state)
{
	(void)state;
	for (unsigned version = 2; version <= 3; version++) {
		struct pf_pcp_shapes shapes = { 0 };
		struct pf_buf first = record_of(version, 5, 1);
		struct pf_buf other = record_of(version, 6, 1);
		assert_null(pf_pcp_shapes_find(&shapes, pf_buf_text(&first)));
		pf_pcp_shapes_learn(&shapes, pf_buf_text(&first), version);
		const struct pf_pcp_shape *shape = pf_pcp_shapes_find(&shapes, pf_buf_text(&first));
		assert_non_null(shape);
		assert_null(pf_pcp_shapes_find(&shapes, pf_buf_text(&other)));
		for (uint64_t v = 2; v < 40; v++) {
			struct pf_buf rec = record_of(version, 5, v * UINT64_C(0x0123456789abcdef));
			assert_ptr_equal(pf_pcp_shapes_find(&shapes, pf_buf_text(&rec)), shape);
			pf_buf_done(&rec);
		}
		pf_pcp_shapes_learn(&shapes, pf_buf_text(&other), version);
		assert_non_null(pf_pcp_shapes_find(&shapes, pf_buf_text(&other)));
		assert_ptr_not_equal(pf_pcp_shapes_find(&shapes, pf_buf_text(&other)), shape);
		assert_ptr_equal(pf_pcp_shapes_find(&shapes, pf_buf_text(&first)), shape);
		pf_buf_done(&first);
		pf_buf_done(&other);
		pf_pcp_shapes_done(&shapes);
	}
}

/* Whatever bit is another one: the record is either not of the shape, or would be found to be whole. And only bits of values and the time may be. */
static void what_has_a_shape_is_whole(void **state)
{
	(void)state;
	for (unsigned version = 2; version <= 3; version++) {
		struct pf_pcp_shapes shapes = { 0 };
		struct pf_buf rec = record_of(version, 5, 1);
		unsigned fits = 0;
		pf_pcp_shapes_learn(&shapes, pf_buf_text(&rec), version);
		for (size_t bit = 0; bit < rec.n * 8; bit++) {
			rec.p[bit / 8] = (char)(rec.p[bit / 8] ^ 1 << bit % 8);
			struct pf_pcp_result result;
			bool possible = pf_pcp_result_decode(pf_buf_text(&rec), version, &result, NULL) == 0;
			if (pf_pcp_shapes_find(&shapes, pf_buf_text(&rec))) {
				fits++;
				assert_true(!possible || pf_pcp_result_check(pf_buf_text(&rec), version, NULL) == 0);
			}
			rec.p[bit / 8] = (char)(rec.p[bit / 8] ^ 1 << bit % 8);
		}
		unsigned time_bytes = version == 3 ? 12 : 8;
		assert_int_equal(fits, 8 * (time_bytes + 5 * 4 + 5 * 8 + 4 + 6));
		pf_buf_done(&rec);
		pf_pcp_shapes_done(&shapes);
	}
}

/* Where no record is like another, hardly any is learnt, and the memory for that stays small. */
static void shapes_learnt_in_vain_become_rare(void **state)
{
	(void)state;
	struct pf_pcp_shapes shapes = { 0 };
	for (unsigned n = 1; n < 600; n++) {
		struct pf_buf rec = record_of(3, n, 1);
		assert_null(pf_pcp_shapes_find(&shapes, pf_buf_text(&rec)));
		pf_pcp_shapes_learn(&shapes, pf_buf_text(&rec), 3);
		pf_buf_done(&rec);
	}
	assert_int_equal(shapes.n, PF_PCP_SHAPES);
	assert_in_range(shapes.serial, PF_PCP_SHAPES, PF_PCP_SHAPES + 12);
	pf_pcp_shapes_done(&shapes);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(other_values_and_times_have_the_same_shape),
		cmocka_unit_test(what_has_a_shape_is_whole),
		cmocka_unit_test(shapes_learnt_in_vain_become_rare),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
