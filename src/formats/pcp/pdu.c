/* formats/pcp/pdu.c - what is said to a pmcd and what it answers. Source: bytes between PCP 6.0.3's programs and its pmcd. */
#include "formats/pcp/pdu.h"

#include <errno.h>

#include "base/err.h"
#include "base/time.h"

enum { CHALLENGE_VERSION = 2, CREDS_VERSION = 1, DESC_LEN = 20, SET_MIN = 8, NAME_MIN = 4, INSTANCE_MIN = 8 };

/* Numbers of refusals in a greeting are older than those of errors. */
enum { OLD_NUMBERS = 11345, OLD_FIRST = -2000, OLD_LAST = -1000 };

int pf_pdu_cut(struct pf_view in, struct pf_pdu *ret_pdu, size_t *ret_need, struct pf_err *err)
{
	*ret_need = PF_PDU_HEAD;
	if (in.n < PF_PDU_HEAD)
		return 0;
	uint32_t len = pf_be_get_u32(in, 0);
	if (len < PF_PDU_HEAD || len > PF_PDU_ANSWER_MAX)
		return pf_err_set(err, -EBADMSG, "a message that claims to have %u bytes", len);
	*ret_need = len;
	if (in.n < len)
		return 0;
	*ret_pdu = (struct pf_pdu){ .type = pf_be_get_u32(in, 4), .bytes = { in.p, len } };
	return 1;
}

static struct pf_be body(const struct pf_pdu *pdu)
{
	return pf_be_of((struct pf_view){ pdu->bytes.p + PF_PDU_HEAD, pdu->bytes.n - PF_PDU_HEAD });
}

static int check_type(const struct pf_pdu *pdu, enum pf_pdu_type type, const char *what, struct pf_err *err)
{
	if (pdu->type == (uint32_t)type)
		return 0;
	return pf_err_set(err, -EBADMSG, "a message of type 0x%x where %s should be", pdu->type, what);
}

static int too_short(const struct pf_pdu *pdu, const char *what, struct pf_err *err)
{
	return pf_err_set(err, -EBADMSG, "%s in a message of %zu bytes that does not hold what it counts", what,
			  pdu->bytes.n);
}

int pf_pdu_error(const struct pf_pdu *pdu, int32_t *ret_code, struct pf_err *err)
{
	int rc = check_type(pdu, PF_PDU_ERROR, "a code", err);
	if (rc < 0)
		return rc;
	struct pf_be c = body(pdu);
	int32_t code = pf_be_i32(&c);
	if (c.ran_out)
		return too_short(pdu, "a code", err);
	*ret_code = code;
	return 0;
}

int pf_pdu_hello(const struct pf_pdu *pdu, struct pf_pdu_hello *ret_hello, struct pf_err *err)
{
	int rc = check_type(pdu, PF_PDU_ERROR, "the greeting of a pmcd", err);
	if (rc < 0)
		return rc;
	struct pf_be c = body(pdu);
	struct pf_pdu_hello h = { .code = pf_be_i32(&c) };
	if (c.ran_out)
		return too_short(pdu, "a greeting", err);
	uint32_t challenge = pf_be_u32(&c); /* a refusal may come without */
	if (c.ran_out && h.code == 0)
		return too_short(pdu, "a greeting", err);
	if (h.code > OLD_FIRST && h.code <= OLD_LAST)
		h.code -= OLD_NUMBERS;
	h.version = challenge >> 24 & 0x7f;
	h.features = challenge & 0xffff;
	if (h.code == 0 && h.version != CHALLENGE_VERSION)
		return pf_err_set(err, -EBADMSG, "it speaks version %u of the protocol, not %d", h.version,
				  CHALLENGE_VERSION);
	*ret_hello = h;
	return 0;
}

static size_t padded(size_t n)
{
	return (n + 3) & ~(size_t)3;
}

/* A text with its length before it and padding behind; the last one of a PDU may come without padding. */
static struct pf_view take_text(struct pf_be *c)
{
	size_t n = pf_be_u32(c);
	struct pf_view text = pf_be_bytes(c, n);
	if (!c->ran_out && padded(n) > n) {
		size_t pad = padded(n) - n;
		(void)pf_be_bytes(c, pad < c->rest.n ? pad : c->rest.n);
	}
	return text;
}

