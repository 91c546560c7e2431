/* cmd/folio_run.c - programs on the archives of a folio, without a shell: PCP's, those of the user's files, and our own. */
#include "cmd/folio.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/program.h"
#include "base/view.h"
#include "cmd/cmd.h"
#include "cmd/say.h"

enum { LIST_WIDTH = 74 };

/* Commands of ours that take recordings. @last: the recording stands before the last word */
static const struct own {
	const char *word;
	bool last;
} owns[] = { { "replay", false }, { "info", false }, { "verify", false }, { "convert", true } };

/* Words of a program that is about to be run; those of @list belong to somebody else. */
struct line {
	const char **list;
	unsigned n;
	bool failed;
};

static void add(struct line *l, const char *word)
{
	const char **more = reallocarray(l->list, l->n + 2, sizeof(*more));
	l->failed |= !more;
	if (!more)
		return;
	l->list = more;
	more[l->n++] = word;
	more[l->n] = NULL;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static const struct own *find_own(const char *word)
{
	for (unsigned i = 0; word && i < PF_N(owns); i++) {
		if (strcmp(owns[i].word, word) == 0)
			return &owns[i];
	}
	return NULL;
}

static bool is_perfolio(const char *word)
{
	return strcmp(last_part(word), "perfolio") == 0;
}

bool pf_folio_is_tool(const struct pf_folio_job *j, const char *word)
{
	if (strcmp(word, "perfolio") == 0)
		return true;
	if (!j->peer && strcmp(word, "replay") != 0 && find_own(word))
		return true;
	return (pf_tools_classes(&j->tools, word) & (PF_TOOL_MULTI | PF_TOOL_SINGLE)) != 0;
}

/* In lines that are as full as may be, each behind a tab. */
static void known(const struct pf_folio_job *j)
{
	size_t width = 0;
	(void)puts(j->peer ? "Known PCP tools:" : "Known programs:");
	if (!j->peer) {
		(void)fputs("\tperfolio replay, perfolio info, perfolio verify, perfolio convert", stdout);
		width = LIST_WIDTH;
	}
	for (unsigned i = 0; i < j->tools.n; i++) {
		const struct pf_tool *t = &j->tools.tools[i];
		if (!(t->classes & (PF_TOOL_MULTI | PF_TOOL_SINGLE)))
			continue;
		size_t n = strlen(t->name);
		bool fits = width > 0 && width + 1 + n <= LIST_WIDTH;
		(void)printf("%s%s", fits ? " " : width > 0 ? "\n\t" : "\t", t->name);
		width = fits ? width + 1 + n : n;
	}
	(void)fputc('\n', stdout);
}

static void cannot_run(struct pf_folio_job *j, const char *name, int rc)
{
	if (j->peer) {
		(void)fprintf(stderr, "pmafm: %s: %s\n", name, rc == -ENOENT ? "not found" : strerror(-rc));
		j->status = rc == -ENOENT ? 127 : 126;
	} else if (rc == -ENOENT && !strchr(name, '/')) {
		pf_folio_wrong(j, PF_EXIT_ERROR, "cannot run %s: no such program in the folders of $PATH", name);
	} else {
		pf_folio_wrong(j, PF_EXIT_ERROR, "cannot run %s: %s", name, strerror(-rc));
	}
}

/* Run it. The status is that of the last program for pmafm, and the first that is not 0 for us. */
static void start(struct pf_folio_job *j, struct line *l)
{
	int status = 0;
	(void)fflush(stdout);
	if (l->failed) {
		pf_folio_wrong(j, PF_EXIT_ERROR, "no memory");
		return;
	}
	int rc = pf_program_run(l->list, -1, &status);
	if (rc < 0) {
		cannot_run(j, l->list[0], rc);
		return;
	}
	if (WIFSIGNALED(status))
		(void)fprintf(stderr, "%s\n", strsignal(WTERMSIG(status)));
	int exit_status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	if (j->peer || j->status == 0)
		j->status = exit_status;
}

static unsigned count(const struct pf_folio_member **list)
{
	unsigned n = 0;
	while (list[n])
		n++;
	return n;
}

/* Before programs that are run once for each archive. */
static void note(const struct pf_folio_member **list, const char *name)
{
	if (count(list) > 1)
		(void)printf("Note: running %s serially, once per archive\n", name);
}

static void headline(const struct pf_folio_member *m)
{
	struct pf_buf b = { 0 };
	pf_buf_str(&b, "Host: ");
	pf_escape_text(&b, pf_view_of(m->host));
	pf_buf_str(&b, " Archive: ");
	pf_escape_text(&b, pf_view_of(m->path));
	(void)printf("%s\n", b.p ? b.p : "");
	pf_buf_done(&b);
}

/* TOOL -a P1 -a P2 ... ARGS */
static void together(struct pf_folio_job *j, char **words, const struct pf_folio_member **list)
{
	struct line l = { 0 };
	add(&l, words[0]);
	for (unsigned i = 0; list[i]; i++) {
		add(&l, "-a");
		add(&l, list[i]->path);
	}
	for (unsigned i = 1; words[i]; i++)
		add(&l, words[i]);
	start(j, &l);
	free(l.list);
}

/* TOOL -a P ARGS, or TOOL ARGS P, for each. */
static void one_by_one(struct pf_folio_job *j, char **words, bool special, const struct pf_folio_member **list)
{
	note(list, words[0]);
	for (unsigned i = 0; list[i]; i++) {
		struct line l = { 0 };
		headline(list[i]);
		add(&l, words[0]);
		if (!special) {
			add(&l, "-a");
			add(&l, list[i]->path);
		}
		for (unsigned k = 1; words[k]; k++)
			add(&l, words[k]);
		if (special)
			add(&l, list[i]->path);
		start(j, &l);
		free(l.list);
	}
	if (j->peer && special)
		j->status = 0; /* whatever the program says */
}

/* perfolio COMMAND with @n recordings before, or behind, the words of the user. */
static void start_own(struct pf_folio_job *j, const struct own *own, char **args, const char *const *recordings,
		      unsigned n)
{
	struct line l = { 0 };
	add(&l, j->program[0] != '\0' ? j->program : "perfolio");
	add(&l, own->word);
	unsigned k = 0;
	for (; args[k] && (!own->last || args[k + 1]); k++)
		add(&l, args[k]);
	for (unsigned i = 0; i < n; i++)
		add(&l, recordings[i]);
	if (args[k])
		add(&l, args[k]);
	start(j, &l);
	free(l.list);
}

/* What is chosen as one recording: the folio, the one archive, or a list. The caller frees; NULL: it cannot be said. */
static char *as_one(const struct pf_folio_job *j, const struct pf_folio_member **list, bool all)
{
	struct pf_buf b = { 0 };
	if (all)
		return strdup(j->file.path);
	for (unsigned i = 0; list[i]; i++) {
		if (list[1] && strchr(list[i]->path, ','))
			b.failed = -EINVAL;
		pf_buf_fmt(&b, "%s%s", i > 0 ? "," : "", list[i]->path);
	}
	char *text = b.failed ? NULL : pf_view_dup(pf_buf_text(&b));
	pf_buf_done(&b);
	return text;
}

static void run_own(struct pf_folio_job *j, const struct own *own, char **args, bool repeat)
{
	bool all;
	pf_autofree const struct pf_folio_member **list = pf_folio_selected(j, &all);
	if (!list)
		return;
	if (repeat) {
		note(list, own->word);
		for (unsigned i = 0; list[i]; i++) {
			const char *one = list[i]->path;
			headline(list[i]);
			start_own(j, own, args, &one, 1);
		}
		return;
	}
	pf_autofree char *recording = as_one(j, list, all);
	if (recording)
		start_own(j, own, args, (const char *[]){ recording }, 1);
	else
		pf_folio_wrong(j, PF_EXIT_ERROR, "%s: names of archives with commas cannot be joined; use repeat",
			       j->file.path);
}

static void no_tool(struct pf_folio_job *j, const char *word)
{
	if (word && strcmp(word, "?") == 0) {
		known(j);
		return;
	}
	if (j->peer && word)
		(void)printf("Error: Unknown PCP tool: %s\n", word);
	else if (j->peer)
		(void)puts("Error: missing PCP tool name");
	else if (word && is_perfolio(word))
		pf_folio_wrong(j, PF_EXIT_USAGE, "perfolio replay, info, verify and convert can be run on archives");
	else if (word)
		pf_folio_wrong(
			j, PF_EXIT_USAGE,
			"how %s takes archives is not known; a file in ~/.pcp/pmafm can say it, see perfolio-folio(1)",
			word);
	else
		pf_folio_wrong(j, PF_EXIT_USAGE, "which program is to be run? run ? lists those that are known");
	if (j->peer)
		known(j);
}

static void run_tool(struct pf_folio_job *j, char **words, bool repeat)
{
	const char *word = words[0];
	const struct own *own = word && is_perfolio(word) ? find_own(words[1]) : NULL;
	if (own) {
		run_own(j, own, words + 2, repeat);
		return;
	}
	own = j->peer ? NULL : find_own(word);
	if (own) {
		run_own(j, own, words + 1, repeat);
		return;
	}
	unsigned classes = word ? pf_tools_classes(&j->tools, last_part(word)) : 0;
	if (!(classes & (PF_TOOL_MULTI | PF_TOOL_SINGLE))) {
		no_tool(j, word);
		return;
	}
	bool all;
	pf_autofree const struct pf_folio_member **list = pf_folio_selected(j, &all);
	if (!list)
		return;
	if ((classes & PF_TOOL_MULTI) && !repeat)
		together(j, words, list);
	else
		one_by_one(j, words, classes & PF_TOOL_SPECIAL, list);
}

void pf_folio_run(struct pf_folio_job *j, char **words)
{
	run_tool(j, words + 1, false);
}

void pf_folio_repeat(struct pf_folio_job *j, char **words)
{
	run_tool(j, words + 1, true);
}

/* By the program that made it. */
static void by_creator(struct pf_folio_job *j, char *config)
{
	char c[] = "-c";
	char *words[] = { j->file.creator, config ? c : NULL, config, NULL };
	unsigned classes = pf_tools_classes(&j->tools, j->file.creator);
	if (!(classes & PF_TOOL_REPLAY)) {
		pf_say(stdout,
		       "Error: I don't know how to replay a folio created by \"%s\"\n"
		       "       ... choose a PCP tool and use the \"run\" command to replay",
		       j->file.creator);
		return;
	}
	if (!(classes & (PF_TOOL_MULTI | PF_TOOL_SINGLE))) {
		pf_say(stdout, "Sorry, don't know how to run \"%s\" ...", j->file.creator);
		return;
	}
	run_tool(j, words, false);
}

/* What only its maker can show needs a file of the maker's; everything else we show as well. */
void pf_folio_replay(struct pf_folio_job *j, char **words)
{
	struct pf_folio_file *f = &j->file;
	bool ours = f->creator && !f->creator_extra && strcmp(f->creator, "perfolio") == 0;
	pf_autofree char *config = f->replay && !f->creator_extra ? pf_folio_beside(f, f->replay) : NULL;
	if (!j->peer) {
		unsigned classes = f->creator ? pf_tools_classes(&j->tools, f->creator) : 0;
		ours |= !config || access(config, F_OK) != 0 || !(classes & PF_TOOL_REPLAY) ||
			pf_program_find(f->creator) < 0;
	}
	if (ours) {
		run_own(j, find_own("replay"), j->peer ? (char *[]){ NULL } : words + 1, false);
		return;
	}
	if (!f->creator || f->creator_extra) {
		(void)puts("Error: cannot determine folio creator");
		return;
	}
	if (config) {
		pf_say(stdout, "Configuration File: %s", config);
		if (access(config, F_OK) != 0) {
			(void)puts("Error: cannot find Configuration File");
			return;
		}
	}
	by_creator(j, config);
}
