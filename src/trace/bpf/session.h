/* bpf/session.h - what the parts of a tracing session share: the program, its probes, the maps, and how records are laid out. */
#ifndef PF_TRACE_BPF_SESSION_H
#define PF_TRACE_BPF_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "trace/bpf/sys.h"
#include "trace/dlang/dlang.h"
#include "trace/options.h"
#include "trace/providers/provider.h"
#include "trace/trace.h"

/* Maps that every session may have; those of variables and aggregations follow. */
enum pf_map_id {
	PF_MAP_SCRATCH, /* per CPU, one entry per program: see gen.h */
	PF_MAP_STATE,	/* struct pf_state, generations of aggregations, global variables */
	PF_MAP_CONSTS,	/* zeros, then string constants */
	PF_MAP_RING,	/* records */
	PF_MAP_DROPS,	/* per CPU, counters by kind of drop */
	N_PF_MAPS
};

struct pf_map {
	enum bpf_map_type type;
	uint32_t key_size, value_size, max_entries, flags;
	int fd;	   /* -1: not made */
	void *mem; /* mapping of a BPF_F_MMAPABLE array, or NULL */
};

/* Start of the value of PF_MAP_STATE, shared with the kernel through mmap. Generations (uint64_t each) and variables follow. */
struct pf_state {
	uint32_t active; /* data probes do nothing while 0 */
	uint32_t exited;
	int64_t exit_status;
	int64_t wall_offset_ns; /* wall clock minus monotonic clock */
	/* Turns of each buffer, odd while it is in use; row 0 is unused. A buffer is free again as soon as commit() or discard() ran: records
	 * carry the turn that they belong to, so those of an earlier one cannot be mistaken for those of the next. */
	uint32_t speculations[64];
};

/* What stands in a record of a speculation, and in that of its commit() or discard(): the buffer's id in the low bits, its turn above. */
enum { PF_SPEC_ID_BITS = 6 };

/* Kinds of drops, numbered as perfolio-oformat(7) does. */
enum pf_drop_kind {
	PF_DROP_PRINCIPAL,
	PF_DROP_AGGREGATION,
	PF_DROP_DYNAMIC,
	PF_DROP_RINSING,
	PF_DROP_DIRTY,
	PF_DROP_SPEC,
	PF_DROP_SPECBUSY,
	PF_DROP_SPECUNAVAIL,
	PF_DROP_STKSTROVERFLOW,
	PF_DROP_DBLERROR,
	N_PF_DROPS
};

/* Faults, numbered as the D language does. */
enum pf_fault {
	PF_FAULT_ADDRESS = 1,
	PF_FAULT_ILLEGAL = 3,
	PF_FAULT_DIVISION = 4,
	PF_FAULT_SCRATCH = 5,
	PF_FAULT_SIZE = 10,
	PF_FAULT_BOUNDS = 11,
	PF_FAULT_LIBRARY = 1000,
};

/* What stands in front of the data of every record in the ring. */
struct pf_record_head {
	uint32_t clause;
	uint32_t probe; /* id */
	uint64_t time_ns;
	uint16_t cpu;
	uint16_t flags;
	uint32_t speculation; /* buffer and turn that it waits for, or 0 */
};

enum { PF_RECORD_FAULT = 1 };

/* Data of a record with PF_RECORD_FAULT. */
struct pf_record_fault {
	uint64_t code, pc, address;
	int64_t action;
};

/* One value of a record or one key of an aggregation. */
enum pf_field_kind {
	PF_FIELD_INT,
	PF_FIELD_TEXT,
	PF_FIELD_BYTES,
	PF_FIELD_STACK,	 /* uint64_t count of bytes, then return addresses */
	PF_FIELD_USTACK, /* uint64_t process, uint64_t count of bytes, then return addresses */
	PF_FIELD_SYM,	 /* address */
	PF_FIELD_MOD,
	PF_FIELD_USYM, /* uint64_t process, then address */
	PF_FIELD_UADDR,
	PF_FIELD_UMOD,
};

struct pf_field {
	enum pf_field_kind kind;
	bool is_signed;
	uint32_t size; /* of the whole slot */
	uint32_t off;  /* from the start of the data */
};

/**
 * struct pf_action - one action of a clause (host of its statement), in the order of the text.
 * @present: offset of a byte that tells whether the action was reached; -1: always
 */
struct pf_action {
	const struct pf_dexpr *call;
	int present;
	struct pf_field *fields;
	unsigned n_fields;
	struct pf_action *next;
};

/**
 * struct pf_plan - what a clause matched and what it records (host of the clause).
 */
struct pf_plan {
	uint32_t *probes; /* ids, ascending */
	size_t n_probes;
	struct pf_action *actions, **end;
	unsigned n_actions;
	uint32_t data_size;
	bool event;   /* it sends records */
	bool visible; /* ... that make an event, not only work for the consumer (commit, discard) */
};

