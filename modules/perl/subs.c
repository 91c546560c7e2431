/* modules/perl/subs.c - the helpers of package main that modules call, as far as they need the host; the others are in prelude.pl. */
#include "script.h"

#include <string.h>

#define NAME(text) "main::" text

enum { TEXT_MAX = 512 };

static struct pf_script *script_of(CV *cv)
{
	return CvXSUBANY(cv).any_ptr;
}

/* The module that calls; helpers make no sense outside of a callback. */
static struct perfolio_ctx *caller_of(pTHX_ const struct pf_script *s, const char *what)
{
	if (!s->current)
		croak("%s() can only be called while a callback of a module runs\n", what);
	return s->current;
}

static const char *text_of(pTHX_ SV *sv)
{
	return SvOK(sv) ? SvPV_nolen(sv) : "";
}

/* record(TYPE, TEXT[, RECMODE[, RAWP]]): modules record data, type 2; the others are markers that the recorder writes itself. */
XS_INTERNAL(sub_record)
{
	dXSARGS;
	struct pf_script *s = script_of(cv);
	struct perfolio_ctx *ctx = caller_of(aTHX_ s, "record");
	if (items < 2)
		croak("record() needs a type and a text\n");
	STRLEN n;
	const char *text = SvPV(ST(1), n);
	if (SvIV(ST(0)) == 2)
		s->host->line(ctx, text, n, items > 3 && SvOK(ST(3)));
	XSRETURN_EMPTY;
}

/* getProc(TYPE, FILE, TAG[, SKIP[, MAX[, LAST]]]) */
XS_INTERNAL(sub_get_proc)
{
	dXSARGS;
	struct perfolio_ctx *ctx = caller_of(aTHX_ script_of(cv), "getProc");
	if (items < 3)
		croak("getProc() needs a type, a file and a tag\n");
	IV skip = items > 3 && SvOK(ST(3)) ? SvIV(ST(3)) : 0;
	IV most = items > 4 && SvOK(ST(4)) ? SvIV(ST(4)) : 0;
	const char *last = items > 5 && SvOK(ST(5)) ? SvPV_nolen(ST(5)) : NULL;
	int rc = ctx->host->getproc(ctx, (int)SvIV(ST(0)), text_of(aTHX_ ST(1)), text_of(aTHX_ ST(2)),
				    skip > 0 ? (unsigned)skip : 0, most > 0 ? (unsigned)most : 0, last);
	XSRETURN_IV(rc);
}

/* getExec(TYPE, COMMAND, TAG) */
XS_INTERNAL(sub_get_exec)
{
	dXSARGS;
	struct perfolio_ctx *ctx = caller_of(aTHX_ script_of(cv), "getExec");
	if (items < 3)
		croak("getExec() needs a type, a command and a tag\n");
	int rc = ctx->host->getexec(ctx, (int)SvIV(ST(0)), text_of(aTHX_ ST(1)), text_of(aTHX_ ST(2)));
	XSRETURN_IV(rc);
}

/* cvt(VALUE[, WIDTH[, UNIT[, DIV]]]) */
XS_INTERNAL(sub_cvt)
{
	dXSARGS;
	struct perfolio_ctx *ctx = caller_of(aTHX_ script_of(cv), "cvt");
	char text[PERFOLIO_CVT_SIZE];
	double value = items > 0 && SvOK(ST(0)) ? SvNV(ST(0)) : 0;
	int width = items > 1 && SvOK(ST(1)) ? (int)SvIV(ST(1)) : 4;
	int unit = items > 2 && SvOK(ST(2)) ? (int)SvIV(ST(2)) : 0;
	int by_1024 = items > 3 && SvTRUE(ST(3));
	ST(0) = sv_2mortal(newSVpv(ctx->host->cvt(ctx, value, width, unit, by_1024, text), 0));
	XSRETURN(1);
}

