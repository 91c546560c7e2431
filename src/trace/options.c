/* trace/options.c - options of the D language and its run time. */
#include "trace/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/view.h"

enum kind { FLAG, NUMBER, SIZE, RATE, WORD };

/* @dynamic: may be set while tracing; @fixed: not from a program that already runs. */
static const struct {
	const char *name;
	enum pf_option_id id;
	enum kind kind;
	int64_t value;
	bool dynamic;
} rows[] = {
	{ "aggpercpu", PF_OPT_AGGPERCPU, FLAG, 0, false },
	{ "aggrate", PF_OPT_AGGRATE, RATE, 0, true },
	{ "aggsize", PF_OPT_AGGSIZE, SIZE, 4 << 20, false },
	{ "aggsortkey", PF_OPT_AGGSORTKEY, FLAG, 0, true },
	{ "aggsortkeypos", PF_OPT_AGGSORTKEYPOS, NUMBER, 0, true },
	{ "aggsortpos", PF_OPT_AGGSORTPOS, NUMBER, 0, true },
	{ "aggsortrev", PF_OPT_AGGSORTREV, FLAG, 0, true },
	{ "amin", PF_OPT_OTHER, WORD, 0, false },
	{ "argref", PF_OPT_ARGREF, FLAG, 0, false },
	{ "bpflog", PF_OPT_OTHER, FLAG, 0, false },
	{ "bpflogsize", PF_OPT_OTHER, SIZE, 0, false },
	{ "bufpolicy", PF_OPT_BUFPOLICY, WORD, 0, false },
	{ "bufresize", PF_OPT_BUFRESIZE, WORD, 0, false },
	{ "bufsize", PF_OPT_BUFSIZE, SIZE, 4 << 20, false },
	{ "cleanrate", PF_OPT_CLEANRATE, RATE, 9900990, true },
	{ "core", PF_OPT_OTHER, FLAG, 0, false },
	{ "cpp", PF_OPT_CPP, FLAG, 0, false },
	{ "cppargs", PF_OPT_OTHER, WORD, 0, false },
	{ "cpphdrs", PF_OPT_OTHER, FLAG, 0, false },
	{ "cpppath", PF_OPT_OTHER, WORD, 0, false },
	{ "cpu", PF_OPT_CPU, NUMBER, -1, false },
	{ "ctfpath", PF_OPT_OTHER, WORD, 0, false },
	{ "ctypes", PF_OPT_OTHER, WORD, 0, false },
	{ "debug", PF_OPT_OTHER, FLAG, 0, false },
	{ "defaultargs", PF_OPT_DEFAULTARGS, FLAG, 0, false },
	{ "define", PF_OPT_OTHER, WORD, 0, false },
	{ "destructive", PF_OPT_DESTRUCTIVE, FLAG, 0, false },
	{ "disasm", PF_OPT_OTHER, NUMBER, 0, false },
	{ "droptags", PF_OPT_DROPTAGS, FLAG, 0, false },
	{ "dtypes", PF_OPT_OTHER, WORD, 0, false },
	{ "dynvarsize", PF_OPT_DYNVARSIZE, SIZE, 1 << 20, false },
	{ "empty", PF_OPT_EMPTY, FLAG, 0, false },
	{ "errtags", PF_OPT_ERRTAGS, FLAG, 0, false },
	{ "evaltime", PF_OPT_EVALTIME, WORD, 0, false },
	{ "flowindent", PF_OPT_FLOWINDENT, FLAG, 0, true },
	{ "incdir", PF_OPT_OTHER, WORD, 0, false },
	{ "iregs", PF_OPT_OTHER, NUMBER, 0, false },
	{ "jstackframes", PF_OPT_OTHER, NUMBER, 50, false },
	{ "jstackstrsize", PF_OPT_OTHER, SIZE, 512, false },
	{ "kdefs", PF_OPT_OTHER, FLAG, 0, false },
	{ "knodefs", PF_OPT_OTHER, FLAG, 0, false },
	{ "late", PF_OPT_OTHER, WORD, 0, false },
	{ "lazyload", PF_OPT_OTHER, FLAG, 0, false },
	{ "ldpath", PF_OPT_OTHER, WORD, 0, false },
	{ "libdir", PF_OPT_OTHER, WORD, 0, false },
	{ "linkmode", PF_OPT_OTHER, WORD, 0, false },
	{ "linktype", PF_OPT_OTHER, WORD, 0, false },
	{ "lockmem", PF_OPT_LOCKMEM, WORD, 0, false },
	{ "maxframes", PF_OPT_MAXFRAMES, NUMBER, 127, false },
	{ "modpath", PF_OPT_OTHER, WORD, 0, false },
	{ "nolibs", PF_OPT_OTHER, FLAG, 0, false },
	{ "noresolve", PF_OPT_NORESOLVE, FLAG, 0, false },
	{ "nspec", PF_OPT_NSPEC, NUMBER, 1, false },
	{ "oformat", PF_OPT_OFORMAT, WORD, 0, false },
	{ "pcapsize", PF_OPT_OTHER, SIZE, 1514, false },
	{ "pgmax", PF_OPT_OTHER, NUMBER, 0, false },
	{ "preallocate", PF_OPT_OTHER, NUMBER, 0, false },
	{ "printsize", PF_OPT_PRINTSIZE, SIZE, 1024, false },
	{ "procfspath", PF_OPT_OTHER, WORD, 0, false },
	{ "pspec", PF_OPT_PSPEC, FLAG, 0, false },
	{ "quiet", PF_OPT_QUIET, FLAG, 0, true },
	{ "quietresize", PF_OPT_QUIETRESIZE, FLAG, 0, true },
	{ "rawbytes", PF_OPT_RAWBYTES, FLAG, 0, true },
	{ "scratchsize", PF_OPT_SCRATCHSIZE, SIZE, 256, false },
	{ "specsize", PF_OPT_SPECSIZE, SIZE, 4 << 20, false },
	{ "stackframes", PF_OPT_STACKFRAMES, NUMBER, 20, false },
	{ "stackindent", PF_OPT_STACKINDENT, NUMBER, 14, true },
	{ "statusrate", PF_OPT_STATUSRATE, RATE, 1000000000, true },
	{ "stdc", PF_OPT_STDC, WORD, 0, false },
	{ "strip", PF_OPT_OTHER, FLAG, 0, false },
	{ "strsize", PF_OPT_STRSIZE, SIZE, 256, false },
	{ "switchrate", PF_OPT_SWITCHRATE, RATE, 0, true },
	{ "syslibdir", PF_OPT_OTHER, WORD, 0, false },
	{ "sysslice", PF_OPT_OTHER, FLAG, 0, false },
	{ "temporal", PF_OPT_TEMPORAL, FLAG, 1, false },
	{ "tree", PF_OPT_TREE, NUMBER, 0, false },
	{ "tregs", PF_OPT_OTHER, NUMBER, 0, false },
	{ "udefs", PF_OPT_OTHER, FLAG, 0, false },
	{ "undef", PF_OPT_OTHER, WORD, 0, false },
	{ "unodefs", PF_OPT_OTHER, FLAG, 0, false },
	{ "useruid", PF_OPT_OTHER, NUMBER, 0, false },
	{ "ustackframes", PF_OPT_USTACKFRAMES, NUMBER, 100, false },
	{ "verbose", PF_OPT_VERBOSE, FLAG, 0, false },
	{ "version", PF_OPT_OTHER, WORD, 0, false },
	{ "zdefs", PF_OPT_ZDEFS, FLAG, 0, false },
};

