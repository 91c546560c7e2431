/* formats/pcp/seal_index.c - the temporal index as it should be. It holds nothing that the volumes do not tell, so it is kept while it agrees with
 * them, continued if only its last entry is missing, and else made anew. Source: LOGARCHIVE(5), observed index files. */
#include <errno.h>
#include <stdlib.h>

#include "base/err.h"
#include "formats/pcp/seal_state.h"

static int by_place(const void *key, const void *item)
{
	uint64_t off = *(const uint64_t *)key;
	uint64_t other = ((const struct pf_seal_step *)item)->from;
	return (off > other) - (off < other);
}

static int by_off(const void *key, const void *item)
{
	uint64_t off = *(const uint64_t *)key;
	uint64_t other = ((const struct pf_seal_record *)item)->off;
	return (off > other) - (off < other);
}

/* Does a record of .meta begin there, or end the last one? They did not move. */
static bool is_meta_place(const struct pf_seal *s, uint64_t off)
{
	if (off == s->meta.file.size)
		return true;
	return s->n_records > 0 && bsearch(&off, s->records, s->n_records, sizeof(*s->records), by_off);
}

/* Does an entry say what is there: a record of that time at that place, a record of .meta, nothing earlier than the entry before? */
static bool is_right(struct pf_seal *s, const struct pf_pcp_entry *e, const struct pf_pcp_entry *before)
{
	const struct pf_seal_file *f = NULL;
	for (unsigned i = 0; i < s->n_volumes && !f; i++)
		f = s->volumes[i].volume == e->volume ? &s->volumes[i] : NULL;
	if (!f || f->n_steps == 0 || !is_meta_place(s, e->meta))
		return false;
	bool later = e->time_ns >= before->time_ns && e->volume >= before->volume && e->meta >= before->meta &&
		     (e->volume > before->volume || e->data >= before->data);
	const struct pf_seal_step *step =
		bsearch(&e->data, s->steps + f->steps, f->n_steps, sizeof(*s->steps), by_place);
	return later && step && !step->why && step->time_ns == e->time_ns;
}

bool pf_seal_index_knows(struct pf_seal *s, int32_t first, int32_t end)
{
	size_t len = s->label.version >= 3 ? PF_PCP_ENTRY3_LEN : PF_PCP_ENTRY2_LEN;
	struct pf_view bytes;
	struct pf_pcp_entry e;
	uint64_t off = s->label_n;
	for (; s->index.file.name && pf_pcp_file_bytes(&s->index.file, off, len, &bytes, NULL) == 1; off += len) {
		if (pf_pcp_entry_decode(bytes, s->label.version, &e, NULL) == 0 && e.volume >= first && e.volume < end)
			return true;
	}
	return false;
}

static bool is_end(const struct pf_seal *s, const struct pf_pcp_entry *e)
{
	return e->volume == s->last.volume && e->data == s->last.data && e->time_ns == s->last.time_ns;
}

/* An entry that is right but for what it speaks of: that was cut off, between two records. */
static bool knows_more(const struct pf_seal *s, const struct pf_pcp_entry *e, const struct pf_pcp_entry *before)
{
	const struct pf_seal_file *end = &s->volumes[s->n_volumes - 1];
	return e->time_ns > s->last.time_ns && e->time_ns >= before->time_ns && e->volume >= end->volume &&
	       (e->volume > end->volume || e->data >= end->file.size);
}

static void tell_more(struct pf_seal *s, const struct pf_pcp_entry *e)
{
	struct pf_seal_file *end = &s->volumes[s->n_volumes - 1];
	struct pf_finding f = { .grade = PF_GRADE_ERROR,
				.rule = "sealed-tail",
				.file = end->path,
				.record = PF_FINDING_NOWHERE,
				.byte = end->file.size,
				.lost = e->volume == end->volume ? e->data - end->file.size : 0,
				.from_ns = s->last.time_ns,
				.until_ns = e->time_ns };
	s->result = PF_SEALED_WITH_LOSS;
	pf_finding_tell(s->to, f,
			"the file ends there, but its index knows of a later record; what was behind is lost");
}

