/* sinks/volumes.c - limits of volumes as people write them, and a queue of files for a process that compresses. */
#include "sinks/volumes.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/duration.h"
#include "base/err.h"
#include "base/view.h"
#include "formats/pcp/pack.h"

/* Spellings of pmlogger(1); what is none of these is a time. */
static const struct {
	const char *names;
	uint64_t bytes;
} units[] = {
	{ " b byte bytes ", 1 },
	{ " k kb kib kbyte kbytes kilobyte kilobytes ", 1 << 10 },
	{ " m mb mib mbyte mbytes megabyte megabytes ", 1 << 20 },
	{ " g gb gib gbyte gbytes gigabyte gigabytes ", 1 << 30 },
};

static bool is_named(const char *names, struct pf_view word)
{
	for (const char *at = strchr(names, ' '); at && at[1] != '\0'; at = strchr(at + 1, ' ')) {
		if (strncasecmp(at + 1, word.p, word.n) == 0 && at[1 + word.n] == ' ')
			return true;
	}
	return false;
}

/* Bytes of one unit, 0: it is no unit of sizes. */
static uint64_t unit_bytes(struct pf_view name)
{
	for (unsigned i = 0; name.n > 0 && i < PF_N(units); i++) {
		if (is_named(units[i].names, name))
			return units[i].bytes;
	}
	return 0;
}

/* One limit as a number with a unit; without one it is a number of samples. */
struct limit {
	uint64_t samples;
	uint64_t bytes;
	int64_t ns;
};

static int parse_limit(const char *text, const char *what, struct limit *ret, struct pf_err *err)
{
	size_t digits = strspn(text, "0123456789");
	struct pf_view unit = pf_view_trim(pf_view_of(text + digits));
	struct limit limit = { 0 };
	uint64_t n = 0;
	int rc = pf_view_u64((struct pf_view){ text, digits }, &n);
	bool whole = rc == 0 && n <= UINT32_MAX;
	if (whole && unit.n == 0)
		limit.samples = n;
	else if (whole && unit_bytes(unit) > 0)
		limit.bytes = n * unit_bytes(unit);
	else if (rc == -ERANGE || (rc == 0 && (unit.n == 0 || unit_bytes(unit) > 0)))
		return pf_err_set(err, -EINVAL, "'%s': %s", text, what); /* too many of them */
	else if (pf_duration_parse(pf_view_of(text), &limit.ns) < 0)
		return pf_err_set(err, -EINVAL, "'%s': %s; units are b, kb, mb, gb, msec, sec, min, hours and days",
				  text, what);
	*ret = limit;
	return 0;
}

int pf_volume_options_parse(const char *text, struct pf_volume_options *ret, struct pf_err *err)
{
	static const char what[] = "a volume ends after a number of samples, or a size or time such as 100mb, 6hours";
	struct limit limit;
	int rc = parse_limit(text, what, &limit, err);
	if (rc == 0 && limit.samples == 0 && limit.bytes == 0 && limit.ns == 0)
		rc = pf_err_set(err, -EINVAL, "'%s': %s", text, what);
	if (rc < 0)
		return rc;
	ret->samples = limit.samples;
	ret->bytes = limit.bytes;
	ret->ns = limit.ns;
	return 0;
}

int pf_volume_keep_parse(const char *text, struct pf_volume_options *ret, struct pf_err *err)
{
	static const char what[] = "what stays is a size or time such as 2gb, 7days";
	struct limit limit;
	int rc = parse_limit(text, what, &limit, err);
	if (rc == 0 && limit.bytes == 0 && limit.ns == 0)
		rc = pf_err_set(err, -EINVAL, "'%s': %s", text, what);
	if (rc < 0)
		return rc;
	ret->keep_bytes = limit.bytes;
	ret->keep_ns = limit.ns;
	return 0;
}

int pf_volume_free_parse(const char *text, struct pf_volume_options *ret, struct pf_err *err)
{
	static const char what[] = "what stays free is a size such as 500mb";
	struct limit limit;
	int rc = parse_limit(text, what, &limit, err);
	if (rc == 0 && (limit.samples > 0 || limit.ns > 0))
		rc = pf_err_set(err, -EINVAL, "'%s': %s", text, what);
	if (rc == 0)
		ret->min_free = (int64_t)limit.bytes;
	return rc;
}

