/* formats/pcp/packed.c - compressed files as if they were not: a window over a stream, or blocks by an index. */
#include "formats/pcp/packed.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "formats/pcp/packed_coder.h"

enum { CHUNK = 64 * 1024, WINDOW = 2 * PF_PACKED_REACH };

/* What PCP's own tools make or read beside those: named so that the refusal can say what to do. */
static const struct pf_packed_coder coder_bz2 = { .suffix = ".bz2", .magic = "BZh", .n_magic = 3, .refuse = "bunzip2" };
static const struct pf_packed_coder coder_bz = { .suffix = ".bz", .refuse = "bunzip2" };
static const struct pf_packed_coder coder_compress = {
	.suffix = ".Z", .magic = "\x1f\x9d", .n_magic = 2, .refuse = "uncompress"
};
static const struct pf_packed_coder coder_pack = {
	.suffix = ".z", .magic = "\x1f\x1e", .n_magic = 2, .refuse = "gunzip"
};

static const struct pf_packed_coder *const coders[] = { &pf_coder_xz, &pf_coder_lzma, &pf_coder_gz,    &pf_coder_zst,
							&coder_bz2,   &coder_bz,      &coder_compress, &coder_pack };

/**
 * struct pf_packed - either @blocks or a stream.
 * @in, @in_off, @in_end: what was read and not unpacked yet, where reading goes on, and that there is no more
 * @window: what was unpacked last: @window_n bytes from @window_off on
 * @size: of what is unpacked, UINT64_MAX unknown
 */
struct pf_packed {
	int fd;
	const struct pf_packed_coder *coder;
	void *state;
	struct pf_xz_blocks *blocks;
	char *chunk;
	struct pf_view in;
	uint64_t in_off;
	bool in_end;
	char *window;
	uint64_t window_off;
	size_t window_n;
	uint64_t size;
	const char *why;
};

const char *pf_packed_suffix(unsigned i)
{
	return i < PF_N(coders) ? coders[i]->suffix : NULL;
}

static bool ends_in(const char *name, const char *suffix)
{
	size_t n = strlen(name);
	size_t k = strlen(suffix);
	return n > k && strcmp(name + n - k, suffix) == 0;
}

static const struct pf_packed_coder *coder_of(int fd, const char *name)
{
	char head[8];
	ssize_t got = pread(fd, head, sizeof(head), 0);
	for (unsigned i = 0; i < PF_N(coders); i++) {
		const struct pf_packed_coder *c = coders[i];
		if (c->n_magic > 0 ? got >= (ssize_t)c->n_magic && memcmp(head, c->magic, c->n_magic) == 0
				   : ends_in(name, c->suffix))
			return c;
	}
	return NULL;
}

/* Everything from the front. */
static int rewind_stream(struct pf_packed *p)
{
	if (p->state)
		p->coder->end(p->state);
	p->state = p->coder->begin();
	p->in = (struct pf_view){ p->chunk, 0 };
	p->in_off = p->window_off = p->window_n = 0;
	p->in_end = false;
	return p->state ? 0 : -ENOMEM;
}

int pf_packed_open(struct pf_packed **ret_packed, int fd, const char *name, struct pf_err *err)
{
	struct stat st;
	const struct pf_packed_coder *coder = coder_of(fd, name);
	*ret_packed = NULL;
	if (!coder)
		return 0;
	if (coder->refuse)
		return pf_err_set(err, -EPROTO,
				  "%s is compressed in a way that is not read here; unpack it first (%s %s)", name,
				  coder->refuse, name);
	if (fstat(fd, &st) < 0)
		return pf_err_set(err, -errno, "%s: %s", name, strerror(errno));
	struct pf_packed *p = calloc(1, sizeof(*p));
	if (!p)
		return pf_err_set(err, -ENOMEM, "%s: no memory", name);
	*p = (struct pf_packed){ .fd = fd, .coder = coder, .size = UINT64_MAX };
	if (coder == &pf_coder_xz)
		p->blocks = pf_xz_blocks_open(fd, (uint64_t)st.st_size);
	if (p->blocks) {
		p->size = pf_xz_blocks_size(p->blocks);
	} else {
		p->chunk = malloc(CHUNK);
		p->window = malloc(WINDOW);
		if (!p->chunk || !p->window || rewind_stream(p) < 0) {
			(void)pf_packed_close(p);
			return pf_err_set(err, -ENOMEM, "%s: no memory", name);
		}
	}
	*ret_packed = p;
	return 0;
}

