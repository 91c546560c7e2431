/* formats/pcp/temporal.c - entries of fixed size. Source: LOGARCHIVE(5). */
#include "formats/pcp/temporal.h"

#include <errno.h>
#include <stdlib.h>

#include "base/err.h"

static int add(struct pf_pcp_temporal *t, const struct pf_pcp_entry *entry)
{
	if (t->n == t->cap) {
		unsigned cap = t->cap ? 2 * t->cap : 64;
		struct pf_pcp_entry *more = reallocarray(t->entries, cap, sizeof(*more));
		if (!more)
			return -ENOMEM;
		t->entries = more;
		t->cap = cap;
	}
	t->entries[t->n++] = *entry;
	return 0;
}

int pf_pcp_temporal_load(struct pf_pcp_temporal *t, struct pf_pcp_file *f, unsigned version, struct pf_err *err)
{
	size_t len = version >= 3 ? PF_PCP_ENTRY3_LEN : PF_PCP_ENTRY2_LEN;
	struct pf_view bytes;
	struct pf_pcp_entry entry;
	int rc = 0;
	*t = (struct pf_pcp_temporal){ 0 };
	while (rc == 0) {
		rc = pf_pcp_file_bytes(f, f->off, len, &bytes, err);
		if (rc == 0 && f->off < f->size)
			rc = pf_err_set(err, -EBADMSG, "%s: the file ends inside entry %llu", f->name,
					(unsigned long long)f->number - 1);
		if (rc <= 0)
			break;
		rc = pf_pcp_entry_decode(bytes, version, &entry, err);
		if (rc == 0 && t->n > 0 && entry.time_ns < t->entries[t->n - 1].time_ns)
			rc = pf_err_set(err, -EBADMSG, "%s: entry %llu goes back in time", f->name,
					(unsigned long long)f->number - 1);
		if (rc == 0)
			rc = add(t, &entry);
		f->off += len;
		f->number++;
	}
	if (rc < 0)
		pf_pcp_temporal_done(t);
	return rc;
}

void pf_pcp_temporal_done(struct pf_pcp_temporal *t)
{
	free(t->entries);
	*t = (struct pf_pcp_temporal){ 0 };
}

const struct pf_pcp_entry *pf_pcp_temporal_find(const struct pf_pcp_temporal *t, int64_t time_ns)
{
	unsigned from = 0;
	unsigned to = t->n;
	while (from < to) {
		unsigned middle = from + (to - from) / 2;
		if (t->entries[middle].time_ns <= time_ns)
			from = middle + 1;
		else
			to = middle;
	}
	return from > 0 ? &t->entries[from - 1] : NULL;
}
