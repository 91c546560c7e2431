/* cmd/record.c - a recording session: one logger per host, a folio that names their archives; for some time, or while a command runs. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "base/time.h"
#include "cmd/cmd.h"
#include "cmd/record_job.h"
#include "formats/pcp/names.h"
#include "record/session.h"

enum { LOG_MAX = 1 << 20 };

static bool has_archive(const struct pf_session_host *h)
{
	return pf_pcp_names_is_there(h->base, "meta");
}

/* A detached logger has a log of its own; while somebody is here to read it, it is told here. */
static void pass_log(struct pf_record_job *job, const struct pf_session_host *h, bool any)
{
	pf_autofree char *path = NULL;
	struct pf_buf text = { 0 };
	if (!job->detach || asprintf(&path, "%s.log", h->base) < 0)
		return;
	if (pf_io_read_file(AT_FDCWD, path, LOG_MAX, &text, NULL) == 0) {
		pf_progress_erase(&job->progress);
		(void)fwrite(text.p ? text.p : "", 1, text.n, stderr);
	}
	if (!any)
		(void)unlink(path); /* all that it says was said, and there is no folio whose status could tell it */
	pf_buf_done(&text);
}

/* One sentence per host; what a logger died of it has said itself. @any: there is an archive. Return: is every archive complete, or will be? */
static bool report(struct pf_record_job *job, bool any)
{
	bool complete = true;
	for (unsigned i = 0; i < pf_session_n_hosts(job->session); i++) {
		const struct pf_session_host *h = pf_session_host(job->session, i);
		if (h->detached && h->status == -1)
			continue;
		pass_log(job, h, any);
		if (h->status != -1 && WIFSIGNALED(h->status))
			pf_record_tell(
				job,
				"perfolio: the logger of %s was killed by signal %d; what it recorded until then is in %s",
				h->host, WTERMSIG(h->status), h->base);
		else if (h->status == 0 && h->told_end)
			pf_record_tell(job, "%s: %" PRIu64 " samples, %" PRIu64 " bytes in %s", h->host, h->samples,
				       h->bytes, h->base);
		else if (h->status != 0 && job->n_hosts > 1 && has_archive(h))
			pf_record_tell(
				job,
				"perfolio: the recording of %s failed, as told above; what there is of it is in %s",
				h->host, h->base);
		else if (h->status != 0 && job->n_hosts > 1)
			pf_record_tell(job, "perfolio: %s was not recorded, as told above", h->host);
		if (h->status != 0)
			complete = false;
	}
	return complete;
}

/* Return: is the folio where it was made? */
static bool has_folio(struct pf_record_job *job, bool any)
{
	if (access(job->folio, F_OK) == 0 || errno != ENOENT)
		return true;
	pf_record_tell(job, "perfolio: %s was removed while it was recorded", job->folio);
	if (any)
		pf_record_tell(job, "make a folio of the archives that are left with: %s folio --make FOLIO ARCHIVE...",
			       program_invocation_name);
	return false;
}

/* How to see it. */
static void tell_more(struct pf_record_job *job)
{
	const char *me = program_invocation_name;
	if (!job->detached) {
		pf_record_tell(job, "look at it with: %s replay %s", me, job->folio);
		return;
	}
	unsigned on = 0;
	for (unsigned i = 0; i < pf_session_n_hosts(job->session); i++)
		on += pf_session_host(job->session, i)->status == -1;
	pf_record_tell(job, "recording of %u host%s into %s goes on; see it with: %s folio %s status", on,
		       on == 1 ? "" : "s", job->folio, me, job->folio);
	pf_record_tell(job, "stop it with: %s folio %s stop", me, job->folio);
}

/* What the command said comes before what became of the recording. */
static int exit_status(const struct pf_record_job *job, bool complete)
{
	int status = 0;
	if (job->command)
		status = WIFSIGNALED(job->command_status) ? 128 + WTERMSIG(job->command_status)
							  : WEXITSTATUS(job->command_status);
	return status == 0 && !complete ? PF_EXIT_ERROR : status;
}

