/* formats/pcp/check_meta.c - pass 2: what .meta says of metrics and instances, record by record. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "formats/pcp/check_state.h"
#include "formats/pcp/names.h"
#include "model/catalog.h"

enum { DIMENSION_MAX = 2, SPACE_MAX = 6, TIME_MAX = 5, SLACK_NS = 1000000 };

/* Of metrics that pmcd or a client computes of those of agents: their instances are the agents'. pmlogger describes them again and again. */
enum { DERIVED_DOMAIN = 511 };

/* An instance domain: in which record (counted) it was told in full last, and the time of the last one. */
struct domain {
	uint32_t full;
	int64_t time_ns;
};

/* A name that was given to a metric. */
struct name {
	const char *text;
	uint32_t pmid;
	uint64_t record;
	uint64_t byte;
};

/**
 * struct pass
 * @indoms: by which @domains are found; @members: domain and number of an instance, by which @added is found: the change that added it last, 0
 *          removed
 * @changes: records of instance domains so far
 * @next_entry: the first entry of the index that has not been looked at
 */
struct pass {
	struct pf_pcp_check *c;
	struct pf_pcp_file file;
	struct pf_pcp_check_table indoms;
	struct domain *domains;
	size_t cap_domains;
	struct pf_pcp_check_table members;
	uint32_t *added;
	size_t cap_added;
	uint32_t changes;
	struct name *names;
	size_t n_names;
	size_t cap_names;
	const struct pf_pcp_check_entry **entries;
	size_t n_entries;
	size_t next_entry;
};

static int grow(void *array, size_t *cap, size_t need, size_t item)
{
	void **p = array;
	if (need <= *cap)
		return 0;
	size_t more = *cap ? 2 * *cap : 64;
	void *q = reallocarray(*p, more, item);
	if (!q)
		return -ENOMEM;
	memset((char *)q + *cap * item, 0, (more - *cap) * item);
	*p = q;
	*cap = more;
	return 0;
}

struct pf_pcp_check_pmid pf_pcp_check_pmid(uint32_t pmid)
{
	struct pf_pcp_check_pmid text;
	(void)snprintf(text.text, sizeof(text.text), "%u.%u.%u", pmid >> 22 & 0x1ff, pmid >> 10 & 0xfff, pmid & 0x3ff);
	return text;
}

static struct pf_finding at(const struct pass *p, const char *rule)
{
	return pf_pcp_check_at(&p->file, PF_GRADE_ERROR, rule);
}

/* @axis: "Space" ...; @number: its dimension or scale. */
static void tell_units(struct pass *p, struct pf_finding f, const char *rule, int number, const char *what,
		       const char *axis)
{
	f.rule = rule;
	f.numbers[0] = number;
	pf_finding_tell(p->c->to, f, "%s %d of %s", what, number, axis);
}

static void check_units(struct pass *p, const struct pf_finding *f, const struct pf_units *u)
{
	const struct {
		const char *axis;
		const char *rules[3];
		int dimension;
		int scale;
		int most;
	} rows[] = {
		{ "space", { "space-dimension", "space-alone", "space-scale" }, u->space, u->space_scale, SPACE_MAX },
		{ "time", { "time-dimension", "time-alone", "time-scale" }, u->time, u->time_scale, TIME_MAX },
		{ "count", { "count-dimension", "count-alone", "" }, u->count, u->count_scale, 16 },
	};
	for (unsigned i = 0; i < 3; i++) {
		if (rows[i].dimension < -DIMENSION_MAX || rows[i].dimension > DIMENSION_MAX)
			tell_units(p, *f, rows[i].rules[0], rows[i].dimension, "impossible dimension", rows[i].axis);
	}
	for (unsigned i = 0; i < 3; i++) {
		if (rows[i].dimension == 0 && rows[i].scale != 0)
			tell_units(p, *f, rows[i].rules[1], rows[i].scale, "without a dimension, a scale",
				   rows[i].axis);
		if (rows[i].scale > rows[i].most)
			tell_units(p, *f, rows[i].rules[2], rows[i].scale, "impossible scale", rows[i].axis);
	}
}

