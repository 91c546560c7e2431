/* trace/dlang/front.h - what the files of the front end share; nobody outside trace/dlang includes this. */
#ifndef PF_TRACE_DLANG_FRONT_H
#define PF_TRACE_DLANG_FRONT_H

#include "base/err.h"
#include "trace/dlang/dlang.h"

/* Tokens. Keywords and punctuation are ranges; binary operators stand in one block for the precedence table. */
enum pf_dtok {
	PF_DK_EOF,
	PF_DK_IDENT,
	PF_DK_KSYM, /* `name, module`name */
	PF_DK_AGG,  /* @, @name */
	PF_DK_INT,
	PF_DK_STRING,
	PF_DK_EPRED, /* the / that closes a predicate */

	PF_DK_AUTO,
	PF_DK_BREAK,
	PF_DK_CASE,
	PF_DK_CHAR,
	PF_DK_CONST,
	PF_DK_CONTINUE,
	PF_DK_COUNTER,
	PF_DK_DEFAULT,
	PF_DK_DO,
	PF_DK_DOUBLE,
	PF_DK_ELSE,
	PF_DK_ENUM,
	PF_DK_EXTERN,
	PF_DK_FLOAT,
	PF_DK_FOR,
	PF_DK_GOTO,
	PF_DK_IF,
	PF_DK_IMPORT,
	PF_DK_INLINE,
	PF_DK_KINT,
	PF_DK_LONG,
	PF_DK_OFFSETOF,
	PF_DK_PROBE,
	PF_DK_PROVIDER,
	PF_DK_REGISTER,
	PF_DK_RESTRICT,
	PF_DK_RETURN,
	PF_DK_SELF,
	PF_DK_SHORT,
	PF_DK_SIGNED,
	PF_DK_SIZEOF,
	PF_DK_STATIC,
	PF_DK_KSTRING,
	PF_DK_STRINGOF,
	PF_DK_STRUCT,
	PF_DK_SWITCH,
	PF_DK_THIS,
	PF_DK_TRANSLATOR,
	PF_DK_TYPEDEF,
	PF_DK_UNION,
	PF_DK_UNSIGNED,
	PF_DK_VOID,
	PF_DK_VOLATILE,
	PF_DK_WHILE,
	PF_DK_XLATE,

	PF_DK_LPAREN,
	PF_DK_RPAREN,
	PF_DK_LBRACK,
	PF_DK_RBRACK,
	PF_DK_LBRACE,
	PF_DK_RBRACE,
	PF_DK_SEMI,
	PF_DK_COMMA,
	PF_DK_COLON,
	PF_DK_QUESTION,
	PF_DK_DOT,
	PF_DK_ELLIPSIS,
	PF_DK_ARROW,
	PF_DK_INC,
	PF_DK_DEC,
	PF_DK_NOT,
	PF_DK_TILDE,
	PF_DK_STAR,
	PF_DK_SLASH,
	PF_DK_PERCENT,
	PF_DK_PLUS,
	PF_DK_MINUS,
	PF_DK_SHL,
	PF_DK_SHR,
	PF_DK_LT,
	PF_DK_LE,
	PF_DK_GT,
	PF_DK_GE,
	PF_DK_EQ,
	PF_DK_NE,
	PF_DK_AND,
	PF_DK_XOR,
	PF_DK_OR,
	PF_DK_LAND,
	PF_DK_LXOR,
	PF_DK_LOR,
	PF_DK_ASSIGN,
	PF_DK_ASSIGN_MUL,
	PF_DK_ASSIGN_DIV,
	PF_DK_ASSIGN_MOD,
	PF_DK_ASSIGN_ADD,
	PF_DK_ASSIGN_SUB,
	PF_DK_ASSIGN_SHL,
	PF_DK_ASSIGN_SHR,
	PF_DK_ASSIGN_AND,
	PF_DK_ASSIGN_XOR,
	PF_DK_ASSIGN_OR,
	N_PF_DK
};

/* A token; text points into the program's copy of the source or into its arena. */
struct pf_dtoken {
	enum pf_dtok kind;
	struct pf_dpos pos;
	struct pf_view name;   /* IDENT, KSYM, AGG (without @) */
	struct pf_view module; /* KSYM */
	uint64_t value;	       /* INT */
	struct pf_dtype *type; /* INT */
	struct pf_view string; /* STRING, escapes resolved */
};

