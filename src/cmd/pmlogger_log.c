/* cmd/pmlogger_log.c - what pmlogger 6.0.3 writes into its log, as it is seen to. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/time.h"
#include "cmd/pcpconf.h"
#include "cmd/pmlogcheck_text.h"
#include "cmd/pmlogger.h"
#include "formats/pcp/error.h"
#include "formats/pcp/logconfig.h"
#include "formats/pcp/names.h"
#include "record/tasks.h"
#include "sinks/volumes.h"
#include "sources/source.h"

/* "Mon Nov 30 03:59:36 2026", or without the year. */
static const char *now_text(char text[32], bool year)
{
	struct tm tm = pf_time_local(pf_time_wall_ns());
	(void)strftime(text, 32, year ? "%a %b %e %H:%M:%S %Y" : "%a %b %e %H:%M:%S", &tm);
	return text;
}

void pf_pmlogger_log_info(const char *severity, const char *text)
{
	char now[32];
	(void)fprintf(stderr, "[%s] pmlogger(%ld) %s: %s\n", now_text(now, false), (long)getpid(), severity, text);
}

/* Standard output and error go there; what is no plain file is not emptied. */
static int redirect(const char *name)
{
	struct stat st;
	int plain = stat(name, &st) < 0 || S_ISREG(st.st_mode) ? O_TRUNC : 0;
	pf_autoclose int fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC | O_APPEND | plain, 0666);
	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0 || dup2(fd, STDERR_FILENO) < 0)
		return -errno;
	return 0;
}

void pf_pmlogger_log_open(struct pf_pmlogger *p)
{
	char host[257] = "";
	char now[32];
	const char *name = p->log ? p->log : "pmlogger.log";
	int rc = 0;
	if (!p->spec.check && strcmp(name, "-") == 0)
		rc = dup2(STDOUT_FILENO, STDERR_FILENO) < 0 ? -errno : 0;
	else if (!p->spec.check)
		rc = redirect(name);
	if (rc < 0)
		(void)fprintf(stderr, "pmlogger: cannot open log \"%s\" for writing : %s\n", name, strerror(-rc));
	p->logged = !p->spec.check;
	if (gethostname(host, sizeof(host) - 1) < 0)
		host[0] = '\0';
	if (p->logged)
		(void)fprintf(stderr, "Log for pmlogger on %s started %s\n\n", host, now_text(now, true));
	if (rc < 0)
		(void)fprintf(stderr, "pmlogger: Warning: log file (%s) creation failed\n", name);
	pf_pmlogger_log_info("Info", "Start");
}

void pf_pmlogger_log_close(const struct pf_pmlogger *p)
{
	char now[32];
	if (p->logged)
		(void)fprintf(stderr, "\nLog finished %s\n", now_text(now, true));
}

static void tell_preproc(const struct pf_preproc_error *e)
{
	if (!e->what)
		return;
	if (e->at.line == 0)
		(void)fprintf(stderr, "pmcpp: %s:\npmcpp: Error: %s at line %u\n", e->at.file, e->what, e->opened);
	else
		(void)fprintf(stderr, "pmcpp: %s[%u]: %s\npmcpp: Error: %s\n", e->at.file, e->at.line, e->directive,
			      e->what);
}

static void tell_config(const struct pf_pmlogger *p, const struct pf_logconfig *c)
{
	char programs[PATH_MAX];
	char files[PATH_MAX];
	(void)fprintf(stderr, "preprocessor cmd: %s/pmcpp -rs -I %s/config/pmlogger%s%s\n",
		      pf_pcp_conf("PCP_BINADM_DIR", "/usr/lib/pcp/bin", programs),
		      pf_pcp_conf("PCP_VAR_DIR", "/var/lib/pcp", files), p->config ? " " : "",
		      p->config ? p->config : "");
	tell_preproc(&c->preproc);
}

static void opened(void *arg)
{
	const struct pf_pmlogger *p = arg;
	tell_config(p, p->spec.config);
}

/* The zone of the host holds for the times of -T. */
static int until(void *arg, const struct pf_source_info *info, int64_t *ret_until_ns, struct pf_err *err)
{
	const struct pf_pmlogger *p = arg;
	pf_autofree char *before = getenv("TZ") ? strdup(getenv("TZ")) : NULL;
	int64_t now = pf_time_wall_ns();
	int rc = 0;
	if (!p->until)
		return 0;
	if (!p->local && info->zone)
		(void)setenv("TZ", info->zone, 1);
	tzset();
	if (pf_peer_window(p->until, now, now, ret_until_ns) < 0)
		rc = pf_err_set(err, -EINVAL, "illegal -T argument\n%s\n^ -- unexpected value", p->until);
	if (before)
		(void)setenv("TZ", before, 1);
	else if (!p->local && info->zone)
		(void)unsetenv("TZ");
	tzset();
	return rc;
}

