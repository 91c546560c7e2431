/* model/event.h - one happening with ordered, typed records: what a D clause recorded, or an aggregation at its snapshot.
 * The kinds are those of DTrace's structured output (perfolio-oformat(7)); text and documents are both made from this. */
#ifndef PF_MODEL_EVENT_H
#define PF_MODEL_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A traced value: an integer with its signedness, text (bytes up to the first NUL), or bytes. */
enum pf_datum_kind { PF_DATUM_INT, PF_DATUM_UINT, PF_DATUM_TEXT, PF_DATUM_BYTES };

struct pf_datum {
	enum pf_datum_kind kind;
	uint8_t size; /* bytes of the D type, for integers */
	union {
		int64_t i;
		uint64_t u;
		struct {
			const char *p;
			size_t n;
		} text; /* also BYTES */
	};
};

/* A code address, resolved as far as possible. NULL members are unknown. */
struct pf_frame {
	uint64_t address;
	const char *module;
	const char *name;
	uint64_t offset; /* from the symbol's start, when @name is known */
	const char *annotation;
};

struct pf_stack {
	const struct pf_frame *frames;
	size_t n;
	int pid; /* user stacks; else 0 */
};

/* Functions of aggregations. */
enum pf_agg_func {
	PF_AGG_COUNT,
	PF_AGG_SUM,
	PF_AGG_MIN,
	PF_AGG_MAX,
	PF_AGG_AVG,
	PF_AGG_STDDEV,
	PF_AGG_QUANTIZE,
	PF_AGG_LQUANTIZE,
	PF_AGG_LLQUANTIZE,
};

struct pf_bucket {
	int64_t value;
	int64_t count;
	const char *op; /* "<", ">=", "<=", "abs<" or NULL */
};

/* The result of one function: @scalar, or @buckets for the quantize family (all of the table, ascending). */
struct pf_agg_value {
	enum pf_agg_func func;
	int64_t scalar;
	const struct pf_bucket *buckets;
	size_t n_buckets;
};

/* One key component. */
enum pf_key_kind {
	PF_KEY_VALUE,
	PF_KEY_STACK,
	PF_KEY_USTACK,
	PF_KEY_SYM,
	PF_KEY_MOD,
	PF_KEY_USYM,
	PF_KEY_UADDR,
	PF_KEY_UMOD
};

struct pf_key {
	enum pf_key_kind kind;
	struct pf_datum value; /* PF_KEY_VALUE */
	struct pf_stack stack; /* the others; symbols are stacks of one frame */
};

struct pf_agg_row {
	const struct pf_key *keys;
	size_t n_keys;
	const struct pf_agg_value *values; /* one per name of the record */
	int64_t normal;			   /* divisor already applied to the values; 1: none */
};

enum pf_record_kind {
	PF_RECORD_DEFAULT, /* clause without a body: no data */
	PF_RECORD_VALUE,   /* trace() and each printf() argument */
	PF_RECORD_MESSAGE, /* printf(): formatted text, format, number of argument records that follow */
	PF_RECORD_AGG,	   /* printa() or a final snapshot */
	PF_RECORD_STACK,
	PF_RECORD_USTACK,
	PF_RECORD_SYM,
	PF_RECORD_MOD,
	PF_RECORD_USYM,
	PF_RECORD_UADDR,
	PF_RECORD_UMOD,
	PF_RECORD_TRACEMEM,
	PF_RECORD_SYSTEM,
	PF_RECORD_FREOPEN,
};

struct pf_record {
	enum pf_record_kind kind;
	bool of_message; /* an argument of the message before it: structured output only */
	union {
		struct pf_datum value; /* VALUE, TRACEMEM */
		struct {
			const char *text;
			size_t n; /* bytes of text */
			const char *format;
			unsigned args;
		} message;
		struct {
			const char *const *names; /* without @; one per value of a row */
			size_t n_names;
			const char *format; /* of printa(), or NULL */
			const char *text;   /* text form when a format was given, else NULL */
			const struct pf_agg_row *rows;
			size_t n_rows;
		} agg;
		struct pf_stack stack; /* STACK, USTACK, SYM ... */
		struct {
			const char *text;
			int status;
			/* SYSTEM: set if the command runs when its turn comes among the records; returns its status. */
			int (*run)(const char *text);
		} system; /* SYSTEM, FREOPEN */
	};
};

struct pf_probe_name {
	const char *provider, *module, *function, *name; /* "" where there is none */
	int id;
};

/* What an event is beside an ordinary firing. */
enum pf_event_kind { PF_EVENT_PROBE, PF_EVENT_DROP, PF_EVENT_ERROR, PF_EVENT_AGGREGATIONS };

/**
 * struct pf_event - lives until the consumer returns.
 * @time_ns: monotonic clock, when the probe fired (drops: when noticed); @cpu -1 for pseudo-probes
 * @flow: "entry", "return", "none" with flowindent, else NULL; @depth then counts
 */
struct pf_event {
	enum pf_event_kind kind;
	int64_t time_ns;
	int cpu;
	struct pf_probe_name probe;
	const char *flow;
	int depth;
	const struct pf_record *records;
	size_t n_records;

	/* PF_EVENT_DROP */
	struct {
		uint64_t count, total;
		int kind;
		const char *kind_name;
	} drop;
	/* PF_EVENT_ERROR: where it happened; action and offset -1 when unknown */
	struct {
		int fault;
		const char *fault_name;
		int action, offset;
		bool has_address;
		uint64_t address;
		struct pf_probe_name probe;
	} error;
	const char *msg; /* DROP and ERROR: the sentence of text mode, without newline */
};

#endif
