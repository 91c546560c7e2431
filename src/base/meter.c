/* base/meter.c - clocks read around what costs. */
#include "base/meter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pf_meter *pf_meter_new(void)
{
	return calloc(1, sizeof(struct pf_meter));
}

struct pf_meter *pf_meter_free(struct pf_meter *m)
{
	for (unsigned i = 0; m && i < m->n_sources; i++)
		free(m->sources[i].name);
	if (m)
		free(m->sources);
	free(m);
	return NULL;
}

int pf_meter_source(struct pf_meter *m, const char *name)
{
	for (unsigned i = 0; i < m->n_sources; i++) {
		if (strcmp(m->sources[i].name, name) == 0)
			return (int)i;
	}
	struct pf_meter_source *more = reallocarray(m->sources, m->n_sources + 1, sizeof(*more));
	if (!more)
		return PF_METER_NONE;
	m->sources = more;
	char *copy = strdup(name);
	if (!copy)
		return PF_METER_NONE;
	m->sources[m->n_sources] = (struct pf_meter_source){ .name = copy };
	return (int)m->n_sources++;
}

void pf_meter_begin(struct pf_meter *m)
{
	for (unsigned i = 0; i < m->n_sources; i++)
		m->sources[i].slowest_ns = 0;
	m->slowest_ns = -1;
	m->slowest_name[0] = '\0';
	m->begin_ns = pf_time_wall_ns();
	m->begin_mono = pf_time_mono_ns();
	m->cpu_ns = pf_time_thread_ns();
}

void pf_meter_end(struct pf_meter *m)
{
	m->span_ns = pf_time_mono_ns() - m->begin_mono;
	m->end_ns = m->begin_ns + m->span_ns;
	m->samples++;
	m->late += m->late_ns > 0 && m->span_ns > m->late_ns;
}

bool pf_meter_read(struct pf_meter *m, int source, int64_t start_ns, uint64_t bytes)
{
	int64_t ns = pf_time_mono_ns() - start_ns;
	if (source >= 0) {
		struct pf_meter_source *s = &m->sources[source];
		s->bytes += bytes;
		s->reads++;
		if (ns > s->slowest_ns)
			s->slowest_ns = ns;
	}
	if (ns <= m->slowest_ns)
		return false;
	m->slowest_ns = ns;
	return true;
}

void pf_meter_read_named(struct pf_meter *m, int source, int64_t start_ns, uint64_t bytes, const char *name)
{
	if (pf_meter_read(m, source, start_ns, bytes))
		(void)snprintf(m->slowest_name, sizeof(m->slowest_name), "%s", name);
}

void pf_meter_lap(struct pf_meter *m, int source)
{
	int64_t now = pf_time_thread_ns();
	if (source >= 0)
		m->sources[source].cpu_ns += (uint64_t)(now - m->cpu_ns);
	m->cpu_ns = now;
}
