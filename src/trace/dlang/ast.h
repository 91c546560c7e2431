/* trace/dlang/ast.h - a compiled D program: clauses of typed statements over tables of variables, aggregations and strings.
 *
 * What the code generator can rely on after pf_dprog_compile():
 * - every expression has a type; inlines, translators, sizeof, offsetof, xlate and macros are gone (expanded or folded);
 * - constants are folded: what is constant is one PF_DX_INT or PF_DX_STRING;
 * - conversions are explicit: operands of an arithmetic or comparing node have one type (PF_DX_CAST put in), assigned values
 *   have the type of the target, a string wanted from char * or char [] is a PF_DX_STRINGOF, an array used as pointer is a
 *   PF_DX_ADDR whose type is pointer to the element;
 * - pointer arithmetic is in bytes already (a PF_DX_MUL by the element's size, difference divided by it);
 * - `p->m` is PF_DX_MEMBER of PF_DX_DEREF of p, `p[i]` is PF_DX_DEREF of PF_DX_ADD; only arrays and strings have PF_DX_INDEX.
 * Nothing here is freed alone; all lives in the program's arena. Text pointed to is NUL-terminated unless it is a pf_view.
 */
#ifndef PF_TRACE_DLANG_AST_H
#define PF_TRACE_DLANG_AST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/view.h"
#include "model/event.h"
#include "trace/dlang/types.h"

/* Where something stands in the D text; line and column count from 1. @token: the text of its first (or main) token. */
struct pf_dpos {
	unsigned line;
	unsigned column;
	struct pf_view token;
};

/* Kinds of expression. Operands are args[0], args[1], args[2] unless another member is named. */
enum pf_dexpr_op {
	PF_DX_INT,     /* .value; also NULL: type pointer, string, struct with value 0 */
	PF_DX_STRING,  /* .string */
	PF_DX_VAR,     /* .var, a variable of the program; args: keys of an associative array (n_args of them) */
	PF_DX_BUILTIN, /* .builtin; args[0]: index of args[] (constant: the host's slot), uregs[] */
	PF_DX_SYMBOL,  /* .symbol: the kernel object itself, an lvalue; functions only under PF_DX_ADDR */
	PF_DX_AGG,     /* .agg, as an argument of an action only */
	PF_DX_CALL, /* .func, args: subroutine with converted arguments; stack(), sym() ... as aggregation keys and arguments */
	/* unary */
	PF_DX_NEG,
	PF_DX_BITNOT,
	PF_DX_NOT,	/* int 0 or 1 */
	PF_DX_DEREF,	/* lvalue at the kernel address args[0] */
	PF_DX_ADDR,	/* address of lvalue args[0]: DEREF, MEMBER, INDEX, SYMBOL, or alloca memory */
	PF_DX_CAST,	/* integer, enum, pointer to one of these */
	PF_DX_STRINGOF, /* string at the address args[0], or in the char array args[0] */
	PF_DX_PREINC,	/* .step: what is added, in bytes for pointers */
	PF_DX_PREDEC,
	PF_DX_POSTINC,
	PF_DX_POSTDEC,
	PF_DX_MEMBER, /* .member, .bit_offset from the start of lvalue args[0] */
	/* binary */
	PF_DX_INDEX, /* element args[1] (int64_t) of array or string args[0]; constant indices were checked */
	PF_DX_MUL,
	PF_DX_DIV,
	PF_DX_MOD,
	PF_DX_ADD,
	PF_DX_SUB,
	PF_DX_SHL, /* low 6 bits of the count, which keeps a type of its own; result of the type of args[0] */
	PF_DX_SHR, /* arithmetic if args[0] is signed */
	PF_DX_LT,  /* comparisons: two integers, two pointers or two strings of one type; result int */
	PF_DX_LE,
	PF_DX_GT,
	PF_DX_GE,
	PF_DX_EQ,
	PF_DX_NE,
	PF_DX_AND,
	PF_DX_XOR,
	PF_DX_OR,
	PF_DX_LAND, /* lazy; operands are scalars of any size */
	PF_DX_LXOR, /* both evaluated */
	PF_DX_LOR,
	PF_DX_COND, /* args[0] ? args[1] : args[2], lazy */
	PF_DX_COMMA,
	/* assignment: args[0] lvalue (VAR, DEREF, MEMBER, INDEX), args[1] value */
	PF_DX_ASSIGN,
	PF_DX_ASSIGN_MUL, /* computed in type .calc, then converted to the target's; args[1] has type .calc */
	PF_DX_ASSIGN_DIV,
	PF_DX_ASSIGN_MOD,
	PF_DX_ASSIGN_ADD,
	PF_DX_ASSIGN_SUB,
	PF_DX_ASSIGN_SHL,
	PF_DX_ASSIGN_SHR,
	PF_DX_ASSIGN_AND,
	PF_DX_ASSIGN_XOR,
	PF_DX_ASSIGN_OR,
	PF_DX_BUILD, /* a struct made by xlate <T>: args[i] goes to .build[i] */
	/* Only before semantic analysis; never in a finished program. */
	PF_DX_NAME,
	PF_DX_KSYM,
	PF_DX_CALLNAME,
	PF_DX_SUBSCRIPT,
	PF_DX_ARROW,
	PF_DX_DOT,
	PF_DX_PLUS,
	PF_DX_SIZEOF,
	PF_DX_SIZEOF_TYPE,
	PF_DX_OFFSETOF,
	PF_DX_XLATE,
	PF_DX_PARAM,
	N_PF_DX
};

