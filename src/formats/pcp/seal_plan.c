/* formats/pcp/seal_plan.c - which records of values stay. What is damaged does not (formats/pcp/scan.h), and since in archives no time goes back, of
 * records whose times do as few are left out as can be: those that were put elsewhere, or what was recorded on one side of a clock's step back. */
#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "formats/pcp/scan.h"
#include "formats/pcp/seal_state.h"

static const char disordered[] = "times go back there";
static const char early[] = "it is of a time before the archive begins";

static int add_step(struct pf_seal *s, const struct pf_seal_step *step)
{
	void *array = s->steps;
	int rc = pf_seal_grow(&array, &s->cap_steps, s->n_steps, sizeof(*s->steps));
	s->steps = array;
	if (rc == 0)
		s->steps[s->n_steps++] = *step;
	return rc;
}

/* @last_ns: in/out, of the record before, 0 there was none. */
static int scan_volume(struct pf_seal *s, struct pf_seal_file *f, int64_t *last_ns, struct pf_err *err)
{
	f->steps = s->n_steps;
	for (;;) {
		struct pf_pcp_scan scan = { &f->file, s->label.version, s->label.start_ns, *last_ns, NULL };
		struct pf_view rec;
		struct pf_pcp_result result;
		struct pf_pcp_hole hole;
		struct pf_err why = { 0 };
		struct pf_seal_step step = { .from = f->file.off, .number = f->file.number };
		int rc = pf_pcp_scan_next(&scan, &rec, &result, &hole, &why);
		if (rc == 1) {
			pf_pcp_file_take(&f->file, rec);
			step.to = f->file.off;
			*last_ns = step.time_ns = result.time_ns;
		} else if (rc == -EBADMSG) {
			step.to = hole.to;
			step.why = pf_arena_dup(&s->text, pf_view_of(why.text));
			if (!step.why)
				return pf_err_set(err, -ENOMEM, "%s: no memory", f->path);
		} else if (rc < 0) {
			return pf_err_set(err, rc, "%s: %s", f->path, why.text[0] ? why.text : "no memory");
		}
		if (rc == 0)
			break;
		rc = add_step(s, &step);
		if (rc < 0)
			return pf_err_set(err, rc, "%s: no memory", f->path);
	}
	f->n_steps = s->n_steps - f->steps;
	return 0;
}

/* Records older than the archive: if most are, or hardly, it began earlier than its labels say. */
static void check_start(struct pf_seal *s)
{
	int64_t start_ns = s->label.start_ns;
	int64_t first_ns = start_ns;
	size_t n = 0;
	size_t n_early = 0;
	for (size_t i = 0; i < s->n_steps; i++) {
		const struct pf_seal_step *step = &s->steps[i];
		n += !step->why;
		n_early += !step->why && step->time_ns < start_ns;
		if (!step->why && step->time_ns < first_ns)
			first_ns = step->time_ns;
	}
	if (n_early == 0)
		return;
	if (n_early > n / 2 || first_ns + PF_SEAL_SLACK_NS >= start_ns) {
		s->label.start_ns = first_ns;
		s->starts_early = true;
		return;
	}
	for (size_t i = 0; i < s->n_steps; i++) {
		if (!s->steps[i].why && s->steps[i].time_ns < start_ns)
			s->steps[i].why = early;
	}
}

static bool is_in_order(const struct pf_seal *s)
{
	int64_t last_ns = 0;
	for (size_t i = 0; i < s->n_steps; i++) {
		if (s->steps[i].why)
			continue;
		if (s->steps[i].time_ns < last_ns)
			return false;
		last_ns = s->steps[i].time_ns;
	}
	return true;
}

/* The longest row of records whose times do not go back. @ends: by length less one: the record with the earliest time that can end such a row; @before:
 * by record: the one before it in the row. */
static size_t longest_row(const struct pf_seal *s, size_t *ends, size_t *before)
{
	size_t n = 0;
	for (size_t i = 0; i < s->n_steps; i++) {
		if (s->steps[i].why)
			continue;
		size_t from = 0;
		size_t to = n;
		while (from < to) {
			size_t middle = from + (to - from) / 2;
			if (s->steps[ends[middle]].time_ns <= s->steps[i].time_ns)
				from = middle + 1;
			else
				to = middle;
		}
		before[i] = from > 0 ? ends[from - 1] : i;
		ends[from] = i;
		n += from == n;
	}
	return n;
}

static int put_in_order(struct pf_seal *s)
{
	if (is_in_order(s))
		return 0;
	pf_autofree size_t *ends = calloc(s->n_steps, sizeof(*ends));
	pf_autofree size_t *before = calloc(s->n_steps, sizeof(*before));
	if (!ends || !before)
		return -ENOMEM;
	size_t n = longest_row(s, ends, before);
	size_t keep = ends[n - 1];
	for (size_t i = s->n_steps; i-- > 0;) {
		if (i == keep)
			keep = before[i];
		else if (!s->steps[i].why)
			s->steps[i].why = disordered;
	}
	return 0;
}

int pf_seal_plan(struct pf_seal *s, struct pf_err *err)
{
	int64_t last_ns = 0;
	for (unsigned i = 0; i < s->n_volumes; i++) {
		int rc = scan_volume(s, &s->volumes[i], &last_ns, err);
		if (rc < 0)
			return rc;
	}
	check_start(s);
	return put_in_order(s) < 0 ? pf_err_set(err, -ENOMEM, "%s: no memory", s->base) : 0;
}
