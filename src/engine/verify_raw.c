/* engine/verify_raw.c - raw files of collectl and ours: what the reader says of damage, times, and whether all is there that the header names. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "base/notice.h"
#include "base/time.h"
#include "engine/stop.h"
#include "engine/verify.h"
#include "formats/collectl/seal.h"
#include "formats/collectl/track.h"
#include "groups/list.h"
#include "model/catalog.h"
#include "model/group.h"
#include "model/sample.h"
#include "sources/list.h"

enum { GROUPS_MAX = 64, PROGRESS_EVERY = 256, CHUNK = 64 * 1024 };

/* One file being read. @last_ns: time of the sample before, 0 none; @lost: bytes that were told; @packed: it is compressed; @seen: by group: it had a
 * value */
struct reading {
	const char *path;
	const struct pf_verify *verify;
	const struct pf_findings *to;
	struct pf_verify_summary *summary;
	const struct pf_source_info *info;
	struct pf_catalog *catalog;
	int64_t last_ns;
	uint64_t lost;
	bool packed;
	bool seen[GROUPS_MAX];
};

static struct pf_finding at(const struct reading *r, enum pf_grade grade, const char *rule)
{
	return (struct pf_finding){
		.grade = grade, .rule = rule, .file = r->path, .record = PF_FINDING_NOWHERE, .byte = PF_FINDING_NOWHERE
	};
}

/* The place is told apart from the sentence. */
static const char *without_path(const struct reading *r, const char *text)
{
	size_t n = strlen(r->path);
	return strncmp(text, r->path, n) == 0 && strncmp(text + n, ": ", 2) == 0 ? text + n + 2 : text;
}

static void tell_notice(void *arg, enum pf_severity severity, const char *text)
{
	struct reading *r = arg;
	if (severity != PF_WARNING)
		return;
	struct pf_finding f = at(r, PF_GRADE_WARNING, "line");
	f.from_ns = r->last_ns;
	pf_finding_tell(r->to, f, "%s", without_path(r, text));
}

static void tell_damage(struct reading *r, const char *text)
{
	struct pf_finding f = at(r, PF_GRADE_ERROR, "damage");
	bool zeros = r->info->bad_at == UINT64_MAX;
	if (zeros && !r->packed)
		return; /* the text was looked at before, and its place is known */
	f.rule = zeros ? "zeros" : "damage";
	f.from_ns = r->last_ns;
	f.byte = zeros ? PF_FINDING_NOWHERE : r->info->bad_at;
	f.lost = r->info->lost_bytes - r->lost;
	r->lost = r->info->lost_bytes;
	pf_finding_tell(r->to, f, "%s", without_path(r, text));
}

static bool has_values(const struct reading *r, const struct pf_group *group, const struct pf_sample *cur)
{
	for (unsigned m = 0; m < r->catalog->n_metrics; m++) {
		const struct pf_metric *metric = r->catalog->metrics[m];
		if (metric < group->metrics || metric >= group->metrics + group->n_metrics)
			continue;
		const struct pf_indom *dom = pf_catalog_domain_of(r->catalog, m);
		for (unsigned slot = 0; slot < (dom ? dom->n : 1); slot++) {
			if (pf_sample_has(cur, m, slot))
				return true;
		}
	}
	return false;
}

static void look_for_groups(struct reading *r, const struct pf_sample *cur)
{
	for (unsigned g = 0; g < GROUPS_MAX && pf_groups[g]; g++) {
		if (!r->seen[g])
			r->seen[g] = has_values(r, pf_groups[g], cur);
	}
}

/* What the header says is recorded, and no line is of. */
static void tell_missing(struct reading *r)
{
	for (unsigned g = 0; g < GROUPS_MAX && pf_groups[g]; g++) {
		const char *letters = pf_groups[g]->letters;
		const char *named = letters && r->info->letters ? strpbrk(r->info->letters, letters) : NULL;
		if (r->seen[g] || !named)
			continue;
		pf_finding_tell(r->to, at(r, PF_GRADE_WARNING, "missing"),
				"the header says that %s (-s%c) is recorded, and there is nothing of it",
				pf_groups[g]->name, *named);
	}
}

static void look_at_times(struct reading *r, const struct pf_step *step)
{
	int64_t now_ns = step->cur->time_ns;
	struct pf_finding f = at(r, PF_GRADE_WARNING, "time-back");
	f.from_ns = r->last_ns;
	f.until_ns = now_ns;
	if (step->stepped_ns != 0) {
		f.grade = PF_GRADE_NOTE;
		f.rule = "clock-step";
		pf_finding_tell(r->to, f, "somebody set the clock by %+.3f s", (double)step->stepped_ns / 1e9);
	} else if (r->last_ns > 0 && now_ns < r->last_ns) {
		pf_finding_tell(r->to, f, "time goes back by %.3f s", (double)(r->last_ns - now_ns) / 1e9);
	} else if (r->last_ns > 0 && pf_time_is_gap(now_ns - r->last_ns, r->info->interval_ns)) {
		f.grade = PF_GRADE_NOTE;
		f.rule = "gap";
		pf_finding_tell(r->to, f, "nothing is recorded for %.3f s, the interval is %.3f s",
				(double)(now_ns - r->last_ns) / 1e9, (double)r->info->interval_ns / 1e9);
	}
	r->last_ns = now_ns;
	pf_verify_time(r->summary, now_ns);
}

