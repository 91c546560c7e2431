/* model/catalog.c - metrics by index, instances by slot. */
#include "model/catalog.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"

/* More than any /proc names; a hostile recording cannot make us allocate without end. */
enum { MAX_INSTANCES = 1 << 20 };

/* One in so many more than is expected may come before room is made anew. */
enum { EXPECT_MORE = 8 };

struct pf_catalog *pf_catalog_new(void)
{
	return calloc(1, sizeof(struct pf_catalog));
}

struct pf_catalog *pf_catalog_free(struct pf_catalog *cat)
{
	if (!cat)
		return NULL;
	for (unsigned d = 0; d < cat->n_domains; d++) {
		for (unsigned i = 0; i < cat->domains[d]->n; i++)
			pf_freep(&cat->domains[d]->instances[i].name);
		free(cat->domains[d]->instances);
		free(cat->domains[d]->by_id);
		free(cat->domains[d]->heads);
		free(cat->domains[d]->links);
		free(cat->domains[d]);
	}
	pf_arena_done(&cat->owned);
	free(cat->domains);
	free(cat->metric_domains);
	free(cat->metric_periods);
	free(cat->metric_sums);
	free(cat->hidden);
	free(cat->by_name);
	free(cat->by_pmid);
	free(cat->metrics);
	free(cat);
	return NULL;
}

static bool same_meaning(const struct pf_metric *a, const struct pf_metric *b)
{
	return strcmp(a->name, b->name) == 0 && a->pmid == b->pmid && a->type == b->type && a->indom == b->indom &&
	       a->sem == b->sem;
}

/* FNV-1a. */
static unsigned hash_name(struct pf_view name)
{
	uint32_t h = 2166136261;
	for (size_t i = 0; i < name.n; i++)
		h = (h ^ (unsigned char)name.p[i]) * 16777619;
	return h ^ h >> 15;
}

/* The place of the metric of that name, or the free one where it belongs. There are twice as many places as metrics. */
static unsigned *place_of_name(const struct pf_catalog *cat, struct pf_view name)
{
	unsigned mask = 2 * cat->cap_metrics - 1;
	unsigned at = hash_name(name) & mask;
	while (cat->by_name[at] != 0 && !pf_view_is(name, cat->metrics[cat->by_name[at] - 1]->name))
		at = (at + 1) & mask;
	return &cat->by_name[at];
}

static unsigned *place_of_pmid(const struct pf_catalog *cat, uint32_t pmid)
{
	unsigned mask = 2 * cat->cap_metrics - 1;
	unsigned at = (pmid * 2654435769U >> 12) & mask;
	while (cat->by_pmid[at] != 0 && cat->metrics[cat->by_pmid[at] - 1]->pmid != pmid)
		at = (at + 1) & mask;
	return &cat->by_pmid[at];
}

static void note_metric(struct pf_catalog *cat, unsigned metric)
{
	unsigned *name = place_of_name(cat, pf_view_of(cat->metrics[metric]->name));
	unsigned *pmid = place_of_pmid(cat, cat->metrics[metric]->pmid);
	*name = *name ? *name : metric + 1;
	*pmid = *pmid ? *pmid : metric + 1;
}

static int grow_places(struct pf_catalog *cat, unsigned cap)
{
	unsigned *by_name = calloc(cap, 2 * sizeof(*by_name));
	unsigned *by_pmid = calloc(cap, 2 * sizeof(*by_pmid));
	if (!by_name || !by_pmid) {
		free(by_name);
		free(by_pmid);
		return -ENOMEM;
	}
	free(cat->by_name);
	free(cat->by_pmid);
	cat->by_name = by_name;
	cat->by_pmid = by_pmid;
	cat->cap_metrics = cap;
	for (unsigned i = 0; i < cat->n_metrics; i++)
		note_metric(cat, i);
	return 0;
}

/* All of one name have one meaning. */
const struct pf_metric *pf_catalog_clash(const struct pf_catalog *cat, const struct pf_metric *row)
{
	if (cat->cap_metrics == 0)
		return NULL;
	const unsigned same[] = { *place_of_pmid(cat, row->pmid), *place_of_name(cat, pf_view_of(row->name)) };
	for (unsigned i = 0; i < PF_N(same); i++) {
		if (same[i] > 0 && !same_meaning(cat->metrics[same[i] - 1], row))
			return cat->metrics[same[i] - 1];
	}
	return NULL;
}

