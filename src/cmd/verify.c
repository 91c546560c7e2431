/* cmd/verify.c - `perfolio verify`: are recordings whole? One line each, and what is wrong, or a document. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/escape.h"
#include "base/io.h"
#include "base/time.h"
#include "cmd/cmd.h"
#include "cmd/pmlogcheck.h"
#include "cmd/say.h"
#include "engine/stop.h"
#include "engine/verify.h"
#include "formats/text/doc.h"

static const char usage_text[] = "usage: perfolio verify [-qw] [--meta | --seal] [--oformat FORMAT] FILE...\n"
				 "\n"
				 "Check recordings: raw files, PCP archives, folios, folders of them, documents.\n"
				 "\n"
				 "  --meta            only what describes values, not the values\n"
				 "  -w, --warnings    also what is only strange: gaps, steps of the clock, counters\n"
				 "                    that go back\n"
				 "  -q, --quiet       only name what is not whole\n"
				 "  --seal            make whole what was cut or damaged, without what is lost; what\n"
				 "                    is whole stays as it is, and damaged files as NAME.orig-N\n"
				 "  --oformat FORMAT  a document: json, jsonl, xml, html, csv\n"
				 "  --help            this text\n"
				 "\n"
				 "Times are those of the recorded host. Status: 0 all is whole, 1 the output cannot\n"
				 "be written, 2 usage, 3 something is damaged, 4 something cannot be read at all.\n"
				 "With --seal: 0 all is whole now and nothing is lost, 1 it cannot be written, 3 what\n"
				 "was damaged is lost, 4 nothing is whole.\n";

enum { META = 256, SEAL, OFORMAT, HELP, FLUSH = 1 << 16 };

#define PROGRESS_NS (200 * PF_NS_PER_MS)

/* @doc: NULL for text, which is collected in @out. @told_ns: when progress was shown last; @shown: it stands on the terminal */
struct verify {
	struct pf_verify verify;
	bool quiet;
	bool warnings;
	struct pf_doc *doc;
	struct pf_buf out;
	struct pf_stop stop;
	int failed;
	int64_t told_ns;
	bool shown;
};

static void clear_progress(struct verify *v)
{
	if (v->shown)
		(void)fputs("\r\033[K", stderr);
	v->shown = false;
}

static void write_out(struct verify *v)
{
	int rc = v->out.failed;
	clear_progress(v);
	if (rc == 0 && v->failed == 0)
		rc = pf_io_write_all(STDOUT_FILENO, v->out.p, v->out.n);
	if (v->failed == 0)
		v->failed = rc;
	pf_buf_clear(&v->out);
}

static void progress(void *arg, const char *file, uint64_t done, uint64_t all)
{
	struct verify *v = arg;
	int64_t now_ns = pf_time_mono_ns();
	if (now_ns - v->told_ns < PROGRESS_NS)
		return;
	v->told_ns = now_ns;
	write_out(v);
	char text[64];
	if (all > 0)
		(void)snprintf(text, sizeof(text), "%.0f %%", (double)done * 100 / (double)all);
	else
		(void)snprintf(text, sizeof(text), "%llu samples", (unsigned long long)done);
	struct pf_buf line = { 0 };
	pf_escape_text(&line, pf_view_of(file));
	(void)fprintf(stderr, "\r%.*s: %s\033[K", (int)(line.n < 60 ? line.n : 60), line.p ? line.p : "", text);
	(void)fflush(stderr);
	pf_buf_done(&line);
	v->shown = true;
}

static void put_time(struct pf_buf *b, const struct pf_verify_summary *s, int64_t ns, bool day)
{
	struct tm tm = pf_time_utc(ns + (s->has_zone ? s->zone_ns : 0));
	char text[40];
	if (strftime(text, sizeof(text), "%F %T", &tm) > 0)
		pf_buf_fmt(b, "%s.%03d", day ? text : text + strlen("2026-11-30 "),
			   (int)(ns % PF_NS_PER_SEC / PF_NS_PER_MS));
}

/* "error: web.0: record 5 at byte 1972, after 2026-11-30 04:01:15.035: SENTENCE" */
static void text_finding(struct verify *v, const struct pf_verify_summary *s, const struct pf_finding *f)
{
	struct pf_buf *b = &v->out;
	const char *sep = "";
	pf_buf_fmt(b, "%s: ", pf_grade_name(f->grade));
	pf_escape_text(b, pf_view_of(f->file));
	pf_buf_str(b, ": ");
	size_t from = b->n;
	if (f->record != PF_FINDING_NOWHERE) {
		pf_buf_fmt(b, "record %llu", (unsigned long long)f->record);
		sep = " at ";
	}
	if (f->byte != PF_FINDING_NOWHERE) {
		pf_buf_fmt(b, "%sbyte %llu", sep, (unsigned long long)f->byte);
		sep = ", ";
	}
	if (f->from_ns > 0) {
		pf_buf_str(b, b->n > from ? ", " : "");
		put_time(b, s, f->from_ns, true);
		if (f->until_ns > 0) {
			pf_buf_str(b, " to ");
			put_time(b, s, f->until_ns, false);
		}
	}
	if (f->metric) {
		pf_buf_str(b, b->n > from ? ", " : "");
		pf_escape_text(b, pf_view_of(f->metric));
	}
	pf_buf_fmt(b, "%s%s\n", b->n > from ? ": " : "", f->text);
}

