/* trace/dlang: formats against their arguments, signatures of aggregations, buckets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/buf.h"
#include "trace_tags.h"

static void formats_are_checked_against_their_arguments(void **state)
{
	(void)state;
	static const struct tag_case cases[] = {
		{ "BEGIN { printf(\"%d %i %u %x %X %o %c %p %a\", 1, 2L, 3u, 'x', (char)1, (short)1, 65, curthread, caller); }",
		  NULL },
		{ "BEGIN { printf(\"%-20s|%5.3s|%S\", execname, curthread->comm, \"x\"); }", NULL },
		{ "BEGIN { printf(\"%Y %T\", walltimestamp, timestamp); }", NULL },
		{ "BEGIN { printf(\"%Y\", 5); }", "D_PRINTF_ARG_TYPE" },
		{ "BEGIN { printf(\"%ld %lld %hd\", 1L, 2L, (short)3); }", NULL },
		{ "BEGIN { printf(\"%ld\", 1); }", "D_PRINTF_ARG_TYPE" },
		{ "BEGIN { printf(\"%hd\", 1); }", "D_PRINTF_ARG_TYPE" },
		{ "BEGIN { printf(\"%*d %.*d\", 5, pid, 3, pid); }", NULL },
		{ "BEGIN { printf(\"%*d\", execname, pid); }", "D_PRINTF_DYN_TYPE" },
		{ "BEGIN { printf(\"%*d\", 5); }", "D_PRINTF_ARG_PROTO" },
		{ "BEGIN { printf(\"%%\"); }", NULL },
		{ "BEGIN { printf(\"%d\", 1, 2); }", "D_PRINTF_ARG_EXTRA" },
		{ "BEGIN { printf(\"%s\", pid); }", "D_PRINTF_ARG_TYPE" },
		{ "BEGIN { printf(\"%s\", (char *)arg0); }", "D_PRINTF_ARG_TYPE" },
		{ "BEGIN { printf(\"%d\", curthread); }", "D_PRINTF_ARG_TYPE" },
		{ "BEGIN { printf(\"%f\", 1); }", "D_PRINTF_ARG_TYPE" },
		{ "BEGIN { printf(\"\"); }", "D_PRINTF_FMT_EMPTY" },
		{ "BEGIN { printf(execname); }", "D_PRINTF_ARG_FMT" },
		{ "BEGIN { printf(\"%q\", 1); }", "D_PRINTF_ARG_FMT" },
		{ "BEGIN { printf(\"%\"); }", "D_PRINTF_ARG_FMT" },
		{ "BEGIN { printf(\"%@d\", 1); }", "D_PRINTF_AGG_CONV" },
		{ "BEGIN { @a[pid, execname, stack()] = count(); printa(\"%d %s %k %@d\\n\", @a); printa(\"%d\", @a); }",
		  NULL },
		{ "BEGIN { @a[pid] = count(); printa(\"%d %d\", @a); }", "D_PRINTF_ARG_PROTO" },
		{ "BEGIN { @a[pid] = count(); printa(\"%s\", @a); }", "D_PRINTF_ARG_TYPE" },
		{ "BEGIN { @a[pid] = count(); printa(\"%@s\", @a); }", "D_PRINTF_AGG_CONV" },
		{ "BEGIN { @a[pid] = count(); @b[pid] = sum(1); printa(\"%d %@d %@d\", @a, @b); printa(@a, @b); }",
		  NULL },
		{ "BEGIN { @a[pid] = count(); @b[execname] = sum(1); printa(@a, @b); }", "D_PRINTA_AGGKEY" },
		{ "BEGIN { printa(); }", "D_PRINTA_PROTO" },
		{ "BEGIN { printa(\"x\"); }", "D_PRINTA_PROTO" },
		{ "BEGIN { printa(@a); }", "D_PRINTA_AGGBAD" },
		{ "BEGIN { @a = count(); printa(@a, pid); }", "D_PRINTA_AGGARG" },
		{ "BEGIN { @a = count(); printa(execname, @a); }", "D_PRINTF_ARG_FMT" },
	};
	CHECK_TAGS(cases);
}

static void a_format_is_cut_into_conversions(void **state)
{
	(void)state;
	struct host h = { 0 };
	struct pf_dprog *p = host_prog(&h);
	assert_non_null(p);
	static const char text[] = "BEGIN { printf(\"a%%b %-05.3d|%*s end\", 1, 2, \"x\"); }";
	assert_int_equal(pf_dprog_compile(p, PF_DP_NAME, NULL, PF_VIEW(text), 0, NULL, NULL), 0);
	const struct pf_dformat *f = p->clauses->stmts->expr->format;
	assert_non_null(f);
	assert_int_equal(f->n_convs, 2);
	assert_true(pf_view_is(f->convs[0].before, "a%b "));
	assert_int_equal(f->convs[0].flags, PF_DFMT_LEFT | PF_DFMT_ZERO);
	assert_int_equal(f->convs[0].width, 5);
	assert_int_equal(f->convs[0].precision, 3);
	assert_int_equal(f->convs[0].arg, 0);
	assert_true(pf_view_is(f->convs[1].text, "%*s"));
	assert_int_equal(f->convs[1].width, -2);
	assert_int_equal(f->convs[1].arg, 2);
	assert_true(pf_view_is(f->after, " end"));
	(void)pf_dprog_free(p);
}

static void aggregations_have_one_function_and_one_signature(void **state)
{
	(void)state;
	static const struct tag_case cases[] = {
		{ "BEGIN { @ = count(); @a[1] = sum(pid); @b[\"x\", stack(), ustack(3), sym(caller), usym(ucaller)] = avg(1); }",
		  NULL },
		{ "BEGIN { @a = count(); @a = sum(1); }", "D_AGG_REDEF" },
		{ "BEGIN { @a[1] = count(); @a = count(); }", "D_PROTO_LEN" },
		{ "BEGIN { @a[1] = count(); @a[\"x\"] = count(); }", "D_KEY_TYPE" },
		{ "BEGIN { @a[1] = count(); @a[2L] = count(); }", NULL },
		{ "BEGIN { @a[stack()] = count(); @a[ustack()] = count(); }", "D_KEY_TYPE" },
		{ "BEGIN { @a[sym(caller)] = count(); @a[mod(caller)] = count(); }", "D_KEY_TYPE" },
		{ "BEGIN { @a[`schedule] = count(); }", "D_SYM_NOTYPES" },
		{ "BEGIN { @a = 1; }", "D_AGG_FUNC" },
		{ "BEGIN { @a = trace(1); }", "D_AGG_FUNC" },
		{ "BEGIN { @a = nosuch(1); }", "D_FUNC_UNDEF" },
		{ "BEGIN { @a += count(); }", "D_AGG_FUNC" },
		{ "BEGIN { @a; }", "D_AGG_NULL" },
		{ "BEGIN { @a = sum(execname); }", "D_AGG_SCALAR" },
		{ "BEGIN { @a = count(1); }", "D_PROTO_LEN" },
		{ "BEGIN { @a = sum(); }", "D_PROTO_LEN" },
		{ "BEGIN { @a = count(); trace(@a); }", "D_OP_ACT" },
		{ "BEGIN { @a = count(); clear(@a); trunc(@a); trunc(@a, -5); normalize(@a, 10); denormalize(@a); }",
		  NULL },
		{ "BEGIN { clear(@a); }", "D_CLEAR_AGGBAD" },
		{ "BEGIN { clear(); }", "D_CLEAR_PROTO" },
		{ "BEGIN { trunc(); }", "D_TRUNC_PROTO" },
		{ "BEGIN { @a = count(); normalize(@a); }", "D_NORMALIZE_PROTO" },
		{ "BEGIN { @a = quantize(1, 2, 3); }", "D_QUANT_PROTO" },
		{ "BEGIN { clear(1); }", "D_CLEAR_AGGARG" },
		{ "BEGIN { trunc(@a); }", "D_TRUNC_AGGBAD" },
		{ "BEGIN { normalize(@a, 1); }", "D_NORMALIZE_AGGBAD" },
		{ "BEGIN { @a = count(); normalize(@a, 0); }", "D_NORMALIZE_SCALAR" },
		{ "BEGIN { @a = count(); normalize(@a, execname); }", "D_NORMALIZE_SCALAR" },
		{ "BEGIN { @a = quantize(pid); @a = quantize(pid, 5); }", NULL },
		{ "BEGIN { @a = lquantize(pid, 0, 100); @b = lquantize(pid, 0, 100, 10, 3); }", NULL },
		{ "BEGIN { @a = lquantize(pid, pid, 100); }", "D_LQUANT_BASETYPE" },
		{ "BEGIN { @a = lquantize(pid, 0, 5000000000); }", "D_LQUANT_LIMVAL" },
		{ "BEGIN { @a = lquantize(pid, 100, 0); }", "D_LQUANT_MISMATCH" },
		{ "BEGIN { @a = lquantize(pid, 0, 100, 0); }", "D_LQUANT_STEPVAL" },
		{ "BEGIN { @a = lquantize(pid, 0, 100, 101); }", "D_LQUANT_STEPLARGE" },
		{ "BEGIN { @a = lquantize(pid, 0, 100000, 1); }", "D_LQUANT_STEPSMALL" },
		{ "BEGIN { @a = lquantize(pid, 0, 10); @a = lquantize(pid, 1, 10); }", "D_LQUANT_MATCHBASE" },
		{ "BEGIN { @a = lquantize(pid, 0, 10); @a = lquantize(pid, 0, 11); }", "D_LQUANT_MATCHLIM" },
		{ "BEGIN { @a = lquantize(pid, 0, 10); @a = lquantize(pid, 0, 10, 2); }", "D_LQUANT_MATCHSTEP" },
		{ "BEGIN { @a = llquantize(pid, 10, 0, 6, 20); @b = llquantize(pid, 2, 0, 3, 2); }", NULL },
		{ "BEGIN { @a = llquantize(pid, 1, 0, 6, 20); }", "D_LLQUANT_FACTORVAL" },
		{ "BEGIN { @a = llquantize(pid, 10, pid, 6, 20); }", "D_LLQUANT_LMAGTYPE" },
		{ "BEGIN { @a = llquantize(pid, 10, 6, 0, 20); }", "D_LLQUANT_LMAGVAL" },
		{ "BEGIN { @a = llquantize(pid, 10, 0, 30, 20); }", "D_LLQUANT_HMAGVAL" },
		{ "BEGIN { @a = llquantize(pid, 10, 0, 6, 30); }", "D_LLQUANT_STEPVAL" },
		{ "BEGIN { @a = llquantize(pid, 10, 0, 6, 7); }", "D_LLQUANT_STEPVAL" },
		{ "BEGIN { @a = llquantize(pid, 10, 0, 6, 5); }", NULL },
		{ "BEGIN { @a = llquantize(pid, 10, 0, 6, 20); @a = llquantize(pid, 10, 1, 6, 20); }",
		  "D_LLQUANT_MATCHLMAG" },
	};
	CHECK_TAGS(cases);
}

static void a_wider_key_widens_the_signature(void **state)
{
	(void)state;
	struct host h = { 0 };
	struct pf_dprog *p = host_prog(&h);
	assert_non_null(p);
	static const char text[] = "BEGIN { @a[1, \"x\"] = count(); @a[timestamp, execname] = count(); }";
	assert_int_equal(pf_dprog_compile(p, PF_DP_NAME, NULL, PF_VIEW(text), 0, NULL, NULL), 0);
	assert_int_equal(p->aggs->n_keys, 2);
	assert_int_equal(pf_dtype_base(p->aggs->key_types[0])->size, 8);
	(void)pf_dprog_free(p);
}

static void buckets_agree_with_their_bounds(void **state)
{
	(void)state;
	static const struct pf_dagg aggs[] = {
		{ .kind = PF_AGG_QUANTIZE },
		{ .kind = PF_AGG_LQUANTIZE, .base = -10, .limit = 100, .step = 7 },
		{ .kind = PF_AGG_LLQUANTIZE, .factor = 10, .low = 0, .high = 6, .steps = 20 },
		{ .kind = PF_AGG_LLQUANTIZE, .factor = 2, .low = 0, .high = 3, .steps = 2 },
		{ .kind = PF_AGG_LLQUANTIZE, .factor = 10, .low = 2, .high = 4, .steps = 10 },
	};
	static const struct {
		size_t agg;
		int64_t value;
		unsigned bucket;
		int64_t low;
	} cases[] = {
		{ 0, 0, 63, 0 },
		{ 0, 1, 64, 1 },
		{ 0, 3, 65, 2 },
		{ 0, 4, 66, 4 },
		{ 0, -1, 62, -1 },
		{ 0, -3, 61, -2 },
		{ 0, INT64_MAX, 126, INT64_C(1) << 62 },
		{ 0, INT64_MIN, 0, -(INT64_C(1) << 62) },
		{ 1, -11, 0, -10 },
		{ 1, -10, 1, -10 },
		{ 1, -3, 2, -3 },
		{ 1, 93, 15, 88 },
		{ 1, 100, 16, 95 },
		{ 3, 0, 5, 0 },
		{ 3, 1, 6, 1 },
		{ 3, 3, 7, 2 },
		{ 3, 15, 9, 8 },
		{ 3, 16, 10, 16 },
		{ 3, -1, 4, -1 },
		{ 3, -16, 0, -16 },
		{ 2, 9, 127, 9 },
		{ 4, 99, 28, 0 },
		{ 4, 100, 29, 100 },
		{ 4, -100, 27, -100 },
		{ 4, 100000, 56, 100000 },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct pf_dagg *a = &aggs[cases[i].agg];
		assert_int_equal(pf_dagg_bucket_of(a, cases[i].value), cases[i].bucket);
		assert_int_equal(pf_dagg_bucket_low(a, cases[i].bucket), cases[i].low);
	}
	for (size_t i = 0; i < sizeof(aggs) / sizeof(aggs[0]); i++) {
		unsigned n = pf_dagg_buckets(&aggs[i]);
		unsigned before = 0;
		for (int64_t v = -2000; v < 2000; v++) { /* ascending values never fall into an earlier bucket */
			unsigned b = pf_dagg_bucket_of(&aggs[i], v);
			assert_true(b < n && (v == -2000 || b >= before));
			before = b;
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(formats_are_checked_against_their_arguments),
		cmocka_unit_test(a_format_is_cut_into_conversions),
		cmocka_unit_test(aggregations_have_one_function_and_one_signature),
		cmocka_unit_test(a_wider_key_widens_the_signature),
		cmocka_unit_test(buckets_agree_with_their_bounds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
