/* sources/pmcdask.c - the conversation with a pmcd. Source: what pmcd 6.0.3 and its clients say to each other. A step is a row: how its questions are
 * listed, put and answered, and what is to be done when all are. */
#include "sources/pmcdask.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "formats/pcp/error.h"
#include "sources/pmcdpick.h"
#include "sources/pmcdsteps.h"

/* Questions on their way; messages in a row that answer nothing. */
enum { WINDOW = 64, UNASKED_MAX = 64 };

static const char *const host_names[] = { "pmcd.hostname", "pmcd.timezone", "pmcd.zoneinfo", "pmcd.pid",
					  "pmcd.seqnum" };

/* Names and numbers of one question. */
enum { NAMES_AT_ONCE = 60, DESCS_AT_ONCE = 1000 };

int pf_pmcd_todo(struct pf_pmcd_ask *a, uint64_t what)
{
	if (a->n_todo == a->cap_todo) {
		uint32_t cap = a->cap_todo ? a->cap_todo * 2 : 256;
		uint64_t *more = reallocarray(a->todo, cap, sizeof(*more));
		if (!more)
			return -ENOMEM;
		a->todo = more;
		a->cap_todo = cap;
	}
	a->todo[a->n_todo++] = what;
	return 0;
}

bool pf_pmcd_is_error(const struct pf_pdu *pdu, int32_t *ret_code)
{
	return pdu->type == PF_PDU_ERROR && pf_pdu_error(pdu, ret_code, NULL) == 0 && *ret_code < 0;
}

static int ask_hello(struct pf_pmcd_ask *a, uint32_t i)
{
	(void)a;
	return i == 0; /* it speaks first */
}

static int take_hello(struct pf_pmcd_ask *a, uint32_t i, const struct pf_pdu *pdu, struct pf_err *err)
{
	(void)i;
	struct pf_pdu_hello h;
	int rc = pf_pdu_hello(pdu, &h, err);
	if (rc < 0)
		return rc;
	if (h.code < 0)
		return pf_err_set(err, -EACCES, "it refuses: %s", pf_pcp_error_text(h.code));
	if (h.features & (PF_PDU_NEEDS_LOGIN | PF_PDU_NEEDS_CERTIFICATE))
		return pf_err_set(err, -EACCES, "it wants a login or a certificate, which are not available here");
	a->features = h.features;
	pf_pdu_put_creds(&a->link.out);
	pf_pdu_put_profile(&a->link.out, NULL, 0);
	pf_buf_clear(&a->told);
	pf_pdu_put_profile(&a->told, NULL, 0);
	return 0;
}

static int ask_host_names(struct pf_pmcd_ask *a, uint32_t i)
{
	struct pf_view names[PF_N(host_names)];
	for (unsigned k = 0; k < PF_N(host_names); k++)
		names[k] = pf_view_of(host_names[k]);
	if (i == 0)
		pf_pdu_put_names(&a->link.out, names, PF_N(host_names));
	return i == 0;
}

/* Numbers for each of @n names that were asked for. */
static int take_ids(const struct pf_pdu *pdu, unsigned n, struct pf_pdu_ids *ret_ids, struct pf_err *err)
{
	struct pf_pdu_ids ids;
	int rc = pf_pdu_ids(pdu, &ids, err);
	if (rc < 0)
		return rc;
	if (ids.n != n)
		return pf_err_set(err, -EBADMSG, "it answers with %u numbers to a question for %u", ids.n, n);
	*ret_ids = ids;
	return 0;
}

static int take_host_names(struct pf_pmcd_ask *a, uint32_t i, const struct pf_pdu *pdu, struct pf_err *err)
{
	(void)i;
	struct pf_pdu_ids ids = { 0 };
	int32_t code;
	int rc = pf_pmcd_is_error(pdu, &code) ? 0 : take_ids(pdu, PF_N(host_names), &ids, err);
	for (unsigned k = 0; k < PF_N(host_names); k++)
		a->host_pmids[k] = k < ids.n ? pf_pdu_ids_get(&ids, k) : UINT32_MAX;
	return rc;
}

