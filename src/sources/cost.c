/* sources/cost.c - what the meter has counted, as lines that can be recorded and played back. */
#include "sources/cost.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/buf.h"
#include "groups/list.h"

enum { NS_PER_US = 1000 };

/* @next_told: how many samples must have been late until it is told again */
struct pf_cost {
	struct pf_meter *meter;
	struct pf_target *sample;
	struct pf_target *source;
	struct pf_buf text;
	const struct pf_notice *notice;
	uint64_t next_told;
};

struct pf_meter *pf_cost_meter(struct pf_cost *c)
{
	return c ? c->meter : NULL;
}

struct pf_cost *pf_cost_close(struct pf_cost *c)
{
	if (!c)
		return NULL;
	c->meter = pf_meter_free(c->meter);
	pf_buf_done(&c->text);
	free(c);
	return NULL;
}

int pf_cost_open(struct pf_cost **ret_cost, struct pf_dispatch *d, int64_t late_ns, const struct pf_notice *notice)
{
	unsigned t = 0;
	*ret_cost = NULL;
	while (t < d->n_targets && d->targets[t].group != &pf_group_cost)
		t++;
	if (t == d->n_targets)
		return 0;
	struct pf_cost *c = calloc(1, sizeof(*c));
	if (!c)
		return -ENOMEM;
	*c = (struct pf_cost){ .meter = pf_meter_new(),
			       .sample = &d->targets[t],
			       .source = &d->targets[t + 1],
			       .notice = notice,
			       .next_told = 1 };
	if (!c->meter) {
		(void)pf_cost_close(c);
		return -ENOMEM;
	}
	c->meter->late_ns = late_ns;
	*ret_cost = c;
	return 0;
}

static int64_t usec_of(struct timeval tv)
{
	return (int64_t)tv.tv_sec * 1000000 + tv.tv_usec;
}

static void put(struct pf_buf *b, uint64_t v)
{
	pf_buf_u64(b, v);
	pf_buf_char(b, ' ');
}

static void tell(const struct pf_cost *c, const struct pf_raw_tap *tap, const struct pf_target *target, size_t from)
{
	struct pf_view line = { c->text.p + from, c->text.n - from };
	if (tap)
		tap->line(tap->arg, pf_view_of(target->row->tag), line);
}

static void put_sample(struct pf_cost *c)
{
	const struct pf_meter *m = c->meter;
	struct rusage self = { 0 };
	struct rusage children = { 0 };
	(void)getrusage(RUSAGE_SELF, &self); /* both cannot fail */
	(void)getrusage(RUSAGE_CHILDREN, &children);
	put(&c->text, (uint64_t)(usec_of(self.ru_utime) + usec_of(self.ru_stime) + usec_of(children.ru_utime) +
				 usec_of(children.ru_stime)));
	put(&c->text, (uint64_t)self.ru_maxrss);
	put(&c->text, m->samples);
	put(&c->text, m->late);
	put(&c->text, (uint64_t)m->begin_ns);
	put(&c->text, (uint64_t)m->end_ns);
	put(&c->text, (uint64_t)(m->span_ns / NS_PER_US));
	put(&c->text, (uint64_t)(m->slowest_ns > 0 ? m->slowest_ns / NS_PER_US : 0));
	pf_buf_str(&c->text, m->slowest_name);
}

static void put_source(struct pf_cost *c, const struct pf_meter_source *s)
{
	put(&c->text, s->cpu_ns / NS_PER_US);
	put(&c->text, s->bytes);
	put(&c->text, s->reads);
	put(&c->text, (uint64_t)(s->slowest_ns / NS_PER_US));
	pf_buf_str(&c->text, s->name);
}

/* The first one is told, and then less and less often. */
static void tell_late(struct pf_cost *c)
{
	const struct pf_meter *m = c->meter;
	if (m->late < c->next_told)
		return;
	c->next_told *= 2;
	pf_notice(c->notice, PF_WARNING,
		  "taking a sample took %.3f ms, longer than %.3f ms (%" PRIu64 " of %" PRIu64
		  " samples so far); slowest read: %.3f ms, %s",
		  (double)m->span_ns / 1e6, (double)m->late_ns / 1e6, m->late, m->samples, (double)m->slowest_ns / 1e6,
		  m->slowest_name);
}

int pf_cost_take(struct pf_cost *c, const struct pf_raw_tap *tap, bool no_parse)
{
	pf_meter_end(c->meter);
	if (c->meter->late_ns > 0 && c->meter->span_ns > c->meter->late_ns)
		tell_late(c);
	pf_buf_clear(&c->text);
	put_sample(c);
	tell(c, tap, c->sample, 0);
	if (!no_parse)
		c->sample->row->parse(pf_buf_text(&c->text), &c->sample->b);
	pf_buf_clear(&c->text);
	for (unsigned i = 0; i < c->meter->n_sources; i++) {
		size_t from = c->text.n;
		put_source(c, &c->meter->sources[i]);
		tell(c, tap, c->source, from);
		pf_buf_char(&c->text, '\n');
	}
	if (!no_parse)
		c->source->row->parse(pf_buf_text(&c->text), &c->source->b);
	return c->text.failed;
}
