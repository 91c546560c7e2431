/* base/escape.h - the one place where names that others chose (devices, interfaces, processes, hosts) become safe to print. */
#ifndef PF_BASE_ESCAPE_H
#define PF_BASE_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/view.h"

/**
 * pf_escape_text() - append @v without anything a terminal could obey.
 *
 * Bytes below 0x20, 0x7f, the C1 controls U+0080 to U+009F and every byte that is not part of well-formed UTF-8 (overlong forms
 * too) become "\xHH"; all else stays as it is. A backslash is left alone, so the form is for reading, not for parsing.
 */
void pf_escape_text(struct pf_buf *b, struct pf_view v);

/* pf_escape_lines() - the same for recorded text: newline and tab stay. */
void pf_escape_lines(struct pf_buf *b, struct pf_view v);

/* pf_escape_length() - how long @v would be; @keep_white: as pf_escape_lines(). */
size_t pf_escape_length(struct pf_view v, bool keep_white);

/**
 * pf_escape_short() - as much of it as has room at @out: both ends, with "..." between them, if it is longer.
 *
 * Return: bytes written, at most @room; no terminator.
 */
size_t pf_escape_short(char *out, size_t room, struct pf_view v, bool keep_white);

#endif