static int read_all(struct reading *r, struct pf_source *source, struct pf_frames *frames, struct pf_err *err)
{
	int rc = 0;
	while (rc == 0 && !(r->verify->stop && pf_stop_glance(r->verify->stop))) {
		struct pf_err why = { 0 };
		rc = source->kind->next(source, frames, &why);
		if (rc == -EBADMSG) {
			tell_damage(r, why.text);
			rc = 0;
		} else if (rc == 1) {
			struct pf_step step = pf_frames_step(frames);
			look_at_times(r, &step);
			look_for_groups(r, step.cur);
			r->summary->samples++;
			if (r->verify->progress && r->summary->samples % PROGRESS_EVERY == 0)
				r->verify->progress(r->verify->arg, r->path, r->summary->samples, 0);
			rc = 0;
		} else if (rc < 0 && rc != -ENODATA) {
			return pf_err_set(err, rc, "%s", why.text);
		}
	}
	r->summary->records = r->summary->samples;
	if (rc == -ENODATA)
		tell_missing(r);
	return 0;
}

/* An interval of text is over. What a crash leaves of a file are zeros where text was to be: sealing leaves such an interval out. */
static void look_at_interval(struct reading *r, const struct pf_track *t, uint64_t end, bool zeros)
{
	struct pf_finding f = at(r, PF_GRADE_ERROR, "zeros");
	f.byte = t->mark_at;
	f.lost = end - t->mark_at;
	f.from_ns = t->last_ns;
	if (t->marks > 0 && zeros)
		pf_finding_tell(r->to, f, "the interval that begins there has zero bytes");
}

/* Of packed text the checksum tells, and whoever reads it. */
static int look_for_zeros(struct reading *r, struct pf_err *err)
{
	pf_autoclose int fd = pf_io_open_regular(r->path, err);
	pf_autofree unsigned char *chunk = malloc(CHUNK);
	struct pf_track t = { 0 };
	if (fd < 0)
		return fd;
	if (!chunk)
		return pf_err_set(err, -ENOMEM, "%s: no memory", r->path);
	for (;;) {
		ssize_t got = read(fd, chunk, CHUNK);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return pf_err_set(err, -errno, "%s: %s", r->path, strerror(errno));
		r->packed |= got > 0 && t.pos == 0 && chunk[0] == 0x1f;
		if (got == 0 || r->packed)
			break;
		for (size_t done = 0; done < (size_t)got;) {
			struct pf_track before = t;
			done += pf_track_text(&t, (const char *)chunk + done, (size_t)got - done);
			if (t.marks != before.marks)
				look_at_interval(r, &before, t.mark_at, t.before_zeros);
		}
	}
	look_at_interval(r, &t, t.pos, t.zeros);
	return 0;
}

static int check(const char *path, const struct pf_verify *v, const struct pf_findings *to, struct pf_verify_summary *s,
		 struct pf_err *err)
{
	struct reading r = { .path = path, .verify = v, .to = to, .summary = s, .catalog = pf_catalog_new() };
	if (!r.catalog)
		return pf_err_set(err, -ENOMEM, "%s: no memory", path);
	struct pf_notice notice = { tell_notice, &r };
	struct pf_source_spec spec = { .path = path, .root_fd = -1, .notice = &notice };
	struct pf_source *source = NULL;
	int rc = pf_source_raw.open(&source, &spec, r.catalog, err);
	if (rc == 0) {
		r.info = pf_source_raw.info(source);
		s->bytes = r.info->bytes;
		s->has_zone = r.info->has_zone;
		s->zone_ns = r.info->zone_ns;
		struct pf_frames frames;
		pf_frames_init(&frames, r.catalog);
		if (!v->meta_only)
			rc = look_for_zeros(&r, err);
		if (rc == 0 && !v->meta_only)
			rc = read_all(&r, source, &frames, err);
		pf_frames_done(&frames);
		(void)pf_source_raw.close(source);
	}
	r.catalog = pf_catalog_free(r.catalog);
	return rc;
}

static bool accepts(const char *path)
{
	return pf_source_raw.accepts(path);
}

const struct pf_verifier pf_verifier_raw = {
	.name = "raw",
	.title = "raw file",
	.accepts = accepts,
	.check = check,
	.seal = pf_collectl_seal,
};
