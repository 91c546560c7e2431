/* sinks/snapshot.c - write beside, then rename; into what is no regular file (a device, a pipe), which must stay what it is. */
#include "sinks/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"

int pf_snapshot_choose(struct pf_snapshot *s, const char *folder, const char *name, const char *file,
		       struct pf_err *err)
{
	struct stat st;
	*s = (struct pf_snapshot){ 0 };
	if (!folder && file[0] == '\0')
		return 0;
	if (file[0] == '\0' && (stat(folder, &st) < 0 || !S_ISDIR(st.st_mode)))
		return pf_err_set(err, -ENOTDIR, "%s: is no folder; the values go to the file %s in it", folder, name);
	struct pf_buf path = { 0 };
	if (file[0] != '\0')
		pf_buf_str(&path, file);
	else
		pf_buf_fmt(&path, "%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/", name);
	char *meant = path.failed ? NULL : realpath(path.p, NULL); /* behind a link stands the file that is replaced */
	if (meant) {
		pf_buf_clear(&path);
		pf_buf_str(&path, meant);
		free(meant);
	}
	struct pf_buf draft = { 0 };
	pf_buf_view(&draft, pf_buf_text(&path));
	pf_buf_str(&draft, ".new");
	s->path = path.p;
	s->draft = draft.p;
	return path.failed || draft.failed ? pf_err_set(err, -ENOMEM, "no memory") : 0;
}

int pf_snapshot_write(const struct pf_snapshot *s, struct pf_view text, struct pf_err *err)
{
	struct stat st;
	bool replaces = lstat(s->path, &st) < 0 || S_ISREG(st.st_mode);
	int flags = O_WRONLY | O_TRUNC | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
	pf_autoclose int fd = replaces ? open(s->draft, flags | O_CREAT | O_NOFOLLOW, 0644) : open(s->path, flags);
	int rc = fd < 0 || fstat(fd, &st) < 0 ? -errno : 0;
	bool ours = rc == 0 && replaces && S_ISREG(st.st_mode);
	if (rc == 0 && replaces && !ours)
		rc = -EEXIST; /* somebody's device or pipe is called like the draft */
	if (rc == 0)
		rc = pf_io_write_all(fd, text.p, text.n);
	if (rc == 0 && ours && rename(s->draft, s->path) < 0)
		rc = -errno;
	if (rc < 0 && ours)
		(void)unlink(s->draft);
	return rc < 0 ? pf_err_set(err, rc, "%s: cannot write: %s", s->path, strerror(-rc)) : 0;
}

void pf_snapshot_done(struct pf_snapshot *s)
{
	free(s->path);
	free(s->draft);
	*s = (struct pf_snapshot){ 0 };
}