static int ask_host_values(struct pf_pmcd_ask *a, uint32_t i)
{
	if (i == 0)
		pf_pdu_put_fetch(&a->link.out, a->features & PF_PDU_HAS_HIGHRES, a->host_pmids, PF_N(host_names));
	return i == 0;
}

static int take_host_values(struct pf_pmcd_ask *a, uint32_t i, const struct pf_pdu *pdu, struct pf_err *err)
{
	(void)i;
	struct pf_pcp_result r;
	struct pf_pcp_set set;
	int rc = pf_pdu_result(pdu, &r, err);
	if (rc < 0)
		return rc;
	a->time_ns = r.time_ns;
	char *const fields[] = { a->host, a->zone, a->place };
	for (unsigned k = 0; k < PF_N(host_names) && pf_pcp_result_next(&r, &set, NULL) == 1; k++) {
		struct pf_pcp_value v;
		uint64_t number;
		if (set.n < 1 || pf_pcp_set_get(&set, 0, &v, NULL) < 0)
			continue;
		if (k >= PF_N(fields)) {
			if (pf_pcp_value_u64(&v, k == PF_N(fields) ? PF_U64 : PF_U32, &number) != 0)
				continue;
			if (k == PF_N(fields))
				a->pid = number;
			else
				a->seqnum = (uint32_t)number;
			continue;
		}
		if (v.type != PF_STRING)
			continue;
		struct pf_view text = pf_pcp_value_text(&v);
		size_t n = text.n < sizeof(a->host) ? text.n : sizeof(a->host) - 1;
		memcpy(fields[k], text.p, n);
		fields[k][n] = '\0';
	}
	return 0;
}

static int ask_traverse(struct pf_pmcd_ask *a, uint32_t i)
{
	if (!a->roots || !a->roots[i])
		return 0;
	pf_pdu_put_traverse(&a->link.out, pf_view_of(a->roots[i]));
	return 1;
}

/* A pattern, or what stands above in the name space. */
static bool is_wanted(const struct pf_pmcd_ask *a, const char *name)
{
	for (unsigned i = 0; a->patterns && a->patterns[i]; i++) {
		size_t n = strlen(a->patterns[i]);
		if (fnmatch(a->patterns[i], name, 0) == 0 || (strncmp(name, a->patterns[i], n) == 0 && name[n] == '.'))
			return true;
	}
	return false;
}

static int take_traverse(struct pf_pmcd_ask *a, uint32_t i, const struct pf_pdu *pdu, struct pf_err *err)
{
	(void)i;
	struct pf_pdu_names names = { 0 };
	struct pf_view name;
	int32_t code;
	char text[PF_PMCD_NAME_MAX + 1];
	int rc = pf_pmcd_is_error(pdu, &code) ? 0 : pf_pdu_names(pdu, &names, err);
	while (rc == 0 && pf_pdu_names_next(&names, &name)) {
		if (name.n >= sizeof(text))
			continue;
		memcpy(text, name.p, name.n);
		text[name.n] = '\0';
		if (is_wanted(a, text))
			rc = pf_pmcd_ask_add(a, name);
	}
	return rc;
}

static int begin_names(struct pf_pmcd_ask *a)
{
	for (unsigned i = 0; i < a->n_metrics; i++)
		a->metrics[i].now = (struct pf_pcp_metric){ .name = a->metrics[i].is.name, .pmid = UINT32_MAX };
	return 0;
}

static int ask_names(struct pf_pmcd_ask *a, uint32_t i)
{
	struct pf_view names[NAMES_AT_ONCE];
	unsigned n = 0;
	for (unsigned k = i * NAMES_AT_ONCE; k < a->n_metrics && n < NAMES_AT_ONCE; k++)
		names[n++] = pf_view_of(a->metrics[k].is.name);
	if (n > 0)
		pf_pdu_put_names(&a->link.out, names, n);
	return n > 0;
}

