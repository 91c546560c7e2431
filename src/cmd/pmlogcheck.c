/* cmd/pmlogcheck.c - `pmlogcheck` by name: the switches, texts and statuses of PCP 6.0.3's, as it is seen to work, over our own check. What it does
 * not look at stays unsaid here; `perfolio verify` says it. */
#include "cmd/pmlogcheck.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/time.h"
#include "cmd/pmlogcheck_text.h"
#include "engine/stop.h"
#include "formats/pcp/names.h"

static const char usage_text[] = "Usage: pmlogcheck [options] archive\n"
				 "\n"
				 "Options:\n"
				 "  -l, --label           print the archive label\n"
				 "  -m, --metadataonly    skip checking log data volumes\n"
				 "  -n FILE, --namespace=FILE\n"
				 "                        use an alternative PMNS\n"
				 "  -S TIME, --start=TIME start of the time window\n"
				 "  -T TIME, --finish=TIME\n"
				 "                        end of the time window\n"
				 "  -v, --verbose         verbose output\n"
				 "  -w, --nowrap          suppress counter wrap warnings\n"
				 "  -Z TZ, --timezone=TZ  set reporting timezone\n"
				 "  -z, --hostzone        set reporting timezone to local time of metrics source\n"
				 "  -?, --help            show this usage message and exit\n";

/* @at_start: "FILE: start pass0 ... " stands without a newline; @result: of the check that runs */
struct check {
	const char *archive;
	const char *zone;
	const char *start;
	const char *finish;
	const char *names;
	bool host_zone;
	bool label;
	bool verbose;
	bool no_wrap;
	bool at_start;
	struct pf_stop stop;
	struct pf_pcp_check_options options;
	struct pf_pcp_check_result result;
	struct pf_peer_text text;
};

static int usage(void)
{
	(void)fputs(usage_text, stderr);
	return 1;
}

static void finding(void *arg, const struct pf_finding *f)
{
	struct check *c = arg;
	struct pf_buf b = { 0 };
	if (c->no_wrap && strncmp(f->rule, "wrap-", 5) == 0)
		return;
	pf_peer_finding(&b, &c->text, f);
	if (b.n > 0 && c->at_start && strncmp(f->rule, "label-magic", 11) != 0)
		(void)fputc('\n', stderr);
	if (b.n > 0)
		c->at_start = false;
	(void)fwrite(b.p ? b.p : "", 1, b.n, stderr);
	pf_buf_done(&b);
}

static void set_zone(const char *zone)
{
	(void)setenv("TZ", zone, 1);
	tzset();
}

static void print_label(const struct check *c)
{
	char from[64];
	char until[64];
	const struct pf_pcp_label *l = &c->result.label;
	pf_peer_time(from, sizeof(from), l->start_ns, true);
	pf_peer_time(until, sizeof(until), c->result.end_ns, true);
	(void)fprintf(
		stderr,
		"Log Label (Log Format Version %u)\nPerformance metrics from host %s\n  commencing %s\n  ending     %s\n",
		l->version, l->host, from, until);
}

/* The archive is open: its zone holds, and its times. */
static void opened(struct check *c)
{
	const struct pf_pcp_label *l = &c->result.label;
	if (c->host_zone) {
		set_zone(l->zone);
		(void)printf("Note: timezone set to local timezone of host \"%s\" from archive\n\n", l->host);
	} else if (c->zone) {
		set_zone(c->zone);
		(void)printf("Note: timezone set to \"TZ=%s\"\n\n", c->zone);
	}
	(void)fflush(stdout);
	c->options.until_ns = c->result.end_ns;
	if (c->start)
		(void)pf_peer_window(c->start, l->start_ns, c->result.end_ns, &c->options.from_ns);
	int64_t from_ns = c->options.from_ns > 0 ? c->options.from_ns : l->start_ns;
	if (c->finish)
		(void)pf_peer_window(c->finish, from_ns, c->result.end_ns, &c->options.until_ns);
	c->text.days = c->options.until_ns - from_ns > 24 * 3600 * PF_NS_PER_SEC;
	if (c->label)
		print_label(c);
}

static void pass(void *arg, int number, const char *file, int64_t records)
{
	struct check *c = arg;
	if (number == 1)
		opened(c);
	if (!c->verbose)
		return;
	if (number > 0) {
		(void)fprintf(stderr, "%s: start pass%d%s\n", file, number,
			      number == 1 ? " (check temporal index)" : "");
	} else if (records < 0) {
		(void)fprintf(stderr, "%s: start pass0 ... ", file);
		c->at_start = true;
	} else {
		(void)fprintf(stderr, "found %lld records\n", (long long)records);
		c->at_start = false;
	}
}

static bool step(void *arg, const char *file, uint64_t done, uint64_t all)
{
	struct check *c = arg;
	(void)file;
	(void)done;
	(void)all;
	return pf_stop_glance(&c->stop);
}

/* What it finds out before it looks into anything. Return: the base name to go on with, NULL: it is over. */
static char *find_files(const struct check *c)
{
	char *base = pf_pcp_names_base(c->archive);
	struct pf_err err = { 0 };
	unsigned *volumes = NULL;
	unsigned n = 0;
	if (c->verbose)
		(void)fprintf(stderr, "Scanning for components of archive \"%s\"\n", c->archive);
	bool any = base && pf_pcp_names_volumes(base, &volumes, &n, &err) == 0;
	free(volumes);
	bool meta = any && pf_pcp_names_is_there(base, "meta");
	const char *folder = base && strchr(base, '/') ? "" : "./";
	if (!any || (n == 0 && !meta && !pf_pcp_names_is_there(base, "index")))
		(void)fprintf(stderr, "pmlogcheck: no PCP archive files match \"%s\"\n", c->archive);
	else if (!meta)
		(void)fprintf(stderr, "%s%s.meta: missing metadata file\n", folder, base);
	if (any && n == 0 && (meta || pf_pcp_names_is_there(base, "index")))
		(void)fprintf(stderr, "%s%s.0 (or similar): missing log file \n", folder, base);
	if (meta && n > 0)
		return base;
	free(base);
	return NULL;
}

