/* formats/pcp/pdu.h - what is said to a pmcd and what it answers: bytes to structs and back. No sockets, no policy.
 * Facts: bytes between PCP 6.0.3's programs and its pmcd. A PDU is three words, length of all, type, sender, and a body. Values, labels,
 * descriptors and instances become the structs that archives give, too (record.h, labels.h). Views point into the PDU. */
#ifndef PF_FORMATS_PCP_PDU_H
#define PF_FORMATS_PCP_PDU_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/view.h"
#include "formats/pcp/be.h"
#include "formats/pcp/labels.h"
#include "formats/pcp/record.h"

struct pf_err;

enum pf_pdu_type {
	PF_PDU_ERROR = 0x7000,
	PF_PDU_RESULT = 0x7001,
	PF_PDU_PROFILE = 0x7002,
	PF_PDU_FETCH = 0x7003,
	PF_PDU_DESC_REQ = 0x7004,
	PF_PDU_DESC = 0x7005,
	PF_PDU_INSTANCE_REQ = 0x7006,
	PF_PDU_INSTANCE = 0x7007,
	PF_PDU_TEXT_REQ = 0x7008,
	PF_PDU_TEXT = 0x7009,
	PF_PDU_CREDS = 0x700c,
	PF_PDU_IDS = 0x700d,
	PF_PDU_NAMES = 0x700e,
	PF_PDU_TRAVERSE = 0x7010,
	PF_PDU_LABEL_REQ = 0x7012,
	PF_PDU_LABEL = 0x7013,
	PF_PDU_HIGHRES_FETCH = 0x7014,
	PF_PDU_HIGHRES_RESULT = 0x7015,
	PF_PDU_DESC_IDS = 0x7016,
	PF_PDU_DESCS = 0x7017,
};

/* A pmcd takes no request that is longer; an answer that is longer than ours is no answer. */
enum { PF_PDU_HEAD = 12, PF_PDU_REQUEST_MAX = 65536, PF_PDU_ANSWER_MAX = 64 << 20 };

/* What a pmcd can do, in its greeting. */
enum {
	PF_PDU_NEEDS_LOGIN = 0x008,
	PF_PDU_NEEDS_CERTIFICATE = 0x080,
	PF_PDU_HAS_LABELS = 0x200,
	PF_PDU_HAS_HIGHRES = 0x400,
	PF_PDU_HAS_DESCS = 0x800,
};

/* Its state changed: bits of a positive code. */
enum {
	PF_PDU_AGENT_ADDED = 1,
	PF_PDU_AGENT_RESTARTED = 2,
	PF_PDU_AGENT_DROPPED = 4,
	PF_PDU_LABELS_CHANGED = 8,
	PF_PDU_NAMES_CHANGED = 16,
	PF_PDU_HOST_CHANGED = 32,
};

/* One PDU; @bytes: all of it. */
struct pf_pdu {
	uint32_t type;
	struct pf_view bytes;
};

/* pf_pdu_cut() - the first PDU of what came in. @ret_need: how many bytes it has, or PF_PDU_HEAD as long as that is not known.
 * Return: 1; 0 more bytes are needed; -EBADMSG a length that cannot be. */
int pf_pdu_cut(struct pf_view in, struct pf_pdu *ret_pdu, size_t *ret_need, struct pf_err *err);

/* All that follow: 0, or -EBADMSG when the PDU is of another type or not whole. Counts were checked against the bytes that are there, and what the
 * *_next() give was looked at, so that they cannot fail. */

/* pf_pdu_error() - an answer that is a code: negative an error, positive a change of state, 0 done. */
int pf_pdu_error(const struct pf_pdu *pdu, int32_t *ret_code, struct pf_err *err);

/* The greeting. @code: a refusal if it is not 0, in the usual numbers. @features: PF_PDU_NEEDS_*, PF_PDU_HAS_* */
struct pf_pdu_hello {
	int32_t code;
	unsigned version;
	uint32_t features;
};