static int take_names(struct pf_pmcd_ask *a, uint32_t i, const struct pf_pdu *pdu, struct pf_err *err)
{
	struct pf_pdu_ids ids = { 0 };
	int32_t code;
	unsigned first = i * NAMES_AT_ONCE;
	unsigned n = a->n_metrics - first < NAMES_AT_ONCE ? a->n_metrics - first : NAMES_AT_ONCE;
	int rc = pf_pmcd_is_error(pdu, &code) ? 0 : take_ids(pdu, n, &ids, err);
	for (unsigned k = 0; k < ids.n; k++)
		a->metrics[first + k].now.pmid = pf_pdu_ids_get(&ids, k);
	return rc;
}

static int begin_descs(struct pf_pmcd_ask *a)
{
	int rc = 0;
	for (unsigned i = 0; i < a->n_metrics && rc == 0; i++) {
		if (a->metrics[i].now.pmid != UINT32_MAX)
			rc = pf_pmcd_todo(a, i);
	}
	return rc;
}

static unsigned descs_at_once(const struct pf_pmcd_ask *a)
{
	return a->features & PF_PDU_HAS_DESCS ? DESCS_AT_ONCE : 1;
}

static int ask_descs(struct pf_pmcd_ask *a, uint32_t i)
{
	uint32_t pmids[DESCS_AT_ONCE];
	unsigned n = 0;
	unsigned most = descs_at_once(a);
	for (unsigned k = i * most; k < a->n_todo && n < most; k++)
		pmids[n++] = a->metrics[a->todo[k]].now.pmid;
	if (n > 0 && most == 1)
		pf_pdu_put_desc(&a->link.out, pmids[0]);
	else if (n > 0)
		pf_pdu_put_descs(&a->link.out, pmids, n);
	return n > 0;
}

static int take_descs(struct pf_pmcd_ask *a, uint32_t i, const struct pf_pdu *pdu, struct pf_err *err)
{
	struct pf_pdu_descs descs = { 0 };
	struct pf_pcp_desc d;
	int32_t code;
	unsigned most = descs_at_once(a);
	int rc = pf_pmcd_is_error(pdu, &code) ? 0 : pf_pdu_descs(pdu, &descs, err);
	for (unsigned k = i * most; rc == 0 && k < a->n_todo && k < (i + 1) * most; k++) {
		struct pf_pcp_metric *now = &a->metrics[a->todo[k]].now;
		if (!pf_pdu_descs_next(&descs, &d) || d.pmid == UINT32_MAX) {
			now->pmid = UINT32_MAX; /* it has none */
			continue;
		}
		if (d.pmid != now->pmid)
			return pf_err_set(err, -EBADMSG, "it describes another metric than it was asked for");
		now->indom = d.indom;
		now->type = d.type;
		now->sem = d.sem;
		now->units = d.units;
	}
	return rc;
}