/* Reading position; a plain value, so that looking ahead is a copy. */
struct pf_dlex {
	struct pf_view text;
	size_t at;
	size_t line_start;
	unsigned line;
	bool predicate; /* a / may close the predicate */
	unsigned parens, brackets;
};

/* Kinds of names; a name can stand once in each. */
enum pf_dspace {
	PF_DN_VAR, /* global variables and inlines */
	PF_DN_SELF,
	PF_DN_THIS,
	PF_DN_AGG,
	PF_DN_TYPE,  /* typedefs */
	PF_DN_TAG,   /* struct, union, enum */
	PF_DN_CONST, /* enumerators */
	PF_DN_STRING,
	PF_DN_PROVIDER,
};

/* inline type name = expr, inline type name[type a, ...] = expr */
struct pf_dinline {
	struct pf_view name;
	struct pf_dtype *type;
	struct pf_view *params;
	struct pf_dtype **param_types;
	unsigned n_params;
	struct pf_dexpr *body; /* not analysed */
	struct pf_dpos pos;
	bool library; /* not of the user's text */
	bool busy;    /* being expanded: a reference to itself is an error */
};

/* What a name stands for. */
struct pf_dsym {
	enum pf_dspace space;
	struct pf_view name;
	union {
		struct pf_dvar *var;
		struct pf_dagg *agg;
		struct pf_dtype *type;
		struct pf_dstring *string;
		struct pf_dprovider *provider;
		int64_t value; /* CONST: of enumeration @type_of */
	};
	struct pf_dinline *inl; /* VAR: an inline instead of a variable */
	struct pf_dtype *type_of;
	struct pf_dsym *chain; /* same hash */
	struct pf_dsym *older; /* order of definition, for taking back */
	unsigned bucket;
};

enum { PF_D_BUCKETS = 4096, PF_D_MAX_NAMES = 65536 };

struct pf_dsyms {
	struct pf_dsym *newest;
	struct pf_dsym *table[PF_D_BUCKETS];
	uint64_t loaded;  /* rows of the built-in library that were read, one bit each */
	unsigned loading; /* depth of reading it */
	unsigned n;
	/* Where the next element of each list of the program goes; NULL: not known, walk. */
	struct pf_dstring **strings_end;
	struct pf_dvar **vars_end[3];
	struct pf_dagg **aggs_end;
	struct pf_dclause **clauses_end;
};

/* Names bound while an inline or translator is expanded: by name, so an argument is analysed at each use. */
struct pf_denv {
	struct pf_view name;
	struct pf_dexpr *raw;	  /* in @scope; or */
	struct pf_dexpr *typed;	  /* already analysed, copied at each use */
	struct pf_dtype *type;	  /* converted to this */
	struct pf_dinline *owner; /* whose parameter it is; NULL: a translator's */
	const struct pf_denv *scope;
	const struct pf_denv *next;
};

/* One compilation. @rc is the first error; once it is set everything returns early. */
struct pf_dcomp {
	struct pf_dprog *p;
	struct pf_err *err;
	int rc;
	enum pf_dprog_origin origin;
	const char *where;
	const char *file; /* of the last line marker, NULL */
	struct pf_view text;
	struct pf_dlex lex;
	struct pf_dtoken tok;
	bool have; /* tok is the next token */
	unsigned depth;
	int argc;
	const char *const *argv;
	bool *used; /* of argv */
	struct pf_dclause *clause;
	const struct pf_dpos *blame; /* errors are here: what is analysed came out of the library */
	bool library;		     /* text of the built-in library or the host: no clauses */
	bool any;		     /* something stood in the text */
};