static void check_meaning(struct pass *p, const struct pf_pcp_desc *d, const char *name)
{
	struct pf_finding f = at(p, "type");
	f.metric = name;
	f.numbers[1] = d->pmid;
	f.numbers[0] = d->type;
	if (d->type < PF_PCP_NOSUPPORT || d->type > PF_HIGHRES_EVENTS)
		pf_finding_tell(p->c->to, f, "unknown type %d", d->type);
	f.rule = "domain";
	f.numbers[0] = d->pmid >> 22 & 0x1ff;
	f.numbers[2] = d->indom >> 22 & 0x1ff;
	f.grade = f.numbers[0] == DERIVED_DOMAIN ? PF_GRADE_NOTE : PF_GRADE_WARNING;
	if (d->indom != PF_INDOM_NONE && f.numbers[0] != f.numbers[2])
		pf_finding_tell(p->c->to, f, "the metric is of domain %d, its instances are of domain %d",
				(int)f.numbers[0], (int)f.numbers[2]);
	f.grade = PF_GRADE_ERROR;
	f.rule = "semantics";
	f.numbers[0] = d->sem;
	if (d->sem != PF_COUNTER && d->sem != PF_INSTANT && d->sem != PF_DISCRETE)
		pf_finding_tell(p->c->to, f, "unknown semantics %d", d->sem);
	f.grade = PF_GRADE_WARNING; /* some agents do record such units; their values can be read */
	check_units(p, &f, &d->units);
}

static int add_name(struct pass *p, struct pf_view name, uint32_t pmid)
{
	if (!pf_pcp_meta_name_is_good(name))
		pf_finding_tell(p->c->to, at(p, "name"), "'%.*s' cannot be a metric's name",
				(int)(name.n < 80 ? name.n : 80), name.p);
	char *copy = pf_arena_dup(&p->c->text, name);
	int rc = copy ? grow(&p->names, &p->cap_names, p->n_names + 1, sizeof(*p->names)) : -ENOMEM;
	if (rc == 0)
		p->names[p->n_names++] = (struct name){ copy, pmid, p->file.number, p->file.off };
	return rc;
}

/* What a record before said of the same metric must be the same; that it is, is told once. */
static void compare(struct pass *p, const struct pf_pcp_desc *d, struct pf_pcp_check_metric *m)
{
	bool same = m->indom == d->indom && m->type == d->type && m->sem == d->sem &&
		    memcmp(&m->units, &d->units, sizeof(d->units)) == 0;
	struct pf_finding f = at(p, "metric-twice");
	f.metric = m->first;
	if (!same)
		pf_finding_tell(p->c->to, f, "the metric %s is described a second time, and in another way",
				pf_pcp_check_pmid(d->pmid).text);
	if (!same)
		check_meaning(p, d, m->first);
	f.grade = PF_GRADE_NOTE;
	if (same && !m->again)
		pf_finding_tell(p->c->to, f, "the metric %s is described a second time",
				pf_pcp_check_pmid(d->pmid).text);
	m->again = true;
}

static int check_desc(struct pass *p, struct pf_view rec)
{
	struct pf_pcp_check *c = p->c;
	struct pf_pcp_desc d;
	(void)pf_pcp_desc_decode(rec, &d, NULL); /* was checked */
	struct pf_buf all = { 0 };
	struct pf_view rest = d.names;
	struct pf_view name;
	int rc = 0;
	size_t first = p->n_names;
	while (rc == 0 && pf_pcp_name_next(&rest, &name)) {
		pf_buf_str(&all, all.n > 0 ? " or " : "");
		pf_buf_view(&all, name);
		rc = add_name(p, name, d.pmid);
	}
	uint32_t known = c->pmids.n;
	int64_t i = rc == 0 ? pf_pcp_check_find(&c->pmids, d.pmid) : rc;
	if (i >= 0)
		rc = grow(&c->metrics, &c->cap_metrics, c->pmids.n, sizeof(*c->metrics));
	char *names = rc == 0 && i >= 0 ? pf_arena_dup(&c->text, pf_buf_text(&all)) : NULL;
	pf_buf_done(&all);
	if (!names)
		return -ENOMEM;
	if (i < known) {
		compare(p, &d, &c->metrics[i]);
		return 0;
	}
	if (c->pmids.n == PF_METRICS_MAX + 1)
		pf_finding_tell(p->c->to, at(p, "metrics"), "more than %d metrics; those from here on are not shown",
				PF_METRICS_MAX);
	check_meaning(p, &d, p->names[first].text);
	c->metrics[i] = (struct pf_pcp_check_metric){ .names = names,
						      .first = p->names[first].text,
						      .indom = d.indom,
						      .type = d.type,
						      .sem = d.sem,
						      .units = d.units };
	return 0;
}

