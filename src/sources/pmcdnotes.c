/* sources/pmcdnotes.c - what a pmcd tells beside values: the steps that ask for help texts and labels, and the teller. */
#include "sources/pmcdnotes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "sources/pcpvalue.h"
#include "sources/pmcdsteps.h"

enum { DOMAIN_SHIFT = 22, CLUSTER_SHIFT = 10 };

/* Longer ones are no help, and no labels. */
enum { TEXT_MAX = 64 << 10, LABELS_MAX = 1 << 20 };

/* What is asked for: a kind (of a text, of labels) and of what. */
static uint64_t question(uint32_t type, uint32_t ident)
{
	return (uint64_t)type << 32 | ident;
}

static int add_note(struct pf_pmcd_ask *a, enum pf_about_kind kind, uint64_t what, struct pf_view bytes)
{
	if (bytes.n > PF_PMCD_NOTES_BYTES - a->note_bytes) {
		a->too_many_notes = true;
		return 0;
	}
	size_t cap = a->n_notes < 64 ? 64 : a->n_notes;
	if (a->n_notes == 0 || (a->n_notes >= 64 && (a->n_notes & (a->n_notes - 1)) == 0)) {
		struct pf_pmcd_note *more = reallocarray(a->notes, a->n_notes == 0 ? cap : cap * 2, sizeof(*more));
		if (!more)
			return -ENOMEM;
		a->notes = more;
	}
	char *copy = pf_view_dup(bytes);
	if (!copy)
		return -ENOMEM;
	int64_t time_ns = a->result.time_ns > a->time_ns ? a->result.time_ns : a->time_ns;
	a->notes[a->n_notes++] = (struct pf_pmcd_note){ .kind = kind,
							.type = (uint32_t)(what >> 32),
							.ident = (uint32_t)what,
							.time_ns = time_ns,
							.bytes = copy,
							.n = bytes.n };
	a->note_bytes += bytes.n;
	return 0;
}

int pf_pmcd_note(struct pf_pmcd_ask *a, unsigned i)
{
	return a->wants_notes ? add_note(a, PF_ABOUT_METRIC, a->metrics[i].is.pmid, PF_VIEW("")) : 0;
}

/* Texts of a domain come with the first of its metrics. */
static int add_texts(struct pf_pmcd_ask *a, uint32_t of, uint32_t ident)
{
	int rc = pf_pmcd_todo(a, question(of | PF_PCP_TEXT_LINE, ident));
	return rc == 0 ? pf_pmcd_todo(a, question(of | PF_PCP_TEXT_HELP, ident)) : rc;
}

/* Neighbours have most in common, so what is there is near the end. */
static bool is_todo(const struct pf_pmcd_ask *a, uint64_t what)
{
	for (uint32_t i = a->n_todo; i > 0; i--) {
		if (a->todo[i - 1] == what)
			return true;
	}
	return false;
}

static bool is_noted(const struct pf_pmcd_ask *a, uint64_t what)
{
	for (size_t i = 0; i < a->n_notes; i++) {
		if (a->notes[i].kind == PF_ABOUT_TEXT && question(a->notes[i].type, a->notes[i].ident) == what)
			return true;
	}
	return false;
}

int pf_pmcd_texts_begin(struct pf_pmcd_ask *a)
{
	int rc = 0;
	for (unsigned k = 0; a->wants_notes && k < a->n_fetched && rc == 0; k++) {
		struct pf_pmcd_metric *m = &a->metrics[a->fetched[k]];
		if (m->has_texts)
			continue;
		m->has_texts = true;
		rc = add_texts(a, PF_PCP_TEXT_OF_METRIC, m->now.pmid);
		uint64_t line = question(PF_PCP_TEXT_OF_INDOM | PF_PCP_TEXT_LINE, m->now.indom);
		if (rc == 0 && m->now.indom != PF_INDOM_NONE && !is_todo(a, line) && !is_noted(a, line))
			rc = add_texts(a, PF_PCP_TEXT_OF_INDOM, m->now.indom);
	}
	return rc;
}

int pf_pmcd_texts_ask(struct pf_pmcd_ask *a, uint32_t i)
{
	if (i < a->n_todo)
		pf_pdu_put_text(&a->link.out, (uint32_t)a->todo[i], (uint32_t)(a->todo[i] >> 32));
	return i < a->n_todo;
}

