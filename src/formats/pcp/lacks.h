/* formats/pcp/lacks.h - values of which .meta tells too little: of metrics that it does not describe, which nobody can read, and of instances that it does
 * not name at their time, which have only a number. Both are counted while records go by and told once. */
#ifndef PF_FORMATS_PCP_LACKS_H
#define PF_FORMATS_PCP_LACKS_H

#include <stdint.h>

#include "formats/pcp/check_table.h"
#include "formats/pcp/meta.h"
#include "formats/pcp/record.h"
#include "formats/pcp/shape.h"

struct pf_err;

/* @values: how many, of the metrics @pmids, in records from @from_ns until @until_ns. */
struct pf_pcp_lack {
	uint64_t values;
	struct pf_pcp_check_table pmids;
	int64_t from_ns;
	int64_t until_ns;
};

/* What records of a shape lack, as long as no instances change: found out with the first of them. @serial: of the shape; @place: of the metadata */
struct pf_pcp_lacking {
	uint64_t serial;
	size_t place;
	uint32_t undescribed;
	uint32_t unnamed;
};

/* {0} is empty. */
struct pf_pcp_lacks {
	struct pf_pcp_lack undescribed;
	struct pf_pcp_lack unnamed;
	struct pf_pcp_lacking shapes[PF_PCP_SHAPES];
};

/* pf_pcp_lacks_add() - a record, whole, whose instances @meta knows. Return: 0 or -ENOMEM. */
int pf_pcp_lacks_add(struct pf_pcp_lacks *l, struct pf_pcp_meta *meta, const struct pf_pcp_result *result);
void pf_pcp_lacks_done(struct pf_pcp_lacks *l);

/**
 * pf_pcp_lack_tell() - a sentence about so many values of so many metrics from then until then; nothing is to tell any more.
 * @file: that says too little; @what: what they are, behind "12 values of 2 metrics "; @advice: what happens to them and what one can do
 */
void pf_pcp_lack_tell(struct pf_pcp_lack *lack, const char *file, const char *what, const char *advice,
		      struct pf_err *ret);

#endif
