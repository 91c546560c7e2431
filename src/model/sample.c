/* model/sample.c - two tables that take turns. */
#include "model/sample.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void pf_frames_init(struct pf_frames *f, struct pf_catalog *cat)
{
	*f = (struct pf_frames){ .catalog = cat };
}

static void sample_done(struct pf_sample *s)
{
	for (unsigned m = 0; m < s->n_metrics; m++) {
		free(s->cells[m].values);
		free(s->cells[m].stamps);
	}
	free(s->cells);
	pf_arena_done(&s->arenas[0]);
	pf_arena_done(&s->arenas[1]);
}

void pf_frames_done(struct pf_frames *f)
{
	sample_done(&f->two[0]);
	sample_done(&f->two[1]);
	free(f->since);
	free(f->kept);
	*f = (struct pf_frames){ 0 };
}

static void swap_cells(struct pf_sample *a, struct pf_sample *b, unsigned metric)
{
	struct pf_cells cells = a->cells[metric];
	a->cells[metric] = b->cells[metric];
	b->cells[metric] = cells;
}

/* What was sampled last of the second interval stays with the table that becomes the predecessor. */
static void keep_second(struct pf_frames *f, struct pf_sample *done, struct pf_sample *next)
{
	if (done->second) {
		f->second = true;
		f->second_mono_ns = done->mono_ns;
		f->second_time_ns = done->time_ns;
		return;
	}
	unsigned n = done->n_metrics < next->n_metrics ? done->n_metrics : next->n_metrics;
	for (unsigned m = 0; f->second && m < n; m++) {
		if (f->catalog->metric_periods[m] != PF_SECOND_INTERVAL)
			continue;
		swap_cells(done, next, m);
		done->moved++;
		next->moved++;
	}
	struct pf_arena arena = done->arenas[PF_SECOND_INTERVAL];
	done->arenas[PF_SECOND_INTERVAL] = next->arenas[PF_SECOND_INTERVAL];
	next->arenas[PF_SECOND_INTERVAL] = arena;
}

static bool has_any(const struct pf_cells *cells)
{
	unsigned slot = 0;
	while (slot < cells->cap && cells->stamps[slot] != cells->seq)
		slot++;
	return slot < cells->cap;
}

/* Texts and the like are not kept: they end with the sample that they are of. */
static bool is_kept(const struct pf_catalog *cat, unsigned metric)
{
	return cat->metrics[metric]->type <= PF_DOUBLE && cat->metric_periods[metric] != PF_SECOND_INTERVAL;
}

static void forget_apart(struct pf_frames *f)
{
	for (unsigned m = 0; m < f->n_since; m++)
		f->since[m] = PF_SINCE_NONE;
	f->n_kept = 0;
}

/* Room in the table of times; what has none is not kept. */
static void room_for_since(struct pf_frames *f, unsigned n)
{
	unsigned *kept = n > f->n_since ? reallocarray(f->kept, n, sizeof(*kept)) : NULL;
	if (!kept)
		return;
	f->kept = kept;
	int64_t *more = reallocarray(f->since, n, sizeof(*more));
	if (!more)
		return;
	f->since = more;
	while (f->n_since < n)
		f->since[f->n_since++] = PF_SINCE_NONE;
}

/* What the table that becomes the predecessor does not have stays there from the one before. */
static void keep_apart(struct pf_frames *f, struct pf_sample *done, struct pf_sample *next)
{
	room_for_since(f, done->n_metrics);
	if (done->seq == 0) {
		forget_apart(f);
		return;
	}
	f->n_kept = 0;
	for (unsigned m = 0; m < f->n_since && m < done->n_metrics; m++) {
		if (has_any(&done->cells[m])) {
			f->since[m] = PF_SINCE_BEFORE;
		} else if (f->since[m] == PF_SINCE_NONE) {
			continue;
		} else if (m < next->n_metrics && is_kept(f->catalog, m)) {
			f->since[m] = f->since[m] == PF_SINCE_BEFORE ? next->mono_ns : f->since[m];
			f->kept[f->n_kept++] = m;
			swap_cells(done, next, m);
			done->moved++;
			next->moved++;
		} else {
			f->since[m] = PF_SINCE_NONE;
		}
	}
}