static const char *state_text(enum pf_log_state state, bool off)
{
	return state == PF_LOG_OFF || off ? "OFF" : "ON";
}

/* In the words of pmErrStr(3). */
static const char *reason_text(int32_t code)
{
	static const struct {
		int32_t code;
		const char *text;
	} texts[] = { { -12357, "Unknown metric name" }, { -12358, "Unknown or illegal metric identifier" } };
	for (unsigned i = 0; i < PF_N(texts); i++) {
		if (texts[i].code == code)
			return texts[i].text;
	}
	return pf_pcp_error_text(code);
}

static void problem(void *arg, const struct pf_task_problem *p)
{
	(void)arg;
	(void)fprintf(stderr, "Warning [%s, line %u]\n", p->at.file, p->at.line);
	switch (p->fault) {
	case PF_TASK_NO_NAME:
		(void)fprintf(stderr, "Problem with lookup for metric \"%s\" ... logging not activated\nReason: %s\n",
			      p->metric, reason_text(p->code));
		return;
	case PF_TASK_NO_METRIC:
		(void)fprintf(stderr, "Description unavailable for metric \"%s\" ... not logged\nReason: %s\n",
			      p->metric, reason_text(p->code));
		return;
	case PF_TASK_NO_INSTANCE:
		(void)fprintf(stderr, "Instance \"%s\" is not defined for the metric \"%s\"\n", p->instance->text,
			      p->metric);
		return;
	case PF_TASK_CONFLICT:
		(void)fprintf(stderr, "Incompatible request for metric \"%s\"", p->metric);
		if (p->instance)
			(void)fprintf(stderr,
				      " and instance \"%s\"\nRequest for (advisory) %s conflicts with current "
				      "(mandatory) %s state",
				      p->instance->text, state_text(p->wanted, false), state_text(PF_LOG_ON, p->off));
		(void)fputc('\n', stderr);
		return;
	}
}

static void planned(void *arg)
{
	(void)arg;
	(void)fputs("Config parsed\n", stderr);
}

static void begun(void *arg, const char *host)
{
	struct pf_pmlogger *p = arg;
	(void)snprintf(p->told, sizeof(p->told), "%s", host);
	(void)fprintf(stderr, "Starting %slogger for host \"%s\" via \"%s\"\n", p->primary ? "primary " : "", host,
		      p->spec.host);
}

/* Whoever waits for us with systemd's protocol. */
static void notify(void)
{
	static const char text[] = "READY=1";
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	const char *path = getenv("NOTIFY_SOCKET");
	size_t n = path ? strlen(path) : 0;
	if (n == 0 || n >= sizeof(to.sun_path))
		return;
	memcpy(to.sun_path, path, n);
	if (path[0] == '@')
		to.sun_path[0] = '\0';
	pf_autoclose int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd >= 0)
		(void)sendto(fd, text, sizeof(text) - 1, MSG_NOSIGNAL, (struct sockaddr *)&to,
			     (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n)); /* nobody waits: no harm */
}

static void made(void *arg)
{
	const struct pf_pmlogger *p = arg;
	(void)fprintf(stderr, "Archive basename: %s\n", p->spec.path);
	if (p->notify)
		notify();
}

/* "every 1 sec", "every 0.500 sec" */
static void put_interval(struct pf_buf *b, int64_t ns)
{
	int64_t ms = ns / PF_NS_PER_MS;
	if (ms % 1000 == 0)
		pf_buf_fmt(b, "every %" PRId64 " sec", ms / 1000);
	else
		pf_buf_fmt(b, "every %" PRId64 ".%03" PRId64 " sec", ms / 1000, ms % 1000);
}

static void size(void *arg, const struct pf_task *task, const struct pf_catalog *cat, uint64_t bytes)
{
	const struct pf_pmlogger *p = arg;
	const struct pf_picks *picks = &task->picks;
	struct pf_buf b = { 0 };
	if (!p->report)
		return;
	if (picks->n == 1)
		pf_buf_fmt(&b, "\nMetric %s logged ", cat->metrics[picks->list[0].metric]->name);
	else
		pf_buf_fmt(&b, "\nGroup [%u metrics] {\n", picks->n);
	for (unsigned i = 0; picks->n > 1 && i < picks->n; i++)
		pf_buf_fmt(&b, "\t%s\n", cat->metrics[picks->list[i].metric]->name);
	pf_buf_str(&b, picks->n > 1 ? "} logged " : "");
	if (task->interval_ns == 0) {
		pf_buf_fmt(&b, "once: %" PRIu64 " bytes\n", bytes);
	} else {
		put_interval(&b, task->interval_ns);
		pf_buf_fmt(&b, ": %" PRIu64 " bytes or %.2f Mbytes/day\n", bytes,
			   (double)bytes * 86400 / ((double)task->interval_ns / 1e9) / (1 << 20));
	}
	(void)fwrite(b.p ? b.p : "", 1, b.n, stderr);
	pf_buf_done(&b);
}

