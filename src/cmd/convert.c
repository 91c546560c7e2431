/* cmd/convert.c - `perfolio convert`: its switches, and what it says at the end. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/notice.h"
#include "cmd/cmd.h"
#include "cmd/say.h"
#include "engine/chosen.h"
#include "engine/convert.h"
#include "engine/stop.h"
#include "sinks/volumes.h"

static const char usage_text[] =
	"usage: perfolio convert [SWITCHES] IN OUT\n"
	"\n"
	"Write a recording (raw file, PCP archive, folio) in another form: a PCP archive\n"
	"with the base name OUT, or one file, which an ending .json, .jsonl, .xml, .html,\n"
	".csv or .om (OpenMetrics) of OUT asks for. Nothing is overwritten; - is standard\n"
	"output.\n"
	"\n"
	"  --oformat FORMAT    json, jsonl, xml, html, csv, openmetrics or archive, whatever\n"
	"                      OUT ends in\n"
	"  --metrics PATTERN[,PATTERN...]\n"
	"                      only metrics of these names: disk.dev, 'kernel.*.cpu.*'\n"
	"  --instances PATTERN[,PATTERN...]\n"
	"                      of those that have instances, only these: sda, 'eth*'\n"
	"  --from TIME         begin here: 18:41, \"2026-11-30 18:41\", 5min, -5min (from the end)\n"
	"  --thru TIME         end here\n"
	"  --import LIST       import modules, NAME[,ARGS][:NAME...], whose lines a raw file has\n"
	"  --archive-version N version of an archive, 2 or 3; 3 by default\n"
	"  --volume LIMIT      new volumes of an archive: 1000 (samples), 100mb, 6hours\n"
	"  --compress, --no-compress\n"
	"                      its files in xz, which PCP's tools read (the default), or not\n"
	"  --help              this text\n"
	"\n"
	"Status: 0 all was written, 1 it could not be written, 2 usage, 3 something of IN is\n"
	"damaged, or OUT cannot hold it, and it is missing, 4 nothing can be made of IN.\n";

enum { OFORMAT = 256, METRICS, INSTANCES, FROM, THRU, IMPORT, VERSION, VOLUME, COMPRESS, NO_COMPRESS, HELP };

/* @told: --oformat said it. */
struct switches {
	struct pf_convert convert;
	struct pf_doc_options doc;
	struct pf_volume_options volumes;
	bool told;
	struct pf_patterns metrics;
	struct pf_patterns instances;
};

static int bad(const char *what)
{
	(void)fprintf(stderr, "perfolio convert: %s\n", what);
	return PF_EXIT_USAGE;
}

static void tell(void *arg, enum pf_severity severity, const char *text)
{
	(void)arg;
	(void)severity;
	(void)fprintf(stderr, "perfolio: %s\n", text);
}

static const char no_format[] =
	"--oformat: '%.40s' is no format; json, jsonl, xml, html, csv, openmetrics and archive are";

/* Is it a format of documents, whatever is wrong with the words behind it? */
static bool is_document(const char *words)
{
	struct pf_doc_options ignored = { 0 };
	char format[16] = "";
	size_t n = strcspn(words, ",");
	if (n < sizeof(format))
		memcpy(format, words, n);
	return format[0] != '\0' && pf_doc_options_parse(format, true, &ignored, NULL) == 0;
}

static int take_format(struct switches *s, const char *words, struct pf_err *err)
{
	s->told = true;
	s->convert.form = PF_CONVERT_DOCUMENT;
	if (strcmp(words, "openmetrics") == 0)
		s->convert.form = PF_CONVERT_METRICS;
	else if (strcmp(words, "archive") == 0)
		s->convert.form = PF_CONVERT_ARCHIVE;
	else if (pf_doc_options_parse(words, true, &s->doc, err) < 0)
		return is_document(words) ? err->rc : pf_err_set(err, -EINVAL, no_format, words);
	return 0;
}

/* What OUT ends in, if --oformat does not say. */
static int choose_format(struct switches *s, struct pf_err *err)
{
	static const char *const endings[][2] = { { ".json", "json" },
						  { ".jsonl", "jsonl" },
						  { ".xml", "xml" },
						  { ".html", "html" },
						  { ".csv", "csv" },
						  { ".om", "openmetrics" },
						  { ".openmetrics", "openmetrics" } };
	const char *dot = strrchr(s->convert.out, '.');
	bool raw = dot && (strcmp(dot, ".raw") == 0 || strcmp(dot, ".gz") == 0);
	int rc = 0;
	for (unsigned i = 0; i < PF_N(endings) && !s->told && dot; i++) {
		if (strcmp(dot, endings[i][0]) == 0)
			rc = take_format(s, endings[i][1], err);
	}
	if (raw && !s->told)
		return pf_err_set(err, -EINVAL,
				  "%s: a raw file holds the text of /proc, of which only numbers are left in other "
				  "recordings; a part of a raw file is written by collectl --extract",
				  s->convert.out);
	if (dot && strcmp(dot, ".folio") == 0 && !s->told)
		return pf_err_set(err, -EINVAL,
				  "%s: an archive is made, and no folio; leave out the ending, then make a folio with "
				  "perfolio folio --make",
				  s->convert.out);
	if (s->convert.form == PF_CONVERT_DOCUMENT && s->doc.format == PF_FORMAT_TEXT && rc == 0)
		return pf_err_set(err, -EINVAL, no_format, "text");
	if (s->convert.form == PF_CONVERT_ARCHIVE && strcmp(s->convert.out, "-") == 0)
		return pf_err_set(err, -EINVAL,
				  "an archive is several files and cannot go to standard output; say --oformat");
	s->convert.doc = &s->doc;
	return rc;
}

