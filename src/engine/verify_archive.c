/* engine/verify_archive.c - PCP archives. */
#include <stddef.h>

#include "engine/stop.h"
#include "engine/verify.h"
#include "formats/pcp/check.h"
#include "formats/pcp/seal.h"
#include "formats/pcp/zone.h"
#include "sources/list.h"

static bool step(void *arg, const char *file, uint64_t done, uint64_t all)
{
	const struct pf_verify *v = arg;
	if (v->progress)
		v->progress(v->arg, file, done, all);
	return v->stop && pf_stop_glance(v->stop);
}

/* The zone is known before anything is found, so that times are told by the clock of the host. */
struct zoned {
	const struct pf_findings *to;
	const struct pf_pcp_check_result *result;
	struct pf_verify_summary *summary;
};

static void tell(void *arg, const struct pf_finding *finding)
{
	struct zoned *z = arg;
	if (!z->summary->has_zone)
		z->summary->has_zone = pf_pcp_zone_offset(z->result->label.zone, &z->summary->zone_ns);
	z->to->tell(z->to->arg, finding);
}

static int check(const char *path, const struct pf_verify *v, const struct pf_findings *to, struct pf_verify_summary *s,
		 struct pf_err *err)
{
	struct pf_verify verify = *v;
	struct pf_pcp_check_result result;
	struct pf_pcp_check_options options = { .meta_only = v->meta_only, .step = step, .arg = &verify };
	struct zoned zoned = { to, &result, s };
	struct pf_findings findings = { tell, &zoned };
	int rc = pf_pcp_check(path, &options, &findings, &result, err);
	s->version = result.label.version;
	s->records = result.records;
	s->samples = result.samples;
	s->from_ns = result.start_ns;
	s->until_ns = result.end_ns;
	s->bytes = result.bytes;
	s->has_zone = pf_pcp_zone_offset(result.label.zone, &s->zone_ns);
	if (rc == 0 && !v->meta_only && (result.samples == 0 || result.sets == 0))
		s->verdict = PF_VERDICT_UNUSABLE;
	return rc;
}

static bool accepts(const char *path)
{
	return pf_source_pcparchive.accepts(path);
}

const struct pf_verifier pf_verifier_archive = {
	.name = "archive",
	.title = "PCP archive",
	.accepts = accepts,
	.check = check,
	.seal = pf_pcp_seal,
};
