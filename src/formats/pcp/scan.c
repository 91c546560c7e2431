/* formats/pcp/scan.c - one volume from front to end. Source: LOGARCHIVE(5), observed bytes. */
#include "formats/pcp/scan.h"

#include <errno.h>

#include "base/err.h"
#include "formats/pcp/be.h"

enum { NS_SLACK = 1000000, TIME3_LEN = 12 };

static bool is_sane(const void *arg, struct pf_view rec)
{
	const struct pf_pcp_scan *s = arg;
	struct pf_pcp_result result;
	return pf_pcp_result_decode(rec, s->version, &result, NULL) == 0 && result.time_ns >= s->start_ns - NS_SLACK &&
	       result.time_ns >= s->last_ns && pf_pcp_result_check(rec, s->version, NULL) == 0;
}

/* Time of the record that should begin at @off, -1 if nothing does. */
static int64_t time_at(const struct pf_pcp_scan *s, uint64_t off)
{
	char head[4 + TIME3_LEN];
	if (!pf_pcp_file_look(s->file, off, head, sizeof(head)))
		return -1;
	struct pf_be c = pf_be_of((struct pf_view){ head + 4, TIME3_LEN });
	return pf_pcp_time(&c, s->version);
}

/* The same of the record behind that. */
static int64_t time_after(const struct pf_pcp_scan *s, uint64_t off)
{
	char len[4];
	if (!pf_pcp_file_look(s->file, off, len, sizeof(len)))
		return -1;
	return time_at(s, off + pf_be_get_u32((struct pf_view){ len, sizeof(len) }, 0));
}

/* A time that neither follows the one before nor comes before the two behind, which fit each other. Where the clock was set, all that is behind is
 * older, too. Of the last two that do not fit the last one is to blame. */
static bool is_odd(const struct pf_pcp_scan *s, const struct pf_pcp_result *r)
{
	int64_t last_ns = s->last_ns > 0 ? s->last_ns : s->start_ns - NS_SLACK;
	uint64_t next = s->file->off + r->rec.n;
	int64_t next_ns = time_at(s, next);
	if (r->time_ns < last_ns)
		return next_ns < 0 || next_ns >= last_ns;
	if (next_ns < last_ns || next_ns >= r->time_ns)
		return false;
	int64_t after_ns = time_after(s, next);
	return after_ns >= last_ns && after_ns < r->time_ns;
}

static void step_over(const struct pf_pcp_scan *s, struct pf_pcp_hole *ret_hole)
{
	struct pf_pcp_file *f = s->file;
	struct pf_pcp_hole h = { .from = f->off, .number = f->number };
	struct pf_view rec;
	struct pf_pcp_result next;
	pf_pcp_file_resync(f, is_sane, s);
	if (f->off >= f->size && s->last_ns > s->start_ns) {
		/* Nothing newer: the clock may have been set back meanwhile. */
		struct pf_pcp_scan any = { f, s->version, s->start_ns, 0, NULL };
		f->off = h.from;
		f->number = h.number;
		pf_pcp_file_resync(f, is_sane, &any);
	}
	h.to = f->off;
	if (f->off < f->size && pf_pcp_file_peek(f, &rec, NULL) == 1 &&
	    pf_pcp_result_decode(rec, s->version, &next, NULL) == 0)
		h.before_ns = next.time_ns;
	*ret_hole = h;
}

/* The record, if it is whole. What has the shape of one that was, is; only its time can be impossible. */
static int check(const struct pf_pcp_scan *s, struct pf_view rec, struct pf_pcp_result *ret_result, struct pf_err *err)
{
	const struct pf_pcp_shape *shape = s->shapes ? pf_pcp_shapes_find(s->shapes, rec) : NULL;
	int rc = shape ? 0 : pf_pcp_result_check(rec, s->version, err);
	if (rc == 0)
		rc = pf_pcp_result_decode(rec, s->version, ret_result, err);
	if (rc == 0)
		ret_result->shape = shape;
	if (rc == 0 && !shape && s->shapes)
		pf_pcp_shapes_learn(s->shapes, rec, s->version);
	return rc;
}

int pf_pcp_scan_next(const struct pf_pcp_scan *s, struct pf_view *ret_rec, struct pf_pcp_result *ret_result,
		     struct pf_pcp_hole *ret_hole, struct pf_err *err)
{
	struct pf_view rec;
	struct pf_pcp_result result;
	int rc = pf_pcp_file_peek(s->file, &rec, err);
	if (rc == 0)
		return 0;
	if (rc == 1)
		rc = check(s, rec, &result, err);
	if (rc == 0 && is_odd(s, &result))
		rc = pf_err_set(err, -EBADMSG, "its time is not between those of its neighbours");
	if (rc == -EBADMSG)
		step_over(s, ret_hole);
	if (rc < 0)
		return rc;
	*ret_rec = rec;
	*ret_result = result;
	return 1;
}
