/* cmd/log.c - one logger of one host: `perfolio record` starts one per host. */
#include "cmd/cmd.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/time.h"
#include "base/view.h"
#include "cmd/pcpconf.h"
#include "cmd/pmlogcheck_text.h"
#include "cmd/pmlogger.h"
#include "cmd/record.h"
#include "cmd/say.h"
#include "engine/stop.h"
#include "record/logger.h"
#include "record/tasks.h"

static const char usage_text[] =
	"usage: perfolio log [SWITCHES] ARCHIVE\n"
	"\n"
	"Record one host into the PCP archive ARCHIVE.meta, ARCHIVE.index, ARCHIVE.0.\n"
	"\n"
	"  -h HOST         host; self: is this one and the default; others are asked through\n"
	"                  their pmcd: HOST[:PORT], pcp://HOST, local:, unix:PATH\n"
	"  -i SECONDS      interval, with fractions or units: 500msec, 1.5min; 1 by default\n"
	"  -c COUNT        end after so many intervals\n"
	"  -R TIME         end after that time: 30, 10min, 1hour 30min\n"
	"  -s LETTERS      subsystems, cdimnps by default\n"
	"  --config FILE   record what a configuration of pmlogger says; -: standard input\n"
	"  --until TIME    end after that long (10min), or at @HH:MM[:SS]\n"
	"  --metrics NAME  metrics by name, or what is below it; * ? [] in it; more than once\n"
	"  --import LIST   import modules, NAME[,ARGS][:NAME...]\n"
	"  --import-isolate, --import-deadline SECONDS, --import-records N,\n"
	"  --import-answers N, --import-memory MB   limits of what modules may do\n"
	"  --volume LIMIT  new volumes: 1000 (samples), 100mb, 6hours; --keep LIMIT: only the newest\n"
	"  --min-free SIZE the same if the disk has less room: 500mb\n"
	"  --archive-version N         version of the archive, 2 or 3; 3 by default\n"
	"  --compress, --no-compress   compress files that are complete, as usual, or do not\n"
	"  -l FILE         messages go there, a new file\n"
	"  -x FD           control channel of the program that starts this one\n"
	"  --tell          say on the control channel when it begins and ends\n"
	"  --help          this text\n";

static void tell_notice(void *arg, enum pf_severity severity, const char *text)
{
	(void)arg;
	(void)fprintf(stderr, "perfolio: %s%s\n", severity == PF_WARNING ? "warning: " : "", text);
}

/* Nothing but the log is left of whoever started us. */
static int take_log(const char *path, struct pf_err *err)
{
	pf_autoclose int log = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
	pf_autoclose int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (log < 0 && errno == EEXIST)
		return pf_err_set(err, -EEXIST,
				  "-l %s: it is there already and is not overwritten; choose another name", path);
	if (log < 0 || null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(log, STDOUT_FILENO) < 0 ||
	    dup2(log, STDERR_FILENO) < 0)
		return pf_err_set(err, -errno, "-l %s: %s", path, strerror(errno));
	return 0;
}

/* What is looked at when all switches are known. */
struct switches {
	struct pf_logger_spec spec;
	const char *metrics[PF_RECORD_METRICS + 1];
	const char *config;
	const char *until;
};

