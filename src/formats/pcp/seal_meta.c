/* formats/pcp/seal_meta.c - what becomes of a damaged .meta. Source: LOGARCHIVE(5); what pmlogcheck and pmdumplog of PCP 6.0.3 say to archives
 * that lack records: descriptors are missed by name, label sets and texts by nobody; a delta of an instance domain that was never there as a whole
 * ends pmdumplog with a crash. */
#include <errno.h>
#include <stdlib.h>

#include "base/err.h"
#include "formats/pcp/meta.h"
#include "formats/pcp/seal_state.h"

/* Instance domains that were described as a whole already. */
struct domains {
	uint32_t *known;
	size_t n;
	size_t cap;
};

/* What was left out, to be told at once: at so many places, the first of them at @record and @byte. */
struct lost {
	uint64_t places;
	uint64_t bytes;
	uint64_t record;
	uint64_t byte;
};

static int add_pmid(struct pf_seal *s, uint32_t pmid)
{
	void *array = s->pmids;
	int rc = pf_seal_grow(&array, &s->cap_pmids, s->n_pmids, sizeof(*s->pmids));
	s->pmids = array;
	if (rc == 0)
		s->pmids[s->n_pmids++] = pmid;
	return rc;
}

static int add_change(struct pf_seal *s, int64_t time_ns, bool indom)
{
	void *array = s->changes;
	int rc = pf_seal_grow(&array, &s->cap_changes, s->n_changes, sizeof(*s->changes));
	s->changes = array;
	if (rc == 0)
		s->changes[s->n_changes++] = (struct pf_seal_change){ time_ns, s->meta.patch.size, indom };
	return rc;
}

/* Can a descriptor mean anything? Units and domains that are strange are for whoever wrote them to explain. */
static bool means_something(const struct pf_pcp_desc *d)
{
	bool type = (d->type >= PF_PCP_NOSUPPORT && d->type <= PF_PCP_STATIC_AGGREGATE) || d->type == PF_EVENTS ||
		    d->type == PF_HIGHRES_EVENTS;
	return type && (d->sem == PF_COUNTER || d->sem == PF_INSTANT || d->sem == PF_DISCRETE);
}

static int64_t time_of(struct pf_view rec, unsigned version)
{
	struct pf_be c = pf_be_of((struct pf_view){ rec.p + 8, rec.n - 8 });
	return pf_pcp_time(&c, version);
}

static bool is_known(const struct domains *d, uint32_t indom)
{
	for (size_t i = 0; i < d->n; i++) {
		if (d->known[i] == indom)
			return true;
	}
	return false;
}

static int make_known(struct domains *d, uint32_t indom)
{
	void *array = d->known;
	int rc = pf_seal_grow(&array, &d->cap, d->n, sizeof(*d->known));
	d->known = array;
	if (rc == 0)
		d->known[d->n++] = indom;
	return rc;
}

/* A delta to a state that is lost: what it adds is all that is known. */
static int put_whole(struct pf_seal *s, const struct pf_pcp_indom *delta)
{
	struct pf_pcp_instance *all = calloc(delta->n ? delta->n : 1, sizeof(*all));
	struct pf_buf b = { 0 };
	uint32_t n = 0;
	if (!all)
		return -ENOMEM;
	for (uint32_t i = 0; i < delta->n; i++) {
		all[n] = pf_pcp_indom_get(delta, i);
		n += !all[n].removed;
	}
	pf_pcp_indom_encode(&b, s->label.version, delta->time_ns, delta->indom, all, n);
	pf_patch_put(&s->meta.patch, b.p, b.n);
	int rc = b.failed;
	pf_buf_done(&b);
	free(all);
	return rc;
}

