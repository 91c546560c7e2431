/* trace/dlang/fold.c - arithmetic on constants, as the running program would do it. */
#include <errno.h>

#include "trace/dlang/front.h"

int pf_dfold_unary(enum pf_dexpr_op op, struct pf_dtype *type, int64_t a, int64_t *ret)
{
	switch (op) {
	case PF_DX_NEG:
		*ret = pf_dtype_wrap(type, 0 - (uint64_t)a);
		return 0;
	case PF_DX_BITNOT:
		*ret = pf_dtype_wrap(type, ~(uint64_t)a);
		return 0;
	case PF_DX_NOT:
		*ret = a == 0;
		return 0;
	default:
		return -EINVAL;
	}
}

static int divide(bool is_signed, int64_t a, int64_t b, uint64_t *ret_quotient, uint64_t *ret_rest)
{
	if (b == 0)
		return -EDOM;
	if (!is_signed) {
		*ret_quotient = (uint64_t)a / (uint64_t)b;
		*ret_rest = (uint64_t)a % (uint64_t)b;
	} else if (b == -1) { /* INT64_MIN / -1 wraps */
		*ret_quotient = 0 - (uint64_t)a;
		*ret_rest = 0;
	} else {
		*ret_quotient = (uint64_t)(a / b);
		*ret_rest = (uint64_t)(a % b);
	}
	return 0;
}

static int compare(enum pf_dexpr_op op, bool is_signed, int64_t a, int64_t b)
{
	bool less = is_signed ? a < b : (uint64_t)a < (uint64_t)b;
	switch (op) {
	case PF_DX_LT:
		return less;
	case PF_DX_LE:
		return less || a == b;
	case PF_DX_GT:
		return !less && a != b;
	case PF_DX_GE:
		return !less;
	case PF_DX_EQ:
		return a == b;
	default:
		return a != b;
	}
}

int pf_dfold_binary(enum pf_dexpr_op op, struct pf_dtype *operands, int64_t a, int64_t b, int64_t *ret)
{
	bool is_signed = pf_dtype_is_signed(operands);
	uint64_t x = (uint64_t)a, y = (uint64_t)b, v = 0, other = 0;
	int rc = 0;
	switch (op) {
	case PF_DX_MUL:
		v = x * y;
		break;
	case PF_DX_DIV:
		rc = divide(is_signed, a, b, &v, &other);
		break;
	case PF_DX_MOD:
		rc = divide(is_signed, a, b, &other, &v);
		break;
	case PF_DX_ADD:
		v = x + y;
		break;
	case PF_DX_SUB:
		v = x - y;
		break;
	case PF_DX_SHL:
		v = x << (y & 63);
		break;
	case PF_DX_SHR:
		v = is_signed ? (uint64_t)(a >> (y & 63)) : x >> (y & 63);
		break;
	case PF_DX_AND:
		v = x & y;
		break;
	case PF_DX_XOR:
		v = x ^ y;
		break;
	case PF_DX_OR:
		v = x | y;
		break;
	case PF_DX_LT:
	case PF_DX_LE:
	case PF_DX_GT:
	case PF_DX_GE:
	case PF_DX_EQ:
	case PF_DX_NE:
		*ret = compare(op, is_signed, a, b);
		return 0;
	case PF_DX_LAND:
		*ret = a && b;
		return 0;
	case PF_DX_LOR:
		*ret = a || b;
		return 0;
	case PF_DX_LXOR:
		*ret = !a != !b;
		return 0;
	default:
		return -EINVAL;
	}
	if (rc == 0)
		*ret = pf_dtype_wrap(operands, v);
	return rc;
}