static int take_option(struct switches *w, int option, const char *value, struct pf_err *err)
{
	struct pf_logger_spec *spec = &w->spec;
	int64_t fd;
	switch (option) {
	case 'C':
		w->config = value;
		return 0;
	case 'U':
		w->until = value;
		return pf_peer_window(value, 0, 0, &fd) == 0
			       ? 0
			       : pf_err_set(err, -EINVAL, "--until %s: a length of time such as 10min, or @HH:MM:SS",
					    value);
	case 'h':
		spec->host = value;
		return pf_logger_host(value, err);
	case 'i':
		return pf_record_interval(value, &spec->interval_ns, err);
	case 'c':
		return pf_record_count(value, &spec->count, err);
	case 'R':
		return pf_record_time(value, &spec->max_ns, err);
	case 's':
		spec->letters = value;
		return pf_logger_letters(value, err);
	case 'n':
		return pf_record_metric(value, w->metrics, err);
	case 'm':
		spec->import = value;
		return 0;
	case 'I':
		spec->limits.isolate = true;
		return 0;
	case 'd':
		return pf_import_deadline(value, &spec->limits.deadline_ns, err);
	case 'r':
		return pf_import_records(value, &spec->limits.records, err);
	case 'a':
		return pf_import_answers(value, &spec->limits.answers, err);
	case 'M':
		return pf_import_memory(value, &spec->limits.memory_mb, err);
	case 'v':
		return pf_volume_options_parse(value, &spec->volumes, err);
	case 'V':
		return pf_archive_version_parse(value, &spec->archive_version, err);
	case 'k':
		return pf_volume_keep_parse(value, &spec->volumes, err);
	case 'f':
		return pf_volume_free_parse(value, &spec->volumes, err);
	case 'z':
	case 'Z':
		spec->volumes.pack = option == 'z';
		return 0;
	case 't':
		spec->tell = true;
		return 0;
	case 'l':
		return take_log(value, err);
	default:
		if (pf_view_i64(pf_view_of(value), &fd) < 0 || fd < 0 || fd > 1 << 20)
			return pf_err_set(err, -EINVAL, "-x %s: not a descriptor", value);
		spec->control_fd = (int)fd;
		return 0;
	}
}

/* --config takes the place of what else says what is recorded. */
static int check_config(const struct switches *w)
{
	const char *other = w->spec.letters ? "-s" : w->spec.metrics ? "--metrics" : w->spec.import ? "--import" : NULL;
	if (w->config && other) {
		(void)fprintf(stderr, "perfolio log: a configuration says what is recorded; leave out %s\n", other);
		return PF_EXIT_USAGE;
	}
	return PF_EXIT_OK;
}

static int until(void *arg, const struct pf_source_info *info, int64_t *ret_until_ns, struct pf_err *err)
{
	const struct switches *w = arg;
	(void)info;
	(void)err;
	int64_t now = pf_time_wall_ns();
	return w->until ? pf_peer_window(w->until, now, now, ret_until_ns) : 0;
}

static void problem(void *arg, const struct pf_task_problem *p)
{
	const struct switches *w = arg;
	const char *where = p->at.file;
	switch (p->fault) {
	case PF_TASK_NO_NAME:
		pf_notice(w->spec.notice, PF_WARNING, "%s, line %u: nothing is called %s, ignoring it", where,
			  p->at.line, p->metric);
		return;
	case PF_TASK_NO_METRIC:
		pf_notice(w->spec.notice, PF_WARNING, "%s, line %u: metric %s is not described, ignoring it", where,
			  p->at.line, p->metric);
		return;
	case PF_TASK_NO_INSTANCE:
		pf_notice(w->spec.notice, PF_WARNING, "%s, line %u: metric %s has no instance %s, ignoring that", where,
			  p->at.line, p->metric, p->instance->text);
		return;
	case PF_TASK_CONFLICT:
		pf_notice(w->spec.notice, PF_WARNING,
			  "%s, line %u: metric %s%s%s is mandatory further up, ignoring the advisory request", where,
			  p->at.line, p->metric, p->instance ? ", instance " : "",
			  p->instance ? p->instance->text : "");
		return;
	}
}

/* Nothing is recorded by half a configuration. */
static int read_config(const struct switches *w, struct pf_logconfig *config, struct pf_err *err)
{
	const char *file = strcmp(w->config, "-") == 0 ? NULL : w->config;
	int rc = pf_logconfig_open(config, file, err);
	const struct pf_preproc_error *e = &config->preproc;
	if (rc < 0)
		return pf_err_context(err, rc, "%s", w->config);
	if (e->what && e->at.line == 0)
		return pf_err_set(err, -EINVAL, "%s, line %u: no %%endif for this %%ifdef or %%ifndef", e->at.file,
				  e->opened);
	if (e->what)
		return pf_err_set(err, -EINVAL, "%s, line %u: %s: %s", e->at.file, e->at.line, e->directive, e->what);
	return 0;
}

