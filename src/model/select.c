/* model/select.c - which instances are wanted, which count; and the sums over those. */
#include "model/select.h"

#include <fnmatch.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"

/* The first group with a metric of that domain. */
static const struct pf_group *owner_of(const struct pf_select *select, uint32_t indom)
{
	for (unsigned g = 0; select->groups && select->groups[g]; g++) {
		for (unsigned m = 0; m < select->groups[g]->n_metrics; m++) {
			if (select->groups[g]->metrics[m].indom == indom)
				return select->groups[g];
		}
	}
	return NULL;
}

const struct pf_instance_filter *pf_select_filter(const struct pf_catalog *cat, struct pf_indom *dom)
{
	if (!cat->select || !(cat->select->filters || cat->select->archive))
		return NULL;
	if (dom->id == PF_INDOM_CPU)
		return pf_filter_find(cat->select->filters, 'c');
	if (!dom->group)
		dom->group = owner_of(cat->select, dom->id);
	return dom->group ? pf_filter_find(cat->select->filters, dom->group->letters[0]) : NULL;
}

/* Texts beside the name that a filter of the group looks at: catalog indexes of two metrics, 0 each where there is none. */
static void texts_of(const struct pf_catalog *cat, const struct pf_group *g, const struct pf_indom *dom,
		     unsigned ret_metrics[2])
{
	ret_metrics[0] = ret_metrics[1] = UINT32_MAX;
	for (unsigned i = 0; i < g->n_layouts; i++) {
		const struct pf_layout *l = &g->layouts[i];
		if (!l->about[0] || !l->rows || g->metrics[l->rows - 1].indom != dom->id)
			continue;
		for (unsigned k = 0; k < 2; k++) {
			int at = l->about[k] ? pf_catalog_find(cat, pf_view_of(g->metrics[l->about[k] - 1].name)) : -1;
			ret_metrics[k] = at < 0 ? UINT32_MAX : (unsigned)at;
		}
		return;
	}
}

/* The filter looks at the name and at the texts that go with it: "24: IO-APIC 5-edge ACPI:Ged". */
static bool keeps_text(const struct pf_instance_filter *filter, const struct pf_sample *sample, const unsigned about[2],
		       unsigned slot, struct pf_view name)
{
	struct pf_buf text = { 0 };
	pf_buf_view(&text, name);
	pf_buf_char(&text, ':');
	for (unsigned i = 0; i < 2; i++) {
		if (about[i] == UINT32_MAX || !pf_sample_has(sample, about[i], slot))
			continue;
		pf_buf_char(&text, ' ');
		pf_buf_str(&text, pf_sample_get(sample, about[i], slot).s);
	}
	bool kept = pf_filter_keeps(filter, pf_buf_text(&text));
	pf_buf_done(&text);
	return kept;
}

/* Instances named ROW::KEY are wanted if ROW is, which has a domain of its own. */
static int row_of(const struct pf_catalog *cat, const struct pf_group *g, const struct pf_indom *dom,
		  struct pf_view name, struct pf_indom **ret_rows)
{
	const char *tail = memmem(name.p, name.n, "::", 2);
	for (unsigned i = 0; tail && i < g->n_layouts; i++) {
		const struct pf_layout *l = &g->layouts[i];
		if (!l->about[0] || !l->rows || g->metrics[l->rows - 1].indom == dom->id)
			continue;
		int metric = pf_catalog_find(cat, pf_view_of(g->metrics[l->rows - 1].name));
		*ret_rows = metric < 0 ? NULL : pf_catalog_domain_of(cat, (unsigned)metric);
		if (*ret_rows)
			return pf_indom_find(*ret_rows, (struct pf_view){ name.p, (size_t)(tail - name.p) }, 0);
	}
	return -1;
}

static bool is_chosen(const char *const *patterns, const char *name)
{
	unsigned i = 0;
	while (patterns[i] && fnmatch(patterns[i], name, 0) != 0)
		i++;
	return patterns[i] != NULL;
}

bool pf_select_names(const struct pf_catalog *cat, const char *name)
{
	return !cat->instances || is_chosen(cat->instances, name);
}

static bool is_kept(const struct pf_catalog *cat, struct pf_indom *dom, unsigned slot, const struct pf_sample *sample,
		    const struct pf_instance_filter *filter)
{
	struct pf_view name = pf_view_of(dom->instances[slot].name);
	if (!pf_select_names(cat, dom->instances[slot].name))
		return false;
	const char *cpu = memmem(name.p, name.n, "::cpu", 5);
	const struct pf_instance_filter *cpus = cpu && cat->select ? pf_filter_find(cat->select->filters, 'c') : NULL;
	if (cpus && !pf_filter_keeps(cpus, pf_view_of(cpu + 2)))
		return false;
	if (!filter)
		return true;
	const struct pf_group *g = dom->group;
	if (!g || dom->id == PF_INDOM_CPU || !sample)
		return pf_filter_keeps(filter, name);
	struct pf_indom *rows = NULL;
	int row = row_of(cat, g, dom, name, &rows);
	if (row >= 0)
		return pf_select_role(cat, g, rows, (unsigned)row, sample) & PF_ROLE_KEPT;
	unsigned about[2];
	texts_of(cat, g, dom, about);
	return about[0] == UINT32_MAX ? pf_filter_keeps(filter, name) : keeps_text(filter, sample, about, slot, name);
}

