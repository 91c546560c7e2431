/* record/session.c - one recording session. Source: PMAFM(3) and observed behaviour of PCP's record mode; docs/formats.md. */
#include "record/session.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "base/time.h"
#include "formats/pcp/folio.h"
#include "record/logger.h"

enum { MAX_HOSTS = 1024, MAX_ARGS = 64, CHILD_FD = 3, HOST_SIZE = 257 };

/* @unique: path of the control file, six characters behind the folder; @unique_name: these six. @folio_fd: -1 once it is written. */
struct pf_session {
	char *folio;
	char *creator;
	char *unique;
	const char *unique_name;
	int folio_fd;
	bool started;
	struct pf_session_host *hosts;
	unsigned n_hosts;
};

extern char **environ;

static size_t folder_len(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? (size_t)(slash + 1 - path) : 0;
}

/* Make the control file: who has it, has the name. */
static int make_unique(struct pf_session *s, struct pf_err *err)
{
	size_t folder = folder_len(s->folio);
	if (asprintf(&s->unique, "%.*sXXXXXX", (int)folder, s->folio) < 0) {
		s->unique = NULL;
		return pf_err_set(err, -ENOMEM, "%s: no memory", s->folio);
	}
	pf_autoclose int fd = mkostemp(s->unique, O_CLOEXEC);
	if (fd < 0) {
		int rc = pf_err_set(err, -errno, "%s: cannot make a file beside it: %s", s->folio, strerror(errno));
		free(s->unique);
		s->unique = NULL;
		return rc;
	}
	s->unique_name = s->unique + folder;
	return 0;
}

/* Make the folio, empty and locked until it is written. An empty one that nobody has locked was left behind by a recorder that was killed before
 * it could write it; nothing is lost when it is used. */