static void doc_finding(struct verify *v, const struct pf_verify_summary *s, const struct pf_finding *f)
{
	struct pf_doc *doc = v->doc;
	pf_doc_piece_begin(doc);
	pf_doc_text(doc, "recording", pf_view_of(s->file));
	pf_doc_name(doc, "severity", pf_grade_name(f->grade));
	pf_doc_name(doc, "rule", f->rule);
	pf_doc_text(doc, "file", pf_view_of(f->file));
	if (f->record != PF_FINDING_NOWHERE)
		pf_doc_uint(doc, "record", f->record);
	if (f->byte != PF_FINDING_NOWHERE)
		pf_doc_uint(doc, "byte", f->byte);
	if (f->lost > 0)
		pf_doc_uint(doc, "lost", f->lost);
	if (f->from_ns > 0)
		pf_doc_int(doc, "from", f->from_ns);
	if (f->until_ns > 0)
		pf_doc_int(doc, "until", f->until_ns);
	if (f->metric)
		pf_doc_text(doc, "metric", pf_view_of(f->metric));
	pf_doc_text(doc, "msg", pf_view_of(f->text));
	int rc = pf_doc_piece_end(doc);
	if (v->failed == 0)
		v->failed = rc;
}

static void finding(void *arg, const struct pf_verify_summary *s, const struct pf_finding *f)
{
	struct verify *v = arg;
	if (v->doc)
		doc_finding(v, s, f);
	else if (!v->quiet && (v->warnings || v->verify.seal || f->grade == PF_GRADE_ERROR))
		text_finding(v, s, f);
	if (v->out.n > FLUSH)
		write_out(v);
}

static const char *verdict_name(enum pf_verdict verdict)
{
	static const char *const names[] = {
		[PF_VERDICT_COMPLETE] = "complete",	[PF_VERDICT_SEALED] = "sealed",
		[PF_VERDICT_LOSS] = "sealed with loss", [PF_VERDICT_DAMAGED] = "damaged",
		[PF_VERDICT_UNUSABLE] = "unusable",	[PF_VERDICT_UNSEALED] = "not sealed",
	};
	return names[verdict];
}

static void put_count(struct pf_buf *b, const char **sep, uint64_t n, const char *what)
{
	if (n == 0)
		return;
	pf_buf_fmt(b, "%s%llu %s%s", *sep, (unsigned long long)n, what, n == 1 ? "" : "s");
	*sep = ", ";
}

static void text_summary(struct verify *v, const struct pf_verify_summary *s)
{
	struct pf_buf *b = &v->out;
	const char *sep = "; ";
	pf_escape_text(b, pf_view_of(s->file));
	pf_buf_fmt(b, ": %s", verdict_name(s->verdict));
	if (s->kind)
		pf_buf_fmt(b, "; %s", s->kind->title);
	if (s->version > 0)
		pf_buf_fmt(b, " version %u", s->version);
	put_count(b, &sep, s->members, "recording");
	if (s->samples > 0) {
		put_count(b, &sep, s->samples, "sample");
		if (s->from_ns > 0) {
			pf_buf_str(b, ", ");
			put_time(b, s, s->from_ns, true);
			pf_buf_str(b, " until ");
			put_time(b, s, s->until_ns, true);
		}
	}
	sep = "; ";
	for (enum pf_grade g = PF_N_GRADES; g-- > 0;)
		put_count(b, &sep, s->found[g], pf_grade_name(g));
	if (s->lost > 0)
		pf_buf_fmt(b, "; %llu bytes lost", (unsigned long long)s->lost);
	pf_buf_char(b, '\n');
}

static void doc_summary(struct verify *v, const struct pf_verify_summary *s)
{
	struct pf_doc *doc = v->doc;
	pf_doc_piece_begin(doc);
	pf_doc_text(doc, "recording", pf_view_of(s->file));
	pf_doc_name(doc, "verdict", verdict_name(s->verdict));
	pf_doc_name(doc, "kind", s->kind ? s->kind->name : "unknown");
	if (s->version > 0)
		pf_doc_uint(doc, "version", s->version);
	if (s->members > 0)
		pf_doc_uint(doc, "recordings", s->members);
	pf_doc_uint(doc, "records", s->records);
	pf_doc_uint(doc, "samples", s->samples);
	if (s->from_ns > 0) {
		pf_doc_int(doc, "from", s->from_ns);
		pf_doc_int(doc, "until", s->until_ns);
	}
	pf_doc_uint(doc, "bytes", s->bytes);
	pf_doc_uint(doc, "lost", s->lost);
	pf_doc_uint(doc, "errors", s->found[PF_GRADE_ERROR]);
	pf_doc_uint(doc, "warnings", s->found[PF_GRADE_WARNING]);
	pf_doc_uint(doc, "notes", s->found[PF_GRADE_NOTE]);
	int rc = pf_doc_piece_end(doc);
	if (rc == 0)
		rc = pf_doc_flush(doc);
	if (v->failed == 0)
		v->failed = rc;
}

