/* cmd/modules_check.c - `perfolio modules --check`: the phases of a check, one after the other, and what came of them. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/view.h"
#include "cmd/cmd.h"
#include "cmd/modules.h"
#include "engine/lab.h"

static const char *const phases[PF_N_LAB_PHASES] = {
	[PF_LAB_LIVE] = "live",
	[PF_LAB_RECORD] = "record",
	[PF_LAB_PLAYBACK] = "playback",
	[PF_LAB_LONG] = "long run",
};

/* @found: by phase; the parent's own findings are lines like the child's */
struct result {
	struct pf_buf found[PF_N_LAB_PHASES];
	bool refused;
};

/* Words of a line between its tabs. */
struct words {
	struct pf_view word[6];
	unsigned n;
};

static struct words cut(struct pf_view line)
{
	struct words w = { .n = 0 };
	while (w.n < PF_N(w.word)) {
		const char *tab = line.n > 0 && w.n + 1 < PF_N(w.word) ? memchr(line.p, '\t', line.n) : NULL;
		size_t n = tab ? (size_t)(tab - line.p) : line.n;
		w.word[w.n++] = (struct pf_view){ line.p, n };
		if (!tab)
			break;
		line = (struct pf_view){ tab + 1, line.n - n - 1 };
	}
	for (unsigned i = w.n; i < PF_N(w.word); i++)
		w.word[i] = pf_view_of("");
	return w;
}

static bool is(struct pf_view word, const char *text)
{
	return word.n == strlen(text) && memcmp(word.p, text, word.n) == 0;
}

static void note_end(struct pf_buf *found, const struct pf_lab_end *end)
{
	const char *where = end->callback[0] != '\0' ? end->callback : "loading";
	if (end->late)
		pf_buf_fmt(found, "misuse\t%s did not come back and was ended\n", where);
	else if (end->signal)
		pf_buf_fmt(found, "misuse\t%s ended the process: %s (signal %d)\n", where, strsignal(end->signal),
			   end->signal);
	else if (end->status)
		pf_buf_fmt(found, "misuse\t%s ended the process with status %d\n", where, end->status);
}

static unsigned count(const struct result *r, const char *word)
{
	unsigned n = 0;
	for (unsigned i = 0; i < PF_N_LAB_PHASES; i++) {
		struct pf_view rest = pf_buf_text(&r->found[i]), line;
		while (pf_view_line(&rest, &line) == 0)
			n += is(cut(line).word[0], word);
	}
	return n;
}

/* Has an earlier phase said the same? */
static bool is_known(const struct result *r, unsigned phase, struct pf_view said)
{
	for (unsigned i = 0; i < phase; i++) {
		struct pf_view rest = pf_buf_text(&r->found[i]), line;
		while (pf_view_line(&rest, &line) == 0) {
			if (line.n == said.n && memcmp(line.p, said.p, said.n) == 0)
				return true;
		}
	}
	return false;
}

/* Different ones. */
static unsigned count_misuses(const struct result *r)
{
	unsigned n = 0;
	for (unsigned i = 0; i < PF_N_LAB_PHASES; i++) {
		struct pf_view rest = pf_buf_text(&r->found[i]), line;
		while (pf_view_line(&rest, &line) == 0)
			n += is(cut(line).word[0], "misuse") && !is_known(r, i, line);
	}
	return n;
}

static double number(struct pf_view word)
{
	uint64_t v = 0;
	(void)pf_view_u64(word, &v); /* our own numbers */
	return (double)v;
}

static void print_line(const struct result *r, unsigned phase, struct pf_view line)
{
	struct words w = cut(line);
	if (is(w.word[0], "callback"))
		printf("  %-16.*s %8.*s calls, %8.1f us each, %8.1f us at most\n", (int)w.word[1].n, w.word[1].p,
		       (int)w.word[2].n, w.word[2].p, number(w.word[3]) / 1000 / number(w.word[2]),
		       number(w.word[4]) / 1000);
	else if (is(w.word[0], "records"))
		printf("  records          %8.*s of %.*s bytes\n", (int)w.word[1].n, w.word[1].p, (int)w.word[2].n,
		       w.word[2].p);
	else if (is(w.word[0], "metric") && number(w.word[2]) > 0)
		printf("  metric %.*s = %.*s (%.*s instances)\n", (int)w.word[1].n, w.word[1].p, (int)w.word[3].n,
		       w.word[3].p, (int)w.word[2].n, w.word[2].p);
	else if (is(w.word[0], "metric"))
		printf("  metric %.*s = %.*s\n", (int)w.word[1].n, w.word[1].p, (int)w.word[3].n, w.word[3].p);
	else if (is(w.word[0], "intervals"))
		printf("  intervals        %8.*s\n", (int)w.word[1].n, w.word[1].p);
	else if (is(w.word[0], "withdrawn"))
		printf("  Init took it back: with these arguments it has nothing to do here\n");
	else if (is(w.word[0], "said"))
		printf("  says (%.*s): %.*s\n", (int)w.word[1].n, w.word[1].p, (int)w.word[2].n, w.word[2].p);
	else if ((is(w.word[0], "misuse") || is(w.word[0], "note") || is(w.word[0], "refused")) &&
		 !is_known(r, phase, line))
		printf("  %.*s: %.*s\n", (int)w.word[0].n, w.word[0].p, (int)(line.n - w.word[0].n - 1),
		       line.p + w.word[0].n + 1);
}

