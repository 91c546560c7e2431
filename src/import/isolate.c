/* import/isolate.c - the recorder's end of isolated modules: the process is started, watched, ended and started again; calls go there, and
 * what comes back is done here as if the module had called. */
#include "import/isolate.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/time.h"
#include "import/isolate_calls.h"

enum {
	LOAD_S = 10,	  /* until a module is loaded */
	RESTARTS_MAX = 5, /* in a row; ten minutes without fault make it new */
	GOOD_S = 600,
	LATE_S = 10,	      /* how long one that is late may take to come back */
	CAREFUL_CALLS = 1000, /* that get less time after one was late */
	CAREFUL_PART = 10,
	LOOK_MS = 100,	 /* how often a call is looked at */
	LOOK_PIECES = 64 /* that are taken from one that is late, in one interval */
};

static void set_state(struct pf_iso *iso, enum pf_iso_state state)
{
	iso->state = state;
	iso->since_ns = pf_time_mono_ns();
}

static int reap(struct pf_iso *iso)
{
	int status = 0;
	(void)kill(iso->pid, SIGKILL); /* it may be gone already */
	while (waitpid(iso->pid, &status, 0) < 0 && errno == EINTR)
		continue;
	iso->pid = 0;
	pf_closep(&iso->statm_fd);
	iso->statm_fd = -1;
	return status;
}

/* @why: what is said of it */
static void go_down(struct pf_module *m, const char *why)
{
	struct pf_iso *iso = m->iso;
	int64_t now = pf_time_mono_ns();
	if (iso->state == PF_ISO_UP && now - iso->since_ns > GOOD_S * PF_NS_PER_SEC)
		iso->restarts = 0;
	if (iso->pid > 0)
		(void)reap(iso);
	pf_wire_done(&iso->wire);
	if (!m->initialised) { /* there is nothing to start again; whoever called Init tells it */
		set_state(iso, PF_ISO_GIVEN_UP);
		if (m->failed.rc == 0)
			(void)pf_err_set(&m->failed, -ECANCELED, "%s", why);
		return;
	}
	if (iso->restarts >= RESTARTS_MAX) {
		set_state(iso, PF_ISO_GIVEN_UP);
		pf_notice(m->imp->notice, PF_WARNING, "module %s: %s; it was started %d times, going on without it",
			  m->is.name, why, RESTARTS_MAX + 1);
		return;
	}
	int64_t wait_s = INT64_C(1) << iso->restarts;
	iso->restarts++;
	iso->again_ns = now + wait_s * PF_NS_PER_SEC;
	set_state(iso, PF_ISO_DOWN);
	pf_notice(m->imp->notice, PF_WARNING, "module %s: %s; it is started again in %d second%s", m->is.name, why,
		  (int)wait_s, wait_s == 1 ? "" : "s");
}

/* The other end is gone, or talks nonsense. */
static void went_away(struct pf_module *m, int rc)
{
	struct pf_iso *iso = m->iso;
	char why[160];
	int status = 0;
	/* Its end of the socket closes a little before it can be reaped. */
	for (int i = 0; rc == -EPIPE && iso->pid > 0 && i < 100; i++) {
		pid_t gone = waitpid(iso->pid, &status, WNOHANG);
		if (gone == iso->pid)
			iso->pid = 0;
		if (gone != 0)
			break;
		(void)usleep(1000);
	}
	const char *where = pf_call_names[iso->call];
	if (rc != -EPIPE)
		(void)snprintf(why, sizeof(why), "%s: its process sent what cannot be", where);
	else if (iso->pid == 0 && WIFSIGNALED(status))
		(void)snprintf(why, sizeof(why), "%s ended its process: %s (signal %d)", where,
			       strsignal(WTERMSIG(status)), WTERMSIG(status));
	else
		(void)snprintf(why, sizeof(why), "%s ended its process with status %d", where, WEXITSTATUS(status));
	go_down(m, why);
}

static int spawn(struct pf_module *m, const char *name, const char *const *path, struct pf_err *err)
{
	struct pf_iso *iso = m->iso;
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return pf_err_set(err, -errno, "a process for the module: %s", strerror(errno));
	iso->pid = fork();
	if (iso->pid < 0) {
		int rc = -errno;
		iso->pid = 0;
		(void)close(ends[0]);
		(void)close(ends[1]);
		return pf_err_set(err, rc, "a process for the module: %s", strerror(-rc));
	}
	if (iso->pid == 0)
		pf_iso_child(m, ends[1], name, path);
	(void)close(ends[1]);
	iso->wire = (struct pf_wire){ .fd = ends[0] };
	char file[64];
	(void)snprintf(file, sizeof(file), "/proc/%d/statm", (int)iso->pid);
	iso->statm_fd = open(file, O_RDONLY | O_CLOEXEC);
	iso->depth = 0;
	set_state(iso, PF_ISO_UP);
	return 0;
}

