/* sinks/series.c - series by their keys, and the file that they overflow into. */
#include "sinks/series.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"

/* A piece is written when it has so many bytes, all pieces when together they have so many. */
enum { PIECE = 4096, PENDING_MAX = 64 << 20, HEADS_FIRST = 256 };

/* FNV-1a of 64 bits. */
static uint64_t hash_of(unsigned of, struct pf_view key)
{
	uint64_t h = (UINT64_C(14695981039346656037) ^ of) * UINT64_C(1099511628211);
	for (size_t i = 0; i < key.n; i++)
		h = (h ^ (unsigned char)key.p[i]) * UINT64_C(1099511628211);
	return h ^ h >> 32;
}

static int room_for_heads(struct pf_series_set *set)
{
	unsigned n = set->n_heads ? set->n_heads : HEADS_FIRST / 2;
	if (set->n < set->n_heads)
		return 0;
	if (n > UINT32_MAX / 4)
		return -ENOMEM;
	unsigned *heads = calloc((size_t)n * 2, sizeof(*heads));
	if (!heads)
		return -ENOMEM;
	free(set->heads);
	set->heads = heads;
	set->n_heads = n * 2;
	for (unsigned i = 0; i < set->n; i++) {
		struct pf_series *s = &set->series[i];
		unsigned *head = &heads[hash_of(s->of, s->key) & (set->n_heads - 1)];
		s->next = *head;
		*head = i + 1;
	}
	return 0;
}

static int room_for_of(struct pf_series_set *set, unsigned of)
{
	if (of < set->n_of)
		return 0;
	unsigned n = of + 64;
	unsigned *first = reallocarray(set->first, n, sizeof(*first));
	if (first)
		set->first = first;
	unsigned *last = reallocarray(set->last, n, sizeof(*last));
	if (last)
		set->last = last;
	if (!first || !last)
		return -ENOMEM;
	memset(first + set->n_of, 0, (n - set->n_of) * sizeof(*first));
	memset(last + set->n_of, 0, (n - set->n_of) * sizeof(*last));
	set->n_of = n;
	return 0;
}

static int room_for_series(struct pf_series_set *set)
{
	if (set->n < set->cap)
		return 0;
	unsigned cap = set->cap ? set->cap * 2 : HEADS_FIRST;
	struct pf_series *more = reallocarray(set->series, cap, sizeof(*more));
	if (!more)
		return -ENOMEM;
	set->series = more;
	set->cap = cap;
	return 0;
}

static int add(struct pf_series_set *set, unsigned of, struct pf_view key)
{
	int rc = room_for_series(set);
	if (rc == 0)
		rc = room_for_heads(set);
	if (rc == 0)
		rc = room_for_of(set, of);
	const char *copy = rc == 0 ? pf_arena_dup(&set->keys, key) : NULL;
	if (!copy)
		return -ENOMEM;
	unsigned *head = &set->heads[hash_of(of, key) & (set->n_heads - 1)];
	set->series[set->n] = (struct pf_series){ .key = { copy, key.n }, .of = of, .next = *head };
	*head = ++set->n;
	if (set->last[of])
		set->series[set->last[of] - 1].after = set->n;
	else
		set->first[of] = set->n;
	set->last[of] = set->n;
	return 0;
}

int pf_series_find(struct pf_series_set *set, unsigned of, struct pf_view key, struct pf_series **ret_series)
{
	unsigned i = set->n_heads ? set->heads[hash_of(of, key) & (set->n_heads - 1)] : 0;
	for (; i > 0; i = set->series[i - 1].next) {
		struct pf_series *s = &set->series[i - 1];
		if (s->of != of || s->key.n != key.n || memcmp(s->key.p, key.p, key.n) != 0)
			continue;
		*ret_series = s;
		return 0;
	}
	int rc = add(set, of, key);
	if (rc == 0)
		*ret_series = &set->series[set->n - 1];
	return rc;
}

