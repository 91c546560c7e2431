/* formats/pcp/seal.h - an archive that was cut or damaged becomes whole again: what is whole in it stays byte for byte, marks stand where
 * something is missing, labels and index are as they should be. */
#ifndef PF_FORMATS_PCP_SEAL_H
#define PF_FORMATS_PCP_SEAL_H

#include "model/sealed.h"

struct pf_err;
struct pf_findings;

/**
 * pf_pcp_seal() - seal the archive that @path is a name of.
 * Files that change are made anew beside the old ones and then take their names, values first, the index last. Whoever is stopped between them
 * leaves files that are whole each for itself, and sealing again goes on. A volume or .meta that loses more than its tail stays as NAME.orig-N.
 * @to: is told what was done to each file
 *
 * Return: enum pf_sealed; -EBUSY: a recorder writes it now; -ENODATA, -EBADMSG, -EPROTO: there is nothing in it that could be made whole, as
 * pf_pcp_reader_open() says it; other negative errno. After an error nothing is changed, unless the sentence says otherwise.
 */
int pf_pcp_seal(const char *path, const struct pf_findings *to, struct pf_err *err);

#endif
