/* The temporal index of an archive, in any bytes: it is in order or refused, and what is found is the last one that is not later. */
#include <stdint.h>
#include <stdlib.h>

#include "formats/pcp/temporal.h"
#include "fuzz_pcp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void find(const struct pf_pcp_temporal *t, int64_t time_ns)
{
	const struct pf_pcp_entry *found = pf_pcp_temporal_find(t, time_ns);
	size_t next = found ? (size_t)(found - t->entries) + 1 : 0;
	if ((found && found->time_ns > time_ns) || (next < t->n && t->entries[next].time_ns <= time_ns))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pf_pcp_file f = { .fd = -1 };
	struct pf_pcp_temporal t = { 0 };
	unsigned version = fuzz_pcp_open(&f, 1, data, size);
	if (version > 0 && pf_pcp_temporal_load(&t, &f, version, NULL) == 0) {
		find(&t, 0);
		find(&t, INT64_MAX);
		for (unsigned i = 0; i < t.n; i++) {
			struct pf_buf b = { 0 };
			struct pf_pcp_entry again;
			find(&t, t.entries[i].time_ns);
			find(&t, t.entries[i].time_ns - 1);
			pf_pcp_entry_encode(&b, version, &t.entries[i]);
			if (pf_pcp_entry_decode(pf_buf_text(&b), version, &again, NULL) < 0 ||
			    again.time_ns != t.entries[i].time_ns || again.volume != t.entries[i].volume ||
			    again.meta != t.entries[i].meta || again.data != t.entries[i].data)
				abort();
			pf_buf_done(&b);
		}
	}
	pf_pcp_temporal_done(&t);
	pf_pcp_file_done(&f);
	return 0;
}
