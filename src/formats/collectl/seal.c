/* formats/collectl/seal.c - what of a raw file is whole, and a file of that. Source: RFC 1951, RFC 1952 (gzip), zlib's manual. */
#include "formats/collectl/seal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "base/patch.h"
#include "base/replace.h"
#include "formats/collectl/track.h"
#include "model/finding.h"

enum {
	GZIP_WINDOW = 15 + 16,
	CHUNK = 64 * 1024,
	MAGIC = 3,
	BLOCK_END = 128,
	LAST_BLOCK = 64,
	UNUSED_BITS = 7,
	FLUSH = 4
};

/* A member with so much text is none of ours, which are small so that little is lost with them. */
enum { LARGE = 1 << 20 };

/* How a member ended. */
enum end { WHOLE, CUT, BROKEN, BAD_SUM };

/**
 * struct member - one gzip member, unpacked once.
 * @from, @to: of the file, @to behind it if it is WHOLE or BAD_SUM. @flushed: unpacked bytes at the last flush, where an interval was over
 */
struct member {
	uint64_t from;
	uint64_t to;
	enum end end;
	struct pf_track track;
	uint64_t flushed;
	bool begins_well;
};

/**
 * struct seal - @lost: something was left out and is not told yet: bytes [lost_from, lost_to), for @why, after @lost_ns.
 * @last_ns: time of the last interval that is kept; @intervals: so many are; @has_header: and a header
 */
struct seal {
	const char *path;
	int fd;
	uint64_t size;
	struct pf_patch patch;
	const struct pf_findings *to;
	bool has_header;
	bool with_loss;
	bool keeps_old;
	bool lost;
	uint64_t lost_from;
	uint64_t lost_to;
	int64_t lost_ns;
	const char *why;
	int64_t last_ns;
	uint64_t intervals;
	unsigned char in[CHUNK];
	char out[CHUNK];
};

static int read_at(struct seal *s, uint64_t off, size_t n, ssize_t *ret_got)
{
	ssize_t got;
	do
		got = pread(s->fd, s->in, n, (off_t)off);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return -errno;
	*ret_got = got;
	return 0;
}

/* Does the file have the mark of a flush before @off? */
static bool is_flushed(const struct seal *s, uint64_t off)
{
	char bytes[FLUSH];
	return off >= FLUSH && pread(s->fd, bytes, FLUSH, (off_t)(off - FLUSH)) == FLUSH &&
	       memcmp(bytes, "\0\0\xff\xff", FLUSH) == 0;
}

static void look(struct member *m, const char *text, size_t n)
{
	if (m->track.pos == 0 && n > 0)
		m->begins_well = text[0] == '#' || text[0] == '>';
	while (n > 0) {
		size_t k = pf_track_text(&m->track, text, n);
		text += k;
		n -= k;
	}
}

/* Unpack what is at hand. Return: 1 go on, 0 the member is over, -ENOMEM. */
static int unpack(struct seal *s, z_stream *z, struct member *m, uint64_t read_to)
{
	do {
		z->next_out = (Bytef *)s->out;
		z->avail_out = CHUNK;
		int rc = inflate(z, Z_BLOCK);
		look(m, s->out, CHUNK - z->avail_out);
		m->to = read_to - z->avail_in;
		if (rc == Z_MEM_ERROR)
			return -ENOMEM;
		if (rc != Z_OK && rc != Z_BUF_ERROR) {
			bool sum = rc == Z_DATA_ERROR && z->msg &&
				   (strstr(z->msg, "data check") || strstr(z->msg, "length check"));
			m->end = rc == Z_STREAM_END ? WHOLE : sum ? BAD_SUM : BROKEN;
			return 0;
		}
		int state = z->data_type;
		if ((state & BLOCK_END) && !(state & LAST_BLOCK) && (state & UNUSED_BITS) == 0 &&
		    m->track.line_n == 0 && m->track.pos > 0 && is_flushed(s, m->to))
			m->flushed = m->track.pos;
	} while (z->avail_in > 0 || z->avail_out == 0);
	return 1;
}

