/* formats/collectl/reader.c - raw files as whole lines. Source: RFC 1952 (gzip), zlib's manual. */
#include "formats/collectl/reader.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "formats/collectl/header.h"
#include "formats/collectl/seek.h"

enum { IN_SIZE = 64 * 1024, OUT_SIZE = 256 * 1024, GZIP_WINDOW = 15 + 16, MAGIC = 3, SIZE_BYTES = 4 };
/* A member with less text is not handed out before its checksum was seen to be right. */
enum { HOLD_MAX = 512 * 1024 };
/* A damaged member that unpacks to nonsense beyond its end hides the next one, so that is looked for from its beginning: so far back, so often. */
enum { BACK_MAX = 256 * 1024, BACKS_MAX = 1024 };
enum { STEPS_MAX = 128 }; /* without a line; then the caller may look whether it is to go on */

/* Where in the file we are: between members, inside one, looking for the next one after damage, or in a file that is not packed. */
enum state { PLAIN, BETWEEN, INSIDE, LOST, ENDED };

/**
 * struct pf_collectl_reader
 * @in: bytes [in_at, in_n) of the file are read but not unpacked; the file offset of in[0] is @in_offset
 * @out: unpacked; [line_at, line_end) are whole lines not yet handed out, [line_end, out_n) is the beginning of a line
 * @hand_end: lines up to there can be handed out; what is behind, @held bytes, is of a member that is not over. @any: lines were handed out
 * @member_from: offset of the member that is being unpacked
 * @bad_from: offset at which damage began, for the message
 * @backs: how often the file was read again after damage
 * @lost: bytes of the file that were passed over so far; @bad_at: where what is pending, or was told last, began
 * @line_dropped: inside a line that is too long
 * @over: what can be handed out ends with a member, and with a line
 */
struct pf_collectl_reader {
	int fd;
	enum state state;
	bool have_stream;
	bool eof;
	bool line_dropped;
	bool over;
	z_stream z;
	unsigned char *in;
	size_t in_at, in_n;
	uint64_t in_offset;
	uint64_t member_from;
	uint64_t bad_from;
	unsigned backs;
	uint64_t lost;
	uint64_t bad_at;
	char *out;
	size_t out_cap, out_n, line_at, line_end, hand_end;
	size_t held;
	bool any;
	struct pf_buf header;
	struct pf_err pending; /* damage to tell */
	bool pending_first;    /* before the lines at hand: they come from behind the damage */
};

static uint64_t offset_of(const struct pf_collectl_reader *r)
{
	return r->in_offset + r->in_at;
}