/* error([TEXT]): does not return to the module. Without a text collectl prints its help and ends well. */
XS_INTERNAL(sub_error)
{
	dXSARGS;
	struct pf_script *s = script_of(cv);
	if (items == 0) {
		s->leaving = true;
		s->end = (struct pf_script_end){ 0, NULL };
	} else {
		struct perfolio_ctx *ctx = caller_of(aTHX_ s, "error");
		ctx->host->error(ctx, text_of(aTHX_ ST(0)));
		s->erring = true;
	}
	croak("the module ends\n");
}

/* exit([STATUS]): the program ends when the callback has been left. */
XS_INTERNAL(sub_exit)
{
	dXSARGS;
	struct pf_script *s = script_of(cv);
	s->leaving = true;
	s->end = (struct pf_script_end){ items > 0 && SvOK(ST(0)) ? (int)(SvIV(ST(0)) & 255) : 0, NULL };
	croak("the module ends\n");
}

/* logmsg(SEVERITY, TEXT), pushmsg(SEVERITY, TEXT) */
XS_INTERNAL(sub_logmsg)
{
	dXSARGS;
	struct perfolio_ctx *ctx = caller_of(aTHX_ script_of(cv), "logmsg");
	if (items < 2)
		croak("logmsg() needs a severity and a text\n");
	const char *severity = text_of(aTHX_ ST(0));
	ctx->host->logmsg(ctx, severity[0] ? severity[0] : 'I', text_of(aTHX_ ST(1)));
	XSRETURN_EMPTY;
}

/* newLog(FILENAME, ...): new output files; the next sample is the first in them. */
XS_INTERNAL(sub_new_log)
{
	dXSARGS;
	struct pf_script *s = script_of(cv);
	s->host->changed(s->host->arg, "newLog", items > 0 ? text_of(aTHX_ ST(0)) : "");
	XSRETURN_IV(1);
}

/* What is printed to standard output; see the tied handle of prelude.pl. */
XS_INTERNAL(sub_say)
{
	dXSARGS;
	struct pf_script *s = script_of(cv);
	for (int i = 0; i < items; i++) {
		STRLEN n;
		const char *text = SvPV(ST(i), n);
		if (s->capture && s->current)
			s->current->host->add(s->capture, text);
		else
			s->host->say(s->host->arg, text, n);
	}
	XSRETURN_IV(1);
}

/* printText(TEXT[, EOM]) */
XS_INTERNAL(sub_print_text)
{
	dXSARGS;
	struct pf_script *s = script_of(cv);
	STRLEN n = 0;
	const char *text = items > 0 && SvOK(ST(0)) ? SvPV(ST(0), n) : "";
	if (s->capture && s->current)
		s->current->host->add(s->capture, text);
	else
		s->host->send(s->host->arg, text, n, items > 1 && SvTRUE(ST(1)));
	XSRETURN_EMPTY;
}

void pf_perl_define_subs(pTHX_ struct pf_script *s)
{
	static const struct {
		const char *name;
		XSUBADDR_t sub;
	} subs[] = {
		{ NAME("record"), sub_record },	   { NAME("getProc"), sub_get_proc },
		{ NAME("getproc"), sub_get_proc }, { NAME("getExec"), sub_get_exec },
		{ NAME("getexec"), sub_get_exec }, { NAME("cvt"), sub_cvt },
		{ NAME("error"), sub_error },	   { "Perfolio::leave", sub_exit },
		{ NAME("logmsg"), sub_logmsg },	   { NAME("pushmsg"), sub_logmsg },
		{ "Perfolio::say", sub_say },	   { NAME("printText"), sub_print_text },
		{ "Perfolio::ask", pf_perl_ask },  { NAME("newLog"), sub_new_log },
	};
	for (size_t i = 0; i < sizeof(subs) / sizeof(subs[0]); i++) {
		CV *cv = newXS(subs[i].name, subs[i].sub, __FILE__);
		CvXSUBANY(cv).any_ptr = s;
	}
}