int pf_pdu_names(const struct pf_pdu *pdu, struct pf_pdu_names *ret_names, struct pf_err *err)
{
	int rc = check_type(pdu, PF_PDU_NAMES, "names", err);
	if (rc < 0)
		return rc;
	struct pf_pdu_names names = { .cursor = body(pdu) };
	(void)pf_be_u32(&names.cursor); /* bytes of all of them */
	uint32_t n_statuses = pf_be_u32(&names.cursor);
	names.n = pf_be_u32(&names.cursor);
	names.statuses = n_statuses > 0;
	if (names.cursor.ran_out || names.n > names.cursor.rest.n / NAME_MIN)
		return too_short(pdu, "names", err);
	struct pf_pdu_names look = names;
	struct pf_view name;
	while (look.n > 0) {
		if (!pf_pdu_names_next(&look, &name))
			return too_short(pdu, "names", err);
		if (name.n == 0 || memchr(name.p, '\0', name.n))
			return pf_err_set(err, -EBADMSG, "a name that is empty or holds a zero byte");
	}
	*ret_names = names;
	return 0;
}

bool pf_pdu_names_next(struct pf_pdu_names *names, struct pf_view *ret_name)
{
	if (names->n == 0)
		return false;
	if (names->statuses)
		(void)pf_be_u32(&names->cursor);
	struct pf_view name = take_text(&names->cursor);
	if (names->cursor.ran_out)
		return false;
	names->n--;
	*ret_name = name;
	return true;
}

int pf_pdu_ids(const struct pf_pdu *pdu, struct pf_pdu_ids *ret_ids, struct pf_err *err)
{
	int rc = check_type(pdu, PF_PDU_IDS, "numbers of metrics", err);
	if (rc < 0)
		return rc;
	struct pf_be c = body(pdu);
	(void)pf_be_u32(&c); /* how many were found */
	uint32_t n = pf_be_u32(&c);
	struct pf_view ids = pf_be_items(&c, n, 4);
	if (c.ran_out)
		return too_short(pdu, "numbers of metrics", err);
	*ret_ids = (struct pf_pdu_ids){ n, ids };
	return 0;
}

int pf_pdu_descs(const struct pf_pdu *pdu, struct pf_pdu_descs *ret_descs, struct pf_err *err)
{
	struct pf_pdu_descs d = { .n = 1, .cursor = body(pdu) };
	if (pdu->type != PF_PDU_DESC) {
		int rc = check_type(pdu, PF_PDU_DESCS, "descriptors", err);
		if (rc < 0)
			return rc;
		d.n = pf_be_u32(&d.cursor);
	}
	if (d.cursor.ran_out || d.n > d.cursor.rest.n / DESC_LEN)
		return too_short(pdu, "descriptors", err);
	*ret_descs = d;
	return 0;
}

bool pf_pdu_descs_next(struct pf_pdu_descs *descs, struct pf_pcp_desc *ret_desc)
{
	if (descs->n == 0)
		return false;
	*ret_desc = pf_pcp_desc_take(&descs->cursor);
	descs->n--;
	return true;
}

int pf_pdu_instances(const struct pf_pdu *pdu, struct pf_pdu_instances *ret_in, struct pf_err *err)
{
	int rc = check_type(pdu, PF_PDU_INSTANCE, "instances", err);
	if (rc < 0)
		return rc;
	struct pf_pdu_instances in = { .cursor = body(pdu) };
	in.indom = pf_be_u32(&in.cursor);
	in.n = pf_be_u32(&in.cursor);
	if (in.cursor.ran_out || in.n > in.cursor.rest.n / INSTANCE_MIN)
		return too_short(pdu, "instances", err);
	struct pf_pdu_instances look = in;
	struct pf_pcp_instance inst;
	while (look.n > 0) {
		if (!pf_pdu_instances_next(&look, &inst))
			return too_short(pdu, "instances", err);
	}
	*ret_in = in;
	return 0;
}

bool pf_pdu_instances_next(struct pf_pdu_instances *in, struct pf_pcp_instance *ret_inst)
{
	if (in->n == 0)
		return false;
	struct pf_pcp_instance inst = { .id = pf_be_i32(&in->cursor) };
	inst.name = take_text(&in->cursor);
	if (in->cursor.ran_out)
		return false;
	inst.name.n = strnlen(inst.name.p, inst.name.n); /* archives end names with a NUL */
	in->n--;
	*ret_inst = inst;
	return true;
}

