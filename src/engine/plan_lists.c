/* engine/plan_lists.c - what is asked for of processes and slabs, and how often they are sampled. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/time.h"
#include "base/users.h"
#include "engine/plan.h"
#include "sources/procfilter.h"

enum { DEFAULT_USER_WIDTH = 12, PEER_ARGUMENTS = 1000, LONGEST = 4096, DEFAULT_SECOND_COUNT = 6, DEFAULT_THIRD = 120 };

static int refuse(struct pf_err *err, const char *text)
{
	return pf_err_set(err, -EINVAL, "%s", text);
}

/* The number behind a letter, @none if there is none; moves @p to its last digit. */
static unsigned number_behind(const char **p, unsigned none)
{
	size_t digits = strspn(*p + 1, "0123456789");
	uint64_t v = none;
	if (digits > 0 && (pf_view_u64((struct pf_view){ *p + 1, digits }, &v) < 0 || v > LONGEST))
		v = LONGEST;
	*p += digits;
	return (unsigned)v;
}

static int choose_processes(struct pf_plan *plan, struct pf_err *err)
{
	static const struct {
		char letter;
		uint64_t variant;
	} variants[] = { { 'i', PF_WITH_IO },
			 { 'm', PF_WITH_MEMORY },
			 { 'x', PF_WITH_SWITCHES },
			 { 's', PF_WITH_START },
			 { 'S', PF_WITH_START_DAY },
			 { 'R', PF_WITH_PRIORITY },
			 { 'f', PF_WITH_FAULTS },
			 { 'c', PF_WITH_CHILDREN },
			 { 'I', 0 },
			 { 'p', 0 },
			 { 't', 0 },
			 { 'z', 0 },
			 { 'k', 0 },
			 { 'r', 0 },
			 { 'u', 0 },
			 { 'w', 0 } };
	const char *text = plan->req->proc_options ? plan->req->proc_options : "";
	struct pf_view_options *view = &plan->view;
	for (const char *p = text; *p != '\0'; p++) {
		unsigned i = 0;
		while (i < PF_N(variants) && variants[i].letter != *p)
			i++;
		if (i == PF_N(variants))
			return pf_err_set(err, -EINVAL, "invalid process option '%s'", text);
		view->variants |= variants[i].variant;
		view->base_names |= *p == 'r';
		view->strip_interpreters |= *p == 'k';
		plan->no_process_io |= *p == 'I';
		plan->no_new_processes |= *p == 'p';
		plan->threads |= *p == 't';
		if (*p == 'u')
			view->user_width = number_behind(&p, DEFAULT_USER_WIDTH);
		if (*p == 'w') {
			unsigned usual =
				plan->req->as_peer && !view->with_arguments ? PEER_ARGUMENTS : view->argument_width;
			view->with_arguments = true;
			view->argument_width = number_behind(&p, usual);
		}
	}
	if (strchr(text, 'u') && view->user_width < PF_USER_WIDTH_MIN)
		return refuse(err, "minumum username width is 8");
	if ((view->variants & PF_WITH_IO) && (view->variants & PF_WITH_MEMORY))
		return refuse(err, "process options i and m are mutually exclusive");
	if ((view->variants & PF_WITH_START) && (view->variants & PF_WITH_START_DAY))
		view->variants &= ~(uint64_t)(plan->req->as_peer ? PF_WITH_START_DAY : PF_WITH_START);
	view->process_states = plan->req->proc_states;
	if (view->process_states && strspn(view->process_states, "DRSTWZ") != strlen(view->process_states))
		return refuse(err, "--procstate not one or more of 'DRSTWZ'");
	return 0;
}

/* A filter that was given; to collectl an empty one is none. */
static const char *given(const struct pf_plan *plan, const char *filter)
{
	return filter && (filter[0] != '\0' || !plan->req->as_peer) ? filter : NULL;
}

static int choose_slabs(struct pf_plan *plan, const char *letters, bool playback, struct pf_err *err)
{
	const struct pf_request *req = plan->req;
	const char *text = req->slab_options ? req->slab_options : "";
	if (strspn(text, "sS") != strlen(text))
		return pf_err_set(err, -EINVAL, "invalid slab option in '%s'", text);
	plan->view.row_options = text;
	const char *filter = given(plan, req->slab_filter);
	plan->view.rows_chosen = !req->top && (strchr(text, 'S') || filter || given(plan, req->proc_filter));
	if (!filter)
		return 0;
	if (playback)
		return refuse(err, "sorry, but --slabfilt not allowed in -p mode.  consider grep");
	if (plan->req->as_peer && !strpbrk(letters, "yY"))
		return 0; /* collectl has no list of slabs then */
	plan->slab_words = strdup(filter);
	plan->slab_prefixes = calloc(strlen(filter) + 2, sizeof(*plan->slab_prefixes));
	if (!plan->slab_words || !plan->slab_prefixes)
		return pf_err_set(err, -ENOMEM, "no memory");
	unsigned n = 0;
	for (char *p = plan->slab_words; *p != '\0';) {
		size_t length = strcspn(p, ",");
		bool more = p[length] == ',';
		p[length] = '\0';
		if (length > 0)
			plan->slab_prefixes[n++] = p;
		p += length + more;
	}
	return 0;
}

