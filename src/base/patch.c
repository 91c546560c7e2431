/* base/patch.c - parts of a new file. */
#include "base/patch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "base/replace.h"

enum { CHUNK = 64 * 1024 };

static void add(struct pf_patch *p, uint64_t from, uint64_t n, bool made)
{
	struct pf_patch_part *last = p->n > 0 ? &p->parts[p->n - 1] : NULL;
	if (n == 0 || p->failed)
		return;
	p->size += n;
	if (last && last->made == made && last->from + last->n == from) {
		last->n += n;
		return;
	}
	if (p->n == p->cap) {
		size_t cap = p->cap ? 2 * p->cap : 8;
		struct pf_patch_part *more = reallocarray(p->parts, cap, sizeof(*more));
		if (!more) {
			p->failed = -ENOMEM;
			return;
		}
		p->parts = more;
		p->cap = cap;
	}
	p->parts[p->n++] = (struct pf_patch_part){ from, n, made };
}

void pf_patch_keep(struct pf_patch *p, uint64_t from, uint64_t n)
{
	add(p, from, n, false);
}

void pf_patch_put(struct pf_patch *p, const void *bytes, size_t n)
{
	uint64_t from = p->made.n;
	pf_buf_add(&p->made, bytes, n);
	if (p->made.failed)
		p->failed = p->made.failed;
	add(p, from, n, true);
}

bool pf_patch_is_same(const struct pf_patch *p, uint64_t size)
{
	return p->size == size && (size == 0 || (p->n == 1 && !p->parts[0].made && p->parts[0].from == 0));
}

bool pf_patch_only_cuts(const struct pf_patch *p)
{
	for (size_t i = 0; i < p->n; i++) {
		if (!p->parts[i].made && (i > 0 || p->parts[i].from > 0))
			return false;
	}
	return true;
}

static int write_part(const struct pf_patch *p, const struct pf_patch_part *part, const struct pf_patch_io *io,
		      struct pf_err *err)
{
	if (part->made)
		return io->write(io->arg, (struct pf_view){ p->made.p + part->from, (size_t)part->n }, err);
	for (uint64_t done = 0; done < part->n;) {
		struct pf_view bytes;
		size_t n = part->n - done < CHUNK ? (size_t)(part->n - done) : CHUNK;
		int rc = io->read(io->arg, part->from + done, n, &bytes, err);
		if (rc == 0)
			rc = io->write(io->arg, bytes, err);
		if (rc < 0)
			return rc;
		done += bytes.n;
	}
	return 0;
}

int pf_patch_write(const struct pf_patch *p, const struct pf_patch_io *io, struct pf_err *err)
{
	if (p->failed)
		return pf_err_set(err, p->failed, "no memory");
	for (size_t i = 0; i < p->n; i++) {
		int rc = write_part(p, &p->parts[i], io, err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

/* A file that is made anew of the one behind @fd. */
struct flow {
	const char *path;
	int fd;
	struct pf_replace replace;
	char chunk[CHUNK];
};

static int read_old(void *arg, uint64_t off, size_t n, struct pf_view *ret_bytes, struct pf_err *err)
{
	struct flow *flow = arg;
	ssize_t got;
	do
		got = pread(flow->fd, flow->chunk, n, (off_t)off);
	while (got < 0 && errno == EINTR);
	if (got <= 0)
		return pf_err_set(err, got < 0 ? -errno : -EIO, "%s: %s; nothing was changed", flow->path,
				  got < 0 ? strerror(errno) : "it became shorter");
	*ret_bytes = (struct pf_view){ flow->chunk, (size_t)got };
	return 0;
}

static int write_new(void *arg, struct pf_view bytes, struct pf_err *err)
{
	struct flow *flow = arg;
	int rc = pf_io_write_all(flow->replace.fd, bytes.p, bytes.n);
	return rc < 0 ? pf_err_set(err, rc, "%s: %s; nothing was changed", flow->replace.part, strerror(-rc)) : 0;
}

int pf_patch_replace(const struct pf_patch *p, const char *path, int fd, bool keep, char **ret_kept, struct pf_err *err)
{
	pf_autofree struct flow *flow = malloc(sizeof(*flow));
	if (!flow)
		return pf_err_set(err, -ENOMEM, "%s: no memory", path);
	flow->path = path;
	flow->fd = fd;
	int rc = pf_replace_begin(&flow->replace, path, NULL, err);
	if (rc < 0)
		return rc;
	struct pf_patch_io io = { read_old, write_new, flow };
	rc = pf_patch_write(p, &io, err);
	if (rc == 0)
		rc = pf_replace_sync(&flow->replace, err);
	if (rc == 0)
		rc = pf_replace_may(path, err);
	if (rc == 0)
		rc = pf_replace_commit(&flow->replace, keep, ret_kept, err);
	pf_replace_done(&flow->replace);
	return rc;
}

void pf_patch_done(struct pf_patch *p)
{
	free(p->parts);
	pf_buf_done(&p->made);
	*p = (struct pf_patch){ 0 };
}
