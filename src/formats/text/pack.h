/* formats/text/pack.h - text as gzip (RFC 1952), for those who ask for it. */
#ifndef PF_FORMATS_TEXT_PACK_H
#define PF_FORMATS_TEXT_PACK_H

#include "base/buf.h"

/* pf_pack_gzip() - append @text as one member. Return: 0 or -ENOMEM. */
int pf_pack_gzip(struct pf_buf *out, struct pf_view text);

#endif
