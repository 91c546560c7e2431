/* api/pmafm.c - libpcp_gui.so.2: the three calls of PCP's record mode, on our sessions. Source: PMAFM(3), what PCP 6.0.3 was observed to do;
 * where it contradicts its manual or harms the caller, we do as pmRecordSetup(3) of ours says. */
#pragma GCC visibility push(default)
#include "compat/pcp/pmafm.h"
#pragma GCC visibility pop

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/libexec.h"
#include "base/cleanup.h"
#include "record/session.h"

_Static_assert(sizeof(void *) != 8 || sizeof(pmRecordHost) == 32, "the layout is that of PCP");

/* @index: number of the host in the session, if @used. */
struct record {
	pmRecordHost host;
	unsigned index;
	bool used;
	struct record *next;
};

/* A session that is over; its loggers may still run. */
struct past {
	struct pf_session *session;
	struct past *next;
};

/**
 * struct gui - all that the calls share.
 * @session: the one that is being made, is on, or was the last; NULL: there was none
 * @records: those made last are first, and are used again in this order
 * @sink: where a caller without a replay may write to, NULL: none is open
 */
struct gui {
	struct pf_session *session;
	struct past *past;
	struct record *records;
	FILE *sink;
};

static struct gui *gui;

static bool is_busy(const struct gui *g)
{
	return g->session && pf_session_phase(g->session) != PF_SESSION_OFF;
}

/* Before the session does something: what the caller has done to the channels. */
static void take_over(const struct gui *g)
{
	for (const struct record *r = g->records; r; r = r->next) {
		if (r->used && r->host.fd_ipc < 0)
			pf_session_forget(g->session, r->index);
	}
}

/* ... and behind it: what has become of the hosts. */
static void hand_out(const struct gui *g)
{
	for (struct record *r = g->records; r; r = r->next) {
		if (!r->used)
			continue;
		const struct pf_session_host *h = pf_session_host(g->session, r->index);
		r->host.f_config = h->config;
		r->host.fd_ipc = h->fd;
		r->host.pid = h->pid;
		r->host.status = h->status;
	}
}

/* Collect loggers that ended; those of sessions before as well, so that they do not stay as zombies. */
static void harvest(struct gui *g)
{
	struct past **link = &g->past;
	while (*link) {
		struct past *p = *link;
		if (pf_session_reap(p->session) > 0) {
			link = &p->next;
			continue;
		}
		*link = p->next;
		(void)pf_session_free(p->session);
		free(p);
	}
	if (!g->session)
		return;
	take_over(g);
	(void)pf_session_reap(g->session);
	hand_out(g);
}

static int put_aside(struct gui *g)
{
	if (!g->session)
		return 0;
	struct past *p = malloc(sizeof(*p));
	if (!p)
		return -ENOMEM;
	*p = (struct past){ .session = PF_TAKE(g->session), .next = g->past };
	g->past = p;
	for (struct record *r = g->records; r; r = r->next) {
		free(r->host.logfile);
		r->host = (pmRecordHost){ .fd_ipc = -1, .status = -1 };
		r->used = false;
	}
	return 0;
}

static int setup(const struct pf_session_spec *spec, FILE **ret_stream)
{
	if (!gui)
		gui = calloc(1, sizeof(*gui));
	if (!gui)
		return -ENOMEM;
	if (is_busy(gui))
		return -EINVAL;
	struct pf_session *s;
	int rc = pf_session_new(&s, spec, NULL);
	if (rc < 0)
		return rc;
	FILE *sink = spec->replay ? NULL : fopen("/dev/null", "we");
	rc = !spec->replay && !sink ? -errno : put_aside(gui);
	if (rc < 0) {
		if (sink)
			(void)fclose(sink);
		(void)pf_session_free(s);
		return rc;
	}
	gui->session = s;
	gui->sink = sink;
	*ret_stream = spec->replay ? pf_session_replay(s) : sink;
	return 0;
}

FILE *pmRecordSetup(const char *folio, const char *creator, int replay)
{
	FILE *stream = NULL;
	const struct pf_session_spec spec = {
		.folio = folio, .creator = creator, .form = PF_SESSION_PMLOGGER, .replay = replay != 0
	};
	int rc = folio && creator ? setup(&spec, &stream) : -EINVAL;
	if (rc < 0)
		errno = -rc;
	return stream;
}

