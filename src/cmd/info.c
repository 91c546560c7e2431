/* cmd/info.c - `perfolio info`: what is in recordings, one screen each, or as a document. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/escape.h"
#include "base/io.h"
#include "base/notice.h"
#include "base/time.h"
#include "cmd/cmd.h"
#include "cmd/say.h"
#include "engine/stop.h"
#include "engine/survey.h"
#include "formats/text/doc.h"

static const char usage_text[] = "usage: perfolio info [--metrics] [--oformat FORMAT] FILE...\n"
				 "\n"
				 "Tell what is in recordings: raw files, PCP archives, folios, folders of them.\n"
				 "\n"
				 "  --metrics         each metric with type, meaning, units, instances and values\n"
				 "  --oformat FORMAT  a document: json, jsonl, xml, html, csv\n"
				 "  --help            this text\n"
				 "\n"
				 "Times are those of the recorded host. Status: 0 all is whole, 1 it could\n"
				 "not be told, 2 usage, 3 something is damaged, 4 something cannot be read at all.\n";

enum { METRICS = 256, OFORMAT, HELP, GAPS_SHOWN = 5 };

/* @doc: NULL for text, which is collected in @out. */
struct info {
	bool metrics;
	bool nests; /* the document is no table */
	struct pf_doc *doc;
	struct pf_buf out;
	struct pf_stop stop;
	int status;
};

static void tell(void *arg, enum pf_severity severity, const char *text)
{
	(void)arg;
	if (severity == PF_WARNING)
		(void)fprintf(stderr, "perfolio: %s\n", text);
}

static const struct pf_notice notice = { .tell = tell };

static void worse(struct info *in, int status)
{
	if (status > in->status)
		in->status = status;
}

/* Times as the clock of the recorded host showed them. */
static void put_time(struct pf_buf *b, const struct pf_survey *s, int64_t ns)
{
	struct tm tm = pf_time_utc(ns + (s->info->has_zone ? s->info->zone_ns : 0));
	char text[40];
	if (strftime(text, sizeof(text), "%F %T", &tm) > 0)
		pf_buf_fmt(b, "%s.%03d", text, (int)(ns % PF_NS_PER_SEC / PF_NS_PER_MS));
}

static void put_span(struct pf_buf *b, int64_t ns)
{
	double seconds = (double)ns / (double)PF_NS_PER_SEC;
	if (seconds < 120)
		pf_buf_fmt(b, "%.3f s", seconds);
	else if (seconds < 7200)
		pf_buf_fmt(b, "%.1f minutes", seconds / 60);
	else
		pf_buf_fmt(b, "%.1f hours", seconds / 3600);
}

/* Metrics that have values. */
static unsigned n_metrics(const struct pf_survey *s)
{
	unsigned n = 0;
	for (unsigned m = 0; m < s->n_metrics; m++)
		n += s->metrics[m].values > 0;
	return n;
}

static void text_time(struct info *in, const struct pf_survey *s)
{
	struct pf_buf *b = &in->out;
	if (s->samples == 0) {
		pf_buf_str(b, "Samples   none\n");
		return;
	}
	pf_buf_str(b, "From      ");
	put_time(b, s, s->from_ns);
	pf_buf_str(b, "\nUntil     ");
	put_time(b, s, s->until_ns);
	pf_buf_str(b, "  (");
	put_span(b, s->until_ns - s->from_ns);
	pf_buf_fmt(b, ")\nSamples   %llu", (unsigned long long)s->samples);
	int64_t usual = pf_survey_interval(s);
	if (usual > 0) {
		pf_buf_str(b, ", every ");
		put_span(b, usual);
	}
	if (s->longest_ns > usual + usual / 10) {
		pf_buf_str(b, ", at most ");
		put_span(b, s->longest_ns);
	}
	if (s->info->bytes > 0) {
		pf_buf_str(b, "; ");
		pf_say_bytes(b, (double)s->info->bytes / (double)s->samples);
		pf_buf_str(b, " each");
	}
	pf_buf_char(b, '\n');
}

