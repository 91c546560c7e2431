/* modules/perl/exporter.c - exporters in Perl: started and run as collectl does, with its variables filled from the sample and the values of
 * modules of any kind asked for through the functions that it lists for them. */
#include "script.h"

#include <errno.h>
#include <string.h>

enum { ARGUMENTS_MAX = 64 };

/* Words that commas divide, without empty ones at the end, as split has them. Return: how many. */
static int cut(pTHX_ const char *args, SV *ret[ARGUMENTS_MAX])
{
	size_t n = args ? strlen(args) : 0;
	while (n > 0 && args[n - 1] == ',')
		n--;
	int count = 0;
	for (size_t at = 0; n > 0 && at <= n && count < ARGUMENTS_MAX; count++) {
		const char *comma = memchr(args + at, ',', n - at);
		size_t end = comma ? (size_t)(comma - args) : n;
		ret[count] = newSVpvn(args + at, end - at);
		at = end + 1;
	}
	return count;
}

int pf_perl_start(struct pf_script *s, struct perfolio_ctx *ctx, const char *args)
{
	PERL_SET_CONTEXT(s->perl);
	dTHXa(s->perl);
	SV *words[ARGUMENTS_MAX];
	int n = cut(aTHX_ args, words);
	return pf_perl_call(aTHX_ ctx, FN_INIT, words, n, NULL);
}

/* The functions that an exporter asks modules with; they stay what they are while their number does. */
static void list_modules(pTHX_ struct pf_script *s)
{
	unsigned n = s->host->n_modules(s->host->arg);
	if (n == s->n_asked && s->late)
		return;
	dSP;
	ENTER;
	SAVETMPS;
	PUSHMARK(SP);
	XPUSHs(sv_2mortal(newSVuv(n)));
	PUTBACK;
	(void)call_pv("Perfolio::list_modules", G_VOID | G_DISCARD);
	FREETMPS;
	LEAVE;
	s->n_asked = n;
}

int pf_perl_run(struct pf_script *s, struct perfolio_ctx *ctx)
{
	PERL_SET_CONTEXT(s->perl);
	dTHXa(s->perl);
	list_modules(aTHX_ s);
	s->late = true;
	return pf_perl_call(aTHX_ ctx, FN_EXPORT, NULL, 0, NULL);
}

/* The array below a key of the hash that the variable refers to; both are made. @name: NAME{KEY} */
static AV *array_below(pTHX_ const char *name, const char *brace)
{
	SV *full = newSVpvf("main::%.*s", (int)(brace - name), name);
	SV *variable = get_sv(SvPV_nolen(full), GV_ADD | GV_ADDMULTI);
	SvREFCNT_dec(full);
	if (!SvROK(variable)) {
		SV *hash = newRV_noinc((SV *)newHV());
		sv_setsv(variable, hash);
		SvREFCNT_dec(hash);
	}
	SV **at = hv_fetch((HV *)SvRV(variable), brace + 1, (I32)strcspn(brace + 1, "}"), 1);
	if (at && !SvROK(*at)) {
		SV *array = newRV_noinc((SV *)newAV());
		sv_setsv(*at, array);
		SvREFCNT_dec(array);
	}
	return at ? (AV *)SvRV(*at) : NULL;
}

struct pf_script_cell *pf_perl_cell(struct pf_script *s, const char *name, bool array)
{
	PERL_SET_CONTEXT(s->perl);
	dTHXa(s->perl);
	const char *brace = strchr(name, '{');
	if (brace)
		return (struct pf_script_cell *)array_below(aTHX_ name, brace);
	SV *full = newSVpvf("main::%s", name);
	SV *sv = array ? (SV *)get_av(SvPV_nolen(full), GV_ADD | GV_ADDMULTI)
		       : get_sv(SvPV_nolen(full), GV_ADD | GV_ADDMULTI);
	SvREFCNT_dec(full);
	return (struct pf_script_cell *)sv;
}

static SV *element(pTHX_ AV *av, int index, const char *field)
{
	SV **at = av_fetch(av, index, 1);
	if (!at || !field)
		return at ? *at : NULL;
	if (!SvROK(*at) || SvTYPE(SvRV(*at)) != SVt_PVHV) {
		SV *hash = newRV_noinc((SV *)newHV());
		sv_setsv(*at, hash);
		SvREFCNT_dec(hash);
	}
	at = hv_fetch((HV *)SvRV(*at), field, (I32)strlen(field), 1);
	return at ? *at : NULL;
}

