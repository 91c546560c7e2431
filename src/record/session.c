/* record/session.c - one recording session: its names, its hosts, its end. Source: PMAFM(3) and observed behaviour of PCP's record mode;
 * docs/formats.md. */
#include "record/session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "record/logger.h"
#include "record/session_inside.h"

enum { MAX_HOSTS = 1 << 16, MAX_ARGS = 1 << 12, HOST_SIZE = 257 };

static size_t folder_len(const char *path)
{
	return (size_t)(pf_session_file_name(path) - path);
}

const char *pf_session_file_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static int open_folder(struct pf_session *s, struct pf_err *err)
{
	size_t n = folder_len(s->folio);
	pf_autofree char *folder = n > 0 ? strndup(s->folio, n) : strdup(".");
	if (!folder)
		return pf_err_set(err, -ENOMEM, "%s: no memory", s->folio);
	s->dir_fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	bool relative = s->spec.form == PF_SESSION_LOG && s->folio[0] != '/';
	if (s->dir_fd >= 0 && relative)
		s->start_fd = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (s->dir_fd < 0 || (relative && s->start_fd < 0))
		return pf_err_set(err, -errno, "cannot create %s: %s", s->folio, strerror(errno));
	return 0;
}

void pf_session_remove(const struct pf_session *s, const char *path)
{
	if (s->dir_fd >= 0)
		(void)unlinkat(s->dir_fd, pf_session_file_name(path), 0);
	else
		(void)unlink(path); /* the folder could not be opened just now */
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
	if (!s->spec.replay)
		return 0;
	s->replay = fdopen(fd, "w");
	if (!s->replay)
		return pf_err_set(err, -errno, "%s: %s", s->unique, strerror(errno));
	(void)PF_TAKE_FD(fd);
	return 0;
}

static bool is_locked_and_empty(int fd)
{
	struct stat st;
	return fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	       st.st_size == 0 && st.st_nlink == 1;
}

/* Make the folio, empty and locked until it is written. An empty one that nobody has locked was left behind by a recorder that was killed before
 * it could write it; nothing is lost when it is used. Programs of PCP are told of anything that is there, but may have a link that leads nowhere. */