/* "kernel 12, mem 40, disk 16": first words of the names, in the order in which they come. */
static void text_metrics(struct info *in, const struct pf_survey *s)
{
	struct pf_buf *b = &in->out;
	pf_buf_fmt(b, "Metrics   %u", n_metrics(s));
	const char *sep = ": ";
	struct pf_view done = { "", 0 };
	for (unsigned m = 0; m < s->n_metrics; m++) {
		const char *name = s->catalog->metrics[m]->name;
		struct pf_view word = { name, strcspn(name, ".") };
		bool known = s->metrics[m].values == 0 || (word.n == done.n && memcmp(word.p, done.p, done.n) == 0);
		unsigned n = 0;
		for (unsigned i = 0; i < s->n_metrics && !known; i++) {
			const char *other = s->catalog->metrics[i]->name;
			bool same =
				strncmp(other, word.p, word.n) == 0 && (other[word.n] == '.' || other[word.n] == '\0');
			known = same && i < m && s->metrics[i].values > 0;
			n += same && s->metrics[i].values > 0;
		}
		if (known)
			continue;
		done = word;
		pf_buf_str(b, sep);
		pf_escape_text(b, word);
		pf_buf_fmt(b, " %u", n);
		sep = ", ";
	}
	if (s->info->letters && s->info->letters[0] != '\0') {
		pf_buf_str(b, "; views -s");
		pf_escape_text(b, pf_view_of(s->info->letters));
	}
	pf_buf_char(b, '\n');
}

static void text_losses(struct info *in, const struct pf_survey *s)
{
	struct pf_buf *b = &in->out;
	uint64_t shown = s->n_gaps < GAPS_SHOWN ? s->n_gaps : GAPS_SHOWN;
	pf_buf_fmt(b, "Gaps      %llu%s", (unsigned long long)s->n_gaps, s->n_gaps == 0 ? "\n" : "");
	for (uint64_t i = 0; i < shown; i++) {
		pf_buf_str(b, i == 0 ? ": " : "          ");
		put_time(b, s, s->gaps[i].from_ns);
		pf_buf_str(b, " until ");
		put_time(b, s, s->gaps[i].until_ns);
		pf_buf_str(b, "  (");
		put_span(b, s->gaps[i].until_ns - s->gaps[i].from_ns);
		pf_buf_str(b, i + 1 == shown && shown < s->n_gaps ? "), and more\n" : ")\n");
	}
	if (s->lost > 0)
		pf_buf_fmt(b, "Lost      %llu reads failed while it was recorded\n", (unsigned long long)s->lost);
	for (uint64_t i = 0; i < s->n_damage && i < PF_SURVEY_KEPT; i++) {
		pf_buf_str(b, i == 0 ? "Damage    " : "          ");
		pf_escape_text(b, pf_view_of(s->damage[i]));
		pf_buf_char(b, '\n');
	}
	if (s->n_damage > PF_SURVEY_KEPT)
		pf_buf_fmt(b, "          and %llu more\n", (unsigned long long)s->n_damage - PF_SURVEY_KEPT);
}

static void text_table(struct info *in, const struct pf_survey *s)
{
	char units[64];
	for (unsigned m = 0; m < s->n_metrics; m++) {
		const struct pf_metric *metric = s->catalog->metrics[m];
		if (s->metrics[m].values == 0)
			continue;
		size_t from = in->out.n;
		pf_buf_str(&in->out, "  ");
		pf_escape_text(&in->out, pf_view_of(metric->name));
		size_t width = in->out.n - from;
		pf_buf_pad(&in->out, ' ', width < 40 ? 40 - width : 1);
		pf_buf_fmt(&in->out, "%-6s %-8s %-14s", pf_type_name(metric->type), pf_semantics_name(metric->sem),
			   pf_units_name(&metric->units, units, sizeof(units)));
		if (!pf_metric_is_singular(metric))
			pf_buf_fmt(&in->out, " %5u instances", s->metrics[m].instances);
		else
			pf_buf_pad(&in->out, ' ', 16);
		pf_buf_fmt(&in->out, " %9llu values\n", (unsigned long long)s->metrics[m].values);
	}
}

static void text_labels(struct pf_buf *b, const struct pf_survey *s)
{
	for (unsigned i = 0; i < s->n_labels; i++) {
		pf_buf_str(b, i == 0 ? "Labels    " : ", ");
		pf_escape_text(b, pf_view_of(s->labels[i].name));
		pf_buf_char(b, ' ');
		pf_escape_text(b, pf_view_of(s->labels[i].value));
	}
	pf_buf_str(b, s->n_labels > 0 ? "\n" : "");
}

static void text(struct info *in, const char *path, const struct pf_survey *s)
{
	struct pf_buf *b = &in->out;
	pf_buf_str(b, "File      ");
	pf_escape_text(b, pf_view_of(path));
	pf_buf_fmt(b, "\nFormat    %s", s->source->kind->title);
	if (s->info->version > 0)
		pf_buf_fmt(b, ", version %u", s->info->version);
	if (s->info->n_files > 0) {
		pf_buf_fmt(b, "; %u file%s, ", s->info->n_files, s->info->n_files == 1 ? "" : "s");
		pf_say_bytes(b, (double)s->info->bytes);
	}
	pf_buf_str(b, "\nHost      ");
	pf_escape_text(b, pf_view_of(s->info->host ? s->info->host : "unknown"));
	if (s->info->zone) {
		pf_buf_str(b, ", time zone ");
		pf_escape_text(b, pf_view_of(s->info->zone));
		if (!s->info->has_zone)
			pf_buf_str(b, " (times below are UTC)");
	}
	pf_buf_char(b, '\n');
	text_labels(b, s);
	text_time(in, s);
	text_metrics(in, s);
	text_losses(in, s);
	if (in->metrics)
		text_table(in, s);
	pf_buf_char(b, '\n');
}