/* Make at least @need bytes available in @in if the file has them. */
static int fill_in(struct pf_collectl_reader *r, size_t need)
{
	while (r->in_n - r->in_at < need && !r->eof) {
		if (r->in_at > 0) {
			memmove(r->in, r->in + r->in_at, r->in_n - r->in_at);
			r->in_offset += r->in_at;
			r->in_n -= r->in_at;
			r->in_at = 0;
		}
		ssize_t got = read(r->fd, r->in + r->in_n, IN_SIZE - r->in_n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			r->eof = true;
		r->in_n += (size_t)got;
	}
	return 0;
}

static bool is_member(const unsigned char *p)
{
	return p[0] == 0x1f && p[1] == 0x8b && p[2] == 8;
}

static int start_member(struct pf_collectl_reader *r)
{
	int rc = r->have_stream ? inflateReset(&r->z) : inflateInit2(&r->z, GZIP_WINDOW);
	if (rc != Z_OK)
		return -ENOMEM;
	r->have_stream = true;
	r->state = INSIDE;
	r->held = 0;
	r->member_from = offset_of(r);
	return 0;
}

/* Room behind the unfinished line. */
static int make_room(struct pf_collectl_reader *r)
{
	if (r->line_at > 0) {
		memmove(r->out, r->out + r->line_at, r->out_n - r->line_at);
		r->out_n -= r->line_at;
		r->line_end -= r->line_at;
		r->hand_end -= r->line_at;
		r->line_at = 0;
	}
	if (r->out_cap - r->out_n >= OUT_SIZE / 4)
		return 0;
	if (r->out_cap >= 2 * (size_t)PF_COLLECTL_LINE_MAX) {
		r->out_n = r->line_end; /* no newline for a whole buffer */
		r->line_dropped = true;
		return 0;
	}
	char *more = realloc(r->out, r->out_cap * 2);
	if (!more)
		return -ENOMEM;
	r->out = more;
	r->out_cap *= 2;
	return 0;
}

/* New bytes [from, out_n) are there: how far do whole lines reach? */
static void find_lines(struct pf_collectl_reader *r, size_t from)
{
	if (r->line_dropped) {
		char *end = memchr(r->out + from, '\n', r->out_n - from);
		if (!end) {
			r->out_n = from;
			return;
		}
		size_t cut = (size_t)(end + 1 - (r->out + from));
		memmove(r->out + from, end + 1, r->out_n - from - cut);
		r->out_n -= cut;
		r->line_dropped = false;
		(void)pf_err_set(&r->pending, -EBADMSG, "a line of more than %d bytes was left out",
				 PF_COLLECTL_LINE_MAX);
	}
	const char *last = memrchr(r->out + from, '\n', r->out_n - from);
	if (last)
		r->line_end = (size_t)(last + 1 - r->out);
}

static void hand_out(struct pf_collectl_reader *r)
{
	r->over &= r->hand_end == r->line_end;
	r->hand_end = r->line_end;
}

/* What is held of a damaged member is of no use but for the header. */
static void drop_held(struct pf_collectl_reader *r)
{
	size_t end = r->hand_end;
	while (!r->any && end < r->line_end && r->out[end] == '#')
		end = (size_t)((char *)memchr(r->out + end, '\n', r->line_end - end) + 1 - r->out);
	r->line_end = r->hand_end = end;
}

/* To the second byte of the member that is damaged. */
static void go_back(struct pf_collectl_reader *r)
{
	uint64_t to = r->member_from + 1;
	if (offset_of(r) - to > BACK_MAX || r->backs == BACKS_MAX)
		return;
	if (to >= r->in_offset) {
		r->in_at = (size_t)(to - r->in_offset);
	} else if (lseek(r->fd, (off_t)to, SEEK_SET) >= 0) {
		r->in_at = r->in_n = 0;
		r->in_offset = to;
		r->eof = false;
		r->backs++;
	}
}

/* Damage at the current place: forget the unfinished line and look for the next member from here on. */
static void lose(struct pf_collectl_reader *r)
{
	bool held = r->hand_end < r->line_end || r->held == 0;
	if (r->hand_end < r->line_end)
		drop_held(r);
	r->out_n = r->line_end;
	r->line_dropped = false;
	if (r->state == LOST)
		return;
	r->bad_from = r->state == INSIDE && held ? r->member_from : offset_of(r);
	r->state = LOST;
}

/* Look for the beginning of a member in the bytes at hand. The state tells: INSIDE one was found, ENDED there is none up to the end. */
static int seek_member(struct pf_collectl_reader *r)
{
	int rc = fill_in(r, MAGIC);
	if (rc < 0)
		return rc;
	while (r->in_n - r->in_at >= MAGIC) {
		const unsigned char *at = memchr(r->in + r->in_at, 0x1f, r->in_n - r->in_at - (MAGIC - 1));
		if (at && is_member(at)) {
			r->in_at = (size_t)(at - r->in);
			rc = fill_in(r, IN_SIZE / 2); /* enough to see what it unpacks to */
			return rc < 0 ? rc : start_member(r);
		}
		r->in_at = at ? (size_t)(at + 1 - r->in) : r->in_n - (MAGIC - 1);
	}
	rc = fill_in(r, MAGIC);
	if (rc < 0 || r->in_n - r->in_at >= MAGIC)
		return rc;
	r->in_at = r->in_n;
	r->state = ENDED;
	return 0;
}

/* What is pending is about bytes from bad_from to @until. */
static void count_lost(struct pf_collectl_reader *r, uint64_t until)
{
	r->bad_at = r->bad_from;
	r->lost += until > r->bad_from ? until - r->bad_from : 0;
}

static void tell_damage(struct pf_collectl_reader *r, const char *what)
{
	count_lost(r, offset_of(r));
	(void)pf_err_set(&r->pending, -EBADMSG, "bytes %llu to %llu: %s", (unsigned long long)r->bad_from,
			 (unsigned long long)offset_of(r), what);
}

/* After damage: is what the new member begins with the beginning of a line that we know? A chance hit in packed bytes is not. */
static bool begins_well(const struct pf_collectl_reader *r, size_t from)
{
	return r->out_n > from && (r->out[from] == '#' || r->out[from] == '>');
}

/* The member is over, and its checksum is another one. Behind that is the size, and then the next member. */
static int bad_sum(struct pf_collectl_reader *r)
{
	bool held = r->hand_end < r->line_end;
	int rc = fill_in(r, SIZE_BYTES + MAGIC);
	size_t left = r->in_n - r->in_at;
	bool next = left == SIZE_BYTES || (left >= SIZE_BYTES + MAGIC && is_member(r->in + r->in_at + SIZE_BYTES));
	lose(r);
	r->bad_at = r->member_from;
	r->lost += held ? offset_of(r) - r->member_from : 0;
	(void)pf_err_set(&r->pending, -EBADMSG, "bytes %llu to %llu: the checksum does not match%s",
			 (unsigned long long)r->member_from, (unsigned long long)offset_of(r),
			 held ? "" : ", values may be wrong");
	if (next) {
		r->in_at += SIZE_BYTES;
		r->state = BETWEEN;
	} else {
		go_back(r);
	}
	return rc;
}

/* Unpack some bytes of the current member. @after_loss: it was found by searching. */
static int inflate_some(struct pf_collectl_reader *r, bool after_loss)
{
	int rc = fill_in(r, 1);
	if (rc < 0)
		return rc;
	if (r->in_n == r->in_at) {
		r->bad_from = offset_of(r);
		count_lost(r, r->bad_from);
		(void)pf_err_set(&r->pending, -EBADMSG, "the file is cut off at byte %llu",
				 (unsigned long long)r->bad_from);
		r->state = ENDED;
		hand_out(r); /* as it was written */
		return 0;
	}
	size_t from = r->out_n;
	r->z.next_in = r->in + r->in_at;
	r->z.avail_in = (uInt)(r->in_n - r->in_at);
	r->z.next_out = (Bytef *)r->out + r->out_n;
	r->z.avail_out = (uInt)(r->out_cap - r->out_n);
	size_t member_at = r->in_at;
	int zrc = inflate(&r->z, Z_NO_FLUSH);
	r->in_at = r->in_n - r->z.avail_in;
	r->out_n = r->out_cap - r->z.avail_out;

	if (after_loss && !begins_well(r, from)) {
		r->out_n = from;
		r->in_at = member_at + 1; /* not a member after all: search on behind its first byte */
		r->state = LOST;
		return 0;
	}
	if (after_loss) {
		uint64_t resume = r->in_offset + member_at;
		count_lost(r, resume);
		(void)pf_err_set(&r->pending, -EBADMSG, "bytes %llu to %llu are damaged",
				 (unsigned long long)r->bad_from, (unsigned long long)resume);
		r->pending_first = true;
	}
	find_lines(r, from);
	r->held += r->out_n > from ? r->out_n - from : 0;
	if (zrc == Z_STREAM_END || (r->held > HOLD_MAX && (zrc == Z_OK || zrc == Z_BUF_ERROR)))
		hand_out(r);
	if (zrc == Z_STREAM_END) {
		r->state = BETWEEN;
		r->over = r->out_n == r->line_end;
		return 0;
	}
	if (zrc == Z_OK || zrc == Z_BUF_ERROR)
		return 0;
	if (zrc == Z_MEM_ERROR)
		return -ENOMEM;
	if (r->z.msg && strstr(r->z.msg, "check"))
		return bad_sum(r);
	lose(r);
	go_back(r);
	return 0;
}

/* Between two members, at the end, or before something that is neither. */
static int next_member(struct pf_collectl_reader *r)
{
	int rc = fill_in(r, MAGIC);
	if (rc < 0)
		return rc;
	size_t left = r->in_n - r->in_at;
	if (left == 0) {
		r->state = ENDED;
		return 0;
	}
	if (left >= MAGIC && is_member(r->in + r->in_at))
		return start_member(r);
	lose(r);
	return 0;
}

static int read_plain(struct pf_collectl_reader *r)
{
	int rc = fill_in(r, 1);
	if (rc < 0)
		return rc;
	size_t left = r->in_n - r->in_at;
	size_t room = r->out_cap - r->out_n;
	size_t n = left < room ? left : room;
	size_t from = r->out_n;
	memcpy(r->out + from, r->in + r->in_at, n);
	r->in_at += n;
	r->out_n += n;
	if (n > 0) {
		find_lines(r, from);
		r->hand_end = r->line_end;
		return 0;
	}
	r->state = ENDED;
	if (r->out_n > r->line_end) {
		r->bad_from = offset_of(r) - (r->out_n - r->line_end);
		count_lost(r, offset_of(r));
		(void)pf_err_set(&r->pending, -EBADMSG, "the file is cut off at byte %llu, inside a line",
				 (unsigned long long)offset_of(r));
	}
	return 0;
}

static int step(struct pf_collectl_reader *r)
{
	int rc = make_room(r);
	if (rc < 0)
		return rc;
	switch (r->state) {
	case PLAIN:
		return read_plain(r);
	case BETWEEN:
		return next_member(r);
	case INSIDE:
		return inflate_some(r, false);
	case LOST:
		rc = seek_member(r);
		if (rc < 0)
			return rc;
		if (r->state == INSIDE)
			return inflate_some(r, true);
		if (r->state == ENDED)
			tell_damage(r, "damaged up to the end");
		return 0;
	case ENDED:
		break;
	}
	return 0;
}

int pf_collectl_lines(struct pf_collectl_reader *r, struct pf_view *ret_lines, struct pf_err *err)
{
	for (unsigned steps = 0;; steps++) {
		if ((r->hand_end > r->line_at && !r->pending_first) || steps == STEPS_MAX) {
			*ret_lines = (struct pf_view){ r->out + r->line_at, r->hand_end - r->line_at };
			r->any |= r->hand_end > r->line_at;
			r->line_at = r->hand_end;
			return 1;
		}
		if (r->pending.rc < 0) {
			int rc = r->pending.rc;
			if (err)
				*err = r->pending;
			r->pending = (struct pf_err){ 0 };
			r->pending_first = false;
			return rc;
		}
		if (r->state == ENDED)
			return -ENODATA;
		int rc = step(r);
		if (rc < 0)
			return pf_err_set(err, rc, "%s", strerror(-rc));
	}
}

bool pf_collectl_is_over(const struct pf_collectl_reader *r)
{
	return r->over;
}

void pf_collectl_damage(const struct pf_collectl_reader *r, uint64_t *ret_at, uint64_t *ret_lost)
{
	*ret_at = r->bad_at;
	*ret_lost = r->lost;
}

void pf_collectl_skip(struct pf_collectl_reader *r, int64_t before_ns)
{
	bool packed = r->state == BETWEEN || r->state == INSIDE;
	uint64_t here = offset_of(r);
	if ((!packed && r->state != PLAIN) || r->pending.rc < 0 || r->line_dropped)
		return;
	uint64_t there = pf_collectl_find(r->fd, packed, here, before_ns);
	if (there <= here || lseek(r->fd, (off_t)there, SEEK_SET) < 0)
		return;
	r->in_at = r->in_n = 0;
	r->in_offset = there;
	r->out_n = r->line_at = r->line_end = r->hand_end = 0;
	r->eof = false;
	r->state = packed ? BETWEEN : PLAIN;
}

struct pf_view pf_collectl_header_text(const struct pf_collectl_reader *r)
{
	return pf_buf_text(&r->header);
}

/* Take the leading '#' lines; leaves the reader at the first line behind them. */
static int read_header(struct pf_collectl_reader *r, struct pf_err *err)
{
	for (;;) {
		struct pf_view lines;
		int rc = pf_collectl_lines(r, &lines, err);
		if (rc < 0 && r->header.n > 0 && (rc == -ENODATA || rc == -EBADMSG)) {
			if (rc == -EBADMSG)
				r->pending = err ? *err : (struct pf_err){ .rc = rc };
			return 0;
		}
		if (rc == 1 && lines.n == 0 && r->header.n > 0)
			return 0;
		if (rc == -ENODATA || (rc == 1 && lines.n == 0))
			return pf_err_set(err, -EINVAL, "not a collectl raw file");
		if (rc < 0)
			return rc;
		struct pf_view rest = lines;
		while (rest.n > 0 && rest.p[0] == '#') {
			struct pf_view line;
			(void)pf_view_line(&rest, &line); /* @rest is not empty */
			if (r->header.n + line.n > PF_COLLECTL_HEADER_MAX)
				return pf_err_set(err, -EFBIG, "header of more than %d bytes", PF_COLLECTL_HEADER_MAX);
			pf_buf_view(&r->header, line);
			pf_buf_char(&r->header, '\n');
		}
		if (r->header.failed)
			return pf_err_set(err, -ENOMEM, "no memory");
		if (rest.n > 0) {
			r->line_at = r->hand_end - rest.n;
			return r->header.n ? 0 : pf_err_set(err, -EINVAL, "not a collectl raw file");
		}
	}
}

struct pf_collectl_reader *pf_collectl_close(struct pf_collectl_reader *r)
{
	if (!r)
		return NULL;
	if (r->have_stream)
		(void)inflateEnd(&r->z); /* frees; its result only tells of unread output */
	if (r->fd >= 0)
		(void)close(r->fd); /* only read from */
	pf_buf_done(&r->header);
	free(r->in);
	free(r->out);
	free(r);
	return NULL;
}

static int open_bytes(struct pf_collectl_reader *r, const char *path, struct pf_err *err)
{
	r->fd = pf_io_open_regular(path, err);
	if (r->fd < 0)
		return r->fd;
	r->in = malloc(IN_SIZE);
	r->out = malloc(OUT_SIZE);
	r->out_cap = OUT_SIZE;
	if (!r->in || !r->out)
		return pf_err_set(err, -ENOMEM, "%s: no memory", path);
	int rc = fill_in(r, MAGIC);
	if (rc < 0)
		return pf_err_set(err, rc, "%s: %s", path, strerror(-rc));
	if (r->in_n == 0)
		return pf_err_set(err, -ENODATA, "%s: the file is empty", path);
	r->state = r->in_n >= MAGIC && is_member(r->in) ? BETWEEN : PLAIN;
	return 0;
}

int pf_collectl_open(struct pf_collectl_reader **ret_reader, const char *path, struct pf_err *err)
{
	struct pf_collectl_reader *r = calloc(1, sizeof(*r));
	if (!r)
		return pf_err_set(err, -ENOMEM, "%s: no memory", path);
	r->fd = -1;
	int rc = open_bytes(r, path, err);
	if (rc == 0) {
		struct pf_err own = { 0 };
		rc = read_header(r, &own);
		if (rc < 0)
			(void)pf_err_set(err, rc, "%s: %s", path, own.text);
	}
	if (rc < 0) {
		(void)pf_collectl_close(r);
		return rc == -EBADMSG ? -EINVAL : rc;
	}
	*ret_reader = r;
	return 0;
}

bool pf_collectl_looks_like(const char *path)
{
	struct pf_collectl_reader *r = calloc(1, sizeof(*r));
	if (!r)
		return false;
	r->fd = -1;
	struct pf_view lines = { 0 };
	struct pf_err ignored = { 0 };
	bool yes = open_bytes(r, path, &ignored) == 0 && pf_collectl_lines(r, &lines, &ignored) == 1 &&
		   pf_view_starts(lines, "########") && memmem(lines.p, lines.n, "# Collectl:", 11) != NULL;
	(void)pf_collectl_close(r);
	return yes;
}