void pf_trace_options_init(struct pf_trace_options *o)
{
	memset(o, 0, sizeof(*o));
	for (size_t i = 0; i < PF_N(rows); i++)
		o->value[rows[i].id] = rows[i].value;
	o->value[PF_OPT_OTHER] = 0;
}

void pf_trace_options_done(struct pf_trace_options *o)
{
	free(o->oformat);
	o->oformat = NULL;
}

/* number() - decimal, 0x hex or 0 octal at the front of @rest. */
static int number(struct pf_view *rest, int64_t *ret_v)
{
	bool minus = rest->n && rest->p[0] == '-';
	size_t i = minus ? 1 : 0;
	unsigned base = 10;
	if (i + 1 < rest->n && rest->p[i] == '0') {
		base = rest->p[i + 1] == 'x' || rest->p[i + 1] == 'X' ? 16 : 8;
		i += base == 16 ? 2 : 0;
	}
	size_t first = i;
	uint64_t v = 0;
	for (; i < rest->n; i++) {
		char c = rest->p[i];
		char low = pf_ascii_lower(c);
		unsigned digit = c >= '0' && c <= '9'	    ? (unsigned)(c - '0')
				 : low >= 'a' && low <= 'f' ? (unsigned)(low - 'a' + 10)
							    : 99;
		if (digit >= base)
			break;
		if (__builtin_mul_overflow(v, base, &v) || __builtin_add_overflow(v, digit, &v) || v > INT64_MAX)
			return -ERANGE;
	}
	if (i == first)
		return -EINVAL;
	*ret_v = minus ? -(int64_t)v : (int64_t)v;
	rest->p += i;
	rest->n -= i;
	return 0;
}

