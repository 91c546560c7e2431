/* record/session_start.c - the start of a session: all of it, or nothing. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
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
#include "record/launch.h"
#include "record/session_inside.h"

enum { HOST_SIZE = 257, MORE_WORDS = 12 };

/* A path in the words of one who stands in the folder of the folio. */
static const char *seen_from(const struct pf_session *s, const char *path)
{
	return s->spec.form == PF_SESSION_PMLOGGER ? pf_session_file_name(path) : path;
}

/* The default host is first, whenever it came. */
static void put_hosts(const struct pf_session *s, struct pf_buf *text)
{
	for (int pass = 1; pass >= 0; pass--) {
		for (unsigned i = 0; i < s->n_hosts; i++) {
			if (s->hosts[i].is_default == (pass == 1))
				pf_folio_entry(text, s->hosts[i].host, s->hosts[i].base + (s->unique_name - s->unique));
		}
	}
}

static int write_folio(struct pf_session *s, struct pf_err *err)
{
	char here[HOST_SIZE] = "";
	if (gethostname(here, sizeof(here) - 1) < 0 || here[0] == '\0')
		(void)snprintf(here, sizeof(here), "localhost");
	struct pf_buf text = { 0 };
	pf_folio_head(&text, here, s->creator, s->spec.replay ? s->unique_name : NULL, pf_time_wall_ns());
	put_hosts(s, &text);
	int rc = text.failed ? text.failed : pf_io_write_all(s->folio_fd, text.p, text.n);
	pf_buf_done(&text);
	int fd = PF_TAKE_FD(s->folio_fd);
	if (close(fd) < 0 && rc == 0)
		rc = -errno;
	return rc < 0 ? pf_err_set(err, rc, "%s: %s", s->folio, strerror(-rc)) : 0;
}

/* What the caller wrote must be in its file before anybody reads it. */
static int finish(FILE **stream, const char *what, const char *of, struct pf_err *err)
{
	FILE *f = PF_TAKE(*stream);
	bool failed = f && ferror(f);
	if (f && (fclose(f) != 0 || failed))
		return pf_err_set(err, errno > 0 ? -errno : -EIO, "%s of %s: %s", what, of,
				  strerror(errno > 0 ? errno : EIO));
	return 0;
}

/* @ret_words holds pointers to what the session has, and is the caller's to free. */
static int make_words(const struct pf_session *s, const struct pf_session_host *h, char *log, char *config,
		      const char ***ret_words)
{
	bool theirs = s->spec.form == PF_SESSION_PMLOGGER;
	const char *base = seen_from(s, h->base);
	const char **words = calloc(h->n_args + MORE_WORDS, sizeof(*words));
	unsigned n = 0;
	if (!words)
		return -ENOMEM;
	words[n++] = theirs ? "pmlogger" : "perfolio";
	if (!theirs)
		words[n++] = "log";
	for (unsigned i = 0; i < h->n_args; i++)
		words[n++] = h->args[i];
	words[n++] = "-x";
	words[n++] = "3";
	words[n++] = "-h";
	words[n++] = h->spec;
	if (theirs) {
		words[n++] = "-l";
		words[n++] = log;
		words[n++] = "-c";
		words[n++] = config;
	} else {
		words[n++] = "--";
	}
	words[n] = base;
	*ret_words = words;
	return 0;
}

/* Said before there is anybody to hear it: then a logger knows it also when we are killed in between. */
static int introduce(const struct pf_session *s, const struct pf_session_host *h)
{
	struct pf_buf hello = { 0 };
	pf_buf_str(&hello, "V0\nF");
	pf_session_one_line(&hello, s->folio);
	pf_buf_fmt(&hello, "\nP%s\n", s->creator);
	if (s->spec.replay)
		pf_buf_str(&hello, "R\n");
	if (s->spec.form == PF_SESSION_LOG)
		pf_buf_fmt(&hello, "U%s\n", s->unique);
	int rc = hello.failed;
	if (rc == 0 && send(h->fd, hello.p, hello.n, MSG_NOSIGNAL) < 0) /* it fits into the channel */
		rc = -errno;
	pf_buf_done(&hello);
	return rc;
}