/* Names of users are those of the machine that shows, as in the peer; without the file numbers are shown. */
static int load_users(struct pf_plan *plan, struct pf_err *err)
{
	const struct pf_request *req = plan->req;
	struct pf_err own = { 0 };
	const char *passwd = req->passwd ? req->passwd : plan->settings->passwd;
	if (req->passwd && access(req->passwd, R_OK) < 0)
		return pf_err_set(err, -EINVAL, "password file '%s' doesn't exist", req->passwd);
	pf_autoclose int root = req->root && !passwd ? open(req->root, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
	int rc = passwd ? pf_users_load(&plan->users, AT_FDCWD, passwd, &own)
			: pf_users_load(&plan->users, root >= 0 ? root : AT_FDCWD,
					root >= 0 ? "etc/passwd" : "/etc/passwd", &own);
	if (rc == -ENOMEM)
		return pf_err_set(err, rc, "no memory");
	plan->view.users = plan->users;
	return 0;
}

int pf_plan_lists(struct pf_plan *plan, const char *letters, bool playback, struct pf_err *err)
{
	const struct pf_request *req = plan->req;
	const char *filter = given(plan, req->proc_filter);
	bool processes = playback || strchr(letters, 'Z');
	int rc = choose_processes(plan, err);
	if (rc == 0)
		rc = choose_slabs(plan, letters, playback, err);
	if (rc == 0 && filter && playback)
		rc = refuse(err, "sorry, but --procfilt not allowed in -p mode.  consider grep");
	if (rc == 0 && (processes || req->passwd))
		rc = load_users(plan, err);
	if (rc == 0 && filter && (processes || !req->as_peer)) /* collectl looks at it only if it has a use */
		rc = pf_procfilter_new(&plan->process_filter, filter, plan->req->as_peer, plan->users, err);
	bool chosen = !playback || plan->letters_given;
	for (const char *p = "YZ"; rc == 0 && *p != '\0' && chosen; p++) {
		if (req->plot && !req->filename && strchr(letters, *p) && strlen(letters) > 1)
			rc = pf_err_set(err, -EINVAL, "to display on terminal using -s%c with -P requires only -s%c",
					*p, *p);
	}
	return rc;
}

void pf_plan_lists_done(struct pf_plan *plan)
{
	plan->users = pf_users_free(plan->users);
	plan->process_filter = pf_procfilter_free(plan->process_filter);
	free(plan->slab_words);
	free(plan->slab_prefixes);
}

static bool only_lists(const char *letters)
{
	return letters[0] != '\0' && strspn(letters, "yYZ") == strlen(letters);
}

/* Intervals that were not given. collectl waits for a minute between processes; we show them each interval. */
static void complete(int64_t ns[3], int64_t second_ns, bool first_given, const char *letters, bool peer, bool top)
{
	bool lists = strpbrk(letters, "yYZ") != NULL;
	bool second_given = ns[1] >= 0;
	if (!lists)
		return;
	if (top && ns[0] != 0) { /* the list changes each time */
		ns[second_given ? 0 : 1] = ns[second_given ? 1 : 0];
		return;
	}
	if (ns[0] == 0) { /* back to back: the second is a count; collectl never reaches one that is no whole number */
		bool whole = ns[1] > 0 && ns[1] % PF_NS_PER_SEC == 0;
		ns[1] = !second_given ? (peer ? DEFAULT_SECOND_COUNT : 1) : whole ? ns[1] / PF_NS_PER_SEC : INT32_MAX;
		return;
	}
	if (!second_given && !peer)
		ns[1] = ns[0];
	else if (!second_given)
		ns[1] = (second_ns + ns[0] - 1) / ns[0] * ns[0];
	if (only_lists(letters) && (peer || !first_given))
		ns[0] = ns[1];
}

/* Seconds as they were typed, if @ns is what the interval @part (0, 1) says, else as people write them. */
static bool as_typed(char *to, size_t size, int64_t ns, const char *typed, unsigned part)
{
	for (; part > 0 && *typed != '\0'; typed++)
		part -= *typed == ':';
	size_t n = strcspn(typed, ":");
	int64_t typed_ns[3];
	char text[32];
	if (n == 0 || n >= sizeof(text) || n >= size)
		return false;
	(void)snprintf(text, sizeof(text), "%.*s", (int)n, typed);
	if (pf_times_interval(text, false, typed_ns, NULL) < 0 || typed_ns[0] != ns)
		return false;
	(void)snprintf(to, size, "%s", text);
	return true;
}

static void text_of(char *to, size_t size, int64_t ns, const char *typed, unsigned part)
{
	if (!as_typed(to, size, ns, typed, part) && !as_typed(to, size, ns, typed, 1 - part))
		(void)snprintf(to, size, "%.9g", (double)ns / 1e9);
}

/* Back to back the second interval is a count, and a header says 0 for it. */
static void set_texts(struct pf_plan *plan, bool lists)
{
	const int64_t *ns = plan->interval_ns;
	const char *typed = plan->interval_text;
	char a[32];
	char b[32] = "0";
	text_of(a, sizeof(a), ns[0], typed, 0);
	if (ns[0] != 0)
		text_of(b, sizeof(b), ns[1], typed, 1);
	(void)snprintf(plan->wait_text, sizeof(plan->wait_text), "%s", a);
	if (lists)
		(void)snprintf(plan->header_interval, sizeof(plan->header_interval), "%s:%s", a, b);
	else
		(void)snprintf(plan->header_interval, sizeof(plan->header_interval), "%s", typed);
}

/* Modules, headers of raw files and scripts know seconds alone. */
void pf_plan_interval_text(struct pf_plan *plan)
{
	int64_t ns[3];
	if (pf_times_interval(plan->interval_text, false, ns, NULL) == 0)
		return;
	char *to = plan->interval_words;
	size_t size = sizeof(plan->interval_words);
	int n = snprintf(to, size, "%.9g", (double)plan->interval_ns[0] / 1e9);
	for (unsigned i = 1; i < 3 && (plan->interval_ns[i] >= 0 || plan->interval_ns[2] >= 0); i++) {
		n += snprintf(to + n, size - (size_t)n, ":");
		if (plan->interval_ns[i] >= 0)
			n += snprintf(to + n, size - (size_t)n, "%.9g", (double)plan->interval_ns[i] / 1e9);
	}
	plan->interval_text = to;
}

int pf_plan_intervals(struct pf_plan *plan, const char *letters, struct pf_err *err)
{
	int64_t *ns = plan->interval_ns;
	bool peer = plan->req->as_peer;
	bool lists = strpbrk(letters, "yYZ") != NULL;
	bool first_given = plan->req->interval && plan->req->interval[0] != ':';
	if (ns[1] >= 0 && !lists)
		return refuse(err, "interval2 only applies to -s y,Y or Z");
	if (lists && ns[0] == 0 && ns[1] >= 0 && !peer && (ns[1] == 0 || ns[1] % PF_NS_PER_SEC != 0))
		return refuse(err, "with -i0 interval2 is a number of samples: 1 or more, without a fraction");
	static const char too_short[] = "interval2 must be >= interval1";
	if (peer && ns[1] >= 0 && ns[1] < ns[0]) /* compared before the first one follows the second one */
		return refuse(err, too_short);
	int64_t second[3];
	if (pf_times_interval(plan->settings->interval[1], false, second, NULL) < 0 || second[0] <= 0)
		second[0] = 60 * PF_NS_PER_SEC;
	complete(ns, second[0], first_given, letters, peer || plan->req->daemon, plan->view.top_key != NULL);
	/* The third interval is made a multiple of the first one. */
	int64_t third = ns[2] >= 0 ? ns[2] : DEFAULT_THIRD * PF_NS_PER_SEC;
	int64_t times = ns[0] > 0 ? (third + ns[0] - 1) / ns[0] : 1;
	plan->third_every = plan->req->env_test || times < 1 ? 1 : times > INT32_MAX ? INT32_MAX : (unsigned)times;
	plan->second_every = 1;
	set_texts(plan, lists);
	if (lists && ns[0] == 0)
		plan->second_every = ns[1] > 0 ? (unsigned)ns[1] : 1;
	if (!lists || ns[0] == 0)
		return 0;
	if (ns[1] < ns[0])
		return refuse(err, too_short);
	if (ns[1] % ns[0] != 0)
		return refuse(err, "interval2 must be a multiple of main interval");
	int64_t every = ns[1] / ns[0];
	plan->second_every = every > INT32_MAX ? INT32_MAX : (unsigned)every;
	return 0;
}

int pf_plan_two_raw(const struct pf_plan *plan, const char *letters, struct pf_err *err)
{
	const struct pf_request *req = plan->req;
	if (!req->two_raw)
		return 0;
	if (!req->filename)
		return refuse(err, "--tworaw requires data collection to a file");
	if (!strpbrk(letters, "yYZ") || only_lists(letters))
		return refuse(err, "--tworaw require BOTH process and non-procss data");
	bool short_flush = req->has_flush && req->flush < plan->interval_ns[1] / PF_NS_PER_SEC;
	if (short_flush && plan->second_every > 1)
		return refuse(err, "flush time cannot be < process collection interval, when using --tworaw");
	return 0;
}
