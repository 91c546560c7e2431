/* modules/perl/script.h - what the files of the Perl door share: one interpreter, the modules in it and the variables they read.
 *
 * Everything here runs in the thread that opened the interpreter. Perl's errors unwind with longjmp, so nothing of ours that would have to
 * be released may lie between Perl calling us and us telling Perl of an error. */
#ifndef PF_PERL_SCRIPT_H
#define PF_PERL_SCRIPT_H

#define PERL_NO_GET_CONTEXT
#include <EXTERN.h>
#include <perl.h>
#include <XSUB.h>

#include "import/door.h"

/* The functions of a module, in the order of @names of call.c. */
enum function {
	FN_INIT,
	FN_GET_DATA,
	FN_ANALYZE,
	FN_INIT_INTERVAL,
	FN_INTERVAL_END,
	FN_GET_HEADER,
	FN_UPDATE_HEADER,
	FN_PRINT_BRIEF,
	FN_PRINT_VERBOSE,
	FN_PRINT_PLOT,
	FN_PRINT_EXPORT,
	FN_EXPORT, /* the function of an exporter, which has the name of its file */
	N_FUNCTIONS
};

enum { N_EXPORTED = 8 };

/* The last value that a variable was given, to see whether it is another one now. @room: bytes at @text. */
struct variable {
	const struct pf_script_var *is;
	SV *sv;
	bool set;
	double number;
	char *text;
	size_t room;
};

/**
 * struct loaded - one module.
 * @glob: where each function is found, NULL where there is none; a function that is defined later takes effect
 * @options, @key: what Init left
 * @started: InitInterval was called before, so that it has a number to be told
 */
struct loaded {
	struct loaded *next;
	struct pf_script *script;
	char *prefix;
	GV *glob[N_FUNCTIONS];
	char *options;
	char *key;
	bool started;
};

/**
 * struct pf_script
 * @current: module whose function runs, NULL: none; @capture: text for standard output goes there while set
 * @exported: arrays that PrintExport pushes to
 * @lent, @n_lent: arrays of an exporter in Perl, which asks modules itself
 * @line: scalar that is lent to functions which append to a line
 * @end: what exit() was called with; @leaving: it was; @erring: error() was called
 */
struct pf_script {
	PerlInterpreter *perl;
	const struct pf_script_host *host;
	struct loaded *modules;
	struct variable *variables;
	unsigned n_variables;
	bool late; /* variables that come late are there */
	struct perfolio_ctx *current;
	struct perfolio_text *capture;
	SV *line;
	AV *exported[N_EXPORTED];
	SV *const *lent;
	int n_lent;
	unsigned n_asked; /* modules that an exporter knows of */
	struct pf_script_end end;
	bool leaving;
	bool erring;
};

/* The module of a context. */
static inline struct loaded *loaded_of(struct perfolio_ctx *ctx)
{
	return ctx->own;
}

/* subs.c: define the helpers that modules call. */
void pf_perl_define_subs(pTHX_ struct pf_script *s);

/* vars.c. pf_perl_vars_set() - tell Perl what changed; pf_perl_vars_get() - tell the host what a function wrote. */
int pf_perl_vars_open(pTHX_ struct pf_script *s);
void pf_perl_vars_set(pTHX_ struct pf_script *s);
void pf_perl_vars_get(pTHX_ struct pf_script *s);
void pf_perl_vars_close(struct pf_script *s);

/* exporter.c: the functions of struct pf_script_door. pf_perl_ask() - Perfolio::ask(MODULE, KIND, ARRAYS...) */
int pf_perl_start(struct pf_script *s, struct perfolio_ctx *ctx, const char *args);
int pf_perl_run(struct pf_script *s, struct perfolio_ctx *ctx);
struct pf_script_cell *pf_perl_cell(struct pf_script *s, const char *name, bool array);
void pf_perl_set(struct pf_script *s, struct pf_script_cell *cell, int index, const char *field, double number,
		 const char *text);
void pf_perl_empty(struct pf_script *s, struct pf_script_cell *cell);
void pf_perl_ask(pTHX_ CV *cv);

/* call.c: pf_perl_call() - a function with @n arguments, which are released. Return: 0, or -ECANCELED when the module ended. */
int pf_perl_call(pTHX_ struct perfolio_ctx *ctx, enum function fn, SV *const *arguments, int n, SV **ret_value);

/* call.c: find the functions of a module and describe it. pf_perl_export_flush() - hand on what PrintExport pushed. */
void pf_perl_export_flush(struct pf_script *s, char kind, struct perfolio_export *to);
int pf_perl_describe(pTHX_ struct loaded *m, struct perfolio_module *ret_is);

/* pf_perl_failed() - after a protected call: take up exit(), error() or the last words. True: the module is not to go on. */
bool pf_perl_failed(pTHX_ struct pf_script *s);

#endif