void pf_frames_settle(struct pf_frames *f)
{
	const struct pf_sample *cur = &f->two[f->seq % 2];
	struct pf_sample *prev = &f->two[(f->seq + 1) % 2];
	for (unsigned i = 0; i < f->n_kept; i++) {
		unsigned m = f->kept[i];
		const struct pf_indom *dom = pf_catalog_domain_of(f->catalog, m);
		if (!dom || dom->changed != cur->seq)
			continue;
		for (unsigned slot = 0; slot < dom->n && slot < prev->cells[m].cap; slot++) {
			if (dom->instances[slot].came == cur->seq)
				prev->cells[m].stamps[slot] = 0;
		}
	}
}

/* Cells for the metrics below @n. */
static int room_for(struct pf_sample *s, unsigned n)
{
	if (n <= s->n_metrics)
		return 0;
	struct pf_cells *cells = reallocarray(s->cells, n, sizeof(*cells));
	if (!cells)
		return -ENOMEM;
	memset(cells + s->n_metrics, 0, (n - s->n_metrics) * sizeof(*cells));
	for (unsigned m = s->n_metrics; m < n; m++)
		cells[m].seq = (uint32_t)s->seq;
	s->cells = cells;
	s->n_metrics = n;
	return 0;
}

/* All cells become those of a sample of that number, none of which is stamped so. */
static void empty(struct pf_sample *s, uint64_t seq)
{
	for (unsigned m = 0; m < s->n_metrics; m++)
		s->cells[m].seq = (uint32_t)seq;
	pf_arena_reset(&s->arenas[PF_EACH_INTERVAL]);
	pf_arena_reset(&s->arenas[PF_SECOND_INTERVAL]);
}

struct pf_sample *pf_frames_begin(struct pf_frames *f, int64_t time_ns, int64_t mono_ns)
{
	keep_second(f, &f->two[f->seq % 2], &f->two[(f->seq + 1) % 2]);
	if (f->apart)
		keep_apart(f, &f->two[f->seq % 2], &f->two[(f->seq + 1) % 2]);
	f->seq++;
	if ((uint32_t)f->seq == 0)
		f->seq++; /* cells that nothing was ever put into are stamped 0; this sample has no predecessor */
	f->lost = 0;
	f->stepped_ns = 0;
	struct pf_sample *s = &f->two[f->seq % 2];
	if (room_for(s, f->catalog->n_metrics) < 0)
		return NULL;
	empty(s, f->seq);
	s->catalog = f->catalog;
	s->second = false;
	s->made = 0;
	s->seq = f->seq;
	s->time_ns = time_ns;
	s->mono_ns = mono_ns;
	return s;
}

uint64_t pf_frames_name(struct pf_frames *f)
{
	return ++f->n_names;
}

void pf_frames_made(struct pf_frames *f, uint64_t name)
{
	struct pf_sample *s = &f->two[f->seq % 2];
	s->made = s->second || f->second ? 0 : name;
}

struct pf_sample *pf_frames_again(struct pf_frames *f, uint64_t name, int64_t time_ns, int64_t mono_ns)
{
	struct pf_sample *done = &f->two[f->seq % 2];
	struct pf_sample *s = &f->two[(f->seq + 1) % 2];
	uint32_t stamp = (uint32_t)(f->seq + 1);
	if (name == 0 || done->made != name || s->made != name || s->n_metrics < f->catalog->n_metrics || stamp == 0)
		return NULL;
	for (unsigned i = 0; i < f->n_kept; i++) {
		swap_cells(done, s, f->kept[i]);
		s->cells[f->kept[i]].seq = stamp;
	}
	f->seq++;
	f->lost = 0;
	f->stepped_ns = 0;
	s->seq = f->seq;
	s->time_ns = time_ns;
	s->mono_ns = mono_ns;
	return s;
}

