/* sinks/export_options.c - the arguments of exporters. Words and refusals are collectl's (spec collectl-cli, section 9). */
#include "sinks/export_options.h"

#include <errno.h>
#include <string.h>

#include "base/duration.h"
#include "base/err.h"
#include "base/time.h"
#include "base/view.h"
#include "sinks/sink.h"

enum {
	LEXPR = 1,
	GEXPR = 2,
	GRAPHITE = 4,
	VMSTAT = 8,
	OPENMETRICS = 16,
	SEXPR = 32,
	VALUES = LEXPR | GEXPR | GRAPHITE | SEXPR
};
enum { TTL = 5, TTL_MAX = 100000 };
enum { MULTIPLE_MAX = 1000000000 };

static const struct {
	const char *name;
	unsigned bit;
	const struct pf_sink_kind *kind;
} exporters[] = {
	{ "lexpr", LEXPR, &pf_sink_lexpr },	     { "gexpr", GEXPR, &pf_sink_gexpr },
	{ "graphite", GRAPHITE, &pf_sink_graphite }, { "vmstat", VMSTAT, &pf_sink_vmstat },
	{ "sexpr", SEXPR, &pf_sink_sexpr },	     { "openmetrics", OPENMETRICS, &pf_sink_openmetrics },
};

enum argument {
	ARG_ALIGN,
	ARG_CHANGES,
	ARG_DEBUG,
	ARG_FILE,
	ARG_HELP,
	ARG_INTERVAL,
	ARG_SUBSYS,
	ARG_TTL,
	ARG_EXTEND,
	ARG_AVG,
	ARG_MAX,
	ARG_MIN,
	ARG_TOT,
	ARG_GANGLIA,
	ARG_GANGLIA_MORE,
	ARG_PREFIX,
	ARG_ESCAPE,
	ARG_FULL_NAME,
	ARG_POSTFIX,
	ARG_DELAY,
};

static const struct {
	const char *word;
	bool value;
	unsigned exporters;
	enum argument argument;
} arguments[] = {
	{ "align", false, VALUES, ARG_ALIGN },
	{ "co", false, VALUES, ARG_CHANGES },
	{ "d", true, VALUES, ARG_DEBUG },
	{ "f", true, LEXPR | SEXPR | OPENMETRICS, ARG_FILE },
	{ "h", false, VALUES | OPENMETRICS, ARG_HELP },
	{ "i", true, VALUES, ARG_INTERVAL },
	{ "s", true, VALUES, ARG_SUBSYS },
	{ "ttl", true, VALUES, ARG_TTL },
	{ "x", true, LEXPR, ARG_EXTEND },
	{ "avg", false, VALUES, ARG_AVG },
	{ "max", false, VALUES, ARG_MAX },
	{ "min", false, VALUES, ARG_MIN },
	{ "tot", false, VALUES, ARG_TOT },
	{ "g", false, GEXPR, ARG_GANGLIA },
	{ "G", false, GEXPR, ARG_GANGLIA_MORE },
	{ "b", true, GRAPHITE, ARG_PREFIX },
	{ "e", true, GRAPHITE, ARG_ESCAPE },
	{ "f", false, GRAPHITE, ARG_FULL_NAME },
	{ "p", true, GRAPHITE, ARG_POSTFIX },
	{ "r", true, GRAPHITE, ARG_DELAY },
};

/* The next piece of a text that commas divide. */
static bool next_piece(struct pf_view *rest, struct pf_view *ret)
{
	if (!rest->p)
		return false;
	const char *comma = rest->n ? memchr(rest->p, ',', rest->n) : NULL;
	size_t n = comma ? (size_t)(comma - rest->p) : rest->n;
	*ret = (struct pf_view){ rest->p, n };
	*rest = comma ? (struct pf_view){ comma + 1, rest->n - n - 1 } : (struct pf_view){ NULL, 0 };
	return true;
}