/* Words for the loggers: the same for all, and, if they go on alone, a log for each. */
static int add_words(struct pf_record_job *job, struct pf_err *err)
{
	int rc = 0;
	if (job->isolate)
		rc = pf_session_arg(job->session, PF_SESSION_ALL, "--import-isolate", err);
	if (rc == 0 && job->plain)
		rc = pf_session_arg(job->session, PF_SESSION_ALL, "--no-compress", err);
	if (rc == 0)
		rc = pf_session_arg(job->session, PF_SESSION_ALL, "--tell", err);
	for (unsigned i = 0; rc == 0 && i < job->n_args; i++)
		rc = pf_session_arg(job->session, PF_SESSION_ALL, job->args[i], err);
	for (unsigned i = 0; rc == 0 && job->detach && i < job->n_hosts; i++) {
		pf_autofree char *log = NULL;
		if (asprintf(&log, "%s.log", pf_session_host(job->session, i)->base) < 0)
			return pf_err_set(err, -ENOMEM, "no memory");
		rc = pf_session_arg(job->session, i, "-l", err);
		if (rc == 0)
			rc = pf_session_arg(job->session, i, log, err);
	}
	return rc;
}

static int add_hosts(struct pf_record_job *job, struct pf_err *err)
{
	bool chosen = false;
	int rc = 0;
	for (unsigned i = 0; rc == 0 && i < job->n_hosts; i++) {
		bool first = !chosen && job->default_host && strcmp(job->hosts[i], job->default_host) == 0;
		chosen |= first;
		rc = pf_session_add(job->session, job->hosts[i], first, err);
	}
	return rc;
}

static int start(struct pf_record_job *job, struct pf_err *err)
{
	char program[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", program, sizeof(program) - 1);
	program[n > 0 ? n : 0] = '\0';
	if (!job->command && !job->detach)
		pf_progress_open(&job->progress);
	int rc = pf_session_start(job->session, program[0] ? program : "/proc/self/exe", err);
	pf_progress_started(&job->progress);
	job->started = rc == 0;
	return rc;
}

static int record(struct pf_record_job *job, struct pf_err *err)
{
	const struct pf_session_spec spec = { .folio = job->folio, .creator = "perfolio", .form = PF_SESSION_LOG };
	int rc = job->command ? pf_record_check_command(job->command[0], err) : 0;
	if (rc == 0)
		rc = pf_record_watch_signals(job, err);
	if (rc == 0)
		rc = pf_session_new(&job->session, &spec, err);
	if (rc == 0)
		rc = add_hosts(job, err);
	if (rc == 0)
		rc = add_words(job, err);
	if (rc == 0)
		rc = start(job, err);
	return rc == 0 ? pf_record_supervise(job, err) : rc;
}

static int run(int argc, char **argv, const char *called)
{
	(void)called;
	struct pf_record_job job = { .signal_fd = -1, .interval_ns = PF_NS_PER_SEC, .endless = true };
	struct pf_err err = { 0 };
	int rc = pf_record_options(&job, argc, argv, &err);
	if (rc == 1) {
		(void)fputs(pf_record_usage(), stdout);
		return PF_EXIT_OK;
	}
	if (rc < 0) {
		(void)fprintf(stderr, "perfolio record: %s\n", err.text);
		return rc == -ENOTSUP ? PF_EXIT_ERROR : PF_EXIT_USAGE;
	}
	pf_progress_none(&job.progress);
	rc = record(&job, &err);
	pf_progress_close(&job.progress);
	int status = PF_EXIT_ERROR;
	if (rc < 0)
		(void)fprintf(stderr, "perfolio: %s\n", err.text);
	bool any = false;
	for (unsigned i = 0; job.started && i < job.n_hosts; i++)
		any |= has_archive(pf_session_host(job.session, i));
	if (job.started) {
		bool complete = report(&job, any);
		bool folio = has_folio(&job, any);
		if (rc == 0)
			status = exit_status(&job, complete && folio);
		if (rc == 0 && any && folio)
			tell_more(&job);
	}
	job.session = pf_session_free(job.session);
	pf_closep(&job.signal_fd);
	return status;
}

const struct pf_cmd pf_cmd_record = { "record", NULL, "record hosts into a folio, for a time or while a command runs",
				      run };
