/* modules/perl/call.c - the callbacks of a module that is written in Perl: variables are brought up to date, the function is called under
 * protection, what it wrote is taken back. */
#include "script.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const names[N_FUNCTIONS] = {
	[FN_INIT] = "Init",
	[FN_GET_DATA] = "GetData",
	[FN_ANALYZE] = "Analyze",
	[FN_INIT_INTERVAL] = "InitInterval",
	[FN_INTERVAL_END] = "IntervalEnd",
	[FN_GET_HEADER] = "GetHeader",
	[FN_UPDATE_HEADER] = "UpdateHeader",
	[FN_PRINT_BRIEF] = "PrintBrief",
	[FN_PRINT_VERBOSE] = "PrintVerbose",
	[FN_PRINT_PLOT] = "PrintPlot",
	[FN_PRINT_EXPORT] = "PrintExport",
	[FN_EXPORT] = "",
};

enum { ARGUMENTS_MAX = 10 };

bool pf_perl_failed(pTHX_ struct pf_script *s)
{
	if (s->leaving) {
		s->host->ended(s->current, &s->end);
		s->leaving = false;
		return true;
	}
	if (s->erring) {
		s->erring = false;
		return true;
	}
	if (!SvTRUE(ERRSV))
		return false;
	const struct pf_script_end died = { 255, SvPV_nolen(ERRSV) };
	s->host->ended(s->current, &died);
	return true;
}

/* The module has forked, and this is the child: it ends where a child of collectl would go on beside its parent, writing to the same files. What it has
 * written to files of its own is not lost. */
static void end_child(pTHX_ const struct pf_script *s)
{
	(void)PerlIO_flush(NULL);
	_exit(s->leaving ? s->end.status : SvTRUE(ERRSV) ? 255 : 0);
}

/* Calls nest: GetData records, which is analysed by this or another module. */
int pf_perl_call(pTHX_ struct perfolio_ctx *ctx, enum function fn, SV *const *arguments, int n, SV **ret_value)
{
	struct loaded *m = loaded_of(ctx);
	struct pf_script *s = m->script;
	struct perfolio_ctx *outer = s->current;
	CV *cv = m->glob[fn] ? GvCV(m->glob[fn]) : NULL;
	pid_t self = getpid();
	s->current = ctx;
	pf_perl_vars_set(aTHX_ s);

	dSP;
	ENTER;
	SAVETMPS;
	PUSHMARK(SP);
	EXTEND(SP, n);
	for (int i = 0; i < n; i++)
		PUSHs(sv_2mortal(arguments[i]));
	PUTBACK;
	int count = 0;
	if (cv) {
		count = call_sv((SV *)cv, (ret_value ? G_SCALAR : G_VOID) | G_EVAL);
	} else if (s->host->strict) {
		SV *name = sv_2mortal(newSVpvf("main::%s%s", m->prefix, names[fn]));
		count = call_sv(name, G_VOID | G_EVAL); /* it is not there: Perl says so */
	} else {
		sv_setpvf(ERRSV, "it has no %s%s, which every module must have", m->prefix, names[fn]);
	}
	if (getpid() != self)
		end_child(aTHX_ s);
	SPAGAIN;
	bool failed = pf_perl_failed(aTHX_ s);
	if (ret_value && !failed && count == 1)
		*ret_value = SvREFCNT_inc(POPs);
	PUTBACK;
	FREETMPS;
	LEAVE;
	if (!failed)
		pf_perl_vars_get(aTHX_ s);
	s->current = outer;
	return failed ? -ECANCELED : 0;
}