static int keep(char *to, size_t size, struct pf_view v, const char *what, struct pf_err *err)
{
	if (v.n >= size)
		return pf_err_set(err, -EINVAL, "%s= is longer than %zu characters", what, size - 1);
	if (v.n > 0)
		memcpy(to, v.p, v.n);
	to[v.n] = '\0';
	return 0;
}

static int duration(struct pf_view v, const char *what, int64_t *ret_ns, struct pf_err *err)
{
	int64_t ns = 0;
	if (pf_duration_parse(v, &ns) < 0 || ns == 0 || ns > MULTIPLE_MAX * PF_NS_PER_SEC)
		return pf_err_set(err, -EINVAL, "%s= must be followed by a length of time: " PF_DURATION_FORMS, what);
	*ret_ns = ns;
	return 0;
}

static int number(struct pf_view v, const char *what, uint64_t max, unsigned *ret, struct pf_err *err)
{
	uint64_t u = 0;
	if (pf_view_u64(v, &u) < 0 || u > max)
		return pf_err_set(err, -EINVAL, "%s= must be followed by a number up to %llu", what,
				  (unsigned long long)max);
	*ret = (unsigned)u;
	return 0;
}

static int fold(struct pf_export_options *o, enum pf_export_fold how, struct pf_err *err)
{
	if (o->fold != PF_FOLD_LAST && o->fold != how)
		return pf_err_set(err, -EINVAL, "only 1 of 'min', 'max', 'avg' or 'tot' with '%s'", o->kind->name);
	o->fold = how;
	return 0;
}

/* The modules of --import are divided by colons; x= names one. */
static int extension(struct pf_export_options *o, struct pf_view v, struct pf_err *err)
{
	if (v.n == 0 || v.p[0] == ',')
		return pf_err_set(err, -EINVAL, "x= must be followed by the name of a module");
	if (memchr(v.p, ':', v.n))
		return pf_err_set(err, -EINVAL, "x= names one module, and its arguments stand behind a comma");
	return keep(o->extension, sizeof(o->extension), v, "x", err);
}

static int take(struct pf_export_options *o, enum argument argument, struct pf_view v, struct pf_err *err)
{
	switch (argument) {
	case ARG_ALIGN:
		o->align = true;
		return 0;
	case ARG_CHANGES:
		o->changes = true;
		return 0;
	case ARG_DEBUG:
		return number(v, "d", 31, &o->debug, err);
	case ARG_FILE:
		return keep(o->file, sizeof(o->file), v, "f", err);
	case ARG_HELP:
		o->help = true;
		return 0;
	case ARG_INTERVAL:
		return duration(v, "i", &o->interval_ns, err);
	case ARG_SUBSYS:
		return keep(o->subsys, sizeof(o->subsys), v, "s", err);
	case ARG_TTL:
		return number(v, "ttl", TTL_MAX, &o->ttl, err);
	case ARG_EXTEND:
		return extension(o, v, err);
	case ARG_AVG:
		return fold(o, PF_FOLD_AVERAGE, err);
	case ARG_MAX:
		return fold(o, PF_FOLD_MAX, err);
	case ARG_MIN:
		return fold(o, PF_FOLD_MIN, err);
	case ARG_TOT:
		return fold(o, PF_FOLD_TOTAL, err);
	case ARG_GANGLIA:
	case ARG_GANGLIA_MORE:
		o->ganglia = (char)(argument == ARG_GANGLIA ? 'g' : 'G');
		return 0;
	case ARG_PREFIX:
		return keep(o->prefix, sizeof(o->prefix), v, "b", err);
	case ARG_ESCAPE:
		o->escape = (char)(v.n > 0 ? v.p[0] : '\0');
		return v.n == 1 ? 0 : pf_err_set(err, -EINVAL, "e= must be followed by one character");
	case ARG_FULL_NAME:
		o->full_name = true;
		return 0;
	case ARG_POSTFIX:
		return keep(o->postfix, sizeof(o->postfix), v, "p", err);
	case ARG_DELAY:
		return duration(v, "r", &o->delay_ns, err);
	}
	return 0;
}

