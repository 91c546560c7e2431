/* base/patch.c - parts of a new file. */
#include "base/patch.h"

#include <errno.h>
#include <stdlib.h>

#include "base/err.h"

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

void pf_patch_done(struct pf_patch *p)
{
	free(p->parts);
	pf_buf_done(&p->made);
	*p = (struct pf_patch){ 0 };
}
