/* record/folio.c - folios on disk. Source: pmafm(1), and what pmafm 6.0.3 makes of folios. */
#include "record/folio.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "formats/pcp/folio.h"

/* The current folder as the user sees it, with links in it, if that is true. The caller frees. */
static char *current_folder(void)
{
	const char *pwd = getenv("PWD");
	struct stat said, is;
	if (pwd && pwd[0] == '/' && stat(pwd, &said) == 0 && stat(".", &is) == 0 && said.st_dev == is.st_dev &&
	    said.st_ino == is.st_ino)
		return strdup(pwd);
	return getcwd(NULL, 0);
}

char *pf_folio_from_root(struct pf_view folder)
{
	struct pf_buf all = { 0 };
	struct pf_buf clean = { 0 };
	if (folder.n == 0 || folder.p[0] != '/') {
		pf_autofree char *here = current_folder();
		pf_buf_str(&all, here ? here : ".");
		pf_buf_char(&all, '/');
	}
	pf_buf_view(&all, folder);
	pf_buf_char(&all, '/');
	pf_buf_char(&clean, '/');
	for (size_t i = 0; !all.failed && !clean.failed && i < all.n;) {
		size_t n = strcspn(all.p + i, "/");
		struct pf_view part = { all.p + i, n };
		if (pf_view_is(part, "..")) {
			while (clean.n > 1 && clean.p[--clean.n - 1] != '/')
				; /* back to the slash before the last part */
		} else if (n > 0 && !pf_view_is(part, ".")) {
			pf_buf_view(&clean, part);
			pf_buf_char(&clean, '/');
		}
		i += n + 1;
	}
	char *text = all.failed || clean.failed ? NULL : pf_view_dup(pf_buf_text(&clean));
	pf_buf_done(&all);
	pf_buf_done(&clean);
	return text;
}

char *pf_folio_beside(const struct pf_folio_file *f, const char *name)
{
	char *path;
	bool inside = f->folder && name[0] != '/';
	return asprintf(&path, "%s%s", inside ? f->folder : "", name) < 0 ? NULL : path;
}

static void creator_line(struct pf_folio_file *f, struct pf_view line)
{
	struct pf_view word;
	free(f->creator);
	free(f->replay);
	f->replay = NULL;
	f->creator = pf_view_word(&line, &word) == 0 ? pf_view_dup(word) : NULL;
	if (pf_view_word(&line, &word) == 0)
		f->replay = pf_view_dup(word);
	f->creator_extra = pf_view_word(&line, &word) == 0;
}

static void head_lines(struct pf_folio_file *f, struct pf_view text)
{
	struct pf_view line, rest, word;
	while (pf_view_line(&text, &line) == 0) {
		rest = line;
		if (pf_view_word(&rest, &word) < 0)
			continue;
		bool creator = pf_view_is(word, "Creator:");
		if (!creator && !pf_view_is(word, "Created:"))
			continue;
		pf_buf_view(&f->head, line);
		pf_buf_char(&f->head, '\n');
		if (creator)
			creator_line(f, rest);
	}
}

