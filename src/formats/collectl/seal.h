/* formats/collectl/seal.h - a raw file that was cut or damaged becomes whole again. */
#ifndef PF_FORMATS_COLLECTL_SEAL_H
#define PF_FORMATS_COLLECTL_SEAL_H

#include "model/sealed.h"

struct pf_err;
struct pf_findings;

/**
 * pf_collectl_seal() - gzip members that are whole stay byte for byte. A last one that was cut is packed again up to its last whole interval. Of one
 * that is damaged nothing can be trusted: it is left out, but for the header, and but for what a large or only member gave before the damage. In
 * text intervals with zero bytes are left out, and a last one that was cut within a line.
 * The new file is made beside the old one, which stays as NAME.orig-N if it lost more than its tail.
 * @to: is told what was left out
 *
 * Return: enum pf_sealed; -EBUSY: a recorder writes it now; -EINVAL, -ENODATA: there is no header or no whole interval; other negative errno. Then
 * nothing was changed.
 */
int pf_collectl_seal(const char *path, const struct pf_findings *to, struct pf_err *err);

#endif
