/* bpf/gen.h - from typed D trees to eBPF.
 *
 * Registers: R0 result of every expression; R1-R5 scratch; R6 context of the probe; R7 this program's scratch memory; R8 id of the
 * probe that fired; R9 a pointer held over a few instructions.
 * Frame: FP-8 and FP-16 are for helpers to write to, FP-24 small keys, FP-32 the table row of the probe (table programs), below
 * FP-64 spilled values of the expression being computed.
 * Scratch (one value of PF_MAP_SCRATCH): struct pf_scratch_head, this-> variables, the record being built (head and data), then
 * strings and keys, given out by pf_gen_scratch() and free again with the next statement. */
#ifndef PF_TRACE_BPF_GEN_H
#define PF_TRACE_BPF_GEN_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/bpf/asm.h"
#include "trace/bpf/session.h"

enum {
	FRAME_TMP = -8,
	FRAME_TMP2 = -16,
	FRAME_KEY = -24,
	FRAME_ROW = -32,
	FRAME_SPILL = -64,
	N_SPILLS = 24,
	SCRATCH_LIMIT = 32 << 10, /* the kernel's limit for per-CPU values */
};

/* Start of scratch memory. */
struct pf_scratch_head {
	uint64_t time_ns; /* of this firing, 0: not asked for yet */
	uint64_t fault_code, fault_pc, fault_address, fault_clause, fault_action, fault_probe;
	uint64_t speculation; /* id that the clause's record goes to */
	uint64_t self;	      /* address of this very memory, as a number */
	uint64_t zero;	      /* never written */
	uint64_t used;	      /* bytes that alloca() has given out in this clause */
	uint64_t context;     /* address of the probe's record, as a number */
};

/* Row of a provider's table, by number; the masks follow, then the function's name. */
struct pf_table_row {
	uint32_t probe; /* 0: not enabled */
	uint32_t pad;
	uint64_t clauses[];
};

enum { TABLE_NAME = 64 }; /* bytes of the name */

/**
 * struct pf_gen - one program being written.
 * @table: map of struct pf_table_row, for programs that serve many probes
 * @clause, @action: being generated; @in_error: inside the ERROR function
 */
struct pf_gen {
	struct pf_asm a;
	struct pf_trace *t;
	const struct pf_provider *provider;
	const struct pf_probe *probe; /* NULL: several */
	unsigned table, table_words;
	unsigned index; /* of the program: its entry of scratch */
	const struct pf_dclause *clause;
	const struct pf_plan *plan;
	int action;
	bool in_error, has_error;
	bool make_absent; /* pf_gen_address() makes elements that are not there; goes to cannot_make if that fails */
	pf_label cannot_make;
	pf_label fault, next_clause, error_function;
	unsigned spilled;
	uint32_t scratch_next;
	struct pf_err *err;
	int rc; /* first error */
};