/* Seconds of the finer form have 64 bits, and the count comes first. What archives of version 2 could not hold is no time of a host. */
static int64_t take_head(struct pf_be *c, bool highres, uint32_t *ret_n)
{
	uint64_t n = highres ? pf_be_u32(c) : 0;
	uint64_t sec = highres ? pf_be_u64(c) : pf_be_u32(c);
	uint64_t sub = highres ? pf_be_u64(c) : pf_be_u32(c);
	*ret_n = (uint32_t)(highres ? n : pf_be_u32(c));
	uint64_t per_sec = highres ? PF_NS_PER_SEC : PF_NS_PER_SEC / 1000;
	if (c->ran_out || sec > UINT32_MAX || sub >= per_sec)
		return -1;
	return (int64_t)sec * PF_NS_PER_SEC + (int64_t)(sub * ((uint64_t)PF_NS_PER_SEC / per_sec));
}

/* Each value has bytes of its own; else a message could hold a thousand times more than it has bytes. */
static int check_sets(struct pf_pcp_result r, struct pf_err *err)
{
	struct pf_pcp_set set;
	size_t left = r.rec.n;
	int rc;
	while ((rc = pf_pcp_result_next(&r, &set, err)) == 1) {
		for (uint32_t i = 0; set.n > 0 && i < (uint32_t)set.n; i++) {
			struct pf_pcp_value v;
			rc = pf_pcp_set_get(&set, i, &v, err);
			if (rc < 0)
				return rc;
			if (v.bytes.n > left)
				return pf_err_set(err, -EBADMSG, "values that share their bytes");
			left -= v.bytes.n;
		}
	}
	return rc;
}

int pf_pdu_result(const struct pf_pdu *pdu, struct pf_pcp_result *ret_result, struct pf_err *err)
{
	bool highres = pdu->type == PF_PDU_HIGHRES_RESULT;
	int rc = highres ? 0 : check_type(pdu, PF_PDU_RESULT, "values", err);
	if (rc < 0)
		return rc;
	struct pf_be c = body(pdu);
	struct pf_pcp_result r = { .rec = pdu->bytes, .wire = true };
	r.time_ns = take_head(&c, highres, &r.n);
	r.cursor = c;
	if (r.time_ns < 0)
		return pf_err_set(err, -EBADMSG, "values with an impossible time");
	if (r.n > c.rest.n / SET_MIN)
		return too_short(pdu, "values", err);
	rc = check_sets(r, err);
	if (rc == 0)
		*ret_result = r;
	return rc;
}

int pf_pdu_text(const struct pf_pdu *pdu, uint32_t *ret_of, struct pf_view *ret_text, struct pf_err *err)
{
	int rc = check_type(pdu, PF_PDU_TEXT, "a help text", err);
	if (rc < 0)
		return rc;
	struct pf_be c = body(pdu);
	uint32_t of = pf_be_u32(&c);
	struct pf_view text = take_text(&c);
	if (c.ran_out)
		return too_short(pdu, "a help text", err);
	*ret_of = of;
	*ret_text = (struct pf_view){ text.p, strnlen(text.p, text.n) };
	return 0;
}

int pf_pdu_labels(const struct pf_pdu *pdu, struct pf_pcp_labels *ret_labels, struct pf_err *err)
{
	int rc = check_type(pdu, PF_PDU_LABEL, "labels", err);
	if (rc < 0)
		return rc;
	struct pf_pcp_labels l = { .pdu = pdu->bytes, .cursor = body(pdu) };
	l.ident = pf_be_u32(&l.cursor);
	l.owner = pf_be_u32(&l.cursor);
	(void)pf_be_u32(&l.cursor);
	l.n = pf_be_u32(&l.cursor);
	if (l.cursor.ran_out)
		return too_short(pdu, "labels", err);
	rc = pf_pcp_labels_check(&l, err);
	if (rc == 0)
		*ret_labels = l;
	return rc;
}

static size_t begin(struct pf_buf *b, enum pf_pdu_type type)
{
	size_t start = b->n;
	pf_be_put_u32(b, 0);
	pf_be_put_u32(b, type);
	pf_be_put_u32(b, 0);
	return start;
}

static void end(struct pf_buf *b, size_t start)
{
	pf_be_set_u32(b, start, (uint32_t)(b->n - start));
}