/* Look at what there is. @ret_same: it can stay; @ret_open: it can, but its last entry is missing. Return: why neither, NULL if one of them. */
static const char *look(struct pf_seal *s, bool *ret_same, bool *ret_open)
{
	struct pf_pcp_file *f = &s->index.file;
	size_t len = s->label.version >= 3 ? PF_PCP_ENTRY3_LEN : PF_PCP_ENTRY2_LEN;
	struct pf_pcp_entry before = { 0 };
	struct pf_pcp_entry e;
	struct pf_view bytes;
	*ret_same = *ret_open = false;
	if (!f->name)
		return "is missing";
	if (f->packed && pf_pcp_file_why(f, NULL))
		return "is damaged";
	while (pf_pcp_file_bytes(f, f->off, len, &bytes, NULL) == 1) {
		int rc = pf_pcp_entry_decode(bytes, s->label.version, &e, NULL);
		if (rc == 0 && is_right(s, &e, &before)) {
			before = e;
			f->off += len;
			continue;
		}
		if (rc == 0 && knows_more(s, &e, &before))
			tell_more(s, &e);
		return "does not agree with the values";
	}
	if (f->off < f->size)
		return "is cut off";
	if (before.volume == 0 && before.data == 0)
		return "has no entries";
	*ret_same = is_end(s, &before);
	*ret_open = !*ret_same;
	return NULL;
}

/* Is a file but for its label what it was? */
static bool is_same(const struct pf_seal *s, const struct pf_seal_file *f)
{
	const struct pf_patch_part *last = f->patch.n > 0 ? &f->patch.parts[f->patch.n - 1] : NULL;
	return f->patch.size == f->file.size && last && !last->made && last->from <= s->label_n &&
	       last->from + last->n == f->file.size;
}

/* Do records stand elsewhere than before, or say something else? */
static bool others_move(const struct pf_seal *s)
{
	bool any = !is_same(s, &s->meta);
	for (unsigned i = 0; i < s->n_volumes; i++)
		any |= !is_same(s, &s->volumes[i]);
	return any;
}

static void put_entry(struct pf_seal *s, const struct pf_pcp_entry *e)
{
	struct pf_buf b = { 0 };
	pf_pcp_entry_encode(&b, s->label.version, e);
	pf_patch_put(&s->index.patch, b.p, b.n);
	if (b.failed)
		s->index.patch.failed = b.failed;
	pf_buf_done(&b);
}

static void make_anew(struct pf_seal *s)
{
	for (size_t i = 0; i < s->n_wanted; i++)
		put_entry(s, &s->wanted[i]);
	const struct pf_pcp_entry *end = s->n_wanted > 0 ? &s->wanted[s->n_wanted - 1] : NULL;
	struct pf_pcp_entry last = s->last;
	last.meta = s->meta.patch.size;
	if (!end || end->data != last.data || end->volume != last.volume || end->meta != last.meta)
		put_entry(s, &last);
}

int pf_seal_index(struct pf_seal *s, struct pf_err *err)
{
	bool same = false;
	bool open = false;
	bool anew = others_move(s);
	pf_seal_label(s, &s->index);
	const char *why = anew ? "was made for what is not there any more" : look(s, &same, &open);
	if (s->index.file.name && !why)
		pf_patch_keep(&s->index.patch, s->label_n, s->index.file.size - s->label_n);
	if (open) {
		struct pf_pcp_entry last = s->last;
		last.meta = s->meta.patch.size;
		put_entry(s, &last);
	} else if (why) {
		make_anew(s);
	}
	struct pf_finding f = { .grade = PF_GRADE_NOTE,
				.rule = "sealed-index",
				.file = s->index.path,
				.record = PF_FINDING_NOWHERE,
				.byte = PF_FINDING_NOWHERE };
	if (why)
		pf_finding_tell(s->to, f, "the index %s; made anew of the values", why);
	else if (open)
		pf_finding_tell(s->to, f, "the last entry of the index was missing");
	return s->index.patch.failed ? pf_err_set(err, -ENOMEM, "%s: no memory", s->index.path) : 0;
}
