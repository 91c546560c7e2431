/* bpf/disasm.c - eBPF instructions as text, annotated with lines of D, helpers and maps. Source: the kernel's
 * Documentation/bpf/standardization/instruction-set.rst. */
#include "trace/bpf/disasm.h"

#include <stddef.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "trace/bpf/asm.h"
#include "trace/bpf/session.h"

static const char *helper_name(int32_t number)
{
#define NAME(name) [BPF_FUNC_##name] = #name
	static const char *const names[] = { __BPF_FUNC_MAPPER(NAME) };
#undef NAME
	return number > 0 && (size_t)number < PF_N(names) && names[number] ? names[number] : "unknown";
}

static const char *map_name(int32_t number)
{
	static const char *const names[N_PF_MAPS] = { "scratch", "state", "constants", "ring", "drops" };
	return number >= 0 && number < N_PF_MAPS ? names[number] : "data";
}

static const char *size_name(uint8_t code)
{
	switch (BPF_SIZE(code)) {
	case BPF_B:
		return "u8";
	case BPF_H:
		return "u16";
	case BPF_W:
		return "u32";
	default:
		return "u64";
	}
}

static void alu(struct pf_buf *out, const struct bpf_insn *i)
{
	static const char *const ops[16] = { "+=",  "-=",  "*=", "/=", "|=", "&=",  "<<=",
					     ">>=", "= -", "%=", "^=", "=",  "s>>=" };
	const char *width = BPF_CLASS(i->code) == BPF_ALU ? "w" : "r";
	uint8_t op = BPF_OP(i->code);
	const char *text = ops[op >> 4];
	if (op == BPF_NEG)
		pf_buf_fmt(out, "%s%d = -%s%d", width, i->dst_reg, width, i->dst_reg);
	else if (op == BPF_END)
		pf_buf_fmt(out, "r%d = %s%d r%d", i->dst_reg, BPF_SRC(i->code) == BPF_X ? "be" : "le", i->imm,
			   i->dst_reg);
	else if (BPF_SRC(i->code) == BPF_X)
		pf_buf_fmt(out, "%s%d %s%s %s%d", width, i->dst_reg, i->off == 1 ? "s" : "", text ? text : "?", width,
			   i->src_reg);
	else
		pf_buf_fmt(out, "%s%d %s%s %d", width, i->dst_reg, i->off == 1 ? "s" : "", text ? text : "?", i->imm);
}

static void jump(struct pf_buf *out, const struct bpf_insn *i, size_t at)
{
	static const char *const ops[16] = {
		"", "==", ">", ">=", "&", "!=", "s>", "s>=", "", "", "<", "<=", "s<", "s<="
	};
	long target = (long)at + 1 + i->off;
	uint8_t op = BPF_OP(i->code);
	const char *width = BPF_CLASS(i->code) == BPF_JMP32 ? "w" : "r";
	if (op == BPF_EXIT)
		pf_buf_str(out, "exit");
	else if (op == BPF_CALL && i->src_reg == BPF_PSEUDO_CALL)
		pf_buf_fmt(out, "call %ld", (long)at + 1 + i->imm);
	else if (op == BPF_CALL)
		pf_buf_fmt(out, "call %s#%d", helper_name(i->imm), i->imm);
	else if (op == BPF_JA)
		pf_buf_fmt(out, "goto %ld", target);
	else if (BPF_SRC(i->code) == BPF_X)
		pf_buf_fmt(out, "if %s%d %s %s%d goto %ld", width, i->dst_reg, ops[op >> 4] ? ops[op >> 4] : "?", width,
			   i->src_reg, target);
	else
		pf_buf_fmt(out, "if %s%d %s %d goto %ld", width, i->dst_reg, ops[op >> 4] ? ops[op >> 4] : "?", i->imm,
			   target);
}

static void wide(struct pf_buf *out, const struct bpf_insn *i)
{
	unsigned long long high = (uint32_t)i[1].imm;
	if (i->src_reg == BPF_PSEUDO_MAP_FD)
		pf_buf_fmt(out, "r%d = map %d (%s)", i->dst_reg, i->imm, map_name(i->imm));
	else if (i->src_reg == BPF_PSEUDO_MAP_VALUE)
		pf_buf_fmt(out, "r%d = map %d (%s) + %llu", i->dst_reg, i->imm, map_name(i->imm), high);
	else if (i->src_reg == BPF_PSEUDO_FUNC)
		pf_buf_fmt(out, "r%d = function %d", i->dst_reg, i->imm);
	else
		pf_buf_fmt(out, "r%d = 0x%llx", i->dst_reg, high << 32 | (uint32_t)i->imm);
}

static void memory(struct pf_buf *out, const struct bpf_insn *i)
{
	const char *size = size_name(i->code);
	switch (BPF_CLASS(i->code)) {
	case BPF_LDX:
		pf_buf_fmt(out, "r%d = *(%s *)(r%d %+d)", i->dst_reg, size, i->src_reg, i->off);
		break;
	case BPF_ST:
		pf_buf_fmt(out, "*(%s *)(r%d %+d) = %d", size, i->dst_reg, i->off, i->imm);
		break;
	default:
		if (BPF_MODE(i->code) == BPF_ATOMIC)
			pf_buf_fmt(out, "lock *(%s *)(r%d %+d) op 0x%x r%d", size, i->dst_reg, i->off, (unsigned)i->imm,
				   i->src_reg);
		else
			pf_buf_fmt(out, "*(%s *)(r%d %+d) = r%d", size, i->dst_reg, i->off, i->src_reg);
		break;
	}
}

void pf_disasm(struct pf_buf *out, const struct pf_asm *a)
{
	uint32_t line = 0;
	for (size_t at = 0; at < a->n; at++) {
		const struct bpf_insn *i = &a->insns[at];
		if (a->lines[at] != line) {
			line = a->lines[at];
			pf_buf_fmt(out, "; line %u\n", line);
		}
		pf_buf_fmt(out, "%5zu: %02x %x%x %04x %08x  ", at, i->code, i->src_reg, i->dst_reg, (uint16_t)i->off,
			   (uint32_t)i->imm);
		bool is_wide = i->code == PF_ASM_WIDE && at + 1 < a->n;
		if (is_wide)
			wide(out, i);
		else if (BPF_CLASS(i->code) == BPF_ALU64 || BPF_CLASS(i->code) == BPF_ALU)
			alu(out, i);
		else if (BPF_CLASS(i->code) == BPF_JMP || BPF_CLASS(i->code) == BPF_JMP32)
			jump(out, i, at);
		else
			memory(out, i);
		pf_buf_char(out, '\n');
		at += is_wide;
	}
}
