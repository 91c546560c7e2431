/* trace/dlang/dlang.h - the door of the D front end: D text and a host that knows the machine in, a typed program out.
 *
 * One struct pf_dprog takes every text of a command line (-s, -n, ... in order); variables, types, aggregations and translators
 * of earlier texts are known to later ones. The front end does no I/O and knows nothing of eBPF: all it has to ask, it asks
 * the host.
 */
#ifndef PF_TRACE_DLANG_DLANG_H
#define PF_TRACE_DLANG_DLANG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/view.h"
#include "trace/dlang/ast.h"
#include "trace/dlang/types.h"

struct pf_err;
struct pf_buf;

/* Limits on what a text may ask for; beyond them the message says so. */
enum {
	PF_D_MAX_TEXT = 4 << 20,   /* bytes of one text */
	PF_D_MAX_TOKEN = 1 << 20,  /* bytes of one token */
	PF_D_MAX_IDENT = 255,	   /* characters of a name */
	PF_D_MAX_DEPTH = 200,	   /* nesting while parsing */
	PF_D_MAX_HEIGHT = 500,	   /* height of an expression tree, of a type */
	PF_D_MAX_NODES = 1 << 20,  /* expressions of a program, expanded inlines included */
	PF_D_MAX_ARGS = 64,	   /* arguments of a call, keys, conversions of a format */
	PF_D_MAX_BUCKETS = 262144, /* of one llquantize */
	PF_D_MAX_OBJECT = 65536,   /* bytes of a declared variable */
	PF_D_MAX_TUPLE = 4096,	   /* bytes of a key tuple */
};

/* What a probe argument is. @type NULL: unknown. */
struct pf_darg {
	struct pf_dtype *native; /* of the value in @slot */
	struct pf_dtype *type;	 /* of args[n]: if it is another type than @native a translator is put in */
	unsigned slot; /* argument number that holds the native value; index of PF_DX_BUILTIN args[] in the tree */
};

enum pf_dtype_tag { PF_DTAG_NAME, PF_DTAG_STRUCT, PF_DTAG_UNION, PF_DTAG_ENUM };

/**
 * struct pf_dhost - the machine as the front end sees it. Any function may be NULL: then nothing is known.
 * All return 0 or a negative errno; -ENOENT means "no such thing" and lets the front end say it in its own words.
 */
struct pf_dhost {
	void *arg;

	/* Value of an option that compilation depends on: "strsize", "defaultargs", "argref", "errtags", "zdefs", "empty",
	 * "destructive" ... ; switches 0 or 1. Unknown ones: -1. */
	int64_t (*option)(void *arg, const char *name);

	/* #pragma D option. @value NULL if none was written. On failure @err holds the reason alone ("Invalid option name"). */
	int (*setopt)(void *arg, const char *name, const char *value, struct pf_err *err);

	/* $pid $ppid $pgid $sid $uid $euid $gid $egid $target, without the $. */
	int (*macro)(void *arg, const char *name, int64_t *ret_value);

	/* A type of the kernel: named (typedef or base type), struct, union or enum. @module NULL: any. The host makes it with
	 * pf_dtype_new() and may leave members for later (@lazy). The same type must come back as the same pointer. */
	int (*type)(void *arg, struct pf_dprog *p, const char *module, enum pf_dtype_tag tag, const char *name,
		    struct pf_dtype **ret_type);

	/* Fill in members or enumerators of a @lazy type of the host's. */
	int (*members)(void *arg, struct pf_dprog *p, struct pf_dtype *t);

	/* A kernel symbol `name or module`name. ret_symbol->name and ->module are set already. On -EOPNOTSUPP @err holds why. */
	int (*symbol)(void *arg, struct pf_dprog *p, struct pf_dsymbol *ret_symbol, struct pf_err *err);

	/* An enumerator of the kernel by name. */
	int (*constant)(void *arg, const char *name, int64_t *ret_value);

	/* Find the probes of @clause, before its predicate and body are analysed; may set clause->host.
	 * -ENOENT: @clause->descs or one of them matches none: *ret_desc. -EINVAL etc.: @err holds the sentence. */
	int (*match)(void *arg, struct pf_dprog *p, struct pf_dclause *clause, const struct pf_ddesc **ret_desc,
		     struct pf_err *err);

	/* args[n] of a matched clause. -ENOENT: no types are known; -ERANGE: n is beyond the last (D_ARGS_IDX), *ret_n is how
	 * many there are; -EXDEV: its probes differ (D_ARGS_MULTI). */
	int (*probe_arg)(void *arg, struct pf_dprog *p, struct pf_dclause *clause, unsigned n, struct pf_darg *ret_arg,
			 unsigned *ret_n);
};