static int read_member(struct seal *s, uint64_t from, struct member *m)
{
	z_stream z = { 0 };
	*m = (struct member){ .from = from, .to = from };
	if (inflateInit2(&z, GZIP_WINDOW) != Z_OK)
		return -ENOMEM;
	int rc = 1;
	uint64_t at = from;
	while (rc == 1) {
		ssize_t got = 0;
		rc = read_at(s, at, CHUNK, &got);
		if (rc < 0 || got == 0) {
			m->end = CUT;
			m->to = at;
			break;
		}
		at += (uint64_t)got;
		z.next_in = s->in;
		z.avail_in = (uInt)got;
		rc = unpack(s, &z, m, at);
	}
	(void)inflateEnd(&z); /* frees */
	return rc < 0 ? rc : 0;
}

/* A packer whose output is appended to the new file. */
static int pack(struct seal *s, z_stream *d, const char *bytes, size_t n, int how)
{
	unsigned char out[CHUNK];
	d->next_in = (z_const Bytef *)(uintptr_t)bytes;
	d->avail_in = (uInt)n;
	do {
		d->next_out = out;
		d->avail_out = CHUNK;
		if (deflate(d, how) == Z_STREAM_ERROR)
			return -EIO;
		pf_patch_put(&s->patch, out, CHUNK - d->avail_out);
	} while (d->avail_out == 0);
	return s->patch.failed;
}

/* Bytes [from, to) of the text of a member, packed anew. */
static int pack_text(struct seal *s, const struct member *m, uint64_t from, uint64_t to)
{
	z_stream z = { 0 };
	z_stream d = { 0 };
	uint64_t at = m->from;
	uint64_t pos = 0;
	if (inflateInit2(&z, GZIP_WINDOW) != Z_OK)
		return -ENOMEM;
	int rc = deflateInit2(&d, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) == Z_OK
			 ? 0
			 : -ENOMEM;
	while (rc == 0 && pos < to) {
		if (z.avail_in == 0) {
			ssize_t got = 0;
			rc = read_at(s, at, CHUNK, &got);
			if (rc < 0 || got == 0)
				break;
			at += (uint64_t)got;
			z.next_in = s->in;
			z.avail_in = (uInt)got;
		}
		z.next_out = (Bytef *)s->out;
		z.avail_out = CHUNK;
		int zrc = inflate(&z, Z_BLOCK);
		uint64_t n = CHUNK - z.avail_out;
		uint64_t skip = pos >= from ? 0 : from - pos < n ? from - pos : n;
		uint64_t end = to - pos < n ? to - pos : n;
		if (end > skip)
			rc = pack(s, &d, s->out + skip, (size_t)(end - skip), Z_NO_FLUSH);
		pos += n;
		if (zrc != Z_OK && zrc != Z_BUF_ERROR)
			break;
	}
	if (rc == 0)
		rc = pack(s, &d, NULL, 0, Z_FINISH);
	(void)deflateEnd(&d); /* frees */
	(void)inflateEnd(&z);
	return rc;
}

/* What was left out is told when it is known what comes behind it (@until_ns 0: nothing). */
static void tell_lost(struct seal *s, int64_t until_ns)
{
	if (!s->lost)
		return;
	struct pf_finding f = { .grade = PF_GRADE_ERROR,
				.rule = s->lost_to >= s->size ? "sealed-tail" : "sealed-middle",
				.file = s->path,
				.record = PF_FINDING_NOWHERE,
				.byte = s->lost_from,
				.lost = s->lost_to - s->lost_from,
				.from_ns = s->lost_ns,
				.until_ns = until_ns };
	pf_finding_tell(s->to, f, "%s", s->why);
	s->lost = false;
}

static void lose(struct seal *s, uint64_t from, uint64_t to, const char *why)
{
	s->with_loss = true;
	s->keeps_old |= to < s->size;
	if (!s->lost) {
		s->lost = true;
		s->lost_from = from;
		s->lost_ns = s->last_ns;
		s->why = why;
	}
	s->lost_to = to;
}

/* Intervals of a member are kept. */
static void count(struct seal *s, const struct member *m, uint64_t marks, int64_t last_ns)
{
	if (marks > 0) {
		tell_lost(s, m->track.first_ns);
		s->last_ns = last_ns;
	}
	s->intervals += marks;
}

