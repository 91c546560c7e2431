/* formats/pcp/check_index.c - pass 1: the entries of the index by themselves, and against the sizes of the files that they point into. */
#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "formats/pcp/check_state.h"
#include "formats/pcp/names.h"

enum { NS = 1000000000 };

/* The pass at entry @i. */
struct pass {
	struct pf_pcp_check *c;
	const char *file;
	size_t i;
	const struct pf_pcp_check_entry *e;
};

/* Entries are counted from 1: what stands in front of them is the label. */
static struct pf_finding at(const struct pass *p, const char *rule)
{
	size_t label = p->c->result->label.version >= 3 ? PF_PCP_LABEL3_LEN : PF_PCP_LABEL2_LEN;
	size_t len = p->c->result->label.version >= 3 ? PF_PCP_ENTRY3_LEN : PF_PCP_ENTRY2_LEN;
	struct pf_finding f = {
		.grade = PF_GRADE_ERROR, .rule = rule, .file = p->file, .record = p->i + 1, .byte = label + p->i * len
	};
	if (p->e->seconds > 0 && p->e->seconds < INT64_MAX / NS - 1 && p->e->nanos >= 0 && p->e->nanos < NS)
		f.from_ns = p->e->seconds * NS + p->e->nanos;
	return f;
}

static const struct pf_pcp_check_volume *volume_of(const struct pf_pcp_check *c, int32_t number)
{
	for (unsigned i = 0; i < c->n_volumes; i++) {
		if ((int64_t)c->volumes[i].number == number)
			return &c->volumes[i];
	}
	return NULL;
}

/* Old volumes may be removed, the first ones first. What is lost of others is what was between their entry and that of a volume that is there. */
static void tell_missing(const struct pass *p)
{
	const struct pf_pcp_check *c = p->c;
	struct pf_finding f = at(p, "entry-missing");
	f.numbers[0] = p->e->volume;
	if (!c->options->peer && (int64_t)p->e->volume < (int64_t)c->volumes[0].number)
		f.grade = PF_GRADE_NOTE;
	for (size_t i = p->i + 1; i < c->n_entries && f.from_ns > 0 && f.until_ns == 0; i++) {
		const struct pf_pcp_check_entry *e = &c->entries[i];
		if (volume_of(c, e->volume) && e->seconds >= p->e->seconds && e->seconds < INT64_MAX / NS - 1)
			f.until_ns = e->seconds * NS + e->nanos;
	}
	pf_finding_tell(c->to, f, "the volume %d is not there", p->e->volume);
}

static void check_volume(const struct pass *p, const struct pf_pcp_check_entry *before)
{
	struct pf_finding f = at(p, "entry-volume");
	f.numbers[0] = p->e->volume;
	if (p->e->volume < 0)
		pf_finding_tell(p->c->to, f, "the volume %d cannot be", p->e->volume);
	else if (!volume_of(p->c, p->e->volume) && (!before || before->volume != p->e->volume))
		tell_missing(p);
}

static void check_time(const struct pass *p)
{
	struct pf_finding f = at(p, "entry-negative");
	f.numbers[0] = p->e->seconds;
	f.numbers[1] = p->e->nanos;
	if (p->e->seconds < 0 || p->e->nanos < 0) {
		pf_finding_tell(p->c->to, f, "the time is negative: %lld s, %lld ns", (long long)p->e->seconds,
				(long long)p->e->nanos);
	} else if (p->e->nanos >= NS) {
		f.rule = "entry-nanoseconds";
		pf_finding_tell(p->c->to, f, "a second has no %lld ns", (long long)p->e->nanos);
	}
}

/* @what: "metadata" or "values"; @size 0: not known. */
static void check_offset(const struct pass *p, const char *rules[2], const char *what, int64_t off, uint64_t size)
{
	size_t label = p->c->result->label.version >= 3 ? PF_PCP_LABEL3_LEN : PF_PCP_LABEL2_LEN;
	struct pf_finding f = at(p, rules[0]);
	f.numbers[0] = off;
	f.numbers[1] = (int64_t)label;
	bool inside = p->c->options->peer ? (uint64_t)off < label : off < (int64_t)label;
	if (inside) {
		pf_finding_tell(p->c->to, f, "its %s are to be at byte %lld, inside the label", what, (long long)off);
	} else if (size > 0 && (uint64_t)off > size) {
		f.rule = rules[1];
		f.numbers[1] = (int64_t)size;
		pf_finding_tell(p->c->to, f, "its %s are to be at byte %lld, behind the end of the file at %llu", what,
				(long long)off, (unsigned long long)size);
	}
}