/* Whole numbers as such, since a program may print them. */
void pf_perl_set(struct pf_script *s, struct pf_script_cell *cell, int index, const char *field, double number,
		 const char *text)
{
	dTHXa(s->perl);
	SV *sv = index < 0 ? (SV *)cell : element(aTHX_(AV *) cell, index, field);
	if (!sv)
		return;
	if (text)
		sv_setpv(sv, text);
	else if (number == (double)(IV)number)
		sv_setiv(sv, (IV)number);
	else
		sv_setnv(sv, number);
}

void pf_perl_empty(struct pf_script *s, struct pf_script_cell *cell)
{
	dTHXa(s->perl);
	av_clear((AV *)cell);
}

/* Where the values of a module that is no script go: arrays paired by place, in the order of PrintExport's arguments. */
struct asked {
	struct pf_script *script;
	AV *av[N_EXPORTED];
	char kind;
};

static void push(pTHX_ AV *av, SV *sv)
{
	if (av)
		av_push(av, sv);
	else
		SvREFCNT_dec(sv);
}

static void put(pTHX_ AV *av, SSize_t at, SV *sv)
{
	if (!av || !av_store(av, at, sv))
		SvREFCNT_dec(sv);
}

static void push_value(struct perfolio_export *to, bool detail, const char *const about[4], double value, bool gauge)
{
	const struct asked *a = to->host;
	dTHXa(a->script->perl);
	if (a->kind == 'l') {
		AV *const *av = a->av;
		SSize_t at = av[detail ? 2 : 0] ? av_len(av[detail ? 2 : 0]) + 1 : 0;
		push(aTHX_ av[detail ? 2 : 0], newSVpv(about[0], 0));
		push(aTHX_ av[detail ? 3 : 1], newSVnv(value));
		if (gauge)
			put(aTHX_ av[detail ? 5 : 4], at, newSViv(1));
		if (about[1])
			put(aTHX_ av[detail ? 7 : 6], at, newSVpv(about[1], 0));
		return;
	}
	push(aTHX_ a->av[0], newSVpv(about[0], 0));
	push(aTHX_ a->av[1], newSVpv(about[2] ? about[2] : "", 0));
	push(aTHX_ a->av[2], newSVnv(value));
	push(aTHX_ a->av[3], newSVpv(about[3] ? about[3] : "", 0));
}

/* NOLINTBEGIN(readability-function-size): the module interface has that many arguments */
static void push_summary(struct perfolio_export *to, const char *name, const char *units, double value, int gauge,
			 const char *format, const char *group, const char *title)
{
	(void)title;
	push_value(to, false, (const char *const[]){ name, format, units, group }, value, gauge != 0);
}

static void push_detail(struct perfolio_export *to, const char *name, const char *units, double value, int gauge,
			const char *format, const char *group, const char *title)
{
	(void)title;
	push_value(to, true, (const char *const[]){ name, format, units, group }, value, gauge != 0);
}
/* NOLINTEND(readability-function-size) */

void pf_perl_ask(pTHX_ CV *cv)
{
	dXSARGS;
	struct pf_script *s = CvXSUBANY(cv).any_ptr;
	if (items < 2 || items > N_EXPORTED + 2)
		croak("the functions of modules take a kind and up to %d arrays\n", N_EXPORTED);
	SV *lent[N_EXPORTED + 1];
	struct asked asked = { .script = s };
	for (int i = 1; i < items; i++) {
		lent[i - 1] = ST(i);
		if (i > 1 && SvROK(ST(i)) && SvTYPE(SvRV(ST(i))) == SVt_PVAV)
			asked.av[i - 2] = (AV *)SvRV(ST(i));
	}
	asked.kind = SvPV_nolen(lent[0])[0];
	struct perfolio_export to = {
		.size = sizeof(to), .host = &asked, .summary = push_summary, .detail = push_detail
	};
	s->lent = lent;
	s->n_lent = items - 1;
	s->host->give(s->host->arg, (unsigned)SvUV(ST(0)), asked.kind, &to);
	s->lent = NULL;
	XSRETURN_EMPTY;
}
