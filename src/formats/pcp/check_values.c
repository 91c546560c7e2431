/* formats/pcp/check_values.c - pass 3: the volumes, record by record. */
#include "formats/pcp/check_values.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "formats/pcp/names.h"

enum { STEP_EVERY = 256, SLACK_NS = 1000000 };

static bool is_sane(const void *arg, struct pf_view rec)
{
	const struct pf_pcp_values *p = arg;
	struct pf_pcp_result r;
	return pf_pcp_result_decode(rec, p->c->result->label.version, &r, NULL) == 0 &&
	       r.time_ns + SLACK_NS >= p->c->result->label.start_ns && r.time_ns >= p->last_ns &&
	       pf_pcp_result_check(rec, p->c->result->label.version, NULL) == 0;
}

/* The damaged record with what is behind it that makes no sense either. */
static void tell_frame(struct pf_pcp_values *p, enum pf_pcp_frame frame, const int64_t numbers[2])
{
	struct pf_finding f = pf_pcp_check_at(&p->file, PF_GRADE_ERROR, "");
	const char *why = pf_pcp_file_why(&p->file, "it cannot be unpacked");
	struct pf_view rec;
	struct pf_pcp_result next;
	pf_pcp_file_resync(&p->file, is_sane, p);
	f.lost = p->file.off - f.byte;
	f.from_ns = p->last_ns;
	if (p->file.off < p->file.size && pf_pcp_file_peek(&p->file, &rec, NULL) == 1 &&
	    pf_pcp_result_decode(rec, p->c->result->label.version, &next, NULL) == 0)
		f.until_ns = next.time_ns;
	pf_pcp_check_tell_frame(p->c, f, frame, numbers, why);
	p->epoch++;
}

/* Entries of the index for places up to @off, where a record of @time_ns begins; -1: only the end of the file is there. */
static void check_entries(struct pf_pcp_values *p, uint64_t off, int64_t time_ns)
{
	for (; p->next_entry < p->n_entries; p->next_entry++) {
		const struct pf_pcp_check_entry *e = p->entries[p->next_entry];
		if (e->volume > p->volume || (e->volume == p->volume && e->data > (int64_t)off))
			return;
		if (e->volume < p->volume || p->c->options->peer)
			continue;
		struct pf_finding f = pf_pcp_check_at(&p->file, PF_GRADE_ERROR, "entry-data");
		f.record = PF_FINDING_NOWHERE;
		f.byte = (uint64_t)e->data;
		f.numbers[0] = e - p->c->entries + 1;
		int64_t entry_ns = e->seconds * PF_NS_PER_SEC + e->nanos;
		if (e->data < (int64_t)off) {
			pf_finding_tell(p->c->to, f,
					"entry %lld of the index says that a record begins here, and none does",
					(long long)f.numbers[0]);
		} else if (time_ns >= 0 && entry_ns != time_ns) {
			f.rule = "entry-time";
			f.from_ns = time_ns;
			f.until_ns = entry_ns;
			pf_finding_tell(p->c->to, f, "entry %lld of the index names another time than the record has",
					(long long)f.numbers[0]);
		}
	}
}

/* Return: does it go back? */
static bool check_time(struct pf_pcp_values *p, int64_t now_ns)
{
	struct pf_finding f = pf_pcp_check_at(&p->file, PF_GRADE_ERROR, "early");
	f.from_ns = now_ns;
	f.until_ns = p->c->result->label.start_ns;
	f.numbers[5] = p->c->volumes[0].number;
	if (now_ns < p->c->result->label.start_ns)
		pf_finding_tell(p->c->to, f, "the record is of a time before the archive begins");
	f.rule = "time-back";
	f.until_ns = p->last_ns;
	bool back = p->last_ns > 0 && now_ns < p->last_ns;
	if (back)
		pf_finding_tell(p->c->to, f, "time goes back by %.3f s", (double)(p->last_ns - now_ns) / 1e9);
	return back;
}

/* Volumes are missing in front of this record. That the index knows of them was told in pass 1; if it does not, a mark stands for them. */
static void check_missing(struct pf_pcp_values *p, const struct pf_pcp_result *r)
{
	bool told = r->n == 0;
	for (size_t i = 0; i < p->n_entries && !told; i++)
		told = p->entries[i]->volume >= (int64_t)p->missing && p->entries[i]->volume < (int64_t)p->missing_end;
	struct pf_finding f = pf_pcp_check_at(&p->file, PF_GRADE_ERROR, "volume-missing");
	f.from_ns = p->last_ns;
	f.until_ns = r->time_ns;
	f.numbers[0] = p->missing;
	f.numbers[1] = p->missing_end - 1;
	if (!told && p->missing_end - p->missing > 1)
		pf_finding_tell(p->c->to, f, "the volumes %u to %u in front of this one are not there", p->missing,
				p->missing_end - 1);
	else if (!told)
		pf_finding_tell(p->c->to, f, "the volume %u in front of this one is not there", p->missing);
	p->missing = p->missing_end = 0;
	p->epoch++;
}

