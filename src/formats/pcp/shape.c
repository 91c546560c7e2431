/* formats/pcp/shape.c - records compared with earlier ones, many words at a time. */
#include "formats/pcp/shape.h"

#include <stdlib.h>
#include <string.h>

#include "formats/pcp/record.h"

/* Bytes that are compared at once. */
enum { STEP = 64, LANES = 4, MOST_PAUSE = 127 };

typedef uint64_t lane __attribute__((vector_size(16)));

void pf_pcp_shapes_done(struct pf_pcp_shapes *s)
{
	for (unsigned i = 0; i < s->n; i++) {
		free(s->shapes[i].words);
		free(s->shapes[i].fixed);
	}
	*s = (struct pf_pcp_shapes){ 0 };
}

static bool is_same(const char *p, const char *words, const char *fixed)
{
	lane diff = { 0, 0 };
	for (unsigned i = 0; i < LANES; i++) {
		lane a, b, mask;
		memcpy(&a, p + i * sizeof(a), sizeof(a));
		memcpy(&b, words + i * sizeof(b), sizeof(b));
		memcpy(&mask, fixed + i * sizeof(mask), sizeof(mask));
		diff |= (a & mask) ^ b;
	}
	return (diff[0] | diff[1]) == 0;
}

static bool has_shape(const struct pf_pcp_shape *shape, struct pf_view rec)
{
	if (rec.n != shape->n)
		return false;
	size_t at = 0;
	for (; at + STEP <= rec.n; at += STEP) {
		if (!is_same(rec.p + at, shape->words + at, shape->fixed + at))
			return false;
	}
	char rest[STEP] = { 0 };
	memcpy(rest, rec.p + at, rec.n - at);
	return is_same(rest, shape->words + at, shape->fixed + at);
}

const struct pf_pcp_shape *pf_pcp_shapes_find(struct pf_pcp_shapes *s, struct pf_view rec)
{
	if (s->n == 0)
		return NULL;
	struct pf_pcp_shape *last = &s->shapes[s->last];
	struct pf_pcp_shape *shape = &s->shapes[last->next];
	if (!has_shape(shape, rec)) {
		unsigned i = 0;
		while (i < s->n && (i == last->next || !has_shape(&s->shapes[i], rec)))
			i++;
		if (i == s->n)
			return NULL;
		shape = &s->shapes[i];
		last->next = i;
	}
	s->last = shape->index;
	shape->fits++;
	shape->used = ++s->clock;
	return shape;
}

/* A place for one more: a free one, or that of the one that was not used for the longest time. */
static struct pf_pcp_shape *place_for(struct pf_pcp_shapes *s)
{
	if (s->n < PF_PCP_SHAPES) {
		s->shapes[s->n].index = s->n;
		return &s->shapes[s->n++];
	}
	struct pf_pcp_shape *oldest = &s->shapes[0];
	for (unsigned i = 1; i < s->n; i++)
		oldest = s->shapes[i].used < oldest->used ? &s->shapes[i] : oldest;
	if (oldest->fits > 0)
		s->pause /= 2;
	else if (s->pause < MOST_PAUSE)
		s->pause = 2 * s->pause + 1;
	return oldest;
}

static int make_room(struct pf_pcp_shape *shape, size_t n)
{
	if (n <= shape->cap)
		return 0;
	char *words = realloc(shape->words, n);
	if (!words)
		return -1;
	shape->words = words;
	char *fixed = realloc(shape->fixed, n);
	if (!fixed)
		return -1;
	shape->fixed = fixed;
	shape->cap = n;
	return 0;
}

/* Values may change; their heads may not, and as the record was checked, none lies in a value. */
static void mark_values(char *fixed, struct pf_pcp_result result)
{
	struct pf_pcp_set set;
	while (pf_pcp_result_next(&result, &set, NULL) == 1) {
		for (int32_t i = 0; i < set.n; i++) {
			struct pf_pcp_value v;
			if (pf_pcp_set_get(&set, (uint32_t)i, &v, NULL) == 0)
				memset(fixed + (v.bytes.p - result.rec.p), 0, v.bytes.n);
		}
	}
}

void pf_pcp_shapes_learn(struct pf_pcp_shapes *s, struct pf_view rec, unsigned version)
{
	struct pf_pcp_result result;
	if (s->wait > 0) {
		s->wait--;
		return;
	}
	if (rec.n > PF_PCP_SHAPE_MAX || pf_pcp_result_decode(rec, version, &result, NULL) < 0)
		return;
	struct pf_pcp_shape *shape = place_for(s);
	size_t whole = rec.n / STEP * STEP + STEP;
	s->wait = s->pause;
	shape->serial = ++s->serial;
	shape->n = 0;
	if (make_room(shape, whole) < 0)
		return;
	enum { LENGTH = 4, COUNT = 4 };
	size_t head = (size_t)(result.cursor.rest.p - rec.p);
	memset(shape->fixed, 0xff, rec.n);
	memset(shape->fixed + rec.n, 0, whole - rec.n);
	memset(shape->fixed + LENGTH, 0, head - LENGTH - COUNT); /* its time */
	mark_values(shape->fixed, result);
	for (size_t i = 0; i < rec.n; i++)
		shape->words[i] = (char)(rec.p[i] & shape->fixed[i]);
	memset(shape->words + rec.n, 0, whole - rec.n);
	shape->n = rec.n;
	shape->fits = 0;
	shape->used = ++s->clock;
	shape->next = shape->index;
}