/* Call a function that appends to the line it is given a reference to, behind @n other arguments. */
static int call_line(pTHX_ struct perfolio_ctx *ctx, enum function fn, SV *const *arguments, int n,
		     struct perfolio_text *line)
{
	struct pf_script *s = loaded_of(ctx)->script;
	SV *all[ARGUMENTS_MAX];
	size_t size;
	const char *before = s->host->text(line, &size);
	for (int i = 0; i < n; i++)
		all[i] = arguments[i];
	sv_setpvn(s->line, before ? before : "", size);
	SvUTF8_off(s->line);
	all[n] = newRV_inc(s->line);
	int rc = pf_perl_call(aTHX_ ctx, fn, all, n + 1, NULL);
	if (rc == 0 && SvOK(s->line)) {
		STRLEN len;
		const char *after = SvPV(s->line, len);
		s->host->replace(line, after, len);
	}
	return rc;
}

/* A text for the host that lives as long as the module. */
static const char *keep(char **to, SV *sv)
{
	dTHX;
	char *text = sv && SvOK(sv) ? strdup(SvPV_nolen(sv)) : NULL;
	free(*to);
	*to = text;
	return text;
}

static int init(struct perfolio_ctx *ctx, const char *args, struct perfolio_setup *setup)
{
	struct loaded *m = loaded_of(ctx);
	dTHXa(m->script->perl);
	SV *options = args ? newSVpv(args, 0) : newSV(0);
	SV *key = newSV(0);
	SV *answer = NULL;
	SV *arguments[] = { newRV_inc(options), newRV_inc(key) };
	int rc = pf_perl_call(aTHX_ ctx, FN_INIT, arguments, 2, &answer);
	if (rc == 0) {
		setup->options = keep(&m->options, options);
		setup->key = keep(&m->key, key);
		if (answer && SvOK(answer) && looks_like_number(answer) && SvIV(answer) == -1)
			rc = PERFOLIO_DROP;
	}
	SvREFCNT_dec(answer);
	SvREFCNT_dec(options);
	SvREFCNT_dec(key);
	return rc;
}

static int get_data(struct perfolio_ctx *ctx)
{
	dTHXa(loaded_of(ctx)->script->perl);
	return pf_perl_call(aTHX_ ctx, FN_GET_DATA, NULL, 0, NULL);
}

static int analyze(struct perfolio_ctx *ctx, const char *type, const char *data)
{
	dTHXa(loaded_of(ctx)->script->perl);
	SV *arguments[] = { newSVpv(type, 0), newRV_noinc(newSVpv(data, 0)) };
	return pf_perl_call(aTHX_ ctx, FN_ANALYZE, arguments, 2, NULL);
}

/* The first call of a run or of a file comes before there is an interval. */
static int init_interval(struct perfolio_ctx *ctx)
{
	struct loaded *m = loaded_of(ctx);
	dTHXa(m->script->perl);
	m->script->late = true;
	SV *seconds = m->started ? newSVnv(ctx->host->state->int_secs) : newSV(0);
	m->started = true;
	return pf_perl_call(aTHX_ ctx, FN_INIT_INTERVAL, &seconds, 1, NULL);
}

static int interval_end(struct perfolio_ctx *ctx)
{
	dTHXa(loaded_of(ctx)->script->perl);
	SV *header = newRV_noinc(newSV(0));
	return pf_perl_call(aTHX_ ctx, FN_INTERVAL_END, &header, 1, NULL);
}

static int get_header(struct perfolio_ctx *ctx, const char *header)
{
	struct loaded *m = loaded_of(ctx);
	dTHXa(m->script->perl);
	m->started = false;
	SV *text = newRV_noinc(newSVpv(header, 0));
	return pf_perl_call(aTHX_ ctx, FN_GET_HEADER, &text, 1, NULL);
}

static int update_header(struct perfolio_ctx *ctx, struct perfolio_text *header)
{
	dTHXa(loaded_of(ctx)->script->perl);
	return call_line(aTHX_ ctx, FN_UPDATE_HEADER, NULL, 0, header);
}

