/* formats/pcp/check.c - the passes of a check, one after another. */
#include "formats/pcp/check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "formats/pcp/check_state.h"
#include "formats/pcp/names.h"

bool pf_pcp_check_step(struct pf_pcp_check *c, const struct pf_pcp_file *f)
{
	if (c->options->step && c->options->step(c->options->arg, f->name, f->off, f->size == UINT64_MAX ? 0 : f->size))
		c->stopped = true;
	return c->stopped;
}

/* How large it is on disk, and unpacked if that is known. */
static void measure(struct pf_pcp_check *c, const char *suffix, uint64_t *ret_size)
{
	struct pf_pcp_file f;
	struct stat st;
	if (pf_pcp_names_open(c->base, suffix, 4, &f, NULL) < 0)
		return;
	if (fstat(f.fd, &st) == 0)
		c->result->bytes += (uint64_t)st.st_size;
	if (ret_size && f.size != UINT64_MAX)
		*ret_size = f.size;
	pf_pcp_file_done(&f);
}

static int find_volumes(struct pf_pcp_check *c, struct pf_err *err)
{
	pf_autofree unsigned *numbers = NULL;
	unsigned n = 0;
	int rc = pf_pcp_names_volumes(c->base, &numbers, &n, err);
	if (rc < 0)
		return rc;
	if (!pf_pcp_names_is_there(c->base, "meta"))
		return pf_err_set(err, -ENODATA, "%s.meta: no such file: nothing tells what the values mean", c->base);
	if (n == 0)
		return pf_err_set(err, -ENODATA, "%s.0: no such file: the archive has no values", c->base);
	c->volumes = calloc(n, sizeof(*c->volumes));
	if (!c->volumes)
		return pf_err_set(err, -ENOMEM, "%s: no memory", c->base);
	c->n_volumes = n;
	measure(c, "meta", NULL);
	measure(c, "index", NULL);
	for (unsigned i = 0; i < n; i++) {
		char suffix[16];
		(void)snprintf(suffix, sizeof(suffix), "%u", numbers[i]);
		c->volumes[i].number = numbers[i];
		measure(c, suffix, &c->volumes[i].size);
	}
	return 0;
}

/* The first label that can be read stands for all. Return: 0; -EBADMSG there is none. */
static int find_label(struct pf_pcp_check *c, struct pf_err *err)
{
	char first[16];
	(void)snprintf(first, sizeof(first), "%u", c->volumes[0].number);
	const char *const suffixes[] = { c->options->peer ? "index" : "meta", "meta", first, "index" };
	for (unsigned i = 0; i < PF_N(suffixes) && c->result->label.version == 0; i++) {
		struct pf_pcp_file f;
		if (pf_pcp_names_open(c->base, suffixes[i], 1, &f, NULL) < 0)
			continue;
		int rc = pf_pcp_check_label(c, &f, 0, true, err);
		pf_pcp_file_done(&f);
		if (rc < 0)
			return rc;
	}
	c->bad_frames = false;
	c->bad_open = NULL;
	if (c->result->label.version == 0 && !c->options->peer)
		return pf_err_set(err, -EBADMSG, "%s: none of its files begins with a label that can be read", c->base);
	return 0;
}

static void pass(const struct pf_pcp_check *c, int number)
{
	if (c->options->pass)
		c->options->pass(c->options->arg, number, c->base, -1);
}

static void tell_open(struct pf_pcp_check *c)
{
	struct pf_finding f = { .grade = PF_GRADE_ERROR,
				.rule = c->bad_open,
				.file = c->base,
				.record = PF_FINDING_NOWHERE,
				.byte = PF_FINDING_NOWHERE };
	pf_finding_tell(c->to, f, "the archive cannot be opened");
}

/* Return: 1 if a peer stops here. */
static int check_files(struct pf_pcp_check *c, struct pf_err *err)
{
	int rc = pf_pcp_check_files(c, err);
	if (rc < 0 || !c->options->peer)
		return rc;
	if (c->bad_frames) {
		c->result->end = PF_PCP_CHECK_FRAMES;
		return 1;
	}
	if (c->bad_open) {
		tell_open(c);
		c->result->end = PF_PCP_CHECK_OPEN;
		return 1;
	}
	return 0;
}

static int passes(struct pf_pcp_check *c, struct pf_err *err)
{
	int rc = find_volumes(c, err);
	if (rc == 0)
		rc = find_label(c, err);
	if (rc == 0)
		rc = check_files(c, err);
	if (rc != 0 || c->stopped)
		return rc;
	pass(c, 1);
	rc = pf_pcp_check_index(c, err);
	if (rc != 0 || c->stopped)
		return rc;
	pass(c, 2);
	rc = pf_pcp_check_meta(c, err);
	if (rc != 0 || c->stopped || (c->options->peer && c->options->meta_only))
		return rc;
	pass(c, 3);
	return pf_pcp_check_values(c, err);
}

int pf_pcp_check(const char *path, const struct pf_pcp_check_options *options, const struct pf_findings *to,
		 struct pf_pcp_check_result *ret, struct pf_err *err)
{
	*ret = (struct pf_pcp_check_result){ 0 };
	pf_autofree char *base = pf_pcp_names_base(path);
	if (!base)
		return pf_err_set(err, -ENOMEM, "%s: no memory", path);
	struct pf_pcp_check c = { .base = base, .options = options, .to = to, .result = ret };
	int rc = passes(&c, err);
	free(c.volumes);
	free(c.entries);
	free(c.metrics);
	pf_pcp_check_table_done(&c.pmids);
	pf_arena_done(&c.text);
	return rc > 0 ? 0 : rc;
}
