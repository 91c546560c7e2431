/* record/dialog_command.c - which program shows a dialog, and its words. Source: pmquery(1), zenity(1), xmessage(1), and what loggers of PCP's
 * record mode are seen to start. */
#include "record/dialog.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/program.h"
#include "base/view.h"

enum { FOLD = 78 };

/* @words: start it; @add: appends the others. */
struct program {
	const char *words[3];
	void (*add)(struct pf_dialog_command *c, const struct pf_buf *title, enum pf_dialog_kind kind, const char *file,
		    const char *text, const char *options);
};

static void add_view(struct pf_dialog_command *c, struct pf_view word)
{
	if (c->n == PF_DIALOG_WORDS) {
		c->failed = -E2BIG;
		return;
	}
	c->words[c->n] = pf_view_dup(word);
	if (c->words[c->n])
		c->n++;
	else
		c->failed = -ENOMEM;
}

static void add(struct pf_dialog_command *c, const char *word)
{
	add_view(c, pf_view_of(word));
}

static void add_words(struct pf_dialog_command *c, const char *text)
{
	struct pf_view rest = pf_view_of(text), word;
	while (pf_view_word(&rest, &word) == 0)
		add_view(c, word);
}

static void add_pmquery(struct pf_dialog_command *c, const struct pf_buf *title, enum pf_dialog_kind kind,
			const char *file, const char *text, const char *options)
{
	(void)text; /* it reads the file */
	add_words(c, options);
	add(c, "-c");
	add(c, "-header");
	add(c, title->p);
	add(c, "-file");
	add(c, file);
	add(c, "-icon");
	add(c, kind == PF_DIALOG_LOST ? "question" : "info");
	if (kind == PF_DIALOG_LOST) {
		add(c, "-B");
		add(c, "Yes");
		add(c, "-b");
		add(c, "No");
	} else {
		add(c, "-b");
		add(c, "Close");
	}
}

/* At blanks, so that no line is longer than a usual window is wide. */
static void fold(struct pf_buf *b, const char *text)
{
	struct pf_view rest = pf_view_of(text), line;
	while (pf_view_line(&rest, &line) == 0) {
		while (line.n > FOLD) {
			const char *blank = memrchr(line.p, ' ', FOLD + 1);
			size_t n = blank && blank > line.p ? (size_t)(blank - line.p) : FOLD;
			pf_buf_add(b, line.p, n);
			pf_buf_char(b, '\n');
			n += n < line.n && line.p[n] == ' ';
			line = (struct pf_view){ line.p + n, line.n - n };
		}
		pf_buf_view(b, line);
		pf_buf_char(b, '\n');
	}
}

/* Of the options of X11 programs only the size of -geometry WIDTHxHEIGHT+X+Y has a counterpart there. */
static void add_zenity_size(struct pf_dialog_command *c, const char *options)
{
	struct pf_view rest = pf_view_of(options), word = PF_VIEW("");
	while (pf_view_word(&rest, &word) == 0 && !pf_view_is(word, "-geometry"))
		;
	if (pf_view_word(&rest, &word) < 0)
		word = PF_VIEW("");
	size_t w = strspn(word.p, "0123456789"), h = 0;
	if (w > 0 && w < word.n && word.p[w] == 'x')
		h = strspn(word.p + w + 1, "0123456789");
	if (h == 0)
		return;
	struct pf_buf size = { 0 };
	pf_buf_fmt(&size, "--width=%.*s", (int)w, word.p);
	add_view(c, pf_buf_text(&size));
	pf_buf_clear(&size);
	pf_buf_fmt(&size, "--height=%.*s", (int)h, word.p + w + 1);
	add_view(c, pf_buf_text(&size));
	pf_buf_done(&size);
}

/* Its usual buttons answer with a status that is also that of a failure; extra ones print their label. */
static void add_zenity(struct pf_dialog_command *c, const struct pf_buf *title, enum pf_dialog_kind kind,
		       const char *file, const char *text, const char *options)
{
	(void)file;
	struct pf_buf word = { 0 }, lines = { 0 };
	add(c, "--question");
	add(c, "--switch");
	add(c, "--no-markup");
	add(c, "--no-wrap");
	pf_buf_fmt(&word, "--title=%s", title->p);
	add_view(c, pf_buf_text(&word));
	pf_buf_clear(&word);
	pf_buf_str(&word, "--text=");
	fold(&lines, text);
	for (size_t i = 0; i < lines.n; i++) {
		if (lines.p[i] == '\\')
			pf_buf_char(&word, '\\'); /* it takes them for escapes */
		pf_buf_char(&word, lines.p[i]);
	}
	add_view(c, pf_buf_text(&word));
	pf_buf_done(&word);
	pf_buf_done(&lines);
	add_zenity_size(c, options);
	add(c, kind == PF_DIALOG_LOST ? "--icon-name=dialog-question" : "--icon-name=dialog-information");
	if (kind == PF_DIALOG_LOST) {
		add(c, "--extra-button=No");
		add(c, "--extra-button=Yes");
	} else {
		add(c, "--extra-button=Close");
	}
}

/* It shows what it is given as it is. */
static void add_xmessage(struct pf_dialog_command *c, const struct pf_buf *title, enum pf_dialog_kind kind,
			 const char *file, const char *text, const char *options)
{
	(void)file;
	if (strstr(options, "-geometry") == NULL)
		add(c, "-center");
	add_words(c, options);
	add(c, "-title");
	add(c, title->p);
	add(c, "-print");
	add(c, "-buttons");
	add(c, kind == PF_DIALOG_LOST ? "Yes,No" : "Close");
	if (kind == PF_DIALOG_LOST) {
		add(c, "-default");
		add(c, "Yes");
	}
	struct pf_buf lines = { 0 };
	fold(&lines, text);
	add_view(c, pf_buf_text(&lines));
	pf_buf_done(&lines);
}

static const struct program programs[] = {
	{ { "pmquery", "-print", NULL }, add_pmquery },
	{ { "zenity", NULL }, add_zenity },
	{ { "xmessage", NULL }, add_xmessage },
};

static bool is_set(const char *variable)
{
	const char *value = getenv(variable);
	return value && value[0] != '\0';
}

static const struct program *under_display(void)
{
	if (!is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY"))
		return NULL;
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
		if (pf_program_find(programs[i].words[0]) == 0)
			return &programs[i];
	}
	return NULL;
}

int pf_dialog_command(struct pf_dialog_command *c, enum pf_dialog_kind kind, const char *creator, const char *file,
		      const char *text, const char *options)
{
	*c = (struct pf_dialog_command){ 0 };
	bool own = is_set("PCP_XCONFIRM_PROG");
	const struct program *p = own ? &programs[0] : under_display(); /* it takes the words of pmquery */
	if (!p)
		return -ENOENT;
	if (own)
		add_words(c, getenv("PCP_XCONFIRM_PROG"));
	for (unsigned i = 0; !own && p->words[i]; i++)
		add(c, p->words[i]);
	if (c->n == 0)
		return c->failed ? c->failed : -ENOENT;
	struct pf_buf title = { 0 };
	pf_buf_fmt(&title, "PCP Archive Recording Session - %s", creator ? creator : "<unknown>");
	if (title.failed)
		c->failed = title.failed;
	else
		p->add(c, &title, kind, file, text, options);
	pf_buf_done(&title);
	return c->failed;
}

void pf_dialog_command_done(struct pf_dialog_command *c)
{
	for (unsigned i = 0; i < c->n; i++)
		free(c->words[i]);
	*c = (struct pf_dialog_command){ 0 };
}
