/* formats/collectl/writer.c - packed raw files. */
#include "formats/collectl/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/time.h"

enum { GZIP_WINDOW = 15 + 16, MEM_LEVEL = 8, CHUNK = 16 * 1024 };

/* @packed: bytes not yet written; @in_member: unpacked bytes of the open member, of @flushes intervals */
struct pf_collectl_writer {
	int fd;
	char *path;
	z_stream z;
	bool have_stream;
	bool plain;
	bool member_open;
	unsigned flushes;
	size_t in_member;
	struct pf_buf packed;
	uint64_t dropped;
	int dropped_rc;
};

static int free_writer(struct pf_collectl_writer *w, int rc)
{
	if (w->have_stream)
		(void)deflateEnd(
			&w->z); /* frees; Z_DATA_ERROR only says that output was left, which finish() has dealt with */
	if (w->fd >= 0 && close(w->fd) < 0 && rc == 0)
		rc = -errno;
	pf_buf_done(&w->packed);
	free(w->path);
	free(w);
	return rc;
}

int pf_collectl_create(struct pf_collectl_writer **ret_writer, const char *path, struct pf_err *err)
{
	return pf_collectl_create_as(ret_writer, path, 0, err);
}

int pf_collectl_create_as(struct pf_collectl_writer **ret_writer, const char *path, int how, struct pf_err *err)
{
	struct pf_collectl_writer *w = calloc(1, sizeof(*w));
	if (!w)
		return pf_err_set(err, -ENOMEM, "no memory");
	w->plain = how & PF_WRITER_PLAIN;
	int flags = (how & PF_WRITER_NEW ? O_EXCL : 0) | (how & PF_WRITER_EMPTY ? O_TRUNC : 0);
	w->fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | flags, 0644);
	if (w->fd < 0) {
		int rc = pf_err_set(err, -errno, "%s: cannot write: %s", path, strerror(errno));
		return free_writer(w, rc);
	}
	w->path = strdup(path);
	if (!w->path || deflateInit2(&w->z, 1, Z_DEFLATED, GZIP_WINDOW, MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
		return free_writer(w, pf_err_set(err, -ENOMEM, "no memory"));
	w->have_stream = true;
	*ret_writer = w;
	return 0;
}

static int pack(struct pf_collectl_writer *w, const void *bytes, size_t n, int how)
{
	if (w->plain) {
		pf_buf_add(&w->packed, bytes, n);
		return w->packed.failed;
	}
	w->z.next_in = (z_const Bytef *)(uintptr_t)bytes;
	w->z.avail_in = (uInt)n;
	do {
		char *to = pf_buf_reserve(&w->packed, CHUNK);
		if (!to)
			return -ENOMEM;
		w->z.next_out = (Bytef *)to;
		w->z.avail_out = CHUNK;
		if (deflate(&w->z, how) == Z_STREAM_ERROR)
			return -EIO;
		w->packed.n += CHUNK - w->z.avail_out;
	} while (w->z.avail_out == 0);
	return 0;
}

/* Write as much as the file takes; what is left stays. */
static int write_out(struct pf_collectl_writer *w)
{
	size_t done = 0;
	int rc = 0;
	while (done < w->packed.n) {
		ssize_t put = write(w->fd, w->packed.p + done, w->packed.n - done);
		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0) {
			rc = -errno;
			break;
		}
		done += (size_t)put;
	}
	if (done > 0) {
		memmove(w->packed.p, w->packed.p + done, w->packed.n - done);
		w->packed.n -= done;
	}
	return rc;
}

static int end_member(struct pf_collectl_writer *w)
{
	if (!w->member_open || w->plain)
		return 0;
	int rc = pack(w, NULL, 0, Z_FINISH);
	(void)deflateReset(&w->z); /* only fails for a stream that was never set up */
	w->member_open = false;
	w->flushes = 0;
	w->in_member = 0;
	return rc;
}

int pf_collectl_write(struct pf_collectl_writer *w, const void *bytes, size_t n, struct pf_err *err)
{
	if (n > UINT32_MAX / 2)
		return pf_err_set(err, -EFBIG, "%s: an interval of %zu bytes", w->path, n);
	if (w->packed.n > PF_COLLECTL_BACKLOG_MAX) {
		int rc = write_out(w);
		if (rc < 0 && w->packed.n > PF_COLLECTL_BACKLOG_MAX) {
			w->dropped++;
			w->dropped_rc = rc;
			(void)pf_err_set(err, rc, "%s: %s, this interval is lost", w->path, strerror(-rc));
			return 2;
		}
	}
	bool last = w->flushes + 1 >= PF_COLLECTL_MEMBER_FLUSHES || w->in_member + n >= PF_COLLECTL_MEMBER_BYTES;
	w->member_open = true;
	w->flushes++;
	w->in_member += n;
	int rc = pack(w, bytes, n, last ? Z_NO_FLUSH : Z_SYNC_FLUSH);
	if (rc == 0 && last)
		rc = end_member(w);
	if (rc < 0)
		return pf_err_set(err, rc, "%s: cannot pack: %s", w->path, strerror(-rc));
	rc = write_out(w);
	if (rc < 0) {
		(void)pf_err_set(err, rc, "%s: cannot write: %s, trying again", w->path, strerror(-rc));
		return 1;
	}
	return 0;
}

int pf_collectl_finish(struct pf_collectl_writer *w, struct pf_err *err)
{
	int rc = end_member(w);
	int wrc = write_out(w);
	if (rc == 0)
		rc = wrc;
	if (rc < 0)
		(void)pf_err_set(err, rc, "%s: cannot write the end: %s", w->path, strerror(-rc));
	else if (w->dropped > 0)
		rc = pf_err_set(err, w->dropped_rc, "%s: %llu intervals are lost: %s", w->path,
				(unsigned long long)w->dropped, strerror(-w->dropped_rc));
	return free_writer(w, rc);
}

void pf_collectl_name(struct pf_buf *out, const char *target, const char *host, const char *ending, int64_t time_ns)
{
	struct stat st;
	size_t n = strlen(target);
	bool slash = n > 0 && target[n - 1] == '/';
	bool folder = slash || (stat(target, &st) == 0 && S_ISDIR(st.st_mode));
	struct tm tm = pf_time_local(time_ns);
	pf_buf_fmt(out, "%s%s%s-%04d%02d%02d-%02d%02d%02d.raw%s.gz", target,
		   slash    ? ""
		   : folder ? "/"
			    : "-",
		   host, tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec, ending);
}
