/* engine/verify_document.c - structured documents of ours: samples, events of D programs, what info and verify say. Strict syntax, and how far they go. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "engine/stop.h"
#include "engine/verify.h"
#include "formats/text/scan.h"
#include "formats/text/seal.h"

/* Earlier times are not of a calendar: D programs tell the time since the host was booted. */
#define WALL_MIN INT64_C(100000000000000000)

enum { HEAD = 512, CHUNK = 64 * 1024, PROGRESS_EVERY = 64 };

static const struct pf_scanner *scanner_of(const char *path)
{
	char head[HEAD];
	pf_autoclose int fd = pf_io_open_regular(path, NULL);
	ssize_t n = fd < 0 ? -1 : pread(fd, head, sizeof(head), 0);
	for (unsigned i = 0; n > 0 && pf_scanners[i]; i++) {
		if (pf_scanners[i]->looks_like((struct pf_view){ head, (size_t)n }))
			return pf_scanners[i];
	}
	return NULL;
}

static bool accepts(const char *path)
{
	return scanner_of(path);
}

/* One document being read. @told_back: elements out of order that were told; @size: bytes of the file */
struct reading {
	const char *path;
	const struct pf_findings *to;
	struct pf_scan *scan;
	uint64_t told_back;
	uint64_t size;
};

static struct pf_finding here(const struct reading *r, enum pf_grade grade, const char *rule)
{
	return (struct pf_finding){ .grade = grade,
				    .rule = rule,
				    .file = r->path,
				    .record = r->scan->elements,
				    .byte = r->scan->byte,
				    .from_ns = r->scan->until_ns > WALL_MIN ? r->scan->until_ns : 0 };
}

/* Of one document everything behind the last whole element is lost, of lines the one that is bad. */
static void tell_bad(const struct reading *r, const char *text)
{
	struct pf_finding f = here(r, PF_GRADE_ERROR, r->scan->rule);
	bool lines = r->scan->lines;
	f.lost = lines ? 0 : r->size - r->scan->good;
	if (lines)
		pf_finding_tell(r->to, f, "line %llu: %s", (unsigned long long)r->scan->line, text);
	else
		pf_finding_tell(r->to, f, "line %llu: %s; whole up to byte %llu, the end of element %llu",
				(unsigned long long)r->scan->line, text, (unsigned long long)r->scan->good,
				(unsigned long long)r->scan->elements);
}

static void tell_back(struct reading *r)
{
	if (r->scan->back == r->told_back)
		return;
	r->told_back = r->scan->back;
	pf_finding_tell(r->to, here(r, PF_GRADE_WARNING, "time-back"),
			"the element's time is before that of the one before it");
}

static int take(struct reading *r, struct pf_view bytes, struct pf_err *err)
{
	int rc = 0;
	while (bytes.n > 0 && !r->scan->over && (rc == 0 || rc == -EBADMSG)) {
		struct pf_err why = { 0 };
		rc = pf_scan_feed(r->scan, &bytes, &why);
		if (rc == -EBADMSG)
			tell_bad(r, why.text);
		tell_back(r);
	}
	return rc == 0 || rc == -EBADMSG ? 0 : pf_err_set(err, rc, "no memory");
}

static int read_all(struct reading *r, int fd, char *chunk, const struct pf_verify *v, struct pf_err *err)
{
	ssize_t got = 1;
	for (unsigned n = 1; !r->scan->over; n++) {
		if (v->stop && pf_stop_check(v->stop))
			return 0;
		got = read(fd, chunk, CHUNK);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return pf_err_set(err, -errno, "%s", strerror(errno));
		if (got == 0)
			break;
		int rc = take(r, (struct pf_view){ chunk, (size_t)got }, err);
		if (rc < 0)
			return rc;
		if (v->progress && n % PROGRESS_EVERY == 0)
			v->progress(v->arg, r->path, r->scan->byte, r->size);
	}
	struct pf_err why = { 0 };
	int rc = r->scan->over ? 0 : pf_scan_end(r->scan, &why);
	if (rc == -EBADMSG)
		tell_bad(r, why.text);
	return rc == -ENOMEM ? pf_err_set(err, rc, "no memory") : 0;
}

static int check(const char *path, const struct pf_verify *v, const struct pf_findings *to, struct pf_verify_summary *s,
		 struct pf_err *err)
{
	const struct pf_scanner *scanner = scanner_of(path);
	pf_autoclose int fd = pf_io_open_regular(path, err);
	struct stat st;
	if (fd < 0)
		return fd;
	if (!scanner || fstat(fd, &st) < 0)
		return pf_err_set(err, -EINVAL, "it became another file");
	pf_autofree char *chunk = malloc(CHUNK);
	struct reading r = { .path = path, .to = to, .size = (uint64_t)st.st_size };
	r.scan = chunk ? scanner->open() : NULL;
	if (!r.scan)
		return pf_err_set(err, -ENOMEM, "no memory");
	int rc = read_all(&r, fd, chunk, v, err);
	s->bytes = r.size;
	s->records = r.scan->elements;
	s->samples = r.scan->moments;
	if (r.scan->from_ns > WALL_MIN) {
		s->from_ns = r.scan->from_ns;
		s->until_ns = r.scan->until_ns;
	}
	if (s->samples == 0 && s->found[PF_GRADE_ERROR] > 0)
		s->verdict = PF_VERDICT_UNUSABLE;
	r.scan = scanner->close(r.scan);
	return rc;
}

const struct pf_verifier pf_verifier_document = {
	.name = "document",
	.title = "document",
	.accepts = accepts,
	.check = check,
	.seal = pf_text_seal,
};
