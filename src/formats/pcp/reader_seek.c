/* formats/pcp/reader_seek.c - from one record to another by the index, which is believed only where a record is found as it says. */
#include <stdio.h>

#include "formats/pcp/names.h"
#include "formats/pcp/reader_state.h"

/* Where @entry says a record is: does one of that time begin there? */
static bool is_at(struct pf_pcp_file *f, const struct pf_pcp_entry *entry, unsigned version)
{
	struct pf_view rec;
	struct pf_pcp_result result;
	f->off = entry->data;
	return entry->data >= PF_PCP_LABEL2_LEN && entry->data % f->align == 0 &&
	       pf_pcp_file_peek(f, &rec, NULL) == 1 && pf_pcp_result_check(rec, version, NULL) == 0 &&
	       pf_pcp_result_decode(rec, version, &result, NULL) == 0 && result.time_ns == entry->time_ns;
}

/* Into the volume of that number, unless it is open. @ret_volume: how many are opened then. Return: 1 done, 0 it cannot be. */
static int go_to_volume(struct pf_pcp_reader *r, unsigned number, struct pf_pcp_file *ret_new, unsigned *ret_volume)
{
	struct pf_pcp_label label;
	char suffix[16];
	for (unsigned i = r->volume; i < r->n_volumes; i++) {
		if (r->volumes[i] != number)
			continue;
		(void)snprintf(suffix, sizeof(suffix), "%u", number);
		if (pf_pcp_names_open(r->base, suffix, 4, ret_new, NULL) < 0)
			return 0;
		*ret_volume = i + 1;
		if (pf_pcp_reader_label_of(ret_new, &label, NULL) == 0 && label.version == r->label.version)
			return 1;
		pf_pcp_file_done(ret_new);
		return 0;
	}
	return 0;
}

/* Whoever closes an archive adds an entry for the last record, so behind it the last volume ends. */
bool pf_pcp_reader_ends_before(const struct pf_pcp_reader *r, int64_t time_ns)
{
	const struct pf_pcp_temporal *t = &r->temporal;
	const struct pf_pcp_entry *last = t->n > 0 ? &t->entries[t->n - 1] : NULL;
	char suffix[16];
	if (!last || last->time_ns >= time_ns || r->n_volumes == 0 ||
	    (unsigned)last->volume != r->volumes[r->n_volumes - 1])
		return false;
	(void)snprintf(suffix, sizeof(suffix), "%u", r->volumes[r->n_volumes - 1]);
	struct pf_pcp_file f = { .fd = -1 };
	struct pf_view rec;
	bool ends = false;
	if (pf_pcp_names_open(r->base, suffix, 4, &f, NULL) < 0)
		return false;
	f.align = 4;
	if (is_at(&f, last, r->label.version) && pf_pcp_file_peek(&f, &rec, NULL) == 1) {
		pf_pcp_file_take(&f, rec);
		ends = pf_pcp_file_peek(&f, &rec, NULL) == 0;
	}
	pf_pcp_file_done(&f);
	return ends;
}

/* Does the record at f->off have everything, so that one can begin there (sinks/pcparchive.c)? */
static bool is_whole(struct pf_pcp_reader *r, struct pf_pcp_file *f)
{
	struct pf_view rec;
	struct pf_pcp_result result;
	struct pf_pcp_set set;
	bool any = false;
	for (unsigned i = 0; i < r->meta.n_metrics && !any; i++)
		any = r->meta.metrics[i].sem == PF_DISCRETE;
	if (!any)
		return true;
	if (pf_pcp_file_peek(f, &rec, NULL) != 1 || pf_pcp_result_decode(rec, r->label.version, &result, NULL) < 0 ||
	    pf_pcp_result_next(&result, &set, NULL) != 1)
		return false;
	const struct pf_pcp_metric *m = pf_pcp_meta_metric(&r->meta, set.pmid);
	return m && m->sem == PF_DISCRETE &&
	       set.n > 0; /* a record that begins with the end of a value may only tell of ends */
}

/* Return: 1 went there, 0 it cannot be or need not. */
static int go_to_entry(struct pf_pcp_reader *r, const struct pf_pcp_entry *entry, bool whole)
{
	bool same = (unsigned)entry->volume == r->volumes[r->volume - 1];
	if (same && entry->data <= r->data.off)
		return 0;
	struct pf_pcp_file other = { .fd = -1 };
	unsigned volume = r->volume;
	struct pf_pcp_file *f = same ? &r->data : &other;
	uint64_t off = f->off;
	if (!same && !go_to_volume(r, (unsigned)entry->volume, &other, &volume))
		return 0;
	f->align = 4;
	if (!is_at(f, entry, r->label.version) || (whole && !is_whole(r, f))) {
		f->off = off;
		pf_pcp_file_done(&other);
		return 0;
	}
	if (!same) {
		pf_pcp_file_done(&r->data);
		r->data = other;
		r->volume = volume;
	}
	r->jumped = true;
	r->missing = r->missing_end = 0;
	return 1;
}

bool pf_pcp_reader_skip(struct pf_pcp_reader *r, int64_t before_ns, bool whole)
{
	const struct pf_pcp_temporal *t = &r->temporal;
	const struct pf_pcp_entry *entry = pf_pcp_temporal_find(t, before_ns);
	if (!r->data.name || !r->ready || r->volume == 0)
		return false;
	while (entry && entry->time_ns > r->last_ns) {
		if (go_to_entry(r, entry, whole))
			return true;
		if (!whole)
			return false;
		entry = entry > t->entries ? entry - 1 : NULL;
	}
	return false;
}
