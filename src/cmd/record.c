/* cmd/record.c - a recording session: one logger per host, a folio that names their archives; for some time, or while a command runs. */
#include "cmd/record.h"

#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/duration.h"
#include "base/err.h"
#include "base/program.h"
#include "base/time.h"
#include "base/view.h"
#include "cmd/cmd.h"
#include "cmd/say.h"
#include "record/logger.h"
#include "record/session.h"

enum {
	MAX_HOSTS = 64,
	N_ARGS = 30 + 2 * PF_RECORD_METRICS,
	OPTION_HELP = 256,
	OPTION_IMPORT,
	OPTION_ISOLATE,
	OPTION_DEADLINE,
	OPTION_RECORDS,
	OPTION_ANSWERS,
	OPTION_MEMORY,
	OPTION_VOLUME,
	OPTION_VERSION,
	OPTION_COMPRESS,
	OPTION_NO_COMPRESS,
	OPTION_KEEP,
	OPTION_MIN_FREE,
	OPTION_METRICS
};

static const char usage_text[] =
	"usage: perfolio record FOLIO [SWITCHES] [-- COMMAND [ARGUMENTS]]\n"
	"\n"
	"Record hosts into a new folio, until interrupted or while COMMAND runs.\n"
	"\n"
	"  -c COUNT        end after so many intervals\n"
	"  -i SECONDS      interval, with fractions or units: 500msec, 1.5min; 1 by default\n"
	"  -s LETTERS      subsystems, cdimnps by default\n"
	"  --metrics NAME  metrics by name, or what is below it; * ? [] in it; more than once\n"
	"  --import LIST   import modules, NAME[,ARGS][:NAME...]\n"
	"  --import-isolate            each in a process of its own\n"
	"  --import-deadline SECONDS   how long one of their calls may take\n"
	"  --import-records N          lines that one may record in an interval\n"
	"  --import-answers N, --import-memory MB   limits of one in its own process\n"
	"  --volume LIMIT  new volumes: 1000 (samples), 100mb, 6hours\n"
	"  --archive-version N         version of the archives, 2 or 3; 3 by default\n"
	"  --keep LIMIT    remove the oldest volumes: 2gb (all files), 7days\n"
	"  --min-free SIZE the same if the disk has less room: 500mb\n"
	"  --no-compress   do not compress files that are complete\n"
	"  -h HOST         host, once for each; self: is this one and the default; others are\n"
	"                  asked through their pmcd: HOST[:PORT], pcp://HOST, local:, unix:PATH\n"
	"  --help          this text\n"
	"\n"
	"The folio names one PCP archive per host, in files beside it. Nothing that is\n"
	"there already is overwritten. Look at it with: perfolio replay FOLIO\n";

/**
 * struct job - what is going on.
 * @hosts: as typed; @args: switches for the loggers
 * @command: argv behind --, or NULL; @command_pid 0: not running (any more); @command_status as from waitpid(2)
 * @started: every logger was; @isolate: modules run in processes of their own; @plain: complete files are not compressed
 * @interrupted: how often a signal said to stop; @stopped_ns: when one was obeyed; @endless: nothing but a signal ends it, and that is told once it runs;
 * @grows: how fast is to be told, too
 */
struct job {
	const char *folio;
	const char *hosts[MAX_HOSTS];
	unsigned n_hosts;
	const char *metrics[PF_RECORD_METRICS + 1];
	const char *args[N_ARGS];
	unsigned n_args;
	char **command;
	pid_t command_pid;
	int command_status;
	struct pf_session *session;
	int signal_fd;
	bool started;
	bool isolate;
	bool plain;
	unsigned interrupted;
	int64_t stopped_ns;
	bool endless;
	bool grows;
};

extern char **environ;

int pf_record_interval(const char *text, int64_t *ret_ns, struct pf_err *err)
{
	int64_t ns;
	if (pf_duration_parse(pf_view_of(text), &ns) < 0 || ns < PF_NS_PER_MS || ns > 86400 * PF_NS_PER_SEC)
		return pf_err_set(err, -EINVAL,
				  "-i %s: an interval is from 0.001 to 86400 seconds, as " PF_DURATION_FORMS, text);
	*ret_ns = ns;
	return 0;
}