/* A string constant; equal ones are one row. Offsets are free for the code generator. */
struct pf_dstring {
	unsigned id;	  /* from 0 */
	const char *text; /* NUL behind it; may hold NUL bytes */
	size_t n;
	uint64_t offset; /* for the code generator */
	struct pf_dstring *next;
};

enum pf_dscope { PF_DV_GLOBAL, PF_DV_SELF, PF_DV_THIS };

/* A variable that the program names. */
struct pf_dvar {
	enum pf_dscope scope;
	unsigned id; /* from 0 within its scope */
	const char *name;
	struct pf_dtype *type; /* of the value or element */
	bool is_assoc;
	bool assigned;	/* some statement stores into it */
	bool declared;	/* with a type, not by its first assignment */
	bool is_alloca; /* this-> pointers to scratch of alloca(), copyin() ... */
	unsigned n_keys;
	struct pf_dtype **key_types;
	const struct pf_dxlator *xlator; /* the value is the input of this translator, member access is translated */
	struct pf_dpos pos;		 /* of its first use */
	void *host;			 /* for the code generator */
	struct pf_dvar *next;
};

enum pf_dbuiltin_id {
	PF_DB_ARG0,
	PF_DB_ARG1,
	PF_DB_ARG2,
	PF_DB_ARG3,
	PF_DB_ARG4,
	PF_DB_ARG5,
	PF_DB_ARG6,
	PF_DB_ARG7,
	PF_DB_ARG8,
	PF_DB_ARG9,
	PF_DB_ARGS,
	PF_DB_CALLER,
	PF_DB_CGROUP,
	PF_DB_COMM_ID,
	PF_DB_CURCPU,
	PF_DB_CURTHREAD,
	PF_DB_CWD,
	PF_DB_EPID,
	PF_DB_ERRNO,
	PF_DB_EXECNAME,
	PF_DB_GID,
	PF_DB_ID,
	PF_DB_IPL,
	PF_DB_PID,
	PF_DB_PPID,
	PF_DB_PROBEFUNC,
	PF_DB_PROBEMOD,
	PF_DB_PROBENAME,
	PF_DB_PROBEPROV,
	PF_DB_ROOT,
	PF_DB_STACKDEPTH,
	PF_DB_TID,
	PF_DB_TIMESTAMP,
	PF_DB_UCALLER,
	PF_DB_UID,
	PF_DB_UREGS,
	PF_DB_USTACKDEPTH,
	PF_DB_VTIMESTAMP,
	PF_DB_WALLTIMESTAMP,
	/* Members of *curcpu: never addressed as memory, curcpu->m becomes one of these. */
	PF_DB_CPU,
	PF_DB_PSET,
	PF_DB_CHIP,
	PF_DB_LGRP,
	N_PF_DB
};

/* A row of the table of built-in variables. @type: D text, looked up at first use. */
struct pf_dbuiltin {
	const char *name;
	enum pf_dbuiltin_id id;
	const char *type;
	bool is_array;	  /* args[], uregs[] */
	const char *help; /* one line */
};

