/* formats/pcp/seal_indoms.c - instance domains of a damaged .meta: in order of time, and so that every change applies to what was told before. Source:
 * LOGARCHIVE(5); pmdumplog of PCP 6.0.3, which a change of a domain that was never told as a whole ends with a crash. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "formats/pcp/seal_state.h"

static bool is_change(const struct pf_seal_record *r)
{
	return r->kind == PF_PCP_INDOM2 || r->kind == PF_PCP_INDOM3 || r->kind == PF_PCP_DELTA3;
}

/* Which records of a domain there are, in the order of the file, and in the order of their times. */
static int by_place(const void *a, const void *b)
{
	const struct pf_seal_record *x = a;
	const struct pf_seal_record *y = b;
	if (x->ident != y->ident)
		return x->ident < y->ident ? -1 : 1;
	return (x->off > y->off) - (x->off < y->off);
}

static int by_time(const void *a, const void *b)
{
	const struct pf_seal_record *x = a;
	const struct pf_seal_record *y = b;
	if (x->ident != y->ident || x->time_ns == y->time_ns)
		return by_place(a, b);
	return x->time_ns < y->time_ns ? -1 : 1;
}

static int by_off(const void *key, const void *record)
{
	uint64_t off = *(const uint64_t *)key;
	uint64_t other = ((const struct pf_seal_record *)record)->off;
	return (off > other) - (off < other);
}

int pf_seal_order(struct pf_seal *s, uint64_t *ret_moved)
{
	size_t n = 0;
	*ret_moved = 0;
	for (size_t i = 0; i < s->n_records; i++)
		n += is_change(&s->records[i]);
	if (n == 0)
		return 0;
	pf_autofree struct pf_seal_record *places = calloc(n, sizeof(*places));
	pf_autofree struct pf_seal_record *order = calloc(n, sizeof(*order));
	pf_autofree size_t *at = calloc(n, sizeof(*at));
	if (!places || !order || !at)
		return -ENOMEM;
	n = 0;
	for (size_t i = 0; i < s->n_records; i++) {
		if (is_change(&s->records[i]))
			places[n++] = s->records[i];
	}
	memcpy(order, places, n * sizeof(*order));
	qsort(places, n, sizeof(*places), by_place);
	qsort(order, n, sizeof(*order), by_time);
	/* The places are looked up before any of them gets another record. */
	for (size_t i = 0; i < n; i++) {
		const struct pf_seal_record *place =
			bsearch(&places[i].off, s->records, s->n_records, sizeof(*places), by_off);
		at[i] = (size_t)(place - s->records);
	}
	for (size_t i = 0; i < n; i++) {
		*ret_moved += places[i].off != order[i].off;
		s->records[at[i]] = order[i];
	}
	return 0;
}

static int grow(uint32_t **array, size_t *cap, size_t need)
{
	size_t more = *cap ? *cap : 64;
	while (more < need)
		more *= 2;
	if (need <= *cap)
		return 0;
	uint32_t *p = reallocarray(*array, more, sizeof(*p));
	if (!p)
		return -ENOMEM;
	memset(p + *cap, 0, (more - *cap) * sizeof(*p));
	*array = p;
	*cap = more;
	return 0;
}

/* Does the instance stay in the change? @full: the last change that told all of the domain. Return: 1, 0, -ENOMEM. */
static int keeps(struct pf_seal_domains *d, const struct pf_pcp_indom *in, uint32_t full,
		 const struct pf_pcp_instance *inst)
{
	if (inst->id < 0) {
		d->lost++;
		return 0;
	}
	int64_t i = pf_pcp_check_find(&d->members, (uint64_t)in->indom << 32 | (uint32_t)inst->id);
	if (i < 0 || grow(&d->added, &d->cap_added, d->members.n) < 0)
		return -ENOMEM;
	uint32_t before = d->added[i];
	if (before == d->changes) {
		d->lost++;
		return 0;
	}
	if (inst->removed && (before == 0 || before < full))
		return 0;
	d->added[i] = inst->removed ? 0 : d->changes;
	return 1;
}

int pf_seal_indom(struct pf_seal *s, struct pf_seal_domains *d, uint64_t off, struct pf_view rec)
{
	struct pf_pcp_indom in;
	(void)pf_pcp_indom_decode(rec, &in, NULL); /* was checked */
	int64_t earliest_ns = s->label.start_ns - PF_SEAL_SLACK_NS;
	int64_t time_ns = in.time_ns < earliest_ns ? earliest_ns : in.time_ns;
	int64_t i = pf_pcp_check_find(&d->indoms, in.indom);
	if (i < 0 || grow(&d->full, &d->cap_full, d->indoms.n) < 0)
		return -ENOMEM;
	pf_autofree struct pf_pcp_instance *all = calloc(in.n ? in.n : 1, sizeof(*all));
	if (!all)
		return -ENOMEM;
	/* Of a state that is lost, what was added is all that is known. PCP's tools miss one, too, if it was told as empty. */
	bool whole = !in.delta || d->full[i] == 0;
	uint32_t n = 0;
	uint64_t lost = d->lost;
	d->changes++;
	for (uint32_t k = 0; k < in.n; k++) {
		all[n] = pf_pcp_indom_get(&in, k);
		int rc = keeps(d, &in, whole ? d->changes : d->full[i], &all[n]);
		if (rc < 0)
			return rc;
		n += (uint32_t)rc;
	}
	if (whole)
		d->full[i] = n > 0 ? d->changes : 0;
	if (n == 0 && in.delta) {
		d->mended += d->lost == lost; /* it changes nothing */
		return 0;
	}
	if (n == in.n && whole == !in.delta && time_ns == in.time_ns) {
		pf_patch_keep(&s->meta.patch, off, rec.n);
		return 0;
	}
	struct pf_buf b = { 0 };
	if (whole)
		pf_pcp_indom_encode(&b, s->label.version, time_ns, in.indom, all, n);
	else
		pf_pcp_delta_encode(&b, time_ns, in.indom, all, n);
	pf_patch_put(&s->meta.patch, b.p, b.n);
	int failed = b.failed;
	pf_buf_done(&b);
	d->mended += d->lost == lost;
	return failed;
}

void pf_seal_domains_done(struct pf_seal_domains *d)
{
	pf_pcp_check_table_done(&d->indoms);
	pf_pcp_check_table_done(&d->members);
	free(d->full);
	free(d->added);
	*d = (struct pf_seal_domains){ 0 };
}