int pf_record_count(const char *text, int64_t *ret_count, struct pf_err *err)
{
	int64_t count;
	if (pf_view_i64(pf_view_of(text), &count) < 0 || count < 1 || count > INT32_MAX)
		return pf_err_set(err, -EINVAL, "-c %s: a count is a whole number from 1", text);
	*ret_count = count;
	return 0;
}

int pf_record_metric(const char *text, const char **metrics, struct pf_err *err)
{
	unsigned n = 0;
	while (metrics[n])
		n++;
	if (text[0] == '\0')
		return pf_err_set(err, -EINVAL, "--metrics: no name");
	if (n == PF_RECORD_METRICS)
		return pf_err_set(err, -EINVAL, "--metrics %s: more than %d of them", text, PF_RECORD_METRICS);
	metrics[n] = text;
	return 0;
}

static void add_arg(struct job *job, const char *name, const char *value)
{
	job->args[job->n_args++] = name;
	if (value)
		job->args[job->n_args++] = value;
	job->args[job->n_args] = NULL;
}

static void set_arg(struct job *job, const char *name, const char *value)
{
	for (unsigned i = 0; i + 1 < job->n_args; i += 2) {
		if (strcmp(job->args[i], name) == 0) {
			job->args[i + 1] = value; /* the last one counts */
			return;
		}
	}
	add_arg(job, name, value);
}

static int take_option(struct job *job, int option, const char *value, struct pf_err *err)
{
	int64_t ignored;
	unsigned ignored_n;
	struct pf_volume_options ignored_volumes = { 0 };
	int rc = 0;
	switch (option) {
	case 'c':
		rc = pf_record_count(value, &ignored, err);
		job->endless = false;
		set_arg(job, "-c", value);
		return rc;
	case 'i':
		rc = pf_record_interval(value, &ignored, err);
		set_arg(job, "-i", value);
		return rc;
	case 's':
		rc = pf_logger_letters(value, err);
		set_arg(job, "-s", value);
		return rc;
	case OPTION_METRICS:
		rc = pf_record_metric(value, job->metrics, err);
		if (rc == 0)
			add_arg(job, "--metrics", value);
		return rc;
	case OPTION_IMPORT:
		set_arg(job, "--import", value);
		return 0;
	case OPTION_ISOLATE:
		job->isolate = true;
		return 0;
	case OPTION_DEADLINE:
		rc = pf_import_deadline(value, &ignored, err);
		set_arg(job, "--import-deadline", value);
		return rc;
	case OPTION_RECORDS:
		rc = pf_import_records(value, &ignored_n, err);
		set_arg(job, "--import-records", value);
		return rc;
	case OPTION_ANSWERS:
		rc = pf_import_answers(value, &ignored_n, err);
		set_arg(job, "--import-answers", value);
		return rc;
	case OPTION_MEMORY:
		rc = pf_import_memory(value, &ignored_n, err);
		set_arg(job, "--import-memory", value);
		return rc;
	case OPTION_VOLUME:
		set_arg(job, "--volume", value);
		return pf_volume_options_parse(value, &ignored_volumes, err);
	case OPTION_VERSION:
		set_arg(job, "--archive-version", value);
		return pf_archive_version_parse(value, &ignored_n, err);
	case OPTION_KEEP:
		set_arg(job, "--keep", value);
		return pf_volume_keep_parse(value, &ignored_volumes, err);
	case OPTION_MIN_FREE:
		set_arg(job, "--min-free", value);
		return pf_volume_free_parse(value, &ignored_volumes, err);
	case OPTION_COMPRESS:
	case OPTION_NO_COMPRESS:
		job->plain = option == OPTION_NO_COMPRESS;
		return 0;
	case 'h':
		if (job->n_hosts == MAX_HOSTS)
			return pf_err_set(err, -EINVAL, "-h %s: more than %d hosts", value, MAX_HOSTS);
		job->hosts[job->n_hosts++] = value;
		return pf_logger_host(value, err);
	default:
		return -EINVAL; /* told by the caller, who knows the words */
	}
}

