/* cmd/pcpconf.c - where PCP's files are. */
#include "cmd/pcpconf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"

enum { CONF_LIMIT = 1 << 20 };

/* @file: that includes others, whose folder is looked into, NULL none */
struct places {
	const char *file;
};

const char *pf_pcp_conf(const char *name, const char *usual, char text[PATH_MAX])
{
	const char *set = getenv(name);
	const char *conf = getenv("PCP_CONF");
	struct pf_buf all = { 0 };
	struct pf_view line;
	(void)snprintf(text, PATH_MAX, "%s", set ? set : usual);
	if (set || pf_io_read_file(AT_FDCWD, conf ? conf : "/etc/pcp.conf", CONF_LIMIT, &all, NULL) < 0) {
		pf_buf_done(&all);
		return text;
	}
	size_t n = strlen(name);
	struct pf_view rest = pf_buf_text(&all);
	while (pf_view_line(&rest, &line) == 0) {
		if (pf_view_starts(line, name) && line.n > n && line.p[n] == '=')
			(void)snprintf(text, PATH_MAX, "%.*s", (int)(line.n - n - 1), line.p + n + 1);
	}
	pf_buf_done(&all);
	return text;
}

static int read_all(int fd, struct pf_buf *text)
{
	ssize_t n = 1;
	while (n > 0 && text->n <= PF_PREPROC_MAX) {
		char part[65536];
		n = read(fd, part, sizeof(part));
		if (n < 0 && errno == EINTR) {
			n = 1;
			continue;
		}
		if (n > 0)
			pf_buf_add(text, part, (size_t)n);
	}
	return n < 0 ? -errno : text->failed;
}

static int read_one(const char *path, struct pf_buf *text)
{
	pf_autoclose int fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -errno : read_all(fd, text);
}

static int read_in_pcp(const char *name, struct pf_buf *text)
{
	char folder[PATH_MAX];
	char path[PATH_MAX * 2];
	(void)snprintf(path, sizeof(path), "%s/config/pmlogger/%s", pf_pcp_conf("PCP_VAR_DIR", "/var/lib/pcp", folder),
		       name);
	return read_one(path, text);
}

/* As it is named, beside the file that includes it, among PCP's. */
static int include(void *arg, const char *name, struct pf_buf *text)
{
	const struct places *p = arg;
	const char *slash = p->file ? strrchr(p->file, '/') : NULL;
	char path[PATH_MAX];
	int rc = read_one(name, text);
	if (rc == -ENOENT && slash && name[0] != '/') {
		(void)snprintf(path, sizeof(path), "%.*s/%s", (int)(slash - p->file), p->file, name);
		rc = read_one(path, text);
	}
	return rc == -ENOENT && name[0] != '/' ? read_in_pcp(name, text) : rc;
}

int pf_logconfig_open(struct pf_logconfig *ret, const char *file, struct pf_err *err)
{
	struct pf_buf text = { 0 };
	struct places places = { file };
	*ret = (struct pf_logconfig){ 0 };
	int rc = file ? read_one(file, &text) : read_all(STDIN_FILENO, &text);
	if (rc == -ENOENT && file && file[0] != '/' && read_in_pcp(file, &text) == 0)
		rc = 0;
	const struct pf_preproc_input in = {
		.name = file ? file : "<stdin>", .text = pf_buf_text(&text), .include = include, .arg = &places
	};
	if (rc == 0)
		rc = pf_logconfig_read(ret, &in);
	pf_buf_done(&text);
	return rc < 0 ? pf_err_set(err, rc, "%s", strerror(-rc)) : 0;
}
