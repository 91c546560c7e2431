/* formats/collectl/mend.h - make a file that was cut off, by a kill or a full disk, one that can be written behind. */
#ifndef PF_FORMATS_COLLECTL_MEND_H
#define PF_FORMATS_COLLECTL_MEND_H

#include <stdbool.h>

struct pf_err;

/**
 * pf_collectl_mend() - look at the end of @path. A packed file that ends within a member is cut behind its last whole block, and the member
 * is ended there; text is left as it is.
 * @plain: not packed
 * @ret_mid_line: what is in it does not end with a newline
 *
 * Return: 1 it was mended; 0 nothing was to be done, or there is no such file; -EBADMSG: damaged, not only cut off, and left alone; another
 * negative errno. Only that comes with a sentence.
 */
int pf_collectl_mend(const char *path, bool plain, bool *ret_mid_line, struct pf_err *err);

#endif
