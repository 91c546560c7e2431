/* base/replace.c - new files beside old ones. Source: fcntl(2), rename(2), fsync(2). */
#include "base/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/time.h"

/* FRESH: seconds in which a file counts as being written where nobody can be asked. */
enum { KEPT_MAX = 10000, FRESH = 60 };

static void wish_mode(int fd, const char *old)
{
	struct stat st;
	if (stat(old, &st) < 0)
		return;
	(void)!fchown(fd, st.st_uid, st.st_gid); /* only root may; the rest keep their own */
	(void)fchmod(fd, st.st_mode & 07777);
}

/* Renaming would put a file in place of a device, a pipe or a link. */
static int is_replaceable(const char *path, struct pf_err *err)
{
	struct stat st;
	if (lstat(path, &st) < 0 || S_ISREG(st.st_mode))
		return 0;
	return pf_err_set(err, -EINVAL, "%s is no regular file and is not replaced; nothing was changed", path);
}

/* Before there is a file of ours. */
static void give_up(struct pf_replace *r)
{
	free(r->part);
	r->part = NULL; /* not ours to remove */
	pf_replace_done(r);
}

static int may_replace(struct pf_replace *r, struct pf_err *err)
{
	int rc = is_replaceable(r->path, err);
	if (rc == 0 && r->old)
		rc = is_replaceable(r->old, err);
	if (rc < 0)
		give_up(r);
	return rc;
}

int pf_replace_begin(struct pf_replace *r, const char *path, const char *old, struct pf_err *err)
{
	struct stat st;
	*r = (struct pf_replace){ .fd = -1 };
	old = old ? old : path;
	r->old = realpath(old, NULL); /* behind a link stands the file that is meant */
	r->path = r->old && old == path ? strdup(r->old) : strdup(path);
	if (!r->path || asprintf(&r->part, "%s.sealing", r->path) < 0) {
		r->part = NULL;
		pf_replace_done(r);
		return pf_err_set(err, -ENOMEM, "%s: no memory", path);
	}
	int rc = may_replace(r, err);
	if (rc < 0)
		return rc;
	int fd = open(r->part, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
	rc = fd < 0 ? -errno : 0;
	if (rc == 0 && flock(fd, LOCK_EX | LOCK_NB) < 0)
		rc = errno == EWOULDBLOCK ? -EBUSY : -errno;
	if (rc == -EBUSY)
		(void)pf_err_set(err, rc, "%s is being sealed by another process", r->path);
	else if (rc < 0)
		(void)pf_err_set(err, rc, "cannot create %s: %s; nothing was changed", r->part, strerror(-rc));
	/* Who had the lock before may have given the file its name. */
	if (rc == 0 && (ftruncate(fd, 0) < 0 || stat(r->part, &st) < 0))
		rc = pf_err_set(err, -errno, "cannot create %s: %s; nothing was changed", r->part, strerror(errno));
	if (rc < 0) {
		pf_closep(&fd);
		give_up(r);
		return rc;
	}
	r->fd = fd;
	if (r->old)
		wish_mode(fd, r->old);
	return 0;
}

int pf_replace_sync(struct pf_replace *r, struct pf_err *err)
{
	if (fsync(r->fd) == 0)
		return 0;
	return pf_err_set(err, -errno, "%s: %s; nothing was changed", r->part, strerror(errno));
}

/* The folder, so that the names are on disk, too. */
static void sync_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	pf_autofree char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
	pf_autoclose int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	if (fd >= 0)
		(void)fsync(fd); /* not every file system can */
}

/* A second name for the old file. */
static int keep_old(const char *old, char **ret_kept)
{
	for (unsigned n = 1; n < KEPT_MAX; n++) {
		char *kept;
		if (asprintf(&kept, "%s.orig-%u", old, n) < 0)
			return -ENOMEM;
		if (link(old, kept) == 0) {
			*ret_kept = kept;
			return 0;
		}
		int rc = -errno;
		bool no_links = rc == -EPERM || rc == -EOPNOTSUPP || rc == -EMLINK;
		if (no_links && access(kept, F_OK) < 0 && rename(old, kept) == 0) {
			*ret_kept = kept;
			return 0;
		}
		free(kept);
		if (rc != -EEXIST && !no_links)
			return rc;
	}
	return -EEXIST;
}

int pf_replace_commit(struct pf_replace *r, bool keep, char **ret_kept, struct pf_err *err)
{
	pf_autofree char *kept = NULL;
	*ret_kept = NULL;
	int rc = is_replaceable(r->path, err);
	if (rc < 0)
		return rc;
	rc = keep && r->old ? keep_old(r->old, &kept) : 0;
	if (rc < 0)
		return pf_err_set(err, rc, "%s: cannot be kept as %s.orig-N: %s", r->old, r->old, strerror(-rc));
	if (rename(r->part, r->path) < 0) {
		rc = pf_err_set(err, -errno, "cannot rename %s to %s: %s", r->part, r->path, strerror(errno));
		if (kept && access(r->old, F_OK) < 0)
			(void)rename(kept, r->old);
		else if (kept)
			(void)unlink(kept);
		return rc;
	}
	free(r->part);
	r->part = NULL;
	if (r->old && strcmp(r->old, r->path) != 0)
		(void)unlink(r->old); /* its contents are in the new file, or kept */
	sync_folder(r->path);
	*ret_kept = PF_TAKE(kept);
	return 0;
}

void pf_replace_done(struct pf_replace *r)
{
	if (r->part)
		(void)unlink(r->part); /* ours, made a moment ago */
	pf_closep(&r->fd);
	free(r->part);
	free(r->path);
	free(r->old);
	*r = (struct pf_replace){ .fd = -1 };
}

int pf_replace_may(const char *path, struct pf_err *err)
{
	struct stat st;
	pf_autoclose int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return 0; /* opening it for good tells what is wrong */
	(void)fcntl(fd, F_SETSIG,
		    SIGURG); /* who opens it meanwhile must not end us by SIGIO; this one is passed over */
	if (fcntl(fd, F_SETLEASE, F_RDLCK) == 0) {
		(void)fcntl(fd, F_SETLEASE, F_UNLCK);
		return 0;
	}
	if (errno == EAGAIN)
		return pf_err_set(err, -EBUSY, "%s is being written now; it can be sealed when its recorder has ended",
				  path);
	if (pf_time_wall_ns() / PF_NS_PER_SEC - st.st_mtim.tv_sec >= FRESH)
		return 0;
	return pf_err_set(
		err, -EBUSY,
		"%s was written to within the last minute, and whether it still is cannot be told here; try again later",
		path);
}
