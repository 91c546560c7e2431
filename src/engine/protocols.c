/* engine/protocols.c - which protocols and versions are meant: --tcpfilt, --nfsfilt, --nfsopts. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "engine/plan.h"

int pf_plan_tcp(const char *words, uint64_t *ret_variants, struct pf_err *err)
{
	static const char letters[] = "ituCIT";
	static const uint64_t bits[] = { PF_TCP_IP, PF_TCP_TCP, PF_TCP_UDP, PF_TCP_ICMP, PF_TCP_IPEXT, PF_TCP_TCPEXT };
	uint64_t variants = 0;
	for (const char *p = words; *p != '\0'; p++) {
		const char *at = strchr(letters, *p == 'c' ? 'C' : *p == 'C' ? ' ' : *p);
		if (!at)
			return pf_err_set(err, -EINVAL, "only valid --tcpopts values are 'cituIT'");
		variants |= bits[at - letters];
	}
	*ret_variants = variants;
	return 0;
}

static const struct {
	const char *word;
	const char *row;
	uint64_t variant;
} versions[] = {
	{ "c2", "Clt2", PF_NFS_C2 }, { "s2", "Svr2", PF_NFS_S2 }, { "c3", "Clt3", PF_NFS_C3 },
	{ "s3", "Svr3", PF_NFS_S3 }, { "c4", "Clt4", PF_NFS_C4 }, { "s4", "Svr4", PF_NFS_S4 },
};

int pf_plan_nfs(const char *words, uint64_t *ret_variants, struct pf_err *err)
{
	uint64_t variants = 0;
	while (*words != '\0') {
		size_t n = strcspn(words, ",");
		unsigned i = 0;
		while (i < PF_N(versions) && !(n == 2 && memcmp(words, versions[i].word, 2) == 0))
			i++;
		if (i == PF_N(versions))
			return pf_err_set(err, -EINVAL, "--nfsfilt option '%.*s' not one of 'c2,s2,c3,s3,c4,s4'",
					  n < 40 ? (int)n : 40, words);
		variants |= versions[i].variant;
		words += n + (words[n] == ',');
	}
	*ret_variants = variants;
	return 0;
}

/* "Clt3,Svr4" */
static void name_rows(struct pf_plan *plan, uint64_t variants)
{
	plan->nfs_rows[0] = '\0';
	for (unsigned i = 0; i < PF_N(versions); i++) {
		if (!(variants & versions[i].variant))
			continue;
		if (plan->nfs_rows[0] != '\0')
			strncat(plan->nfs_rows, ",", 2);
		strncat(plan->nfs_rows, versions[i].row, 5);
	}
}

int pf_plan_protocols(struct pf_plan *plan, struct pf_err *err)
{
	const struct pf_request *req = plan->req;
	uint64_t tcp = PF_TCP_USUAL;
	uint64_t nfs = PF_NFS_ALL;
	plan->tcp_given = req->tcp_filter && req->tcp_filter[0] != '\0';
	plan->nfs_given = req->nfs_filter && req->nfs_filter[0] != '\0';
	if (req->nfs_options && strcmp(req->nfs_options, "z") != 0)
		return pf_err_set(err, -EINVAL, "invalid value for --nfsopts");
	int rc = plan->tcp_given ? pf_plan_tcp(req->tcp_filter, &tcp, err) : 0;
	if (rc == 0 && plan->nfs_given)
		rc = pf_plan_nfs(req->nfs_filter, &nfs, err);
	if (rc < 0)
		return rc;
	plan->view.variants |= tcp | nfs | (plan->nfs_given ? PF_NFS_CHOSEN : 0U);
	plan->view.hide_idle_nfs = req->nfs_options != NULL;
	if (plan->nfs_given) {
		plan->view.nfs_filter = req->nfs_filter;
		name_rows(plan, nfs);
	}
	plan->verbose_wanted |= (tcp & PF_TCP_IPEXT) != 0;
	return 0;
}

uint64_t pf_plan_variants(const char *letters)
{
	bool fragments = strchr(letters, 'b') && strchr(letters, 'm');
	return (strpbrk(letters, "jJ") ? PF_WITH_INTERRUPTS : 0U) | (strchr(letters, 'C') ? PF_WITH_CPU_DETAIL : 0U) |
	       (fragments ? PF_WITH_FRAGMENTS : 0U);
}
