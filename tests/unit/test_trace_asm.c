/* tests/unit/test_trace_asm.c - the assembler: encodings, labels, code that nothing leads to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <errno.h>

#include "base/err.h"
#include "trace/bpf/asm.h"

static void check_insn(const struct bpf_insn *insn, int code, int dst, int src, int off, int imm)
{
	assert_int_equal(insn->code, code);
	assert_int_equal(insn->dst_reg, dst);
	assert_int_equal(insn->src_reg, src);
	assert_int_equal(insn->off, off);
	assert_int_equal(insn->imm, imm);
}

static void const_takes_the_shortest_way(void **state)
{
	(void)state;
	static const struct {
		uint64_t value;
		size_t insns;
		int code;
	} cases[] = {
		{ 0, 1, BPF_ALU64 | BPF_MOV | BPF_K },
		{ (uint64_t)-1, 1, BPF_ALU64 | BPF_MOV | BPF_K },
		{ INT32_MAX, 1, BPF_ALU64 | BPF_MOV | BPF_K },
		{ UINT32_MAX, 1, BPF_ALU | BPF_MOV | BPF_K },
		{ UINT64_C(1) << 32, 2, BPF_LD | BPF_DW | BPF_IMM },
		{ (uint64_t)INT64_MIN, 2, BPF_LD | BPF_DW | BPF_IMM },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pf_asm a = { 0 };
		pf_asm_const(&a, R3, cases[i].value);
		assert_int_equal(a.n, cases[i].insns);
		assert_int_equal(a.insns[0].code, cases[i].code);
		assert_int_equal((uint32_t)a.insns[0].imm, (uint32_t)cases[i].value);
		if (a.n == 2)
			assert_int_equal((uint32_t)a.insns[1].imm, cases[i].value >> 32);
		pf_asm_done(&a);
	}
}

static void jumps_reach_labels_before_and_behind(void **state)
{
	(void)state;
	struct pf_asm a = { 0 };
	pf_label again = pf_asm_label(&a);
	pf_label done = pf_asm_label(&a);
	pf_asm_const(&a, R0, 3);
	pf_asm_here(&a, again);
	pf_asm_jumpi(&a, BPF_JEQ, R0, 0, done);
	pf_asm_alui(&a, BPF_SUB, R0, 1);
	pf_asm_jump(&a, again);
	pf_asm_here(&a, done);
	pf_asm_exit(&a);
	assert_int_equal(pf_asm_link(&a, NULL), 0);
	assert_int_equal(a.n, 5);
	check_insn(&a.insns[1], BPF_JMP | BPF_JEQ | BPF_K, R0, 0, 2, 0);
	check_insn(&a.insns[3], BPF_JMP | BPF_JA, 0, 0, -3, 0);
	pf_asm_done(&a);
}

static void code_that_nothing_leads_to_is_left_out(void **state)
{
	(void)state;
	struct pf_asm a = { 0 };
	pf_label end = pf_asm_label(&a);
	pf_label unused = pf_asm_label(&a);
	a.line = 7;
	pf_asm_jump(&a, end);
	pf_asm_here(&a, unused);
	pf_asm_const(&a, R1, UINT64_C(1) << 40);
	pf_asm_jump(&a, unused);
	pf_asm_here(&a, end);
	a.line = 9;
	pf_asm_const(&a, R0, 0);
	pf_asm_exit(&a);
	assert_int_equal(pf_asm_link(&a, NULL), 0);
	assert_int_equal(a.n, 3);
	check_insn(&a.insns[0], BPF_JMP | BPF_JA, 0, 0, 0, 0);
	assert_int_equal(a.lines[0], 7);
	assert_int_equal(a.lines[1], 9);
	pf_asm_done(&a);
}

static void functions_are_called_by_distance(void **state)
{
	(void)state;
	struct pf_asm a = { 0 };
	pf_label function = pf_asm_label(&a);
	pf_asm_call_local(&a, function);
	pf_asm_exit(&a);
	pf_asm_here(&a, function);
	pf_asm_const(&a, R0, 0);
	pf_asm_exit(&a);
	assert_int_equal(pf_asm_link(&a, NULL), 0);
	assert_int_equal(a.n, 4);
	check_insn(&a.insns[0], BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, 1);
	pf_asm_done(&a);
}

static void a_label_without_place_is_refused(void **state)
{
	(void)state;
	struct pf_err err = { 0 };
	struct pf_asm a = { 0 };
	pf_asm_jumpi(&a, BPF_JEQ, R0, 0, pf_asm_label(&a));
	pf_asm_exit(&a);
	assert_int_equal(pf_asm_link(&a, &err), -EINVAL);
	assert_true(err.text[0] != 0);
	pf_asm_done(&a);
}

static void a_jump_too_far_is_refused(void **state)
{
	(void)state;
	struct pf_err err = { 0 };
	struct pf_asm a = { 0 };
	pf_label far = pf_asm_label(&a);
	pf_asm_jumpi(&a, BPF_JEQ, R0, 0, far);
	for (int i = 0; i < 32768; i++)
		pf_asm_alui(&a, BPF_ADD, R0, 1);
	pf_asm_here(&a, far);
	pf_asm_exit(&a);
	assert_int_equal(pf_asm_link(&a, &err), -ERANGE);
	pf_asm_done(&a);
}

static void extension_needs_no_code_for_whole_words(void **state)
{
	(void)state;
	static const struct {
		unsigned size;
		bool is_signed;
		size_t insns;
	} cases[] = {
		{ 8, true, 0 }, { 8, false, 0 }, { 4, false, 1 }, { 4, true, 2 }, { 1, false, 2 }, { 2, true, 2 }
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pf_asm a = { 0 };
		pf_asm_extend(&a, R0, cases[i].size, cases[i].is_signed);
		assert_int_equal(a.n, cases[i].insns);
		pf_asm_done(&a);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(const_takes_the_shortest_way),
		cmocka_unit_test(jumps_reach_labels_before_and_behind),
		cmocka_unit_test(code_that_nothing_leads_to_is_left_out),
		cmocka_unit_test(functions_are_called_by_distance),
		cmocka_unit_test(a_label_without_place_is_refused),
		cmocka_unit_test(a_jump_too_far_is_refused),
		cmocka_unit_test(extension_needs_no_code_for_whole_words),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
