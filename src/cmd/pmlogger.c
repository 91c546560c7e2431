/* cmd/pmlogger.c - `pmlogger` by name: the switches of PCP 6.0.3's over our logger. What differs is in docs/compat.md. */
#include "cmd/pmlogger.h"

#include <errno.h>
#include <getopt.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/duration.h"
#include "base/err.h"
#include "base/time.h"
#include "base/view.h"
#include "cmd/pcpconf.h"
#include "engine/stop.h"

static const char usage_text[] =
	"Usage: pmlogger [options] archive\n"
	"\n"
	"Options:\n"
	"  -c FILE, --config=FILE\n"
	"                        what is to be logged; standard input if not given\n"
	"  -C, --check           only look at the configuration\n"
	"  -D SPEC, --debug=SPEC accepted; there is nothing to show\n"
	"  -h HOST, --host=HOST  log what the PMCD on HOST has; self: is this host without one\n"
	"  -H LABELHOST, --labelhost=LABELHOST\n"
	"                        host name in the label of the archive\n"
	"  -I VERSION, --pmlc-ipc-version=VERSION\n"
	"                        accepted; pmlc is not served\n"
	"  -l FILE, --log=FILE   messages go there, - is standard output; pmlogger.log if not given\n"
	"  -L, --linger          run even if there is nothing to log\n"
	"  -m MSG, --note=MSG    accepted; there is no port map file\n"
	"  -K SPEC, --spec-local=SPEC\n"
	"                        accepted; agents are not loaded\n"
	"  -o, --local-PMDA      refused: -h self: logs without a PMCD\n"
	"  -n FILE, --namespace=FILE\n"
	"                        refused: names are the PMCD's\n"
	"  -N, --notify          tell systemd when logging has begun\n"
	"  -p PID, --PID=PID     end with that process\n"
	"  -P, --primary         as the primary logger: run even if there is nothing to log\n"
	"  -r, --report          tell how large records are\n"
	"  -s SIZE, --size=SIZE  end after so many records, bytes (10mb) or so much time (2hours)\n"
	"  -t DELTA, --interval=DELTA\n"
	"                        default logging interval [default 60.0 seconds]\n"
	"  -T TIME, --finish=TIME\n"
	"                        end at that time\n"
	"  -u                    accepted; output is never buffered\n"
	"  -U USER, --username=USER\n"
	"                        run as that user\n"
	"  -v SIZE, --volsize=SIZE\n"
	"                        begin a new volume after so many records, bytes or so much time\n"
	"  -V NUM, --version=NUM version of the archive, 2 or 3\n"
	"  -x FD                 control channel of pmRecordControl(3)\n"
	"  -y                    times of -T are in the local time zone, not in the PMCD's\n"
	"  -?, --help            show this usage message and exit\n";

static int usage(void)
{
	(void)fputs(usage_text, stderr);
	return 1;
}

/* A sentence about a switch, then how it is used. */
static int __attribute__((format(printf, 1, 2))) refuse(const char *form, ...)
{
	va_list args;
	(void)fputs("pmlogger: ", stderr);
	va_start(args, form);
	(void)vfprintf(stderr, form, args);
	va_end(args);
	(void)fputc('\n', stderr);
	return usage();
}

static int take_size(const char *text, const char *what, struct pf_volume_options *ret)
{
	struct pf_err err = { 0 };
	if (pf_volume_options_parse(text, ret, &err) == 0)
		return 0;
	(void)fprintf(stderr, "pmlogger: illegal size argument '%s' for %s\n", text, what);
	return usage();
}

static int take_end(struct pf_pmlogger *p, const char *text)
{
	struct pf_volume_options limit = { 0 };
	int rc = take_size(text, "exit size", &limit);
	p->spec.max_records = limit.samples;
	p->spec.max_bytes = limit.bytes;
	p->spec.max_ns = limit.ns;
	return rc;
}

static int take_volume(struct pf_pmlogger *p, const char *text)
{
	struct pf_volume_options limit = { 0 };
	int rc = take_size(text, "volume size", &limit);
	p->spec.volumes.samples = limit.samples;
	p->spec.volumes.bytes = limit.bytes;
	p->spec.volumes.ns = limit.ns;
	return rc;
}

static int take_interval(struct pf_pmlogger *p, const char *text)
{
	int64_t ns;
	if (pf_duration_parse(pf_view_of(text), &ns) == 0 && ns > 0) {
		p->spec.interval_ns = ns;
		return 0;
	}
	(void)fprintf(stderr, "pmlogger: illegal -t argument\n%s\n^ -- unexpected value\n", text);
	return usage();
}