/* Switches stand before "--", a command behind it. Return: 0, 1 help was asked for, -EINVAL. */
static int parse(struct job *job, int argc, char **argv, struct pf_err *err)
{
	static const struct option options[] = { { "import", required_argument, NULL, OPTION_IMPORT },
						 { "import-isolate", no_argument, NULL, OPTION_ISOLATE },
						 { "import-deadline", required_argument, NULL, OPTION_DEADLINE },
						 { "import-records", required_argument, NULL, OPTION_RECORDS },
						 { "import-answers", required_argument, NULL, OPTION_ANSWERS },
						 { "import-memory", required_argument, NULL, OPTION_MEMORY },
						 { "volume", required_argument, NULL, OPTION_VOLUME },
						 { "archive-version", required_argument, NULL, OPTION_VERSION },
						 { "compress", no_argument, NULL, OPTION_COMPRESS },
						 { "no-compress", no_argument, NULL, OPTION_NO_COMPRESS },
						 { "keep", required_argument, NULL, OPTION_KEEP },
						 { "min-free", required_argument, NULL, OPTION_MIN_FREE },
						 { "metrics", required_argument, NULL, OPTION_METRICS },
						 { "help", no_argument, NULL, OPTION_HELP },
						 { NULL, 0, NULL, 0 } };
	int n = 1;
	while (n < argc && strcmp(argv[n], "--") != 0)
		n++;
	if (n < argc) {
		job->command = argv + n + 1;
		job->endless = false;
		if (!job->command[0])
			return pf_err_set(err, -EINVAL, "no command behind --");
	}
	opterr = 0;
	for (;;) {
		int o = getopt_long(n, argv, ":c:i:s:h:", options, NULL);
		if (o == -1)
			break;
		if (o == OPTION_HELP)
			return 1;
		if (o == '?' || o == ':')
			return pf_bad_switch(o, argv, "record", err);
		int rc = take_option(job, o, optarg, err);
		if (rc < 0)
			return rc;
	}
	if (optind >= n)
		return pf_err_set(err, -EINVAL, "no folio is named; see perfolio record --help");
	if (optind + 1 < n)
		return pf_err_set(err, -EINVAL, "more than one folio is named; a command stands behind --");
	job->folio = argv[optind];
	if (job->n_hosts == 0)
		job->hosts[job->n_hosts++] = "self:";
	return 0;
}

/* Signals come through a descriptor; children are given them as usual. */
static int watch_signals(struct job *job, struct pf_err *err)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGCHLD };
	sigset_t set;
	(void)sigemptyset(&set);
	for (unsigned i = 0; i < PF_N(signals); i++)
		(void)sigaddset(&set, signals[i]);
	if (sigprocmask(SIG_BLOCK, &set, NULL) < 0)
		return pf_err_set(err, -errno, "signals: %s", strerror(errno));
	(void)signal(SIGPIPE, SIG_IGN); /* whoever reads what we say may go away */
	(void)signal(SIGXFSZ, SIG_IGN); /* a limit on the size of files is a full disk */
	job->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return job->signal_fd < 0 ? pf_err_set(err, -errno, "signals: %s", strerror(errno)) : 0;
}

/* Would the command be found? Asked before anything is created. */
static int check_command(const char *name, struct pf_err *err)
{
	int rc = pf_program_find(name);
	if (rc == -ENOENT && !strchr(name, '/'))
		return pf_err_set(err, rc, "cannot run %s: no such program in the folders of $PATH", name);
	return rc < 0 ? pf_err_set(err, rc, "cannot run %s: %s", name, strerror(-rc)) : 0;
}

static int start_command(struct job *job, struct pf_err *err)
{
	posix_spawnattr_t attr;
	sigset_t none, usual;
	(void)sigemptyset(&none);
	(void)sigemptyset(&usual);
	(void)sigaddset(&usual, SIGPIPE);
	(void)sigaddset(&usual, SIGXFSZ);
	int rc = posix_spawnattr_init(&attr);
	if (rc == 0) {
		(void)posix_spawnattr_setsigmask(&attr, &none);
		(void)posix_spawnattr_setsigdefault(&attr, &usual);
		(void)posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
		rc = posix_spawnp(&job->command_pid, job->command[0], NULL, &attr, job->command, environ);
		(void)posix_spawnattr_destroy(&attr);
	}
	if (rc != 0) {
		job->command_pid = 0;
		return pf_err_set(err, -rc, "cannot run %s: %s", job->command[0], strerror(rc));
	}
	return 0;
}

