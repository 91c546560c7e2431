/* formats/pcp/shape.h - what stays the same from record to record. Records of one fetch group differ in their time and numbers only; whether lengths, counts
 * and offsets make sense was found out with the first of them, so for the others it is enough that all these words are the same. */
#ifndef PF_FORMATS_PCP_SHAPE_H
#define PF_FORMATS_PCP_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/view.h"

/* Shapes that are known at a time, and the longest record whose shape is: so much memory it may cost, twice. */
enum { PF_PCP_SHAPES = 16, PF_PCP_SHAPE_MAX = 256 * 1024 };

/**
 * struct pf_pcp_shape - one shape.
 * @index: its place among those that are known; @serial: no other one ever had it, in that place or another
 * @n: bytes of a record; @words: those of the record from which it was learnt, 0 where records may differ; @fixed: ones where they may not
 * @fits: records that were of it; @used: when the last one came, counted in records
 * @next: index of the shape that followed it last time
 */
struct pf_pcp_shape {
	unsigned index;
	uint64_t serial;
	size_t n;
	char *words;
	char *fixed;
	size_t cap;
	uint64_t fits;
	uint64_t used;
	unsigned next;
};

/* @last: the one that came last; @pause, @wait: where shapes are learnt in vain, so many records pass before the next one is. */
struct pf_pcp_shapes {
	struct pf_pcp_shape shapes[PF_PCP_SHAPES];
	unsigned n;
	unsigned last;
	uint64_t serial;
	uint64_t clock;
	unsigned pause;
	unsigned wait;
};

void pf_pcp_shapes_done(struct pf_pcp_shapes *s);

/* pf_pcp_shapes_find() - the shape that the record has: then it is whole, as pf_pcp_result_check() would say. NULL: that must be found out. */
const struct pf_pcp_shape *pf_pcp_shapes_find(struct pf_pcp_shapes *s, struct pf_view rec);

/* pf_pcp_shapes_learn() - @rec has none of the shapes and was checked. Without memory nothing is learnt. */
void pf_pcp_shapes_learn(struct pf_pcp_shapes *s, struct pf_view rec, unsigned version);

#endif