static int add_member(struct pf_folio_file *f, const struct pf_folio_entry *e)
{
	struct pf_folio_member *more = reallocarray(f->members, f->n + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	f->members = more;
	struct pf_folio_member *m = &more[f->n++];
	m->host = pf_view_dup(e->host);
	m->base = pf_view_dup(e->base);
	m->path = m->base ? pf_folio_beside(f, m->base) : NULL;
	return m->host && m->path ? 0 : -ENOMEM;
}

static int add_broken(struct pf_folio_file *f, const char *sentence)
{
	char **more = reallocarray(f->broken, f->n_broken + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	f->broken = more;
	more[f->n_broken] = strdup(sentence);
	return more[f->n_broken++] ? 0 : -ENOMEM;
}

static int read_members(struct pf_folio_file *f, struct pf_view text, struct pf_err *err)
{
	struct pf_folio folio;
	struct pf_folio_entry e;
	int rc = pf_folio_parse(text, &folio, err);
	if (rc < 0)
		return rc;
	head_lines(f, text);
	for (;;) {
		struct pf_err why = { 0 };
		int got = pf_folio_next(&folio, &e, &why);
		if (got == 0)
			return 0;
		rc = got == 1 ? add_member(f, &e) : add_broken(f, why.text);
		if (rc < 0)
			return pf_err_set(err, rc, "no memory");
	}
}

int pf_folio_open(struct pf_folio_file *f, const char *path, struct pf_err *err)
{
	struct pf_buf text = { 0 };
	const char *slash = strrchr(path, '/');
	struct pf_view folder = { path, slash ? (size_t)(slash - path) : 0 };
	*f = (struct pf_folio_file){ 0 };
	f->path = strdup(path);
	f->name = strdup(slash ? slash + 1 : path);
	int rc = f->path && f->name ? 0 : pf_err_set(err, -ENOMEM, "%s: no memory", path);
	pf_autoclose int fd = rc == 0 ? pf_io_open_regular(path, err) : -1;
	if (rc == 0 && fd < 0)
		rc = fd;
	if (rc == 0)
		rc = pf_io_pread_all(fd, PF_FOLIO_MAX, &text);
	if (rc < 0 && fd >= 0)
		(void)pf_err_set(err, rc, "%s: %s", path,
				 rc == -EFBIG ? "larger than 1 MB, which no folio is" : strerror(-rc));
	if (rc == 0 && slash && !pf_view_is(folder, ".")) {
		f->folder = pf_folio_from_root(folder.n > 0 ? folder : PF_VIEW("/"));
		rc = f->folder ? 0 : pf_err_set(err, -ENOMEM, "%s: no memory", path);
	}
	if (rc == 0) {
		rc = read_members(f, pf_buf_text(&text), err);
		rc = rc < 0 ? pf_err_context(err, rc, "%s", path) : 0;
	}
	pf_buf_done(&text);
	return rc;
}

void pf_folio_close(struct pf_folio_file *f)
{
	for (unsigned i = 0; i < f->n; i++) {
		free(f->members[i].host);
		free(f->members[i].base);
		free(f->members[i].path);
	}
	for (unsigned i = 0; i < f->n_broken; i++)
		free(f->broken[i]);
	pf_folio_choose_all_hosts(f);
	pf_folio_choose_all_archives(f);
	pf_buf_done(&f->head);
	free(f->members);
	free(f->broken);
	free(f->creator);
	free(f->replay);
	free(f->folder);
	free(f->name);
	free(f->path);
	*f = (struct pf_folio_file){ 0 };
}

void pf_folio_choose_all_hosts(struct pf_folio_file *f)
{
	for (unsigned i = 0; i < f->n_hosts; i++)
		free(f->hosts[i]);
	free(f->hosts);
	f->hosts = NULL;
	f->n_hosts = 0;
}

void pf_folio_choose_all_archives(struct pf_folio_file *f)
{
	free(f->archives);
	f->archives = NULL;
	f->n_archives = 0;
}

int pf_folio_choose_host(struct pf_folio_file *f, const char *word)
{
	bool known = false;
	for (unsigned i = 0; i < f->n && !known; i++)
		known = strcmp(f->members[i].host, word) == 0;
	if (!known)
		return -ENOENT;
	char **more = reallocarray(f->hosts, f->n_hosts + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	f->hosts = more;
	more[f->n_hosts] = strdup(word);
	return more[f->n_hosts++] ? 0 : -ENOMEM;
}

int pf_folio_choose_archive(struct pf_folio_file *f, const char *word)
{
	unsigned found = f->n;
	for (unsigned i = 0; i < f->n && found == f->n; i++) {
		char ordinal[16];
		(void)snprintf(ordinal, sizeof(ordinal), "%u", i + 1);
		if (strcmp(ordinal, word) == 0 || strcmp(f->members[i].base, word) == 0)
			found = i;
	}
	if (found == f->n)
		return -ENOENT;
	unsigned *more = reallocarray(f->archives, f->n_archives + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	f->archives = more;
	more[f->n_archives++] = found;
	return 0;
}

static bool host_is_chosen(const struct pf_folio_file *f, const char *host)
{
	for (unsigned i = 0; i < f->n_hosts; i++) {
		if (f->hosts[i] && strcmp(f->hosts[i], host) == 0)
			return true;
	}
	return f->n_hosts == 0;
}

const struct pf_folio_member **pf_folio_chosen(const struct pf_folio_file *f, bool *ret_all)
{
	unsigned most = f->n_archives > 0 ? f->n_archives : f->n;
	const struct pf_folio_member **list = calloc((size_t)most + 1, sizeof(*list));
	unsigned n = 0;
	for (unsigned i = 0; list && i < most; i++) {
		const struct pf_folio_member *m = &f->members[f->n_archives > 0 ? f->archives[i] : i];
		if (host_is_chosen(f, m->host))
			list[n++] = m;
	}
	bool all = list && n == f->n;
	for (unsigned i = 0; all && i < n; i++)
		all = list[i] == &f->members[i];
	*ret_all = all;
	return list;
}