static int take_piece(struct pf_export_options *o, unsigned exporter, struct pf_view piece, struct pf_err *err)
{
	const char *equals = piece.n ? memchr(piece.p, '=', piece.n) : NULL;
	struct pf_view word = { piece.p, equals ? (size_t)(equals - piece.p) : piece.n };
	struct pf_view value = { equals ? equals + 1 : "", equals ? piece.n - word.n - 1 : 0 };
	for (unsigned i = 0; i < sizeof(arguments) / sizeof(arguments[0]); i++) {
		if ((arguments[i].exporters & exporter) && pf_view_is(word, arguments[i].word) &&
		    arguments[i].value == (equals != NULL))
			return take(o, arguments[i].argument, value, err);
	}
	return pf_err_set(err, -EINVAL, "invalid %s option '%.*s'", o->kind->name, (int)(word.n < 80 ? word.n : 80),
			  word.p);
}

/* "HOST:PORT", "[ADDRESS]:PORT"; for graphite the port may be missing. */
static int take_address(struct pf_export_options *o, bool graphite, struct pf_view v, struct pf_err *err)
{
	const char *colon = v.n ? memrchr(v.p, ':', v.n) : NULL;
	struct pf_view host = { v.p, colon ? (size_t)(colon - v.p) : v.n };
	struct pf_view port = { colon ? colon + 1 : "2003", colon ? v.n - host.n - 1 : 4 };
	uint64_t number = 0;
	if (host.n == 0)
		return pf_err_set(err, -EINVAL, "host%s must be specified as first parameter",
				  graphite ? "[:port]" : ":port");
	if (!colon && !graphite)
		return pf_err_set(err, -EINVAL, "the port number must be specified");
	if (pf_view_u64(port, &number) < 0 || number == 0 || number > 65535)
		return pf_err_set(err, -EINVAL, "the port must be a number from 1 to 65535, not '%.*s'",
				  (int)(port.n < 20 ? port.n : 20), port.p);
	if (host.n > 2 && host.p[0] == '[' && host.p[host.n - 1] == ']')
		host = (struct pf_view){ host.p + 1, host.n - 2 };
	int rc = keep(o->host, sizeof(o->host), host, "the host", err);
	return rc < 0 ? rc : keep(o->port, sizeof(o->port), port, "the port", err);
}

/* "[HOST]:PORT", where to serve. */
static int take_listener(struct pf_export_options *o, struct pf_view v, struct pf_err *err)
{
	bool any = v.p[0] == ':';
	char text[PF_EXPORT_WORD];
	if (!any)
		return take_address(o, false, v, err);
	int rc = keep(text, sizeof(text) - 1, v, "the port", err);
	if (rc < 0)
		return rc;
	memmove(text + 1, text, v.n + 1);
	text[0] = '*';
	rc = take_address(o, false, (struct pf_view){ text, v.n + 1 }, err);
	o->host[0] = '\0';
	return rc;
}

/* Is the next argument x=? Whatever follows it belongs to the module. */
static bool begins_extension(unsigned exporter, struct pf_view *rest, struct pf_view *ret)
{
	if (exporter != LEXPR || !rest->p || !pf_view_starts(*rest, "x="))
		return false;
	*ret = *rest;
	*rest = (struct pf_view){ NULL, 0 };
	return true;
}

bool pf_export_is_script(const char *text)
{
	struct pf_view name = { text, strcspn(text, ",") };
	if (memchr(name.p, '/', name.n) || memchr(name.p, '.', name.n))
		return true;
	for (unsigned i = 0; i < sizeof(exporters) / sizeof(exporters[0]); i++) {
		if (pf_view_is(name, exporters[i].name))
			return false;
	}
	return true;
}

