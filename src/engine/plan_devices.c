/* engine/plan_devices.c - what is asked for of CPUs, disks, interfaces and interrupts: sub-options, filters of what is shown and of what is
 * read, other names. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "engine/plan.h"
#include "model/choice.h"
#include "model/filter.h"
#include "model/remap.h"

enum { NAME_WIDTH_MIN = 5, NAME_WIDTH_MAX = 256 };

static int refuse(struct pf_err *err, const char *text)
{
	return pf_err_set(err, -EINVAL, "%s", text);
}

/* Is @letter among those that will be shown? Ours knows only later what a recording holds, unless letters were named. */
static bool may_show(const struct pf_plan *plan, const char *letters, char letter)
{
	const struct pf_request *req = plan->req;
	bool later = !req->as_peer && (req->playback || req->files) && (!req->subsys || req->subsys[0] == '+');
	return later || strchr(letters, letter) != NULL;
}

static int choose_disk(struct pf_plan *plan, const char *letters, struct pf_err *err)
{
	const char *text = plan->req->disk_options ? plan->req->disk_options : "";
	if (text[strspn(text, "fioz")] != '\0')
		return refuse(err, "only valid values for --dskopts are 'fioz'");
	bool detail = may_show(plan, letters, 'D');
	if (strchr(text, 'f') && !detail)
		return refuse(err, "--dskopts f only applies to -sD");
	if (strchr(text, 'z') && !detail)
		return refuse(err, "--dskopts z only applies to -sD");
	plan->view.variants |= (strchr(text, 'f') ? PF_WITH_FRACTIONS : 0) | (strchr(text, 'i') ? PF_WITH_SIZES : 0);
	plan->view.hide_zero_disks = strchr(text, 'z') != NULL;
	return 0;
}

/* "w12"; other digits mean nothing, as in collectl. */
static int choose_width(struct pf_plan *plan, const char *text, const char *letters, struct pf_err *err)
{
	const char *width = strchr(text, 'w');
	uint64_t v = 0;
	if (!width)
		return 0;
	if (!may_show(plan, letters, 'N'))
		return refuse(err, "--netopts -w only applies to -sN");
	struct pf_view digits = { width + 1, strspn(width + 1, "0123456789") };
	if (pf_view_u64(digits, &v) < 0)
		return refuse(err, "--netopts w must be followed by width");
	if (v < NAME_WIDTH_MIN)
		return refuse(err, "--netopts width must be at least 5");
	plan->view.net_name_width = v > NAME_WIDTH_MAX ? NAME_WIDTH_MAX : (unsigned)v;
	return 0;
}

static int choose_network(struct pf_plan *plan, const char *letters, struct pf_err *err)
{
	const char *text = plan->req->net_options;
	if (!text)
		return 0;
	if (!may_show(plan, letters, 'n') && !may_show(plan, letters, 'N'))
		return refuse(err, "--netopts only applies to -sn or -sN");
	if (text[strspn(text, "eEiow0123456789")] != '\0')
		return refuse(err, "only valid --netopts values are 'eEiow'");
	plan->view.variants |= (strchr(text, 'e') ? PF_WITH_ERRORS : 0) | (strchr(text, 'i') ? PF_WITH_NET_SIZES : 0);
	plan->view.variants |= strchr(text, 'E') ? PF_ONLY_ERRORS : 0;
	return choose_width(plan, text, letters, err);
}

/* Alternatives may be separated by commas; the peer takes them literally in --rawdskfilt. */
static char *expression_of(const char *text, bool commas)
{
	char *copy = text ? strdup(text) : NULL;
	for (char *p = copy; p && commas && *p != '\0'; p++)
		*p = *p == ',' ? '|' : *p;
	return copy;
}

static int choose_lines(const char *want, bool commas, bool add, const char *ignore, struct pf_choice **ret_choice,
			struct pf_err *err)
{
	pf_autofree char *wanted = expression_of(want, commas);
	pf_autofree char *ignored = expression_of(ignore, true);
	if ((want && !wanted) || (ignore && !ignored))
		return pf_err_set(err, -ENOMEM, "no memory");
	return pf_choice_new(ret_choice, wanted, add, ignored, err);
}