static int take_process(struct pf_pmlogger *p, const char *text)
{
	int64_t pid;
	if (pf_view_i64(pf_view_of(text), &pid) < 0 || pid <= 0 || pid > INT32_MAX)
		return refuse("invalid process identifier (%s)", text);
	p->spec.with_pid_fd = (int)syscall(SYS_pidfd_open, (pid_t)pid, 0);
	return p->spec.with_pid_fd >= 0 ? 0 : refuse("PID error - no such process (%s)", text);
}

static int take_number(const char *text, int64_t least, int64_t most, int64_t *ret)
{
	return pf_view_i64(pf_view_of(text), ret) == 0 && *ret >= least && *ret <= most ? 0 : -EINVAL;
}

static int take_version(struct pf_pmlogger *p, const char *text)
{
	int64_t v;
	if (take_number(text, 2, 3, &v) < 0)
		return refuse("-V requires a version number of 2 or 3");
	p->spec.archive_version = (unsigned)v;
	return 0;
}

static int take_channel(struct pf_pmlogger *p, const char *text)
{
	int64_t fd;
	if (take_number(text, 0, 1 << 20, &fd) < 0)
		return refuse("-x requires a non-negative numeric argument");
	p->spec.control_fd = (int)fd;
	return 0;
}

static int take_agent(const char *text)
{
	bool known = strncmp(text, "add,", 4) == 0 || strncmp(text, "del,", 4) == 0 || strcmp(text, "clear") == 0;
	return known ? 0 : refuse("pmSpecLocalPMDA failed: bad op in spec");
}

/* What has no value. */
static int take_flag(struct pf_pmlogger *p, int option)
{
	switch (option) {
	case 'C':
		p->spec.check = true;
		return 0;
	case 'L':
		p->spec.linger = true;
		return 0;
	case 'N':
		p->notify = true;
		return 0;
	case 'P':
		p->primary = p->spec.linger = true;
		return 0;
	case 'r':
		p->report = true;
		return 0;
	case 'u':
		return 0;
	case 'y':
		p->local = true;
		return 0;
	case 'o':
		return refuse("-o: agents are not loaded here; -h self: logs this host without a PMCD");
	default:
		return usage();
	}
}

/* Return: 0, or the status to end with. */
static int take(struct pf_pmlogger *p, int option, const char *value)
{
	int64_t ignored;
	switch (option) {
	case 'c':
		p->config = value;
		return 0;
	case 'h':
		p->host = value;
		return 0;
	case 'H':
		p->spec.label_host = value;
		return 0;
	case 'I':
		return take_number(value, 2, 3, &ignored) == 0 ? 0 : refuse("unsupported pmlc IPC version (%s)", value);
	case 'l':
		p->log = value;
		return 0;
	case 'K':
		return take_agent(value);
	case 'm':
	case 'D':
		return 0;
	case 'n':
		p->names = value;
		return 0;
	case 'p':
		return take_process(p, value);
	case 's':
		return take_end(p, value);
	case 't':
		return take_interval(p, value);
	case 'T':
		p->until = value;
		return 0;
	case 'U':
		p->user = value;
		return 0;
	case 'v':
		return take_volume(p, value);
	case 'V':
		return take_version(p, value);
	case 'x':
		return take_channel(p, value);
	default:
		return take_flag(p, option);
	}
}

static int become(const char *user)
{
	char text[512];
	const struct passwd *pw = user ? getpwnam(user) : NULL;
	if (!user || (pw && pw->pw_uid == geteuid()))
		return 0;
	if (!pw)
		(void)snprintf(text, sizeof(text), "cannot find the %s user to switch to", user);
	else if (initgroups(user, pw->pw_gid) == 0 && setgid(pw->pw_gid) == 0 && setuid(pw->pw_uid) == 0)
		return 0;
	else
		(void)snprintf(text, sizeof(text), "cannot switch to the %s user: %s", user, strerror(errno));
	pf_pmlogger_log_info("Critical", text);
	return 1;
}

static void tell_notice(void *arg, enum pf_severity severity, const char *text)
{
	(void)arg;
	pf_pmlogger_log_info(severity == PF_WARNING ? "Warning" : "Info", text);
}

static int run(struct pf_pmlogger *p)
{
	static const struct pf_notice notice = { .tell = tell_notice };
	struct pf_logconfig config;
	struct pf_logger_watch watch = { 0 };
	struct pf_logger_end end = { 0 };
	struct pf_stop signals;
	struct pf_err err = { 0 };
	int rc = pf_logconfig_open(&config, p->config, &err);
	if (rc < 0) {
		(void)fprintf(stderr, "pmlogger: Cannot open config file \"%s\": %s\n",
			      p->config ? p->config : "<stdin>", err.text);
		pf_logconfig_done(&config);
		return 1;
	}
	pf_pmlogger_log_watch(p, &watch);
	p->spec.config = &config;
	p->spec.watch = &watch;
	p->spec.notice = &notice;
	p->spec.signals = &signals;
	p->spec.hup_volume = true;
	rc = pf_stop_open(&signals, &err);
	if (rc == 0) {
		pf_logger_signals(&signals);
		pf_stop_also(&signals, SIGUSR1);
	}
	if (rc == 0)
		rc = pf_logger_run(&p->spec, &end, &err);
	pf_pmlogger_log_end(p, &end, rc, err.text);
	pf_stop_close(&signals);
	pf_logconfig_done(&config);
	return rc < 0 && rc != -ESTALE ? 1 : 0; /* pmlogger does not look for its files */
}

