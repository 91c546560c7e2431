/* bpf/drops.c - what was lost, as events. */
#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/time.h"
#include "trace/bpf/consume.h"

static const struct {
	const char *name;
	const char *one, *many; /* behind the number */
} kinds[N_PF_DROPS] = {
	[PF_DROP_PRINCIPAL] = { "PRINCIPAL", "drop on CPU", "drops on CPU" },
	[PF_DROP_AGGREGATION] = { "AGGREGATION", "aggregation drop on CPU", "aggregation drops on CPU" },
	[PF_DROP_DYNAMIC] = { "DYNAMIC", "dynamic variable drop", "dynamic variable drops" },
	[PF_DROP_RINSING] = { "DYNRINSE", "dynamic variable drop with non-empty rinsing list",
			      "dynamic variable drops with non-empty rinsing list" },
	[PF_DROP_DIRTY] = { "DYNDIRTY", "dynamic variable drop with non-empty dirty list",
			    "dynamic variable drops with non-empty dirty list" },
	[PF_DROP_SPEC] = { "SPEC", "speculative drop", "speculative drops" },
	[PF_DROP_SPECBUSY] = { "SPECBUSY", "failed speculation (available buffer(s) still busy)",
			       "failed speculations (available buffer(s) still busy)" },
	[PF_DROP_SPECUNAVAIL] = { "SPECUNAVAIL", "failed speculation (no speculative buffer available)",
				  "failed speculations (no speculative buffer available)" },
	[PF_DROP_STKSTROVERFLOW] = { "STKSTROVERFLOW", "jstack()/ustack() string table overflow",
				     "jstack()/ustack() string table overflows" },
	[PF_DROP_DBLERROR] = { "DBLERROR", "error in ERROR probe enabling", "errors in ERROR probe enabling" },
};

static int report(struct pf_trace *t, struct pf_outlet *out, enum pf_drop_kind kind, int cpu, uint64_t count,
		  uint64_t total)
{
	struct pf_buf name = { 0 };
	struct pf_buf msg = { 0 };
	pf_buf_fmt(&name, "DTRACEDROP_%s", kinds[kind].name);
	if (t->options.value[PF_OPT_DROPTAGS])
		pf_buf_fmt(&msg, "[%s] ", name.p);
	pf_buf_fmt(&msg, "%llu %s", (unsigned long long)count, count == 1 ? kinds[kind].one : kinds[kind].many);
	if (kind <= PF_DROP_AGGREGATION)
		pf_buf_fmt(&msg, " %d", cpu);
	int rc = name.failed || msg.failed ? -ENOMEM : 0;
	if (rc == 0) {
		struct pf_event event = { .kind = PF_EVENT_DROP,
					  .time_ns = pf_time_mono_ns(),
					  .cpu = kind <= PF_DROP_AGGREGATION ? cpu : -1,
					  .probe = { "dtrace", "INTERNAL", "INTERNAL", "DROP", -1 },
					  .msg = msg.p };
		event.drop.count = count;
		event.drop.total = total;
		event.drop.kind = (int)kind;
		event.drop.kind_name = name.p;
		out->n++;
		rc = out->fn(out->arg, &event);
	}
	pf_buf_done(&name);
	pf_buf_done(&msg);
	return rc;
}

int pf_decode_drops(struct pf_trace *t, struct pf_outlet *out)
{
	uint32_t zero = 0;
	pf_autofree uint64_t *now = calloc((size_t)t->n_cpus * N_PF_DROPS, sizeof(*now));
	if (!now)
		return pf_err_set(out->err, -ENOMEM, "no memory");
	t->drops_checked_ns = pf_time_mono_ns();
	if (pf_bpf_map_get(t->maps[PF_MAP_DROPS].fd, &zero, now) < 0)
		return 0;
	if (!t->cpu_drops_seen) {
		t->cpu_drops_seen = calloc((size_t)t->n_cpus * 2, sizeof(uint64_t));
		if (!t->cpu_drops_seen)
			return pf_err_set(out->err, -ENOMEM, "no memory");
	}
	for (unsigned kind = 0; kind < N_PF_DROPS; kind++) {
		uint64_t sum = kind == PF_DROP_SPEC ? t->spec_drops : 0;
		for (unsigned cpu = 0; cpu < t->n_cpus; cpu++) {
			uint64_t have = now[cpu * N_PF_DROPS + kind];
			sum += have;
			if (kind > PF_DROP_AGGREGATION)
				continue;
			uint64_t *seen = &t->cpu_drops_seen[2 * cpu + kind];
			uint64_t fresh = have - *seen;
			*seen = have;
			int rc = fresh ? report(t, out, (enum pf_drop_kind)kind, (int)cpu, fresh, have) : 0;
			if (rc < 0)
				return rc;
		}
		uint64_t fresh = sum - t->drops_seen[kind];
		t->drops_seen[kind] = sum;
		int rc = fresh && kind > PF_DROP_AGGREGATION ? report(t, out, (enum pf_drop_kind)kind, -1, fresh, sum)
							     : 0;
		if (rc < 0)
			return rc;
	}
	return 0;
}