enum pf_dfunc_id {
	/* subroutines */
	PF_DF_ALLOCA,
	PF_DF_BASENAME,
	PF_DF_BCOPY,
	PF_DF_CLEANPATH,
	PF_DF_COPYIN,
	PF_DF_COPYINSTR,
	PF_DF_COPYINTO,
	PF_DF_COPYOUT,
	PF_DF_COPYOUTSTR,
	PF_DF_D_PATH,
	PF_DF_DDI_PATHNAME,
	PF_DF_DIRNAME,
	PF_DF_GETMAJOR,
	PF_DF_GETMINOR,
	PF_DF_HTONL,
	PF_DF_HTONLL,
	PF_DF_HTONS,
	PF_DF_INDEX,
	PF_DF_INET_NTOA,
	PF_DF_INET_NTOA6,
	PF_DF_INET_NTOP,
	PF_DF_JSON,
	PF_DF_LINK_NTOP,
	PF_DF_LLTOSTR,
	PF_DF_MSGDSIZE,
	PF_DF_MSGSIZE,
	PF_DF_MUTEX_OWNED,
	PF_DF_MUTEX_OWNER,
	PF_DF_MUTEX_TYPE_ADAPTIVE,
	PF_DF_MUTEX_TYPE_SPIN,
	PF_DF_NTOHL,
	PF_DF_NTOHLL,
	PF_DF_NTOHS,
	PF_DF_PROGENYOF,
	PF_DF_RAND,
	PF_DF_RINDEX,
	PF_DF_RW_ISWRITER,
	PF_DF_RW_READ_HELD,
	PF_DF_RW_WRITE_HELD,
	PF_DF_SPECULATION,
	PF_DF_STRCHR,
	PF_DF_STRJOIN,
	PF_DF_STRLEN,
	PF_DF_STRRCHR,
	PF_DF_STRSTR,
	PF_DF_STRTOK,
	PF_DF_STRTOLL,
	PF_DF_SUBSTR,
	PF_DF_TOLOWER,
	PF_DF_TOUPPER,
	/* actions */
	PF_DF_BREAKPOINT,
	PF_DF_CHILL,
	PF_DF_CLEAR,
	PF_DF_COMMIT,
	PF_DF_DENORMALIZE,
	PF_DF_DISCARD,
	PF_DF_EXIT,
	PF_DF_FREOPEN,
	PF_DF_FTRUNCATE,
	PF_DF_FUNC,
	PF_DF_JSTACK,
	PF_DF_MOD,
	PF_DF_NORMALIZE,
	PF_DF_PANIC,
	PF_DF_PCAP,
	PF_DF_PRINT,
	PF_DF_PRINTA,
	PF_DF_PRINTF,
	PF_DF_RAISE,
	PF_DF_SETOPT,
	PF_DF_SPECULATE,
	PF_DF_STACK,
	PF_DF_STOP,
	PF_DF_SYM,
	PF_DF_SYSTEM,
	PF_DF_TRACE,
	PF_DF_TRACEMEM,
	PF_DF_TRUNC,
	PF_DF_UADDR,
	PF_DF_UFUNC,
	PF_DF_UMOD,
	PF_DF_USTACK,
	PF_DF_USYM,
	/* aggregating functions */
	PF_DF_AVG,
	PF_DF_COUNT,
	PF_DF_LLQUANTIZE,
	PF_DF_LQUANTIZE,
	PF_DF_MAX,
	PF_DF_MIN,
	PF_DF_QUANTIZE,
	PF_DF_STDDEV,
	PF_DF_SUM,
	N_PF_DF
};

enum pf_dfunc_kind { PF_DFK_SUBROUTINE, PF_DFK_ACTION, PF_DFK_AGGREGATION };

/* Properties of functions. */
enum {
	PF_DFF_RECORDS = 1 << 0,     /* makes a data record when used as a statement */
	PF_DFF_DESTRUCTIVE = 1 << 1, /* needs option destructive */
	PF_DFF_KEY =
		1 << 2, /* an action that may also be an aggregation key and a printf argument: stack(), sym() ... */
	PF_DFF_ALLOCA = 1 << 3, /* result is scratch memory */
	PF_DFF_FORMAT = 1 << 4, /* a printf-like format and its arguments */
	PF_DFF_CONSUMER =
		1 << 5, /* done by the consumer when it meets the record: clear(), trunc(), printa(), setopt() ... */
};