/* pf_gen_fail() - remember why @e cannot be done; the first reason wins. */
void pf_gen_fail(struct pf_gen *g, const struct pf_dexpr *e, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* gen.c */
int pf_gen_program(struct pf_gen *g);
void pf_gen_time(struct pf_gen *g);
uint32_t pf_gen_scratch(struct pf_gen *g, uint32_t size); /* room in scratch until the statement ends */
/* pf_gen_keep() - room that lives as long as the clause, so no later statement uses it again: alloca(), copyin(). */
uint32_t pf_gen_keep(struct pf_gen *g, uint32_t size);
unsigned pf_gen_push(struct pf_gen *g); /* spill R0; the slot's number */
void pf_gen_pop(struct pf_gen *g, unsigned slot,
		int reg); /* load it again and give the slot back: last in, first out */
void pf_gen_peek(struct pf_gen *g, unsigned slot, int reg);
void pf_gen_drop(struct pf_gen *g, enum pf_drop_kind kind); /* count; uses R0-R5 */

/* pf_gen_checkpoint() - have the verifier remember the state here, so that it goes on only once, not anew for each way that leads
 * here: at the start of a round of a loop with branches, and behind every loop. In a loop it remembers a state only when 20 jumps
 * have been seen since the last; they stand where the program never goes. Clears R0. */
void pf_gen_checkpoint(struct pf_gen *g);
void pf_gen_scratch_address(struct pf_gen *g, int reg, uint32_t off);

/* pf_gen_fault() - abort the clause. @address: register that holds the address, or -1 */
void pf_gen_fault(struct pf_gen *g, enum pf_fault code, int address);

/* gen_expr.c: value of a scalar expression into R0, extended to 64 bits by its type */
void pf_gen_expr(struct pf_gen *g, const struct pf_dexpr *e);
void pf_gen_extend(struct pf_gen *g, struct pf_dtype *type);
void pf_gen_binary(struct pf_gen *g, enum pf_dexpr_op op, struct pf_dtype *type); /* R0 = R0 OP R1 */
void pf_gen_condition(struct pf_gen *g, const struct pf_dexpr *e, pf_label if_false);

/* gen_memory.c: kernel memory */
void pf_gen_address(struct pf_gen *g, const struct pf_dexpr *lvalue); /* into R0 */
void pf_gen_read(struct pf_gen *g, const struct pf_dexpr *lvalue);    /* scalar value into R0 */
void pf_gen_copy(struct pf_gen *g, uint32_t off, uint32_t size);      /* from the kernel address in R0 to scratch */
void pf_gen_read_word(struct pf_gen *g, unsigned size);		      /* @size bytes at kernel address R0 into R0 */

/* pf_gen_own_memory() - R1 = pointer for storing @size bytes at address R1, a fault unless they are in memory of alloca() or
 * copyin(). Uses R1-R3. */
void pf_gen_own_memory(struct pf_gen *g, uint32_t size);

/* gen_assign.c: assignment, ++ and --, bit-fields */
void pf_gen_assign(struct pf_gen *g, const struct pf_dexpr *e);
void pf_gen_step(struct pf_gen *g, const struct pf_dexpr *e);
void pf_gen_read_bits(struct pf_gen *g, const struct pf_dexpr *e);
uint64_t pf_gen_sizeof(const struct pf_dtype *type);

/* gen_var.c: variables and built-ins */
struct pf_place {
	enum { PLACE_STATE, PLACE_SCRATCH, PLACE_MAP } kind;
	const struct pf_variable *v;
	uint32_t key; /* in scratch */
};
void pf_gen_place(struct pf_gen *g, const struct pf_dexpr *e, struct pf_place *ret_place);
void pf_gen_place_load(struct pf_gen *g, const struct pf_place *place, struct pf_dtype *type);
void pf_gen_place_address(struct pf_gen *g, const struct pf_place *place, pf_label absent); /* into R0 */
void pf_gen_place_make(struct pf_gen *g, const struct pf_place *place); /* the same, made of zeros if it is not there */
void pf_gen_place_store(struct pf_gen *g, const struct pf_place *place, struct pf_dtype *type, unsigned value);
void pf_gen_place_store_bytes(struct pf_gen *g, const struct pf_place *place, uint32_t from);
void pf_gen_place_delete(struct pf_gen *g, const struct pf_place *place);
void pf_gen_builtin(struct pf_gen *g, const struct pf_dexpr *e);
void pf_gen_thread_key(struct pf_gen *g); /* into R0 */
void pf_gen_keys(struct pf_gen *g, struct pf_dexpr *const *keys, unsigned n, const struct pf_field *fields,
		 uint32_t off);

/* gen_string.c: where a string is */
struct pf_str {
	enum { STR_SCRATCH, STR_CONST, STR_ADDRESS } kind; /* ADDRESS: in R0, readable without fault */
	uint32_t off;
	uint32_t max; /* characters at most */
};
void pf_gen_string(struct pf_gen *g, const struct pf_dexpr *e, struct pf_str *ret_str);
void pf_gen_string_to(struct pf_gen *g, const struct pf_dexpr *e, uint32_t off, uint32_t size, bool pad);
void pf_gen_string_settle(struct pf_gen *g, struct pf_str *s); /* ADDRESS becomes SCRATCH */
void pf_gen_string_address(struct pf_gen *g, const struct pf_str *s, int reg);
void pf_gen_string_compare(struct pf_gen *g, const struct pf_dexpr *e);
void pf_gen_zero(struct pf_gen *g, uint32_t off, uint32_t size);
bool pf_gen_is_string(const struct pf_dexpr *e);

/* gen_sub.c: subroutines; scalar results into R0, strings as pf_gen_string() tells */
void pf_gen_call(struct pf_gen *g, const struct pf_dexpr *e);
void pf_gen_call_string(struct pf_gen *g, const struct pf_dexpr *e, struct pf_str *ret_str);

/* gen_copy.c: alloca(), bcopy(), copyin(), copyinto() */
void pf_gen_memory_call(struct pf_gen *g, const struct pf_dexpr *e);

/* gen_number.c */
void pf_gen_lltostr(struct pf_gen *g, const struct pf_dexpr *e, struct pf_str *ret_str);
void pf_gen_strtoll(struct pf_gen *g, const struct pf_dexpr *e);

/* gen_token.c */
void pf_gen_strtok(struct pf_gen *g, const struct pf_dexpr *e, struct pf_str *ret_str);
void pf_gen_cleanpath(struct pf_gen *g, const struct pf_dexpr *e, struct pf_str *ret_str);

/* gen_network.c: inet_ntoa(), inet_ntoa6(), inet_ntop(), link_ntop() */
void pf_gen_network(struct pf_gen *g, const struct pf_dexpr *e, struct pf_str *ret_str);

/* gen_dpath.c: d_path(), cwd, root */
void pf_gen_path(struct pf_gen *g, const struct pf_dexpr *e, struct pf_str *ret_str);

/* gen_search.c */
void pf_gen_index(struct pf_gen *g, const struct pf_dexpr *e); /* index(), rindex() */
void pf_gen_find(struct pf_gen *g, const struct pf_dexpr *e,
		 struct pf_str *ret_str); /* strchr(), strrchr(), strstr() */
void pf_gen_path_part(struct pf_gen *g, const struct pf_dexpr *e, struct pf_str *ret_str); /* basename(), dirname() */

/* gen_agg.c, gen_action.c */
void pf_gen_aggregate(struct pf_gen *g, const struct pf_dstmt *s);
void pf_gen_action(struct pf_gen *g, const struct pf_dstmt *s);
void pf_gen_field(struct pf_gen *g, const struct pf_dexpr *e, const struct pf_field *f, uint32_t base, bool pad);
void pf_gen_emit_record(struct pf_gen *g, uint32_t size, uint16_t flags, bool wake);

#endif
