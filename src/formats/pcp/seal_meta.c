/* formats/pcp/seal_meta.c - what becomes of a damaged .meta. Source: LOGARCHIVE(5); what pmlogcheck and pmdumplog of PCP 6.0.3 say to archives
 * that lack records: descriptors are missed by name, label sets and texts by nobody. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "formats/pcp/meta.h"
#include "formats/pcp/seal_state.h"

/* A name of a metric, as it will be. */
struct name {
	const char *text;
	uint32_t pmid;
};

/**
 * struct work
 * @places, @bytes: what is left out, the first of it at @record and @byte
 * @names: of all metrics; @renamed, @nameless: descriptors that lost a name to another metric or had one that none can have
 */
struct work {
	struct pf_seal *s;
	uint64_t places;
	uint64_t bytes;
	uint64_t record;
	uint64_t byte;
	struct name *names;
	size_t n_names;
	size_t cap_names;
	uint64_t renamed;
	struct pf_seal_domains domains;
};

struct pf_seal_metric *pf_seal_metric(const struct pf_seal *s, uint32_t pmid)
{
	int64_t i = pf_pcp_check_look(&s->pmids, pmid);
	return i >= 0 && s->metrics[i].named ? &s->metrics[i] : NULL;
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

/* The name with something else where no name can have what it has. */
static const char *mended(struct pf_seal *s, struct pf_view name)
{
	char *text = pf_arena_dup(&s->text, name);
	if (text)
		pf_pcp_meta_name_mend(text, name.n);
	return text;
}

static int add_names(struct work *w, const struct pf_pcp_desc *d)
{
	struct pf_view rest = d->names;
	struct pf_view name;
	while (pf_pcp_name_next(&rest, &name)) {
		void *array = w->names;
		int rc = pf_seal_grow(&array, &w->cap_names, w->n_names, sizeof(*w->names));
		w->names = array;
		const char *text = rc == 0 ? mended(w->s, name) : NULL;
		if (!text)
			return -ENOMEM;
		w->names[w->n_names++] = (struct name){ text, d->pmid };
	}
	return 0;
}

static bool says_the_same(const struct pf_pcp_desc *a, const struct pf_pcp_desc *b)
{
	return a->type == b->type && a->sem == b->sem && a->indom == b->indom &&
	       memcmp(&a->units, &b->units, sizeof(a->units)) == 0;
}

/* Of two descriptors that contradict each other the first one counts. */
static int add_desc(struct work *w, const struct pf_pcp_desc *d, struct pf_err *err)
{
	struct pf_seal *s = w->s;
	uint32_t known = s->pmids.n;
	if (!means_something(d))
		return pf_err_set(err, -EBADMSG, "a descriptor of an impossible type or semantics");
	int64_t i = pf_pcp_check_find(&s->pmids, d->pmid);
	if (i < 0)
		return -ENOMEM;
	if (i < known)
		return says_the_same(&s->metrics[i].desc, d)
			       ? add_names(w, d)
			       : pf_err_set(err, -EBADMSG, "a metric is described in two ways");
	void *array = s->metrics;
	int rc = pf_seal_grow(&array, &s->cap_metrics, known, sizeof(*s->metrics));
	s->metrics = array;
	if (rc < 0)
		return rc;
	s->metrics[i] = (struct pf_seal_metric){ .desc = *d };
	return add_names(w, d);
}

/* A record that says something. Return: 0; -EBADMSG: it does not. */
static int add_record(struct work *w, struct pf_view rec, struct pf_err *err)
{
	struct pf_seal *s = w->s;
	struct pf_pcp_desc d;
	struct pf_pcp_indom in;
	struct pf_seal_record r = { .off = s->meta.file.off, .n = (uint32_t)rec.n, .kind = pf_pcp_meta_kind(rec) };
	int rc = pf_pcp_meta_check(rec, err);
	if (rc == 0 && !pf_pcp_meta_kind_fits(r.kind, s->label.version))
		rc = pf_err_set(err, -EBADMSG, "a record of another version of archives");
	if (rc == 0 && pf_pcp_desc_decode(rec, &d, NULL) == 0) {
		r.ident = d.pmid;
		rc = add_desc(w, &d, err);
	} else if (rc == 0 && pf_pcp_indom_decode(rec, &in, NULL) == 0) {
		r.ident = in.indom;
		r.time_ns = in.time_ns;
	}
	if (rc < 0)
		return rc;
	void *array = s->records;
	rc = pf_seal_grow(&array, &s->cap_records, s->n_records, sizeof(*s->records));
	s->records = array;
	if (rc == 0)
		s->records[s->n_records++] = r;
	return rc;
}

/* One record, or what is damaged up to the next one. Return: 1, 0 at the end, negative errno. */
static int read_next(struct work *w, struct pf_err *err)
{
	struct pf_seal *s = w->s;
	struct pf_pcp_file *f = &s->meta.file;
	struct pf_view rec;
	struct pf_err why = { 0 };
	int rc = pf_pcp_file_peek(f, &rec, &why);
	if (rc == 0)
		return 0;
	bool framed = rc == 1;
	if (framed)
		rc = add_record(w, rec, &why);
	if (rc < 0 && rc != -EBADMSG)
		return pf_err_set(err, rc, "%s: %s", s->meta.path, why.text[0] ? why.text : "no memory");
	if (rc == 0) {
		pf_pcp_file_take(f, rec);
		return 1;
	}
	uint64_t from = f->off;
	if (w->places++ == 0) {
		w->record = f->number;
		w->byte = from;
	}
	if (framed)
		pf_pcp_file_take(f, rec);
	else
		pf_pcp_file_resync(f, pf_pcp_meta_is_sane, NULL);
	w->bytes += f->off - from;
	s->meta.keeps_old |= framed || f->off < f->size || s->meta.packed;
	return 1;
}

static int by_text(const void *a, const void *b)
{
	const struct name *x = a;
	const struct name *y = b;
	int order = strcmp(x->text, y->text);
	return order ? order : (x->pmid > y->pmid) - (x->pmid < y->pmid);
}

/* Has another metric of a smaller number this name? */
static bool is_taken(const struct work *w, const char *text, uint32_t pmid)
{
	size_t from = 0;
	size_t to = w->n_names;
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (strcmp(w->names[middle].text, text) < 0)
			from = middle + 1;
		else
			to = middle;
	}
	return from < w->n_names && strcmp(w->names[from].text, text) == 0 && w->names[from].pmid < pmid;
}