/* Has it nothing but metrics that have no values any more? */
static bool only_ends(struct pf_pcp_result r)
{
	struct pf_pcp_set set;
	bool any = false;
	while (pf_pcp_result_next(&r, &set, NULL) == 1) {
		if (set.n != 0)
			return false;
		any = true;
	}
	return any;
}

/* A record whose frame is good. Return: 0; 1: a peer stops here; negative errno. */
static int check_record(struct pf_pcp_values *p, struct pf_view rec, struct pf_err *err)
{
	struct pf_pcp_result r;
	struct pf_err why = { 0 };
	struct pf_pcp_check_result *result = p->c->result;
	int rc = pf_pcp_result_decode(rec, result->label.version, &r, &why);
	if (rc == 0)
		rc = pf_pcp_result_check(rec, result->label.version, &why);
	if (rc < 0) {
		struct pf_finding f = pf_pcp_check_at(&p->file, PF_GRADE_ERROR, "record");
		f.from_ns = p->last_ns;
		f.numbers[5] = p->c->volumes[0].number;
		f.lost = rec.n;
		pf_finding_tell(p->c->to, f, "%s", why.text);
		p->epoch++;
		check_entries(p, p->file.off, -1);
		return p->c->options->peer;
	}
	check_entries(p, p->file.off, r.time_ns);
	if (p->c->options->until_ns > 0 && r.time_ns > p->c->options->until_ns) {
		result->results += p->c->options->peer; /* it counts the one at which it stops */
		return p->c->options->peer;
	}
	if (p->c->options->from_ns > 0 && r.time_ns < p->c->options->from_ns)
		return 0;
	if (p->missing_end > 0)
		check_missing(p, &r);
	bool back = check_time(p, r.time_ns);
	rc = pf_pcp_meta_advance(&p->meta, r.time_ns, &p->damage, err);
	if (rc < 0)
		return rc;
	bool own = !p->ended || r.time_ns != p->last_ns;
	p->ended = only_ends(r);
	pf_pcp_gaps_add(&p->gaps, p->last_ns, r.time_ns, r.n == 0);
	p->last_ns = r.time_ns;
	p->number++;
	if (result->start_ns == 0)
		result->start_ns = r.time_ns;
	if (r.time_ns > result->end_ns)
		result->end_ns = r.time_ns;
	if (r.n == 0) {
		result->marks++;
		p->epoch++;
		return 0;
	}
	result->results++;
	result->samples += own;
	if (back && p->c->options->peer)
		return 0; /* it looks at no values of such a record */
	rc = pf_pcp_values_sets(p, &r);
	return rc == -ENOMEM ? pf_err_set(err, rc, "%s: no memory", p->file.name) : rc;
}

static int walk(struct pf_pcp_values *p, struct pf_err *err)
{
	int rc = 0;
	while (rc == 0 && !p->c->stopped) {
		struct pf_view rec;
		int64_t numbers[2];
		int frame = pf_pcp_check_frame(&p->file, &rec, numbers, err);
		if (frame < 0)
			return frame;
		if (frame == PF_PCP_FRAME_END) {
			check_entries(p, p->file.off, -1);
			break;
		}
		if (frame != PF_PCP_FRAME_OK) {
			tell_frame(p, (enum pf_pcp_frame)frame, numbers);
			continue;
		}
		rc = check_record(p, rec, err);
		pf_pcp_file_take(&p->file, rec);
		if (p->file.number % STEP_EVERY == 0)
			(void)pf_pcp_check_step(p->c, &p->file);
	}
	return rc;
}

/* A volume that cannot be opened (compressed in a way that is not read here) costs its own values. */
static int tell_unread(struct pf_pcp_values *p, const char *why)
{
	struct pf_finding f = { .grade = PF_GRADE_ERROR,
				.rule = "unread",
				.file = p->c->base,
				.record = PF_FINDING_NOWHERE,
				.byte = PF_FINDING_NOWHERE };
	pf_finding_tell(p->c->to, f, "%s; its values are lost", why);
	return 0;
}

static int check_volume(struct pf_pcp_values *p, const struct pf_pcp_check_volume *v, bool last, struct pf_err *err)
{
	char suffix[16];
	struct pf_err why = { 0 };
	if (v > p->c->volumes && v->number > v[-1].number + 1 && !p->c->options->peer) {
		p->missing = p->missing_end > 0 ? p->missing : v[-1].number + 1;
		p->missing_end = v->number;
	}
	p->volume = (int32_t)v->number;
	(void)snprintf(suffix, sizeof(suffix), "%u", v->number);
	int rc = pf_pcp_names_open(p->c->base, suffix, 4, &p->file, &why);
	if (rc == -ENOMEM)
		return pf_err_set(err, rc, "%s", why.text);
	if (rc < 0)
		return tell_unread(p, why.text);
	bool peer = p->c->options->peer;
	rc = pf_pcp_check_label(p->c, &p->file, p->volume, peer, err);
	uint64_t begin = p->file.off;
	if (rc >= 0 && !p->c->options->meta_only)
		rc = walk(p, err);
	bool empty = rc == 0 && p->file.off == begin && p->file.off >= p->file.size && !p->c->options->meta_only;
	if (empty && !peer) {
		struct pf_finding f = pf_pcp_check_at(&p->file, last ? PF_GRADE_NOTE : PF_GRADE_ERROR, "empty");
		pf_finding_tell(p->c->to, f, "there are no values in it");
	}
	if (!peer && !p->c->options->meta_only)
		p->c->result->records += p->file.number;
	pf_pcp_file_done(&p->file);
	return rc;
}