static void put_padded(struct pf_buf *b, struct pf_view text)
{
	pf_be_put_u32(b, (uint32_t)text.n);
	pf_buf_view(b, text);
	pf_buf_pad(b, '~', padded(text.n) - text.n);
}

void pf_pdu_put_creds(struct pf_buf *b)
{
	size_t start = begin(b, PF_PDU_CREDS);
	pf_be_put_u32(b, 1);
	pf_be_put_u32(b, CREDS_VERSION << 24 | CHALLENGE_VERSION << 16);
	end(b, start);
}

void pf_pdu_put_names(struct pf_buf *b, const struct pf_view *names, uint32_t n)
{
	size_t start = begin(b, PF_PDU_NAMES);
	size_t bytes = 0;
	for (uint32_t i = 0; i < n; i++)
		bytes += names[i].n + 1;
	pf_be_put_u32(b, (uint32_t)bytes);
	pf_be_put_u32(b, 0);
	pf_be_put_u32(b, n);
	for (uint32_t i = 0; i < n; i++)
		put_padded(b, names[i]);
	end(b, start);
}

void pf_pdu_put_traverse(struct pf_buf *b, struct pf_view name)
{
	size_t start = begin(b, PF_PDU_TRAVERSE);
	pf_be_put_u32(b, 0);
	put_padded(b, name);
	end(b, start);
}

void pf_pdu_put_desc(struct pf_buf *b, uint32_t pmid)
{
	size_t start = begin(b, PF_PDU_DESC_REQ);
	pf_be_put_u32(b, pmid);
	end(b, start);
}

static void put_pmids(struct pf_buf *b, const uint32_t *pmids, uint32_t n)
{
	pf_be_put_u32(b, n);
	for (uint32_t i = 0; i < n; i++)
		pf_be_put_u32(b, pmids[i]);
}

void pf_pdu_put_descs(struct pf_buf *b, const uint32_t *pmids, uint32_t n)
{
	size_t start = begin(b, PF_PDU_DESC_IDS);
	pf_be_put_u32(b, UINT32_MAX);
	put_pmids(b, pmids, n);
	end(b, start);
}

void pf_pdu_put_instances(struct pf_buf *b, uint32_t indom)
{
	size_t start = begin(b, PF_PDU_INSTANCE_REQ);
	pf_be_put_u32(b, indom);
	pf_be_put_u64(b, 0); /* once a time */
	pf_be_put_u32(b, UINT32_MAX);
	pf_be_put_u32(b, 0);
	end(b, start);
}

void pf_pdu_put_profile(struct pf_buf *b, const struct pf_pdu_profile *domains, uint32_t n)
{
	size_t start = begin(b, PF_PDU_PROFILE);
	pf_be_put_u32(b, 0); /* context */
	pf_be_put_u32(b, 0); /* domains that are not listed: all instances */
	pf_be_put_u32(b, n);
	pf_be_put_u32(b, 0); /* padding */
	for (uint32_t i = 0; i < n; i++) {
		pf_be_put_u32(b, domains[i].indom);
		pf_be_put_u32(b, 1); /* none but those listed */
		pf_be_put_u32(b, domains[i].n);
		pf_be_put_u32(b, 0);
	}
	for (uint32_t i = 0; i < n; i++) { /* all numbers follow all domains */
		for (uint32_t k = 0; k < domains[i].n; k++)
			pf_be_put_u32(b, (uint32_t)domains[i].ids[k]);
	}
	end(b, start);
}

void pf_pdu_put_fetch(struct pf_buf *b, bool highres, const uint32_t *pmids, uint32_t n)
{
	size_t start = begin(b, highres ? PF_PDU_HIGHRES_FETCH : PF_PDU_FETCH);
	pf_be_put_u32(b, 0); /* context */
	pf_be_put_u64(b, 0); /* once a time */
	put_pmids(b, pmids, n);
	end(b, start);
}

void pf_pdu_put_text(struct pf_buf *b, uint32_t ident, uint32_t type)
{
	size_t start = begin(b, PF_PDU_TEXT_REQ);
	pf_be_put_u32(b, ident);
	pf_be_put_u32(b, type);
	end(b, start);
}

void pf_pdu_put_labels(struct pf_buf *b, enum pf_owner owner, uint32_t ident)
{
	size_t start = begin(b, PF_PDU_LABEL_REQ);
	pf_be_put_u32(b, ident);
	pf_be_put_u32(b, owner);
	end(b, start);
}
