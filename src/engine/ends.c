/* engine/ends.c - when a recording ends, by a reader of its own. */
#include "engine/ends.h"

#include <errno.h>

#include "base/err.h"
#include "model/catalog.h"
#include "model/sample.h"
#include "sources/source.h"

static int last_time(struct pf_source *source, struct pf_frames *frames, int64_t *ret_ns, struct pf_err *err)
{
	const struct pf_source_kind *kind = source->kind;
	int64_t last_ns = INT64_MIN;
	if (kind->skip)
		kind->skip(source, INT64_MAX / 4);
	for (;;) {
		struct pf_err own = { 0 };
		int rc = kind->next(source, frames, &own);
		if (rc == -ENODATA)
			break;
		if (rc < 0 && rc != -EBADMSG) /* damage is told when it is played */
			return pf_err_set(err, rc, "%s", own.text);
		int64_t time_ns = rc == 1 ? pf_frames_step(frames).cur->time_ns : INT64_MIN;
		last_ns = time_ns > last_ns ? time_ns : last_ns;
	}
	int64_t mark_ns = kind->info(source)->end_ns;
	*ret_ns = mark_ns > last_ns ? mark_ns : last_ns;
	return *ret_ns == INT64_MIN ? -ENODATA : 0;
}

int pf_recording_end(const char *path, const char *const *more, const char *host, int64_t *ret_ns, struct pf_err *err)
{
	const struct pf_source_spec spec = { .path = path, .more = more, .host = host, .root_fd = -1 };
	struct pf_catalog *catalog = pf_catalog_new();
	struct pf_source *source = NULL;
	struct pf_frames frames;
	if (!catalog)
		return pf_err_set(err, -ENOMEM, "%s: no memory", path);
	pf_frames_init(&frames, catalog);
	int rc = pf_source_open(&source, &spec, catalog, err);
	if (rc == 0)
		rc = last_time(source, &frames, ret_ns, err);
	if (rc == -ENODATA)
		(void)pf_err_set(err, rc, "%s: there is no sample in it, so it has no end to count from", path);
	if (source)
		source = source->kind->close(source);
	pf_frames_done(&frames);
	(void)pf_catalog_free(catalog);
	return rc;
}