int pf_pmcd_texts_take(struct pf_pmcd_ask *a, uint32_t i, const struct pf_pdu *pdu, struct pf_err *err)
{
	struct pf_view text;
	int32_t code;
	if (pf_pmcd_is_error(pdu, &code))
		return 0; /* there is none */
	uint32_t of;
	int rc = pf_pdu_text(pdu, &of, &text, err);
	if (rc == 0 && of != (uint32_t)a->todo[i] && of != __builtin_bswap32((uint32_t)a->todo[i]))
		return pf_err_set(err, -EBADMSG, "it gives a help text of something else than it was asked for");
	if (rc < 0 || text.n == 0 || text.n > TEXT_MAX)
		return rc;
	rc = add_note(a, PF_ABOUT_TEXT, a->todo[i], text);
	return rc < 0 ? pf_err_set(err, rc, "no memory for help texts") : 0;
}

static int add_labels(struct pf_pmcd_ask *a, enum pf_owner owner, uint32_t ident)
{
	uint64_t what = question(owner, ident);
	return is_todo(a, what) ? 0 : pf_pmcd_todo(a, what);
}

int pf_pmcd_labels_begin(struct pf_pmcd_ask *a)
{
	if (!a->wants_notes || !(a->features & PF_PDU_HAS_LABELS))
		return 0;
	int rc = add_labels(a, PF_OF_CONTEXT, UINT32_MAX);
	for (unsigned k = 0; k < a->n_fetched && rc == 0; k++) {
		const struct pf_pcp_metric *m = &a->metrics[a->fetched[k]].now;
		rc = add_labels(a, PF_OF_DOMAIN, m->pmid >> DOMAIN_SHIFT & 0x1ff);
		if (rc == 0)
			rc = add_labels(a, PF_OF_CLUSTER, m->pmid >> CLUSTER_SHIFT << CLUSTER_SHIFT);
		if (rc == 0)
			rc = pf_pmcd_todo(a, question(PF_OF_ITEM, m->pmid));
		if (rc == 0 && m->indom != PF_INDOM_NONE)
			rc = add_labels(a, PF_OF_INDOM, m->indom);
		if (rc == 0 && m->indom != PF_INDOM_NONE)
			rc = add_labels(a, PF_OF_INSTANCES, m->indom);
	}
	return rc;
}

int pf_pmcd_labels_ask(struct pf_pmcd_ask *a, uint32_t i)
{
	if (i < a->n_todo)
		pf_pdu_put_labels(&a->link.out, (enum pf_owner)(a->todo[i] >> 32), (uint32_t)a->todo[i]);
	return i < a->n_todo;
}

/* Is that what was told of it last? */
static bool is_known(const struct pf_pmcd_ask *a, uint64_t what, struct pf_view bytes)
{
	for (size_t i = a->n_notes; i > 0; i--) {
		const struct pf_pmcd_note *n = &a->notes[i - 1];
		if (n->kind == PF_ABOUT_LABELS && question(n->type, n->ident) == what)
			return n->n == bytes.n && memcmp(n->bytes, bytes.p, bytes.n) == 0;
	}
	return false;
}

int pf_pmcd_labels_take(struct pf_pmcd_ask *a, uint32_t i, const struct pf_pdu *pdu, struct pf_err *err)
{
	struct pf_pcp_labels labels;
	int32_t code;
	if (pf_pmcd_is_error(pdu, &code))
		return 0; /* there are none */
	int rc = pf_pdu_labels(pdu, &labels, err);
	if (rc == 0 && question(labels.owner, labels.ident) != a->todo[i])
		return pf_err_set(err, -EBADMSG, "it gives labels of something else than it was asked for");
	if (rc < 0 || labels.n == 0 || pdu->bytes.n > LABELS_MAX || is_known(a, a->todo[i], pdu->bytes))
		return rc;
	rc = add_note(a, PF_ABOUT_LABELS, a->todo[i], pdu->bytes);
	return rc < 0 ? pf_err_set(err, rc, "no memory for labels") : 0;
}

static enum pf_about_kind head(const struct pf_about_teller *t, size_t i, int64_t *ret_time_ns)
{
	const struct pf_pmcd_note *note = &((const struct pf_pmcd_notes *)t)->ask->notes[i];
	*ret_time_ns = note->time_ns;
	return note->kind;
}

/* Return: index in the catalog of the metric that has, or had, that number; -1: nobody wants it. */
static int metric_of(const struct pf_pmcd_notes *n, uint32_t pmid, const struct pf_pcp_metric **ret_metric)
{
	for (unsigned i = 0; i < n->ask->n_metrics; i++) {
		const struct pf_pmcd_metric *m = &n->ask->metrics[i];
		if (m->to.index < 0 || n->catalog->hidden[m->to.index] || (m->is.pmid != pmid && m->now.pmid != pmid))
			continue;
		*ret_metric = &m->is;
		return m->to.index;
	}
	return -1;
}