static int grow_metrics(struct pf_catalog *cat, unsigned need)
{
	if (need <= cat->cap_metrics)
		return 0;
	unsigned cap = cat->cap_metrics ? cat->cap_metrics * 2 : 128;
	while (cap < need)
		cap *= 2;
	const struct pf_metric **metrics = reallocarray(cat->metrics, cap, sizeof(*metrics));
	if (!metrics)
		return -ENOMEM;
	cat->metrics = metrics;
	unsigned *domains = reallocarray(cat->metric_domains, cap, sizeof(*domains));
	if (!domains)
		return -ENOMEM;
	cat->metric_domains = domains;
	uint8_t *periods = realloc(cat->metric_periods, cap);
	if (!periods)
		return -ENOMEM;
	cat->metric_periods = periods;
	unsigned *sums = reallocarray(cat->metric_sums, cap, sizeof(*sums));
	if (!sums)
		return -ENOMEM;
	cat->metric_sums = sums;
	bool *hidden = reallocarray(cat->hidden, cap, sizeof(*hidden));
	if (!hidden)
		return -ENOMEM;
	cat->hidden = hidden;
	return grow_places(cat, cap);
}

static int indom_index(struct pf_catalog *cat, uint32_t id)
{
	for (unsigned d = 0; d < cat->n_domains; d++) {
		if (cat->domains[d]->id == id)
			return (int)d;
	}
	struct pf_indom **domains = reallocarray(cat->domains, cat->n_domains + 1, sizeof(*domains));
	if (!domains)
		return -ENOMEM;
	cat->domains = domains;
	struct pf_indom *dom = calloc(1, sizeof(*dom));
	if (!dom)
		return -ENOMEM;
	dom->id = id;
	dom->keeps = cat->keeps_slots;
	domains[cat->n_domains] = dom;
	return (int)cat->n_domains++;
}

bool pf_catalog_names(const char *pattern, const char *name)
{
	size_t n = strlen(pattern);
	return fnmatch(pattern, name, 0) == 0 || (strncmp(name, pattern, n) == 0 && name[n] == '.');
}

static bool is_wanted(const struct pf_catalog *cat, const char *name)
{
	bool wanted = !cat->wanted;
	for (unsigned i = 0; !wanted && cat->wanted[i]; i++)
		wanted = pf_catalog_names(cat->wanted[i], name);
	return wanted;
}

int pf_catalog_add(struct pf_catalog *cat, const struct pf_metric *rows, unsigned n, unsigned *ret_base,
		   struct pf_err *err)
{
	if (n > PF_METRICS_MAX || cat->n_metrics > PF_METRICS_MAX - n)
		return pf_err_set(err, -EFBIG, "more than %d metrics", PF_METRICS_MAX);
	for (unsigned i = 0; i < n; i++) {
		const struct pf_metric *have = pf_catalog_clash(cat, &rows[i]);
		if (have)
			return pf_err_set(err, -EEXIST, "metric %s clashes with %s", rows[i].name, have->name);
	}

	int rc = grow_metrics(cat, cat->n_metrics + n);
	if (rc < 0)
		return pf_err_set(err, rc, "no memory for %u metrics", n);
	for (unsigned i = 0; i < n; i++) {
		unsigned domain = UINT32_MAX;
		if (rows[i].indom != PF_INDOM_NONE) {
			rc = indom_index(cat, rows[i].indom);
			if (rc < 0)
				return pf_err_set(err, rc, "no memory for %s", rows[i].name);
			domain = (unsigned)rc;
		}
		cat->metrics[cat->n_metrics + i] = &rows[i];
		cat->metric_domains[cat->n_metrics + i] = domain;
		cat->metric_periods[cat->n_metrics + i] = PF_EACH_INTERVAL;
		cat->metric_sums[cat->n_metrics + i] = UINT32_MAX;
		cat->hidden[cat->n_metrics + i] = !is_wanted(cat, rows[i].name);
	}
	*ret_base = cat->n_metrics;
	for (unsigned i = 0; i < n; i++)
		note_metric(cat, cat->n_metrics++);
	return 0;
}

int pf_catalog_find(const struct pf_catalog *cat, struct pf_view name)
{
	unsigned found = cat->n_metrics > 0 ? *place_of_name(cat, name) : 0;
	return found > 0 ? (int)found - 1 : -ENOENT;
}

struct pf_indom *pf_catalog_indom(struct pf_catalog *cat, uint32_t id)
{
	int d = indom_index(cat, id);
	return d < 0 ? NULL : cat->domains[d];
}