/* Absolute path of BASE.log. */
static char *log_path(const char *base)
{
	char folder[PATH_MAX] = "";
	char *path;
	if (base[0] != '/' && !getcwd(folder, sizeof(folder)))
		return NULL;
	while (base[0] == '.' && base[1] == '/')
		base += 2;
	if (asprintf(&path, "%s%s%s.log", folder, base[0] == '/' || strcmp(folder, "/") == 0 ? "" : "/", base) < 0)
		return NULL;
	return path;
}

/* One that no host uses. */
static struct record *free_record(struct gui *g)
{
	struct record *r = g->records;
	while (r && r->used)
		r = r->next;
	if (r)
		return r;
	r = calloc(1, sizeof(*r));
	if (!r)
		return NULL;
	r->next = g->records;
	g->records = r;
	return r;
}

int pmRecordAddHost(const char *host, int isdefault, pmRecordHost **rhp)
{
	if (!rhp)
		return -EINVAL;
	*rhp = NULL;
	if (!host || !gui || !gui->session)
		return -EINVAL;
	enum pf_session_phase phase = pf_session_phase(gui->session);
	if (phase != PF_SESSION_BEGIN && phase != PF_SESSION_HOSTS)
		return -EINVAL;
	struct record *r = free_record(gui);
	if (!r)
		return -ENOMEM;
	int rc = pf_session_add(gui->session, host, isdefault != 0, NULL);
	if (rc < 0)
		return rc;
	r->index = pf_session_n_hosts(gui->session) - 1;
	r->used = true;
	r->host = (pmRecordHost){ .fd_ipc = -1, .status = -1 };
	r->host.f_config = pf_session_host(gui->session, r->index)->config;
	r->host.logfile = log_path(pf_session_host(gui->session, r->index)->base);
	*rhp = &r->host;
	return 0;
}

/* Which host is meant? Return: 0 or -EINVAL when it is none of the session. */
static int find_host(const struct gui *g, const pmRecordHost *rhp, unsigned *ret_i)
{
	*ret_i = PF_SESSION_ALL;
	for (const struct record *r = g->records; r && rhp; r = r->next) {
		if (rhp == &r->host && r->used) {
			*ret_i = r->index;
			return 0;
		}
	}
	return rhp ? -EINVAL : 0;
}

static int set_arg(const struct gui *g, const pmRecordHost *rhp, const char *word)
{
	unsigned i;
	if (!word || pf_session_phase(g->session) != PF_SESSION_HOSTS)
		return -EINVAL;
	return find_host(g, rhp, &i) < 0 ? 0 : pf_session_arg(g->session, i, word, NULL);
}

/* The channels are left open in programs that the caller executes, as those of PCP are. */
static void leave_open(const struct gui *g)
{
	for (unsigned i = 0; i < pf_session_n_hosts(g->session); i++)
		(void)fcntl(pf_session_host(g->session, i)->fd, F_SETFD, 0); /* an open descriptor takes that */
}

static int turn_on(struct gui *g, const pmRecordHost *rhp)
{
	if (rhp || pf_session_phase(g->session) != PF_SESSION_HOSTS)
		return -EINVAL;
	(void)fflush(stdout);
	(void)fflush(stderr);
	pf_autofree char *program = pf_libexec_find("compat/pmlogger");
	if (!program)
		return -ENOMEM;
	int rc = pf_session_start(g->session, program, NULL);
	if (g->sink)
		(void)fclose(PF_TAKE(g->sink));
	if (rc == 0)
		leave_open(g);
	return rc;
}

static int ask(const struct gui *g, const pmRecordHost *rhp, enum pf_session_request request, const char *options)
{
	unsigned i;
	if (find_host(g, rhp, &i) < 0)
		return -EINVAL;
	int rc = pf_session_ask(g->session, i, request, options);
	return rc == -EPIPE ? PM_ERR_IPC : rc;
}

int pmRecordControl(pmRecordHost *rhp, int request, const char *options)
{
	int rc = -EINVAL;
	if (!gui)
		return rc;
	harvest(gui);
	if (!gui->session)
		return rc;
	switch (request) {
	case PM_REC_SETARG:
		rc = set_arg(gui, rhp, options);
		break;
	case PM_REC_ON:
		rc = turn_on(gui, rhp);
		break;
	case PM_REC_STATUS:
		rc = ask(gui, rhp, PF_SESSION_STATUS, options);
		break;
	case PM_REC_DETACH:
		rc = ask(gui, rhp, PF_SESSION_DETACH, options);
		break;
	case PM_REC_OFF:
		rc = ask(gui, rhp, PF_SESSION_STOP, options);
		break;
	}
	hand_out(gui);
	return rc;
}
