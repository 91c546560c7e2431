/* cmd/daemon.c - a recorder in the background. Pid files, checks and texts: collectl 4.3.1 as observed. */
#include "cmd/daemon.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "base/view.h"

/* A name or a number. */
static int find_user(const char *text, uid_t *ret_uid, gid_t *ret_gid, struct pf_err *err)
{
	uint64_t v;
	bool number = pf_view_u64(pf_view_of(text), &v) == 0 && v < UINT32_MAX;
	const struct passwd *pw = number ? getpwuid((uid_t)v) : getpwnam(text);
	if (!number && !pw)
		return pf_err_set(err, -EINVAL, "can't find '%s' in /etc/passwd.  Consider UID.", text);
	*ret_uid = pw ? pw->pw_uid : (uid_t)v;
	*ret_gid = pw ? pw->pw_gid : (gid_t)v;
	return 0;
}

static int find_group(const char *text, gid_t *ret_gid, struct pf_err *err)
{
	uint64_t v;
	bool number = pf_view_u64(pf_view_of(text), &v) == 0 && v < UINT32_MAX;
	const struct group *gr = number ? NULL : getgrnam(text);
	if (!number && !gr)
		return pf_err_set(err, -EINVAL, "can't find '%s' in /etc/group.  Consider GID.", text);
	*ret_gid = gr ? gr->gr_gid : (gid_t)v;
	return 0;
}

/* The folder of the files must be that user's. */
static int check_owner(const struct pf_daemon *d, const char *target, const char *runas, bool group, struct pf_err *err)
{
	struct stat st;
	const char *slash = strrchr(target, '/');
	pf_autofree char *folder = strdup(target);
	if (!folder)
		return pf_err_set(err, -ENOMEM, "no memory");
	if (stat(folder, &st) < 0 || !S_ISDIR(st.st_mode)) {
		(void)snprintf(folder, strlen(target) + 1, "%.*s", slash ? (int)(slash - target) : 1,
			       slash ? target : ".");
		if (stat(folder, &st) < 0)
			return pf_err_set(err, -errno, "%s: %s", folder, strerror(errno));
	}
	if (st.st_uid != d->uid || (group && st.st_gid != d->gid))
		return pf_err_set(err, -EINVAL, "Ownership of '%s' doesn't match '%s'", folder, runas);
	return 0;
}

static int choose_user(struct pf_daemon *d, const struct pf_request *req, struct pf_err *err)
{
	pf_autofree char *user = strdup(req->runas);
	if (!user)
		return pf_err_set(err, -ENOMEM, "no memory");
	char *colon = strchr(user, ':');
	if (colon)
		*colon = '\0';
	int rc = find_user(user, &d->uid, &d->gid, err);
	if (rc == 0 && colon)
		rc = find_group(colon + 1, &d->gid, err);
	return rc == 0 && req->filename ? check_owner(d, req->filename, req->runas, colon != NULL, err) : rc;
}

/* Of the pid files. */
static const char *folder(void)
{
	const char *dir = getenv("PERFOLIO_RUNDIR");
	return dir && dir[0] != '\0' ? dir : "/var/run";
}

int pf_daemon_check(struct pf_daemon *d, const struct pf_request *req, struct pf_err *err)
{
	*d = (struct pf_daemon){
		.dir_fd = -1, .pid_fd = -1, .ready_fd = -1, .peer = req->as_peer, .uid = (uid_t)-1, .gid = (gid_t)-1
	};
	bool server = req->address && strncmp(req->address, "server", 6) == 0;
	if (req->runas && !req->daemon)
		return pf_err_set(err, -EINVAL,
				  req->as_peer ? "canot use --runas without -D" : "--runas is for a daemon: -D");
	if (!req->daemon)
		return 0;
	if (req->playback || req->files)
		return pf_err_set(err, -EINVAL, "-p not allowed with -D");
	if (!req->filename && !server && !req->export)
		return pf_err_set(err, -EINVAL, "-D requires -f or -A server");
	const char *dir = folder();
	const char *program = req->as_peer ? "collectl" : "perfolio";
	int n = req->pname ? snprintf(d->name, sizeof(d->name), "%s-%s.pid", program, req->pname)
			   : snprintf(d->name, sizeof(d->name), "%s.pid", program);
	if (n < 0 || (size_t)n >= sizeof(d->name) || strchr(d->name, '/'))
		return pf_err_set(err, -EINVAL, "--pname must be a short name without '/'");
	int rc = req->runas ? choose_user(d, req, err) : 0;
	if (rc < 0)
		return rc;
	d->dir_fd = open(dir, O_DIRECTORY | O_RDONLY | O_CLOEXEC);
	return d->dir_fd >= 0 ? 0 : pf_err_set(err, -errno, "%s: %s", dir, strerror(errno));
}