/* A whole record of an instance domain. */
static int take_indom(struct pf_seal *s, struct pf_view rec, struct domains *known)
{
	struct pf_pcp_indom in;
	(void)pf_pcp_indom_decode(rec, &in, NULL); /* was checked */
	int rc = add_change(s, in.time_ns, true);
	bool is_new = !is_known(known, in.indom);
	if (rc == 0 && is_new)
		rc = make_known(known, in.indom);
	if (rc < 0)
		return rc;
	if (is_new && in.delta)
		return put_whole(s, &in);
	pf_patch_keep(&s->meta.patch, s->meta.file.off, rec.n);
	return 0;
}

static int take_record(struct pf_seal *s, struct pf_view rec, struct domains *known, struct pf_err *err)
{
	struct pf_pcp_desc d;
	int rc = pf_pcp_meta_check(rec, err);
	if (rc < 0)
		return rc;
	uint32_t kind = pf_pcp_meta_kind(rec);
	switch (kind) {
	case PF_PCP_DESC:
		(void)pf_pcp_desc_decode(rec, &d, NULL); /* was checked */
		if (!means_something(&d))
			return pf_err_set(err, -EBADMSG, "a descriptor of an impossible type or semantics");
		rc = add_pmid(s, d.pmid);
		break;
	case PF_PCP_INDOM2:
	case PF_PCP_INDOM3:
	case PF_PCP_DELTA3:
		return take_indom(s, rec, known);
	case PF_PCP_LABELS2:
	case PF_PCP_LABELS3:
		rc = add_change(s, time_of(rec, s->label.version), false);
		break;
	default:
		break;
	}
	if (rc == 0)
		pf_patch_keep(&s->meta.patch, s->meta.file.off, rec.n);
	return rc;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a;
	uint32_t y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

bool pf_seal_is_described(const struct pf_seal *s, uint32_t pmid)
{
	return s->n_pmids > 0 && bsearch(&pmid, s->pmids, s->n_pmids, sizeof(pmid), by_number);
}

/* One record, or what is damaged up to the next one. Return: 1, 0 at the end, negative errno. */
static int take_next(struct pf_seal *s, struct domains *known, struct lost *lost, struct pf_err *err)
{
	struct pf_pcp_file *f = &s->meta.file;
	struct pf_view rec;
	struct pf_err why = { 0 };
	int rc = pf_pcp_file_peek(f, &rec, &why);
	if (rc == 0)
		return 0;
	bool framed = rc == 1;
	if (framed)
		rc = take_record(s, rec, known, &why);
	if (rc < 0 && rc != -EBADMSG)
		return pf_err_set(err, rc, "%s: %s", s->meta.path, why.text[0] ? why.text : "no memory");
	if (rc == 0) {
		pf_pcp_file_take(f, rec);
		return 1;
	}
	uint64_t from = f->off;
	if (lost->places++ == 0) {
		lost->record = f->number;
		lost->byte = from;
	}
	if (framed)
		pf_pcp_file_take(f, rec);
	else
		pf_pcp_file_resync(f, pf_pcp_meta_is_sane, NULL);
	lost->bytes += f->off - from;
	s->meta.keeps_old |= framed || f->off < f->size || s->meta.packed;
	return 1;
}

int pf_seal_meta(struct pf_seal *s, struct pf_err *err)
{
	struct domains known = { 0 };
	struct lost lost = { 0 };
	pf_seal_label(s, &s->meta);
	int rc;
	do
		rc = take_next(s, &known, &lost, err);
	while (rc == 1);
	free(known.known);
	if (rc < 0)
		return rc;
	if (s->n_pmids > 0)
		qsort(s->pmids, s->n_pmids, sizeof(*s->pmids), by_number);
	if (lost.places == 0)
		return 0;
	s->meta.lost = true;
	struct pf_finding f = { .grade = PF_GRADE_ERROR,
				.rule = "sealed-meta",
				.file = s->meta.path,
				.record = lost.record,
				.byte = lost.byte,
				.lost = lost.bytes };
	pf_finding_tell(s->to, f, "%llu damaged %s removed; what it said is lost", (unsigned long long)lost.places,
			lost.places == 1 ? "place is" : "places are");
	return 0;
}
