/* trace/libdir.c - libraries of D in a folder: types, inlines and translators for the programs that follow. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "trace/bpf/session.h"

static int is_library(const struct dirent *entry)
{
	size_t n = strlen(entry->d_name);
	return n > 2 && strcmp(entry->d_name + n - 2, ".d") == 0;
}

static int compile(struct pf_trace *t, const char *folder, const char *name, struct pf_err *err)
{
	struct pf_buf path = { 0 };
	struct pf_buf text = { 0 };
	pf_buf_fmt(&path, "%s/%s", folder, name);
	pf_buf_char(&path, 0);
	int rc = path.failed ? -ENOMEM : pf_io_read_file(AT_FDCWD, path.p, PF_D_MAX_TEXT, &text, err);
	if (rc == 0)
		rc = pf_dprog_define(t->prog, path.p, pf_buf_text(&text), err);
	pf_buf_done(&path);
	pf_buf_done(&text);
	return rc;
}

int pf_trace_library(struct pf_trace *t, const char *folder, struct pf_err *err)
{
	struct dirent **entries;
	int n = scandir(folder, &entries, is_library, alphasort);
	if (n < 0)
		return pf_err_set(err, -errno, "%s", strerror(errno));
	int rc = 0;
	for (int i = 0; i < n; i++) {
		if (rc == 0)
			rc = compile(t, folder, entries[i]->d_name, err);
		free(entries[i]);
	}
	free(entries);
	return rc;
}
