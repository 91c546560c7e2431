/* formats/pcp/pack.h - a file of an archive made smaller: xz in blocks, which packed.h and PCP's tools read at any place. */
#ifndef PF_FORMATS_PCP_PACK_H
#define PF_FORMATS_PCP_PACK_H

#include "base/view.h"

struct pf_err;
struct pf_pcp_encoder;

/**
 * pf_pcp_pack() - @path becomes @path.xz. It is there as a whole under one of the two names at any moment; PATH.xz.part is what is being made.
 *
 * Return: 0; -EEXIST when @path.xz is there already; other negative errno. Then @path is as it was.
 */
int pf_pcp_pack(const char *path, struct pf_err *err);

/* pf_pcp_encoder_open(), pf_pcp_encoder_add(), pf_pcp_encoder_close() - the same for bytes that come one after the other; @to stays the caller's. Return: 0 or
 * negative errno; close() frees in any case. */
int pf_pcp_encoder_open(struct pf_pcp_encoder **ret_encoder, int to);
int pf_pcp_encoder_add(struct pf_pcp_encoder *p, struct pf_view bytes);
int pf_pcp_encoder_close(struct pf_pcp_encoder *p);

#endif