static int parse_flag(const char *text, int64_t *ret_v)
{
	static const char *const words[][2] = { { "no", "yes" },     { "disable", "enable" }, { "disabled", "enabled" },
						{ "false", "true" }, { "off", "on" },	      { "unset", "set" },
						{ "0", "1" } };
	for (size_t i = 0; i < PF_N(words); i++) {
		for (int v = 0; v < 2; v++) {
			if (strcasecmp(text, words[i][v]) == 0) {
				*ret_v = v;
				return 0;
			}
		}
	}
	struct pf_view rest = pf_view_of(text);
	int rc = number(&rest, ret_v);
	return rc < 0 || rest.n ? -EINVAL : 0;
}

static int parse_size(const char *text, int64_t *ret_v)
{
	struct pf_view rest = pf_view_of(text);
	int64_t v;
	int rc = number(&rest, &v);
	if (rc < 0 || v < 0 || rest.n > 1)
		return -EINVAL;
	static const char units[] = "kmgt";
	if (rest.n) {
		const char *unit = strchr(units, pf_ascii_lower(rest.p[0]));
		if (!unit || __builtin_mul_overflow(v, INT64_C(1) << (10 * (unit - units + 1)), &v))
			return -EINVAL;
	}
	*ret_v = v;
	return 0;
}

/* parse_rate() - as an interval in ns; a number without unit is per second. */
static int parse_rate(const char *text, int64_t *ret_v)
{
	static const struct {
		const char *name;
		int64_t ns;
	} units[] = { { "ns", 1 },
		      { "nsec", 1 },
		      { "us", 1000 },
		      { "usec", 1000 },
		      { "ms", 1000000 },
		      { "msec", 1000000 },
		      { "s", 1000000000 },
		      { "sec", 1000000000 },
		      { "m", INT64_C(60000000000) },
		      { "min", INT64_C(60000000000) },
		      { "h", INT64_C(3600000000000) },
		      { "hour", INT64_C(3600000000000) },
		      { "d", INT64_C(86400000000000) },
		      { "day", INT64_C(86400000000000) } };
	struct pf_view rest = pf_view_of(text);
	int64_t v;
	int rc = number(&rest, &v);
	if (rc < 0 || v < 0)
		return -EINVAL;
	if (!rest.n || (rest.n == 2 && strncasecmp(rest.p, "hz", 2) == 0)) {
		*ret_v = v ? INT64_C(1000000000) / v : 0;
		return 0;
	}
	for (size_t i = 0; i < PF_N(units); i++) {
		if (strlen(units[i].name) == rest.n && strncasecmp(rest.p, units[i].name, rest.n) == 0) {
			if (__builtin_mul_overflow(v, units[i].ns, ret_v))
				return -EINVAL;
			return 0;
		}
	}
	return -EINVAL;
}