static void document_metrics(struct pf_doc *doc, const struct pf_survey *s)
{
	char units[64];
	pf_doc_list_begin(doc, "metrics");
	for (unsigned m = 0; m < s->n_metrics; m++) {
		const struct pf_metric *metric = s->catalog->metrics[m];
		if (s->metrics[m].values == 0)
			continue;
		pf_doc_object_begin(doc, NULL);
		pf_doc_text(doc, "name", pf_view_of(metric->name));
		pf_doc_name(doc, "type", pf_type_name(metric->type));
		pf_doc_name(doc, "semantics", pf_semantics_name(metric->sem));
		pf_doc_name(doc, "units", pf_units_name(&metric->units, units, sizeof(units)));
		if (!pf_metric_is_singular(metric))
			pf_doc_uint(doc, "instances", s->metrics[m].instances);
		pf_doc_uint(doc, "values", s->metrics[m].values);
		pf_doc_object_end(doc);
	}
	pf_doc_list_end(doc);
}

static void document_losses(struct pf_doc *doc, const struct pf_survey *s)
{
	pf_doc_uint(doc, "gap-count", s->n_gaps);
	pf_doc_list_begin(doc, "gaps");
	for (uint64_t i = 0; i < s->n_gaps && i < PF_SURVEY_KEPT; i++) {
		pf_doc_object_begin(doc, NULL);
		pf_doc_int(doc, "from", s->gaps[i].from_ns);
		pf_doc_int(doc, "until", s->gaps[i].until_ns);
		pf_doc_object_end(doc);
	}
	pf_doc_list_end(doc);
	pf_doc_uint(doc, "lost", s->lost);
	pf_doc_uint(doc, "damage-count", s->n_damage);
	pf_doc_list_begin(doc, "damage");
	for (uint64_t i = 0; i < s->n_damage && i < PF_SURVEY_KEPT; i++) {
		pf_doc_object_begin(doc, NULL);
		pf_doc_text(doc, "msg", pf_view_of(s->damage[i]));
		pf_doc_object_end(doc);
	}
	pf_doc_list_end(doc);
}

static void document_labels(struct pf_doc *doc, const struct pf_survey *s)
{
	pf_doc_list_begin(doc, "labels");
	for (unsigned i = 0; i < s->n_labels; i++) {
		pf_doc_object_begin(doc, NULL);
		pf_doc_text(doc, "name", pf_view_of(s->labels[i].name));
		pf_doc_text(doc, "value", pf_view_of(s->labels[i].value));
		pf_doc_object_end(doc);
	}
	pf_doc_list_end(doc);
}

static int document(struct info *in, const char *path, const struct pf_survey *s)
{
	struct pf_doc *doc = in->doc;
	pf_doc_piece_begin(doc);
	pf_doc_text(doc, "file", pf_view_of(path));
	pf_doc_name(doc, "format", s->source->kind->name);
	if (s->info->version > 0)
		pf_doc_uint(doc, "version", s->info->version);
	pf_doc_text(doc, "host", pf_view_of(s->info->host ? s->info->host : ""));
	pf_doc_text(doc, "zone", pf_view_of(s->info->zone ? s->info->zone : ""));
	if (s->n_labels > 0 && in->nests)
		document_labels(doc, s);
	pf_doc_uint(doc, "files", s->info->n_files);
	pf_doc_uint(doc, "bytes", s->info->bytes);
	if (s->samples > 0) {
		pf_doc_int(doc, "from", s->from_ns);
		pf_doc_int(doc, "until", s->until_ns);
	}
	pf_doc_uint(doc, "samples", s->samples);
	pf_doc_int(doc, "interval", pf_survey_interval(s));
	pf_doc_int(doc, "longest", s->longest_ns);
	document_losses(doc, s);
	document_metrics(doc, s);
	return pf_doc_piece_end(doc);
}