/* Names come from the PMCD; a file of others cannot take their place. */
static int check_names(const struct pf_pmlogger *p)
{
	if (!p->names)
		return 0;
	if (access(p->names, R_OK) == 0)
		(void)fputs("pmlogger: -n: names are the PMCD's; leave out -n\n", stderr);
	else
		(void)fprintf(stderr,
			      "Error Parsing ASCII PMNS: Cannot open \"%s\"\npmlogger: Cannot load namespace from "
			      "\"%s\": %s\n",
			      p->names, p->names, strerror(errno));
	return 1;
}

/* What is not said in switches. */
static void set_defaults(struct pf_pmlogger *p)
{
	char version[PATH_MAX];
	int64_t ns;
	const char *interval = getenv("PMLOGGER_INTERVAL");
	p->spec.interval_ns = 60 * PF_NS_PER_SEC;
	if (interval && pf_duration_parse(pf_view_of(interval), &ns) == 0 && ns > 0)
		p->spec.interval_ns = ns;
	p->spec.archive_version = strcmp(pf_pcp_conf("PCP_ARCHIVE_VERSION", "2", version), "3") == 0 ? 3 : 2;
	p->spec.count = -1;
	p->spec.control_fd = -1;
	p->spec.with_pid_fd = -1;
	p->spec.brackets = true;
}

static int take_all(struct pf_pmlogger *p, int argc, char **argv)
{
	static const struct option longs[] = { { "config", required_argument, NULL, 'c' },
					       { "check", no_argument, NULL, 'C' },
					       { "debug", required_argument, NULL, 'D' },
					       { "host", required_argument, NULL, 'h' },
					       { "labelhost", required_argument, NULL, 'H' },
					       { "pmlc-ipc-version", required_argument, NULL, 'I' },
					       { "log", required_argument, NULL, 'l' },
					       { "linger", no_argument, NULL, 'L' },
					       { "note", required_argument, NULL, 'm' },
					       { "spec-local", required_argument, NULL, 'K' },
					       { "local-PMDA", no_argument, NULL, 'o' },
					       { "namespace", required_argument, NULL, 'n' },
					       { "notify", no_argument, NULL, 'N' },
					       { "PID", required_argument, NULL, 'p' },
					       { "primary", no_argument, NULL, 'P' },
					       { "report", no_argument, NULL, 'r' },
					       { "size", required_argument, NULL, 's' },
					       { "interval", required_argument, NULL, 't' },
					       { "finish", required_argument, NULL, 'T' },
					       { "username", required_argument, NULL, 'U' },
					       { "volsize", required_argument, NULL, 'v' },
					       { "version", required_argument, NULL, 'V' },
					       { "help", no_argument, NULL, '?' },
					       { 0 } };
	static const char shorts[] = "c:CD:h:H:I:l:K:Lm:Nn:op:Prs:T:t:uU:v:V:x:y?";
	for (int o = getopt_long(argc, argv, shorts, longs, NULL); o != -1;
	     o = getopt_long(argc, argv, shorts, longs, NULL)) {
		int status = take(p, o, optarg);
		if (status > 0)
			return status;
	}
	if (p->primary && p->host)
		return refuse("-P and -h are mutually exclusive; use -P only when running\n"
			      "pmlogger on the same (local) host as the PMCD to which it connects.");
	int n = argc - optind;
	if (n > 1 || (n == 1 && p->spec.check))
		return refuse("too many arguments");
	if (n == 0 && !p->spec.check)
		return refuse("insufficient arguments");
	p->spec.path = n > 0 ? argv[optind] : "";
	p->spec.host = p->host ? p->host : "local:";
	return 0;
}

int pf_pmlogger(int argc, char **argv)
{
	struct pf_pmlogger p = { 0 };
	char name[] = "pmlogger";
	argv[0] = name; /* whatever path it was called by, getopt(3) says this */
	set_defaults(&p);
	int status = take_all(&p, argc, argv);
	if (status == 0)
		status = become(p.user);
	if (status > 0) {
		pf_closep(&p.spec.with_pid_fd);
		return status;
	}
	pf_pmlogger_log_open(&p);
	status = check_names(&p);
	if (status == 0)
		status = run(&p);
	pf_pmlogger_log_close(&p);
	pf_closep(&p.spec.with_pid_fd);
	return status;
}