bool pf_volume_is_full(const struct pf_volume_options *v, uint64_t samples, uint64_t bytes, int64_t ns,
		       enum pf_volume_cause *ret_cause)
{
	bool full[] = { [PF_VOLUME_SAMPLES] = v->samples > 0 && samples >= v->samples,
			[PF_VOLUME_BYTES] = v->bytes > 0 && bytes >= v->bytes,
			[PF_VOLUME_TIME] = v->ns > 0 && ns >= v->ns };
	for (unsigned i = 0; i < PF_N(full); i++) {
		if (!full[i])
			continue;
		*ret_cause = (enum pf_volume_cause)i;
		return true;
	}
	return false;
}

void pf_volume_options_limit(struct pf_volume_options *v)
{
	enum { PARTS = 8 };
	if (v->keep_bytes > 0 && (v->bytes == 0 || v->bytes > v->keep_bytes / PARTS))
		v->bytes = v->keep_bytes / PARTS;
	if (v->keep_ns > 0 && (v->ns == 0 || v->ns > v->keep_ns / PARTS))
		v->ns = v->keep_ns / PARTS;
}

int pf_archive_version_parse(const char *text, unsigned *ret_version, struct pf_err *err)
{
	if (strcmp(text, "2") != 0 && strcmp(text, "3") != 0)
		return pf_err_set(err, -EINVAL, "'%s': versions of archives are 2 and 3", text);
	*ret_version = (unsigned)(text[0] - '0');
	return 0;
}

/* The child: no descriptors of ours, in particular no control channel, whose end somebody waits for; what ends us does not end it. */
__attribute__((noreturn)) static void pack_in_child(const char *path)
{
	static const int ignored[] = { SIGINT, SIGTERM, SIGHUP };
	sigset_t none;
	(void)close_range(3, ~0U, 0);
	for (unsigned i = 0; i < PF_N(ignored); i++)
		(void)signal(ignored[i], SIG_IGN);
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	(void)setpriority(PRIO_PROCESS, 0, 19); /* a wish */
	struct pf_err err = { 0 };
	_exit(-pf_pcp_pack(path, &err) & 0xff);
}

static void drop_first(struct pf_packer *p)
{
	free(p->paths[0]);
	memmove(p->paths, p->paths + 1, (p->n - 1) * sizeof(*p->paths));
	if (--p->n == 0) {
		free(p->paths);
		p->paths = NULL;
	}
}

static void start(struct pf_packer *p)
{
	while (p->pid == 0 && p->n > 0) {
		pid_t pid = fork();
		if (pid == 0)
			pack_in_child(p->paths[0]);
		if (pid > 0) {
			p->pid = pid;
			return;
		}
		pf_notice(p->notice, PF_WARNING, "%s stays as it is: no process to compress it: %s", p->paths[0],
			  strerror(errno));
		drop_first(p);
	}
}

void pf_packer_add(struct pf_packer *p, char *path)
{
	char **more = path ? reallocarray(p->paths, p->n + 1, sizeof(*more)) : NULL;
	if (!more) {
		pf_notice(p->notice, PF_WARNING, "%s stays as it is: no memory", path ? path : "a volume");
		free(path);
		return;
	}
	p->paths = more;
	more[p->n++] = path;
	start(p);
}

static void look(struct pf_packer *p, int options)
{
	int status;
	pid_t got;
	do
		got = waitpid(p->pid, &status, options);
	while (got < 0 && errno == EINTR);
	if (got == 0)
		return;
	p->pid = 0;
	int why = got > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : EINTR;
	if (why != 0)
		pf_notice(p->notice, PF_WARNING, "%s could not be compressed: %s", p->paths[0], strerror(why));
	drop_first(p);
	start(p);
}

void pf_packer_look(struct pf_packer *p)
{
	if (p->pid > 0)
		look(p, WNOHANG);
}

void pf_packer_finish(struct pf_packer *p)
{
	while (p->pid > 0)
		look(p, 0);
}
