/* cmd/messages.c - one line for each message. Form: what collectl 4.3.1 writes. */
#include "cmd/messages.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <syslog.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/io.h"
#include "base/time.h"

static void choose_log(struct pf_messages *m, const char *target)
{
	struct stat st;
	const char *slash = strrchr(target, '/');
	size_t n = strlen(target);
	if (n > 0 && stat(target, &st) == 0 && S_ISDIR(st.st_mode)) {
		pf_buf_str(&m->log, target);
		if (target[n - 1] != '/')
			pf_buf_char(&m->log, '/');
	} else if (slash) {
		pf_buf_add(&m->log, target, (size_t)(slash - target) + 1);
	}
	pf_buf_fmt(&m->log, "%s-%s-", m->host, m->name);
}

void pf_messages_begin(struct pf_messages *m, const struct pf_request *req)
{
	*m = (struct pf_messages){ .name = req->as_peer ? "collectl" : "perfolio", .uid = (uid_t)-1, .gid = (gid_t)-1 };
	if (gethostname(m->host, sizeof(m->host) - 1) < 0)
		m->host[0] = '\0';
	m->host[strcspn(m->host, ".")] = '\0';
	if (!req->filename || req->playback || req->files)
		return;
	m->system = true;
	openlog(m->name, 0, LOG_USER);
	if (req->messages)
		choose_log(m, req->filename);
}

void pf_messages_done(struct pf_messages *m)
{
	pf_buf_done(&m->log);
	*m = (struct pf_messages){ 0 };
}

/* The file is opened for each line: there are few, and whoever moves or removes it need not tell us. */
static void write_log(const struct pf_messages *m, char severity, const char *text)
{
	struct tm tm = pf_time_local(pf_time_wall_ns());
	struct pf_buf path = { 0 }, line = { 0 };
	pf_buf_view(&path, pf_buf_text(&m->log));
	pf_buf_fmt(&path, "%04d%02d.log", tm.tm_year + 1900, tm.tm_mon + 1);
	pf_buf_fmt(&line, "%04d%02d%02d %02d:%02d:%02d %c-", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour,
		   tm.tm_min, tm.tm_sec, severity);
	pf_escape_text(&line, pf_view_of(text));
	pf_buf_char(&line, '\n');
	if (!path.failed && !line.failed) {
		pf_autoclose int fd = open(path.p, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
		bool ours = fd >= 0 && (m->uid == (uid_t)-1 || geteuid() != 0 || fchown(fd, m->uid, m->gid) == 0);
		if (ours)
			(void)pf_io_write_all(fd, line.p, line.n); /* nobody is left to be told */
	}
	pf_buf_done(&path);
	pf_buf_done(&line);
}

void pf_messages_tell(const struct pf_messages *m, char severity, const char *text)
{
	if (m->log.n > 0)
		write_log(m, severity, text);
	if (severity == 'F' && m->system)
		syslog(LOG_INFO, "F-%s", text);
}

void pf_messages_life(const struct pf_messages *m, const char *text)
{
	if (m->log.n > 0)
		write_log(m, 'I', text);
	if (m->system)
		syslog(LOG_INFO, "%s", text);
}