/* Errors: set once, NULL or the code back so that callers can return it. */
int pf_d_fail(struct pf_dcomp *c, const struct pf_dpos *pos, int rc, const char *tag, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
int pf_d_nomem(struct pf_dcomp *c);
/* pf_d_syntax() - syntax error near the token at hand. */
int pf_d_syntax(struct pf_dcomp *c);
void *pf_d_alloc(struct pf_dcomp *c, size_t n); /* zeroed; NULL and error set */
char *pf_d_text(struct pf_dcomp *c, struct pf_view v);
int64_t pf_d_option(struct pf_dcomp *c, const char *name, int64_t unset);

/* pf_d_deeper() - one level of recursion more; false and error set at the limit. pf_d_back() undoes. */
bool pf_d_deeper(struct pf_dcomp *c, const struct pf_dpos *pos);
static inline void pf_d_back(struct pf_dcomp *c)
{
	c->depth--;
}

/* Put @node at the end of a list linked by ->next whose end is remembered in @end. */
#define PF_D_APPEND(list, end, node)                                                                                   \
	do {                                                                                                           \
		if (!(end))                                                                                            \
			(end) = &(list);                                                                               \
		while (*(end))                                                                                         \
			(end) = &(*(end))->next;                                                                       \
		*(end) = (node);                                                                                       \
		(end) = &(node)->next;                                                                                 \
	} while (0)

/* Names. */
struct pf_dsym *pf_dsym_find(struct pf_dprog *p, enum pf_dspace space, struct pf_view name);
struct pf_dsym *pf_dsym_add(struct pf_dcomp *c, enum pf_dspace space, struct pf_view name);
void pf_dsym_undo(struct pf_dprog *p, struct pf_dsym *until);

/* Lexing. pf_dlex_peek() gives the next token without taking it; NULL with the error set. */
const struct pf_dtoken *pf_dlex_peek(struct pf_dcomp *c);
const struct pf_dtoken *pf_dlex_peek2(struct pf_dcomp *c, struct pf_dtoken *ret_second);
void pf_dlex_take(struct pf_dcomp *c);
bool pf_dlex_accept(struct pf_dcomp *c, enum pf_dtok kind);
int pf_dlex_expect(struct pf_dcomp *c, enum pf_dtok kind);
int pf_dlex_skip(struct pf_dcomp *c, struct pf_dlex *x); /* blanks, comments, lines with # */
int pf_dlex_read(struct pf_dcomp *c, struct pf_dlex *x, struct pf_dtoken *t);
int pf_dlex_escape(struct pf_dcomp *c, const struct pf_dpos *pos, struct pf_view in, struct pf_view *ret_out);
int pf_dlex_number(struct pf_dcomp *c, struct pf_dtoken *t, struct pf_view text);
enum pf_dtok pf_dlex_keyword(struct pf_view word); /* PF_DK_IDENT if it is none */
const char *pf_dtok_name(enum pf_dtok kind);
struct pf_dpos pf_dlex_pos(const struct pf_dlex *x, size_t n);
bool pf_d_is_ident_start(char ch);
bool pf_d_is_ident(char ch);

/* Macros: $1 $$1 $target ... at x->at; moves x behind it. */
int pf_dmacro_token(struct pf_dcomp *c, struct pf_dlex *x, struct pf_dtoken *t);
int pf_dmacro_text(struct pf_dcomp *c, struct pf_dlex *x, struct pf_buf *out);
int pf_dmacro_check_used(struct pf_dcomp *c);

/* Lines with #. @line: behind the #. */
int pf_dpragma(struct pf_dcomp *c, struct pf_dlex *x, struct pf_view line, const struct pf_dpos *pos);

/* Parsing. Expressions come out unanalysed; types are real ones. */
int pf_dparse_items(struct pf_dcomp *c);
int pf_dparse_desc(struct pf_dcomp *c, struct pf_view text, const struct pf_dpos *pos, struct pf_ddesc *d);
struct pf_dexpr *pf_dparse_expr(struct pf_dcomp *c);
struct pf_dexpr *pf_dparse_assign(struct pf_dcomp *c);
struct pf_dexpr *pf_dparse_cond(struct pf_dcomp *c);
struct pf_dtype *pf_dparse_typename(struct pf_dcomp *c);
/* pf_dparse_starts_item() - does the keyword begin a declaration, inline, translator or provider? */
bool pf_dparse_starts_item(enum pf_dtok k);
bool pf_dparse_is_type(struct pf_dcomp *c, const struct pf_dtoken *t);
int pf_dparse_declaration(struct pf_dcomp *c);
int pf_dparse_inline(struct pf_dcomp *c);
int pf_dparse_translator(struct pf_dcomp *c);
int pf_dparse_provider(struct pf_dcomp *c);

/* A declarator: modifiers from the name outwards. */
struct pf_ddeclarator {
	struct pf_view name;
	struct pf_dpos pos;
	struct pf_dtype *type;
	bool is_assoc; /* name[type, ...] */
	struct pf_dtype *keys[PF_D_MAX_ARGS];
	struct pf_view key_names[PF_D_MAX_ARGS]; /* "" if none was given */
	unsigned n_keys;
};

/* Specifiers of a declaration. @storage: PF_DK_SELF, _THIS, _EXTERN, _STATIC, _TYPEDEF ..., 0 none. */
struct pf_dspecs {
	enum pf_dtok storage;
	struct pf_dtype *type;
	struct pf_dpos pos;
	bool has_tag; /* struct, union, enum: may stand alone */
};
int pf_dparse_specs(struct pf_dcomp *c, bool storage_allowed, struct pf_dspecs *ret);
int pf_dparse_declarator(struct pf_dcomp *c, struct pf_dtype *base, bool abstract, struct pf_ddeclarator *ret);
int pf_dparse_record(struct pf_dcomp *c, enum pf_dtok what, struct pf_view module, struct pf_dtype **ret);
int pf_dparse_enum(struct pf_dcomp *c, struct pf_view module, struct pf_dtype **ret);
int pf_dparse_const(struct pf_dcomp *c, const char *tag, const char *what, int64_t *ret_value);

/* Types. */
int pf_dtypes_init(struct pf_dprog *p);
/* pf_dtypes_refresh() - option strsize may have changed. */
void pf_dtypes_refresh(struct pf_dprog *p);
struct pf_dtype *pf_dtype_find(struct pf_dcomp *c, struct pf_view module, struct pf_view name);
struct pf_dtype *pf_dtype_find_tag(struct pf_dcomp *c, struct pf_view module, enum pf_dtype_tag tag,
				   struct pf_view name);
int pf_drecord_layout(struct pf_dcomp *c, struct pf_dtype *t, const struct pf_dpos *pos);

/* Trees. */
struct pf_dexpr *pf_dnode(struct pf_dcomp *c, enum pf_dexpr_op op, const struct pf_dpos *pos, unsigned n_args);
int pf_dnode_done(struct pf_dcomp *c, struct pf_dexpr *e); /* after args are set: height */
struct pf_dexpr *pf_dnode_unary(struct pf_dcomp *c, enum pf_dexpr_op op, const struct pf_dpos *pos, struct pf_dexpr *a);
struct pf_dexpr *pf_dnode_binary(struct pf_dcomp *c, enum pf_dexpr_op op, const struct pf_dpos *pos, struct pf_dexpr *a,
				 struct pf_dexpr *b);
struct pf_dexpr *pf_dnode_int(struct pf_dcomp *c, const struct pf_dpos *pos, struct pf_dtype *type, int64_t value);
struct pf_dexpr *pf_dnode_string(struct pf_dcomp *c, const struct pf_dpos *pos, struct pf_view text);
struct pf_dexpr *pf_dnode_copy(struct pf_dcomp *c, const struct pf_dexpr *e);
const char *pf_dexpr_op_text(enum pf_dexpr_op op); /* "+", "->" ... */

/* Folding: -EDOM division by zero. */
int pf_dfold_unary(enum pf_dexpr_op op, struct pf_dtype *type, int64_t a, int64_t *ret);
int pf_dfold_binary(enum pf_dexpr_op op, struct pf_dtype *operands, int64_t a, int64_t b, int64_t *ret);

/* Semantic analysis: unanalysed in, new typed tree out; NULL with the error set. */
struct pf_dexpr *pf_dsema_expr(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_denv *env);
struct pf_dexpr *pf_dsema_any(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_denv *env);
struct pf_dexpr *pf_dsema_name(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_denv *env);
struct pf_dexpr *pf_dsema_subscript(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_denv *env);
struct pf_dexpr *pf_dsema_member(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_denv *env);
struct pf_dexpr *pf_dsema_xlate(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_denv *env);
struct pf_dexpr *pf_dsema_call(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_denv *env);
struct pf_dexpr *pf_dsema_unary(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_denv *env);
struct pf_dexpr *pf_dsema_binary(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_denv *env);
struct pf_dexpr *pf_dsema_assign(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_denv *env);
struct pf_dexpr *pf_dsema_arith(struct pf_dcomp *c, enum pf_dexpr_op op, const struct pf_dpos *pos, struct pf_dexpr *a,
				struct pf_dexpr *b);
/* pf_dsema_target() - an lvalue to be written; unknown variables come into being with @type (NULL: int64_t). */
struct pf_dexpr *pf_dsema_target(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_denv *env,
				 struct pf_dexpr *value, bool *ret_created);
struct pf_dexpr *pf_dsema_xlate_member(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_dxlator *x,
				       struct pf_dexpr *input, struct pf_view name);
/* pf_dxlate_input() - of a translated pointer: the value that its translator reads. */
struct pf_dexpr *pf_dxlate_input(struct pf_dcomp *c, struct pf_dexpr *e);
const struct pf_dxlator *pf_dxlator_find(struct pf_dcomp *c, struct pf_dtype *output, struct pf_dtype *input);
struct pf_dexpr *pf_dsema_args(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_denv *env);

/* Conversions. @what: who wants it, for the message. */
struct pf_dexpr *pf_dconv_cast(struct pf_dcomp *c, struct pf_dexpr *e, struct pf_dtype *to);
struct pf_dexpr *pf_dconv_decay(struct pf_dcomp *c, struct pf_dexpr *e);
struct pf_dexpr *pf_dconv_string(struct pf_dcomp *c, struct pf_dexpr *e);
bool pf_dconv_assignable(struct pf_dcomp *c, struct pf_dtype *to, const struct pf_dexpr *from);
struct pf_dexpr *pf_dconv_assign(struct pf_dcomp *c, struct pf_dexpr *e, struct pf_dtype *to);
bool pf_dexpr_is_zero(const struct pf_dexpr *e);
bool pf_dexpr_is_bitfield(const struct pf_dexpr *e);
/* pf_dexpr_value_type() - the type that an integer has in arithmetic, before promotion: a bit-field is an int if that holds it. */
struct pf_dtype *pf_dexpr_value_type(struct pf_dcomp *c, const struct pf_dexpr *e);

/* Statements, clauses, functions. */
int pf_dsema_clause(struct pf_dcomp *c, struct pf_dclause *clause, struct pf_dexpr *predicate, struct pf_dstmt *stmts);
int pf_dsema_action(struct pf_dcomp *c, struct pf_dstmt *s, const struct pf_dexpr *raw, const struct pf_dfunc *f);
int pf_dsema_aggregate(struct pf_dcomp *c, struct pf_dstmt *s, const struct pf_dexpr *raw);
struct pf_dexpr *pf_dsema_agg_arg(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_dfunc *f);
struct pf_dexpr *pf_dsema_key_call(struct pf_dcomp *c, const struct pf_dexpr *raw, const struct pf_dfunc *f);
struct pf_dagg *pf_dagg_get(struct pf_dcomp *c, struct pf_view name, const struct pf_dpos *pos);
struct pf_dexpr *pf_dsema_key(struct pf_dcomp *c, const struct pf_dexpr *raw);
/* pf_dsema_call_args() - check count and types by the row and convert. */
int pf_dsema_call_args(struct pf_dcomp *c, const struct pf_dfunc *f, const struct pf_dexpr *raw,
		       const struct pf_denv *env, struct pf_dexpr *call);
/* pf_dformat_check() - arguments of a call against its format: args[0] is the format itself. */
int pf_dformat_check(struct pf_dcomp *c, const struct pf_dfunc *f, struct pf_dexpr *call);
int pf_dformat_check_keys(struct pf_dcomp *c, const struct pf_dfunc *f, struct pf_dexpr *call,
			  const struct pf_dagg *agg);
struct pf_dformat *pf_dformat_parse(struct pf_dcomp *c, const struct pf_dpos *pos, struct pf_view text);
struct pf_dvar *pf_dvar_new(struct pf_dcomp *c, enum pf_dscope scope, struct pf_view name, struct pf_dtype *type,
			    const struct pf_dpos *pos);

/* Built-in library: have the row that defines @name read; 1 if something was read, 0 if there is none (any more). */
int pf_dlib_load(struct pf_dcomp *c, struct pf_view name);
bool pf_dlib_constant(struct pf_view name, int64_t *ret_value);
int pf_d_sub_compile(struct pf_dcomp *c, const char *where, struct pf_view text);

#endif
