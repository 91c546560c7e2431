/* modules/perl/perl.c - the door: makes the interpreter, loads the files of modules into it, takes it down. One interpreter serves all
 * modules of a run, since modules written for collectl share package main. */
#include "script.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prelude.h"

EXTERN_C void boot_DynaLoader(pTHX_ CV *cv);

static void xs_init(pTHX)
{
	newXS("DynaLoader::boot_DynaLoader", boot_DynaLoader, __FILE__);
}

/* Perl's last words without their newline. */
static int last_words(pTHX_ char *why, size_t size, int rc)
{
	(void)snprintf(why, size, "%s", SvPV_nolen(ERRSV));
	why[strcspn(why, "\n")] = '\0';
	return rc;
}

/* Perl takes the locale and the environment as they are; both belong to the host. */
static int start(pTHX_ struct pf_script *s, char *why, size_t why_size)
{
	char name[] = "collectl", warn[] = "-w", run[] = "-e", program[] = "0";
	char *words[] = { name, warn, run, program, NULL };
	perl_construct(s->perl);
	PL_perl_destruct_level = 2;
	PL_exit_flags |= PERL_EXIT_DESTRUCT_END;
	if (perl_parse(s->perl, xs_init, 4, words, NULL) != 0 || perl_run(s->perl) != 0) {
		(void)snprintf(why, why_size, "the Perl interpreter did not start");
		return -ENOEXEC;
	}
	s->line = newSVpvs("");
	sv_setpvs(get_sv("main::SrcArch", GV_ADD | GV_ADDMULTI), ARCHNAME);
	pf_perl_define_subs(aTHX_ s);
	int rc = pf_perl_vars_open(aTHX_ s);
	if (rc < 0)
		return rc;
	(void)eval_pv(prelude, FALSE);
	return SvTRUE(ERRSV) ? last_words(aTHX_ why, why_size, -ENOEXEC) : 0;
}

static void script_close(struct pf_script *s)
{
	if (!s)
		return;
	PERL_SET_CONTEXT(s->perl);
	dTHXa(s->perl);
	for (struct loaded *m = s->modules; m;) {
		struct loaded *next = m->next;
		free(m->prefix);
		free(m->options);
		free(m->key);
		free(m);
		m = next;
	}
	s->current = NULL;
	pf_perl_vars_close(s);
	SvREFCNT_dec(s->line);
	for (int i = 0; i < N_EXPORTED; i++)
		SvREFCNT_dec((SV *)s->exported[i]);
	(void)perl_destruct(s->perl);
	perl_free(s->perl);
	free(s);
}

static int script_open(struct pf_script **ret_script, const struct pf_script_host *host, char *why, size_t why_size)
{
	static bool started;
	if (!started) {
		int argc = 0;
		char *none[] = { NULL };
		char **argv = none, **env = environ;
		PERL_SYS_INIT3(&argc, &argv, &env);
		started = true;
	}
	struct pf_script *s = calloc(1, sizeof(*s));
	if (s)
		s->perl = perl_alloc();
	if (!s || !s->perl) {
		free(s);
		return -ENOMEM;
	}
	s->host = host;
	PERL_SET_CONTEXT(s->perl);
	bool had = getenv("PERL_SKIP_LOCALE_INIT") != NULL;
	(void)setenv("PERL_SKIP_LOCALE_INIT", "1", 0);
	int rc = start(s->perl, s, why, why_size);
	if (!had)
		(void)unsetenv("PERL_SKIP_LOCALE_INIT");
	if (rc < 0) {
		script_close(s);
		return rc;
	}
	*ret_script = s;
	return 0;
}

/* Load the packages that a file wants. */
static bool prepare(pTHX_ const char *path)
{
	dSP;
	ENTER;
	SAVETMPS;
	PUSHMARK(SP);
	XPUSHs(sv_2mortal(newSVpv(path, 0)));
	PUTBACK;
	(void)call_pv("Perfolio::prepare", G_VOID | G_DISCARD | G_EVAL);
	FREETMPS;
	LEAVE;
	return !SvTRUE(ERRSV);
}

/* Warnings of compiling are left to Perl; a file that does not end in a true value is refused by require. */
static int script_load(struct pf_script *s, const char *path, const char *prefix, struct perfolio_ctx *ctx,
		       struct perfolio_module *ret_is, char *why, size_t why_size)
{
	PERL_SET_CONTEXT(s->perl);
	dTHXa(s->perl);
	struct loaded *m = calloc(1, sizeof(*m));
	if (m)
		m->prefix = strdup(prefix);
	if (!m || !m->prefix) {
		free(m);
		return -ENOMEM;
	}
	m->script = s;
	m->next = s->modules;
	s->modules = m;
	ctx->own = m;

	struct perfolio_ctx *outer = s->current;
	s->current = ctx;
	pf_perl_vars_set(aTHX_ s);
	if (prepare(aTHX_ path))
		require_pv(path);
	bool failed = s->leaving || s->erring || SvTRUE(ERRSV);
	if (failed && !s->leaving && !s->erring)
		(void)last_words(aTHX_ why, why_size, 0);
	if (s->leaving || s->erring)
		(void)pf_perl_failed(aTHX_ s);
	s->current = outer;
	return failed ? -ENOEXEC : pf_perl_describe(aTHX_ m, ret_is);
}

__attribute__((visibility("default"))) const struct pf_script_door pf_script_door = {
	.size = sizeof(struct pf_script_door),
	.build = PF_VERSION,
	.ending = "ph",
	.open = script_open,
	.load = script_load,
	.start = pf_perl_start,
	.run = pf_perl_run,
	.cell = pf_perl_cell,
	.set = pf_perl_set,
	.empty = pf_perl_empty,
	.flush = pf_perl_export_flush,
	.close = script_close,
};