static char *copy(struct pf_iso *iso, const char *text)
{
	return text ? pf_arena_dup(&iso->arena, pf_view_of(text)) : NULL;
}

/* The first message: was it loaded? */
static int take_hello(struct pf_module *m, struct pf_wire_fields *f, struct pf_err *err)
{
	struct pf_iso *iso = m->iso;
	int rc = (int)pf_wire_get_u64(f);
	const char *why = pf_wire_get_str(f);
	const char *name = pf_wire_get_str(f);
	const char *version = pf_wire_get_str(f);
	const char *path = pf_wire_get_str(f);
	bool script = pf_wire_get_u64(f) != 0;
	iso->mask = pf_wire_get_u64(f);
	if (f->bad)
		return pf_err_set(err, -EPROTO, "the process of the module sent what cannot be");
	if (rc < 0)
		return pf_err_set(err, rc, "%s", why ? why : "it cannot be loaded");
	if (m->is.name)
		return 0; /* started again: all of this is known */
	if (!path || (script && (!name || name[0] == '\0' || strlen(name) >= PF_MODULE_NAME_MAX)))
		return pf_err_set(err, -EPROTO, "the process of the module sent what cannot be");
	rc = script ? 0 : pf_module_check_name(name, err);
	if (rc < 0)
		return rc;
	m->script = script;
	m->path = strdup(path);
	m->is = pf_iso_stand_ins(iso->mask);
	m->is.name = copy(iso, name);
	m->is.version = copy(iso, version);
	return m->path && m->is.name ? 0 : pf_err_set(err, -ENOMEM, "no memory");
}

int pf_iso_meet(struct pf_module *m, struct pf_err *err)
{
	struct pf_iso *iso = m->iso;
	int64_t until_ns = pf_time_mono_ns() + LOAD_S * PF_NS_PER_SEC;
	struct pf_wire_fields f;
	for (;;) {
		int kind = pf_wire_next(&iso->wire, &f);
		if (kind == PF_WIRE_HELLO)
			return take_hello(m, &f, err);
		if (kind == PF_WIRE_NOTICE || kind == PF_WIRE_SAY) {
			pf_iso_take(m, kind, &f);
			continue;
		}
		int rc = kind != 0 ? -EPROTO : pf_wire_receive(&iso->wire, until_ns);
		if (rc == -ETIMEDOUT)
			return pf_err_set(err, rc, "loading it takes too long");
		if (rc < 0)
			return pf_err_set(err, rc, "loading it ended its process");
	}
}

int pf_iso_load(struct pf_module *m, const char *name, const char *const *path, int64_t deadline_ns, struct pf_err *err)
{
	m->iso = calloc(1, sizeof(*m->iso));
	if (!m->iso)
		return pf_err_set(err, -ENOMEM, "no memory");
	m->iso->deadline_ns = deadline_ns;
	m->iso->statm_fd = -1;
	m->iso->wire.fd = -1;
	int rc = spawn(m, name, path, err);
	if (rc == 0)
		rc = pf_iso_meet(m, err);
	return rc == -EPIPE || rc == -ETIMEDOUT ? pf_err_context(err, rc, "--import %s", name) : rc;
}

void pf_iso_close(struct pf_module *m)
{
	struct pf_iso *iso = m->iso;
	if (!iso)
		return;
	if (iso->pid > 0)
		(void)reap(iso);
	pf_closep(&iso->statm_fd);
	pf_wire_done(&iso->wire);
	pf_arena_done(&iso->arena);
	free(iso);
	m->iso = NULL;
}

void pf_iso_root(struct pf_module *m)
{
	struct pf_iso *iso = m->iso;
	char link[64], root[4096];
	if (!iso || iso->pid <= 0 || m->imp->root_fd == AT_FDCWD)
		return;
	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", m->imp->root_fd);
	ssize_t n = readlink(link, root, sizeof(root));
	if (n <= 0 || (size_t)n >= sizeof(root))
		return;
	pf_wire_begin(&iso->wire, PF_WIRE_ROOT); /* goes with the next call */
	pf_wire_text(&iso->wire, (struct pf_view){ root, (size_t)n });
	pf_wire_end(&iso->wire);
}

/* Time for one call. */
static int64_t allowed(struct pf_iso *iso)
{
	if (iso->careful == 0)
		return iso->deadline_ns;
	iso->careful--;
	return iso->deadline_ns / CAREFUL_PART;
}