static void volume(void *arg, unsigned number, int cause)
{
	static const char *const causes[] = { [PF_VOLUME_SAMPLES] = "sample counter",
					      [PF_VOLUME_BYTES] = "sample byte size",
					      [PF_VOLUME_TIME] = "sample time",
					      [PF_VOLUME_LARGEST] = "max data volume size",
					      [PF_VOLUME_ASKED] = "SIGHUP" };
	char now[32];
	(void)arg;
	(void)fprintf(stderr, "New log volume %u, via %s at %s\n", number, causes[cause], now_text(now, true));
}

static void lost(void *arg)
{
	const struct pf_pmlogger *p = arg;
	char now[32];
	(void)fprintf(stderr, "pmlogger: Lost connection to PMCD on \"%s\" at %s\n", p->told, now_text(now, true));
}

static void back(void *arg)
{
	const struct pf_pmlogger *p = arg;
	char now[32];
	(void)fprintf(stderr, "pmlogger: re-established connection to PMCD on \"%s\" at %s\n", p->told,
		      now_text(now, true));
}

void pf_pmlogger_log_watch(struct pf_pmlogger *p, struct pf_logger_watch *watch)
{
	*watch = (struct pf_logger_watch){ .opened = opened,
					   .problem = problem,
					   .planned = planned,
					   .begun = begun,
					   .until = until,
					   .made = made,
					   .size = size,
					   .volume = volume,
					   .lost = lost,
					   .back = back,
					   .arg = p };
}

/* The first of the files that are in the way. */
static void tell_existing(const struct pf_pmlogger *p)
{
	static const char *const suffixes[] = { "index", "meta", "0" };
	for (unsigned i = 0; i < PF_N(suffixes); i++) {
		if (!pf_pcp_names_is_there(p->spec.path, suffixes[i]))
			continue;
		(void)fprintf(stderr, "__pmLogNewFile: \"%s.%s\" already exists, not over-written\n", p->spec.path,
			      suffixes[i]);
		break;
	}
}

static void tell_failure(const struct pf_pmlogger *p, const struct pf_logger_end *end, int rc, const char *text)
{
	const struct pf_log_error *e = &p->spec.config->error;
	if (end->reason == PF_LOGGER_NO_SOURCE) {
		(void)fprintf(stderr, "pmlogger: Cannot connect to PMCD on host \"%s\": %s\n", p->spec.host,
			      strerror(-rc));
	} else if (end->reason == PF_LOGGER_BAD_CONFIG && e->what) {
		(void)fprintf(stderr, "Specification error in configuration file (%s)\n[line %u] %s\n", e->at.file,
			      e->at.line, e->what);
	} else if (end->reason == PF_LOGGER_NOTHING) {
		(void)fputs("Nothing to log, and not the primary logger instance ... good-bye\n", stderr);
	} else if (end->reason == PF_LOGGER_NO_ARCHIVE && rc == -EEXIST) {
		tell_existing(p);
		(void)fprintf(stderr, "__pmLogCreate(%s, %s, ...): %s\n", p->told, p->spec.path, strerror(-rc));
	} else {
		(void)fprintf(stderr, "pmlogger: %s\n", text);
	}
}

void pf_pmlogger_log_end(const struct pf_pmlogger *p, const struct pf_logger_end *end, int rc, const char *text)
{
	static const char *const reasons[] = { [PF_LOGGER_TOLD] = "Recording session terminated",
					       [PF_LOGGER_TIME] = "End of run time",
					       [PF_LOGGER_RECORDS] = "Sample limit reached",
					       [PF_LOGGER_BYTES] = "Byte limit reached",
					       [PF_LOGGER_PROCESS] = "process from -p has vanished" };
	char line[128];
	if (rc == -ESTALE) {
		pf_pmlogger_log_info("Warning", text);
	} else if (rc < 0) {
		tell_failure(p, end, rc, text);
		return;
	}
	if (end->reason == PF_LOGGER_CHECKED)
		return;
	if (end->reason == PF_LOGGER_SIGNAL)
		(void)snprintf(line, sizeof(line), "pmlogger: Caught signal %d, exiting", end->signal);
	else
		(void)snprintf(line, sizeof(line), "pmlogger: %s, exiting", reasons[end->reason]);
	pf_pmlogger_log_info("Info", line);
}