/* @name: by which it is judged what the instance is. */
static unsigned judge(const struct pf_catalog *cat, const struct pf_group *group, struct pf_indom *dom, unsigned slot,
		      const struct pf_sample *sample, struct pf_view name)
{
	const struct pf_instance_filter *filter = pf_select_filter(cat, dom);
	if (!group)
		group = dom->group;
	bool peer = cat->select && cat->select->peer;
	unsigned role = PF_ROLE_JUDGED;
	struct pf_judged judged = { .name = name, .peer = peer };
	judged.filtered = filter && (peer || !pf_filter_negates(filter));
	if (!peer && cat->device.look && group && group->in_summary)
		judged.device = cat->device.look(cat->device.arg, dom->id, name);
	bool recorded =
		!group || !group->in_archive || !cat->select || !cat->select->archive || group->in_archive(&judged);
	if (recorded && is_kept(cat, dom, slot, sample, filter))
		role |= PF_ROLE_KEPT;
	if (!group || !group->in_detail || group->in_detail(name, peer))
		role |= PF_ROLE_USUAL;
	if ((role & PF_ROLE_KEPT) && (!group || !group->in_summary || group->in_summary(&judged)))
		role |= PF_ROLE_COUNTED;
	dom->instances[slot].role = (uint8_t)(role | (dom->instances[slot].role & PF_ROLE_OFFLINE));
	return role;
}

unsigned pf_select_role(const struct pf_catalog *cat, const struct pf_group *group, struct pf_indom *dom, unsigned slot,
			const struct pf_sample *sample)
{
	const struct pf_instance *inst = &dom->instances[slot];
	return inst->role & PF_ROLE_JUDGED ? inst->role : judge(cat, group, dom, slot, sample, pf_view_of(inst->name));
}

void pf_select_renamed(const struct pf_catalog *cat, const struct pf_group *group, struct pf_indom *dom, unsigned slot,
		       struct pf_view name)
{
	const struct pf_instance *inst = &dom->instances[slot];
	bool peer = cat->select && cat->select->peer;
	if (!(inst->role & PF_ROLE_JUDGED))
		(void)judge(cat, group, dom, slot, NULL, peer ? pf_view_of(inst->name) : name);
}

/* One sum; left out where an instance that counts lacks the value. */
static void sum_up(struct pf_builder *b, struct pf_indom *dom, unsigned all, unsigned each)
{
	uint64_t sum = 0;
	unsigned n = 0;
	for (unsigned slot = 0; slot < dom->n; slot++) {
		const struct pf_instance *inst = &dom->instances[slot];
		if (inst->seen != b->sample->seq || !(inst->role & PF_ROLE_COUNTED))
			continue;
		if (!pf_sample_has(b->sample, b->base + each, slot))
			return;
		sum += pf_sample_get(b->sample, b->base + each, slot).u;
		n++;
	}
	if (n > 0)
		pf_builder_u64(b, all, 0, sum);
}

bool pf_select_makes(const struct pf_catalog *cat, const struct pf_group *group, const struct pf_sums *sums)
{
	if (!sums->filtered)
		return true;
	const struct pf_select *select = cat->select;
	bool cpus = group->metrics[sums->each].indom == PF_INDOM_CPU;
	return select && !select->peer && pf_filter_find(select->filters, cpus ? 'c' : group->letters[0]);
}

void pf_select_sums(const struct pf_group *group, struct pf_builder *b)
{
	if (group->n_sums == 0 && group->settle)
		group->settle(b);
	if (group->n_sums == 0 || !pf_select_makes(b->catalog, group, &group->sums[0]))
		return;
	struct pf_indom *dom = pf_catalog_domain_of(b->catalog, b->base + group->sums[0].each);
	if (!dom || dom->last != b->sample->seq)
		return;
	for (unsigned slot = 0; slot < dom->n; slot++) {
		if (dom->instances[slot].seen == b->sample->seq)
			(void)pf_select_role(b->catalog, group, dom, slot, NULL);
	}
	if (group->settle)
		group->settle(b);
	unsigned n = 0;
	for (unsigned slot = 0; slot < dom->n; slot++)
		n += dom->instances[slot].seen == b->sample->seq && (dom->instances[slot].role & PF_ROLE_COUNTED);
	if (group->counts)
		pf_builder_u64(b, group->counts - 1U, 0, n);
	for (unsigned i = 0; i < group->n_sums; i++) {
		for (unsigned k = 0; k < group->sums[i].n; k++)
			sum_up(b, dom, group->sums[i].all + k, group->sums[i].each + k);
	}
}

bool pf_select_count(const struct pf_catalog *cat, char letter, const struct pf_sample *sample, unsigned *ret_kept,
		     unsigned *ret_all)
{
	*ret_kept = *ret_all = 0;
	for (unsigned d = 0; d < cat->n_domains; d++) {
		struct pf_indom *dom = cat->domains[d];
		const struct pf_instance_filter *filter = pf_select_filter(cat, dom);
		if (!filter || filter != pf_filter_find(cat->select->filters, letter) || dom->last != sample->seq)
			continue;
		for (unsigned slot = 0; slot < dom->n; slot++) {
			if (dom->instances[slot].seen != sample->seq)
				continue;
			++*ret_all;
			*ret_kept += (pf_select_role(cat, NULL, dom, slot, sample) & PF_ROLE_KEPT) != 0;
		}
		if (*ret_all > 0 && letter != 'j')
			return true;
		if (*ret_all > 0) { /* lines, not their cells */
			bool cells = memmem(dom->instances[0].name, strlen(dom->instances[0].name), "::", 2) != NULL;
			if (!cells)
				return true;
			*ret_kept = *ret_all = 0;
		}
	}
	return false;
}
