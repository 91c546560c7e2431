/* cmd/record_options.c - switches of `perfolio record`, and values that `perfolio log` takes as well. */
#include <getopt.h>
#include <string.h>

#include "base/duration.h"
#include "base/err.h"
#include "base/time.h"
#include "base/view.h"
#include "cmd/record_job.h"
#include "cmd/say.h"
#include "record/logger.h"

enum {
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
	OPTION_METRICS,
	OPTION_DEFAULT,
	OPTION_DETACH,
	MOST_DAYS = 36525
};

static const char usage_text[] =
	"usage: perfolio record FOLIO [SWITCHES] [-- COMMAND [ARGUMENTS]]\n"
	"\n"
	"Record hosts into a new folio, until interrupted or while COMMAND runs.\n"
	"\n"
	"  -c COUNT, -R TIME   end after so many intervals; after 30, 10min, 1hour 30min\n"
	"  -i SECONDS      interval, with fractions or units: 500msec, 1.5min; 1 by default\n"
	"  -s LETTERS      subsystems, cdimnps by default\n"
	"  --metrics NAME  metrics by name, or what is below it; * ? [] in it; more than once\n"
	"  --import LIST   import modules, NAME[,ARGS][:NAME...]\n"
	"  --import-isolate, --import-deadline SECONDS, --import-records N,\n"
	"  --import-answers N, --import-memory MB   limits of what modules may do\n"
	"  --volume LIMIT  new volumes: 1000 (samples), 100mb, 6hours\n"
	"  --archive-version N         version of the archives, 2 or 3; 3 by default\n"
	"  --keep LIMIT    remove the oldest volumes: 2gb (all files), 7days\n"
	"  --min-free SIZE the same if the disk has less room: 500mb\n"
	"  --compress, --no-compress   compress files that are complete, as usual, or do not\n"
	"  -h HOST         host, once for each; self: is this one and the default; others are\n"
	"                  asked through their pmcd: HOST[:PORT], pcp://HOST, local:, unix:PATH\n"
	"  --default HOST  the one that comes first in the folio\n"
	"  --detach        come back when all hosts have a sample; the recording goes on\n"
	"  --help          this text\n"
	"\n"
	"The folio names one PCP archive per host, in files beside it. Nothing that is\n"
	"there already is overwritten. Look at it with: perfolio replay FOLIO\n";

const char *pf_record_usage(void)
{
	return usage_text;
}

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

int pf_record_time(const char *text, int64_t *ret_ns, struct pf_err *err)
{
	int64_t ns;
	if (pf_duration_parse(pf_view_of(text), &ns) < 0 || ns < PF_NS_PER_MS || ns > PF_NS_PER_SEC * 86400 * MOST_DAYS)
		return pf_err_set(err, -EINVAL,
				  "-R %s: a time is from 0.001 seconds to 100 years, as " PF_DURATION_FORMS, text);
	*ret_ns = ns;
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

static void add_arg(struct pf_record_job *job, const char *name, const char *value)
{
	job->args[job->n_args++] = name;
	if (value)
		job->args[job->n_args++] = value;
	job->args[job->n_args] = NULL;
}

static void set_arg(struct pf_record_job *job, const char *name, const char *value)
{
	for (unsigned i = 0; i + 1 < job->n_args; i += 2) {
		if (strcmp(job->args[i], name) == 0) {
			job->args[i + 1] = value; /* the last one counts */
			return;
		}
	}
	add_arg(job, name, value);
}

static int take_option(struct pf_record_job *job, int option, const char *value, struct pf_err *err)
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
	case 'R':
		rc = pf_record_time(value, &ignored, err);
		job->endless = false;
		set_arg(job, "-R", value);
		return rc;
	case 'i':
		rc = pf_record_interval(value, &job->interval_ns, err);
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
	case OPTION_DETACH:
		job->detach = true;
		return 0;
	case OPTION_DEFAULT:
		if (job->default_host)
			return pf_err_set(err, -EINVAL, "--default %s: %s is the default host already", value,
					  job->default_host);
		job->default_host = value;
		return pf_logger_host(value, err);
	case 'h':
		if (job->n_hosts == PF_RECORD_HOSTS)
			return pf_err_set(err, -EINVAL, "-h %s: more than %d hosts", value, PF_RECORD_HOSTS);
		job->hosts[job->n_hosts++] = value;
		return pf_logger_host(value, err);
	default:
		return -EINVAL; /* told by the caller, who knows the words */
	}
}

/* The default host is one of the others, or one more. */
static int add_hosts(struct pf_record_job *job, struct pf_err *err)
{
	bool there = false;
	for (unsigned i = 0; job->default_host && i < job->n_hosts && !there; i++)
		there = strcmp(job->hosts[i], job->default_host) == 0;
	if (job->default_host && !there) {
		if (job->n_hosts == PF_RECORD_HOSTS)
			return pf_err_set(err, -EINVAL, "--default %s: more than %d hosts", job->default_host,
					  PF_RECORD_HOSTS);
		job->hosts[job->n_hosts++] = job->default_host;
	}
	if (job->n_hosts == 0)
		job->hosts[job->n_hosts++] = "self:";
	return 0;
}

/* Switches stand before "--", a command behind it. */
int pf_record_options(struct pf_record_job *job, int argc, char **argv, struct pf_err *err)
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
						 { "default", required_argument, NULL, OPTION_DEFAULT },
						 { "detach", no_argument, NULL, OPTION_DETACH },
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
		int o = getopt_long(n, argv, ":c:i:s:h:R:", options, NULL);
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
	if (job->detach && job->command)
		return pf_err_set(err, -EINVAL, "--detach: who leaves the recording alone cannot end it with %s",
				  job->command[0]);
	job->folio = argv[optind];
	return add_hosts(job, err);
}