static void check_offsets(const struct pass *p)
{
	static const char *meta_rules[] = { "entry-meta-label", "entry-meta-end" };
	static const char *data_rules[] = { "entry-data-label", "entry-data-end" };
	const struct pf_pcp_check_volume *v = volume_of(p->c, p->e->volume);
	check_offset(p, meta_rules, "metadata", p->e->meta, p->c->meta_size);
	check_offset(p, data_rules, "values", p->e->data, v ? v->size : 0);
}

static bool is_before(int64_t seconds, int64_t nanos, int64_t than_seconds, int64_t than_nanos)
{
	return seconds < than_seconds || (seconds == than_seconds && nanos < than_nanos);
}

static void check_start(const struct pass *p)
{
	int64_t start_ns = p->c->result->label.start_ns;
	struct pf_finding f = at(p, "entry-early");
	f.numbers[0] = p->e->seconds;
	f.numbers[1] = p->e->nanos;
	f.numbers[2] = start_ns / NS;
	f.numbers[3] = start_ns % NS;
	if (is_before(p->e->seconds, p->e->nanos, f.numbers[2], f.numbers[3]))
		pf_finding_tell(p->c->to, f, "its time is before that of the label");
}

static void check_order(const struct pass *p, const struct pf_pcp_check_entry *before)
{
	const struct pf_pcp_check_entry *e = p->e;
	struct pf_finding f = at(p, "entry-time-back");
	if (is_before(e->seconds, e->nanos, before->seconds, before->nanos)) {
		f.numbers[0] = e->seconds;
		f.numbers[1] = e->nanos;
		f.numbers[2] = before->seconds;
		f.numbers[3] = before->nanos;
		f.numbers[4] = (int64_t)p->i;
		pf_finding_tell(p->c->to, f, "its time is before that of the entry before");
	}
	static const struct {
		const char *rule;
		const char *what;
	} rows[] = { { "entry-volume-back", "volume" },
		     { "entry-meta-back", "place of metadata" },
		     { "entry-data-back", "place of values" } };
	const int64_t now[] = { e->volume, e->meta, e->data };
	const int64_t then[] = { before->volume, before->meta, before->data };
	for (unsigned i = 0; i < 3; i++) {
		bool other = i == 1 ? e->volume < before->volume : i == 2 && e->volume != before->volume;
		if (now[i] >= then[i] || other)
			continue;
		f.rule = rows[i].rule;
		f.numbers[0] = now[i];
		f.numbers[1] = then[i];
		f.numbers[2] = (int64_t)p->i;
		pf_finding_tell(p->c->to, f, "its %s is %lld, in the entry before it was %lld", rows[i].what,
				(long long)now[i], (long long)then[i]);
	}
}

int pf_pcp_check_index(struct pf_pcp_check *c, struct pf_err *err)
{
	if (c->no_index) {
		struct pf_finding f = { .grade = PF_GRADE_NOTE,
					.rule = "no-index",
					.file = c->base,
					.record = PF_FINDING_NOWHERE,
					.byte = PF_FINDING_NOWHERE };
		pf_finding_tell(c->to, f, "there is no index that can be read; it only saves time");
		return 0;
	}
	pf_autofree char *file = pf_pcp_names_path(c->base, "index");
	if (!file)
		return pf_err_set(err, -ENOMEM, "%s: no memory", c->base);
	for (size_t i = 0; i < c->n_entries; i++) {
		const struct pf_pcp_check_entry *before = i > 0 ? &c->entries[i - 1] : NULL;
		struct pass p = { c, file, i, &c->entries[i] };
		check_volume(&p, before);
		check_time(&p);
		check_offsets(&p);
		check_start(&p);
		if (before)
			check_order(&p, before);
	}
	return 0;
}