/* What is read and recorded. DiskFilter of the settings file stands for the built-in choice of disks. */
static int choose_raw(struct pf_plan *plan, struct pf_err *err)
{
	const struct pf_request *req = plan->req;
	const char *filter = req->raw_disk_filter;
	const char *usual = plan->settings->disk_filter;
	bool add = filter && filter[0] == '+';
	pf_autofree char *both = NULL;
	if (add && usual) {
		size_t n = strlen(usual) + strlen(filter) + 1;
		both = malloc(n);
		if (!both)
			return pf_err_set(err, -ENOMEM, "no memory");
		(void)snprintf(both, n, "%s|%s", usual, filter + 1);
	}
	const char *want = both ? both : add ? filter + 1 : filter ? filter : usual;
	int rc = 0;
	if (want || req->raw_disk_ignore)
		rc = choose_lines(want, filter && !req->as_peer, add && !usual, req->raw_disk_ignore, &plan->disk_lines,
				  err);
	if (rc < 0)
		return pf_err_context(err, rc, "--rawdskfilt or --rawdskignore");
	if (req->raw_net_filter || req->raw_net_ignore)
		rc = choose_lines(req->raw_net_filter, true, false, req->raw_net_ignore, &plan->net_lines, err);
	return rc < 0 ? pf_err_context(err, rc, "--rawnetfilt or --rawnetignore") : 0;
}

static int choose_filters(struct pf_plan *plan, struct pf_err *err)
{
	const struct pf_request *req = plan->req;
	const struct {
		char letter;
		const char *text;
		const char *name;
	} filters[] = { { 'c', req->cpu_filter, "--cpufilt" },
			{ 'd', req->disk_filter, "--dskfilt" },
			{ 'n', req->net_filter, "--netfilt" },
			{ 'j', req->int_filter, "--intfilt" },
			{ 'g', req->cgroup_filter, "--cgroupfilt" },
			{ 'f', plan->nfs_given ? plan->nfs_rows : NULL, "--nfsfilt" } };
	for (unsigned i = 0; i < sizeof(filters) / sizeof(filters[0]); i++) {
		if (!filters[i].text)
			continue;
		int rc = pf_filter_new(filters[i].letter, filters[i].text, plan->filters, &plan->filters, err);
		if (rc < 0)
			return pf_err_context(err, rc, "%s", filters[i].name);
	}
	plan->view.filters = plan->filters;
	if (req->cpu_filter)
		plan->view.variants |= PF_WITH_CPU_FILTER;
	if (req->int_filter)
		plan->view.variants |= PF_WITH_INT_FILTER;
	return 0;
}

int pf_plan_devices(struct pf_plan *plan, const char *letters, struct pf_err *err)
{
	const struct pf_request *req = plan->req;
	if (req->cpu_options && req->cpu_options[strspn(req->cpu_options, "z")] != '\0')
		return refuse(err, "only valid value for --cpuopts is 'z'");
	plan->view.hide_idle_cpus = req->cpu_options && req->cpu_options[0] != '\0';
	plan->view.net_speed = plan->settings->net_speed_mbit > 0 ? plan->settings->net_speed_mbit : -1;
	plan->view.disk_max_kb = plan->settings->disk_max_kb;
	int rc = choose_disk(plan, letters, err);
	if (rc == 0)
		rc = choose_network(plan, letters, err);
	if (rc == 0)
		rc = choose_raw(plan, err);
	if (rc == 0 && req->disk_remap) {
		rc = pf_remap_new(&plan->remap, req->disk_remap, err);
		if (rc < 0)
			return pf_err_context(err, rc, "--dskremap");
	}
	return rc < 0 ? rc : choose_filters(plan, err);
}

struct pf_line_filter pf_plan_lines(const struct pf_plan *plan)
{
	return (struct pf_line_filter){
		.variants = plan->view.variants & (PF_TCP_ALL | PF_NFS_ALL | PF_WITH_PAGES | PF_WITH_SCAN),
		.disks = plan->disk_lines,
		.nets = plan->net_lines,
		.slabs = plan->slab_prefixes,
		.env = plan->env,
		.peer = plan->req->as_peer,
	};
}

void pf_plan_devices_done(struct pf_plan *plan)
{
	plan->filters = pf_filter_free(plan->filters);
	plan->disk_lines = pf_choice_free(plan->disk_lines);
	plan->net_lines = pf_choice_free(plan->net_lines);
	plan->remap = pf_remap_free(plan->remap);
}