/**
 * struct pf_dfunc - a row of the table of subroutines, actions and aggregating functions.
 * @result: D text of the result's type; "" for void
 * @params: one letter for each parameter; '[' starts the optional ones, '+' any number of further ones of any type
 *	i integer, s string, p pointer or integer address, c positive integer constant, @ aggregation, f format literal,
 *	* any type that can be recorded, P pointer to a sized type, a scratch (alloca) pointer, l literal string
 * @unsupported: why this platform refuses it at compile time, as the message ends; NULL for the others
 */
struct pf_dfunc {
	const char *name;
	enum pf_dfunc_id id;
	enum pf_dfunc_kind kind;
	unsigned flags;
	const char *result;
	const char *params;
	const char *unsupported;
	const char *help; /* one line */
};

/* A kernel symbol that the host resolved. */
struct pf_dsymbol {
	const char *module; /* as written, or NULL */
	const char *name;
	uint64_t address;
	bool is_function;
	struct pf_dtype *type; /* NULL: unknown */
};

struct pf_dexpr {
	enum pf_dexpr_op op;
	uint16_t height; /* of the tree below, bounded by PF_D_MAX_HEIGHT: recursion is safe */
	bool is_lvalue;
	bool is_alloca;	    /* pointer into scratch memory: loads and stores need no kernel read */
	bool is_const_expr; /* folded from constants */
	struct pf_dpos pos;
	struct pf_dtype *type;
	struct pf_dexpr **args;
	unsigned n_args;
	union {
		int64_t value; /* INT: extended by the sign of the type */
		struct pf_dstring *string;
		struct pf_dvar *var;
		const struct pf_dbuiltin *builtin;
		struct pf_dsymbol *symbol;
		struct pf_dagg *agg;
		const struct pf_dfunc *func;
		struct {
			const struct pf_dmember *member;
			uint64_t bit_offset;
		};
		int64_t step;
		struct pf_dtype *calc;
		const struct pf_dmember **build;
		struct {
			struct pf_view name, module; /* NAME, CALLNAME, ARROW, DOT, KSYM */
			enum pf_dscope name_scope;
		};
		struct {
			struct pf_dtype *named_type; /* SIZEOF_TYPE, OFFSETOF, XLATE; CAST too before analysis */
			struct pf_view *path;	     /* OFFSETOF: names of members */
			unsigned n_path;
		};
	};
	const struct pf_dxlator *xlator; /* pointer value that a translator reads: see struct pf_dvar */
	struct pf_dformat *format;	 /* of CALL of printf(), printa(), system(), freopen() */
};

/* One conversion of a format, with the literal text before it (escapes are resolved, %% is %). */
enum {
	PF_DFMT_LEFT = 1 << 0, /* - */
	PF_DFMT_PLUS = 1 << 1,
	PF_DFMT_SPACE = 1 << 2,
	PF_DFMT_ALT = 1 << 3, /* # */
	PF_DFMT_ZERO = 1 << 4,
	PF_DFMT_GROUP = 1 << 5, /* ' */
	PF_DFMT_AGG = 1 << 6,	/* @ */
};

struct pf_dconv {
	struct pf_view before; /* literal text in front */
	struct pf_view text;   /* the conversion as written, from % on */
	unsigned flags;
	int width;     /* -1 none; -2 from an argument */
	int precision; /* the same */
	char size[3];  /* "", "h", "l", "ll", "L", "w" */
	char conv;
	unsigned arg; /* index of its value among the arguments behind the format; its * arguments stand before it */
};

struct pf_dformat {
	struct pf_view text; /* the whole format, escapes resolved */
	struct pf_dconv *convs;
	unsigned n_convs;
	struct pf_view after; /* literal text behind the last conversion */
};

