/* cmd/doctor.c - `perfolio doctor`: what works on this host, and how to get the rest. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/view.h"
#include "cmd/cmd.h"
#include "cmd/say.h"
#include "formats/text/doc.h"
#ifdef PF_HAVE_TRACE
#include "trace/facilities.h"
#endif

static const char usage_text[] = "usage: perfolio doctor [--oformat FORMAT]\n"
				 "\n"
				 "Try what sampling, recording and tracing need of this host; tell what is\n"
				 "missing and how to get it.\n"
				 "\n"
				 "  --oformat FORMAT  a document: json, jsonl, xml, html, csv\n"
				 "  --help            this text\n"
				 "\n"
				 "Status: 0 all works, 1 something is missing, 2 usage.\n";

enum { OFORMAT = 256, HELP };

/* Where rows go. @doc: NULL: a table. */
struct report {
	const char *area;
	struct pf_doc *doc;
	bool missing;
};

static void row(void *arg, const char *name, bool works, const char *detail, const char *advice)
{
	struct report *r = arg;
	r->missing |= !works;
	if (!r->doc) {
		(void)printf("%-8s %-16s %-7s %s\n", r->area, name, works ? "works" : "missing", detail);
		if (*advice)
			(void)printf("%34s%s\n", "-> ", advice);
		return;
	}
	pf_doc_piece_begin(r->doc);
	pf_doc_name(r->doc, "area", r->area);
	pf_doc_name(r->doc, "name", name);
	pf_doc_bool(r->doc, "works", works);
	pf_doc_text(r->doc, "detail", pf_view_of(detail));
	if (*advice)
		pf_doc_text(r->doc, "advice", pf_view_of(advice));
	(void)pf_doc_piece_end(r->doc); /* the document keeps its first error for the end */
}

/* look_at_files() - what the recorder reads. */
static void look_at_files(struct report *r)
{
	static const struct {
		const char *name, *path, *works, *missing, *advice;
	} rows[] = {
		{ "processors", "/proc/stat", "can be read", "/proc/stat cannot be read", "mount /proc" },
		{ "disks", "/proc/diskstats", "can be read", "/proc/diskstats cannot be read",
		  "a container may hide it; run on the host" },
		{ "networks", "/proc/net/dev", "can be read", "/proc/net/dev cannot be read", "mount /proc" },
		{ "pressure", "/proc/pressure/cpu", "can be read", "/proc/pressure cannot be read",
		  "a kernel built with CONFIG_PSI, booted with psi=1" },
		{ "slabs", "/proc/slabinfo", "can be read", "/proc/slabinfo may not be read", "run as root" },
		{ "process I/O", "/proc/1/io", "of all processes", "only of processes of this user",
		  "run as root, or grant CAP_SYS_PTRACE" },
	};
	for (size_t i = 0; i < PF_N(rows); i++) {
		pf_autoclose int fd = open(rows[i].path, O_RDONLY | O_CLOEXEC);
		char byte;
		bool works = fd >= 0 && read(fd, &byte, 1) == 1;
		row(r, rows[i].name, works, works ? rows[i].works : rows[i].missing, works ? "" : rows[i].advice);
	}
}

static void look_at_limits(struct report *r)
{
	enum { ENOUGH = 4096 };
	struct rlimit limit = { 0 };
	char text[64];
	bool works = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_max >= ENOUGH;
	(void)snprintf(text, sizeof(text), "up to %llu open files",
		       (unsigned long long)limit.rlim_max); /* always fits */
	row(r, "open files", works, text,
	    works ? "" : "ulimit -Hn 4096 or more: with many processes their files are opened anew each time");
}

static void look(struct report *r)
{
	r->area = "sampling";
	look_at_files(r);
	look_at_limits(r);
	r->area = "tracing";
#ifdef PF_HAVE_TRACE
	pf_trace_facilities(row, r);
#else
	row(r, "tracing", false, "this perfolio was built without", "build it with libbpf and libelf");
#endif
}

static int report(const struct pf_doc_options *options)
{
	static const char *const columns[] = { "area", "name", "works", "detail", "advice" };
	struct report r = { 0 };
	struct pf_err err = { 0 };
	int rc = 0;
	if (options) {
		rc = pf_doc_open(&r.doc, options, STDOUT_FILENO, "perfolio", "facilities", &err);
		if (rc < 0) {
			pf_say(stderr, "perfolio doctor: %s", err.text);
			return PF_EXIT_ERROR;
		}
		pf_doc_columns(r.doc, columns, PF_N(columns), true);
		(void)pf_doc_begin(r.doc);
	}
	look(&r);
	if (r.doc)
		rc = pf_doc_close(r.doc);
	else if (fflush(stdout) != 0)
		rc = -errno;
	if (rc < 0 && rc != -EPIPE) {
		pf_say(stderr, "perfolio doctor: writing the output failed: %s", strerror(-rc));
		return PF_EXIT_ERROR;
	}
	return r.missing ? PF_EXIT_ERROR : PF_EXIT_OK;
}

static int bad(const char *text)
{
	pf_say(stderr, "perfolio doctor: %s", text);
	return PF_EXIT_USAGE;
}

static int run(int argc, char **argv, const char *called)
{
	static const struct option longs[] = { { "oformat", required_argument, NULL, OFORMAT },
					       { "help", no_argument, NULL, HELP },
					       { 0 } };
	struct pf_doc_options options = { 0 };
	struct pf_err err = { 0 };
	(void)called;
	opterr = 0;
	for (int o; (o = getopt_long(argc, argv, ":", longs, NULL)) != -1;) {
		switch (o) {
		case OFORMAT:
			if (pf_doc_options_parse(optarg, true, &options, &err) < 0)
				return bad(err.text);
			break;
		case HELP:
			(void)fputs(usage_text, stdout);
			return PF_EXIT_OK;
		default:
			(void)pf_bad_switch(o, argv, "doctor", &err);
			return bad(err.text);
		}
	}
	if (optind < argc)
		return bad("takes no arguments");
	return report(options.format == PF_FORMAT_TEXT ? NULL : &options);
}

const struct pf_cmd pf_cmd_doctor = { "doctor", NULL, "tell what works on this host, and how to get the rest", run };
