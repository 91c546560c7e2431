/* groups/percpu.c - kinds by CPUs. Source: /proc/interrupts and /proc/softirqs, proc(5). Names of instances: PCP 6.0.3. */
#include "groups/percpu.h"

/* What no kernel has; a hostile recording cannot make us count on. */
enum { MAX_CPUS = 8192, KIND_MAX = 64, SET_CPUS = 1 };

bool pf_percpu_heading(struct pf_scan line, struct pf_builder *b)
{
	struct pf_view word = pf_scan_word(&line);
	if (!pf_view_starts(word, "CPU"))
		return false;
	b->column_set = SET_CPUS;
	b->n_columns = 0;
	for (; word.n > 0 && b->n_columns < PF_BUILDER_COLUMNS; word = pf_scan_word(&line)) {
		uint64_t id = 0;
		if (word.n < 4 || pf_view_u64((struct pf_view){ word.p + 3, word.n - 3 }, &id) < 0 || id >= MAX_CPUS)
			break;
		b->columns[b->n_columns++] = (uint16_t)id;
	}
	return true;
}

bool pf_percpu_key(struct pf_scan *line, struct pf_view *ret_key)
{
	pf_scan_blanks(line);
	const char *colon = memchr(line->p, ':', (size_t)(line->end - line->p));
	if (!colon || colon == line->p || colon - line->p > KIND_MAX)
		return false;
	*ret_key = (struct pf_view){ line->p, (size_t)(colon - line->p) };
	line->p = colon + 1;
	return true;
}

void pf_percpu_add(struct pf_builder *b, unsigned metric, unsigned slot, uint64_t v)
{
	unsigned m = b->base + metric;
	uint64_t have = pf_sample_has(b->sample, m, slot) ? pf_sample_get(b->sample, m, slot).u : 0;
	pf_builder_u64(b, metric, slot, have + v);
}

static unsigned put_number(char *to, unsigned v)
{
	char back[12];
	unsigned n = 0;
	do {
		back[n++] = (char)('0' + v % 10);
		v /= 10;
	} while (v > 0);
	for (unsigned i = 0; i < n; i++)
		to[i] = back[n - 1 - i];
	return n;
}

struct domains {
	struct pf_indom *cells, *rows, *cpus;
};

/* One number: @name holds "KIND::cpu", of which @stem bytes, and gets the number of the CPU. */
static void cell(struct pf_builder *b, const struct pf_percpu *to, const struct domains *d, char *name, size_t stem,
		 unsigned column, uint64_t v)
{
	unsigned id = b->column_set == SET_CPUS && column < b->n_columns ? b->columns[column] : column;
	size_t n = stem + put_number(name + stem, id);
	int slot = pf_builder_instance(b, d->cells, (struct pf_view){ name, n }, -1);
	if (slot < 0)
		return;
	pf_builder_u64(b, to->cell, (unsigned)slot, v & UINT32_MAX);
	slot = pf_indom_slot(d->cpus, (struct pf_view){ name + stem - 3, n - stem + 3 }, column, (int32_t)id,
			     b->sample->seq);
	if (slot < 0)
		b->oom = slot;
	for (unsigned i = 0; slot >= 0 && i < to->n_cpu; i++)
		pf_percpu_add(b, to->cpu[i], (unsigned)slot, v);
}

int pf_percpu_line(struct pf_scan *line, struct pf_builder *b, const struct pf_percpu *to, struct pf_view kind)
{
	const struct domains d = {
		pf_catalog_domain_of(b->catalog, b->base + to->cell),
		pf_catalog_domain_of(b->catalog, b->base + to->row),
		pf_catalog_domain_of(b->catalog, b->base + to->cpu[0]),
	};
	static const char before_number[] = { ':', ':', 'c', 'p', 'u' };
	char name[KIND_MAX + 24];
	if (!d.cells || !d.rows || !d.cpus || kind.n == 0 || kind.n > KIND_MAX)
		return -1;
	memcpy(name, kind.p, kind.n);
	memcpy(name + kind.n, before_number, sizeof(before_number));

	uint64_t sum = 0;
	unsigned n = 0;
	for (; n < MAX_CPUS; n++) {
		struct pf_scan at = *line;
		uint64_t v = 0;
		if (pf_scan_u64(line, &v) != PF_SCAN_OK) {
			*line = at;
			break;
		}
		cell(b, to, &d, name, kind.n + 5, n, v);
		sum += v;
	}
	if (n == 0)
		return -1;
	int slot = pf_indom_slot(d.rows, kind, UINT32_MAX, -1, b->sample->seq);
	if (slot < 0)
		b->oom = slot;
	else
		pf_builder_u64(b, to->row, (unsigned)slot, sum);
	return slot;
}