static int parse_word(struct pf_trace_options *o, enum pf_option_id id, const char *text, int64_t *ret_v)
{
	if (id == PF_OPT_BUFPOLICY) {
		static const char *const words[] = { "switch", "ring", "fill" };
		for (int i = 0; i < 3; i++) {
			if (strcmp(text, words[i]) == 0) {
				*ret_v = i;
				return 0;
			}
		}
		return -EINVAL;
	}
	if (id == PF_OPT_BUFRESIZE || id == PF_OPT_EVALTIME) {
		static const char *const words[] = { "auto", "manual", "exec", "preinit", "postinit", "main" };
		for (int i = id == PF_OPT_BUFRESIZE ? 0 : 2; i < (id == PF_OPT_BUFRESIZE ? 2 : 6); i++) {
			if (strcmp(text, words[i]) == 0) {
				*ret_v = i;
				return 0;
			}
		}
		return -EINVAL;
	}
	if (id == PF_OPT_STDC)
		return strlen(text) == 1 && strchr("acst", *text) ? 0 : -EINVAL;
	if (id != PF_OPT_OFORMAT)
		return 0;
	int format = o->check_oformat ? o->check_oformat(text) : 0;
	if (format < 0)
		return format;
	char *copy = strdup(text);
	if (!copy)
		return -ENOMEM;
	free(o->oformat);
	o->oformat = copy;
	*ret_v = format;
	return 0;
}

/* acceptable() - limits of single options. */
static bool acceptable(enum pf_option_id id, int64_t v)
{
	switch (id) {
	case PF_OPT_STRSIZE:
		return v >= 1 && v <= 8192;
	case PF_OPT_NSPEC:
		return v >= 0 && v <= 63;
	case PF_OPT_STACKFRAMES:
	case PF_OPT_USTACKFRAMES:
	case PF_OPT_MAXFRAMES:
		return v >= 1 && v <= 1024;
	case PF_OPT_STACKINDENT:
		return v >= 0 && v <= 200;
	default:
		return true;
	}
}

int pf_trace_options_set(struct pf_trace_options *o, const char *name, const char *value, bool active,
			 struct pf_err *err)
{
	for (size_t i = 0; i < PF_N(rows); i++) {
		if (strcmp(rows[i].name, name) != 0)
			continue;
		int64_t v = 0;
		int rc = 0;
		if (active && !rows[i].dynamic)
			return pf_err_set(err, -EBUSY, "Operation illegal when tracing is active");
		if (rows[i].kind == FLAG)
			v = 1;
		if (rows[i].kind == FLAG ? value != NULL : true) {
			if (!value || !*value)
				rc = rows[i].kind == WORD && rows[i].id != PF_OPT_OFORMAT ? 0 : -EINVAL;
			else if (rows[i].kind == FLAG)
				rc = parse_flag(value, &v);
			else if (rows[i].kind == NUMBER || rows[i].kind == SIZE)
				rc = parse_size(value, &v);
			else if (rows[i].kind == RATE)
				rc = parse_rate(value, &v);
			else
				rc = parse_word(o, rows[i].id, value, &v);
		}
		if (rc == -ENOMEM)
			return pf_err_set(err, rc, "no memory");
		if (rc < 0 || !acceptable(rows[i].id, v))
			return pf_err_set(err, -EINVAL, "Invalid value for specified option");
		if (rows[i].id != PF_OPT_OTHER) {
			o->value[rows[i].id] = v;
			o->set[rows[i].id] = true;
		}
		return 0;
	}
	return pf_err_set(err, -EINVAL, "Invalid option name");
}

int64_t pf_trace_options_get(const struct pf_trace_options *o, const char *name)
{
	for (size_t i = 0; i < PF_N(rows); i++) {
		if (strcmp(rows[i].name, name) == 0)
			return rows[i].id == PF_OPT_OTHER ? rows[i].value : o->value[rows[i].id];
	}
	return -1;
}