static int convert(struct switches *s)
{
	static const struct pf_notice notice = { .tell = tell };
	struct pf_stop stop;
	struct pf_convert_result result = { 0 };
	struct pf_err err = { 0 };
	int rc = pf_stop_open(&stop, &err);
	s->convert.notice = &notice;
	s->convert.stop = &stop;
	s->convert.volumes = &s->volumes;
	if (rc == 0)
		rc = pf_convert_run(&s->convert, &result, &err);
	int signal = stop.signal;
	pf_stop_close(&stop);
	if (rc == -EPIPE)
		return PF_EXIT_OK;
	if (rc < 0) {
		(void)fprintf(stderr, "perfolio: %s\n", err.text);
		return !result.readable || rc == -ENODATA ? PF_EXIT_UNUSABLE : PF_EXIT_ERROR;
	}
	if (result.removed)
		(void)fprintf(stderr, "perfolio: interrupted, %s is not complete and was removed\n", s->convert.out);
	else if (strcmp(s->convert.out, "-") != 0)
		(void)fprintf(stderr, "perfolio: %llu samples, %llu bytes in %s\n", (unsigned long long)result.samples,
			      (unsigned long long)result.bytes, s->convert.out);
	return signal ? 128 + signal : result.damaged || result.left_out ? PF_EXIT_LOSS : PF_EXIT_OK;
}

static int take_switch(struct switches *s, int o, struct pf_err *err)
{
	switch (o) {
	case OFORMAT:
		return take_format(s, optarg, err);
	case METRICS:
		s->convert.metrics = s->metrics.each;
		return pf_patterns_parse(&s->metrics, "--metrics", optarg, err);
	case INSTANCES:
		s->convert.instances = s->instances.each;
		return pf_patterns_parse(&s->instances, "--instances", optarg, err);
	case IMPORT:
		s->convert.import = optarg;
		return 0;
	case VERSION:
		return pf_archive_version_parse(optarg, &s->convert.archive_version, err);
	case VOLUME:
		return pf_volume_options_parse(optarg, &s->volumes, err);
	case COMPRESS:
	case NO_COMPRESS:
		s->volumes.pack = o == COMPRESS;
		return 0;
	case FROM:
		return pf_moment_parse(optarg, "--from", false, &s->convert.from, err);
	default:
		return pf_moment_parse(optarg, "--thru", false, &s->convert.thru, err);
	}
}

static void free_patterns(struct switches *s)
{
	pf_patterns_done(&s->metrics);
	pf_patterns_done(&s->instances);
}

static int run(int argc, char **argv, const char *called)
{
	(void)called;
	static const struct option longs[] = { { "oformat", required_argument, NULL, OFORMAT },
					       { "metrics", required_argument, NULL, METRICS },
					       { "instances", required_argument, NULL, INSTANCES },
					       { "import", required_argument, NULL, IMPORT },
					       { "archive-version", required_argument, NULL, VERSION },
					       { "from", required_argument, NULL, FROM },
					       { "thru", required_argument, NULL, THRU },
					       { "volume", required_argument, NULL, VOLUME },
					       { "compress", no_argument, NULL, COMPRESS },
					       { "no-compress", no_argument, NULL, NO_COMPRESS },
					       { "help", no_argument, NULL, HELP },
					       { 0 } };
	struct switches s = { .volumes = PF_VOLUME_DEFAULTS };
	struct pf_err err = { 0 };
	int rc = 0;
	opterr = 0;
	for (int o = getopt_long(argc, argv, ":", longs, NULL); o != -1 && rc == 0;
	     o = getopt_long(argc, argv, ":", longs, NULL)) {
		if (o == HELP) {
			(void)fputs(usage_text, stdout);
			free_patterns(&s);
			return PF_EXIT_OK;
		}
		if (o == '?' || o == ':')
			rc = pf_bad_switch(o, argv, "convert", &err);
		else
			rc = take_switch(&s, o, &err);
	}
	if (rc == 0 && argc - optind != 2)
		rc = pf_err_set(&err, -EINVAL, "from what recording into what? see perfolio convert --help");
	if (rc == 0) {
		s.convert.in = argv[optind];
		s.convert.out = argv[optind + 1];
		rc = choose_format(&s, &err);
	}
	int status = rc < 0 ? bad(err.text) : convert(&s);
	free_patterns(&s);
	return status;
}

const struct pf_cmd pf_cmd_convert = { "convert", NULL, "write a recording in another form", run };
