/* cmd/folio.c - `perfolio folio`, and pmafm by name: one command behind the folio, or many, as they are typed. */
#include "cmd/folio.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/nearest.h"
#include "base/sentence.h"
#include "cmd/cmd.h"
#include "cmd/say.h"

static const char usage_text[] = "usage: perfolio folio [SWITCHES] FOLIO [COMMAND [ARGUMENTS]]\n"
				 "       perfolio folio --make FOLIO FILE...\n"
				 "\n"
				 "  list [verbose]      what the folio names\n"
				 "  check               is every file there, and of the host that the folio tells?\n"
				 "  status              who is recorded now, until when, how large, how fast it grows\n"
				 "  stop                end recordings that are going on\n"
				 "  replay              show it\n"
				 "  [run] TOOL [ARGS]   a program on the archives; run ? lists those that are known\n"
				 "  repeat TOOL [ARGS]  the same, once for each archive\n"
				 "  remove              the command that removes all its files\n"
				 "  hosts, archives [LIST], selections    narrow what these work on, and tell it\n"
				 "  help, quit\n"
				 "\n"
				 "Without a command they are read from standard input. Beginnings of words will do.\n"
				 "\n"
				 "  --hosts LIST, --archives LIST    only these, by name or number\n"
				 "  --oformat FORMAT    status as json, jsonl, xml, html, csv\n"
				 "  --make              make a folio of archives, or files and folders of them\n"
				 "  --help              this text\n";

/* The text of pmafm 6.0.3. */
static const char peer_help[] = "PCP Archive Folio Manager\n"
				"\n"
				"Commands:\n"
				"  archives\t\t- select all archives\n"
				"  archives N[,...]\t- select archives with these ordinal numbers\n"
				"  archives name[,...]\t- select archives with these names\n"
				"  check\t\t\t- integrity check for folio\n"
				"  help\t\t\t- this message\n"
				"  hosts \t\t- select archives for all hosts (the default)\n"
				"  hosts hostname[,...]\t- select archives for just these hosts\n"
				"  list [verbose]\t- display folio contents\n"
				"  quit\t\t\t- exit\n"
				"  remove\t\t- echo the sh(1) command to delete all files\n"
				"\t\t\t  associated with the folio\n"
				"  repeat tool [arg ...]\t- execute a known PCP tool on each archive in turn\n"
				"  replay\t\t- replay archives using the tool that created the folio\n"
				"  [run] tool [arg ...]\t- execute a known PCP tool on the selected archives\n"
				"  selections\t\t- list selected archives\n"
				"  \n"
				"Selection:\n"
				"  If specified, both the \"archives\" and the \"hosts\" selection criteria\n"
				"  are applied as a conjunction.\n";

static void help(struct pf_folio_job *j, char **words)
{
	(void)words;
	(void)fputs(j->peer ? peer_help : usage_text, stdout);
}

static void quit(struct pf_folio_job *j, char **words)
{
	(void)words;
	j->quit = true;
}

/* pmafm traces its own commands then; there is nothing to see here. */
static void debug(struct pf_folio_job *j, char **words)
{
	(void)j;
	(void)words;
}

/* @whose: 0 everybody's, 1 pmafm's, 2 ours. */
static const struct command {
	const char *word;
	void (*run)(struct pf_folio_job *j, char **words);
	int whose;
} commands[] = {
	{ "archives", pf_folio_archives, 0 },
	{ "check", pf_folio_check, 0 },
	{ "debug", debug, 1 },
	{ "help", help, 0 },
	{ "hosts", pf_folio_hosts, 0 },
	{ "list", pf_folio_list, 0 },
	{ "quit", quit, 0 },
	{ "remove", pf_folio_remove, 0 },
	{ "repeat", pf_folio_repeat, 0 },
	{ "replay", pf_folio_replay, 0 },
	{ "run", pf_folio_run, 0 },
	{ "selections", pf_folio_selections, 0 },
	{ "status", pf_folio_status, 2 },
	{ "stop", pf_folio_stop, 2 },
};

void pf_folio_wrong(struct pf_folio_job *j, int status, const char *fmt, ...)
{
	char text[2 * PF_ERR_TEXT];
	va_list ap;
	va_start(ap, fmt);
	pf_sentence(text, sizeof(text), NULL, fmt, ap);
	va_end(ap);
	(void)fflush(stdout);
	(void)fprintf(stderr, "perfolio: %s\n", text);
	if (j->status < status)
		j->status = status;
}

const struct pf_folio_member **pf_folio_selected(struct pf_folio_job *j, bool *ret_all)
{
	const struct pf_folio_member **list = pf_folio_chosen(&j->file, ret_all);
	if (list && list[0])
		return list;
	free(list);
	if (j->peer)
		(void)puts("Error: no selected archives");
	else
		pf_folio_wrong(j, PF_EXIT_UNUSABLE,
			       j->file.n > 0 ? "%s: no archive is selected" : "%s: the folio names no archive",
			       j->file.path);
	return NULL;
}

