/* sinks/dtext.h - pieces of dtrace's text that its two files share. */
#ifndef PF_SINKS_DTEXT_H
#define PF_SINKS_DTEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "model/event.h"
#include "sinks/sink.h"
#include "trace/trace.h"

/* pf_dtext_rows() - the rows of a PF_RECORD_AGG record in the default layout. */
void pf_dtext_rows(struct pf_buf *out, const struct pf_record *r, unsigned indent);

/* pf_dtext_dump() - bytes in hex and as characters, 16 a line. */
void pf_dtext_dump(struct pf_buf *out, const char *bytes, size_t n);

/* pf_dtext_frame() - "module`name+0x1"; pf_dtext_stack() - a frame a line; pf_dtext_symbol() - in its column. */
void pf_dtext_frame(struct pf_buf *out, const struct pf_frame *f, bool with_offset);
void pf_dtext_stack(struct pf_buf *out, const struct pf_stack *stack, unsigned indent);
void pf_dtext_symbol(struct pf_buf *out, const struct pf_stack *stack, bool module_only, bool with_offset);

#endif