static bool has_name(const struct pf_instance *inst, struct pf_view name)
{
	return strncmp(inst->name, name.p, name.n) == 0 && inst->name[name.n] == '\0';
}

static unsigned *chain_of(struct pf_indom *dom, int32_t id)
{
	return &dom->by_id[(uint32_t)id % dom->n_by_id];
}

static void unlink_id(struct pf_indom *dom, unsigned slot)
{
	unsigned *link = dom->by_id ? chain_of(dom, dom->instances[slot].id) : NULL;
	while (link && *link != 0 && *link != slot + 1)
		link = &dom->instances[*link - 1].next;
	if (link && *link != 0)
		*link = dom->instances[slot].next;
}

static void link_id(struct pf_indom *dom, unsigned slot)
{
	unsigned *link = chain_of(dom, dom->instances[slot].id);
	dom->instances[slot].next = *link;
	*link = slot + 1;
}

/* As many chains as there can be instances. */
static int size_chains(struct pf_indom *dom)
{
	if (dom->by_id && dom->n_by_id >= dom->cap)
		return 0;
	unsigned n = dom->cap > 64 ? dom->cap : 64;
	unsigned *chains = calloc(n, sizeof(*chains));
	if (!chains)
		return -ENOMEM;
	free(dom->by_id);
	dom->by_id = chains;
	dom->n_by_id = n;
	for (unsigned slot = 0; slot < dom->n; slot++)
		link_id(dom, slot);
	return 0;
}

/* Remember which samples had instances. */
static void note_sample(struct pf_indom *dom, uint64_t seq)
{
	if (dom->last == seq)
		return;
	dom->before = dom->last;
	dom->last = seq;
}

static void see(struct pf_indom *dom, unsigned slot, uint64_t seq)
{
	struct pf_instance *inst = &dom->instances[slot];
	if (inst->seen < dom->before)
		dom->changed = seq; /* it is back */
	inst->seen = seq;
}

/* Names are kept as strings. */
static struct pf_view usable_name(struct pf_view name)
{
	if (name.n >= PF_NAME_MAX)
		name.n = PF_NAME_MAX - 1;
	const char *nul = memchr(name.p, '\0', name.n);
	return nul ? (struct pf_view){ name.p, (size_t)(nul - name.p) } : name;
}

/* Where the chain of the instances with that hash starts; FNV-1a. The domain has room. */
static unsigned *head_of(const struct pf_indom *dom, struct pf_view name)
{
	uint32_t hash = 2166136261U;
	for (size_t i = 0; i < name.n; i++)
		hash = (hash ^ (uint8_t)name.p[i]) * 16777619U;
	return &dom->heads[hash & (dom->cap - 1)];
}

static void link_slot(struct pf_indom *dom, unsigned slot)
{
	unsigned *head = head_of(dom, pf_view_of(dom->instances[slot].name));
	dom->links[slot] = *head;
	*head = slot + 1;
}

static void unlink_slot(struct pf_indom *dom, unsigned slot)
{
	unsigned *at = head_of(dom, pf_view_of(dom->instances[slot].name));
	while (*at != slot + 1)
		at = &dom->links[*at - 1];
	*at = dom->links[slot];
}

static unsigned find_slot(const struct pf_indom *dom, struct pf_view name)
{
	if (dom->n == 0)
		return 0;
	for (unsigned at = *head_of(dom, name); at > 0; at = dom->links[at - 1]) {
		if (has_name(&dom->instances[at - 1], name))
			return at - 1;
	}
	return dom->n;
}

/* Twice the room; always a power of two. */
static int grow_instances(struct pf_indom *dom)
{
	unsigned cap = dom->cap ? dom->cap * 2 : 8;
	if (cap > MAX_INSTANCES)
		return -ENOMEM;
	struct pf_instance *more = reallocarray(dom->instances, cap, sizeof(*more));
	if (!more)
		return -ENOMEM;
	dom->instances = more;
	unsigned *links = reallocarray(dom->links, cap, sizeof(*links));
	if (!links)
		return -ENOMEM;
	dom->links = links;
	unsigned *heads = calloc(cap, sizeof(*heads));
	if (!heads)
		return -ENOMEM;
	free(dom->heads);
	dom->heads = heads;
	dom->cap = cap;
	for (unsigned slot = 0; slot < dom->n; slot++)
		link_slot(dom, slot);
	return 0;
}

/* The first slot whose instance has been gone for at least one whole sample, else dom->n. Within one sample none becomes free,
 * so each search goes on where the last one ended. */
