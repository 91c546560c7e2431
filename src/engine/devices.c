/* engine/devices.c - what filters matched, told once when the first sample is there; CPUs that are offline. Sources: /proc/stat,
 * /proc/cpuinfo, /sys/devices/system/cpu. */
#include "engine/devices.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "groups/list.h"
#include "model/select.h"

enum { FILE_LIMIT = 16 << 20, MAX_CPUS = 8192 };

void pf_devices_tell(const struct pf_plan *plan, const struct pf_catalog *cat, const struct pf_sample *sample)
{
	const struct pf_request *req = plan->req;
	const struct {
		char letter;
		const char *text;
		const char *name;
		const char *what;
	} filters[] = { { 'c', req->cpu_filter, "--cpufilt", "CPUs" },
			{ 'd', req->disk_filter, "--dskfilt", "disks" },
			{ 'n', req->net_filter, "--netfilt", "interfaces" },
			{ 'j', req->int_filter, "--intfilt", "interrupts" } };
	for (unsigned i = 0; i < sizeof(filters) / sizeof(filters[0]) && !req->as_peer; i++) {
		unsigned kept, all;
		if (!filters[i].text || !pf_select_count(cat, filters[i].letter, sample, &kept, &all))
			continue;
		if (kept == 0)
			pf_notice(plan->notice, PF_WARNING, "%s '%s' keeps none of %u %s", filters[i].name,
				  filters[i].text, all, filters[i].what);
		else
			pf_notice(plan->notice, PF_INFO, "%s '%s' keeps %u of %u %s", filters[i].name, filters[i].text,
				  kept, all, filters[i].what);
	}
}

static struct pf_view slurp(int root_fd, const char *path, struct pf_buf *b)
{
	struct pf_err ignored = { 0 };
	if (pf_io_read_file(root_fd, path, FILE_LIMIT, b, &ignored) < 0)
		pf_buf_clear(b);
	return pf_buf_text(b);
}

/* The number behind the colon of the first line that begins with @key. */
static uint64_t number_of(struct pf_view text, const char *key)
{
	struct pf_view line;
	while (pf_view_line(&text, &line) == 0) {
		const char *colon = pf_view_starts(line, key) ? memchr(line.p, ':', line.n) : NULL;
		uint64_t v = 0;
		struct pf_view rest = { colon, colon ? (size_t)(line.p + line.n - colon) : 0 };
		if (!colon)
			continue;
		rest.p++;
		rest.n--;
		return pf_view_next_u64(&rest, &v) == 0 ? v : 0;
	}
	return 0;
}

/* How many numbers "0-3,8" stands for. */
static unsigned in_list(struct pf_view text)
{
	unsigned n = 0;
	text = pf_view_trim(text);
	while (text.n > 0) {
		const char *comma = memchr(text.p, ',', text.n);
		struct pf_view part = { text.p, comma ? (size_t)(comma - text.p) : text.n };
		text = comma ? (struct pf_view){ comma + 1, text.n - part.n - 1 } : (struct pf_view){ text.p, 0 };
		const char *dash = memchr(part.p, '-', part.n);
		struct pf_view from = { part.p, dash ? (size_t)(dash - part.p) : part.n };
		struct pf_view to = dash ? (struct pf_view){ dash + 1, (size_t)(part.p + part.n - dash - 1) } : from;
		uint64_t a, b;
		if (pf_view_u64(from, &a) == 0 && pf_view_u64(to, &b) == 0 && a <= b && b < MAX_CPUS)
			n += (unsigned)(b - a + 1);
	}
	return n;
}

struct pf_cpus pf_devices_cpus(int root_fd)
{
	struct pf_cpus cpus = { 0 };
	struct pf_buf b = { 0 };
	struct pf_view text = slurp(root_fd, "proc/cpuinfo", &b);
	uint64_t cores = number_of(text, "cpu cores");
	cpus.hyper = cores > 0 && number_of(text, "siblings") / cores == 2;
	text = slurp(root_fd, "proc/stat", &b);
	struct pf_view line;
	unsigned online = 0;
	while (pf_view_line(&text, &line) == 0)
		online += pf_view_starts(line, "cpu") && line.n > 3 && line.p[3] >= '0' && line.p[3] <= '9';
	unsigned present = in_list(slurp(root_fd, "sys/devices/system/cpu/present", &b));
	cpus.all = present > online ? present : online;
	cpus.offline = cpus.all - online;
	pf_buf_done(&b);
	return cpus;
}

/* The first metric of each CPU in the group that the sample has; UINT32_MAX: none. */
static unsigned metric_of(const struct pf_catalog *cat, const struct pf_sample *cur, const struct pf_group *group)
{
	for (unsigned m = 0; m < group->n_metrics; m++) {
		int at = group->metrics[m].indom == PF_INDOM_CPU
				 ? pf_catalog_find(cat, pf_view_of(group->metrics[m].name))
				 : -1;
		const struct pf_indom *dom = at >= 0 ? pf_catalog_domain_of(cat, (unsigned)at) : NULL;
		for (unsigned slot = 0; dom && slot < dom->n; slot++) {
			if (pf_sample_has(cur, (unsigned)at, slot))
				return (unsigned)at;
		}
	}
	return UINT32_MAX;
}