static int claim_folio(struct pf_session *s, struct pf_err *err)
{
	bool theirs = s->spec.form == PF_SESSION_PMLOGGER;
	s->folio_fd = open(s->folio, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	bool there = s->folio_fd < 0 && errno == EEXIST;
	if (there && theirs && access(s->folio, F_OK) < 0)
		s->folio_fd = open(s->folio, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	else if (there && !theirs)
		s->folio_fd = open(s->folio, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (s->folio_fd < 0 && !there)
		return pf_err_set(err, -errno, "cannot create %s: %s", s->folio, strerror(errno));
	if (is_locked_and_empty(s->folio_fd))
		return 0;
	pf_closep(&s->folio_fd);
	s->folio_fd = -1; /* not ours to remove */
	return pf_err_set(err, -EEXIST, "%s is there already and is not overwritten; choose another name", s->folio);
}

int pf_session_new(struct pf_session **ret_session, const struct pf_session_spec *spec, struct pf_err *err)
{
	struct pf_session *s = calloc(1, sizeof(*s));
	if (!s)
		return pf_err_set(err, -ENOMEM, "%s: no memory", spec->folio);
	s->spec = *spec;
	s->folio_fd = -1;
	s->dir_fd = -1;
	s->start_fd = -1;
	s->folio = strdup(spec->folio);
	struct pf_buf creator = { 0 };
	pf_session_one_line(&creator, spec->creator);
	s->creator = creator.failed ? NULL : strdup(creator.p ? creator.p : "");
	pf_buf_done(&creator);
	int rc = 0;
	if (!s->folio || !s->creator)
		rc = pf_err_set(err, -ENOMEM, "%s: no memory", spec->folio);
	if (rc == 0)
		rc = claim_folio(s, err);
	if (rc == 0)
		rc = open_folder(s, err);
	if (rc == 0)
		rc = make_unique(s, err);
	if (rc < 0) {
		(void)pf_session_free(s);
		return rc;
	}
	*ret_session = s;
	return 0;
}

FILE *pf_session_replay(const struct pf_session *s)
{
	return s->replay;
}

const char *pf_session_unique(const struct pf_session *s)
{
	return s->unique_name;
}

/* What the archive's label will say, so that the folio agrees with it. */
static char *host_name(const struct pf_session *s, const char *host)
{
	char name[HOST_SIZE] = "";
	if (s->spec.form == PF_SESSION_PMLOGGER || strcmp(host, "self:") != 0)
		return strdup(host);
	if (gethostname(name, sizeof(name) - 1) < 0 || name[0] == '\0')
		return strdup("localhost");
	return strdup(name);
}

static int open_config(const struct pf_session *s, const char *base, FILE **ret_config)
{
	pf_autofree char *path = NULL;
	if (asprintf(&path, "%s.config", base) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	pf_autoclose int fd =
		openat(s->dir_fd, path + folder_len(s->folio), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0)
		return -errno;
	*ret_config = fdopen(fd, "w");
	if (!*ret_config)
		return -errno;
	(void)PF_TAKE_FD(fd);
	return 0;
}

/* Is the name free? Then it is taken: by the configuration, which is made, or by the host alone. */
static int take_base(const struct pf_session *s, char *base, FILE **ret_config)
{
	if (s->spec.form == PF_SESSION_PMLOGGER)
		return open_config(s, base, ret_config);
	for (char *p = base + strlen(s->unique); *p != '\0'; p++)
		*p = *p == '/' ? '_' : *p;
	for (unsigned i = 0; i < s->n_hosts; i++) {
		if (strcmp(s->hosts[i].base, base) == 0)
			return -EEXIST;
	}
	return 0;
}

/* DIR/XXXXXX[a-z].HOST, the first that no other host of the session has. */
static int make_base(const struct pf_session *s, const char *host, char **ret_base, FILE **ret_config,
		     struct pf_err *err)
{
	static const char *const letters[] = { "",  "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m",
					       "n", "o", "p", "q", "r", "s", "t", "u", "v", "w", "x", "y", "z" };
	for (unsigned k = 0; k < PF_N(letters); k++) {
		char *base;
		if (asprintf(&base, "%s%s.%s", s->unique, letters[k], host) < 0)
			return pf_err_set(err, -ENOMEM, "host %s: no memory", host);
		int rc = take_base(s, base, ret_config);
		if (rc == 0) {
			*ret_base = base;
			return 0;
		}
		if (rc != -EEXIST)
			(void)pf_err_set(err, rc, "host %s: %s.config: %s", host, base, strerror(-rc));
		free(base);
		if (rc != -EEXIST)
			return rc;
	}
	return pf_err_set(err, -EEXIST, "host %s: it takes part too many times", host);
}

static int check_host(const struct pf_session *s, const char *host, bool is_default, struct pf_err *err)
{
	if (s->started)
		return pf_err_set(err, -EINVAL, "host %s: the recording has begun", host);
	for (unsigned i = 0; is_default && i < s->n_hosts; i++) {
		if (s->hosts[i].is_default)
			return pf_err_set(err, -EINVAL, "host %s: %s is the default host already", host,
					  s->hosts[i].spec);
	}
	return s->spec.form == PF_SESSION_PMLOGGER ? 0 : pf_logger_host(host, err);
}

int pf_session_add(struct pf_session *s, const char *host, bool is_default, struct pf_err *err)
{
	int rc = check_host(s, host, is_default, err);
	if (rc < 0)
		return rc;
	struct pf_session_host *more =
		s->n_hosts == MAX_HOSTS ? NULL : reallocarray(s->hosts, s->n_hosts + 1, sizeof(*more));
	if (!more)
		return pf_err_set(err, -ENOMEM, "no room for more than %u hosts", s->n_hosts);
	s->hosts = more;
	pf_autofree char *name = host_name(s, host);
	pf_autofree char *spec = strdup(host);
	if (!spec || !name)
		return pf_err_set(err, -ENOMEM, "host %s: no memory", host);
	char *base = NULL;
	FILE *config = NULL;
	rc = make_base(s, name, &base, &config, err);
	if (rc < 0)
		return rc;
	more[s->n_hosts++] = (struct pf_session_host){ .spec = PF_TAKE(spec),
						       .host = PF_TAKE(name),
						       .base = base,
						       .config = config,
						       .is_default = is_default,
						       .fd = -1,
						       .status = -1 };
	return 0;
}

static int add_arg(struct pf_session_host *h, const char *word, struct pf_err *err)
{
	char **more = h->n_args == MAX_ARGS ? NULL : reallocarray(h->args, h->n_args + 1, sizeof(*more));
	if (more)
		h->args = more;
	char *copy = more ? strdup(word) : NULL;
	if (!copy)
		return pf_err_set(err, -ENOMEM, "host %s: no room for more than %u words", h->host, h->n_args);
	h->args[h->n_args++] = copy;
	return 0;
}

int pf_session_arg(struct pf_session *s, unsigned i, const char *word, struct pf_err *err)
{
	if (pf_session_phase(s) != PF_SESSION_HOSTS)
		return pf_err_set(err, -EINVAL, "%s: words for loggers come behind hosts and before the start", word);
	if (i != PF_SESSION_ALL)
		return i < s->n_hosts ? add_arg(&s->hosts[i], word, err) : pf_err_set(err, -EINVAL, "no host %u", i);
	int rc = 0;
	for (unsigned k = 0; rc == 0 && k < s->n_hosts; k++)
		rc = add_arg(&s->hosts[k], word, err);
	return rc;
}

enum pf_session_phase pf_session_phase(const struct pf_session *s)
{
	if (!s->started)
		return s->n_hosts > 0 ? PF_SESSION_HOSTS : PF_SESSION_BEGIN;
	for (unsigned i = 0; i < s->n_hosts; i++) {
		if (s->hosts[i].on)
			return PF_SESSION_ON;
	}
	return PF_SESSION_OFF;
}

unsigned pf_session_n_hosts(const struct pf_session *s)
{
	return s->n_hosts;
}

const struct pf_session_host *pf_session_host(const struct pf_session *s, unsigned i)
{
	return &s->hosts[i];
}

/* Is there an archive, or will there be? What runs on alone may not have begun. */
static bool has_archive(const struct pf_session *s)
{
	for (unsigned i = 0; i < s->n_hosts; i++) {
		if (s->hosts[i].detached && s->hosts[i].status == -1 && !s->hosts[i].lost)
			return true;
		pf_autofree char *path = NULL;
		if (asprintf(&path, "%s.index", pf_session_file_name(s->hosts[i].base)) < 0) {
			path = NULL;
			return true;
		}
		if (faccessat(s->dir_fd, path, F_OK, 0) == 0)
			return true;
	}
	return false;
}

/* A log of a logger that has ended, and had nothing to say. */
static void remove_log(const struct pf_session *s, const struct pf_session_host *h)
{
	struct stat st;
	pf_autofree char *path = NULL;
	if ((h->status == -1 && !h->lost) || asprintf(&path, "%s.log", pf_session_file_name(h->base)) < 0)
		path = NULL;
	else if (fstatat(s->dir_fd, path, &st, AT_SYMLINK_NOFOLLOW) == 0 && st.st_size == 0)
		(void)unlinkat(s->dir_fd, path, 0);
}

/* Remove what this session made and nobody has a use for. */
static void tidy(const struct pf_session *s)
{
	bool keep = s->started && s->spec.form == PF_SESSION_PMLOGGER;
	if (s->folio_fd >= 0 || (s->unique && !keep && !has_archive(s)))
		pf_session_remove(s, s->folio); /* made by us, and it names nothing that exists */
	if (s->unique && !(s->started && s->spec.replay))
		pf_session_remove(s, s->unique);
	for (unsigned i = 0; !s->started && i < s->n_hosts; i++) {
		pf_autofree char *path = NULL;
		if (!s->hosts[i].config)
			continue;
		if (asprintf(&path, "%s.config", pf_session_file_name(s->hosts[i].base)) < 0)
			path = NULL;
		else
			(void)unlinkat(s->dir_fd, path, 0);
	}
	for (unsigned i = 0; s->spec.logs && s->started && i < s->n_hosts; i++)
		remove_log(s, &s->hosts[i]);
}

static void free_host(struct pf_session_host *h)
{
	if (h->config)
		(void)fclose(h->config);
	pf_session_let_go(h);
	for (unsigned k = 0; k < h->n_args; k++)
		free(h->args[k]);
	free(h->args);
	free(h->spec);
	free(h->host);
	free(h->base);
}

struct pf_session *pf_session_free(struct pf_session *s)
{
	if (!s)
		return NULL;
	if (!s->failed)
		tidy(s);
	for (unsigned i = 0; i < s->n_hosts; i++)
		free_host(&s->hosts[i]);
	if (s->replay)
		(void)fclose(s->replay);
	pf_closep(&s->folio_fd);
	pf_closep(&s->dir_fd);
	pf_closep(&s->start_fd);
	free(s->hosts);
	free(s->unique);
	free(s->folio);
	free(s->creator);
	free(s);
	return NULL;
}
