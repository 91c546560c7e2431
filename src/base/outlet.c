/* base/outlet.c - what all outlets share, and the plain one: a descriptor. */
#include "base/outlet.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"

static bool is_file(int fd)
{
	struct stat st;
	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

/* The end of a file if the next byte goes there, as with every file opened for appending; -1 if it goes over what is there already, which
 * nobody could give back. */
static off_t end_to_write_at(int fd)
{
	struct stat st;
	int flags = fcntl(fd, F_GETFL);
	if (fstat(fd, &st) < 0)
		return -1;
	bool appends = flags >= 0 && (flags & O_APPEND);
	return appends || lseek(fd, 0, SEEK_CUR) >= st.st_size ? st.st_size : -1;
}

static int put(struct pf_outlet *o, struct pf_view text, size_t divider)
{
	const struct pf_outlet_fd *f = (const struct pf_outlet_fd *)o;
	(void)divider;
	off_t start = f->is_file ? end_to_write_at(f->fd) : -1;
	int rc = pf_io_write_all(f->fd, text.p, text.n);
	if (rc < 0 && start >= 0 && ftruncate(f->fd, start) == 0)
		(void)lseek(f->fd, start, SEEK_SET); /* the failed write is what gets reported */
	return rc;
}

static const struct pf_outlet_kind kind_fd = { .put = put };

struct pf_outlet *pf_outlet_or_fd(struct pf_outlet *given, struct pf_outlet_fd *own, int fd)
{
	if (given)
		return given;
	*own = (struct pf_outlet_fd){ .base.kind = &kind_fd, .fd = fd, .is_file = is_file(fd) };
	return &own->base;
}

int pf_outlet_begin(struct pf_outlet *o, struct pf_view text)
{
	int rc = pf_outlet_put(o, text, 0);
	return rc < 0 ? rc : pf_outlet_remind(o, text);
}

int pf_outlet_remind(struct pf_outlet *o, struct pf_view text)
{
	return o->kind->preface ? o->kind->preface(o, text) : 0;
}

struct pf_outlet *pf_outlet_close(struct pf_outlet *o)
{
	if (o && o->kind->close)
		o->kind->close(o);
	return NULL;
}