/* A file that nobody else sees and that is gone when it is closed. */
static int open_file(struct pf_series_set *set, struct pf_err *err)
{
	if (set->fd >= 0)
		return 0;
	set->fd = open(set->folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (set->fd >= 0)
		return 0;
	pf_autofree char *path = NULL;
	if (asprintf(&path, "%s/perfolio-XXXXXX", set->folder) < 0) {
		path = NULL;
		return pf_err_set(err, -ENOMEM, "no memory");
	}
	set->fd = mkostemp(path, O_CLOEXEC);
	if (set->fd < 0)
		return pf_err_set(err, -errno, "no file can be made in %s, where what is converted waits: %s",
				  set->folder, strerror(errno));
	(void)unlink(path);
	return 0;
}

static int write_out(struct pf_series_set *set, struct pf_series *s, struct pf_err *err)
{
	int rc = open_file(set, err);
	struct pf_piece *more = rc == 0 ? reallocarray(s->pieces, s->n_pieces + 1, sizeof(*more)) : NULL;
	if (!more)
		return rc < 0 ? rc : pf_err_set(err, -ENOMEM, "no memory");
	s->pieces = more;
	more[s->n_pieces] = (struct pf_piece){ set->end, s->text.n };
	for (size_t done = 0; done < s->text.n;) {
		ssize_t n = pwrite(set->fd, s->text.p + done, s->text.n - done, set->end + (off_t)done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return pf_err_set(err, n < 0 ? -errno : -EIO, "a file in %s, where what is converted waits: %s",
					  set->folder, strerror(n < 0 ? errno : EIO));
		done += (size_t)n;
	}
	set->end += (off_t)s->text.n;
	set->pending -= s->text.n;
	s->n_pieces++;
	pf_buf_done(&s->text);
	return 0;
}

int pf_series_grown(struct pf_series_set *set, struct pf_series *s, size_t n, struct pf_err *err)
{
	if (s->text.failed)
		return pf_err_set(err, s->text.failed, "no memory");
	set->pending += n;
	int rc = s->text.n >= PIECE ? write_out(set, s, err) : 0;
	for (unsigned i = 0; i < set->n && rc == 0 && set->pending > PENDING_MAX; i++)
		rc = set->series[i].text.n > 0 ? write_out(set, &set->series[i], err) : 0;
	return rc;
}

static int read_in(struct pf_series_set *set, const struct pf_piece *piece, struct pf_err *err)
{
	pf_buf_clear(&set->block);
	if (!pf_buf_reserve(&set->block, piece->n))
		return pf_err_set(err, -ENOMEM, "no memory");
	while (set->block.n < piece->n) {
		ssize_t n = pread(set->fd, set->block.p + set->block.n, piece->n - set->block.n,
				  piece->off + (off_t)set->block.n);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return pf_err_set(err, n < 0 ? -errno : -EIO, "a file in %s cannot be read: %s", set->folder,
					  strerror(n < 0 ? errno : EIO));
		set->block.n += (size_t)n;
	}
	return 0;
}

int pf_series_each(struct pf_series_set *set, const struct pf_series *s,
		   int (*put)(void *arg, const struct pf_series *s, struct pf_view text), void *arg, struct pf_err *err)
{
	int rc = 0;
	for (unsigned i = 0; i < s->n_pieces && rc == 0; i++) {
		rc = read_in(set, &s->pieces[i], err);
		if (rc == 0)
			rc = put(arg, s, pf_buf_text(&set->block));
	}
	return rc == 0 && s->text.n > 0 ? put(arg, s, pf_buf_text(&s->text)) : rc;
}

void pf_series_done(struct pf_series_set *set)
{
	for (unsigned i = 0; i < set->n; i++) {
		pf_buf_done(&set->series[i].text);
		free(set->series[i].pieces);
	}
	pf_closep(&set->fd);
	free(set->series);
	free(set->heads);
	free(set->first);
	free(set->last);
	pf_arena_done(&set->keys);
	pf_buf_done(&set->block);
	*set = (struct pf_series_set){ .fd = -1 };
}
