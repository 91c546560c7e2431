/* base/escape.h - the one place where names that others chose (devices, interfaces, processes, hosts) become safe to print. */
#ifndef PF_BASE_ESCAPE_H
#define PF_BASE_ESCAPE_H

#include "base/buf.h"
#include "base/view.h"

/**
 * pf_escape_text() - append @v without anything a terminal could obey.
 *
 * Bytes below 0x20, 0x7f, the C1 controls U+0080 to U+009F and every byte that is not part of well-formed UTF-8 (overlong forms
 * too) become "\xHH"; all else stays as it is. A backslash is left alone, so the form is for reading, not for parsing.
 */
void pf_escape_text(struct pf_buf *b, struct pf_view v);

#endif