/* Values of a CPU that has none in this sample: those of the sample before, or 0. Only of metrics that other CPUs have. */
static int fill(struct pf_catalog *cat, struct pf_sample *cur, const struct pf_sample *prev, unsigned slot)
{
	for (unsigned m = 0; m < cat->n_metrics; m++) {
		const struct pf_indom *dom = pf_catalog_domain_of(cat, m);
		bool any = false;
		if (!dom || dom->id != PF_INDOM_CPU || pf_sample_has(cur, m, slot))
			continue;
		for (unsigned i = 0; i < dom->n && !any; i++)
			any = pf_sample_has(cur, m, i);
		union pf_value v = { 0 };
		if (prev && pf_sample_has(prev, m, slot))
			v = pf_sample_get(prev, m, slot);
		if (any && pf_sample_set(cur, m, slot, v) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* Zeros for each of @n instances, called @name and a number, of the metrics of @group that are by @indom. */
static int add_zeros(struct pf_catalog *cat, struct pf_sample *cur, const struct pf_group *group, unsigned base,
		     uint32_t indom, const char *name, unsigned n)
{
	int rc = 0;
	for (unsigned id = 0; rc >= 0 && id < n && id < MAX_CPUS; id++) {
		char text[16];
		(void)snprintf(text, sizeof(text), "%s%u", name, id);
		for (unsigned m = 0; rc >= 0 && m < group->n_metrics; m++) {
			struct pf_indom *dom = pf_catalog_domain_of(cat, base + m);
			if (!dom || dom->id != indom)
				continue;
			int slot = pf_indom_slot(dom, pf_view_of(text), id, (int32_t)id, cur->seq);
			rc = slot < 0 ? slot : pf_sample_set(cur, base + m, (unsigned)slot, (union pf_value){ 0 });
		}
	}
	return rc < 0 ? rc : 0;
}

int pf_devices_unrecorded(const struct pf_unrecorded *u, const struct pf_group *const *groups, const unsigned *bases,
			  struct pf_catalog *cat, struct pf_frames *frames)
{
	struct pf_sample *cur = &frames->two[frames->seq % 2];
	int rc = 0;
	for (unsigned g = 0; rc == 0 && groups[g]; g++) {
		bool recorded = false;
		for (const char *p = groups[g]->letters; *p != '\0'; p++)
			recorded |= strchr(u->letters, *p) != NULL;
		if (recorded)
			continue;
		rc = add_zeros(cat, cur, groups[g], bases[g], PF_INDOM_CPU, "cpu", u->cpus);
		if (rc == 0)
			rc = add_zeros(cat, cur, groups[g], bases[g], PF_INDOM_NODE, "node", u->nodes);
	}
	return rc;
}

int pf_devices_offline(struct pf_view_options *view, struct pf_catalog *cat, struct pf_frames *frames)
{
	struct pf_step step = pf_frames_step(frames);
	view->n_offline = 0;
	if (view->n_cpus == 0)
		return 0;
	unsigned metric = metric_of(cat, step.cur, &pf_group_cpu);
	if (metric == UINT32_MAX)
		metric = metric_of(cat, step.cur, &pf_group_interrupts);
	if (metric == UINT32_MAX)
		return 0;
	struct pf_indom *dom = pf_catalog_domain_of(cat, metric);
	unsigned online = 0;
	for (unsigned slot = 0; dom && slot < dom->n; slot++)
		online += pf_sample_has(step.cur, metric, slot);
	if (!dom || online == 0 || online >= view->n_cpus)
		return 0;
	view->n_offline = view->n_cpus - online;
	struct pf_sample *cur = &frames->two[frames->seq % 2];
	for (unsigned id = 0; id < view->n_cpus && id < MAX_CPUS && (view->variants & PF_AS_PEER); id++) {
		char name[16];
		(void)snprintf(name, sizeof(name), "cpu%u", id);
		int slot = pf_indom_find(dom, pf_view_of(name), id);
		if (slot >= 0 && pf_sample_has(cur, metric, (unsigned)slot)) {
			dom->instances[slot].role &= (uint8_t)~PF_ROLE_OFFLINE;
			continue;
		}
		slot = pf_indom_slot(dom, pf_view_of(name), id, (int32_t)id, cur->seq);
		int rc = slot < 0 ? slot : fill(cat, cur, step.prev, (unsigned)slot);
		if (rc < 0)
			return rc;
		dom->instances[slot].role |= PF_ROLE_OFFLINE;
	}
	return 0;
}
