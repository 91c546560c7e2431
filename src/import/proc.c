/* import/proc.c - getproc and getexec. Files below /proc and /sys stay open between calls; one that has gone stale is opened anew. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/io.h"
#include "base/time.h"
#include "import/exec.h"
#include "import/host.h"
#include "import/lines.h"

enum { FILE_LIMIT = 16 << 20, FILES_HELD = 256 };

struct to_module {
	struct pf_module *m;
	bool second;
};

static void take(void *arg, struct pf_view tag, struct pf_view line)
{
	const struct to_module *to = arg;
	pf_module_record(to->m, tag, line, to->second);
}

void pf_module_files_done(struct pf_module *m)
{
	for (unsigned i = 0; i < m->n_files; i++) {
		pf_closep(&m->files[i].fd);
		pf_key_done(&m->files[i].last_key);
		free(m->files[i].last);
		free(m->files[i].path);
	}
	free(m->files);
	m->files = NULL;
	m->n_files = 0;
}

/* The entry of @path, made when first asked for. NULL: too many files, or no memory. */
static struct pf_held_file *held_file(struct pf_module *m, const char *path)
{
	for (unsigned i = 0; i < m->n_files; i++) {
		if (strcmp(m->files[i].path, path) == 0)
			return &m->files[i];
	}
	/* All at once: entries must not move while Analyze, called for lines of one file, asks for another. */
	if (!m->files)
		m->files = calloc(FILES_HELD, sizeof(*m->files));
	if (!m->files || m->n_files == FILES_HELD)
		return NULL;
	struct pf_held_file *held = &m->files[m->n_files];
	*held = (struct pf_held_file){ .path = strdup(path), .fd = -1 };
	if (!held->path)
		return NULL;
	m->n_files++;
	return held;
}

/* Whatever stands for "/", a path without one in front is one from here. */
static int open_file(const struct pf_import *imp, const char *path)
{
	int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK; /* a pipe without a writer must not stop everything */
	bool here = imp->root_fd == AT_FDCWD || path[0] != '/';
	int fd = here ? open(path, flags) : openat(imp->root_fd, path + strspn(path, "/"), flags);
	return fd < 0 ? -errno : fd;
}

/* Files of the kernel can be read again from the start; others may be replaced by new ones and are not kept. */
static bool stays(const char *path)
{
	return strncmp(path, "/proc/", 6) == 0 || strncmp(path, "/sys/", 5) == 0;
}

static int read_file(const struct pf_import *imp, const char *path, struct pf_held_file *held, struct pf_buf *text)
{
	if (held && held->fd >= 0) {
		if (pf_io_pread_all(held->fd, FILE_LIMIT, text) == 0)
			return 0;
		pf_closep(&held->fd);
		held->fd = -1;
	}
	pf_autoclose int fd = open_file(imp, path);
	if (fd < 0)
		return fd;
	int rc = pf_io_pread_all(fd, FILE_LIMIT, text);
	if (rc == 0 && held && stays(path))
		held->fd = PF_TAKE_FD(fd);
	return rc;
}

/* The compiled form of @last, kept as long as it stays the same. NULL: none, or it is no expression (told). */
static const struct pf_key *last_key(const struct pf_module *m, struct pf_held_file *held, const char *last)
{
	if (!last || !held)
		return NULL;
	if (!held->last || strcmp(held->last, last) != 0) {
		pf_key_done(&held->last_key);
		free(held->last);
		held->last = strdup(last);
		struct pf_err err = { 0 };
		if (pf_key_init(&held->last_key, last, &err) < 0)
			pf_notice(m->imp->notice, PF_WARNING, "module %s: getproc %s: %s, ignoring it", m->is.name,
				  held->path, err.text);
	}
	return held->last_key.text ? &held->last_key : NULL;
}

int pf_module_getproc(struct perfolio_ctx *ctx, int kind, const char *file, const char *tag, unsigned skip,
		      unsigned max, const char *last)
{
	struct pf_module *m = pf_module_of(ctx);
	struct pf_import *imp = m->imp;
	if (!file || !pf_lines_known(kind)) {
		if (!m->told_record)
			pf_notice(imp->notice, PF_WARNING, "module %s: getproc knows no kind %d, ignoring such calls",
				  m->is.name, kind);
		m->told_record = true;
		return 0;
	}
	struct pf_held_file *held = held_file(m, file);
	struct pf_buf text = imp->text; /* taken while in use: Analyze may call getproc again */
	imp->text = (struct pf_buf){ 0 };
	int rc = read_file(imp, file, held, &text);
	if (rc == 0) {
		struct to_module arg = { m, pf_lines_second(kind) };
		const struct pf_lines_to to = { take, &arg };
		const struct pf_key *end = last_key(m, held, last);
		pf_lines_proc(kind, pf_buf_text(&text), pf_view_of(tag ? tag : ""), skip, max, end, &imp->filter, &to);
	} else if (!pf_lines_quiet(kind) && held && !held->told) {
		held->told = true;
		pf_notice(imp->notice, PF_WARNING, "module %s: %s: %s, going on without it", m->is.name, file,
			  strerror(-rc));
	}
	pf_buf_done(&imp->text);
	imp->text = text;
	return rc == 0;
}

int pf_module_getexec(struct perfolio_ctx *ctx, int kind, const char *command, const char *tag)
{
	struct pf_module *m = pf_module_of(ctx);
	struct pf_import *imp = m->imp;
	if (!command || !pf_exec_known(kind)) {
		if (!m->told_record)
			pf_notice(imp->notice, PF_WARNING, "module %s: getexec knows no kind %d, ignoring such calls",
				  m->is.name, kind);
		m->told_record = true;
		return 0;
	}
	struct pf_buf text = imp->text;
	imp->text = (struct pf_buf){ 0 };
	struct pf_err err = { 0 };
	int rc = pf_exec_shell(command, FILE_LIMIT, imp->exec_ns, &text, &err);
	struct pf_held_file *held = rc < 0 ? held_file(m, command) : NULL;
	if (rc == 0) {
		struct to_module arg = { m, false };
		const struct pf_lines_to to = { take, &arg };
		pf_lines_exec(kind, pf_buf_text(&text), pf_view_of(tag ? tag : ""), &imp->filter, &to);
	} else if (held && !held->told) {
		held->told = true;
		pf_notice(imp->notice, PF_WARNING, "module %s: %s, going on without its data", m->is.name, err.text);
	}
	pf_buf_done(&imp->text);
	imp->text = text;
	return rc == 0;
}

int pf_module_open_file(struct perfolio_ctx *ctx, const char *path)
{
	return path ? open_file(pf_module_of(ctx)->imp, path) : -EINVAL;
}