static int record(struct switches *w, struct pf_err *err)
{
	const struct pf_logger_watch watch = { .until = until, .problem = problem, .arg = w };
	struct pf_logconfig config = { 0 };
	int rc = w->config ? read_config(w, &config, err) : 0;
	w->spec.watch = &watch;
	w->spec.config = w->config ? &config : NULL;
	if (rc == 0)
		rc = pf_logger_run(&w->spec, NULL, err);
	pf_logconfig_done(&config);
	return rc;
}

static int run(int argc, char **argv, const char *called)
{
	if (called)
		return pf_pmlogger(argc, argv);
	static const struct option options[] = { { "import", required_argument, NULL, 'm' },
						 { "import-isolate", no_argument, NULL, 'I' },
						 { "import-deadline", required_argument, NULL, 'd' },
						 { "import-records", required_argument, NULL, 'r' },
						 { "import-answers", required_argument, NULL, 'a' },
						 { "import-memory", required_argument, NULL, 'M' },
						 { "volume", required_argument, NULL, 'v' },
						 { "archive-version", required_argument, NULL, 'V' },
						 { "compress", no_argument, NULL, 'z' },
						 { "no-compress", no_argument, NULL, 'Z' },
						 { "keep", required_argument, NULL, 'k' },
						 { "min-free", required_argument, NULL, 'f' },
						 { "metrics", required_argument, NULL, 'n' },
						 { "config", required_argument, NULL, 'C' },
						 { "until", required_argument, NULL, 'U' },
						 { "tell", no_argument, NULL, 't' },
						 { "help", no_argument, NULL, '?' + 256 },
						 { NULL, 0, NULL, 0 } };
	static const struct pf_notice notice = { .tell = tell_notice };
	struct pf_stop signals;
	struct switches w = { .spec = { .host = "self:",
					.interval_ns = PF_NS_PER_SEC,
					.count = -1,
					.control_fd = -1,
					.with_pid_fd = -1,
					.volumes = PF_VOLUME_DEFAULTS,
					.signals = &signals,
					.notice = &notice } };
	struct pf_err err = { 0 };
	w.spec.volumes.min_free = -1;
	opterr = 0;
	for (int o = getopt_long(argc, argv, ":h:i:c:s:x:l:R:", options, NULL); o != -1;
	     o = getopt_long(argc, argv, ":h:i:c:s:x:l:R:", options, NULL)) {
		if (o == '?' + 256) {
			(void)fputs(usage_text, stdout);
			return PF_EXIT_OK;
		}
		int rc = o == '?' || o == ':' ? pf_bad_switch(o, argv, "log", &err) : take_option(&w, o, optarg, &err);
		if (rc < 0) {
			(void)fprintf(stderr, "perfolio log: %s\n", err.text);
			return o == 'l' ? PF_EXIT_ERROR : PF_EXIT_USAGE;
		}
	}
	if (optind != argc - 1) {
		(void)fputs("perfolio log: one archive is to be named; see perfolio log --help\n", stderr);
		return PF_EXIT_USAGE;
	}
	w.spec.path = argv[optind];
	w.spec.metrics = w.metrics[0] ? w.metrics : NULL;
	int status = check_config(&w);
	if (status != PF_EXIT_OK)
		return status;
	int rc = pf_stop_open(&signals, &err);
	if (rc == 0)
		pf_logger_signals(&signals);
	if (rc == 0)
		rc = record(&w, &err);
	if (rc < 0)
		(void)fprintf(stderr, "perfolio: %s\n", err.text);
	pf_stop_close(&signals);
	return rc < 0 ? PF_EXIT_ERROR : PF_EXIT_OK;
}

const struct pf_cmd pf_cmd_log = { "log", "pmlogger", "record one host into one PCP archive", run };