void pf_iso_put_call(struct pf_module *m, enum pf_call which)
{
	struct pf_iso *iso = m->iso;
	pf_wire_begin(&iso->wire, PF_WIRE_CALL);
	pf_wire_u64(&iso->wire, which);
	pf_wire_u64(&iso->wire, m->imp->analyze);
	pf_iso_put_state(&iso->wire, m);
	bool draws = which >= PF_CALL_UPDATE_HEADER && which <= PF_CALL_PLOT;
	pf_wire_text(&iso->wire, draws && m->script ? pf_buf_text(iso->text->buf) : pf_view_of(""));
}

bool pf_iso_begin(struct pf_module *m, enum pf_call which)
{
	struct pf_iso *iso = m->iso;
	if (iso->state != PF_ISO_UP || iso->depth > 2 * PF_MODULE_DEPTH_MAX)
		return false;
	iso->call = which;
	if (iso->depth == 0) {
		iso->outer = which;
		iso->until_ns = pf_time_mono_ns() + (which == PF_CALL_INIT ? LOAD_S * PF_NS_PER_SEC : allowed(iso));
	}
	pf_iso_put_call(m, which);
	return true;
}

/* Its time is over. One that does not answer in the middle of something is ended; else it may come back. */
static void is_late(struct pf_module *m)
{
	struct pf_iso *iso = m->iso;
	iso->careful = CAREFUL_CALLS;
	if (iso->depth > 0 || iso->outer == PF_CALL_INIT) {
		char why[80];
		(void)snprintf(why, sizeof(why), "%s did not come back in time", pf_call_names[iso->outer]);
		go_down(m, why);
		return;
	}
	set_state(iso, PF_ISO_LATE);
	if (!iso->slow_told)
		pf_notice(m->imp->notice, PF_WARNING,
			  "module %s: %s did not come back in %.3g s, going on without it until it does", m->is.name,
			  pf_call_names[iso->outer], (double)iso->deadline_ns / (double)PF_NS_PER_SEC);
	iso->slow_told = true;
}

/* What it holds, in pages. */
static void check_memory(struct pf_module *m)
{
	struct pf_iso *iso = m->iso;
	char text[128];
	ssize_t n = iso->statm_fd >= 0 ? pread(iso->statm_fd, text, sizeof(text) - 1, 0) : 0;
	if (n <= 0)
		return;
	struct pf_view rest = { text, (size_t)n }, word;
	uint64_t pages = 0;
	int rc = pf_view_word(&rest, &word); /* the first says how much there may be */
	if (rc == 0)
		rc = pf_view_word(&rest, &word);
	if (rc == 0)
		(void)pf_view_u64(word, &pages); /* the kernel's own number */
	uint64_t mb = pages * (uint64_t)sysconf(_SC_PAGESIZE) >> 20;
	if (mb <= m->imp->memory_mb)
		return;
	char why[96];
	(void)snprintf(why, sizeof(why), "its process held %u MB of memory, more than %u, and was ended", (unsigned)mb,
		       m->imp->memory_mb);
	go_down(m, why);
}

/* More of what it sends. While nothing comes, it is looked at what it takes: a call can take all memory before its time is over. */
static int wait_for_more(struct pf_module *m)
{
	struct pf_iso *iso = m->iso;
	for (;;) {
		int64_t now = pf_time_mono_ns();
		int64_t look_ns = now + LOOK_MS * PF_NS_PER_MS;
		int rc = pf_wire_receive(&iso->wire, look_ns < iso->until_ns ? look_ns : iso->until_ns);
		if (rc != -ETIMEDOUT || now >= iso->until_ns)
			return rc;
		check_memory(m);
		if (iso->state != PF_ISO_UP)
			return 0;
		if (iso->wire.in.n > iso->wire.at)
			return pf_time_mono_ns() > iso->until_ns ? rc : 0;
	}
}

int pf_iso_end(struct pf_module *m)
{
	struct pf_iso *iso = m->iso;
	pf_wire_end(&iso->wire);
	iso->depth++;
	enum pf_call call = iso->call;
	int rc = pf_wire_send(&iso->wire, iso->until_ns);
	struct pf_wire_fields f;
	while (rc == 0 && iso->state == PF_ISO_UP) {
		iso->call = call; /* others came in between */
		int kind = pf_wire_next(&iso->wire, &f);
		if (kind == PF_WIRE_RETURN) {
			iso->depth--;
			return pf_iso_take_return(m, &f);
		}
		if (kind > 0)
			rc = pf_iso_take(m, kind, &f);
		else
			rc = kind < 0 ? kind : wait_for_more(m);
	}
	iso->depth--;
	if (iso->state != PF_ISO_UP)
		return 0; /* a call within this one saw its end */
	if (rc == -ETIMEDOUT)
		is_late(m);
	else if (rc == -EINTR)
		set_state(iso, PF_ISO_GIVEN_UP); /* the program ends; the process does with it */
	else
		went_away(m, rc);
	return 0;
}