/* Is the process of that number one of the program's? Its command says so, as collectl asks. */
static bool is_running(const char *program, uint64_t pid)
{
	char path[64];
	struct pf_buf text = { 0 };
	(void)snprintf(path, sizeof(path), "/proc/%llu/cmdline", (unsigned long long)pid);
	bool runs = pid > 0 && pf_io_read_file(AT_FDCWD, path, 1 << 20, &text, NULL) == 0 && text.n > 0 &&
		    memmem(text.p, text.n, program, strlen(program)) != NULL;
	pf_buf_done(&text);
	return runs;
}

static int already(const struct pf_daemon *d, struct pf_err *err)
{
	return pf_err_set(err, -EEXIST, "a daemonized %s already running", d->peer ? "collectl" : "perfolio");
}

/* Is the file that we hold still the one of that name? Somebody may have removed it, and another daemon made its own. */
static bool is_in_place(const struct pf_daemon *d)
{
	struct stat held, named;
	return fstat(d->pid_fd, &held) == 0 && fstatat(d->dir_fd, d->name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
	       held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

/* Open and lock it; one that is removed meanwhile, by a daemon that ends, is made anew. */
static int lock_pid_file(struct pf_daemon *d, struct pf_err *err)
{
	enum { TRIES = 10 };
	for (int i = 0; i < TRIES; i++) {
		d->pid_fd = openat(d->dir_fd, d->name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
		if (d->pid_fd < 0 && errno == ELOOP)
			return pf_err_set(err, -ELOOP,
					  "%s/%s: a symbolic link stands in place of the pid file; remove it", folder(),
					  d->name);
		if (d->pid_fd < 0)
			return pf_err_set(err, -errno,
					  "%s/%s: %s; run as root, or name another folder in PERFOLIO_RUNDIR", folder(),
					  d->name, strerror(errno));
		struct stat st;
		if (fstat(d->pid_fd, &st) < 0 || !S_ISREG(st.st_mode)) {
			pf_closep(&d->pid_fd); /* so it is not removed at the end */
			return pf_err_set(err, -EINVAL,
					  "%s/%s: is no regular file and cannot be the pid file; remove it", folder(),
					  d->name);
		}
		if (flock(d->pid_fd, LOCK_EX | LOCK_NB) < 0)
			return already(d, err);
		if (is_in_place(d))
			return 0;
		pf_closep(&d->pid_fd);
	}
	return already(d, err);
}

/* The lock says whether one of ours is alive; the number in the file says it of the peer's. */
static int take_pid_file(struct pf_daemon *d, struct pf_err *err)
{
	int rc = lock_pid_file(d, err);
	if (rc < 0)
		return rc;
	struct pf_buf text = { 0 };
	uint64_t pid = 0;
	if (d->peer && pf_io_pread_all(d->pid_fd, 4096, &text) == 0)
		(void)pf_view_u64(pf_view_trim(pf_buf_text(&text)), &pid); /* anything else is no number of a process */
	pf_buf_done(&text);
	return pid != (uint64_t)getpid() && is_running("collectl", pid) ? already(d, err) : 0;
}

static int become_user(const struct pf_daemon *d, struct pf_err *err)
{
	if (d->uid == (uid_t)-1 || (geteuid() == d->uid && getegid() == d->gid))
		return 0;
	if (setgroups(0, NULL) < 0 || setgid(d->gid) < 0 || setuid(d->uid) < 0)
		return pf_err_set(err, -errno, "--runas: %s", strerror(errno));
	return 0;
}

static int become_daemon(struct pf_daemon *d, struct pf_err *err)
{
	char text[32];
	(void)setsid(); /* a child leads no group, so this cannot fail */
	int n = snprintf(text, sizeof(text), "%d\n", (int)getpid());
	if (ftruncate(d->pid_fd, 0) < 0 || pwrite(d->pid_fd, text, (size_t)n, 0) != n)
		return pf_err_set(err, -EIO, "%s: cannot write", d->name);
	return become_user(d, err);
}

/* Wait until the daemon says that it is ready, or ends. Return: the status to end with. */
static int await_daemon(int fd, pid_t pid)
{
	char byte;
	ssize_t n;
	int status;
	do
		n = read(fd, &byte, 1);
	while (n < 0 && errno == EINTR);
	if (n == 1)
		return 0;
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int pf_daemon_start(struct pf_daemon *d, int *ret_status, struct pf_err *err)
{
	int rc = take_pid_file(d, err);
	if (rc < 0)
		return rc;
	int pipe_fds[2];
	if (pipe2(pipe_fds, O_CLOEXEC) < 0)
		return pf_err_set(err, -errno, "pipe: %s", strerror(errno));
	(void)fflush(NULL);
	pid_t pid = fork();
	if (pid < 0)
		return pf_err_set(err, -errno, "fork: %s", strerror(errno));
	if (pid > 0) {
		(void)close(pipe_fds[1]);
		*ret_status = await_daemon(pipe_fds[0], pid);
		(void)close(pipe_fds[0]);
		(void)close(d->pid_fd); /* the daemon has it, and the lock */
		(void)close(d->dir_fd);
		d->pid_fd = d->dir_fd = -1;
		return 1;
	}
	(void)close(pipe_fds[0]);
	d->ready_fd = pipe_fds[1];
	return become_daemon(d, err);
}

void pf_daemon_ready(struct pf_daemon *d)
{
	if (d->ready_fd < 0)
		return;
	(void)fflush(NULL);
	pf_autoclose int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (int fd = 0; null >= 0 && fd <= STDERR_FILENO; fd++)
		(void)dup2(null, fd);		   /* a stream that stays open harms nobody */
	(void)pf_io_write_all(d->ready_fd, "", 1); /* a parent that is gone does not mind */
	(void)close(d->ready_fd);
	d->ready_fd = -1;
}

void pf_daemon_end(struct pf_daemon *d)
{
	bool mine = d->pid_fd >= 0 && d->dir_fd >= 0 && is_in_place(d);
	bool left = mine && unlinkat(d->dir_fd, d->name, 0) < 0;
	if (left && ftruncate(d->pid_fd, 0) < 0) /* then no number is left to be taken for a process */
		left = false;			 /* the lock is gone anyway */
	pf_closep(&d->pid_fd);
	pf_closep(&d->dir_fd);
	pf_closep(&d->ready_fd); /* the parent takes our status */
	d->pid_fd = d->dir_fd = d->ready_fd = -1;
}

int pf_daemon_umask(const char *text, struct pf_err *err)
{
	mode_t mask = 0;
	size_t n = strlen(text);
	if (geteuid() != 0)
		return pf_err_set(err, -EINVAL, "only root can use --umask");
	if (n == 0 || n > 4 || strspn(text, "01234567") != n)
		return pf_err_set(err, -EINVAL, "--umask '%s' is no octal number such as 027", text);
	for (; *text != '\0'; text++)
		mask = mask * 8 + (mode_t)(*text - '0');
	(void)umask(mask & 0777);
	return 0;
}

void pf_daemon_title(int argc, char **argv, const char *title)
{
	(void)prctl(PR_SET_NAME, title); /* cut to 15 bytes, as the kernel does */
	if (argc < 1)
		return;
	char *end = argv[0]; /* the words lie one behind the other */
	for (int i = 0; i < argc && argv[i] == end; i++)
		end += strlen(end) + 1;
	size_t room = (size_t)(end - argv[0]);
	size_t n = strlen(title);
	memset(argv[0], 0, room);
	memcpy(argv[0], title, n < room ? n : room - 1);
}