static int take_whole(struct seal *s, const struct member *m)
{
	bool header = !s->has_header && m->track.header_end > 0;
	s->has_header |= header || (m->track.pos > 0 && !m->track.in_text);
	/* What comes first behind a hole may be the rest of an interval. */
	if (s->lost && !m->begins_well && m->track.pos > 0) {
		if (m->track.marks == 0) {
			lose(s, m->from, m->to, s->why);
			return 0;
		}
		count(s, m, m->track.marks, m->track.last_ns);
		return pack_text(s, m, m->track.first_at, m->track.pos);
	}
	count(s, m, m->track.marks, m->track.last_ns);
	pf_patch_keep(&s->patch, m->from, m->to - m->from);
	return 0;
}

/* The last member, without its end: whole intervals of it are as they were recorded. */
static int take_cut(struct seal *s, const struct member *m)
{
	const struct pf_track *t = &m->track;
	bool all = m->flushed > 0 && m->flushed == t->pos;
	uint64_t keep = all ? t->pos : m->flushed > t->mark_at ? m->flushed : t->mark_at;
	bool last = keep > t->mark_at;
	uint64_t marks = last || t->marks == 0 ? t->marks : t->marks - 1;
	if (t->marks == 0)
		keep = s->has_header ? 0 : t->in_text ? t->header_end : 0;
	if (keep > 0) {
		s->has_header |= t->header_end > 0;
		count(s, m, marks, last ? t->last_ns : t->before_ns);
		int rc = pack_text(s, m, 0, keep);
		if (rc < 0)
			return rc;
	}
	/* A recorder that was killed between two intervals has lost nothing. */
	if (!all)
		lose(s, m->from, s->size, "the file was cut off in this member; what is whole of it was packed again");
	return 0;
}

/* Bytes that cannot be trusted: up to the header, or all there is. */
static int take_broken(struct seal *s, const struct member *m, uint64_t next)
{
	const struct pf_track *t = &m->track;
	bool only = m->from == 0 && next >= s->size;
	bool sum = m->end == BAD_SUM;
	uint64_t keep = 0;
	s->keeps_old = true;
	if (only || t->pos > LARGE)
		keep = sum ? t->pos : t->marks > 0 ? t->mark_at : 0;
	if (keep > 0)
		count(s, m, sum ? t->marks : t->marks - 1, sum ? t->last_ns : t->before_ns);
	bool header = keep == 0 && !s->has_header && t->in_text && t->header_end > 0;
	lose(s, m->from, next,
	     header	 ? "this part is damaged; only the header in it was kept, and lines of it may be wrong"
	     : keep == 0 ? "this part is damaged and was left out"
	     : sum	 ? "the checksum of this part does not match; it was kept, but values in it may be wrong"
			 : "this part is damaged; what came before that was kept, but values in it may be wrong");
	if (header)
		keep = t->header_end;
	s->has_header |= keep > 0 && t->header_end > 0;
	return keep > 0 ? pack_text(s, m, 0, keep) : 0;
}

/* Does a member begin there whose text begins as a line of a raw file does? */
static bool is_member(const unsigned char *p, size_t n)
{
	char text[1];
	if (p[0] != 0x1f || p[1] != 0x8b || p[2] != Z_DEFLATED)
		return false;
	z_stream z = { .next_in = (z_const Bytef *)(uintptr_t)p, .avail_in = (uInt)n };
	if (inflateInit2(&z, GZIP_WINDOW) != Z_OK)
		return false;
	z.next_out = (Bytef *)text;
	z.avail_out = 1;
	(void)inflate(&z, Z_SYNC_FLUSH); /* what came out tells */
	bool good = z.avail_out == 0 && (text[0] == '#' || text[0] == '>');
	(void)inflateEnd(&z);
	return good;
}

/* The next member from @from on, or the end of the file. */
static int find_member(struct seal *s, uint64_t from, uint64_t *ret_at)
{
	enum { NEAR = CHUNK / 2 };
	for (uint64_t at = from;;) {
		ssize_t got = 0;
		int rc = read_at(s, at, CHUNK, &got);
		if (rc < 0)
			return rc;
		bool end = got < CHUNK;
		for (ssize_t i = 0; i + MAGIC < got && (end || i < NEAR); i++) {
			if (s->in[i] == 0x1f && is_member(s->in + i, (size_t)(got - i))) {
				*ret_at = at + (uint64_t)i;
				return 0;
			}
		}
		if (end) {
			*ret_at = s->size;
			return 0;
		}
		at += NEAR;
	}
}