/* A descriptor with those of its names that it can keep. */
static int put_desc(struct work *w, uint64_t off, struct pf_view rec)
{
	struct pf_seal *s = w->s;
	struct pf_pcp_desc d;
	(void)pf_pcp_desc_decode(rec, &d, NULL); /* was checked */
	pf_autofree struct pf_view *names = calloc(d.n_names, sizeof(*names));
	if (!names)
		return -ENOMEM;
	struct pf_view rest = d.names;
	struct pf_view name;
	uint32_t n = 0;
	bool same = true;
	while (pf_pcp_name_next(&rest, &name)) {
		const char *text = mended(s, name);
		if (!text)
			return -ENOMEM;
		same &= memcmp(text, name.p, name.n) == 0;
		names[n] = pf_view_of(text);
		n += !is_taken(w, text, d.pmid);
	}
	struct pf_seal_metric *m = &s->metrics[pf_pcp_check_look(&s->pmids, d.pmid)];
	m->named |= n > 0;
	if (same && n == d.n_names) {
		pf_patch_keep(&s->meta.patch, off, rec.n);
		return 0;
	}
	w->renamed++;
	if (n == 0)
		return 0;
	struct pf_buf b = { 0 };
	const struct pf_metric row = { .name = "",
				       .pmid = d.pmid,
				       .type = (enum pf_type)d.type,
				       .indom = d.indom,
				       .sem = (enum pf_semantics)d.sem,
				       .units = d.units };
	pf_pcp_desc_encode(&b, &row, names, n);
	pf_patch_put(&s->meta.patch, b.p, b.n);
	int failed = b.failed;
	pf_buf_done(&b);
	return failed;
}

