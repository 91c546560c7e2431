/* formats/pcp/reader_state.h - inside of the reader of archives. */
#ifndef PF_FORMATS_PCP_READER_STATE_H
#define PF_FORMATS_PCP_READER_STATE_H

#include <stdbool.h>

#include "formats/pcp/damage.h"
#include "formats/pcp/file.h"
#include "formats/pcp/lacks.h"
#include "formats/pcp/meta.h"
#include "formats/pcp/reader.h"
#include "formats/pcp/shape.h"
#include "formats/pcp/temporal.h"

/* @volumes: numbers in order; @volume: how many were opened. @data: the open one, if data.name.
 * @jumped: numbers of its records are not known. @missing, @missing_end: volumes that are not there, in front of the record that comes next; 0 none.
 * @claimed_ns: when the archive begins, by the label of .meta; @claim_judged: it was compared with the first record
 * @lacks: what .meta tells too little of; @short_told: that it is too short, if it is. @notice: who hears of what is no loss */
struct pf_pcp_reader {
	char *base;
	struct pf_pcp_label label;
	struct pf_pcp_meta meta;
	struct pf_pcp_damage damage;
	struct pf_pcp_file data;
	struct pf_pcp_temporal temporal;
	struct pf_pcp_shapes shapes;
	struct pf_pcp_lacks lacks;
	bool short_told;
	struct pf_notice notice;
	unsigned *volumes;
	unsigned n_volumes;
	unsigned volume;
	unsigned missing;
	unsigned missing_end;
	bool ready; /* the open volume stands behind its label */
	bool jumped;
	int64_t claimed_ns;
	bool claim_judged;
	int64_t last_ns;
	uint64_t end;  /* of the volume that was read last */
	bool end_told; /* that something is missing there, or it cannot be said */
};

/* pf_pcp_reader_label_of() - the label of a file that was just opened; the file then stands behind it. @err without a place. */
int pf_pcp_reader_label_of(struct pf_pcp_file *f, struct pf_pcp_label *ret_label, struct pf_err *err);

#endif
