/* sources/folio.c - a folio: the archives of one recording session, played one after the other. Archives of the first host are shown; a
 * sample has no place for a host, so the others are named and can be asked for one by one. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "formats/pcp/folio.h"
#include "sources/list.h"

/* @archives: one per archive of the host, in the folio's order; @current is being played. @damage: lines that make no sense. */
struct folio_source {
	struct pf_source base;
	struct pf_source_info info;
	struct pf_source **archives;
	unsigned n_archives;
	unsigned current;
	struct pf_err damage;
};

static bool accepts(const char *path)
{
	pf_autoclose int fd = pf_io_open_regular(path, NULL);
	char head[16];
	ssize_t n = fd < 0 ? -1 : pread(fd, head, sizeof(head), 0);
	return n > 0 && pf_folio_looks_like((struct pf_view){ head, (size_t)n });
}

static int next(struct pf_source *source, struct pf_frames *frames, struct pf_err *err)
{
	struct folio_source *s = (struct folio_source *)source;
	if (s->damage.rc < 0) {
		s->damage.rc = 0;
		return pf_err_set(err, -EBADMSG, "%s", s->damage.text);
	}
	while (s->current < s->n_archives) {
		struct pf_source *archive = s->archives[s->current];
		int rc = archive->kind->next(archive, frames, err);
		if (rc != -ENODATA)
			return rc;
		s->current++;
		pf_frames_cut(frames);
	}
	return -ENODATA;
}

static void skip(struct pf_source *source, int64_t before_ns)
{
	struct folio_source *s = (struct folio_source *)source;
	for (unsigned i = 0; i < s->n_archives; i++)
		s->archives[i]->kind->skip(s->archives[i], before_ns);
}

static const struct pf_source_info *info(struct pf_source *source)
{
	return &((struct folio_source *)source)->info;
}

static int wait_fd(struct pf_source *source)
{
	(void)source;
	return -1; /* files never make one wait */
}

static struct pf_source *close_folio(struct pf_source *source)
{
	struct folio_source *s = (struct folio_source *)source;
	if (!s)
		return NULL;
	for (unsigned i = 0; i < s->n_archives; i++)
		s->archives[i] = s->archives[i]->kind->close(s->archives[i]);
	free(s->archives);
	free(s);
	return NULL;
}

static bool is_same(struct pf_view a, struct pf_view b)
{
	return a.n == b.n && memcmp(a.p, b.p, a.n) == 0;
}

static int add_archive(struct folio_source *s, const struct pf_source_spec *spec, struct pf_view base,
		       struct pf_catalog *cat, struct pf_err *err)
{
	const char *slash = strrchr(spec->path, '/');
	int folder = slash && base.p[0] != '/' ? (int)(slash + 1 - spec->path) : 0;
	pf_autofree char *path = NULL;
	if (asprintf(&path, "%.*s%.*s", folder, spec->path, (int)base.n, base.p) < 0)
		return pf_err_set(err, -ENOMEM, "%s: no memory", spec->path);

	struct pf_source **more = reallocarray(s->archives, s->n_archives + 1, sizeof(*more));
	if (!more)
		return pf_err_set(err, -ENOMEM, "%s: no memory", spec->path);
	s->archives = more;
	struct pf_source_spec one = *spec;
	one.path = path;
	int rc = pf_source_pcparchive.open(&more[s->n_archives], &one, cat, err);
	if (rc == 0)
		s->n_archives++;
	return rc;
}

/* Open what can be opened; what cannot is damage as long as something else can. */
static int add_archives(struct folio_source *s, const struct pf_source_spec *spec, struct pf_view text,
			struct pf_catalog *cat, struct pf_err *err)
{
	struct pf_folio folio;
	struct pf_err why = { 0 };
	int rc = pf_folio_parse(text, &folio, &why);
	if (rc < 0)
		return pf_err_set(err, rc, "%s: %s", spec->path, why.text);

	struct pf_view host = { NULL, 0 };
	struct pf_folio_entry e;
	for (;;) {
		rc = pf_folio_next(&folio, &e, &why);
		if (rc == 0)
			break;
		if (rc == 1 && !host.p)
			host = e.host;
		if (rc == 1 && !is_same(host, e.host)) {
			pf_notice(spec->notice, PF_INFO,
				  "%s: showing host %.*s; to see host %.*s, name its archive %.*s", spec->path,
				  (int)host.n, host.p, (int)e.host.n, e.host.p, (int)e.base.n, e.base.p);
			continue;
		}
		if (rc == 1)
			rc = add_archive(s, spec, e.base, cat, &why);
		if (rc == -ENOMEM)
			return pf_err_set(err, rc, "%s", why.text);
		if (rc < 0)
			(void)pf_err_set(&s->damage, -EBADMSG, "%s: %s", spec->path, why.text);
		why = (struct pf_err){ 0 };
	}
	if (s->n_archives > 0)
		return 0;
	if (s->damage.rc < 0)
		return pf_err_set(err, -ENODATA, "%s", s->damage.text);
	return pf_err_set(err, -ENODATA, "%s: the folio names no archive", spec->path);
}

static int open_folio(struct pf_source **ret_source, const struct pf_source_spec *spec, struct pf_catalog *cat,
		      struct pf_err *err)
{
	struct folio_source *s = calloc(1, sizeof(*s));
	struct pf_buf text = { 0 };
	if (!s)
		return pf_err_set(err, -ENOMEM, "%s: no memory", spec->path);
	s->base.kind = &pf_source_folio;
	int rc = pf_io_read_file(AT_FDCWD, spec->path, PF_FOLIO_MAX, &text, err);
	if (rc == 0)
		rc = add_archives(s, spec, pf_buf_text(&text), cat, err);
	pf_buf_done(&text);
	if (rc < 0) {
		(void)close_folio(&s->base);
		return rc;
	}
	s->info = *s->archives[0]->kind->info(s->archives[0]);
	for (unsigned i = 1; i < s->n_archives; i++) {
		const struct pf_source_info *more = s->archives[i]->kind->info(s->archives[i]);
		s->info.n_files += more->n_files;
		s->info.bytes += more->bytes;
	}
	*ret_source = &s->base;
	return 0;
}

const struct pf_source_kind pf_source_folio = {
	.name = "folio",
	.title = "folio",
	.accepts = accepts,
	.open = open_folio,
	.next = next,
	.skip = skip,
	.info = info,
	.fd = wait_fd,
	.close = close_folio,
};