struct pf_packed *pf_packed_close(struct pf_packed *p)
{
	if (!p)
		return NULL;
	if (p->state)
		p->coder->end(p->state);
	(void)pf_xz_blocks_close(p->blocks);
	free(p->chunk);
	free(p->window);
	free(p);
	return NULL;
}

uint64_t pf_packed_size(const struct pf_packed *p)
{
	return p->size;
}

bool pf_packed_jumps(const struct pf_packed *p)
{
	return p->blocks;
}

const char *pf_packed_why(const struct pf_packed *p)
{
	return p->why;
}

static int fill(struct pf_packed *p)
{
	if (p->in.n > 0 || p->in_end)
		return 0;
	ssize_t got;
	do
		got = pread(p->fd, p->chunk, CHUNK, (off_t)p->in_off);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return -errno;
	p->in = (struct pf_view){ p->chunk, (size_t)got };
	p->in_off += (uint64_t)got;
	p->in_end = got == 0;
	return 0;
}

/* Unpack something more into the window, which forgets its older half when it is full. */
static int advance(struct pf_packed *p)
{
	if (p->window_n == WINDOW) {
		memmove(p->window, p->window + PF_PACKED_REACH, PF_PACKED_REACH);
		p->window_off += PF_PACKED_REACH;
		p->window_n = PF_PACKED_REACH;
	}
	int rc = fill(p);
	if (rc < 0)
		return rc;
	char *out = p->window + p->window_n;
	size_t room = WINDOW - p->window_n;
	enum pf_coder_result result = p->coder->step(p->state, &p->in, p->in_end, &out, &room);
	p->window_n = WINDOW - room;
	if (result == PF_CODER_BROKEN)
		p->why = p->in_end ? "the compressed file is cut off" : "the compressed file is damaged";
	if (result != PF_CODER_MORE)
		p->size = p->window_off + p->window_n;
	return 0;
}

static ssize_t read_stream(struct pf_packed *p, uint64_t off, char *to, size_t n)
{
	int rc = off < p->window_off ? rewind_stream(p) : 0;
	size_t done = 0;
	while (rc == 0 && done < n) {
		uint64_t at = off + done;
		uint64_t have = p->window_off + p->window_n;
		if (at >= have) {
			if (have >= p->size)
				break;
			rc = advance(p);
			continue;
		}
		size_t in = (size_t)(at - p->window_off);
		size_t k = p->window_n - in < n - done ? p->window_n - in : n - done;
		memcpy(to + done, p->window + in, k);
		done += k;
	}
	return rc < 0 ? rc : (ssize_t)done;
}

static ssize_t read_blocks(struct pf_packed *p, uint64_t off, char *to, size_t n)
{
	size_t done = 0;
	while (done < n && off + done < p->size) {
		struct pf_view bytes;
		int rc = pf_xz_blocks_at(p->blocks, off + done, &bytes);
		if (rc == -EBADMSG)
			p->why = "a compressed block is damaged";
		if (rc < 0)
			return done > 0 ? (ssize_t)done : rc;
		size_t k = bytes.n < n - done ? bytes.n : n - done;
		memcpy(to + done, bytes.p, k);
		done += k;
	}
	return (ssize_t)done;
}

ssize_t pf_packed_read(struct pf_packed *p, uint64_t off, char *to, size_t n)
{
	return p->blocks ? read_blocks(p, off, to, n) : read_stream(p, off, to, n);
}

uint64_t pf_packed_measure(struct pf_packed *p)
{
	int rc = 0;
	while (p->size == UINT64_MAX && rc == 0)
		rc = advance(p);
	if (rc < 0) {
		p->size = p->window_off + p->window_n;
		p->why = "the compressed file cannot be read";
	}
	return p->size;
}