/* The time of a change: not before the one before it, and not before the archive begins. */
static void check_time(struct pass *p, const struct pf_pcp_indom *in, const struct domain *dom)
{
	struct pf_finding f = at(p, "indom-back");
	f.from_ns = in->time_ns;
	if (in->time_ns > p->c->last_change_ns)
		p->c->last_change_ns = in->time_ns;
	if (in->time_ns < dom->time_ns) {
		pf_finding_tell(p->c->to, f, "the instances of domain %u.%u go back in time", in->indom >> 22 & 0x1ff,
				in->indom & 0x3fffff);
	} else if (in->time_ns + SLACK_NS < p->c->result->label.start_ns) {
		f.rule = "indom-early";
		pf_finding_tell(p->c->to, f, "instances of a time before the archive begins");
	}
}

/* One instance of a record: does it change what was there? */
static int check_member(struct pass *p, const struct pf_pcp_indom *in, const struct domain *dom,
			const struct pf_pcp_instance *inst)
{
	int64_t i = pf_pcp_check_find(&p->members, (uint64_t)in->indom << 32 | (uint32_t)inst->id);
	if (i < 0 || grow(&p->added, &p->cap_added, p->members.n, sizeof(*p->added)) < 0)
		return -ENOMEM;
	struct pf_finding f = at(p, "instance-twice");
	f.from_ns = in->time_ns;
	uint32_t before = p->added[i];
	if (inst->id < 0) {
		f.rule = "instance-number";
		pf_finding_tell(p->c->to, f, "an instance has the number %d", inst->id);
		f.rule = "instance-twice";
	}
	if (before == p->changes)
		pf_finding_tell(p->c->to, f, "instance %d is named twice", inst->id);
	else if (inst->removed && (before == 0 || before < dom->full)) {
		f.rule = "delta";
		pf_finding_tell(p->c->to, f, "instance %d is removed, and it was not there", inst->id);
	}
	p->added[i] = inst->removed ? 0 : p->changes;
	return 0;
}

static int check_indom(struct pass *p, struct pf_view rec)
{
	struct pf_pcp_indom in;
	(void)pf_pcp_indom_decode(rec, &in, NULL); /* was checked */
	uint32_t known = p->indoms.n;
	int64_t d = pf_pcp_check_find(&p->indoms, in.indom);
	if (d < 0 || grow(&p->domains, &p->cap_domains, p->indoms.n, sizeof(*p->domains)) < 0)
		return -ENOMEM;
	struct domain *dom = &p->domains[d];
	struct pf_finding f = at(p, "delta");
	f.from_ns = in.time_ns;
	p->changes++;
	if (in.delta && d == known)
		pf_finding_tell(p->c->to, f, "the instances of domain %u.%u change, and were never told",
				in.indom >> 22 & 0x1ff, in.indom & 0x3fffff);
	check_time(p, &in, dom);
	dom->time_ns = in.time_ns;
	if (!in.delta)
		dom->full = p->changes;
	int rc = 0;
	for (uint32_t i = 0; i < in.n && rc == 0; i++) {
		struct pf_pcp_instance inst = pf_pcp_indom_get(&in, i);
		rc = check_member(p, &in, dom, &inst);
	}
	return rc;
}

/* Entries of the index must name places where records begin, or the end. @off: one of these. */
static void check_entries(struct pass *p, uint64_t off)
{
	for (; p->next_entry < p->n_entries && p->entries[p->next_entry]->meta <= (int64_t)off; p->next_entry++) {
		const struct pf_pcp_check_entry *e = p->entries[p->next_entry];
		if (e->meta == (int64_t)off || p->c->options->peer)
			continue;
		struct pf_finding f = { .grade = PF_GRADE_ERROR,
					.rule = "entry-meta",
					.file = p->file.name,
					.record = PF_FINDING_NOWHERE,
					.byte = e->meta < 0 ? 0 : (uint64_t)e->meta };
		pf_finding_tell(p->c->to, f, "entry %zu of the index says that a record begins here, and none does",
				(size_t)(e - p->c->entries) + 1);
	}
}

