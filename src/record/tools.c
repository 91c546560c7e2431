/* record/tools.c - what the files of pmafm say about programs. */
#include "record/tools.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"

enum { FILE_LIMIT = 1 << 20, VALUE_LIMIT = 1 << 20, N_VARIABLES = 4 };

/* Values of one file, in the order of the bits of enum pf_tool_class. */
struct values {
	struct pf_buf of[N_VARIABLES];
};

static const char *const variables[N_VARIABLES] = { "MULTI", "SINGLE", "SPECIAL", "REPLAY" };

static bool is_name(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

static int variable_of(struct pf_view name)
{
	for (int i = 0; i < N_VARIABLES; i++) {
		if (pf_view_is(name, variables[i]))
			return i;
	}
	return -1;
}

static void drop(struct pf_view *text, size_t n)
{
	text->p += n;
	text->n -= n;
}

/* $NAME or ${NAME} at the front of @text; what is none of the four is empty here. */
static void expand(struct pf_view *text, const struct values *v, struct pf_buf *to)
{
	drop(text, 1);
	bool braces = text->n > 0 && text->p[0] == '{';
	drop(text, braces);
	size_t n = 0;
	while (n < text->n && is_name(text->p[n]))
		n++;
	int i = variable_of((struct pf_view){ text->p, n });
	if (i >= 0)
		pf_buf_view(to, pf_buf_text(&v->of[i]));
	drop(text, n);
	drop(text, braces && text->n > 0 && text->p[0] == '}');
}

/* The value behind '=': quoted or not, up to a blank, the end of the line or of the command. */
static void value(struct pf_view *text, const struct values *v, struct pf_buf *to)
{
	char quote = '\0';
	while (text->n > 0 && to->n < VALUE_LIMIT) {
		char c = text->p[0];
		if (quote ? c == quote : c == '"' || c == '\'') {
			quote = quote ? '\0' : c;
			drop(text, 1);
		} else if (!quote && strchr(" \t\n;&|#", c)) {
			return;
		} else if (c == '$' && quote != '\'') {
			expand(text, v, to);
		} else if (c == '\\' && quote != '\'' && text->n > 1) {
			if (text->p[1] != '\n')
				pf_buf_char(to, text->p[1]);
			drop(text, 2);
		} else {
			pf_buf_char(to, c);
			drop(text, 1);
		}
	}
}

/* One assignment, at the front of @text after blanks; anything else loses its line. */
static void statement(struct pf_view *text, struct values *v)
{
	size_t n = 0;
	while (n < text->n && is_name(text->p[n]))
		n++;
	int i = n < text->n && text->p[n] == '=' ? variable_of((struct pf_view){ text->p, n }) : -1;
	if (n > 0 && n < text->n && text->p[n] == '=') {
		struct pf_buf to = { 0 };
		drop(text, n + 1);
		value(text, v, &to);
		if (i >= 0) {
			pf_buf_done(&v->of[i]);
			v->of[i] = to;
		} else {
			pf_buf_done(&to);
		}
		return;
	}
	const char *end = memchr(text->p, '\n', text->n);
	drop(text, end ? (size_t)(end - text->p) : text->n);
}

static int by_name(const void *a, const void *b)
{
	const struct pf_tool *x = a;
	const struct pf_tool *y = b;
	return strcmp(x->name, y->name);
}

static int add(struct pf_tools *t, struct pf_view name, unsigned class)
{
	for (unsigned i = 0; i < t->n; i++) {
		if (pf_view_is(name, t->tools[i].name)) {
			t->tools[i].classes |= class;
			return 0;
		}
	}
	struct pf_tool *more = reallocarray(t->tools, t->n + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	t->tools = more;
	more[t->n] = (struct pf_tool){ .name = pf_view_dup(name), .classes = class };
	if (!more[t->n].name)
		return -ENOMEM;
	t->n++;
	qsort(more, t->n, sizeof(*more), by_name);
	return 0;
}

/* The words of a value; newlines part them, too. */
static int add_words(struct pf_tools *t, struct pf_view words, unsigned class)
{
	int rc = 0;
	while (rc == 0 && words.n > 0) {
		size_t n = 0;
		while (n < words.n && !strchr(" \t\n", words.p[n]))
			n++;
		if (n > 0)
			rc = add(t, (struct pf_view){ words.p, n }, class);
		drop(&words, n < words.n ? n + 1 : n);
	}
	return rc;
}

int pf_tools_take(struct pf_tools *t, struct pf_view text)
{
	struct values v = { 0 };
	int rc = 0;
	while (text.n > 0) {
		if (strchr(" \t\n;", text.p[0]))
			drop(&text, 1);
		else
			statement(&text, &v);
	}
	for (unsigned i = 0; i < N_VARIABLES; i++) {
		if (rc == 0)
			rc = v.of[i].failed ? v.of[i].failed : add_words(t, pf_buf_text(&v.of[i]), 1U << i);
		pf_buf_done(&v.of[i]);
	}
	return rc;
}

static int is_visible(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

static int read_folder(struct pf_tools *t, const char *folder, unsigned *n_files)
{
	struct dirent **names = NULL;
	int n = scandir(folder, &names, is_visible, alphasort);
	int rc = 0;
	for (int i = 0; i < n; i++) {
		char *path = NULL;
		struct pf_buf text = { 0 };
		if (asprintf(&path, "%s/%s", folder, names[i]->d_name) < 0)
			path = NULL;
		free(names[i]);
		int fd = path ? pf_io_open_regular(path, NULL) : -1;
		if (rc == 0 && fd >= 0 && pf_io_pread_all(fd, FILE_LIMIT, &text) == 0) {
			(*n_files)++;
			rc = pf_tools_take(t, pf_buf_text(&text));
		}
		pf_closep(&fd);
		pf_buf_done(&text);
		free(path);
	}
	free(names);
	return rc;
}

/* A setting of PCP: of the environment, else of its file of settings. The caller frees; NULL: nobody says. */
static char *pcp_setting(const char *name)
{
	const char *set = getenv(name);
	if (set && set[0] != '\0')
		return strdup(set);
	const char *file = getenv("PCP_CONF");
	struct pf_buf text = { 0 };
	char *found = NULL;
	if (pf_io_read_file(AT_FDCWD, file && file[0] != '\0' ? file : "/etc/pcp.conf", FILE_LIMIT, &text, NULL) == 0) {
		struct pf_view rest = pf_buf_text(&text);
		struct pf_view line;
		size_t n = strlen(name);
		while (!found && pf_view_line(&rest, &line) == 0) {
			if (pf_view_starts(line, name) && line.n > n && line.p[n] == '=')
				found = pf_view_dup(pf_view_trim((struct pf_view){ line.p + n + 1, line.n - n - 1 }));
		}
	}
	pf_buf_done(&text);
	return found;
}

int pf_tools_read(struct pf_tools *t, struct pf_err *err)
{
	*t = (struct pf_tools){ 0 };
	pf_autofree char *var = pcp_setting("PCP_VAR_DIR");
	const char *home = getenv("HOME");
	char *own = NULL;
	unsigned n = 0;
	if (asprintf(&t->folder, "%s/config/pmafm", var ? var : "/var/lib/pcp") < 0)
		t->folder = NULL;
	int rc = t->folder ? read_folder(t, t->folder, &n) : -ENOMEM;
	t->configured = n > 0;
	if (rc == 0 && home && asprintf(&own, "%s/.pcp/pmafm", home) < 0)
		rc = -ENOMEM;
	else if (rc == 0 && home)
		rc = read_folder(t, own, &n);
	free(own);
	return rc < 0 ? pf_err_set(err, rc, "no memory for the known programs") : 0;
}

void pf_tools_done(struct pf_tools *t)
{
	for (unsigned i = 0; i < t->n; i++)
		free(t->tools[i].name);
	free(t->tools);
	free(t->folder);
	*t = (struct pf_tools){ 0 };
}

unsigned pf_tools_classes(const struct pf_tools *t, const char *name)
{
	for (unsigned i = 0; i < t->n; i++) {
		if (strcmp(t->tools[i].name, name) == 0)
			return t->tools[i].classes;
	}
	return 0;
}