/* The terminal tells the command of ^C itself; what is meant for us alone is passed on. A second signal ends the recording anyhow. */
static void on_signal(struct job *job, int number)
{
	if (number == SIGCHLD)
		return;
	job->interrupted++;
	if (job->command_pid > 0 && number != SIGINT)
		(void)kill(job->command_pid, number);
	if (job->command_pid > 0 && job->interrupted == 1)
		return;
	int64_t now = pf_time_mono_ns();
	if (job->stopped_ns > 0 && now - job->stopped_ns > PF_NS_PER_SEC)
		pf_session_kill(job->session); /* stuck in a module, and whoever says it again means it */
	if (job->stopped_ns == 0)
		job->stopped_ns = now;
	pf_session_stop(job->session);
}

static void read_signals(struct job *job)
{
	struct signalfd_siginfo info;
	while (read(job->signal_fd, &info, sizeof(info)) == sizeof(info))
		on_signal(job, (int)info.ssi_signo);
}

static void reap_command(struct job *job)
{
	int status;
	if (job->command_pid <= 0 || waitpid(job->command_pid, &status, WNOHANG) != job->command_pid)
		return;
	job->command_pid = 0;
	job->command_status = status;
	pf_session_stop(job->session);
}

static int wait_for_news(struct job *job)
{
	struct pollfd fds[MAX_HOSTS + 1];
	unsigned hosts[MAX_HOSTS + 1];
	nfds_t n = 0;
	fds[n++] = (struct pollfd){ .fd = job->signal_fd, .events = POLLIN };
	for (unsigned i = 0; i < pf_session_n_hosts(job->session); i++) {
		int fd = pf_session_host(job->session, i)->fd;
		if (fd < 0)
			continue;
		hosts[n] = i;
		fds[n++] = (struct pollfd){ .fd = fd, .events = POLLIN };
	}
	if (poll(fds, n, -1) < 0)
		return errno == EINTR ? 0 : -errno;
	if (fds[0].revents)
		read_signals(job);
	for (nfds_t k = 1; k < n; k++) {
		if (fds[k].revents)
			(void)pf_session_read(job->session, hosts[k]);
	}
	return 0;
}

static bool all_began(const struct job *job)
{
	for (unsigned i = 0; i < pf_session_n_hosts(job->session); i++) {
		const struct pf_session_host *h = pf_session_host(job->session, i);
		if (!h->ready && h->status == -1)
			return false;
	}
	return true;
}

/* Somebody who started this without an end must learn that it runs, and how to end it. */
static void tell_endless(struct job *job)
{
	if (!job->endless || !all_began(job))
		return;
	job->endless = false;
	job->grows = true;
	pf_say(stderr, "recording into %s until interrupted (Ctrl-C)", job->folio);
}

/* ... and what it takes. */
static void tell_growth(struct job *job)
{
	char text[80];
	uint64_t bytes = 0;
	for (unsigned i = 0; i < pf_session_n_hosts(job->session); i++) {
		const struct pf_session_host *h = pf_session_host(job->session, i);
		if (h->growth == 0)
			return;
		bytes += h->growth;
	}
	if (job->grows)
		pf_say(stderr, "%s", pf_logger_growth(text, sizeof(text), bytes));
	job->grows = false;
}

/* Until every logger has ended, and the command. The command starts when every logger has its first sample, unless one failed. */
static int supervise(struct job *job, struct pf_err *err)
{
	bool start = job->command != NULL;
	int rc = 0;
	for (;;) {
		unsigned running = pf_session_reap(job->session);
		reap_command(job);
		if (running == 0 && job->command_pid <= 0 && (!start || all_began(job)))
			return rc;
		if (running > 0)
			tell_endless(job);
		tell_growth(job);
		if (start && running > 0 && all_began(job)) {
			start = false;
			rc = start_command(job, err);
			if (rc < 0)
				pf_session_stop(job->session);
		}
		int wait_rc = wait_for_news(job);
		if (wait_rc < 0)
			return pf_err_set(err, wait_rc, "poll: %s", strerror(-wait_rc));
	}
}

