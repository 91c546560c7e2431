/* cmd/trace_options.c - the command line of `perfolio trace` and dtrace. Source of letters, messages and statuses: dtrace(1). */
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/sentence.h"
#include "cmd/cmd.h"
#include "cmd/trace.h"
#include "formats/text/doc.h"

enum { OFORMAT = 256, HELP };

void pf_trace_say(const struct pf_trace_args *a, const char *fmt, ...)
{
	char text[2 * PF_ERR_TEXT];
	va_list args;
	va_start(args, fmt);
	pf_sentence(text, sizeof(text), NULL, fmt, args);
	va_end(args);
	(void)fprintf(stderr, "%s: %s\n", a->called, text);
}

int pf_trace_usage(const struct pf_trace_args *a, bool asked)
{
	(void)fprintf(asked ? stdout : stderr,
		      "usage: %s [-32|-64] [-BCeFHlOqSvVwZ] [-b bufsz] [-c cmd] [-D name[=def]] [-I path] [-L path]\n"
		      "\t[-o output] [-p pid] [-s script] [-U name] [-x opt[=val]] [-X a|c|s|t]\n"
		      "\t[-P provider [[predicate] action]] [-m [provider:]module [...]]\n"
		      "\t[-f [[provider:]module:]func [...]] [-n [[[provider:]module:]func:]name [...]]\n"
		      "\t[-i probe-id [...]] [args ...]\n\n"
		      "  -n 'syscall::openat:entry { @[execname] = count(); }'   trace with a one-line program\n"
		      "  -s FILE            trace with a program from a file; args are its $1, $2 ...\n"
		      "  -P -m -f -i        as -n, by provider, module, function, number of a probe\n"
		      "  -l                 list matching probes; -v: with the types of their arguments\n"
		      "  -c CMD, -p PID     until this command or process ends; $target is its pid\n"
		      "  -x OPTION[=VALUE]  set an option; -b SIZE: space for records, as -x bufsize\n"
		      "  -x oformat=json    output as a document: json, xml, html; -O: all aggregations, too\n"
		      "  --oformat json     the same, also jsonl and csv\n"
		      "  -q, -F             only what the program prints; indent by entry and return\n"
		      "  -o FILE            output to a file\n"
		      "  -w, -Z             allow destructive actions; a description may match no probe\n"
		      "  -e                 compile only; -S: show the instructions; -v: tell stability\n"
		      "  -C                 run scripts through cpp first; -D -U -I -H are passed to it\n"
		      "  -L FOLDER          read libraries, *.d, from this folder\n"
		      "  -B -X -32 -64      taken for compatibility;  -V: version of the D interface\n",
		      a->called);
	return asked ? PF_EXIT_OK : PF_EXIT_USAGE;
}

/* for_cpp() - an option of -x that is only for the preprocessor. False: another one. */
static bool for_cpp(struct pf_trace_args *a, const char *name, const char *value)
{
	static const struct {
		const char *name;
		char letter;
	} rows[] = { { "define", 'D' }, { "undef", 'U' }, { "incdir", 'I' } };
	for (size_t i = 0; i < PF_N(rows); i++) {
		if (strcmp(rows[i].name, name) == 0 && value)
			return pf_cpp_option(rows[i].letter, value) == 0;
	}
	if (strcmp(name, "cpphdrs") == 0)
		return pf_cpp_option('H', NULL) == 0;
	if (strcmp(name, "cpppath") == 0 && value) {
		pf_cpp_path(value);
		return true;
	}
	if (strcmp(name, "cpp") == 0)
		a->cpp = true; /* and let the session know */
	return false;
}

/* set_option() - "name" or "name=value" of -x. */
static int set_option(struct pf_trace_args *a, struct pf_trace *t, char *text)
{
	struct pf_err err = { 0 };
	char *equals = strchr(text, '=');
	if (equals)
		*equals = 0;
	const char *value = equals ? equals + 1 : NULL;
	int rc = for_cpp(a, text, value) ? 0 : pf_trace_setopt(t, text, value, &err);
	if (rc < 0)
		pf_trace_say(a, "failed to set -x %s: %s", text, err.text);
	if (equals)
		*equals = '=';
	return rc;
}