static unsigned free_slot(struct pf_indom *dom, uint64_t seq)
{
	unsigned slot = dom->full_seq == seq ? dom->full : 0;
	if (dom->keeps)
		return dom->n;
	while (slot < dom->n && dom->instances[slot].seen >= dom->before)
		slot++;
	dom->full_seq = seq;
	dom->full = slot;
	return slot;
}

static int add_instance(struct pf_indom *dom, struct pf_view name, int32_t id, uint64_t seq)
{
	char *copy = pf_view_dup(name);
	if (!copy)
		return -ENOMEM;

	unsigned slot = free_slot(dom, seq);
	if (slot == dom->n) {
		if (dom->n == dom->cap && grow_instances(dom) < 0) {
			free(copy);
			return -ENOMEM;
		}
		dom->n++;
	} else {
		dom->taken++;
		unlink_id(dom, slot);
		unlink_slot(dom, slot);
		pf_freep(&dom->instances[slot].name);
	}
	dom->instances[slot] =
		(struct pf_instance){ .name = copy, .id = id >= 0 ? id : dom->next_id, .seen = seq, .came = seq };
	link_slot(dom, slot);
	if (dom->instances[slot].id >= dom->next_id)
		dom->next_id = dom->instances[slot].id < INT32_MAX ? dom->instances[slot].id + 1 : 0;
	dom->changed = seq;
	return (int)slot;
}

void pf_indom_expect(struct pf_indom *dom, unsigned n)
{
	n += n / EXPECT_MORE;
	if (n <= MAX_INSTANCES && n > dom->expected)
		dom->expected = n;
}

/* dom->n if there is none. */
static unsigned find(const struct pf_indom *dom, struct pf_view name, unsigned hint)
{
	return hint < dom->n && has_name(&dom->instances[hint], name) ? hint : find_slot(dom, name);
}

int pf_indom_find(const struct pf_indom *dom, struct pf_view name, unsigned hint)
{
	unsigned slot = find(dom, usable_name(name), hint);
	return slot < dom->n ? (int)slot : -1;
}

int pf_indom_slot(struct pf_indom *dom, struct pf_view name, unsigned hint, int32_t id, uint64_t seq)
{
	name = usable_name(name);
	note_sample(dom, seq);
	unsigned slot = find(dom, name, hint);
	if (slot == dom->n)
		return add_instance(dom, name, id, seq);
	see(dom, slot, seq);
	return (int)slot;
}

void pf_indom_stays(struct pf_indom *dom, unsigned slot, uint64_t seq)
{
	note_sample(dom, seq);
	see(dom, slot, seq);
}

static int rename_instance(struct pf_indom *dom, unsigned slot, struct pf_view name, uint64_t seq)
{
	char *copy = pf_view_dup(name);
	if (!copy)
		return -ENOMEM;
	dom->taken++;
	unlink_slot(dom, slot);
	pf_freep(&dom->instances[slot].name);
	dom->instances[slot].name = copy;
	dom->instances[slot].role = 0;
	link_slot(dom, slot);
	dom->changed = seq;
	return 0;
}

int pf_indom_numbered(struct pf_indom *dom, int32_t id, uint64_t born, struct pf_view name, uint64_t seq)
{
	name = usable_name(name);
	note_sample(dom, seq);
	unsigned at = dom->by_id ? *chain_of(dom, id) : 0;
	while (at != 0 && (dom->instances[at - 1].id != id || dom->instances[at - 1].born != born))
		at = dom->instances[at - 1].next;
	if (at == 0) {
		int slot = add_instance(dom, name, id, seq);
		if (slot < 0)
			return slot;
		dom->instances[slot].born = born;
		unsigned before = dom->n_by_id;
		int rc = size_chains(dom);
		if (rc == 0 && dom->n_by_id == before)
			link_id(dom, (unsigned)slot);
		return rc < 0 ? rc : slot;
	}
	int rc = has_name(&dom->instances[at - 1], name) ? 0 : rename_instance(dom, at - 1, name, seq);
	if (rc < 0)
		return rc;
	see(dom, at - 1, seq);
	return (int)at - 1;
}

int pf_indom_find_numbered(const struct pf_indom *dom, int32_t id, uint64_t seq)
{
	unsigned at = dom->by_id ? dom->by_id[(uint32_t)id % dom->n_by_id] : 0;
	while (at != 0 && (dom->instances[at - 1].id != id || dom->instances[at - 1].seen != seq))
		at = dom->instances[at - 1].next;
	return at == 0 ? -ENOENT : (int)at - 1;
}