/**
 * struct pf_agg - an aggregation in the kernel (host of its definition). Those of one layout share a map: the key begins with the
 * number of the aggregation (8 bytes), or is @slot for keyless ones.
 * @words: components of a value behind the generation
 * @shared: too big for a slot per CPU: one slot that all CPUs add to
 */
struct pf_agg {
	unsigned map;
	struct pf_field *keys;
	uint32_t key_size; /* 4 and no fields: keyless */
	uint32_t slot;
	uint32_t words;
	bool shared;
	bool printed;
	int64_t normal;
	uint64_t truncated; /* keyless: nothing to show up to this generation, unless used since */
};

/* A variable in the kernel (host of its definition). Those of one layout share a map: the key begins with the number of the thread,
 * 0 for associative arrays of all threads, and that of the variable, 4 bytes each. */
struct pf_variable {
	unsigned map;  /* of associative arrays and thread-local variables */
	uint32_t off;  /* in PF_MAP_STATE or in scratch */
	uint32_t size; /* of the slot */
	struct pf_field *keys;
	uint32_t key_size;
};

/* Ring buffer as user space sees it. */
struct pf_ring {
	uint64_t *consumer;	 /* page that we write */
	const uint8_t *producer; /* page of the producer's position, then the data, twice */
	uint64_t size;
};

/* A program in the kernel. @probe: the only one it serves, or NULL for a table. */
struct pf_program {
	const struct pf_provider *provider;
	const struct pf_probe *probe;
	unsigned slot;
	int fd;
	struct pf_program *next;
};

/* A probe fired by a clock of our own. */
struct pf_tick {
	struct pf_program *program;
	int64_t period_ns, next_ns;
};

struct pf_spec_record {
	struct pf_spec_record *next;
	uint64_t n; /* so wide that the bytes are aligned */
	uint8_t bytes[];
};

struct pf_tracefs_name;

struct pf_trace {
	const struct pf_notice *notice;
	struct pf_trace_options options;
	struct pf_dprog *prog;
	struct pf_probes probes;
	struct pf_arena arena;	     /* what lives as long as the session */
	struct pf_arena event_arena; /* one event */

	struct pf_map *maps;
	size_t n_maps, cap_maps;
	struct pf_buf consts;
	uint32_t zeros; /* bytes of zero at the start of the constants */
	uint32_t strslot;
	uint32_t scratch_own;	 /* start of memory of alloca() and copyin(), which ends at scratch_base; 0: none yet */
	uint32_t scratch_alloca; /* room of alloca() in it; 0: none yet */
	unsigned strtok_map;	 /* 0: none yet */
	uint32_t scratch_this, scratch_record, scratch_base, scratch_size; /* see gen.h */
	uint32_t state_size, state_gens;
	unsigned n_programs, n_cpus;
	struct pf_program *programs;
	struct pf_gen *gens; /* code of each program, until it is loaded */
	struct pf_program *begin, *end;
	int *fds; /* attachments */
	size_t n_fds, cap_fds;
	struct pf_tick *ticks;
	size_t n_ticks;
	struct pf_ring ring;
	bool going, stopped, rawtp_listed, sdt_listed;
	int tracefs; /* folder, -1: not looked for yet */
	struct pf_tracefs_name *events;
	size_t n_events;
	const struct pf_dclause *compiled_before; /* last clause before the text compiled last */
	pid_t target;
	uint64_t drops_seen[N_PF_DROPS];
	uint64_t *cpu_drops_seen; /* principal and aggregation drops by CPU */
	int64_t drops_checked_ns;
	struct pf_spec_record *specs[64], **spec_ends[64];
	uint64_t spec_bytes[64], spec_drops;
	struct pf_syms *syms;
	struct pf_usyms *usyms;
	bool wants_usyms;	/* something records addresses of processes */
	uint64_t symbols_at_ns; /* time of which addresses of processes are meant */
	struct pf_btf *btf;
	unsigned matched; /* (clause, probe) pairs of the text being compiled */
	int flow_depth;
	const struct pf_dclause *flow_clause;
	uint32_t flow_probe;
};

/* pf_map_add() - one more map to make; its number, or -ENOMEM. */
int pf_map_add(struct pf_trace *t, enum bpf_map_type type, uint32_t key, uint32_t value, uint32_t max, uint32_t flags);

static inline struct pf_state *pf_session_state(const struct pf_trace *t)
{
	return t->maps ? t->maps[PF_MAP_STATE].mem : NULL;
}

static inline uint32_t pf_round8(uint64_t n)
{
	return (uint32_t)((n + 7) & ~UINT64_C(7));
}

/* pf_plan_program() - decide where every variable, aggregation and record lives; after the last compile. */
int pf_plan_program(struct pf_trace *t, struct pf_err *err);

/* pf_plan_field() - how a value of expression @e is laid out in a record or key. */
int pf_plan_field(struct pf_trace *t, const struct pf_dexpr *e, struct pf_field *ret_field);

/* pf_plan_text_max() - most characters that string expression @e can have. */
uint32_t pf_plan_text_max(const struct pf_trace *t, const struct pf_dexpr *e);

#endif
