/* formats/pcp/meta.c - the .meta file of an archive. Source: LOGARCHIVE(5), observed bytes. */
#include "formats/pcp/meta.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

static int grow(void **array, size_t *cap, size_t need, size_t item)
{
	if (need <= *cap)
		return 0;
	size_t more = *cap ? *cap * 2 : 16;
	void *p = reallocarray(*array, more, item);
	if (!p)
		return -ENOMEM;
	*array = p;
	*cap = more;
	return 0;
}

static int domain_index(struct pf_pcp_meta *m, uint32_t indom)
{
	for (unsigned d = 0; d < m->n_domains; d++) {
		if (m->domains[d].indom == indom)
			return (int)d;
	}
	struct pf_pcp_domain *more = reallocarray(m->domains, m->n_domains + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	m->domains = more;
	more[m->n_domains] = (struct pf_pcp_domain){ .indom = indom };
	return (int)m->n_domains++;
}

/* Of several names the shortest, which is the one without detours; of equally long ones the first in the alphabet. */
static struct pf_view best_name(struct pf_view names)
{
	struct pf_view best = { "", 0 };
	struct pf_view name;
	while (pf_pcp_name_next(&names, &name)) {
		if (best.n == 0 || name.n < best.n || (name.n == best.n && memcmp(name.p, best.p, name.n) < 0))
			best = name;
	}
	return best;
}

/* What is read when it is wanted. */
static int add_place(struct pf_pcp_meta *m, uint32_t kind, int64_t time_ns, uint32_t ident, uint32_t type,
		     struct pf_err *err)
{
	void *array = m->places;
	int rc = grow(&array, &m->cap_places, m->n_places + 1, sizeof(*m->places));
	m->places = array;
	if (rc < 0)
		return pf_err_set(err, rc, "no memory for %zu records", m->n_places + 1);
	m->places[m->n_places++] = (struct pf_pcp_place){ .time_ns = time_ns,
							  .off = m->file.off,
							  .number = m->file.number,
							  .ident = ident,
							  .kind = (uint8_t)kind,
							  .type = (uint8_t)type };
	return 0;
}

/* What a descriptor says that cannot be, though it can be read. */
static void look_at_metric(const struct pf_pcp_meta *m, const struct pf_pcp_desc *d, struct pf_pcp_damage *damage)
{
	unsigned long long number = m->file.number;
	unsigned long long off = m->file.off;
	struct pf_view rest = d->names;
	struct pf_view name;
	while (pf_pcp_name_next(&rest, &name)) {
		if (!pf_pcp_meta_name_is_good(name))
			pf_pcp_damage_add(damage,
					  "%s: record %llu at byte %llu: '%.*s' cannot be a metric's name; its values "
					  "are shown all the same",
					  m->file.name, number, off, (int)(name.n < 80 ? name.n : 80), name.p);
	}
	bool typed = d->type >= PF_PCP_NOSUPPORT && d->type <= PF_HIGHRES_EVENTS;
	if (typed && (d->sem == PF_COUNTER || d->sem == PF_INSTANT || d->sem == PF_DISCRETE))
		return;
	name = best_name(d->names);
	pf_pcp_damage_add(damage, "%s: record %llu at byte %llu: %.*s is of unknown %s %d; its values are left out",
			  m->file.name, number, off, (int)(name.n < 80 ? name.n : 80), name.p,
			  typed ? "semantics" : "type", typed ? d->sem : d->type);
}

static int add_metric(struct pf_pcp_meta *m, struct pf_view rec, struct pf_pcp_damage *damage, struct pf_err *err)
{
	struct pf_pcp_desc d;
	int rc = pf_pcp_desc_decode(rec, &d, err);
	if (rc < 0)
		return rc;
	struct pf_view name = best_name(d.names);
	if (memchr(name.p, '\0', name.n))
		return pf_err_set(err, -EBADMSG, "a metric's name holds a zero byte");
	look_at_metric(m, &d, damage);

	size_t cap = m->cap_metrics;
	void *array = m->metrics;
	rc = grow(&array, &cap, (size_t)m->n_metrics + 1, sizeof(*m->metrics));
	m->metrics = array;
	m->cap_metrics = (unsigned)cap;
	char *copy = rc < 0 ? NULL : pf_arena_dup(&m->names, name);
	int domain = d.indom == PF_INDOM_NONE ? -1 : domain_index(m, d.indom);
	if (!copy || domain == -ENOMEM)
		return pf_err_set(err, -ENOMEM, "no memory for %u metrics", m->n_metrics + 1);
	m->metrics[m->n_metrics++] = (struct pf_pcp_metric){ .name = copy,
							     .pmid = d.pmid,
							     .indom = d.indom,
							     .type = d.type,
							     .sem = d.sem,
							     .units = d.units,
							     .domain = (unsigned)domain };
	return add_place(m, PF_PCP_DESC, INT64_MIN, d.pmid, 0, err);
}

static int add_labels(struct pf_pcp_meta *m, struct pf_view rec, struct pf_err *err)
{
	struct pf_pcp_labels l;
	int rc = pf_pcp_labels_decode(rec, &l, err);
	return rc < 0 ? rc : add_place(m, pf_pcp_meta_kind(rec), l.time_ns, l.ident, l.owner, err);
}

static int add_text(struct pf_pcp_meta *m, struct pf_view rec, struct pf_err *err)
{
	struct pf_pcp_text t;
	int rc = pf_pcp_text_decode(rec, &t, err);
	return rc < 0 ? rc : add_place(m, PF_PCP_TEXT, INT64_MIN, t.ident, t.type, err);
}

static int add_change(struct pf_pcp_meta *m, struct pf_view rec, struct pf_err *err)
{
	struct pf_pcp_indom in;
	int rc = pf_pcp_indom_decode(rec, &in, err);
	return rc < 0 ? rc : add_place(m, pf_pcp_meta_kind(rec), in.time_ns, in.indom, 0, err);
}

static int add_record(struct pf_pcp_meta *m, struct pf_view rec, struct pf_pcp_damage *damage, struct pf_err *err)
{
	uint32_t kind = pf_pcp_meta_kind(rec);
	switch (kind) {
	case PF_PCP_DESC:
		return add_metric(m, rec, damage, err);
	case PF_PCP_INDOM2:
	case PF_PCP_INDOM3:
	case PF_PCP_DELTA3:
		return add_change(m, rec, err);
	case PF_PCP_LABELS2:
	case PF_PCP_LABELS3:
		return add_labels(m, rec, err);
	case PF_PCP_TEXT:
		return add_text(m, rec, err);
	default:
		return pf_err_set(err, -EBADMSG, "unknown kind of record %u", kind);
	}
}

int pf_pcp_meta_check(struct pf_view rec, struct pf_err *err)
{
	struct pf_pcp_desc d;
	struct pf_pcp_indom in;
	struct pf_pcp_labels l;
	struct pf_pcp_text t;
	uint32_t kind = pf_pcp_meta_kind(rec);
	switch (kind) {
	case PF_PCP_DESC:
		return pf_pcp_desc_decode(rec, &d, err);
	case PF_PCP_INDOM2:
	case PF_PCP_INDOM3:
	case PF_PCP_DELTA3:
		return pf_pcp_indom_decode(rec, &in, err);
	case PF_PCP_LABELS2:
	case PF_PCP_LABELS3:
		return pf_pcp_labels_decode(rec, &l, err);
	case PF_PCP_TEXT:
		return pf_pcp_text_decode(rec, &t, err);
	default:
		return pf_err_set(err, -EBADMSG, "unknown kind of record %u", kind);
	}
}

bool pf_pcp_meta_kind_fits(uint32_t kind, unsigned version)
{
	switch (kind) {
	case PF_PCP_DESC:
	case PF_PCP_TEXT:
		return true;
	case PF_PCP_INDOM2:
	case PF_PCP_LABELS2:
		return version < 3;
	default:
		return version >= 3 && kind >= PF_PCP_INDOM3 && kind <= PF_PCP_LABELS3;
	}
}

/* @first: of a part between dots; @last: of the name. */
static bool may_stand(char c, bool first, bool last)
{
	char lower = pf_ascii_lower(c);
	bool letter = lower >= 'a' && lower <= 'z';
	if (c == '.')
		return !first && !last;
	return letter || (!first && ((c >= '0' && c <= '9') || c == '_'));
}

bool pf_pcp_meta_name_is_good(struct pf_view name)
{
	bool first = true;
	for (size_t i = 0; i < name.n; i++) {
		if (!may_stand(name.p[i], first, i + 1 == name.n))
			return false;
		first = name.p[i] == '.';
	}
	return name.n > 0;
}

void pf_pcp_meta_name_mend(char *name, size_t n)
{
	bool first = true;
	for (size_t i = 0; i < n; i++) {
		if (!may_stand(name[i], first, i + 1 == n))
			name[i] = first ? 'x' : '_';
		first = name[i] == '.';
	}
}

bool pf_pcp_meta_is_sane(const void *arg, struct pf_view rec)
{
	(void)arg;
	return pf_pcp_meta_check(rec, NULL) == 0;
}

static int by_pmid(const void *a, const void *b)
{
	const struct pf_pcp_metric *x = a;
	const struct pf_pcp_metric *y = b;
	return (x->pmid > y->pmid) - (x->pmid < y->pmid);
}

/* By time, what holds always by kind; records of one time keep the order of the file. */
static int by_time(const void *a, const void *b)
{
	const struct pf_pcp_place *x = a;
	const struct pf_pcp_place *y = b;
	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	if (x->time_ns == INT64_MIN && x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return (x->off > y->off) - (x->off < y->off);
}

static int by_name(const void *a, const void *b)
{
	const struct pf_pcp_metric *const *x = a;
	const struct pf_pcp_metric *const *y = b;
	int order = strcmp((*x)->name, (*y)->name);
	return order ? order : by_pmid(*x, *y);
}

/* One name for two metrics: the one of the smaller PMID keeps it, the other is left out. */
static int drop_namesakes(struct pf_pcp_meta *m, struct pf_pcp_damage *damage)
{
	struct pf_pcp_metric **sorted = calloc(m->n_metrics ? m->n_metrics : 1, sizeof(*sorted));
	if (!sorted)
		return -ENOMEM;
	for (unsigned i = 0; i < m->n_metrics; i++)
		sorted[i] = &m->metrics[i];
	if (m->n_metrics > 0)
		qsort(sorted, m->n_metrics, sizeof(struct pf_pcp_metric *), by_name);
	const struct pf_pcp_metric *kept = NULL;
	for (unsigned i = 0; i < m->n_metrics; i++) {
		if (!kept || strcmp(kept->name, sorted[i]->name) != 0) {
			kept = sorted[i];
			continue;
		}
		pf_pcp_damage_add(damage, "%s: metrics 0x%x and 0x%x are both called %s; the latter's values are lost",
				  m->file.name, kept->pmid, sorted[i]->pmid, kept->name);
		sorted[i]->name = NULL;
	}
	free(sorted);
	unsigned n = 0;
	for (unsigned i = 0; i < m->n_metrics; i++) {
		if (m->metrics[i].name)
			m->metrics[n++] = m->metrics[i];
	}
	m->n_metrics = n;
	return 0;
}

static bool says_the_same(const struct pf_pcp_metric *a, const struct pf_pcp_metric *b)
{
	return a->indom == b->indom && a->type == b->type && a->sem == b->sem &&
	       memcmp(&a->units, &b->units, sizeof(a->units)) == 0;
}

/* @last: the descriptor of two that is taken. */
static void tell_contradiction(const struct pf_pcp_meta *m, const struct pf_pcp_metric *last,
			       struct pf_pcp_damage *damage)
{
	const struct pf_pcp_place *place = NULL;
	for (size_t i = 0; i < m->n_places; i++) {
		if (m->places[i].kind == PF_PCP_DESC && m->places[i].ident == last->pmid)
			place = &m->places[i];
	}
	pf_pcp_damage_add(damage, "%s: record %llu at byte %llu: the metric %s is described in another way than before",
			  m->file.name, place ? (unsigned long long)place->number : 0,
			  place ? (unsigned long long)place->off : 0, last->name);
}

static int sort_all(struct pf_pcp_meta *m, struct pf_pcp_damage *damage)
{
	if (m->n_metrics > 0)
		qsort(m->metrics, m->n_metrics, sizeof(*m->metrics), by_pmid);
	unsigned kept = 0;
	for (unsigned i = 0; i < m->n_metrics; i++) {
		const struct pf_pcp_metric *last = kept > 0 ? &m->metrics[kept - 1] : NULL;
		if (!last || last->pmid != m->metrics[i].pmid)
			m->metrics[kept++] = m->metrics[i];
		else if (!says_the_same(last, &m->metrics[i]))
			tell_contradiction(m, last, damage);
	}
	m->n_metrics = kept;
	if (m->n_places > 0)
		qsort(m->places, m->n_places, sizeof(*m->places), by_time);
	return drop_namesakes(m, damage);
}

int pf_pcp_meta_load(struct pf_pcp_meta *m, struct pf_pcp_damage *damage, struct pf_err *err)
{
	for (;;) {
		struct pf_view rec;
		struct pf_err why = { 0 };
		int rc = pf_pcp_file_peek(&m->file, &rec, &why);
		if (rc == 0)
			break;
		bool framed = rc == 1;
		if (framed) {
			rc = rec.n < 12 ? pf_err_set(&why, -EBADMSG, "record of %zu bytes", rec.n)
					: add_record(m, rec, damage, &why);
		}
		if (rc < 0 && rc != -EBADMSG)
			return pf_err_set(err, rc, "%s", why.text);
		if (rc < 0) {
			uint64_t from = m->file.off;
			uint64_t number = m->file.number;
			if (framed)
				pf_pcp_file_take(&m->file, rec);
			else
				pf_pcp_file_resync(&m->file, pf_pcp_meta_is_sane, NULL);
			pf_pcp_damage_add(damage, "%s: record %llu at byte %llu: %s; the bytes up to %llu are lost",
					  m->file.name, (unsigned long long)number, (unsigned long long)from, why.text,
					  (unsigned long long)m->file.off);
			continue;
		}
		pf_pcp_file_take(&m->file, rec);
	}
	int rc = sort_all(m, damage);
	return rc < 0 ? pf_err_set(err, rc, "no memory for %u metrics", m->n_metrics) : 0;
}

void pf_pcp_meta_done(struct pf_pcp_meta *m)
{
	for (unsigned d = 0; d < m->n_domains; d++)
		pf_pcp_domain_done(&m->domains[d]);
	free(m->domains);
	free(m->metrics);
	free(m->places);
	pf_arena_done(&m->names);
	pf_pcp_file_done(&m->file);
	*m = (struct pf_pcp_meta){ .file.fd = -1 };
}

static int apply(struct pf_pcp_meta *m, const struct pf_pcp_indom *in)
{
	int d = domain_index(m, in->indom);
	if (d < 0)
		return d;
	struct pf_pcp_domain *dom = &m->domains[d];
	if (!in->delta) {
		int32_t *ids = calloc(in->n ? in->n : 1, sizeof(*ids));
		if (!ids)
			return -ENOMEM;
		for (uint32_t i = 0; i < in->n; i++)
			ids[i] = pf_pcp_indom_get(in, i).id;
		pf_pcp_domain_keep(dom, ids, in->n);
		free(ids);
	}
	for (uint32_t i = 0; i < in->n; i++) {
		struct pf_pcp_instance inst = pf_pcp_indom_get(in, i);
		int rc = 0;
		if (inst.removed)
			pf_pcp_domain_remove(dom, inst.id);
		else
			rc = pf_pcp_domain_add(dom, inst.id, inst.name);
		if (rc < 0)
			return rc;
	}
	return 0;
}

int pf_pcp_meta_read(struct pf_pcp_meta *m, const struct pf_pcp_place *place, struct pf_view *ret_rec,
		     struct pf_err *err)
{
	m->file.off = place->off;
	m->file.number = place->number;
	int rc = pf_pcp_file_peek(&m->file, ret_rec, err);
	return rc == 0 ? pf_err_set(err, -EBADMSG, "the file became shorter") : rc;
}

/* The change at @place. Damage: it was whole when the archive was opened. */
static int change(struct pf_pcp_meta *m, const struct pf_pcp_place *place, struct pf_pcp_damage *damage,
		  struct pf_err *err)
{
	struct pf_view rec;
	struct pf_pcp_indom in;
	struct pf_err why = { 0 };
	int rc = pf_pcp_meta_read(m, place, &rec, &why);
	if (rc == 1)
		rc = pf_pcp_indom_decode(rec, &in, &why);
	if (rc == -EBADMSG) {
		pf_pcp_damage_add(damage, "%s: record %llu at byte %llu: %s; its instances are lost", m->file.name,
				  (unsigned long long)place->number, (unsigned long long)place->off, why.text);
		return 0;
	}
	if (rc == 0)
		rc = apply(m, &in);
	return rc < 0 ? pf_err_set(err, rc, "%s: %s", m->file.name, why.text[0] ? why.text : strerror(-rc)) : 0;
}

int pf_pcp_meta_advance(struct pf_pcp_meta *m, int64_t time_ns, struct pf_pcp_damage *damage, struct pf_err *err)
{
	while (m->next_place < m->n_places && m->places[m->next_place].time_ns <= time_ns) {
		const struct pf_pcp_place *place = &m->places[m->next_place++];
		bool is_change =
			place->kind == PF_PCP_INDOM2 || place->kind == PF_PCP_INDOM3 || place->kind == PF_PCP_DELTA3;
		int rc = is_change ? change(m, place, damage, err) : 0;
		if (rc < 0)
			return rc;
	}
	return 0;
}

int pf_pcp_meta_label(struct pf_pcp_meta *m, const char *name, struct pf_buf *ret_value, struct pf_err *err)
{
	const struct pf_pcp_place *newest = NULL;
	for (size_t i = m->n_places; i > 0 && !newest; i--) {
		const struct pf_pcp_place *place = &m->places[i - 1];
		bool is_labels = place->kind == PF_PCP_LABELS2 || place->kind == PF_PCP_LABELS3;
		newest = is_labels && place->type == PF_OF_CONTEXT ? place : NULL;
	}
	struct pf_view rec;
	struct pf_pcp_labels labels;
	int rc = newest ? pf_pcp_meta_read(m, newest, &rec, err) : 0;
	if (rc == 1)
		rc = pf_pcp_labels_decode(rec, &labels, err);
	struct pf_pcp_packed_set set;
	while (newest && rc == 0 && pf_pcp_labels_next(&labels, &set)) {
		for (uint32_t i = 0; i < set.n; i++) {
			struct pf_label label = pf_pcp_labels_get(&set, i);
			if (!pf_view_is(label.name, name))
				continue;
			pf_pcp_label_text(ret_value, label.value);
			return ret_value->failed ? ret_value->failed : 1;
		}
	}
	return rc;
}

const struct pf_pcp_metric *pf_pcp_meta_metric(struct pf_pcp_meta *m, uint32_t pmid)
{
	if (m->hint < m->n_metrics && m->metrics[m->hint].pmid == pmid)
		return &m->metrics[m->hint++];
	unsigned lo = 0;
	unsigned hi = m->n_metrics;
	while (lo < hi) {
		unsigned mid = lo + (hi - lo) / 2;
		if (m->metrics[mid].pmid < pmid)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == m->n_metrics || m->metrics[lo].pmid != pmid)
		return NULL;
	m->hint = lo + 1;
	return &m->metrics[lo];
}

struct pf_pcp_member *pf_pcp_meta_member(struct pf_pcp_meta *m, unsigned domain, int32_t id, unsigned *hint)
{
	return domain < m->n_domains ? pf_pcp_domain_find(&m->domains[domain], id, hint) : NULL;
}