static void done(void *arg, const struct pf_verify_summary *s)
{
	struct verify *v = arg;
	clear_progress(v);
	if (v->doc)
		doc_summary(v, s);
	else if (!v->quiet || s->verdict != PF_VERDICT_COMPLETE)
		text_summary(v, s);
	write_out(v);
}

static int each(struct verify *v, char **files)
{
	static const int statuses[] = {
		[PF_VERDICT_COMPLETE] = PF_EXIT_OK,	  [PF_VERDICT_SEALED] = PF_EXIT_OK,
		[PF_VERDICT_LOSS] = PF_EXIT_LOSS,	  [PF_VERDICT_DAMAGED] = PF_EXIT_LOSS,
		[PF_VERDICT_UNUSABLE] = PF_EXIT_UNUSABLE, [PF_VERDICT_UNSEALED] = PF_EXIT_ERROR,
	};
	enum pf_verdict worst = PF_VERDICT_COMPLETE;
	for (; *files && v->failed == 0 && !v->stop.signal; files++) {
		enum pf_verdict verdict = pf_verify_file(*files, &v->verify);
		if (verdict > worst)
			worst = verdict;
	}
	return statuses[worst];
}

static int open_doc(struct verify *v, const struct pf_doc_options *options, struct pf_err *err)
{
	static const char *const columns[] = { "recording", "verdict", "kind",	  "severity", "rule",
					       "file",	    "record",  "byte",	  "lost",     "from",
					       "until",	    "metric",  "samples", "msg" };
	int rc = pf_doc_open(&v->doc, options, STDOUT_FILENO, "verify", "results", err);
	if (rc < 0)
		return rc;
	pf_doc_columns(v->doc, columns, sizeof(columns) / sizeof(columns[0]), false);
	pf_doc_uint(v->doc, "format-version", 1);
	return pf_doc_begin(v->doc);
}

static int verify(struct verify *v, const struct pf_doc_options *options, char **files)
{
	struct pf_err err = { 0 };
	int status = PF_EXIT_OK;
	int rc = pf_stop_open(&v->stop, &err);
	if (rc == 0 && options->format != PF_FORMAT_TEXT)
		rc = open_doc(v, options, &err);
	v->verify.stop = &v->stop;
	v->verify.arg = v;
	if (isatty(STDERR_FILENO))
		v->verify.progress = progress;
	if (rc == 0) {
		status = each(v, files);
		rc = v->failed;
	}
	if (v->doc) {
		int closed = pf_doc_close(v->doc);
		rc = rc < 0 ? rc : closed;
	}
	clear_progress(v);
	pf_buf_done(&v->out);
	int signal = v->stop.signal;
	pf_stop_close(&v->stop);
	if (rc < 0 && rc != -EPIPE) {
		pf_say(stderr, "perfolio: %s", err.text[0] ? err.text : strerror(-rc));
		return PF_EXIT_ERROR;
	}
	return signal ? 128 + signal : status;
}

static int bad(const char *what)
{
	pf_say(stderr, "perfolio verify: %s", what);
	return PF_EXIT_USAGE;
}

static int run(int argc, char **argv, const char *called)
{
	if (called)
		return pf_pmlogcheck(argc, argv);
	static const struct option longs[] = { { "meta", no_argument, NULL, META },
					       { "seal", no_argument, NULL, SEAL },
					       { "warnings", no_argument, NULL, 'w' },
					       { "quiet", no_argument, NULL, 'q' },
					       { "oformat", required_argument, NULL, OFORMAT },
					       { "help", no_argument, NULL, HELP },
					       { 0 } };
	struct verify v = { .verify = { .finding = finding, .done = done }, .stop = { .fd = -1 } };
	struct pf_doc_options options = { 0 };
	struct pf_err err = { 0 };
	opterr = 0;
	for (int o = getopt_long(argc, argv, ":qw", longs, NULL); o != -1;
	     o = getopt_long(argc, argv, ":qw", longs, NULL)) {
		switch (o) {
		case META:
			v.verify.meta_only = true;
			break;
		case SEAL:
			v.verify.seal = true;
			break;
		case 'w':
			v.warnings = true;
			break;
		case 'q':
			v.quiet = true;
			break;
		case OFORMAT:
			if (pf_doc_options_parse(optarg, true, &options, &err) < 0)
				return bad(err.text);
			break;
		case HELP:
			(void)fputs(usage_text, stdout);
			return PF_EXIT_OK;
		default:
			(void)pf_bad_switch(o, argv, "verify", &err);
			return bad(err.text);
		}
	}
	if (v.verify.seal && v.verify.meta_only)
		return bad("--seal looks at values, too; leave out --meta");
	if (optind == argc)
		return bad("which recording? see perfolio verify --help");
	return verify(&v, &options, argv + optind);
}

const struct pf_cmd pf_cmd_verify = { "verify", "pmlogcheck", "check whether recordings are whole", run };