/* What went wrong in the last pf_dprog_compile(): for tools that want the parts of the message. */
struct pf_ddiag {
	const char *tag; /* "D_SYNTAX" ...; NULL: no error */
	unsigned line, column;
	char token[64]; /* cut */
};

struct pf_dsyms;

/**
 * struct pf_dprog - everything compiled so far.
 * @clauses and the other lists are in order of definition.
 * @destructive: some clause has a destructive action
 */
struct pf_dprog {
	struct pf_arena arena;
	struct pf_dhost host;
	struct pf_dtypes types;

	struct pf_dclause *clauses;
	unsigned n_clauses;
	struct pf_dvar *vars[3]; /* by enum pf_dscope */
	unsigned n_vars[3];
	struct pf_dagg *aggs;
	unsigned n_aggs;
	struct pf_dstring *strings;
	unsigned n_strings;
	struct pf_dxlator *xlators;
	struct pf_dprovider *providers;
	bool destructive;

	struct pf_ddiag diag;

	/* Private to the front end. */
	struct pf_dsyms *syms;
	unsigned n_nodes;
};

/* pf_dprog_new() - an empty program; @host is copied. NULL without memory. */
struct pf_dprog *pf_dprog_new(const struct pf_dhost *host);

/* pf_dprog_free() - with everything that came out of it. Returns NULL. */
struct pf_dprog *pf_dprog_free(struct pf_dprog *p);

/* What @text is: a whole script, or the argument of -n -P -m -f -i (then one description and a clause's rest). */
enum pf_dprog_origin { PF_DP_SCRIPT, PF_DP_NAME, PF_DP_PROVIDER, PF_DP_MODULE, PF_DP_FUNCTION, PF_DP_ID };

/**
 * pf_dprog_compile() - parse and analyse one more text.
 * @where: file name of a script, for messages; not used for the other origins, which quote @text
 * @text: need not outlive the call
 * @argc, @argv: values of $0, $1 ...
 *
 * Errors are whole sentences, ready to print behind "dtrace: ":
 *   failed to compile script FILE: line 3: syntax error near "}"
 *   invalid probe specifier TEXT: syntax error near "}"
 * with "[D_SYNTAX] " before "line 3:" (or before the message) if option errtags is set; "line N: " also stands in a specifier
 * of several lines. After cpp line markers the place is `"file", line N`. What a failed text had added is taken back.
 *
 * Return: 0; -EINVAL; -ENOENT no probe matches; -EFBIG beyond a limit; -ENOMEM; p->diag tells more.
 */
int pf_dprog_compile(struct pf_dprog *p, enum pf_dprog_origin origin, const char *where, struct pf_view text, int argc,
		     const char *const *argv, struct pf_err *err);

/* pf_dprog_type() - the type that D text names: "struct task_struct *", "uint64_t", "char [16]". NULL: unknown or malformed. */
struct pf_dtype *pf_dprog_type(struct pf_dprog *p, struct pf_view text);

/* pf_dprog_define() - have D text of the host's own known (translators, typedefs, inlines); clauses are refused. */
int pf_dprog_define(struct pf_dprog *p, const char *where, struct pf_view text, struct pf_err *err);

/* pf_ddesc_parse() - a description of one to four parts, or of parts up to @origin's place ("-P", "-m" ...), as -l needs it.
 * The parts live in the program's arena. Return: 0, -EINVAL with the sentence, -ENOMEM. */
int pf_ddesc_parse(struct pf_dprog *p, enum pf_dprog_origin origin, struct pf_view text, struct pf_ddesc *ret_desc,
		   struct pf_err *err);

/* Tables of built-in things; NULL if there is none of that name. The tables are sorted by name. */
const struct pf_dbuiltin *pf_dbuiltin_find(struct pf_view name);
const struct pf_dfunc *pf_dfunc_find(struct pf_view name);
extern const struct pf_dbuiltin pf_dbuiltins[];
extern const size_t pf_n_dbuiltins;
extern const struct pf_dfunc pf_dfuncs[];
extern const size_t pf_n_dfuncs;

/* Buckets of the quantize family: how many counters, which one a value falls into, and the lowest value of a bucket.
 * llquantize: 0 is the negative overflow ... see dlang/bucket.c for the numbering that generator and consumer share. */
unsigned pf_dagg_buckets(const struct pf_dagg *agg);
unsigned pf_dagg_bucket_of(const struct pf_dagg *agg, int64_t value);
int64_t pf_dagg_bucket_low(const struct pf_dagg *agg, unsigned bucket);

/* pf_dprog_print() - the whole program as an indented tree with types; for tests and -x tree. */
void pf_dprog_print(struct pf_buf *out, const struct pf_dprog *p);
void pf_dexpr_print(struct pf_buf *out, const struct pf_dexpr *e);

#endif