/* One sentence per host; what a logger died of it has said itself. Return: was every archive completed? */
static bool report(const struct job *job)
{
	bool complete = true;
	for (unsigned i = 0; i < pf_session_n_hosts(job->session); i++) {
		const struct pf_session_host *h = pf_session_host(job->session, i);
		if (h->status != -1 && WIFSIGNALED(h->status))
			pf_say(stderr,
			       "perfolio: the logger of %s was killed by signal %d; what it recorded until then is in %s",
			       h->host, WTERMSIG(h->status), h->base);
		else if (h->status == 0 && h->told_end)
			pf_say(stderr, "%s: %" PRIu64 " samples, %" PRIu64 " bytes in %s", h->host, h->samples,
			       h->bytes, h->base);
		else if (h->status != 0 && job->n_hosts > 1)
			pf_say(stderr, "perfolio: the logger of %s failed, as told above", h->host);
		if (h->status != 0)
			complete = false;
	}
	return complete;
}

static int exit_status(const struct job *job, bool complete)
{
	if (!complete)
		return PF_EXIT_ERROR;
	if (!job->command)
		return PF_EXIT_OK;
	return WIFSIGNALED(job->command_status) ? 128 + WTERMSIG(job->command_status)
						: WEXITSTATUS(job->command_status);
}

static int record(struct job *job, struct pf_err *err)
{
	char program[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", program, sizeof(program) - 1);
	program[n > 0 ? n : 0] = '\0';
	const struct pf_session_spec spec = { .folio = job->folio, .creator = "perfolio", .form = PF_SESSION_LOG };
	int rc = job->command ? check_command(job->command[0], err) : 0;
	if (rc == 0)
		rc = watch_signals(job, err);
	if (rc == 0)
		rc = pf_session_new(&job->session, &spec, err);
	for (unsigned i = 0; rc == 0 && i < job->n_hosts; i++)
		rc = pf_session_add(job->session, job->hosts[i], false, err);
	if (rc == 0) {
		if (job->isolate)
			add_arg(job, "--import-isolate", NULL);
		if (job->plain)
			add_arg(job, "--no-compress", NULL);
		add_arg(job, "--tell", NULL);
	}
	for (unsigned i = 0; rc == 0 && i < job->n_args; i++)
		rc = pf_session_arg(job->session, PF_SESSION_ALL, job->args[i], err);
	if (rc == 0)
		rc = pf_session_start(job->session, program[0] ? program : "/proc/self/exe", err);
	job->started = rc == 0;
	return rc == 0 ? supervise(job, err) : rc;
}

static int run(int argc, char **argv, const char *called)
{
	(void)called;
	struct job job = { .signal_fd = -1, .endless = true };
	struct pf_err err = { 0 };
	int rc = parse(&job, argc, argv, &err);
	if (rc == 1) {
		(void)fputs(usage_text, stdout);
		return PF_EXIT_OK;
	}
	if (rc < 0) {
		(void)fprintf(stderr, "perfolio record: %s\n", err.text);
		return rc == -ENOTSUP ? PF_EXIT_ERROR : PF_EXIT_USAGE;
	}
	rc = record(&job, &err);
	int status = PF_EXIT_ERROR;
	if (rc < 0)
		(void)fprintf(stderr, "perfolio: %s\n", err.text);
	if (job.started) {
		bool complete = report(&job);
		if (rc == 0)
			status = exit_status(&job, complete);
	}
	job.session = pf_session_free(job.session);
	if (rc == 0 && access(job.folio, F_OK) == 0)
		pf_say(stderr, "look at it with: %s replay %s", program_invocation_name, job.folio);
	pf_closep(&job.signal_fd);
	return status;
}

const struct pf_cmd pf_cmd_record = { "record", NULL, "record hosts into a folio, for a time or while a command runs",
				      run };