/* The command of which @word is the only possible beginning, or the whole. */
static const struct command *find(const struct pf_folio_job *j, const char *word)
{
	const struct command *found = NULL;
	for (unsigned i = 0; i < PF_N(commands); i++) {
		const struct command *c = &commands[i];
		if (c->whose == (j->peer ? 2 : 1) || strncmp(c->word, word, strlen(word)) != 0)
			continue;
		if (strcmp(c->word, word) == 0)
			return c;
		if (found)
			return NULL;
		found = c;
	}
	return word[0] != '\0' ? found : NULL;
}

static void unknown(struct pf_folio_job *j, const char *word)
{
	struct pf_nearest near = { .word = pf_view_of(word) };
	if (j->peer) {
		(void)printf("Unknown command \"%s\" ... enter \"help\" for more information\n", word);
		return;
	}
	for (unsigned i = 0; i < PF_N(commands); i++) {
		if (commands[i].whose != 1)
			pf_nearest_offer(&near, pf_view_of(commands[i].word));
	}
	if (near.best.n > 0)
		pf_folio_wrong(j, PF_EXIT_USAGE, "no command '%s' for folios; was %.*s meant?", word, (int)near.best.n,
			       near.best.p);
	else
		pf_folio_wrong(j, PF_EXIT_USAGE,
			       "no command '%s' for folios, or not only one; see perfolio folio --help", word);
}

static void command(struct pf_folio_job *j, char **words)
{
	char run[] = "run";
	char *with_run[] = { run, NULL };
	const struct command *c = strcmp(words[0], "?") == 0 ? find(j, "help") : find(j, words[0]);
	j->status = PF_EXIT_OK;
	if (!pf_folio_is_tool(j, words[0])) {
		if (c)
			c->run(j, words);
		else
			unknown(j, words[0]);
		return;
	}
	unsigned n = 0;
	while (words[n])
		n++;
	char **more = calloc((size_t)n + 2, sizeof(*more));
	if (!more) {
		pf_folio_wrong(j, PF_EXIT_ERROR, "no memory");
		return;
	}
	more[0] = with_run[0];
	memcpy(more + 1, words, n * sizeof(*words));
	pf_folio_run(j, more);
	free(more);
}

/* The words of a line, which is cut up; the caller frees the list. Without memory or without words there is none. */
static char **split(char *line)
{
	char **words = NULL;
	unsigned n = 0;
	char *rest = line;
	for (char *word = strsep(&rest, " \t\n"); word; word = strsep(&rest, " \t\n")) {
		if (word[0] == '\0')
			continue;
		char **more = reallocarray(words, n + 2, sizeof(*more));
		if (!more)
			break;
		words = more;
		words[n++] = word;
		words[n] = NULL;
	}
	return words;
}

/* Programs that are run read on where we stopped, so not a byte more is taken than the line has. */
static void interactive(struct pf_folio_job *j)
{
	char *line = NULL;
	size_t size = 0;
	bool person = isatty(STDIN_FILENO);
	int worst = PF_EXIT_OK;
	const char *prompt = j->peer ? "pmafm> " : person && isatty(STDOUT_FILENO) ? "folio> " : "";
	(void)setvbuf(stdin, NULL, _IONBF, 0);
	while (!j->quit) {
		(void)fputs(prompt, stdout);
		(void)fflush(stdout);
		ssize_t n = getline(&line, &size, stdin);
		if (n < 0 || (j->peer && line[n - 1] != '\n'))
			break; /* a shell does not take half a line */
		char **words = split(line);
		if (words)
			command(j, words);
		worst = j->status > worst ? j->status : worst;
		free(words);
	}
	if (!j->quit && prompt[0] != '\0')
		(void)fputc('\n', stdout);
	free(line);
	j->status = j->peer || person ? PF_EXIT_OK : worst; /* whoever typed them has seen what came of it */
}

/* --hosts and --archives narrow what one command works on. */
static int narrow(struct pf_folio_job *j, const char *hosts, const char *archives)
{
	for (unsigned which = 0; which < 2; which++) {
		pf_autofree char *list = strdup(which == 0 ? hosts ? hosts : "" : archives ? archives : "");
		char *rest = list;
		for (char *word = strsep(&rest, ", "); word; word = strsep(&rest, ", ")) {
			if (word[0] == '\0')
				continue;
			int rc = which == 0 ? pf_folio_choose_host(&j->file, word)
					    : pf_folio_choose_archive(&j->file, word);
			if (rc < 0) {
				pf_folio_wrong(j, PF_EXIT_USAGE,
					       "%s %s: %s does not have it; perfolio folio %s list tells what it has",
					       which == 0 ? "--hosts" : "--archives", word, j->file.path, j->file.path);
				return rc;
			}
		}
	}
	return 0;
}