static int put_record(struct work *w, const struct pf_seal_record *r, struct pf_err *err)
{
	struct pf_seal *s = w->s;
	struct pf_view rec;
	int rc = pf_pcp_file_bytes(&s->meta.file, r->off, r->n, &rec, err);
	if (rc != 1)
		return rc < 0 ? rc : pf_err_set(err, -EIO, "%s became shorter; nothing was changed", s->meta.path);
	switch (r->kind) {
	case PF_PCP_DESC:
		return put_desc(w, r->off, rec);
	case PF_PCP_INDOM2:
	case PF_PCP_INDOM3:
	case PF_PCP_DELTA3:
		rc = add_change(s, r->time_ns, true);
		return rc < 0 ? rc : pf_seal_indom(s, &w->domains, r->off, rec);
	case PF_PCP_LABELS2:
	case PF_PCP_LABELS3:
		rc = add_change(s, time_of(rec, s->label.version), false);
		break;
	default:
		rc = 0;
		break;
	}
	if (rc == 0)
		pf_patch_keep(&s->meta.patch, r->off, r->n);
	return rc;
}

static void tell(const struct work *w, uint64_t moved)
{
	struct pf_seal *s = w->s;
	uint64_t lost = w->domains.lost;
	uint64_t mended_n = w->domains.mended + moved;
	struct pf_finding f = { .grade = PF_GRADE_ERROR,
				.rule = "sealed-meta",
				.file = s->meta.path,
				.record = w->record,
				.byte = w->byte,
				.lost = w->bytes };
	if (w->places > 0)
		pf_finding_tell(s->to, f, "%llu damaged %s removed; what it said is lost",
				(unsigned long long)w->places, w->places == 1 ? "place is" : "places are");
	f = (struct pf_finding){
		.grade = PF_GRADE_ERROR, .file = s->meta.path, .record = PF_FINDING_NOWHERE, .byte = PF_FINDING_NOWHERE
	};
	f.rule = "sealed-names";
	if (w->renamed > 0)
		pf_finding_tell(s->to, f, "%llu descriptors had names that cannot be or are those of other metrics",
				(unsigned long long)w->renamed);
	f.rule = "sealed-instances";
	if (lost > 0)
		pf_finding_tell(s->to, f, "%llu instances were named twice or had impossible numbers and were left out",
				(unsigned long long)lost);
	f.rule = "sealed-order";
	f.grade = PF_GRADE_NOTE;
	if (mended_n > 0)
		pf_finding_tell(s->to, f, "%llu records of instances were not in order; now they are",
				(unsigned long long)mended_n);
	s->meta.lost = w->places > 0 || w->renamed > 0 || lost > 0;
	s->meta.keeps_old |= w->renamed > 0 || lost > 0 || mended_n > 0;
}

static int put_all(struct work *w, struct pf_err *err)
{
	uint64_t moved = 0;
	if (w->n_names > 0)
		qsort(w->names, w->n_names, sizeof(*w->names), by_text);
	int rc = pf_seal_order(w->s, &moved);
	for (size_t i = 0; i < w->s->n_records && rc == 0; i++)
		rc = put_record(w, &w->s->records[i], err);
	if (rc == 0)
		tell(w, moved);
	return rc;
}

int pf_seal_meta(struct pf_seal *s, struct pf_err *err)
{
	struct work w = { .s = s };
	pf_seal_label(s, &s->meta);
	int rc;
	do
		rc = read_next(&w, err);
	while (rc == 1);
	if (rc == 0)
		rc = put_all(&w, err);
	free(w.names);
	pf_seal_domains_done(&w.domains);
	return rc < 0 && !(err && err->rc) ? pf_err_set(err, rc, "%s: no memory", s->meta.path) : rc;
}
