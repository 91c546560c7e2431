/* modules/perl/vars.c - the variables of package main that modules read, kept in step with the host. Only what changed is handed over: a
 * module may write a variable for itself, and what it wrote stays until the host has something new to say. */
#include "script.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_SEC 1000000000LL

/* The scalar named @name, which may be one of the first ten elements: "lastSecs[0]". */
static SV *find(pTHX_ const char *name)
{
	size_t n = strcspn(name, "[");
	SV *full = newSVpvf("main::%.*s", (int)n, name);
	SV *sv;
	if (name[n] == '\0') {
		sv = get_sv(SvPV_nolen(full), GV_ADD | GV_ADDMULTI);
		SvREFCNT_inc_simple_void(sv);
	} else {
		AV *av = get_av(SvPV_nolen(full), GV_ADD | GV_ADDMULTI);
		SV **at = av_fetch(av, name[n + 1] - '0', 1);
		sv = at ? SvREFCNT_inc(*at) : newSV(0);
	}
	SvREFCNT_dec(full);
	return sv;
}

int pf_perl_vars_open(pTHX_ struct pf_script *s)
{
	while (s->host->vars && s->host->vars[s->n_variables].name)
		s->n_variables++;
	s->variables = calloc(s->n_variables + 1, sizeof(*s->variables));
	if (!s->variables)
		return -ENOMEM;
	for (unsigned i = 0; i < s->n_variables; i++) {
		s->variables[i].is = &s->host->vars[i];
		s->variables[i].sv = find(aTHX_ s->host->vars[i].name);
	}
	return 0;
}

static bool keep_text(struct variable *v, const char *text)
{
	size_t n = strlen(text) + 1;
	if (v->set && v->text && strcmp(v->text, text) == 0)
		return false;
	if (n > v->room) {
		char *grown = realloc(v->text, n * 2);
		if (!grown)
			return true; /* then it is told again next time */
		v->text = grown;
		v->room = n * 2;
	}
	memcpy(v->text, text, n);
	v->set = true;
	return true;
}

static bool keep_number(struct variable *v, double number)
{
	if (v->set && v->number == number)
		return false;
	v->number = number;
	v->set = true;
	return true;
}

static bool is_moment(enum pf_script_type type)
{
	return type == PF_SCRIPT_NS || type == PF_SCRIPT_WHOLE || type == PF_SCRIPT_MICROS;
}

static void set_one(pTHX_ struct variable *v)
{
	const void *at = v->is->at;
	if (is_moment(v->is->type) && *(const int64_t *)at == 0)
		return; /* there is none yet */
	switch (v->is->type) {
	case PF_SCRIPT_TEXT: {
		const char *text = *(const char *const *)at;
		if (text && keep_text(v, text))
			sv_setpv(v->sv, text);
		break;
	}
	case PF_SCRIPT_INT:
		if (keep_number(v, *(const int *)at))
			sv_setiv(v->sv, *(const int *)at);
		break;
	case PF_SCRIPT_WHOLE: {
		int64_t seconds = *(const int64_t *)at / NS_PER_SEC;
		if (keep_number(v, (double)seconds))
			sv_setiv(v->sv, (IV)seconds);
		break;
	}
	case PF_SCRIPT_MICROS:
		if (keep_number(v, (double)(*(const int64_t *)at % NS_PER_SEC)))
			sv_setiv(v->sv, (IV)(*(const int64_t *)at % NS_PER_SEC / 1000));
		break;
	case PF_SCRIPT_U64:
		if (keep_number(v, (double)*(const uint64_t *)at))
			sv_setuv(v->sv, (UV) * (const uint64_t *)at);
		break;
	case PF_SCRIPT_DOUBLE:
		if (keep_number(v, *(const double *)at))
			sv_setnv(v->sv, *(const double *)at);
		break;
	case PF_SCRIPT_NS:
		if (keep_number(v, (double)*(const int64_t *)at))
			sv_setnv(v->sv, (double)*(const int64_t *)at / (double)NS_PER_SEC);
		break;
	}
	if (SvMAGICAL(v->sv))
		mg_set(v->sv);
}

void pf_perl_vars_set(pTHX_ struct pf_script *s)
{
	for (unsigned i = 0; i < s->n_variables; i++) {
		if (s->late || !s->variables[i].is->late)
			set_one(aTHX_ & s->variables[i]);
	}
}

void pf_perl_vars_get(pTHX_ struct pf_script *s)
{
	for (unsigned i = 0; i < s->n_variables; i++) {
		struct variable *v = &s->variables[i];
		if (!v->is->told || !v->set || !SvOK(v->sv))
			continue;
		bool same = v->is->type == PF_SCRIPT_TEXT ? strcmp(v->text, SvPV_nolen(v->sv)) == 0
							  : v->number == SvNV(v->sv);
		if (same)
			continue;
		s->host->changed(s->host->arg, v->is->name, SvPV_nolen(v->sv));
		if (v->is->type == PF_SCRIPT_TEXT)
			(void)keep_text(v, SvPV_nolen(v->sv));
		else
			v->number = SvNV(v->sv);
	}
}

void pf_perl_vars_close(struct pf_script *s)
{
	for (unsigned i = 0; i < s->n_variables; i++)
		free(s->variables[i].text);
	free(s->variables);
}