/* With all names of it that are wanted. */
static int get_metric(const struct pf_pmcd_notes *n, struct pf_arena *room, struct pf_about *ret)
{
	const struct pf_pcp_metric *m;
	struct pf_metric *row = pf_arena_alloc(room, sizeof(*row));
	unsigned n_names = 0;
	ret->metric = metric_of(n, ret->ident, &m);
	if (ret->metric < 0 || !row)
		return row ? 0 : -ENOMEM;
	for (unsigned i = 0; i < n->ask->n_metrics; i++)
		n_names += n->ask->metrics[i].now.pmid == ret->ident;
	struct pf_view *names = pf_arena_alloc(room, (n_names + 1) * sizeof(*names));
	if (!names)
		return -ENOMEM;
	*row = pf_pcp_row(m, n->catalog->metrics[ret->metric]->name);
	names[ret->n_names++] = pf_view_of(row->name);
	for (unsigned i = 0; i < n->ask->n_metrics; i++) {
		const struct pf_pmcd_metric *other = &n->ask->metrics[i];
		if (other->now.pmid == ret->ident && strcmp(other->name, row->name) != 0)
			names[ret->n_names++] = pf_view_of(other->name);
	}
	ret->row = row;
	ret->names = names;
	return 1;
}

static int get_text(const struct pf_pmcd_notes *n, const struct pf_pmcd_note *note, struct pf_about *ret)
{
	const struct pf_pcp_metric *m;
	bool of_metric = note->type & PF_PCP_TEXT_OF_METRIC;
	ret->which = note->type & PF_PCP_TEXT_LINE ? PF_ABOUT_LINE : PF_ABOUT_HELP;
	ret->text = (struct pf_view){ note->bytes, note->n };
	if (!of_metric)
		return 1;
	ret->metric = metric_of(n, note->ident, &m);
	if (ret->metric >= 0)
		ret->ident = n->catalog->metrics[ret->metric]->pmid;
	return ret->metric >= 0;
}

/* Names of the instances whose labels those are, as far as they are known now. */
static int name_sets(const struct pf_pmcd_notes *n, struct pf_arena *room, struct pf_about *ret)
{
	struct pf_about_instance *list = pf_arena_alloc(room, ret->n * sizeof(*list));
	struct pf_pcp_domain *dom = NULL;
	unsigned hint = 0;
	if (!list)
		return -ENOMEM;
	for (unsigned d = 0; d < n->ask->n_domains && !dom; d++)
		dom = n->ask->domains[d].is.indom == ret->ident ? &n->ask->domains[d].is : NULL;
	for (uint32_t i = 0; i < ret->n; i++) {
		const struct pf_pcp_member *m = dom ? pf_pcp_domain_find(dom, ret->sets[i].inst, &hint) : NULL;
		list[i] = (struct pf_about_instance){ ret->sets[i].inst, m ? m->name : NULL };
	}
	ret->instances = list;
	return 1;
}

static int get_labels(const struct pf_pmcd_notes *n, const struct pf_pmcd_note *note, struct pf_arena *room,
		      struct pf_about *ret)
{
	const struct pf_pdu pdu = { PF_PDU_LABEL, { note->bytes, note->n } };
	const struct pf_pcp_metric *m;
	struct pf_pcp_labels l;
	if (pf_pdu_labels(&pdu, &l, NULL) < 0)
		return 0; /* was checked; cannot be */
	ret->owner = (enum pf_owner)note->type;
	ret->n = l.n;
	if (ret->owner == PF_OF_ITEM) {
		ret->metric = metric_of(n, note->ident, &m);
		if (ret->metric < 0)
			return 0;
		ret->ident = n->catalog->metrics[ret->metric]->pmid;
	}
	int rc = pf_pcp_labels_unpack(&l, room, &ret->sets);
	if (rc < 0)
		return rc;
	return ret->owner == PF_OF_INSTANCES ? name_sets(n, room, ret) : 1;
}

static int get(struct pf_about_teller *t, size_t i, struct pf_arena *room, struct pf_about *ret)
{
	const struct pf_pmcd_notes *n = (const struct pf_pmcd_notes *)t;
	const struct pf_pmcd_note *note = &n->ask->notes[i];
	*ret = (struct pf_about){ .kind = note->kind, .time_ns = note->time_ns, .metric = -1, .ident = note->ident };
	if (note->kind == PF_ABOUT_METRIC)
		return get_metric(n, room, ret);
	return note->kind == PF_ABOUT_TEXT ? get_text(n, note, ret) : get_labels(n, note, room, ret);
}

void pf_pmcd_notes_join(struct pf_pmcd_notes *n)
{
	n->base.n = n->ask->n_notes;
	n->base.head = head;
	n->base.get = get;
	pf_about_join(n->catalog, &n->base);
}

void pf_pmcd_notes_leave(struct pf_pmcd_notes *n)
{
	if (n->catalog)
		pf_about_leave(n->catalog, &n->base);
}
