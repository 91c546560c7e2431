/* formats/pcp/scan.h - the records of one volume, one after the other; damage is found, described and stepped over.
 * Damage is what structure shows: lengths, counts, offsets, and a time that is not between its neighbours'. A changed bit in a value cannot be
 * seen, since archives have no checksums. */
#ifndef PF_FORMATS_PCP_SCAN_H
#define PF_FORMATS_PCP_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/pcp/file.h"
#include "formats/pcp/record.h"
#include "formats/pcp/shape.h"

struct pf_err;

/**
 * struct pf_pcp_scan - @file stands at a record.
 * @start_ns: no record is older, as far as the label can be believed
 * @last_ns: time of the last whole record, of earlier volumes also; 0: there was none. Kept by the caller
 * @shapes: of the records before, so that not all is looked at again; NULL: it is. The caller's, of one archive
 */
struct pf_pcp_scan {
	struct pf_pcp_file *file;
	unsigned version;
	int64_t start_ns;
	int64_t last_ns;
	struct pf_pcp_shapes *shapes;
};

/* Bytes that no record can be made of: [from, to). @number: of the first record in it; @before_ns: time of the record behind it, 0: none follows. */
struct pf_pcp_hole {
	uint64_t from;
	uint64_t to;
	uint64_t number;
	int64_t before_ns;
};

/**
 * pf_pcp_scan_next() - the record at which the file stands.
 * @ret_rec, @ret_result: the record, not yet taken; valid until the file is read again
 * @ret_hole: set for -EBADMSG
 *
 * Return: 1; 0 at the end of the volume; -EBADMSG: damage was stepped over, and the file stands behind it (@err says why, without place);
 * other negative errno.
 */
int pf_pcp_scan_next(const struct pf_pcp_scan *s, struct pf_view *ret_rec, struct pf_pcp_result *ret_result,
		     struct pf_pcp_hole *ret_hole, struct pf_err *err);

#endif