/* @ret_unusable: nothing can be made of it. Return: 0, or negative errno that ends all. */
static int one(struct info *in, const char *path, bool *ret_unusable)
{
	struct pf_survey s;
	struct pf_err err = { 0 };
	int rc = pf_survey_take(&s, path, &notice, &in->stop, &err);
	if (rc < 0) {
		(void)fprintf(stderr, "perfolio: %s\n", err.text);
		*ret_unusable = true;
		rc = 0;
	} else {
		worse(in, s.n_damage > 0 ? PF_EXIT_LOSS : PF_EXIT_OK);
		*ret_unusable = s.samples == 0 && !s.info->is_raw && !in->stop.signal;
		if (*ret_unusable)
			pf_say(stderr,
			       "perfolio: %s: no sample in it can be shown: nothing was recorded, or all of it is lost",
			       path);
		if (in->doc)
			rc = document(in, path, &s);
		else
			text(in, path, &s);
	}
	pf_survey_done(&s);
	if (rc == 0 && !in->doc) {
		rc = in->out.failed ? in->out.failed : pf_io_write_all(STDOUT_FILENO, in->out.p, in->out.n);
		pf_buf_clear(&in->out);
	}
	return rc;
}

/* What is unusable among others is a loss. */
static int all_of(struct info *in, const struct pf_survey_paths *paths)
{
	unsigned unusable = 0;
	int rc = 0;
	for (unsigned i = 0; rc == 0 && i < paths->n && !in->stop.signal; i++) {
		bool is = false;
		rc = one(in, paths->paths[i], &is);
		unusable += is;
	}
	if (unusable > 0)
		worse(in, unusable < paths->n ? PF_EXIT_LOSS : PF_EXIT_UNUSABLE);
	return rc;
}

static int each(struct info *in, char **files)
{
	int rc = 0;
	for (; rc == 0 && *files && !in->stop.signal; files++) {
		struct pf_survey_paths paths;
		struct pf_err err = { 0 };
		if (pf_survey_expand(&paths, *files, &err) < 0) {
			(void)fprintf(stderr, "perfolio: %s\n", err.text);
			worse(in, PF_EXIT_UNUSABLE);
		}
		for (unsigned i = 0; i < paths.n_damage; i++) {
			pf_say(stderr, "perfolio: %s", paths.damage[i]);
			worse(in, PF_EXIT_LOSS);
		}
		rc = all_of(in, &paths);
		pf_survey_paths_done(&paths);
	}
	return rc;
}

static int info(struct info *in, const struct pf_doc_options *options, char **files)
{
	static const char *const columns[] = { "file", "host",	    "from",  "until",	  "samples", "name",
					       "type", "semantics", "units", "instances", "values",  "msg" };
	struct pf_err err = { 0 };
	int rc = pf_stop_open(&in->stop, &err);
	in->nests = options->format != PF_FORMAT_CSV;
	if (rc == 0 && options->format != PF_FORMAT_TEXT) {
		rc = pf_doc_open(&in->doc, options, STDOUT_FILENO, "info", "recordings", &err);
		if (rc == 0) {
			pf_doc_columns(in->doc, columns, sizeof(columns) / sizeof(columns[0]), false);
			rc = pf_doc_begin(in->doc);
		}
	}
	if (rc == 0)
		rc = each(in, files);
	if (in->doc) {
		int closed = pf_doc_close(in->doc);
		rc = rc < 0 ? rc : closed;
	}
	pf_buf_done(&in->out);
	int signal = in->stop.signal;
	pf_stop_close(&in->stop);
	if (rc < 0 && rc != -EPIPE) {
		(void)fprintf(stderr, "perfolio: %s\n", err.text[0] ? err.text : strerror(-rc));
		return PF_EXIT_ERROR;
	}
	return signal ? 128 + signal : in->status;
}

static int bad(const char *what)
{
	(void)fprintf(stderr, "perfolio info: %s\n", what);
	return PF_EXIT_USAGE;
}

static int run(int argc, char **argv, const char *called)
{
	(void)called;
	static const struct option longs[] = { { "metrics", no_argument, NULL, METRICS },
					       { "oformat", required_argument, NULL, OFORMAT },
					       { "help", no_argument, NULL, HELP },
					       { 0 } };
	struct info in = { .stop = { .fd = -1 } };
	struct pf_doc_options options = { 0 };
	struct pf_err err = { 0 };
	opterr = 0;
	for (int o = getopt_long(argc, argv, ":", longs, NULL); o != -1;
	     o = getopt_long(argc, argv, ":", longs, NULL)) {
		switch (o) {
		case METRICS:
			in.metrics = true;
			break;
		case OFORMAT:
			if (pf_doc_options_parse(optarg, true, &options, &err) < 0)
				return bad(err.text);
			break;
		case HELP:
			(void)fputs(usage_text, stdout);
			return PF_EXIT_OK;
		default:
			(void)pf_bad_switch(o, argv, "info", &err);
			return bad(err.text);
		}
	}
	if (optind == argc)
		return bad("which recording? see perfolio info --help");
	return info(&in, &options, argv + optind);
}

const struct pf_cmd pf_cmd_info = { "info", NULL, "tell what is in recordings", run };
