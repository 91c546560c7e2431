/* cmd/modules_list.c - the modules that can be found, folder by folder as they are searched. */
#include <dirent.h>
#include <errno.h>
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
#include "import/import.h"

/**
 * struct row - one file.
 * @found: lines of pf_lab_look(); @hidden: a file of this name comes before it in the path
 */
struct row {
	char *path;
	struct pf_buf found;
	bool hidden;
};

struct rows {
	struct row *rows;
	unsigned n;
};

/* The words behind the first line that begins with @word. */
static bool fact(const struct row *row, const char *word, struct pf_view *ret_text)
{
	struct pf_view rest = pf_buf_text(&row->found), line;
	size_t n = strlen(word);
	while (pf_view_line(&rest, &line) == 0) {
		if (line.n > n && memcmp(line.p, word, n) == 0 && line.p[n] == '\t') {
			*ret_text = (struct pf_view){ line.p + n + 1, line.n - n - 1 };
			return true;
		}
	}
	*ret_text = pf_view_of("");
	return false;
}

/* The name by which --import finds a file: without folder and ending. */
static struct pf_view stem(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	return (struct pf_view){ name, strlen(name) - 3 }; /* .so, .ph */
}

static int is_module_file(const struct dirent *e)
{
	size_t n = strlen(e->d_name);
	return n > 3 && e->d_name[0] != '.' &&
	       (strcmp(e->d_name + n - 3, ".so") == 0 || strcmp(e->d_name + n - 3, ".ph") == 0);
}

/* By name; the shared object before the script. */
static int order(const struct dirent **a, const struct dirent **b)
{
	size_t na = strlen((*a)->d_name) - 3, nb = strlen((*b)->d_name) - 3;
	int c = strncmp((*a)->d_name, (*b)->d_name, na < nb ? na : nb);
	if (c == 0 && na != nb)
		return na < nb ? -1 : 1;
	return c ? c : strcmp((*b)->d_name, (*a)->d_name);
}

static bool is_hidden(const struct rows *all, const char *path)
{
	struct pf_view name = stem(path);
	for (unsigned i = 0; i < all->n; i++) {
		struct pf_view have = stem(all->rows[i].path);
		if (have.n == name.n && memcmp(have.p, name.p, name.n) == 0)
			return true;
	}
	return false;
}

static int add(struct rows *all, const char *folder, const char *name, struct pf_err *err)
{
	struct row *more = reallocarray(all->rows, all->n + 1, sizeof(*more));
	if (!more)
		return pf_err_set(err, -ENOMEM, "no memory");
	all->rows = more;
	struct row row = { 0 };
	if (asprintf(&row.path, "%s/%s", folder, name) < 0)
		return pf_err_set(err, -ENOMEM, "no memory");
	row.hidden = is_hidden(all, row.path);
	all->rows[all->n++] = row;
	return pf_lab_look(row.path, NULL, &all->rows[all->n - 1].found, err);
}

static int add_folder(struct rows *all, const char *folder, struct pf_err *err)
{
	struct dirent **names = NULL;
	int n = scandir(folder, &names, is_module_file, order);
	int rc = 0;
	for (int i = 0; i < n; i++) {
		if (rc == 0)
			rc = add(all, folder, names[i]->d_name, err);
		free(names[i]);
	}
	free(names);
	return rc; /* a folder that is not there has no modules */
}

static unsigned count(const struct row *row, const char *word)
{
	struct pf_view rest = pf_buf_text(&row->found), line;
	size_t n = strlen(word);
	unsigned found = 0;
	while (pf_view_line(&rest, &line) == 0)
		found += line.n > n && memcmp(line.p, word, n) == 0 && line.p[n] == '\t';
	return found;
}

static void print_row(const struct row *row)
{
	struct pf_view name, kind, version, key, options, why;
	if (fact(row, "refused", &why)) {
		/* The sentence begins with the file it is about. */
		size_t n = strlen(row->path);
		if (why.n > n + 2 && memcmp(why.p, row->path, n) == 0 && why.p[n] == ':')
			why = (struct pf_view){ why.p + n + 2, why.n - n - 2 };
		if (why.n > 9 && memcmp(why.p, "refused, ", 9) == 0)
			why = (struct pf_view){ why.p + 9, why.n - 9 };
		printf("%-12.*s refused: %s: %.*s\n", (int)stem(row->path).n, stem(row->path).p, row->path, (int)why.n,
		       why.p);
		return;
	}
	(void)fact(row, "name", &name);
	(void)fact(row, "kind", &kind);
	(void)fact(row, "version", &version);
	(void)fact(row, "options", &options);
	bool on = fact(row, "key", &key);
	(void)fact(row, "withdrawn", &why);
	printf("%-12.*s %-5.*s%-9.*s%-4.*s%-16.*s %s%s%s%.*s%s\n", (int)name.n, name.p, (int)kind.n, kind.p,
	       (int)(version.n ? version.n : 1), version.n ? version.p : "-", (int)options.n, options.p,
	       (int)(on ? key.n : 1), on ? key.p : "-", row->path,
	       row->hidden ? " (another of this name comes first)" : "", on ? "" : " (without arguments: ", (int)why.n,
	       why.p, on ? "" : ")");
	struct pf_view rest = pf_buf_text(&row->found), line;
	while (pf_view_line(&rest, &line) == 0) {
		if (line.n < 7 || memcmp(line.p, "metric\t", 7) != 0)
			continue;
		printf("             ");
		while (line.n > 0 && line.p[line.n - 1] == '\t')
			line.n--;
		for (size_t i = 7; i < line.n; i++)
			(void)putchar(line.p[i] == '\t' ? ' ' : line.p[i]);
		(void)putchar('\n');
	}
}