/* An aggregation: one function, one key signature. */
struct pf_dagg {
	unsigned id;		     /* from 0, order of definition */
	const char *name;	     /* "_" for the nameless */
	const struct pf_dfunc *func; /* NULL until an aggregating function was assigned */
	enum pf_agg_func kind;
	unsigned n_keys;
	struct pf_dtype **key_types;
	/* keys as first written: PF_DX_CALL of stack(n), sym() ... tell how to print them */
	struct pf_dexpr **keys;
	union {
		struct {
			int64_t base, limit, step; /* lquantize */
		};
		struct {
			int64_t factor, low, high, steps; /* llquantize */
		};
	};
	unsigned n_buckets; /* quantize 127, lquantize levels + 2, llquantize as pf_dagg_buckets() counts; else 0 */
	struct pf_dpos pos;
	void *host; /* for the code generator */
	struct pf_dagg *next;
};

enum pf_dstmt_kind {
	PF_DS_EXPR,   /* .expr for its effects; subroutine calls included */
	PF_DS_ACTION, /* .expr is a PF_DX_CALL of an action */
	PF_DS_AGG,    /* .agg[.keys] = .func(.args) */
	PF_DS_IF,     /* .expr scalar, .then, .otherwise */
};

struct pf_dstmt {
	enum pf_dstmt_kind kind;
	struct pf_dpos pos;
	struct pf_dexpr *expr;
	struct pf_dagg *agg;
	struct pf_dexpr **keys;
	unsigned n_keys;
	struct pf_dexpr *value;	    /* AGG: the aggregated value (int64_t); NULL for count() */
	struct pf_dexpr *increment; /* AGG: inc of the quantize family, NULL: 1 */
	struct pf_dstmt *then, *otherwise;
	struct pf_dstmt *next;
	void *host; /* for the code generator */
};

/* A probe description; parts are "" where none was given. */
struct pf_ddesc {
	struct pf_dpos pos;
	const char *provider, *module, *function, *name;
	int id;		  /* of -i, else 0: then the parts are "" */
	const char *text; /* provider:module:function:name, as messages show it */
	struct pf_ddesc *next;
};

/* What a clause does; filled by semantic analysis. */
enum {
	PF_DC_RECORDS = 1 << 0, /* has data recording actions */
	PF_DC_DEFAULT = 1 << 1, /* no body: the default action */
	PF_DC_SPECULATES = 1 << 2,
	PF_DC_COMMITS = 1 << 3, /* commit() or discard() */
	PF_DC_DESTRUCTIVE = 1 << 4,
	PF_DC_EXITS = 1 << 5,
	PF_DC_AGGREGATES = 1 << 6,
	PF_DC_KSTACK = 1 << 7,
	PF_DC_USTACK = 1 << 8,
	PF_DC_SELF = 1 << 9,	  /* uses thread-local variables */
	PF_DC_CONSUMER = 1 << 10, /* clear(), printa(), ... */
};

struct pf_dclause {
	unsigned id; /* from 0: the name is dt_clause_<id> */
	struct pf_dpos pos;
	struct pf_ddesc *descs;
	struct pf_dexpr *predicate; /* NULL: none */
	struct pf_dstmt *stmts;
	unsigned flags;
	uint64_t builtins; /* bit (1 << enum pf_dbuiltin_id) for every built-in variable used */
	void *host;	   /* for the host: what it matched */
	struct pf_dclause *next;
};

/* translator T < S id > { member = expr; ... }; used by name only before analysis. */
struct pf_dxlator_member {
	const struct pf_dmember *member;
	uint64_t bit_offset;
	struct pf_dexpr *expr; /* not analysed: done anew at each use, with the input put in */
	struct pf_dxlator_member *next;
};

struct pf_dxlator {
	struct pf_dtype *output, *input;
	struct pf_view param;
	struct pf_dxlator_member *members;
	bool library; /* built in or the host's: errors in it are shown at its use */
	struct pf_dpos pos;
	struct pf_dxlator *next;
};

/* provider name { probe p(args) : (args); }; the input of -h and -G. */
struct pf_dprobe_decl {
	const char *name;	/* __ not yet turned into - */
	struct pf_dtype **args; /* native types */
	unsigned n_args;
	struct pf_dtype **xargs; /* translated types; the same as args if none were given */
	unsigned n_xargs;
	struct pf_dpos pos;
	struct pf_dprobe_decl *next;
};

struct pf_dprovider {
	const char *name;
	struct pf_dprobe_decl *probes;
	struct pf_dpos pos;
	struct pf_dprovider *next;
};

#endif