int pf_pmcd_ask_domain(struct pf_pmcd_ask *a, uint32_t indom)
{
	for (unsigned d = 0; d < a->n_domains; d++) {
		if (a->domains[d].is.indom == indom)
			return (int)d;
	}
	struct pf_pmcd_domain *more = reallocarray(a->domains, a->n_domains + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	a->domains = more;
	more[a->n_domains] = (struct pf_pmcd_domain){ .is = { .indom = indom }, .stale = true };
	return (int)a->n_domains++;
}

/* Whoever is asked may have been somebody else before. */
static int end_descs(struct pf_pmcd_ask *a, struct pf_err *err)
{
	int rc = a->described(a->arg, err);
	if (rc < 0)
		return rc;
	rc = pf_pmcd_pick_list(a);
	if (rc < 0)
		return pf_err_set(err, rc, "no memory for %u metrics", a->n_metrics);
	for (unsigned d = 0; d < a->n_domains; d++)
		a->domains[d].stale = true;
	return 0;
}

static int ask_fetch(struct pf_pmcd_ask *a, uint32_t i)
{
	if (i > 0)
		return 0;
	if (a->profile.n != a->told.n || memcmp(a->profile.p, a->told.p, a->told.n) != 0) {
		pf_buf_view(&a->link.out, pf_buf_text(&a->profile));
		pf_buf_clear(&a->told);
		pf_buf_view(&a->told, pf_buf_text(&a->profile));
	}
	pf_pdu_put_fetch(&a->link.out, a->features & PF_PDU_HAS_HIGHRES, a->pmids, a->n_fetched);
	return 1;
}

/* An instance that is new, or that was away and may be another one by now, makes its domain stale. */
static void look_at_instances(const struct pf_pmcd_ask *a, const struct pf_pcp_set *set, struct pf_pmcd_domain *dom)
{
	unsigned hint = 0;
	for (uint32_t i = 0; i < (uint32_t)set->n && !dom->stale; i++) {
		struct pf_pcp_value v;
		if (pf_pcp_set_get(set, i, &v, NULL) < 0)
			return; /* was checked; cannot be */
		const struct pf_pcp_member *m = pf_pcp_domain_find(&dom->is, v.inst, &hint);
		dom->stale = !m || (m->seen > 0 && m->seen < dom->last && dom->last == a->seq);
	}
}

static int take_fetch(struct pf_pmcd_ask *a, uint32_t i, const struct pf_pdu *pdu, struct pf_err *err)
{
	(void)i;
	int32_t code;
	if (pf_pmcd_is_error(pdu, &code))
		return pf_err_set(err, -EPROTO, "it gives no values: %s", pf_pcp_error_text(code));
	pf_buf_clear(&a->bytes);
	pf_buf_view(&a->bytes, pdu->bytes);
	if (a->bytes.failed)
		return pf_err_set(err, -ENOMEM, "no memory for an answer");
	const struct pf_pdu copy = { pdu->type, pf_buf_text(&a->bytes) };
	int rc = pf_pdu_result(&copy, &a->result, err);
	if (rc < 0)
		return rc;
	if (a->result.n != a->n_fetched)
		return pf_err_set(err, -EBADMSG, "it answers with %u metrics to a question for %u", a->result.n,
				  a->n_fetched);
	struct pf_pcp_result r = a->result;
	struct pf_pcp_set set;
	for (unsigned k = 0; pf_pcp_result_next(&r, &set, NULL) == 1; k++) {
		if (set.pmid != a->pmids[k])
			return pf_err_set(err, -EBADMSG, "it answers with another metric than it was asked for");
		if (set.n > PF_PMCD_INSTANCES_MAX)
			return pf_err_set(err, -EBADMSG, "it gives %d values of one metric", set.n);
		unsigned d = a->metrics[a->fetched[k]].now.domain;
		if (set.n > 0 && d < a->n_domains) {
			pf_pmcd_pick_watch(a, a->fetched[k], &set, &a->domains[d]);
			look_at_instances(a, &set, &a->domains[d]);
		}
	}
	return 0;
}

static int begin_instances(struct pf_pmcd_ask *a)
{
	int rc = 0;
	for (unsigned d = 0; d < a->n_domains && rc == 0; d++) {
		if (a->domains[d].stale)
			rc = pf_pmcd_todo(a, d);
	}
	return rc;
}

static int ask_instances(struct pf_pmcd_ask *a, uint32_t i)
{
	if (i < a->n_todo)
		pf_pdu_put_instances(&a->link.out, a->domains[a->todo[i]].is.indom);
	return i < a->n_todo;
}

static int by_id(const void *a, const void *b)
{
	const struct pf_pcp_instance *x = a;
	const struct pf_pcp_instance *y = b;
	return (x->id > y->id) - (x->id < y->id);
}

/* In order of their numbers, so that each finds its place at once. */
static int replace_instances(struct pf_pcp_domain *dom, struct pf_pcp_instance *list, int32_t *ids,
			     struct pf_pdu_instances in)
{
	uint32_t n = 0;
	while (pf_pdu_instances_next(&in, &list[n]))
		n++;
	if (n > 0)
		qsort(list, n, sizeof(*list), by_id);
	for (uint32_t i = 0; i < n; i++)
		ids[i] = list[i].id;
	pf_pcp_domain_keep(dom, ids, n);
	int rc = 0;
	for (uint32_t i = 0; i < n && rc == 0; i++)
		rc = list[i].name.n > 0 ? pf_pcp_domain_add(dom, list[i].id, list[i].name) : 0;
	return rc;
}

/* Instances of all domains together stay few enough to be held. */
static int check_room(const struct pf_pmcd_ask *a, struct pf_pmcd_domain *dom, uint32_t n, size_t bytes,
		      struct pf_err *err)
{
	size_t all = n, all_bytes = bytes;
	for (unsigned d = 0; d < a->n_domains; d++) {
		if (&a->domains[d] == dom)
			continue;
		all += a->domains[d].is.n;
		all_bytes += a->domains[d].bytes;
	}
	if (all > PF_PMCD_INSTANCES_MAX || all_bytes > PF_PMCD_INSTANCES_BYTES)
		return pf_err_set(err, -EBADMSG, "it tells of %zu instances in %zu bytes", all, all_bytes);
	dom->bytes = bytes;
	return 0;
}

static int take_instances(struct pf_pmcd_ask *a, uint32_t i, const struct pf_pdu *pdu, struct pf_err *err)
{
	struct pf_pmcd_domain *dom = &a->domains[a->todo[i]];
	struct pf_pdu_instances in;
	int32_t code;
	dom->stale = false;
	if (pf_pmcd_is_error(pdu, &code))
		return 0; /* those that are known stay, others go by their numbers */
	int rc = pf_pdu_instances(pdu, &in, err);
	if (rc < 0)
		return rc;
	if (in.indom != dom->is.indom)
		return pf_err_set(err, -EBADMSG, "it tells instances of another domain than it was asked for");
	rc = check_room(a, dom, in.n, pdu->bytes.n, err);
	if (rc < 0)
		return rc;
	struct pf_pcp_instance *list = calloc(in.n + (size_t)1, sizeof(*list));
	int32_t *ids = calloc(in.n + (size_t)1, sizeof(*ids));
	rc = list && ids ? replace_instances(&dom->is, list, ids, in) : -ENOMEM;
	free(list);
	free(ids);
	return rc < 0 ? pf_err_set(err, rc, "no memory for instances") : 0;
}

/* An instance that has values but no name is called by its number from now on, lest its domain be asked for again and again. */
static int name_nameless(struct pf_pmcd_domain *dom, const struct pf_pcp_set *set)
{
	unsigned hint = 0;
	int rc = 0;
	for (uint32_t i = 0; i < (uint32_t)set->n && rc == 0; i++) {
		struct pf_pcp_value v;
		if (pf_pcp_set_get(set, i, &v, NULL) < 0 || pf_pcp_domain_find(&dom->is, v.inst, &hint))
			continue;
		struct pf_buf name = { 0 };
		pf_buf_fmt(&name, "?%d", v.inst);
		rc = name.failed ? name.failed : pf_pcp_domain_add(&dom->is, v.inst, pf_buf_text(&name));
		pf_buf_done(&name);
	}
	return rc;
}

static int end_instances(struct pf_pmcd_ask *a, struct pf_err *err)
{
	struct pf_pcp_result r = a->result;
	struct pf_pcp_set set;
	int rc = 0;
	for (unsigned k = 0; a->n_todo > 0 && rc == 0 && pf_pcp_result_next(&r, &set, NULL) == 1; k++) {
		unsigned d = a->metrics[a->fetched[k]].now.domain;
		if (set.n > 0 && d < a->n_domains)
			rc = name_nameless(&a->domains[d], &set);
	}
	return rc < 0 ? pf_err_set(err, rc, "no memory for instances") : 0;
}

static const struct step {
	int (*begin)(struct pf_pmcd_ask *a);
	int (*ask)(struct pf_pmcd_ask *a, uint32_t i);
	int (*take)(struct pf_pmcd_ask *a, uint32_t i, const struct pf_pdu *pdu, struct pf_err *err);
	int (*end)(struct pf_pmcd_ask *a, struct pf_err *err);
} steps[] = {
	[PF_PMCD_HELLO] = { NULL, ask_hello, take_hello, NULL },
	[PF_PMCD_HOST_NAMES] = { NULL, ask_host_names, take_host_names, NULL },
	[PF_PMCD_HOST_VALUES] = { NULL, ask_host_values, take_host_values, NULL },
	[PF_PMCD_TRAVERSE] = { NULL, ask_traverse, take_traverse, NULL },
	[PF_PMCD_NAMES] = { begin_names, ask_names, take_names, NULL },
	[PF_PMCD_DESCS] = { begin_descs, ask_descs, take_descs, end_descs },
	[PF_PMCD_TEXTS] = { pf_pmcd_texts_begin, pf_pmcd_texts_ask, pf_pmcd_texts_take, NULL },
	[PF_PMCD_LABELS] = { pf_pmcd_labels_begin, pf_pmcd_labels_ask, pf_pmcd_labels_take, NULL },
	[PF_PMCD_FETCH] = { NULL, ask_fetch, take_fetch, NULL },
	[PF_PMCD_INSTANCES] = { begin_instances, ask_instances, take_instances, end_instances },
};

void pf_pmcd_ask_from(struct pf_pmcd_ask *a, enum pf_pmcd_step step)
{
	a->step = step;
	a->sent = a->got = 0;
	a->n_todo = 0;
	a->unasked = 0;
}

/* Put questions while there is room on the way. Return: 0 or -ENOMEM. */
static int put_questions(struct pf_pmcd_ask *a, bool *ret_all)
{
	const struct step *s = &steps[a->step];
	int rc = a->sent == 0 && s->begin && a->n_todo == 0 ? s->begin(a) : 0;
	bool more = true;
	while (rc == 0 && a->sent - a->got < WINDOW && more) {
		more = s->ask(a, a->sent) != 0;
		a->sent += more;
	}
	*ret_all = !more;
	return rc;
}

/* Return: 1 the answer that is next, taken in; 0 there was none until then; negative errno. */
static int take_answer(struct pf_pmcd_ask *a, int64_t until_ns, struct pf_err *err)
{
	struct pf_pdu pdu;
	int32_t code;
	int rc = pf_pmcd_link_next(&a->link, until_ns, &pdu, err);
	if (rc <= 0)
		return rc;
	bool news = a->step != PF_PMCD_HELLO && pdu.type == PF_PDU_ERROR && pf_pdu_error(&pdu, &code, NULL) == 0 &&
		    code >= 0;
	if (!news) {
		a->unasked = 0;
		rc = steps[a->step].take(a, a->got, &pdu, err);
		a->got++;
		return rc < 0 ? rc : 1;
	}
	a->changes |= (uint32_t)code;
	return ++a->unasked <= UNASKED_MAX ? 1 : pf_err_set(err, -EBADMSG, "it talks without being asked");
}

int pf_pmcd_ask_until(struct pf_pmcd_ask *a, enum pf_pmcd_step step, int64_t until_ns, struct pf_err *err)
{
	while (a->step != step) {
		bool all;
		int rc = put_questions(a, &all);
		if (rc < 0)
			return pf_err_set(err, rc, "no memory for a question");
		if (!all || a->got < a->sent) {
			rc = take_answer(a, until_ns, err);
			if (rc <= 0)
				return rc;
			continue;
		}
		a->link.waits = false;
		rc = steps[a->step].end ? steps[a->step].end(a, err) : 0;
		if (rc < 0)
			return rc;
		pf_pmcd_ask_from(a, a->step + 1);
	}
	return 1;
}

void pf_pmcd_ask_done(struct pf_pmcd_ask *a)
{
	pf_pmcd_link_done(&a->link);
	for (unsigned i = 0; i < a->n_metrics; i++)
		free(a->metrics[i].name);
	free(a->metrics);
	for (unsigned d = 0; d < a->n_domains; d++)
		pf_pcp_domain_done(&a->domains[d].is);
	free(a->domains);
	for (size_t i = 0; i < a->n_notes; i++)
		free(a->notes[i].bytes);
	free(a->notes);
	free(a->names);
	free(a->todo);
	free(a->pmids);
	free(a->rows);
	pf_buf_done(&a->profile);
	pf_buf_done(&a->told);
	free(a->fetched);
	pf_buf_done(&a->bytes);
}