void pf_frames_renew(struct pf_frames *f)
{
	struct pf_sample *s = &f->two[f->seq % 2];
	empty(s, f->seq);
	s->made = 0;
}

struct pf_step pf_frames_step(const struct pf_frames *f)
{
	const struct pf_sample *cur = &f->two[f->seq % 2];
	const struct pf_sample *prev = &f->two[(f->seq + 1) % 2];
	if (prev->seq == 0 || prev->seq + 1 != cur->seq)
		prev = NULL;
	return (struct pf_step){
		.catalog = f->catalog,
		.cur = cur,
		.prev = prev,
		.interval_ns = prev ? cur->mono_ns - prev->mono_ns : 0,
		.second_ns = cur->second && f->second ? cur->mono_ns - f->second_mono_ns : 0,
		.second_wall_ns = cur->second && f->second ? cur->time_ns - f->second_time_ns : 0,
		.stepped_ns = f->stepped_ns,
		.lost = f->lost,
		.sparse = f->sparse,
		.uniform = !f->apart && !f->catalog->any_second,
		.since = f->apart ? f->since : NULL,
		.n_since = f->n_since,
	};
}

void pf_frames_cut(struct pf_frames *f)
{
	/* Skipping a number leaves the older table's sequence behind, so that it is nobody's predecessor. */
	f->two[f->seq % 2].seq = 0;
	f->two[f->seq % 2].made = 0;
	f->two[f->seq % 2].second = false;
	f->second = false;
}

void pf_frames_part(struct pf_frames *f)
{
	f->two[(f->seq + 1) % 2].seq = 0;
	f->two[(f->seq + 1) % 2].made = 0;
	f->two[(f->seq + 1) % 2].second = false;
	f->second = false;
	forget_apart(f);
}

bool pf_time_is_gap(int64_t took_ns, int64_t nominal_ns)
{
	return nominal_ns > 0 && took_ns > nominal_ns / 2 * 5 && took_ns - nominal_ns > INT64_C(1000000000);
}

void pf_frames_forget_second(struct pf_frames *f)
{
	f->second = false;
}

/* As many instances as are expected, so that the cells of all metrics do not grow in turn, each leaving holes behind. */
static unsigned expected(const struct pf_sample *s, unsigned metric)
{
	const struct pf_indom *dom =
		s->catalog && metric < s->catalog->n_metrics ? pf_catalog_domain_of(s->catalog, metric) : NULL;
	return dom ? dom->expected : 0;
}

int pf_sample_room(struct pf_sample *s, unsigned metric, unsigned slot)
{
	if (room_for(s, metric + 1) < 0) /* it came to the catalog after this sample was begun */
		return -ENOMEM;
	struct pf_cells *c = &s->cells[metric];
	if (slot < c->cap)
		return 0;

	unsigned cap = c->cap ? c->cap : 1;
	if (expected(s, metric) > slot)
		cap = expected(s, metric);
	while (cap <= slot)
		cap *= 2;
	union pf_value *values = reallocarray(c->values, cap, sizeof(*values));
	if (!values)
		return -ENOMEM;
	c->values = values;
	uint32_t *stamps = reallocarray(c->stamps, cap, sizeof(*stamps));
	if (!stamps)
		return -ENOMEM;
	memset(stamps + c->cap, 0, (cap - c->cap) * sizeof(*stamps));
	c->stamps = stamps;
	c->cap = cap;
	s->moved++;
	return 0;
}

int pf_sample_fail(struct pf_sample *s, unsigned metric, int32_t code)
{
	if (room_for(s, metric + 1) < 0)
		return -ENOMEM;
	s->cells[metric].failed = s->cells[metric].seq;
	s->cells[metric].error = code;
	return 0;
}