int pf_export_options_parse(const char *text, struct pf_export_options *ret, struct pf_err *err)
{
	struct pf_view rest = pf_view_of(text);
	struct pf_view piece = { "", 0 };
	unsigned exporter = 0;
	*ret = (struct pf_export_options){ .ttl = TTL };
	(void)next_piece(&rest, &piece);
	for (unsigned i = 0; i < sizeof(exporters) / sizeof(exporters[0]); i++) {
		if (pf_view_is(piece, exporters[i].name)) {
			ret->kind = exporters[i].kind;
			exporter = exporters[i].bit;
		}
	}
	if (!ret->kind)
		return pf_err_set(err, -EINVAL,
				  "no exporter '%.*s': there are lexpr, sexpr, gexpr, graphite, vmstat and openmetrics",
				  (int)(piece.n < 80 ? piece.n : 80), piece.p);
	int rc = 0;
	if (exporter & (GEXPR | GRAPHITE)) {
		piece = (struct pf_view){ "", 0 };
		(void)next_piece(&rest, &piece);
		if (pf_view_is(piece, "h"))
			ret->help = true;
		else
			rc = take_address(ret, exporter == GRAPHITE, piece, err);
	}
	struct pf_view after = rest;
	if (exporter == OPENMETRICS && next_piece(&after, &piece) && piece.n > 0 && !memchr(piece.p, '=', piece.n) &&
	    memchr(piece.p, ':', piece.n)) {
		rest = after;
		rc = take_listener(ret, piece, err);
	}
	while (rc == 0 && (begins_extension(exporter, &rest, &piece) || next_piece(&rest, &piece)))
		rc = take_piece(ret, exporter, piece, err);
	return rc;
}

#define COMMON                                                                                                         \
	"  align      begin with a whole minute\n"                                                                     \
	"  co         only values that changed\n"                                                                      \
	"  ttl=N      with co: tell a value again after N reports without a change, 5\n"                               \
	"  i=TIME     time between reports, a multiple of the interval: 10, 500ms, 1min\n"                             \
	"  s=LETTERS  only these of the subsystems shown\n"                                                            \
	"  avg max min tot  average, greatest, least or sum of the intervals of one report\n"                          \
	"  d=MASK     1 print what there is, 2 print what is sent, "

const char *pf_export_usage(const struct pf_export_options *options)
{
	if (options->kind == &pf_sink_gexpr)
		return "usage: --export gexpr,HOST:PORT[,ARGUMENT...]\n" COMMON "4 and the packets, 8 send nothing\n"
		       "  g          only the names of ganglia's own monitor; G  and the rest by ours\n";
	if (options->kind == &pf_sink_graphite)
		return "usage: --export graphite,HOST[:PORT][,ARGUMENT...]\n" COMMON "8 send nothing\n"
		       "  b=TEXT     before the host; p=TEXT  behind it; e=C  for dots in it; f  its full name\n"
		       "  r=TIME     wait a random time up to this before sending\n";
	if (options->kind == &pf_sink_openmetrics)
		return "usage: --export openmetrics[,[HOST]:PORT][,f=FILE]\n"
		       "  HOST:PORT  serve http://HOST:PORT/metrics; without HOST at all addresses\n"
		       "  f=FILE     replace FILE at each interval; .prom: as the textfile collector reads it\n"
		       "  Without either each interval's metrics are printed.\n";
	if (options->kind == &pf_sink_sexpr)
		return "usage: --export sexpr[,ARGUMENT...]\n" COMMON "8 nothing\n"
		       "  f=FILE     write each report there, not to the terminal\n";
	return "usage: --export lexpr[,ARGUMENT...]\n" COMMON "4 time of day, 8 only times\n"
	       "  f=FILE     write each report there, not to the terminal\n"
	       "  x=MODULE[,ARGUMENT...]  the last: values of this import module behind all others\n";
}