static int by_place(const void *a, const void *b)
{
	const struct pf_pcp_check_entry *const *x = a;
	const struct pf_pcp_check_entry *const *y = b;
	if ((*x)->volume != (*y)->volume)
		return (*x)->volume < (*y)->volume ? -1 : 1;
	return ((*x)->data > (*y)->data) - ((*x)->data < (*y)->data);
}

/* In the order of their places. Those inside a label or behind the end were told in pass 1. */
static int sort_entries(struct pf_pcp_values *p)
{
	size_t label = p->c->result->label.version >= 3 ? PF_PCP_LABEL3_LEN : PF_PCP_LABEL2_LEN;
	p->entries = calloc(p->c->n_entries ? p->c->n_entries : 1, sizeof(struct pf_pcp_check_entry *));
	if (!p->entries)
		return -ENOMEM;
	for (size_t i = 0; i < p->c->n_entries; i++) {
		const struct pf_pcp_check_entry *e = &p->c->entries[i];
		bool sane = e->seconds >= 0 && e->nanos >= 0 && e->seconds < INT64_MAX / PF_NS_PER_SEC - 1;
		if (e->data >= (int64_t)label && sane)
			p->entries[p->n_entries++] = e;
	}
	if (p->n_entries > 0)
		qsort(p->entries, p->n_entries, sizeof(struct pf_pcp_check_entry *), by_place);
	return 0;
}

/* Metrics and instances, as a reader has them; what is damaged of them was told in pass 2. */
static int load(struct pf_pcp_values *p, struct pf_err *err)
{
	struct pf_pcp_label label;
	int rc = pf_pcp_names_open(p->c->base, "meta", 1, &p->meta.file, err);
	if (rc < 0)
		return rc;
	struct pf_view rec;
	if (pf_pcp_file_peek(&p->meta.file, &rec, NULL) == 1 && pf_pcp_label_decode(rec, &label, NULL) == 0)
		pf_pcp_file_take(&p->meta.file, rec);
	else
		p->meta.file.off = p->c->result->label.version >= 3 ? PF_PCP_LABEL3_LEN : PF_PCP_LABEL2_LEN;
	rc = pf_pcp_meta_load(&p->meta, &p->damage, err);
	if (rc == 0)
		rc = sort_entries(p);
	return rc;
}

static void tell_late(struct pf_pcp_values *p)
{
	struct pf_finding f = { .grade = PF_GRADE_WARNING,
				.rule = "indom-late",
				.file = p->meta.file.name,
				.record = PF_FINDING_NOWHERE,
				.byte = PF_FINDING_NOWHERE,
				.from_ns = p->c->last_change_ns,
				.until_ns = p->c->result->end_ns };
	if (p->c->result->end_ns > 0 && p->c->last_change_ns > p->c->result->end_ns + SLACK_NS)
		pf_finding_tell(p->c->to, f, "it tells of instances of a time after the last values");
}

/* Nobody can make anything of it: neither we nor PCP's tools. */
static void tell_nothing(const struct pf_pcp_check *c)
{
	struct pf_finding f = { .grade = PF_GRADE_ERROR,
				.rule = "no-values",
				.file = c->base,
				.record = PF_FINDING_NOWHERE,
				.byte = PF_FINDING_NOWHERE };
	if (c->result->samples == 0)
		pf_finding_tell(c->to, f, "there is no sample in it: nothing was recorded, or all of it is lost");
	else if (c->result->sets == 0)
		pf_finding_tell(c->to, f,
				"none of its values is of a metric that .meta describes; is it the right one?");
}

int pf_pcp_check_values(struct pf_pcp_check *c, struct pf_err *err)
{
	struct pf_pcp_values p = { .c = c, .meta.file.fd = -1, .epoch = 1 };
	int rc = load(&p, err);
	for (unsigned i = 0; i < c->n_volumes && rc == 0 && !c->stopped; i++)
		rc = check_volume(&p, &c->volumes[i], i + 1 == c->n_volumes, err);
	if (rc == 0 && !c->options->peer && !c->options->meta_only) {
		pf_pcp_values_unnamed(&p);
		pf_pcp_gaps_tell(&p.gaps, c);
		tell_late(&p);
		if (!c->stopped)
			tell_nothing(c);
	}
	pf_pcp_meta_done(&p.meta);
	pf_pcp_damage_done(&p.damage);
	pf_pcp_check_table_done(&p.series);
	pf_pcp_check_table_done(&p.pmids);
	free(p.last);
	free(p.metrics);
	free(p.entries);
	return rc > 0 ? 0 : rc;
}