static int report(const struct check *c)
{
	switch (c->result.end) {
	case PF_PCP_CHECK_FRAMES:
		if (c->verbose)
			(void)fputs("Due to earlier errors, cannot continue ... bye\n", stderr);
		return 1;
	case PF_PCP_CHECK_OPEN:
		return 1;
	case PF_PCP_CHECK_VALUE:
		(void)fputs("pmlogcheck: possibly corrupt archive?\n", stderr);
		return 1;
	case PF_PCP_CHECK_DONE:
		break;
	}
	uint64_t results = c->result.results + c->result.marks;
	if (c->verbose && results > 0)
		(void)fprintf(stderr, "Processed %llu pmResult records\n", (unsigned long long)results);
	if (c->verbose && c->result.marks > 0)
		(void)fprintf(stderr, "Processed %llu <mark> records\n", (unsigned long long)c->result.marks);
	return 0;
}

static int check(struct check *c)
{
	struct pf_err err = { 0 };
	char *base = find_files(c);
	if (!base)
		return 1;
	struct pf_findings to = { finding, c };
	c->options.peer = true;
	c->options.pass = pass;
	c->options.step = step;
	c->options.arg = c;
	c->text.base = base;
	int rc = pf_stop_open(&c->stop, &err);
	if (rc == 0)
		rc = pf_pcp_check(base, &c->options, &to, &c->result, &err);
	int signal = c->stop.signal;
	pf_stop_close(&c->stop);
	free(base);
	if (rc < 0) {
		(void)fprintf(stderr, "pmlogcheck: %s\n", err.text);
		return 1;
	}
	return signal ? 128 + signal : report(c);
}

/* -S and -T are looked at before the archive is. */
static bool windows_make_sense(const struct check *c)
{
	const char *const windows[] = { c->start, c->finish };
	int64_t ignored;
	for (unsigned i = 0; i < 2; i++) {
		if (!windows[i] || pf_peer_window(windows[i], 0, 0, &ignored) == 0)
			continue;
		const char *what = windows[i] + (windows[i][0] == '@');
		(void)fprintf(stderr, "pmlogcheck: invalid time window.\n%s\n^ -- unexpected value\n\n", what);
		return false;
	}
	return true;
}

/* Names are the archive's own; that file must only be there. */
static bool has_names(const struct check *c)
{
	if (!c->names || access(c->names, R_OK) == 0)
		return true;
	int rc = errno;
	(void)fprintf(
		stderr,
		"Error Parsing ASCII PMNS: Cannot open \"%s\"\npmlogcheck: Cannot load namespace from \"%s\": %s\n",
		c->names, c->names, strerror(rc));
	return false;
}

/* Return: 0, or -EINVAL for a switch that is none. */
static int take(struct check *c, int option, char *value)
{
	switch (option) {
	case 'l':
		c->label = true;
		return 0;
	case 'm':
		c->options.meta_only = true;
		return 0;
	case 'n':
		c->names = value;
		return 0;
	case 'D':
		return 0;
	case 'S':
		c->start = value;
		return 0;
	case 'T':
		c->finish = value;
		return 0;
	case 'v':
		c->verbose = true;
		return 0;
	case 'w':
		c->no_wrap = true;
		return 0;
	case 'z':
		c->host_zone = true;
		return 0;
	case 'Z':
		c->zone = value;
		return 0;
	default:
		return -EINVAL;
	}
}

int pf_pmlogcheck(int argc, char **argv)
{
	static const struct option longs[] = { { "label", no_argument, NULL, 'l' },
					       { "metadataonly", no_argument, NULL, 'm' },
					       { "namespace", required_argument, NULL, 'n' },
					       { "start", required_argument, NULL, 'S' },
					       { "finish", required_argument, NULL, 'T' },
					       { "verbose", no_argument, NULL, 'v' },
					       { "nowrap", no_argument, NULL, 'w' },
					       { "timezone", required_argument, NULL, 'Z' },
					       { "hostzone", no_argument, NULL, 'z' },
					       { "debug", required_argument, NULL, 'D' },
					       { "help", no_argument, NULL, '?' },
					       { 0 } };
	struct check c = { .stop = { .fd = -1 } };
	char name[] = "pmlogcheck";
	argv[0] = name; /* whatever path it was called by, getopt(3) says this */
	for (int o = getopt_long(argc, argv, "D:lmn:S:T:zvwZ:?", longs, NULL); o != -1;
	     o = getopt_long(argc, argv, "D:lmn:S:T:zvwZ:?", longs, NULL)) {
		if (take(&c, o, optarg) < 0)
			return usage();
	}
	if (c.zone && c.host_zone) {
		(void)fputs("pmlogcheck: at most one of -Z and -z allowed\n", stderr);
		return usage();
	}
	if (optind == argc) {
		(void)fputs("Error: no archive specified\n\n", stderr);
		return usage();
	}
	c.archive = argv[optind];
	return has_names(&c) && windows_make_sense(&c) ? check(&c) : 1;
}