int pf_pdu_hello(const struct pf_pdu *pdu, struct pf_pdu_hello *ret_hello, struct pf_err *err);

struct pf_pdu_names {
	uint32_t n;
	bool statuses;
	struct pf_be cursor;
};

int pf_pdu_names(const struct pf_pdu *pdu, struct pf_pdu_names *ret_names, struct pf_err *err);
bool pf_pdu_names_next(struct pf_pdu_names *names, struct pf_view *ret_name);

/* @n words at @ids; a name that stands for no metric has UINT32_MAX. */
struct pf_pdu_ids {
	uint32_t n;
	struct pf_view ids;
};

int pf_pdu_ids(const struct pf_pdu *pdu, struct pf_pdu_ids *ret_ids, struct pf_err *err);

static inline uint32_t pf_pdu_ids_get(const struct pf_pdu_ids *ids, uint32_t i)
{
	return pf_be_get_u32(ids->ids, (size_t)i * 4);
}

/* Descriptors without names: the one of DESC, or those of DESCS, where a metric that is not known has the PMID UINT32_MAX. */
struct pf_pdu_descs {
	uint32_t n;
	struct pf_be cursor;
};

int pf_pdu_descs(const struct pf_pdu *pdu, struct pf_pdu_descs *ret_descs, struct pf_err *err);
bool pf_pdu_descs_next(struct pf_pdu_descs *descs, struct pf_pcp_desc *ret_desc);

struct pf_pdu_instances {
	uint32_t indom;
	uint32_t n;
	struct pf_be cursor;
};

int pf_pdu_instances(const struct pf_pdu *pdu, struct pf_pdu_instances *ret_in, struct pf_err *err);
bool pf_pdu_instances_next(struct pf_pdu_instances *in, struct pf_pcp_instance *ret_inst);

/* pf_pdu_result() - RESULT and HIGHRES_RESULT; every set and value was looked at. */
int pf_pdu_result(const struct pf_pdu *pdu, struct pf_pcp_result *ret_result, struct pf_err *err);

/* pf_pdu_text() - a help text, without NUL. @ret_of: number of what it is of, in the order of bytes of the pmcd's machine. */
int pf_pdu_text(const struct pf_pdu *pdu, uint32_t *ret_of, struct pf_view *ret_text, struct pf_err *err);

/* pf_pdu_labels() - owner and ident as well are those of the question. */
int pf_pdu_labels(const struct pf_pdu *pdu, struct pf_pcp_labels *ret_labels, struct pf_err *err);

/* Of one domain only the instances @ids are wanted. */
struct pf_pdu_profile {
	uint32_t indom;
	const int32_t *ids;
	uint32_t n;
};

/* Requests, appended to @b. Whoever asks for many at once keeps below PF_PDU_REQUEST_MAX. */
void pf_pdu_put_creds(struct pf_buf *b);
void pf_pdu_put_names(struct pf_buf *b, const struct pf_view *names, uint32_t n);
void pf_pdu_put_traverse(struct pf_buf *b, struct pf_view name);
void pf_pdu_put_desc(struct pf_buf *b, uint32_t pmid);
void pf_pdu_put_descs(struct pf_buf *b, const uint32_t *pmids, uint32_t n);
void pf_pdu_put_instances(struct pf_buf *b, uint32_t indom);				     /* all of the domain */
void pf_pdu_put_profile(struct pf_buf *b, const struct pf_pdu_profile *domains, uint32_t n); /* all of the others */
void pf_pdu_put_fetch(struct pf_buf *b, bool highres, const uint32_t *pmids, uint32_t n);
void pf_pdu_put_text(struct pf_buf *b, uint32_t ident, uint32_t type);
void pf_pdu_put_labels(struct pf_buf *b, enum pf_owner owner, uint32_t ident);

#endif
