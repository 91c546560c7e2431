/* sources/series.c - lists of recordings: what to add to one, what a name stands for, and names between commas as a source. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "sources/joined.h"
#include "sources/list.h"

enum { ENTRIES_MAX = 100000 };

static struct pf_joined_entry *new_entry(struct pf_joined_list *list)
{
	struct pf_joined_entry *more =
		list->n < ENTRIES_MAX ? reallocarray(list->entries, list->n + 1, sizeof(*more)) : NULL;
	if (!more)
		return NULL;
	list->entries = more;
	more[list->n] = (struct pf_joined_entry){ 0 };
	return &more[list->n++];
}

int pf_joined_add(struct pf_joined_list *list, struct pf_view folder, struct pf_view name, struct pf_view host)
{
	struct pf_joined_entry *e = new_entry(list);
	struct pf_buf path = { 0 };
	if (!e)
		return -ENOMEM;
	if (folder.n > 0 && (name.n == 0 || name.p[0] != '/')) {
		pf_buf_view(&path, folder);
		if (folder.p[folder.n - 1] != '/')
			pf_buf_char(&path, '/');
	}
	pf_buf_view(&path, name);
	e->path = path.failed ? NULL : strdup(pf_buf_text(&path).p);
	pf_buf_done(&path);
	e->host = host.n > 0 ? strndup(host.p, host.n) : NULL;
	return e->path && (host.n == 0 || e->host) ? 0 : -ENOMEM;
}

int pf_joined_complain(struct pf_joined_list *list, const char *why)
{
	struct pf_joined_entry *e = new_entry(list);
	if (e)
		e->why = strdup(why);
	return e && e->why ? 0 : -ENOMEM;
}

void pf_joined_drop(struct pf_joined_list *list)
{
	struct pf_joined_entry *e = &list->entries[--list->n];
	free(e->path);
	free(e->host);
	free(e->why);
}

void pf_joined_done(struct pf_joined_list *list)
{
	while (list->n > 0)
		pf_joined_drop(list);
	free(list->entries);
	*list = (struct pf_joined_list){ 0 };
}

int pf_joined_list_of(struct pf_joined_list *list, const char *path, struct pf_err *err)
{
	for (unsigned i = 0; pf_source_kinds[i]; i++) {
		const struct pf_source_kind *kind = pf_source_kinds[i];
		if (kind->list && kind->accepts(path))
			return kind->list(list, path, err);
	}
	int rc = pf_joined_add(list, PF_VIEW(""), pf_view_of(path), PF_VIEW(""));
	return rc < 0 ? pf_err_set(err, rc, "%s: no memory", path) : 0;
}

/* A file of that very name comes first. */
static bool accepts(const char *path)
{
	return strchr(path, ',') && access(path, F_OK) < 0 && !pf_source_pcparchive.accepts(path);
}

static int list_words(struct pf_joined_list *list, const char *path, struct pf_err *err)
{
	pf_autofree char *text = strdup(path);
	int rc = text ? 0 : pf_err_set(err, -ENOMEM, "%s: no memory", path);
	char *rest = text;
	for (char *word = strsep(&rest, ","); rc == 0 && word; word = strsep(&rest, ",")) {
		if (word[0] != '\0')
			rc = pf_joined_list_of(list, word, err);
	}
	if (rc == 0 && list->n == 0)
		rc = pf_err_set(err, -ENOENT, "%s: no name stands between the commas", path);
	return rc;
}

static int open_series(struct pf_source **ret_source, const struct pf_source_spec *spec, struct pf_catalog *cat,
		       struct pf_err *err)
{
	return pf_joined_open(ret_source, &pf_source_series, spec, cat, err);
}

const struct pf_source_kind pf_source_series = {
	.name = "series",
	.title = "list of recordings",
	.accepts = accepts,
	.list = list_words,
	.open = open_series,
	.next = pf_joined_next,
	.untold = pf_joined_untold,
	.skip = pf_joined_skip,
	.begins = pf_joined_begins,
	.info = pf_joined_info,
	.fd = pf_joined_fd,
	.close = pf_joined_close,
};
