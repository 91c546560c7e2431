/* trace/dlang/bucket.c - buckets of quantize, lquantize and llquantize: one numbering for generator and consumer.
 *
 * quantize: 127; 63 is value 0, 64 + k is [2^k, 2^(k+1)), 62 - k the mirror.
 * lquantize: 0 is below base, 1 + n is [base + n * step, ...), the last is limit and above.
 * llquantize: ascending by value. 0 is the negative overflow, then negative buckets down to the lowest magnitude, the middle
 * (absolute value below factor^low), the positive ones, the positive overflow (factor^(high+1) and above).
 */
#include "trace/dlang/front.h"

static int64_t power(int64_t factor, int64_t exponent)
{
	int64_t v = 1;
	for (int64_t i = 0; i < exponent; i++)
		v *= factor;
	return v;
}

/* Linear buckets of magnitude @m: how many, and how wide. The range from factor^m to factor^(m+1). */
static unsigned linear(const struct pf_dagg *a, int64_t m, int64_t *ret_width)
{
	int64_t from = power(a->factor, m), to = from * a->factor;
	int64_t width = to >= a->steps ? to / a->steps : 1;
	*ret_width = width > 0 ? width : 1;
	return (unsigned)((to - from + *ret_width - 1) / *ret_width);
}

static unsigned positive(const struct pf_dagg *a)
{
	unsigned n = 0;
	int64_t width;
	for (int64_t m = a->low; m <= a->high && n <= PF_D_MAX_BUCKETS; m++)
		n += linear(a, m, &width);
	return n;
}

unsigned pf_dagg_buckets(const struct pf_dagg *agg)
{
	switch (agg->kind) {
	case PF_AGG_QUANTIZE:
		return 127;
	case PF_AGG_LQUANTIZE:
		return (unsigned)((agg->limit - agg->base) / agg->step) + 2;
	case PF_AGG_LLQUANTIZE:
		return 2 * positive(agg) + 3;
	default:
		return 0;
	}
}

static unsigned quantize(int64_t v)
{
	if (v == 0)
		return 63;
	uint64_t u = v > 0 ? (uint64_t)v : 0 - (uint64_t)v;
	unsigned k = 63 - (unsigned)__builtin_clzll(u);
	if (v > 0)
		return 64 + k;
	return k > 62 ? 0 : 62 - k;
}

static unsigned llquantize(const struct pf_dagg *a, int64_t v)
{
	unsigned n = positive(a), middle = n + 1;
	uint64_t u = v >= 0 ? (uint64_t)v : 0 - (uint64_t)v;
	unsigned at = 0;
	for (int64_t m = a->low; m <= a->high; m++) {
		int64_t width, from = power(a->factor, m);
		unsigned here = linear(a, m, &width);
		if (u < (uint64_t)from)
			break;
		if (u < (uint64_t)from * (uint64_t)a->factor) {
			at += (unsigned)((u - (uint64_t)from) / (uint64_t)width) + 1;
			return v >= 0 ? middle + at : middle - at;
		}
		at += here;
	}
	if (u < (uint64_t)power(a->factor, a->low))
		return middle;
	return v >= 0 ? 2 * n + 2 : 0;
}

unsigned pf_dagg_bucket_of(const struct pf_dagg *agg, int64_t value)
{
	switch (agg->kind) {
	case PF_AGG_QUANTIZE:
		return quantize(value);
	case PF_AGG_LQUANTIZE: {
		unsigned levels = (unsigned)((agg->limit - agg->base) / agg->step);
		if (value < agg->base)
			return 0;
		uint64_t level = ((uint64_t)value - (uint64_t)agg->base) / (uint64_t)agg->step;
		return level >= levels ? levels + 1 : (unsigned)level + 1;
	}
	case PF_AGG_LLQUANTIZE:
		return llquantize(agg, value);
	default:
		return 0;
	}
}

/* The value nearest to zero of positive bucket @at (from 0). */
static int64_t positive_low(const struct pf_dagg *a, unsigned at)
{
	for (int64_t m = a->low; m <= a->high; m++) {
		int64_t width;
		unsigned here = linear(a, m, &width);
		if (at < here)
			return power(a->factor, m) + (int64_t)at * width;
		at -= here;
	}
	return power(a->factor, a->high + 1);
}

int64_t pf_dagg_bucket_low(const struct pf_dagg *agg, unsigned bucket)
{
	switch (agg->kind) {
	case PF_AGG_QUANTIZE:
		if (bucket == 63)
			return 0;
		return bucket > 63 ? (int64_t)(UINT64_C(1) << (bucket - 64)) : -(int64_t)(UINT64_C(1) << (62 - bucket));
	case PF_AGG_LQUANTIZE:
		return bucket == 0 ? agg->base : agg->base + (int64_t)(bucket - 1) * agg->step;
	case PF_AGG_LLQUANTIZE: {
		unsigned middle = positive(agg) + 1;
		if (bucket == middle)
			return 0;
		return bucket > middle ? positive_low(agg, bucket - middle - 1)
				       : -positive_low(agg, middle - bucket - 1);
	}
	default:
		return 0;
	}
}
