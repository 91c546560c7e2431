/* engine/verify.c - which verifier a file belongs to, and its verdict. */
#include "engine/verify.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "model/sealed.h"

/* Folders first, since an archive may have a folder's name for its base; documents last, since any text can look like one. */
const struct pf_verifier *const pf_verifiers[] = {
	&pf_verifier_folder,
	&pf_verifier_raw,
	&pf_verifier_folio,
	&pf_verifier_archive,
	&pf_verifier_list,
	&pf_verifier_document,
	NULL,
};

/* Counts what goes by. */
struct counter {
	const struct pf_verify *verify;
	struct pf_verify_summary *summary;
};

static void count(void *arg, const struct pf_finding *finding)
{
	struct counter *c = arg;
	c->summary->found[finding->grade]++;
	c->summary->lost += finding->lost;
	c->verify->finding(c->verify->arg, c->summary, finding);
}

const struct pf_verifier *pf_verifier_of(const char *path)
{
	for (unsigned i = 0; pf_verifiers[i]; i++) {
		if (pf_verifiers[i]->accepts(path))
			return pf_verifiers[i];
	}
	return NULL;
}

static int no_kind(const char *path, struct pf_err *err)
{
	struct stat st;
	if (stat(path, &st) < 0)
		return pf_err_set(err, -errno, "%s", strerror(errno));
	if (S_ISREG(st.st_mode) && st.st_size == 0)
		return pf_err_set(err, -ENODATA, "the file is empty");
	return pf_err_set(err, -EINVAL, "neither a raw file nor an archive, a folio or a document of perfolio");
}

/* What is still wrong behind sealing: it was nothing that can be made whole. */
static void only_errors(void *arg, const struct pf_finding *finding)
{
	struct counter *c = arg;
	if (finding->grade != PF_GRADE_ERROR)
		return;
	c->summary->verdict = PF_VERDICT_DAMAGED;
	count(arg, finding);
}

/* Is there nothing in it, or could it not be written? */
static bool is_unusable(int rc)
{
	return rc == -ENODATA || rc == -EBADMSG || rc == -EPROTO || rc == -EINVAL || rc == -ENOENT;
}

/* What is then in it is counted; what was done is told, and what could not be done. */
static int seal(const char *path, const struct pf_verify *v, const struct pf_findings *to, struct pf_verify_summary *s,
		struct pf_err *err)
{
	static const enum pf_verdict verdicts[] = {
		[PF_SEALED_NOTHING] = PF_VERDICT_COMPLETE,
		[PF_SEALED_WHOLE] = PF_VERDICT_SEALED,
		[PF_SEALED_WITH_LOSS] = PF_VERDICT_LOSS,
	};
	const struct pf_findings still = { only_errors, to->arg };
	int rc = s->kind->seal(path, to, err);
	if (rc < 0)
		return rc;
	enum pf_verdict verdict = verdicts[rc];
	s->verdict = PF_VERDICT_COMPLETE;
	rc = s->kind->check(path, v, &still, s, err);
	if (s->verdict != PF_VERDICT_DAMAGED)
		s->verdict = verdict;
	return rc;
}

enum pf_verdict pf_verify_file(const char *path, const struct pf_verify *v)
{
	struct pf_verify_summary s = { .file = path, .kind = pf_verifier_of(path) };
	struct counter counter = { v, &s };
	struct pf_findings to = { count, &counter };
	struct pf_err err = { 0 };
	bool seals = s.kind && v->seal && s.kind->seal;
	int rc = seals	  ? seal(path, v, &to, &s, &err)
		 : s.kind ? s.kind->check(path, v, &to, &s, &err)
			  : no_kind(path, &err);
	if (rc < 0) {
		struct pf_finding f = { .grade = PF_GRADE_ERROR,
					.rule = seals && !is_unusable(rc) ? "unsealed" : "unusable",
					.file = path,
					.record = PF_FINDING_NOWHERE,
					.byte = PF_FINDING_NOWHERE };
		size_t n = strlen(path);
		bool named = strncmp(err.text, path, n) == 0 && strncmp(err.text + n, ": ", 2) == 0;
		pf_finding_tell(&to, f, "%s", named ? err.text + n + 2 : err.text[0] ? err.text : strerror(-rc));
		s.verdict = seals && !is_unusable(rc) ? PF_VERDICT_UNSEALED : PF_VERDICT_UNUSABLE;
	} else if (!seals && s.found[PF_GRADE_ERROR] > 0 && s.verdict == PF_VERDICT_COMPLETE) {
		s.verdict = PF_VERDICT_DAMAGED;
	}
	v->done(v->arg, &s);
	return s.verdict;
}