/* The next word of a line whose words stand between tabs. */
static struct pf_view cell(struct pf_view *rest)
{
	const char *tab = rest->n > 0 ? memchr(rest->p, '\t', rest->n) : NULL;
	struct pf_view word = { rest->p, tab ? (size_t)(tab - rest->p) : rest->n };
	size_t used = word.n + (tab != NULL);
	*rest = (struct pf_view){ rest->p + used, rest->n - used };
	return word;
}

static void doc_metrics(struct pf_doc *doc, const struct row *row)
{
	static const char *const names[] = { "name", "type", "semantics", "units" };
	struct pf_view rest = pf_buf_text(&row->found), line;
	pf_doc_list_begin(doc, "metrics");
	while (pf_view_line(&rest, &line) == 0) {
		if (line.n < 7 || memcmp(line.p, "metric\t", 7) != 0)
			continue;
		(void)cell(&line);
		pf_doc_object_begin(doc, NULL);
		for (unsigned i = 0; i < PF_N(names); i++)
			pf_doc_text(doc, names[i], cell(&line));
		pf_doc_bool(doc, "instances", cell(&line).n > 0);
		pf_doc_object_end(doc);
	}
	pf_doc_list_end(doc);
}

static void doc_callbacks(struct pf_doc *doc, const struct row *row)
{
	struct pf_view rest = pf_buf_text(&row->found), line;
	pf_doc_list_begin(doc, "callbacks");
	while (pf_view_line(&rest, &line) == 0) {
		if (line.n > 9 && memcmp(line.p, "callback\t", 9) == 0)
			pf_doc_text(doc, NULL, (struct pf_view){ line.p + 9, line.n - 9 });
	}
	pf_doc_list_end(doc);
}

static void doc_row(struct pf_doc *doc, const struct row *row)
{
	static const char *const words[] = { "kind", "version", "key", "options", "withdrawn", "refused" };
	struct pf_view text;
	pf_doc_piece_begin(doc);
	pf_doc_text(doc, "name", fact(row, "name", &text) ? text : stem(row->path));
	pf_doc_text(doc, "path", pf_view_of(row->path));
	pf_doc_bool(doc, "hidden", row->hidden);
	for (unsigned i = 0; i < PF_N(words); i++) {
		if (fact(row, words[i], &text))
			pf_doc_text(doc, words[i], text);
	}
	if (count(row, "callback") > 0)
		doc_callbacks(doc, row);
	if (count(row, "metric") > 0)
		doc_metrics(doc, row);
	(void)pf_doc_piece_end(doc); /* the document keeps its first error for the end */
}

static int write_doc(const struct rows *all, const struct pf_doc_options *options, struct pf_err *err)
{
	static const char *const columns[] = {
		"name", "path", "hidden", "kind", "version", "key", "options", "refused"
	};
	struct pf_doc *doc;
	int rc = pf_doc_open(&doc, options, STDOUT_FILENO, "perfolio", "modules", err);
	if (rc < 0)
		return rc;
	pf_doc_columns(doc, columns, PF_N(columns), true);
	(void)pf_doc_begin(doc);
	for (unsigned i = 0; i < all->n; i++)
		doc_row(doc, &all->rows[i]);
	rc = pf_doc_close(doc);
	return rc < 0 ? pf_err_set(err, rc, "writing the output failed: %s", strerror(-rc)) : 0;
}

static void print_all(const struct rows *all)
{
	if (all->n == 0) {
		(void)puts("no modules are to be found");
		return;
	}
	(void)puts("#Name        Kind Version  Of  Key              Path");
	for (unsigned i = 0; i < all->n; i++)
		print_row(&all->rows[i]);
}

int pf_modules_list(const struct pf_doc_options *options)
{
	struct pf_err err = { 0 };
	struct rows all = { 0 };
	char **folders = NULL;
	int rc = pf_import_path(&folders, &err);
	for (unsigned i = 0; rc == 0 && folders[i]; i++)
		rc = add_folder(&all, folders[i], &err);
	(void)pf_import_path_free(folders);
	if (rc == 0 && options)
		rc = write_doc(&all, options, &err);
	else if (rc == 0)
		print_all(&all);
	for (unsigned i = 0; i < all.n; i++) {
		pf_buf_done(&all.rows[i].found);
		free(all.rows[i].path);
	}
	free(all.rows);
	if (rc < 0)
		(void)fprintf(stderr, "perfolio modules: %s\n", err.text);
	return rc < 0 ? PF_EXIT_ERROR : PF_EXIT_OK;
}