static int walk_members(struct seal *s)
{
	struct member m;
	uint64_t at = 0;
	int rc = 0;
	while (rc == 0 && at < s->size) {
		rc = read_member(s, at, &m);
		if (rc < 0)
			return rc;
		if (m.end == WHOLE) {
			rc = take_whole(s, &m);
			at = m.to;
			continue;
		}
		uint64_t next;
		rc = find_member(s, at + 1, &next);
		if (rc < 0)
			return rc;
		bool cut = m.end == CUT && next >= s->size;
		rc = cut ? take_cut(s, &m) : take_broken(s, &m, next);
		at = next;
	}
	return rc;
}

/* Text: the interval that is over goes into the new file if there are no zeros in it. */
static void take_interval(struct seal *s, uint64_t from, uint64_t to, int64_t ns, bool zeros)
{
	if (zeros) {
		lose(s, from, to, "intervals with zero bytes were left out");
		return;
	}
	tell_lost(s, ns);
	pf_patch_keep(&s->patch, from, to - from);
	s->last_ns = ns;
	s->intervals++;
}

static int walk_text(struct seal *s)
{
	struct pf_track t = { 0 };
	uint64_t at = 0;
	for (;;) {
		ssize_t got = 0;
		int rc = read_at(s, at, CHUNK, &got);
		if (rc < 0)
			return rc;
		if (got == 0)
			break;
		for (size_t done = 0; done < (size_t)got;) {
			struct pf_track before = t;
			done += pf_track_text(&t, (const char *)s->in + done, (size_t)got - done);
			if (t.marks == before.marks)
				continue;
			if (t.marks == 1)
				pf_patch_keep(&s->patch, 0, t.mark_at);
			else
				take_interval(s, before.mark_at, t.mark_at, before.last_ns, t.before_zeros);
		}
		at += (uint64_t)got;
	}
	s->has_header = t.header_end > 0 && t.marks > 0;
	if (t.marks > 0 && t.line_n == 0)
		take_interval(s, t.mark_at, t.pos, t.last_ns, t.zeros);
	else if (t.marks > 0)
		lose(s, t.mark_at, s->size, "the last interval was cut within a line and left out");
	return 0;
}

static int write_anew(struct seal *s, struct pf_err *err)
{
	pf_autofree char *kept = NULL;
	int rc = pf_patch_replace(&s->patch, s->path, s->fd, s->keeps_old, &kept, err);
	if (rc < 0 || !kept)
		return rc;
	pf_finding_kept(s->to, s->path, basename(kept));
	return 0;
}

static int seal(struct seal *s, struct pf_err *err)
{
	unsigned char magic[MAGIC] = { 0 };
	struct stat st;
	if (fstat(s->fd, &st) < 0 || pread(s->fd, magic, MAGIC, 0) < 0)
		return pf_err_set(err, -errno, "%s: %s", s->path, strerror(errno));
	s->size = (uint64_t)st.st_size;
	if (s->size == 0)
		return pf_err_set(err, -ENODATA, "%s: the file is empty", s->path);
	bool packed = magic[0] == 0x1f && magic[1] == 0x8b;
	int rc = packed ? walk_members(s) : walk_text(s);
	if (rc < 0)
		return pf_err_set(err, rc, "%s: %s", s->path, strerror(-rc));
	tell_lost(s, 0);
	if (!s->has_header || s->intervals == 0)
		return pf_err_set(err, -EINVAL, "%s: %s is whole; nothing was changed", s->path,
				  s->has_header ? "no interval" : "no header");
	if (pf_patch_is_same(&s->patch, s->size) && !s->patch.failed)
		return s->with_loss ? PF_SEALED_WITH_LOSS : PF_SEALED_NOTHING;
	rc = write_anew(s, err);
	return rc < 0 ? rc : s->with_loss ? PF_SEALED_WITH_LOSS : PF_SEALED_WHOLE;
}

int pf_collectl_seal(const char *path, const struct pf_findings *to, struct pf_err *err)
{
	int rc = pf_replace_may(path, err);
	if (rc < 0)
		return rc;
	struct seal *s = calloc(1, sizeof(*s));
	if (!s)
		return pf_err_set(err, -ENOMEM, "%s: no memory", path);
	s->path = path;
	s->to = to;
	s->fd = pf_io_open_regular(path, err);
	rc = s->fd < 0 ? s->fd : seal(s, err);
	pf_closep(&s->fd);
	pf_patch_done(&s->patch);
	free(s);
	return rc;
}
