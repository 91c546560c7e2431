/* formats/text/utf8.h - strict UTF-8: what is well-formed, and how much of the rest one replacement character stands for.
 * Source: The Unicode Standard 15, section 3.9, table 3-7 and "U+FFFD substitution of maximal subparts". */
#ifndef PF_FORMATS_TEXT_UTF8_H
#define PF_FORMATS_TEXT_UTF8_H

#include <stdbool.h>
#include <stdint.h>

#include "base/view.h"

/* U+FFFD in UTF-8. */
#define PF_UTF8_REPLACEMENT "\xef\xbf\xbd"

/**
 * pf_utf8_next() - the character at the front of @v, which is not empty.
 * @ret_cp: its code point if well-formed; untouched otherwise
 * @ret_ok: whether it is well-formed
 *
 * Return: bytes of the character, or of the maximal ill-formed subpart that one U+FFFD replaces; at least 1.
 */
size_t pf_utf8_next(struct pf_view v, uint32_t *ret_cp, bool *ret_ok);

#endif
