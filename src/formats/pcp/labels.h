/* formats/pcp/labels.h - records of labels and help texts in .meta: bytes to structs and back. */
#ifndef PF_FORMATS_PCP_LABELS_H
#define PF_FORMATS_PCP_LABELS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "formats/pcp/be.h"
#include "model/about.h"

struct pf_err;

/* Label of the context of an archive that leaves out what has not changed, and its value. */
#define PF_PCP_UNCHANGED "perfolio_unchanged"
#define PF_PCP_HELD	 "held"

/* A record of label sets: @n sets follow, which pf_pcp_labels_next() takes. @ident: of @owner: 0xffffffff, a domain, indom, cluster (PMID without
 * item) or PMID. @pdu: which the sets are of, in the form of the wire, where all texts stand behind all sets; empty: they are of an archive. */
struct pf_pcp_labels {
	int64_t time_ns;
	uint32_t owner;
	uint32_t ident;
	uint32_t n;
	struct pf_view pdu;
	struct pf_be cursor;
};

/* One set of it, its labels still packed. */
struct pf_pcp_packed_set {
	int32_t inst;
	int32_t error;
	struct pf_view json;
	uint32_t n;
	struct pf_view entries;
};

/* pf_pcp_labels_decode() - every set and label was looked at when it says 0, so that next() and get() cannot fail then. */
int pf_pcp_labels_decode(struct pf_view rec, struct pf_pcp_labels *ret_labels, struct pf_err *err);

/* pf_pcp_labels_check() - the same for sets whose head somebody else has read. */
int pf_pcp_labels_check(const struct pf_pcp_labels *l, struct pf_err *err);

/* pf_pcp_labels_next() - Return: true, false at the end. */
bool pf_pcp_labels_next(struct pf_pcp_labels *l, struct pf_pcp_packed_set *ret_set);
struct pf_label pf_pcp_labels_get(const struct pf_pcp_packed_set *set, uint32_t i);

/* pf_pcp_labels_unpack() - all sets that are left, in @room; their bytes stay the record's. Return: 0 or -ENOMEM. */
int pf_pcp_labels_unpack(struct pf_pcp_labels *l, struct pf_arena *room, const struct pf_label_set **ret_sets);

/* pf_pcp_labels_quote() - a string as the JSON of a set has it. */
void pf_pcp_labels_quote(struct pf_buf *b, struct pf_view text);

/* pf_pcp_labels_encode() - names and values of labels must lie in the JSON of their set. */
void pf_pcp_labels_encode(struct pf_buf *b, unsigned version, int64_t time_ns, enum pf_owner owner, uint32_t ident,
			  const struct pf_label_set *sets, uint32_t n);

/* pf_pcp_label_text() - the value of a label as text: a string without quotes and escapes, anything else as it is. */
void pf_pcp_label_text(struct pf_buf *b, struct pf_view value);

/* What a help text is: bits of its type. */
enum { PF_PCP_TEXT_LINE = 1, PF_PCP_TEXT_HELP = 2, PF_PCP_TEXT_OF_METRIC = 4, PF_PCP_TEXT_OF_INDOM = 8 };

/* @type: which of the two, of which of the two. @ident: PMID or indom. @text: without NUL */
struct pf_pcp_text {
	uint32_t type;
	uint32_t ident;
	struct pf_view text;
};

int pf_pcp_text_decode(struct pf_view rec, struct pf_pcp_text *ret_text, struct pf_err *err);
void pf_pcp_text_encode(struct pf_buf *b, const struct pf_pcp_text *text);

#endif