/* check_words() - the formats of option oformat, numbered as dtrace_getopt() tells them; @all: those of our other commands, too. */
static int check_words(const char *words, bool all)
{
	struct pf_doc_options o;
	return pf_doc_options_parse(words, all, &o, NULL) < 0 ? -EINVAL : (int)o.format;
}

static int check_peers(const char *words)
{
	return check_words(words, false);
}

static int check_all(const char *words)
{
	return check_words(words, true);
}

/* set_oformat() - --oformat: as -x oformat, with the words of our other commands, and errors that name what is wrong. */
static int set_oformat(const struct pf_trace_args *a, struct pf_trace *t, const char *words)
{
	struct pf_err err = { 0 };
	struct pf_doc_options o;
	int rc = pf_doc_options_parse(words, true, &o, &err);
	pf_trace_check_oformat(t, check_all);
	if (rc == 0)
		rc = pf_trace_setopt(t, "oformat", words, &err);
	pf_trace_check_oformat(t, check_peers);
	if (rc < 0)
		pf_trace_say(a, "%s", err.text);
	return rc;
}

/* set_letter() - an option that has a letter of its own. */
static int set_letter(const struct pf_trace_args *a, struct pf_trace *t, char letter, const char *name,
		      const char *value)
{
	struct pf_err err = { 0 };
	int rc = pf_trace_setopt(t, name, value, &err);
	if (rc < 0 && value)
		pf_trace_say(a, "failed to set -%c %s: %s", letter, value, err.text);
	else if (rc < 0)
		pf_trace_say(a, "failed to set -%c: %s", letter, err.text);
	return rc;
}