/* Whatever is not a reason to end it, but has lasted too long, is. */
static void see_to_time(struct pf_module *m, int rc, int64_t most_s, const char *why)
{
	if (rc != -ETIMEDOUT && rc != -EINTR)
		went_away(m, rc);
	else if (pf_time_mono_ns() - m->iso->since_ns > most_s * PF_NS_PER_SEC)
		go_down(m, why);
}

/* One that was late: has it come back? What it says in the meantime is too late. */
static void look_after(struct pf_module *m)
{
	struct pf_iso *iso = m->iso;
	struct pf_wire_fields f;
	int rc = 0;
	for (unsigned pieces = 0; rc == 0;) {
		int kind = pf_wire_next(&iso->wire, &f);
		if (kind == PF_WIRE_RETURN) {
			set_state(iso, PF_ISO_UP);
			return;
		}
		if (kind == PF_WIRE_RECORD || kind == PF_WIRE_DECLARE)
			rc = pf_iso_refuse(iso, kind, &f);
		else if (kind < 0)
			rc = kind;
		else if (kind == 0)
			rc = pieces++ < LOOK_PIECES ? pf_wire_receive(&iso->wire, PF_WIRE_NOW) : -ETIMEDOUT;
	}
	char why[80];
	(void)snprintf(why, sizeof(why), "%s has not come back and was ended", pf_call_names[iso->call]);
	see_to_time(m, rc, LATE_S, why);
}

/* A message of one that is starting. Return: 0, or why it cannot go on; @ret_up: its Init has returned */
static int take_start(struct pf_module *m, int kind, struct pf_wire_fields *f, bool *ret_up, struct pf_err *err)
{
	struct pf_iso *iso = m->iso;
	if (kind == PF_WIRE_RETURN && iso->loaded) {
		pf_iso_after_init(m, pf_iso_take_return(m, f));
		*ret_up = true;
		return 0;
	}
	if (kind == PF_WIRE_HELLO && !iso->loaded) {
		int rc = take_hello(m, f, err);
		iso->loaded = rc == 0;
		return rc == 0 ? pf_iso_ask_init(m) : rc;
	}
	if (!iso->loaded && kind != PF_WIRE_NOTICE && kind != PF_WIRE_SAY)
		return -EPROTO;
	return pf_iso_take(m, kind, f);
}

/* One that is being started: how far is it? It gets a tenth of a call's time in each interval, so nothing waits long for it. */
static void go_on_starting(struct pf_module *m)
{
	struct pf_iso *iso = m->iso;
	struct pf_wire_fields f;
	struct pf_err err = { 0 };
	int64_t until_ns = pf_time_mono_ns() + iso->deadline_ns / CAREFUL_PART;
	iso->until_ns = until_ns; /* for answers */
	bool up = false;
	int rc = 0;
	while (rc == 0) {
		int kind = pf_wire_next(&iso->wire, &f);
		if (kind > 0)
			rc = take_start(m, kind, &f, &up, &err);
		else
			rc = kind < 0 ? kind : pf_wire_receive(&iso->wire, until_ns);
		if (up || iso->state != PF_ISO_STARTING)
			return;
	}
	if (err.rc < 0)
		go_down(m, err.text);
	else
		see_to_time(m, rc, LOAD_S,
			    iso->loaded ? "init did not come back in time" : "loading it takes too long");
}

/* Start it again, as at first: load, Init, InitInterval. */
static void start_again(struct pf_module *m)
{
	struct pf_iso *iso = m->iso;
	struct pf_err err = { 0 };
	if (spawn(m, m->path, NULL, &err) < 0) {
		go_down(m, err.text);
		return;
	}
	set_state(iso, PF_ISO_STARTING);
	iso->loaded = false;
	iso->call = PF_CALL_INIT;
	iso->careful = iso->restarts > 1 ? CAREFUL_CALLS : 0;
	pf_iso_root(m);
}

bool pf_iso_is_ready(struct pf_module *m)
{
	struct pf_iso *iso = m->iso;
	if (iso->state == PF_ISO_LATE)
		look_after(m);
	else if (iso->state == PF_ISO_DOWN && pf_time_mono_ns() >= iso->again_ns)
		start_again(m);
	if (iso->state == PF_ISO_STARTING)
		go_on_starting(m);
	if (iso->pid > 0)
		check_memory(m);
	return iso->state == PF_ISO_UP;
}