static int with_folio(struct pf_folio_job *j, char **words)
{
	struct pf_err err = { 0 };
	char program[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", program, sizeof(program) - 1);
	program[n > 0 ? n : 0] = '\0';
	j->program = program;
	if (pf_tools_read(&j->tools, &err) < 0) {
		pf_folio_wrong(j, PF_EXIT_ERROR, "%s", err.text);
		return j->status;
	}
	if (j->peer && !j->tools.configured)
		(void)printf("pmafm: Warning: no PCP tool configurations in %s/\n", j->tools.folder);
	for (unsigned i = 0; !j->peer && i < j->file.n_broken; i++)
		pf_folio_wrong(j, PF_EXIT_OK, "warning: %s: %s, ignoring it", j->file.path, j->file.broken[i]);
	if (words[0])
		command(j, words);
	else
		interactive(j);
	pf_tools_done(&j->tools);
	return j->status;
}

static int as_pmafm(int argc, char **argv)
{
	struct pf_folio_job j = { .peer = true };
	struct pf_err err = { 0 };
	const char *path = argc > 1 ? argv[1] : NULL;
	if (!path || strcmp(path, "-?") == 0 || strcmp(path, "--help") == 0) {
		(void)fprintf(stderr, "Usage: pmafm folioname [command [arg ...]]\n%s", path ? peer_help : "");
		if (path)
			(void)fputc('\n', stdout);
		return 1;
	}
	int status = 1;
	int rc = pf_folio_open(&j.file, path, &err);
	if (rc == -EBADMSG || rc == -EPROTO)
		(void)fprintf(stderr, "pmafm: \"%s%s\" is not in PCP archive folio format\n",
			      j.file.folder ? j.file.folder : "", j.file.name);
	else if (rc < 0)
		(void)fprintf(stderr, "pmafm: cannot open folio \"%s\"\n", path);
	else
		status = with_folio(&j, argv + 2);
	pf_folio_close(&j.file);
	return status;
}

static int refuse(const struct pf_err *err)
{
	(void)fprintf(stderr, "perfolio folio: %s\n", err->text);
	return PF_EXIT_USAGE;
}

static int run(int argc, char **argv, const char *called)
{
	enum { HELP = 256, MAKE, HOSTS, ARCHIVES, OFORMAT };
	static const struct option longs[] = { { "make", no_argument, NULL, MAKE },
					       { "hosts", required_argument, NULL, HOSTS },
					       { "archives", required_argument, NULL, ARCHIVES },
					       { "oformat", required_argument, NULL, OFORMAT },
					       { "help", no_argument, NULL, HELP },
					       { 0 } };
	struct pf_folio_job j = { 0 };
	struct pf_err err = { 0 };
	const char *hosts = NULL;
	const char *archives = NULL;
	bool make = false;
	if (called)
		return as_pmafm(argc, argv);
	opterr = 0;
	for (int o = getopt_long(argc, argv, "+:", longs, NULL); o != -1;
	     o = getopt_long(argc, argv, "+:", longs, NULL)) {
		switch (o) {
		case MAKE:
			make = true;
			break;
		case HOSTS:
			hosts = optarg;
			break;
		case ARCHIVES:
			archives = optarg;
			break;
		case OFORMAT:
			if (pf_doc_options_parse(optarg, true, &j.oformat, &err) < 0)
				return refuse(&err);
			break;
		case HELP:
			(void)fputs(usage_text, stdout);
			return PF_EXIT_OK;
		default:
			(void)pf_bad_switch(o, argv, "folio", &err);
			return refuse(&err);
		}
	}
	if (optind == argc || (make && optind + 1 == argc)) {
		(void)pf_err_set(&err, -EINVAL, "%s; see perfolio folio --help",
				 make ? "a folio and what goes into it are to be named" : "no folio is named");
		return refuse(&err);
	}
	if (make)
		return pf_folio_make(argv[optind], argv + optind + 1);
	int rc = pf_folio_open(&j.file, argv[optind], &err);
	if (rc < 0)
		pf_folio_wrong(&j, rc == -EBADMSG || rc == -EPROTO ? PF_EXIT_UNUSABLE : PF_EXIT_ERROR, "%s", err.text);
	else
		rc = narrow(&j, hosts, archives);
	if (rc == 0)
		(void)with_folio(&j, argv + optind + 1);
	pf_folio_close(&j.file);
	return j.status;
}

const struct pf_cmd pf_cmd_folio = { "folio", "pmafm", "look after the archives of a folio, and who records them",
				     run };

static int run_mkaf(int argc, char **argv, const char *called)
{
	(void)called;
	return pf_mkaf(argc, argv);
}

const struct pf_cmd pf_cmd_mkaf = { NULL, "mkaf", NULL, run_mkaf };
