/* formats/pcp/lacks.c - values without a description, and without the name of their instance. */
#include "formats/pcp/lacks.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/time.h"

static int count(struct pf_pcp_lack *lack, uint32_t pmid)
{
	int64_t i = pf_pcp_check_find(&lack->pmids, pmid);
	return i < 0 ? (int)i : 0;
}

static uint32_t nameless(struct pf_pcp_meta *meta, const struct pf_pcp_metric *m, const struct pf_pcp_set *set)
{
	uint32_t n = 0;
	unsigned hint = 0;
	for (uint32_t i = 0; i < (uint32_t)set->n; i++) {
		struct pf_pcp_value v;
		(void)pf_pcp_set_get(set, i, &v, NULL); /* was checked */
		n += pf_pcp_meta_member(meta, m->domain, v.inst, &hint) == NULL;
	}
	return n;
}

static int look(struct pf_pcp_lacks *l, struct pf_pcp_meta *meta, struct pf_pcp_result result,
		struct pf_pcp_lacking *ret)
{
	struct pf_pcp_set set;
	int rc = 0;
	ret->undescribed = ret->unnamed = 0;
	while (rc == 0 && pf_pcp_result_next(&result, &set, NULL) == 1) {
		if (set.n <= 0)
			continue;
		const struct pf_pcp_metric *m = pf_pcp_meta_metric(meta, set.pmid);
		uint32_t n = m && m->indom != PF_INDOM_NONE ? nameless(meta, m, &set) : 0;
		if (n > 0)
			rc = count(&l->unnamed, set.pmid);
		else if (!m)
			rc = count(&l->undescribed, set.pmid);
		ret->unnamed += n;
		ret->undescribed += m ? 0 : (uint32_t)set.n;
	}
	return rc;
}

static void add(struct pf_pcp_lack *lack, uint32_t n, int64_t time_ns)
{
	if (n == 0)
		return;
	if (lack->values == 0)
		lack->from_ns = time_ns;
	lack->values += n;
	lack->until_ns = time_ns;
}

int pf_pcp_lacks_add(struct pf_pcp_lacks *l, struct pf_pcp_meta *meta, const struct pf_pcp_result *result)
{
	struct pf_pcp_lacking own;
	struct pf_pcp_lacking *known = result->shape ? &l->shapes[result->shape->index] : &own;
	if (!result->shape || known->serial != result->shape->serial || known->place != meta->next_place) {
		int rc = look(l, meta, *result, known);
		if (rc < 0)
			return rc;
		known->serial = result->shape ? result->shape->serial : 0;
		known->place = meta->next_place;
	}
	add(&l->undescribed, known->undescribed, result->time_ns);
	add(&l->unnamed, known->unnamed, result->time_ns);
	return 0;
}

void pf_pcp_lacks_done(struct pf_pcp_lacks *l)
{
	pf_pcp_check_table_done(&l->undescribed.pmids);
	pf_pcp_check_table_done(&l->unnamed.pmids);
	*l = (struct pf_pcp_lacks){ 0 };
}

static void put_time(char *to, size_t size, int64_t time_ns)
{
	struct tm tm = pf_time_utc(time_ns);
	if (strftime(to, size, "%F %T", &tm) == 0)
		to[0] = '\0';
}

void pf_pcp_lack_tell(struct pf_pcp_lack *lack, const char *file, const char *what, const char *advice,
		      struct pf_err *ret)
{
	char from[32];
	char until[32];
	put_time(from, sizeof(from), lack->from_ns);
	put_time(until, sizeof(until), lack->until_ns);
	bool one = lack->values == 1;
	bool once = strcmp(from, until) == 0;
	(void)pf_err_set(ret, -EBADMSG, "%s: %llu value%s of %u metric%s %s %s, %s %s%s%s UTC; %s", file,
			 (unsigned long long)lack->values, one ? "" : "s", lack->pmids.n, lack->pmids.n == 1 ? "" : "s",
			 one ? "is" : "are", what, once ? "at" : "from", from, once ? "" : " until ", once ? "" : until,
			 advice);
	lack->values = 0;
}