/* Totals are printed, not appended; what is printed becomes part of the line. */
static int print_brief(struct perfolio_ctx *ctx, enum perfolio_brief type, struct perfolio_text *line)
{
	struct pf_script *s = loaded_of(ctx)->script;
	dTHXa(s->perl);
	SV *number = newSViv((IV)type);
	if (type <= PERFOLIO_BRIEF_VALUES)
		return call_line(aTHX_ ctx, FN_PRINT_BRIEF, &number, 1, line);
	s->capture = type == PERFOLIO_BRIEF_TOTALS ? line : NULL;
	int rc = pf_perl_call(aTHX_ ctx, FN_PRINT_BRIEF, &number, 1, NULL);
	s->capture = NULL;
	return rc;
}

static int print_verbose(struct perfolio_ctx *ctx, int print_header, int home, struct perfolio_text *lines)
{
	dTHXa(loaded_of(ctx)->script->perl);
	SV *arguments[] = { newSViv(print_header), newSViv(home) };
	return call_line(aTHX_ ctx, FN_PRINT_VERBOSE, arguments, 2, lines);
}

static int print_plot(struct perfolio_ctx *ctx, enum perfolio_plot type, struct perfolio_text *line)
{
	dTHXa(loaded_of(ctx)->script->perl);
	SV *number = newSViv((IV)type);
	return call_line(aTHX_ ctx, FN_PRINT_PLOT, &number, 1, line);
}

static SV *element(pTHX_ AV *av, SSize_t i)
{
	SV **at = av_fetch(av, i, 0);
	return at && SvOK(*at) ? *at : NULL;
}

static const char *text_at(pTHX_ AV *av, SSize_t i)
{
	SV *sv = element(aTHX_ av, i);
	return sv ? SvPV_nolen(sv) : NULL;
}

/* Names and values of lexpr, paired by their place: summary or detail. */
static void push_l(pTHX_ struct perfolio_export *to, AV *const of[4], bool detail)
{
	void (*push)(struct perfolio_export *, const char *, const char *, double, int, const char *, const char *,
		     const char *) = detail ? to->detail : to->summary;
	for (SSize_t i = 0; i <= av_len(of[0]); i++) {
		const char *name = text_at(aTHX_ of[0], i);
		SV *value = element(aTHX_ of[1], i);
		push(to, name ? name : "", "", value ? SvNV(value) : 0, element(aTHX_ of[2], i) != NULL,
		     text_at(aTHX_ of[3], i), NULL, NULL);
	}
}

static void push_g(pTHX_ struct perfolio_export *to, AV *const of[5])
{
	for (SSize_t i = 0; i <= av_len(of[0]); i++) {
		const char *name = text_at(aTHX_ of[0], i);
		const char *units = text_at(aTHX_ of[1], i);
		SV *value = element(aTHX_ of[2], i);
		to->summary(to, name ? name : "", units ? units : "", value ? SvNV(value) : 0, 0, NULL,
			    text_at(aTHX_ of[3], i), text_at(aTHX_ of[4], i));
	}
}

/* The exporters of kind 's' take text. */
static int export_text(pTHX_ struct perfolio_ctx *ctx, struct perfolio_export *to)
{
	SV *parts[] = { newSVpvs(""), newSVpvs("") };
	SV *arguments[] = { newSVpvs("s"), newRV_inc(parts[0]), newRV_inc(parts[1]),
			    newSVpv(strcmp(ctx->host->state->rate, "/sec") == 0 ? "rate" : "raw", 0) };
	int rc = pf_perl_call(aTHX_ ctx, FN_PRINT_EXPORT, arguments, 4, NULL);
	for (unsigned i = 0; i < 2; i++) {
		if (rc == 0 && to->text)
			to->text(to, SvPV_nolen(parts[i]));
		SvREFCNT_dec(parts[i]);
	}
	return rc;
}

static int arrays_of(char kind)
{
	return kind == 'l' ? 8 : 5;
}