static int claim_folio(struct pf_session *s, struct pf_err *err)
{
	bool there = false;
	s->folio_fd = open(s->folio, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (s->folio_fd < 0 && errno == EEXIST) {
		there = true;
		s->folio_fd = open(s->folio, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	}
	if (s->folio_fd < 0 && !there)
		return pf_err_set(err, -errno, "cannot create %s: %s", s->folio, strerror(errno));
	struct stat st;
	if (s->folio_fd >= 0 && flock(s->folio_fd, LOCK_EX | LOCK_NB) == 0 && fstat(s->folio_fd, &st) == 0 &&
	    S_ISREG(st.st_mode) && st.st_size == 0 && st.st_nlink == 1)
		return 0;
	pf_closep(&s->folio_fd);
	s->folio_fd = -1; /* not ours to remove */
	return pf_err_set(err, -EEXIST, "%s is there already and is not overwritten; choose another name", s->folio);
}

int pf_session_new(struct pf_session **ret_session, const char *folio, const char *creator, struct pf_err *err)
{
	struct pf_session *s = calloc(1, sizeof(*s));
	if (!s)
		return pf_err_set(err, -ENOMEM, "%s: no memory", folio);
	s->folio_fd = -1;
	s->folio = strdup(folio);
	s->creator = strdup(creator);
	int rc = 0;
	if (!s->folio || !s->creator)
		rc = pf_err_set(err, -ENOMEM, "%s: no memory", folio);
	if (rc == 0)
		rc = claim_folio(s, err);
	if (rc == 0)
		rc = make_unique(s, err);
	if (rc < 0) {
		(void)pf_session_free(s);
		return rc;
	}
	*ret_session = s;
	return 0;
}

/* What the archive's label will say, so that the folio agrees with it. */
static char *host_name(const char *host)
{
	char name[HOST_SIZE] = "";
	if (strcmp(host, "self:") != 0)
		return strdup(host);
	if (gethostname(name, sizeof(name) - 1) < 0 || name[0] == '\0')
		return strdup("localhost");
	return strdup(name);
}

/* DIR/XXXXXX[a-z].HOST, the first that no other host of the session has. */
static char *base_name(const struct pf_session *s, const char *host)
{
	static const char *const letters[] = { "",  "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m",
					       "n", "o", "p", "q", "r", "s", "t", "u", "v", "w", "x", "y", "z" };
	for (unsigned k = 0; k < PF_N(letters); k++) {
		char *base;
		if (asprintf(&base, "%s%s.%s", s->unique, letters[k], host) < 0)
			return NULL;
		for (char *p = base + strlen(s->unique); *p != '\0'; p++)
			*p = *p == '/' ? '_' : *p;
		bool taken = false;
		for (unsigned i = 0; i < s->n_hosts && !taken; i++)
			taken = strcmp(s->hosts[i].base, base) == 0;
		if (!taken)
			return base;
		free(base);
	}
	return NULL;
}

int pf_session_add(struct pf_session *s, const char *host, struct pf_err *err)
{
	int rc = pf_logger_host(host, err);
	if (rc < 0)
		return rc;
	if (s->started)
		return pf_err_set(err, -EINVAL, "host %s: the recording has begun", host);
	struct pf_session_host *more =
		s->n_hosts == MAX_HOSTS ? NULL : reallocarray(s->hosts, s->n_hosts + 1, sizeof(*more));
	if (!more)
		return pf_err_set(err, -ENOMEM, "no room for more than %u hosts", s->n_hosts);
	s->hosts = more;
	pf_autofree char *name = host_name(host);
	pf_autofree char *base = name ? base_name(s, name) : NULL;
	pf_autofree char *spec = strdup(host);
	if (!spec)
		return pf_err_set(err, -ENOMEM, "host %s: no memory", host);
	if (!base)
		return pf_err_set(err, -EEXIST, "host %s: it takes part too many times", host);
	more[s->n_hosts++] = (struct pf_session_host){
		.spec = PF_TAKE(spec), .host = PF_TAKE(name), .base = PF_TAKE(base), .fd = -1, .status = -1
	};
	return 0;
}

static int write_folio(struct pf_session *s, struct pf_err *err)
{
	char here[HOST_SIZE] = "localhost";
	if (gethostname(here, sizeof(here) - 1) < 0)
		(void)snprintf(here, sizeof(here), "localhost");
	struct pf_buf text = { 0 };
	pf_folio_head(&text, here, s->creator, NULL, pf_time_wall_ns());
	for (unsigned i = 0; i < s->n_hosts; i++)
		pf_folio_entry(&text, s->hosts[i].host, s->hosts[i].base + folder_len(s->folio));
	int rc = text.failed ? text.failed : pf_io_write_all(s->folio_fd, text.p, text.n);
	pf_buf_done(&text);
	int fd = PF_TAKE_FD(s->folio_fd);
	if (close(fd) < 0 && rc == 0)
		rc = -errno;
	return rc < 0 ? pf_err_set(err, rc, "%s: %s", s->folio, strerror(-rc)) : 0;
}

/* Start @argv with @fd as its descriptor 3 and signals as a program expects them. */
static int spawn(const char *program, char *const *argv, int fd, pid_t *ret_pid)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t none;
	sigset_t all;
	(void)sigemptyset(&none);
	(void)sigfillset(&all);
	int rc = posix_spawn_file_actions_init(&actions);
	if (rc != 0)
		return -rc;
	rc = posix_spawnattr_init(&attr);
	if (rc != 0) {
		(void)posix_spawn_file_actions_destroy(&actions);
		return -rc;
	}
	rc = posix_spawn_file_actions_adddup2(&actions, fd, CHILD_FD);
	if (rc == 0)
		rc = posix_spawnattr_setsigmask(&attr, &none);
	if (rc == 0)
		rc = posix_spawnattr_setsigdefault(&attr, &all);
	if (rc == 0)
		rc = posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	if (rc == 0)
		rc = posix_spawn(ret_pid, program, &actions, &attr, argv, environ);
	(void)posix_spawnattr_destroy(&attr);
	(void)posix_spawn_file_actions_destroy(&actions);
	return -rc;
}

/* The socket pair serves select(2) and poll(2) for a premature end: readable and at its end. */
static int launch(struct pf_session *s, struct pf_session_host *h, const char *program, const char *const *args,
		  struct pf_err *err)
{
	int pair[2];
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return pf_err_set(err, -errno, "host %s: no control channel: %s", h->host, strerror(errno));
	pf_autoclose int theirs = pair[1];
	h->fd = pair[0];
	/* Said before there is anybody to hear it: then a logger knows it also when we are killed in between. */
	struct pf_buf hello = { 0 };
	pf_buf_fmt(&hello, "V0\nF%s\nP%s\nU%s\n", s->folio, s->creator, s->unique);
	(void)send(h->fd, hello.p, hello.n, MSG_NOSIGNAL); /* it fits into the channel */
	pf_buf_done(&hello);

	const char *argv[MAX_ARGS + 10];
	unsigned n = 0;
	argv[n++] = "perfolio";
	argv[n++] = "log";
	for (unsigned i = 0; args[i] && i < MAX_ARGS; i++)
		argv[n++] = args[i];
	argv[n++] = "-h";
	argv[n++] = h->spec;
	argv[n++] = "-x";
	argv[n++] = "3";
	argv[n++] = "--";
	argv[n++] = h->base;
	argv[n] = NULL;
	char *plain[MAX_ARGS + 10];
	memcpy(plain, argv, (n + 1) * sizeof(argv[0])); /* posix_spawn(3) does not write to them */
	int rc = spawn(program, plain, theirs, &h->pid);
	if (rc < 0) {
		h->pid = 0;
		return pf_err_set(err, rc, "host %s: cannot start its logger: %s", h->host, strerror(-rc));
	}
	return 0;
}

int pf_session_start(struct pf_session *s, const char *program, const char *const *args, struct pf_err *err)
{
	s->started = true;
	int rc = write_folio(s, err);
	for (unsigned i = 0; rc == 0 && i < s->n_hosts; i++)
		rc = launch(s, &s->hosts[i], program, args, err);
	return rc;
}

unsigned pf_session_n_hosts(const struct pf_session *s)
{
	return s->n_hosts;
}

const struct pf_session_host *pf_session_host(const struct pf_session *s, unsigned i)
{
	return &s->hosts[i];
}

static void take_line(struct pf_session_host *h, struct pf_view line)
{
	struct pf_view word;
	if (pf_view_word(&line, &word) < 0)
		return;
	if (word.p[0] == PF_LOGGER_TELL_READY) {
		h->ready = true;
	} else if (word.p[0] == PF_LOGGER_TELL_END) {
		h->told_end = pf_view_next_u64(&line, &h->samples) == 0 && pf_view_next_u64(&line, &h->bytes) == 0;
	} else if (word.p[0] == PF_LOGGER_TELL_GROWTH) {
		(void)pf_view_next_u64(&line, &h->growth); /* without it nothing is told */
	}
}

bool pf_session_read(struct pf_session *s, unsigned i)
{
	struct pf_session_host *h = &s->hosts[i];
	ssize_t n = recv(h->fd, h->in + h->in_n, sizeof(h->in) - h->in_n, MSG_DONTWAIT);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	if (n <= 0) {
		(void)close(PF_TAKE_FD(h->fd)); /* nothing more to learn */
		return false;
	}
	h->in_n += (size_t)n;
	struct pf_view rest = { h->in, h->in_n };
	while (memchr(rest.p, '\n', rest.n)) {
		struct pf_view line;
		(void)pf_view_line(&rest, &line); /* there is one */
		take_line(h, line);
	}
	h->in_n = rest.n < sizeof(h->in) ? rest.n : 0; /* no line is as long as that */
	memmove(h->in, rest.p, h->in_n);
	return true;
}

unsigned pf_session_reap(struct pf_session *s)
{
	unsigned running = 0;
	for (unsigned i = 0; i < s->n_hosts; i++) {
		struct pf_session_host *h = &s->hosts[i];
		if (h->pid <= 0 || h->status != -1)
			continue;
		int status;
		if (waitpid(h->pid, &status, WNOHANG) == h->pid) {
			h->status = status;
			while (h->fd >= 0 && pf_session_read(s, i))
				; /* its last words */
		} else {
			running++;
		}
	}
	return running;
}

void pf_session_stop(struct pf_session *s)
{
	for (unsigned i = 0; i < s->n_hosts; i++) {
		struct pf_session_host *h = &s->hosts[i];
		if (h->fd >= 0 && !h->stopped)
			(void)send(h->fd, "Q\n", 2, MSG_NOSIGNAL); /* a logger that is gone needs no telling */
		h->stopped = true;
	}
}

void pf_session_kill(struct pf_session *s)
{
	for (unsigned i = 0; i < s->n_hosts; i++) {
		if (s->hosts[i].pid > 0 && s->hosts[i].status == -1)
			(void)kill(s->hosts[i].pid, SIGKILL); /* it may have ended just now */
	}
}

static bool has_archive(const struct pf_session *s)
{
	for (unsigned i = 0; i < s->n_hosts; i++) {
		char path[PATH_MAX + 8];
		int n = snprintf(path, sizeof(path), "%s.index", s->hosts[i].base);
		if (n < 0 || (size_t)n >= sizeof(path) || access(path, F_OK) == 0)
			return true;
	}
	return false;
}

struct pf_session *pf_session_free(struct pf_session *s)
{
	if (!s)
		return NULL;
	if (s->folio_fd >= 0 || (s->unique && !has_archive(s)))
		(void)unlink(s->folio); /* made by us, and it names nothing that exists */
	if (s->unique)
		(void)unlink(s->unique);
	for (unsigned i = 0; i < s->n_hosts; i++) {
		pf_closep(&s->hosts[i].fd);
		free(s->hosts[i].spec);
		free(s->hosts[i].host);
		free(s->hosts[i].base);
	}
	pf_closep(&s->folio_fd);
	free(s->hosts);
	free(s->unique);
	free(s->folio);
	free(s->creator);
	free(s);
	return NULL;
}
