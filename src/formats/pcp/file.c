/* formats/pcp/file.c - records out of one file of an archive. */
#include "formats/pcp/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "formats/pcp/packed.h"
#include "formats/pcp/record.h"

/* More than 64 KiB at a time are not faster: they do not stay in the processor's cache. @BEHIND: of the next record, at which readers look, too. */
enum { WINDOW = 64 * 1024, SHORTEST = 8, BEHIND = 16 };

int pf_pcp_file_init(struct pf_pcp_file *f, int fd, const char *name, unsigned align, struct pf_err *err)
{
	*f = (struct pf_pcp_file){ .fd = fd, .align = align };
	struct stat st;
	if (fstat(fd, &st) < 0)
		return pf_err_set(err, -errno, "%s: %s", name, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return pf_err_set(err, -EINVAL, "%s: not a file", name);
	int rc = pf_packed_open(&f->packed, fd, name, err);
	if (rc < 0)
		return rc;
	f->size = f->packed ? pf_packed_size(f->packed) : (uint64_t)st.st_size;
	f->name = strdup(name);
	if (f->name)
		return 0;
	f->packed = pf_packed_close(f->packed);
	return pf_err_set(err, -ENOMEM, "%s: no memory", name);
}

void pf_pcp_file_done(struct pf_pcp_file *f)
{
	if (f->name && f->fd >= 0)
		(void)close(f->fd); /* was only read */
	(void)pf_packed_close(f->packed);
	free(f->name);
	free(f->window);
	*f = (struct pf_pcp_file){ .fd = -1 };
}

/* Where a compressed file ends is known only when it was unpacked so far. */
static ssize_t read_packed(struct pf_pcp_file *f, uint64_t off, char *to, size_t n)
{
	ssize_t got = pf_packed_read(f->packed, off, to, n);
	f->size = pf_packed_size(f->packed);
	return got;
}

/* Read @n bytes at @off into @to; fewer when the file shrank meanwhile. */
static ssize_t read_at(struct pf_pcp_file *f, uint64_t off, char *to, size_t n)
{
	if (f->packed)
		return read_packed(f, off, to, n);
	size_t done = 0;
	while (done < n) {
		ssize_t got = pread(f->fd, to + done, n - done, (off_t)(off + done));
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			break;
		done += (size_t)got;
	}
	return (ssize_t)done;
}

/* Fill the window with @n bytes at @off; what it has of them stays. Return: 0 or negative errno. */
static int fill(struct pf_pcp_file *f, uint64_t off, size_t n, struct pf_err *err)
{
	size_t have = 0;
	if (off >= f->window_off && off - f->window_off < f->window_n) {
		size_t in = (size_t)(off - f->window_off);
		have = f->window_n - in < n ? f->window_n - in : n;
		memmove(f->window, f->window + in, have);
	}
	f->window_off = off;
	f->window_n = have;
	if (n > f->cap || !f->window) {
		char *more = realloc(f->window, n + 1);
		if (!more)
			return pf_err_set(err, -ENOMEM, "%s: no memory for %zu bytes", f->name, n);
		f->window = more;
		f->cap = n;
	}
	ssize_t got = read_at(f, off + have, f->window + have, n - have);
	if (got == -EBADMSG)
		return pf_err_set(err, -EBADMSG, "%s", pf_packed_why(f->packed));
	if (got < 0)
		return pf_err_set(err, (int)got, "%s: %s", f->name, strerror((int)-got));
	f->window_n = have + (size_t)got;
	return 0;
}

int pf_pcp_file_bytes(struct pf_pcp_file *f, uint64_t off, size_t n, struct pf_view *ret_bytes, struct pf_err *err)
{
	if (f->packed && n > PF_PACKED_REACH)
		f->size = pf_packed_measure(f->packed); /* no memory for what is not there */
	if (off > f->size || n > f->size - off)
		return 0;
	bool inside =
		off >= f->window_off && off - f->window_off <= f->window_n && n <= f->window_n - (off - f->window_off);
	if (!inside) {
		size_t want = n < WINDOW ? WINDOW : n;
		if (want > f->size - off)
			want = (size_t)(f->size - off);
		int rc = fill(f, off, want, err);
		if (rc < 0)
			return rc;
		if (f->window_n < n)
			return 0;
	}
	*ret_bytes = (struct pf_view){ f->window + (off - f->window_off), n };
	return 1;
}

const char *pf_pcp_file_why(const struct pf_pcp_file *f, const char *plain)
{
	const char *why = f->packed ? pf_packed_why(f->packed) : NULL;
	return why ? why : plain;
}

static int at_end(struct pf_pcp_file *f, struct pf_err *err)
{
	const char *why = pf_pcp_file_why(f, NULL);
	if (!why || f->end_told)
		return 0;
	f->end_told = true;
	return pf_err_set(err, -EBADMSG, "%s", why);
}

int pf_pcp_file_peek(struct pf_pcp_file *f, struct pf_view *ret_rec, struct pf_err *err)
{
	struct pf_view head;
	int rc = pf_pcp_file_bytes(f, f->off, 4, &head, err);
	if (rc < 0)
		return rc;
	if (f->off >= f->size)
		return at_end(f, err);
	if (rc == 0)
		return pf_err_set(err, -EBADMSG, "%s", pf_pcp_file_why(f, "the file ends inside a length word"));
	uint64_t left = f->size - f->off;
	uint32_t len = pf_be_get_u32(head, 0);
	if (len < SHORTEST || len > PF_PCP_RECORD_MAX)
		return pf_err_set(err, -EBADMSG, "impossible length %u", len);
	if (len > left)
		return pf_err_set(err, -EBADMSG, "the record has %u bytes, but the file ends after %llu of them", len,
				  (unsigned long long)left);
	/* Of a packed file what is behind may be damaged. */
	struct pf_view rec;
	size_t behind = f->packed ? 0 : left - len < BEHIND ? (size_t)(left - len) : BEHIND;
	rc = pf_pcp_file_bytes(f, f->off, len + behind, &rec, err);
	if (rc < 0)
		return rc;
	rec.n = len;
	if (rc == 0)
		return pf_err_set(err, -EBADMSG, "%s", pf_pcp_file_why(f, "the file became shorter"));
	uint32_t trailer = pf_be_get_u32(rec, len - 4);
	if (trailer != len)
		return pf_err_set(err, -EBADMSG, "length %u in front, %u behind", len, trailer);
	*ret_rec = rec;
	return 1;
}

bool pf_pcp_file_look(struct pf_pcp_file *f, uint64_t off, char *to, size_t n)
{
	if (off >= f->window_off && off - f->window_off <= f->window_n && n <= f->window_n - (off - f->window_off)) {
		memcpy(to, f->window + (off - f->window_off), n);
		return true;
	}
	return off < f->size && n <= f->size - off && read_at(f, off, to, n) == (ssize_t)n;
}

static uint32_t word_at(struct pf_pcp_file *f, uint64_t off)
{
	char bytes[4];
	return pf_pcp_file_look(f, off, bytes, 4) ? pf_be_get_u32((struct pf_view){ bytes, 4 }, 0) : 0;
}

static bool sane_at(struct pf_pcp_file *f, uint64_t off, pf_pcp_sane_fn *sane, const void *arg)
{
	if (f->size < 4 || off > f->size - 4)
		return false;
	uint64_t left = f->size - off;
	struct pf_view rec;
	if (pf_pcp_file_bytes(f, off, 4, &rec, NULL) != 1)
		return false;
	uint32_t len = pf_be_get_u32(rec, 0);
	uint32_t most = f->packed && !pf_packed_jumps(f->packed) ? PF_PACKED_REACH : PF_PCP_RECORD_MAX;
	if (len < SHORTEST || len > most || len > left || len % f->align != 0)
		return false;
	if (word_at(f, off + len - 4) != len)
		return false;
	return pf_pcp_file_bytes(f, off, len, &rec, NULL) == 1 && sane(arg, rec);
}

void pf_pcp_file_resync(struct pf_pcp_file *f, pf_pcp_sane_fn *sane, const void *arg)
{
	uint64_t from = f->off;
	struct pf_view head;
	f->number++;
	if (f->packed)
		f->size = pf_packed_measure(f->packed);
	if (pf_pcp_file_bytes(f, from, 4, &head, NULL) == 1) {
		uint32_t len = pf_be_get_u32(head, 0);
		if (len >= SHORTEST && len % f->align == 0 && len < f->size - from &&
		    sane_at(f, from + len, sane, arg)) {
			f->off = from + len;
			return;
		}
	}
	for (uint64_t off = from + f->align; off < f->size; off += f->align) {
		if (sane_at(f, off, sane, arg)) {
			f->off = off;
			return;
		}
	}
	f->off = f->size;
	f->end_told = true;
}