static void print_all(const struct result *r, const char *path)
{
	printf("%s\n", path);
	for (unsigned i = 0; i < PF_N_LAB_PHASES; i++) {
		struct pf_view rest = pf_buf_text(&r->found[i]), line;
		if (rest.n > 0)
			printf("%s\n", phases[i]);
		while (pf_view_line(&rest, &line) == 0)
			print_line(r, i, line);
	}
	unsigned n = count_misuses(r);
	if (r->refused)
		printf("refused\n");
	else if (n == 0)
		printf("fine\n");
	else
		printf("%u misuse%s\n", n, n == 1 ? "" : "s");
}

static void doc_words(struct pf_doc *doc, const struct words *w, const char *const *names, unsigned n,
		      const char *numbers)
{
	pf_doc_object_begin(doc, NULL);
	for (unsigned i = 0; i < n; i++) {
		uint64_t v;
		if (numbers[i] == 'n' && pf_view_u64(w->word[i + 1], &v) == 0)
			pf_doc_uint(doc, names[i], v);
		else
			pf_doc_text(doc, names[i], w->word[i + 1]);
	}
	pf_doc_object_end(doc);
}

/* Lines of one word as a list of objects, or of texts when there is one name. */
static void doc_list(struct pf_doc *doc, struct pf_view rest, const char *word, const char *list,
		     const char *const *names, const char *numbers)
{
	struct pf_view line;
	unsigned n = (unsigned)strlen(numbers);
	pf_doc_list_begin(doc, list);
	while (pf_view_line(&rest, &line) == 0) {
		struct words w = cut(line);
		if (!is(w.word[0], word))
			continue;
		if (n > 1)
			doc_words(doc, &w, names, n, numbers);
		else
			pf_doc_text(doc, NULL, (struct pf_view){ line.p + w.word[0].n + 1, line.n - w.word[0].n - 1 });
	}
	pf_doc_list_end(doc);
}

static int write_doc(const struct result *r, const char *path, const struct pf_doc_options *options, struct pf_err *err)
{
	static const char *const callbacks[] = { "name", "calls", "nanoseconds", "longest" };
	static const char *const metrics[] = { "name", "instances", "value" };
	static const char *const records[] = { "count", "bytes" };
	static const char *const columns[] = { "file", "phase" };
	struct pf_doc *doc;
	int rc = pf_doc_open(&doc, options, STDOUT_FILENO, "perfolio", "phases", err);
	if (rc < 0)
		return rc;
	pf_doc_columns(doc, columns, PF_N(columns), true);
	(void)pf_doc_begin(doc);
	for (unsigned i = 0; i < PF_N_LAB_PHASES; i++) {
		struct pf_view text = pf_buf_text(&r->found[i]);
		if (text.n == 0)
			continue;
		pf_doc_piece_begin(doc);
		pf_doc_text(doc, "file", pf_view_of(path));
		pf_doc_text(doc, "phase", pf_view_of(phases[i]));
		doc_list(doc, text, "callback", "callbacks", callbacks, "tnnn");
		doc_list(doc, text, "records", "records", records, "nn");
		doc_list(doc, text, "metric", "metrics", metrics, "tnt");
		doc_list(doc, text, "refused", "refused", NULL, "t");
		doc_list(doc, text, "misuse", "misuses", NULL, "t");
		doc_list(doc, text, "note", "notes", NULL, "t");
		(void)pf_doc_piece_end(doc); /* the document keeps its first error for the end */
	}
	rc = pf_doc_close(doc);
	return rc < 0 ? pf_err_set(err, rc, "writing the output failed: %s", strerror(-rc)) : 0;
}

static int check(struct result *r, const char *path, const char *args, struct pf_err *err)
{
	for (unsigned i = 0; i < PF_N_LAB_PHASES && !r->refused; i++) {
		struct pf_lab_end end = { 0 };
		int rc = pf_lab_check(path, args, (enum pf_lab_phase)i, pf_buf_text(&r->found[PF_LAB_RECORD]),
				      &r->found[i], &end, err);
		if (rc < 0)
			return rc;
		note_end(&r->found[i], &end);
		r->refused = count(r, "refused") > 0;
		if (count(r, "withdrawn") > 0 || (i == PF_LAB_LIVE && end.late))
			break; /* the other phases would tell the same */
	}
	return 0;
}

int pf_modules_check(const char *what, const struct pf_doc_options *options)
{
	struct pf_err err = { 0 };
	struct result r = { 0 };
	pf_autofree char *file = strdup(what);
	if (!file)
		return PF_EXIT_ERROR;
	char *args = strchr(file, ',');
	if (args)
		*args++ = '\0';
	pf_autofree char *path = realpath(file, NULL);
	int rc = check(&r, path ? path : file, args, &err);
	if (rc == 0 && options)
		rc = write_doc(&r, path ? path : file, options, &err);
	else if (rc == 0)
		print_all(&r, path ? path : file);
	bool fine = rc == 0 && !r.refused && count(&r, "misuse") == 0;
	for (unsigned i = 0; i < PF_N_LAB_PHASES; i++)
		pf_buf_done(&r.found[i]);
	if (rc < 0)
		(void)fprintf(stderr, "perfolio modules: %s\n", err.text);
	return fine ? PF_EXIT_OK : PF_EXIT_ERROR;
}