/* Order of the arrays: lexpr nameS valS nameD valD gaugeS gaugeD fmtS fmtD; the others name units value group title. */
void pf_perl_export_flush(struct pf_script *s, char kind, struct perfolio_export *to)
{
	dTHXa(s->perl);
	AV **av = s->exported;
	if (!av[0])
		return;
	if (kind == 'l') {
		push_l(aTHX_ to, (AV *const[]){ av[0], av[1], av[4], av[6] }, false);
		push_l(aTHX_ to, (AV *const[]){ av[2], av[3], av[5], av[7] }, true);
	} else {
		push_g(aTHX_ to, av);
	}
	for (int i = 0; i < N_EXPORTED; i++)
		av_clear(av[i]);
}

/* collectl lends the same arrays to all modules and pairs their elements by place, so that what one module pushes too much or too
 * little becomes its neighbour's; whoever asks for that flushes when all have been called. */
static int print_export(struct perfolio_ctx *ctx, char kind, struct perfolio_export *to)
{
	struct pf_script *s = loaded_of(ctx)->script;
	dTHXa(s->perl);
	if (kind == 's')
		return export_text(aTHX_ ctx, to);
	if (s->lent) {
		SV *lent[N_EXPORTED + 1];
		for (int i = 0; i < s->n_lent; i++)
			lent[i] = newSVsv(s->lent[i]);
		return pf_perl_call(aTHX_ ctx, FN_PRINT_EXPORT, lent, s->n_lent, NULL);
	}
	SV *arguments[N_EXPORTED + 1] = { newSVpvn(&kind, 1) };
	for (int i = 0; i < N_EXPORTED; i++) {
		if (!s->exported[i])
			s->exported[i] = newAV();
		if (i < arrays_of(kind))
			arguments[i + 1] = newRV_inc((SV *)s->exported[i]);
	}
	int rc = pf_perl_call(aTHX_ ctx, FN_PRINT_EXPORT, arguments, arrays_of(kind) + 1, NULL);
	if (!s->host->strict)
		pf_perl_export_flush(s, kind, to);
	return rc;
}

static GV *glob_of(pTHX_ const struct loaded *m, enum function fn)
{
	SV *name = newSVpvf("main::%s%s", m->prefix, names[fn]);
	GV *gv = gv_fetchsv(name, 0, SVt_PVCV);
	SvREFCNT_dec(name);
	return gv && isGV(gv) && GvCV(gv) ? gv : NULL;
}

int pf_perl_describe(pTHX_ struct loaded *m, struct perfolio_module *ret_is)
{
	for (int fn = 0; fn < N_FUNCTIONS; fn++)
		m->glob[fn] = glob_of(aTHX_ m, (enum function)fn);
	bool all = m->script->host->strict;
	GV **has = m->glob;
	bool module =
		all || has[FN_GET_DATA] || has[FN_ANALYZE]; /* what it must have is called, so that it is missed */
	*ret_is = (struct perfolio_module){
		.size = sizeof(*ret_is),
		.major = PERFOLIO_MODULE_MAJOR,
		.minor = PERFOLIO_MODULE_MINOR,
		.name = m->prefix,
		.version = "",
		.init = has[FN_INIT] || module ? init : NULL,
		.get_data = module ? get_data : NULL,
		.analyze = module ? analyze : NULL,
		.init_interval = has[FN_INIT_INTERVAL] || all ? init_interval : NULL,
		.interval_end = has[FN_INTERVAL_END] ? interval_end : NULL,
		.get_header = has[FN_GET_HEADER] ? get_header : NULL,
		.update_header = has[FN_UPDATE_HEADER] || all ? update_header : NULL,
		.print_brief = has[FN_PRINT_BRIEF] || all ? print_brief : NULL,
		.print_verbose = has[FN_PRINT_VERBOSE] || all ? print_verbose : NULL,
		.print_plot = has[FN_PRINT_PLOT] || all ? print_plot : NULL,
		.print_export = has[FN_PRINT_EXPORT] || all ? print_export : NULL,
	};
	return 0;
}