static int by_meta(const void *a, const void *b)
{
	const struct pf_pcp_check_entry *const *x = a;
	const struct pf_pcp_check_entry *const *y = b;
	return ((*x)->meta > (*y)->meta) - ((*x)->meta < (*y)->meta);
}

/* Those that lie in the file, in the order of their places. */
static int sort_entries(struct pass *p)
{
	p->entries = calloc(p->c->n_entries ? p->c->n_entries : 1, sizeof(struct pf_pcp_check_entry *));
	if (!p->entries)
		return -ENOMEM;
	for (size_t i = 0; i < p->c->n_entries; i++) {
		const struct pf_pcp_check_entry *e = &p->c->entries[i];
		if (e->meta >= (int64_t)p->file.off && e->meta <= (int64_t)p->c->meta_size)
			p->entries[p->n_entries++] = e;
	}
	if (p->n_entries > 0)
		qsort(p->entries, p->n_entries, sizeof(struct pf_pcp_check_entry *), by_meta);
	return 0;
}

static int by_text(const void *a, const void *b)
{
	const struct name *x = a;
	const struct name *y = b;
	int order = strcmp(x->text, y->text);
	return order ? order : (x->record > y->record) - (x->record < y->record);
}

static void check_names(struct pass *p)
{
	if (p->n_names > 0)
		qsort(p->names, p->n_names, sizeof(*p->names), by_text);
	for (size_t i = 1; i < p->n_names; i++) {
		const struct name *n = &p->names[i];
		if (strcmp(n->text, n[-1].text) != 0 || n->pmid == n[-1].pmid)
			continue;
		struct pf_finding f = at(p, "name-twice");
		f.record = n->record;
		f.byte = n->byte;
		f.metric = n->text;
		pf_finding_tell(p->c->to, f, "two metrics have this name: %s and %s",
				pf_pcp_check_pmid(n[-1].pmid).text, pf_pcp_check_pmid(n->pmid).text);
	}
}

static int check_record(struct pass *p, struct pf_view rec)
{
	struct pf_err why = { 0 };
	if (pf_pcp_meta_check(rec, &why) < 0) {
		struct pf_finding f = at(p, "meta-record");
		f.lost = rec.n;
		pf_finding_tell(p->c->to, f, "%s", why.text);
		return 0;
	}
	switch (pf_pcp_meta_kind(rec)) {
	case PF_PCP_DESC:
		return check_desc(p, rec);
	case PF_PCP_INDOM2:
	case PF_PCP_INDOM3:
	case PF_PCP_DELTA3:
		return check_indom(p, rec);
	default:
		return 0;
	}
}

/* What is wrong with frames was told before. */
static int walk(struct pass *p, struct pf_err *err)
{
	int rc = 0;
	while (rc == 0 && !p->c->stopped) {
		struct pf_view rec;
		rc = pf_pcp_file_peek(&p->file, &rec, err);
		check_entries(p, p->file.off);
		if (rc == 0)
			break;
		if (rc == -EBADMSG) {
			pf_pcp_file_resync(&p->file, pf_pcp_meta_is_sane, NULL);
			rc = 0;
		} else if (rc == 1) {
			rc = check_record(p, rec);
			pf_pcp_file_take(&p->file, rec);
		}
	}
	if (rc == 0 && !p->c->options->peer)
		check_names(p);
	return rc == -ENOMEM ? pf_err_set(err, rc, "no memory for what %s says", p->file.name) : rc;
}

int pf_pcp_check_meta(struct pf_pcp_check *c, struct pf_err *err)
{
	struct pass p = { .c = c };
	int rc = pf_pcp_names_open(c->base, "meta", 1, &p.file, err);
	if (rc < 0)
		return rc;
	rc = pf_pcp_check_label(c, &p.file, PF_PCP_VOLUME_META, true, err);
	if (rc >= 0)
		rc = sort_entries(&p);
	if (rc == 0)
		rc = walk(&p, err);
	pf_pcp_file_done(&p.file);
	pf_pcp_check_table_done(&p.indoms);
	pf_pcp_check_table_done(&p.members);
	free(p.domains);
	free(p.added);
	free(p.names);
	free(p.entries);
	return rc;
}