/* The socket pair serves select(2) and poll(2) for a premature end: readable and at its end. */
static int open_channel(struct pf_session_host *h, int *ret_theirs)
{
	int pair[2];
	struct stat st;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return -errno;
	h->fd = pair[0];
	*ret_theirs = pair[1];
	if (fstat(h->fd, &st) < 0)
		return -errno;
	h->ino = st.st_ino;
	return 0;
}

static int launch(struct pf_session *s, struct pf_session_host *h, const char *program, struct pf_err *err)
{
	bool pmlogger = s->spec.form == PF_SESSION_PMLOGGER;
	pf_autoclose int theirs = -1;
	int rc = open_channel(h, &theirs);
	if (rc == 0)
		rc = introduce(s, h);
	if (rc < 0)
		return pf_err_set(err, rc, "host %s: no control channel: %s", h->host, strerror(-rc));

	const char **words = NULL;
	pf_autofree char *log = NULL;
	pf_autofree char *config = NULL;
	if (asprintf(&log, "%s.log", seen_from(s, h->base)) < 0)
		log = NULL;
	if (asprintf(&config, "%s.config", seen_from(s, h->base)) < 0)
		config = NULL;
	rc = log && config ? make_words(s, h, log, config, &words) : -ENOMEM;
	pf_autoclose int err_fd = -1;
	if (rc == 0 && s->spec.logs) {
		err_fd = openat(s->dir_fd, pf_session_file_name(log), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
		rc = err_fd < 0 ? -errno : 0;
	}
	if (rc == 0) {
		const struct pf_launch how = {
			.program = program,
			.argv = words,
			.fd = theirs,
			.dir_fd = pmlogger ? s->dir_fd : s->start_fd,
			.err_fd = err_fd,
			.out_is_err = pmlogger || s->spec.logs,
			.deaf = pmlogger,
			.late = pmlogger,
		};
		rc = pf_launch(&how, &h->pid);
	}
	free(words);
	if (rc < 0)
		return pf_err_set(err, rc, "host %s: cannot start its logger: %s", h->host, strerror(-rc));
	h->on = true;
	return 0;
}

static void remove_files(const struct pf_session *s, const struct pf_session_host *h)
{
	static const char *const tails[] = { "config", "log", "meta", "index", "0" };
	for (unsigned k = 0; k < PF_N(tails); k++) {
		pf_autofree char *path = NULL;
		if (asprintf(&path, "%s.%s", pf_session_file_name(h->base), tails[k]) < 0)
			path = NULL;
		else
			(void)unlinkat(s->dir_fd, path, 0); /* most of them are not there yet */
	}
}

/* Those that run have recorded nothing worth keeping. */
static void undo(struct pf_session *s)
{
	pf_session_kill(s);
	for (unsigned i = 0; i < s->n_hosts; i++) {
		struct pf_session_host *h = &s->hosts[i];
		int status;
		pid_t pid;
		do {
			pid = h->pid > 0 && h->status == -1 ? waitpid(h->pid, &status, 0) : 0;
		} while (pid < 0 && errno == EINTR);
		if (pid > 0)
			h->status = status;
		if (h->config)
			(void)fclose(PF_TAKE(h->config));
		h->on = false;
		pf_session_let_go(h);
		remove_files(s, h);
	}
	if (s->replay)
		(void)fclose(PF_TAKE(s->replay));
	pf_closep(&s->folio_fd);
	s->folio_fd = -1;
	pf_session_remove(s, s->folio);
	pf_session_remove(s, s->unique);
	s->failed = true;
}

int pf_session_start(struct pf_session *s, const char *program, struct pf_err *err)
{
	if (pf_session_phase(s) != PF_SESSION_HOSTS)
		return pf_err_set(err, -EINVAL, "%s: a session is started once, when it has hosts", s->folio);
	s->started = true;
	int rc = write_folio(s, err);
	if (rc == 0)
		rc = finish(&s->replay, "the configuration for a replay", s->folio, err);
	for (unsigned i = 0; rc == 0 && i < s->n_hosts; i++)
		rc = finish(&s->hosts[i].config, "the configuration", s->hosts[i].host, err);
	for (unsigned i = 0; rc == 0 && i < s->n_hosts; i++)
		rc = launch(s, &s->hosts[i], program, err);
	if (rc < 0) {
		undo(s);
		return rc;
	}
	if (s->spec.form == PF_SESSION_PMLOGGER && !s->spec.replay)
		pf_session_remove(s, s->unique); /* the names of the archives are taken by now */
	return 0;
}