/* set_from_environment() - DTRACE_OPT_NAME=value. */
static int set_from_environment(struct pf_trace_args *a, struct pf_trace *t)
{
	static const char prefix[] = "DTRACE_OPT_";
	for (char **e = environ; *e; e++) {
		if (strncmp(*e, prefix, sizeof(prefix) - 1) != 0)
			continue;
		pf_autofree char *text = strdup(*e + sizeof(prefix) - 1);
		if (!text)
			return -ENOMEM;
		for (char *p = text; *p && *p != '='; p++)
			*p = *p >= 'A' && *p <= 'Z' ? (char)(*p - 'A' + 'a') : *p;
		int rc = set_option(a, t, text);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int add_text(struct pf_trace_args *a, enum pf_d_origin origin, const char *given)
{
	if (a->n_texts == PF_TRACE_MOST_TEXTS) {
		pf_trace_say(a, "more than %d programs", PF_TRACE_MOST_TEXTS);
		return -E2BIG;
	}
	a->texts[a->n_texts++] = (struct pf_trace_word){ .origin = origin, .given = given };
	return 0;
}

static int set_mode(struct pf_trace_args *a, char mode)
{
	if (a->mode && a->mode != mode) {
		pf_trace_say(a, "only one of the [-GhlV] options can be specified at a time");
		return -EINVAL;
	}
	a->mode = mode;
	return 0;
}

/* add_library() - -L: its files are compiled at once, in the order of their names. */
static int add_library(const struct pf_trace_args *a, struct pf_trace *t, const char *folder)
{
	struct pf_err err = { 0 };
	int rc = pf_trace_library(t, folder, &err);
	if (rc < 0)
		pf_trace_say(a, "failed to set -L %s: %s", folder, err.text);
	return rc;
}

/* illegal() - an option that there is not, or one without its value. */
static int illegal(const struct pf_trace_args *a, int c, char **argv)
{
	if (optopt > 0 && optopt < 0x7f && c == ':' && a->ours)
		pf_trace_say(a, "-%c needs a value behind it", optopt);
	else if (optopt > 0 && optopt < 0x7f)
		pf_trace_say(a, "illegal option -- %c", optopt);
	else
		pf_trace_say(a, "illegal option %s", argv[optind - 1]);
	return -EINVAL;
}

/* flag() - options that set one thing. Return: 1: another option; 0; negative: said already. */
static int flag(struct pf_trace_args *a, struct pf_trace *t, int c)
{
	static const struct {
		char letter;
		const char *name;
	} options[] = { { 'F', "flowindent" }, { 'q', "quiet" },   { 'w', "destructive" }, { 'Z', "zdefs" },
			{ 'v', "verbose" },    { 'b', "bufsize" }, { 'X', "stdc" } };
	static const struct {
		char letter;
		enum pf_d_origin origin;
	} texts[] = { { 's', PF_D_SCRIPT }, { 'n', PF_D_NAME },	    { 'P', PF_D_PROVIDER },
		      { 'm', PF_D_MODULE }, { 'f', PF_D_FUNCTION }, { 'i', PF_D_ID } };
	a->verbose |= c == 'v';
	a->cpp |= c == 'C';
	a->listing |= c == 'S';
	a->all_aggregations |= c == 'O';
	for (size_t i = 0; i < PF_N(options); i++) {
		if (options[i].letter == c)
			return set_letter(a, t, options[i].letter, options[i].name, optarg);
	}
	for (size_t i = 0; i < PF_N(texts); i++) {
		if (texts[i].letter == c)
			return add_text(a, texts[i].origin, optarg);
	}
	return c == 'C' || c == 'S' || c == 'O' || c == 'B' ? 0 : 1;
}

/* not_here() - what other systems have. */
static int not_here(const struct pf_trace_args *a, int c)
{
	if (c == 'A' || c == 'a')
		pf_trace_say(a, "-%c: anonymous tracing does not exist on Linux", c);
	else
		pf_trace_say(a,
			     "-%c: static probes are built with <sys/sdt.h> on Linux; no object file or header has "
			     "to be made for them",
			     c);
	return -ECANCELED;
}

/* one_option() - Return: 0; -EINVAL usage; other negative: said already. */
static int one_option(struct pf_trace_args *a, struct pf_trace *t, int c, char **argv)
{
	int rc = flag(a, t, c);
	if (rc <= 0)
		return rc < 0 ? -ECANCELED : 0;
	switch (c) {
	case OFORMAT:
		rc = set_oformat(a, t, optarg);
		break;
	case 'x':
		rc = set_option(a, t, optarg);
		break;
	case 'c':
		a->command = optarg;
		return 0;
	case 'p':
		rc = pf_trace_add_pid(a, optarg);
		break;
	case 'o':
		a->output = optarg;
		return 0;
	case 'e':
	case 'l':
	case 'V':
		return set_mode(a, (char)c);
	case 'D':
	case 'I':
	case 'U':
	case 'H':
		rc = pf_cpp_option((char)c, optarg);
		if (rc < 0)
			pf_trace_say(a, "too many options for the preprocessor");
		break;
	case 'L':
		rc = add_library(a, t, optarg);
		break;
	case 'A':
	case 'a':
	case 'G':
	case 'h':
		return not_here(a, c);
	case '3':
	case '6':
		if (strcmp(optarg, c == '3' ? "2" : "4") != 0) {
			optopt = c;
			return illegal(a, '?', argv);
		}
		if (c == '6')
			return 0;
		pf_trace_say(a, "-32: programs have the data model of the kernel, which has 64 bits");
		return -ECANCELED;
	default:
		return illegal(a, c, argv);
	}
	return rc < 0 ? -ECANCELED : 0;
}

int pf_trace_options(struct pf_trace_args *a, struct pf_trace *t, int argc, char **argv)
{
	static const struct option longs[] = { { "oformat", required_argument, NULL, OFORMAT },
					       { "help", no_argument, NULL, HELP },
					       { 0 } };
	static const char letters[] = ":3:6:aABb:Cc:D:eFf:GhHI:i:L:lm:n:Oo:P:p:qSs:U:VvwX:x:Z";
	opterr = 0;
	pf_trace_check_oformat(t, check_peers);
	if (set_from_environment(a, t) < 0)
		return PF_EXIT_ERROR;
	for (int c; (c = getopt_long(argc, argv, letters, longs, NULL)) != -1;) {
		if (c == HELP)
			return pf_trace_usage(a, true) ? PF_EXIT_ERROR : -ECANCELED;
		int rc = one_option(a, t, c, argv);
		if (rc < 0)
			return rc == -EINVAL ? pf_trace_usage(a, false) : PF_EXIT_ERROR;
	}
	return 0;
}
