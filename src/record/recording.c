/* record/recording.c - an archive as seen from outside. Sources: fcntl(2), pidfd_open(2), proc(5). */
#include "record/recording.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "base/time.h"
#include "formats/pcp/file.h"
#include "formats/pcp/names.h"
#include "formats/pcp/temporal.h"

enum { ALIGN = 4, COMMAND_MAX = 1 << 20 };

/* The label of a file that was just opened, which then stands behind it, or is closed. */
static int take_label(struct pf_pcp_file *f, struct pf_pcp_label *ret_label, struct pf_err *err)
{
	struct pf_view rec;
	struct pf_err why = { 0 };
	int rc = pf_pcp_file_peek(f, &rec, &why);
	if (rc == 0)
		rc = pf_err_set(err, -ENODATA, "%s is empty", f->name);
	else if (rc == 1)
		rc = pf_pcp_label_decode(rec, ret_label, &why);
	if (rc < 0 && rc != -ENODATA)
		(void)pf_err_set(err, rc, "%s: %s", f->name, why.text[0] ? why.text : strerror(-rc));
	if (rc < 0)
		pf_pcp_file_done(f);
	else
		pf_pcp_file_take(f, rec);
	return rc;
}

static int open_file(const char *base, const char *suffix, struct pf_pcp_file *f, struct pf_pcp_label *ret_label,
		     struct pf_err *err)
{
	int rc = pf_pcp_names_open(base, suffix, ALIGN, f, err);
	return rc < 0 ? rc : take_label(f, ret_label, err);
}

bool pf_recording_is_file(const char *path)
{
	struct pf_pcp_file f = { .fd = -1 };
	struct pf_pcp_label label;
	int fd = pf_io_open_regular(path, NULL);
	if (fd < 0 || pf_pcp_file_init(&f, fd, path, ALIGN, NULL) < 0)
		return false;
	int rc = take_label(&f, &label, NULL);
	if (rc == 0)
		pf_pcp_file_done(&f);
	return rc == 0 || rc == -EPROTO || rc == -ENOTSUP;
}

int pf_recording_label(const char *base, const char *suffix, struct pf_pcp_label *ret_label, struct pf_err *err)
{
	struct pf_pcp_file f;
	int rc = open_file(base, suffix, &f, ret_label, err);
	if (rc == 0)
		pf_pcp_file_done(&f);
	return rc;
}

int pf_recording_opens(const char *base, struct pf_pcp_label *ret_label, struct pf_err *err)
{
	struct pf_pcp_label other;
	unsigned *volumes = NULL;
	unsigned n = 0;
	char suffix[16];
	int rc = pf_pcp_names_volumes(base, &volumes, &n, err);
	(void)snprintf(suffix, sizeof(suffix), "%u", n > 0 ? volumes[0] : 0);
	if (rc == 0)
		rc = pf_recording_label(base, "meta", ret_label, err);
	if (rc == 0)
		rc = pf_recording_label(base, suffix, &other, err);
	if (rc == 0 && other.volume != (int32_t)volumes[0])
		rc = pf_err_set(err, -EBADMSG, "%s.%s: its label is that of volume %d", base, suffix, other.volume);
	if (rc == 0 && pf_pcp_names_is_there(base, "index"))
		rc = pf_recording_label(base, "index", &other, err);
	free(volumes);
	return rc;
}

/* Name of a file without its folders. */
static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* Does the command line of that process end in the name of this archive, as that of every logger does? */
static bool is_logger(pid_t pid, const char *base)
{
	char path[40];
	struct pf_buf command = { 0 };
	(void)snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)pid);
	bool is = false;
	if (pf_io_read_file(AT_FDCWD, path, COMMAND_MAX, &command, NULL) == 0 && command.n > 1) {
		const char *word = memrchr(command.p, '\0', command.n - 1);
		is = word && strcmp(last_part(word + 1), last_part(base)) == 0;
	}
	pf_buf_done(&command);
	return is;
}

/* Does that process hold this file open? Not if we may not know. */
static bool has_open(pid_t pid, const struct stat *file)
{
	char path[40];
	struct stat st;
	(void)snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	DIR *dir = opendir(path);
	bool has = false;
	for (const struct dirent *e = dir ? readdir(dir) : NULL; e && !has; e = readdir(dir))
		has = fstatat(dirfd(dir), e->d_name, &st, 0) == 0 && st.st_dev == file->st_dev &&
		      st.st_ino == file->st_ino;
	if (dir)
		(void)closedir(dir);
	return has;
}

/* A logger of PCP takes no lock; but the label has its number, and it holds the file. */
static bool is_without_lock(const char *base, const struct stat *index, pid_t *ret_pid)
{
	struct pf_pcp_label label;
	if (pf_recording_label(base, "index", &label, NULL) < 0 || label.pid == 0 || label.pid > INT32_MAX)
		return false;
	*ret_pid = (pid_t)label.pid;
	return is_logger(*ret_pid, base) && has_open(*ret_pid, index);
}

bool pf_recording_pid(const char *base, pid_t *ret_pid)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	struct stat st;
	pf_autofree char *path = NULL;
	if (asprintf(&path, "%s.index", base) < 0)
		path = NULL;
	pf_autoclose int fd = path ? pf_io_open_regular(path, NULL) : -1;
	if (fd < 0 || fstat(fd, &st) < 0)
		return false;
	if (fcntl(fd, F_GETLK, &lock) < 0 || lock.l_type == F_UNLCK)
		return is_without_lock(base, &st, ret_pid);
	*ret_pid = lock.l_pid > 0 ? lock.l_pid : 0;
	return true;
}

/* Where the index says that something of that volume is, as late as possible; 0 if it does not. */
static uint64_t late_place(const char *base, int32_t volume)
{
	struct pf_pcp_file f;
	struct pf_pcp_label label;
	struct pf_pcp_temporal t = { 0 };
	uint64_t place = 0;
	if (open_file(base, "index", &f, &label, NULL) < 0)
		return 0;
	if (pf_pcp_temporal_load(&t, &f, label.version, NULL) == 0) {
		for (unsigned i = t.n; i > 0 && place == 0; i--)
			place = t.entries[i - 1].volume == volume ? t.entries[i - 1].data : 0;
	}
	pf_pcp_temporal_done(&t);
	pf_pcp_file_done(&f);
	return place;
}

/* Time of the last record from where @f stands, 0 if there is none. */
static int64_t walk(struct pf_pcp_file *f, unsigned version)
{
	struct pf_view rec;
	struct pf_pcp_result result;
	int64_t time_ns = 0;
	while (pf_pcp_file_peek(f, &rec, NULL) == 1) {
		if (pf_pcp_result_decode(rec, version, &result, NULL) < 0)
			break;
		time_ns = result.time_ns;
		pf_pcp_file_take(f, rec);
	}
	return time_ns;
}

/* Time of the last record in a volume. The index only saves time: where it is wrong, the volume is read from its beginning. */
static int64_t last_in(const char *base, unsigned volume)
{
	char suffix[16];
	struct pf_pcp_file f;
	struct pf_pcp_label label;
	(void)snprintf(suffix, sizeof(suffix), "%u", volume);
	if (open_file(base, suffix, &f, &label, NULL) < 0)
		return 0;
	uint64_t first = f.off;
	uint64_t place = late_place(base, (int32_t)volume);
	int64_t time_ns = 0;
	if (place > first) {
		f.off = place;
		time_ns = walk(&f, label.version);
		f.off = first;
	}
	if (time_ns == 0)
		time_ns = walk(&f, label.version);
	pf_pcp_file_done(&f);
	return time_ns;
}

/* Labels, the descriptions that came before the second entry of the index, and the first record, which has what does not change, too. */
static uint64_t count_once(const char *base, unsigned version)
{
	struct pf_pcp_file f;
	struct pf_pcp_label label;
	struct pf_pcp_temporal t = { 0 };
	struct pf_view rec;
	struct stat st;
	uint64_t bytes = 0;
	if (open_file(base, "0", &f, &label, NULL) == 0) {
		bytes += f.off + (pf_pcp_file_peek(&f, &rec, NULL) == 1 ? rec.n : 0);
		pf_pcp_file_done(&f);
	}
	if (open_file(base, "index", &f, &label, NULL) == 0) {
		if (pf_pcp_temporal_load(&t, &f, version, NULL) == 0 && t.n > 1)
			bytes += t.entries[1].meta;
		pf_pcp_file_done(&f);
	}
	pf_autofree char *meta = t.n > 1 ? NULL : pf_pcp_names_path(base, "meta");
	if (meta && stat(meta, &st) == 0)
		bytes += (uint64_t)st.st_size;
	pf_pcp_temporal_done(&t);
	return bytes;
}

static int any_label(const char *base, const unsigned *volumes, unsigned n, struct pf_pcp_label *ret_label,
		     struct pf_err *err)
{
	char suffix[16];
	int rc = pf_recording_label(base, "meta", ret_label, err);
	if (rc < 0 && n > 0) {
		(void)snprintf(suffix, sizeof(suffix), "%u", volumes[0]);
		rc = pf_recording_label(base, suffix, ret_label, NULL) == 0 ? 0 : rc;
	}
	return rc;
}

int pf_recording_look(struct pf_recording *r, const char *base, struct pf_err *err)
{
	unsigned *volumes = NULL;
	unsigned n = 0;
	*r = (struct pf_recording){ 0 };
	(void)pf_pcp_names_volumes(base, &volumes, &n, NULL); /* then there are none */
	r->running = pf_recording_pid(base, &r->pid);
	int rc = any_label(base, volumes, n, &r->label, err);
	if (rc == -ENODATA && r->running)
		rc = 0; /* it has begun, and has no sample yet */
	for (unsigned i = n; rc == 0 && i > 0 && r->until_ns == 0; i--)
		r->until_ns = last_in(base, volumes[i - 1]);
	r->bytes = pf_pcp_names_bytes(base);
	if (r->running && r->until_ns > 0)
		r->once_bytes = count_once(base, r->label.version);
	free(volumes);
	return rc;
}

uint64_t pf_recording_growth(const struct pf_recording *r)
{
	int64_t ns = r->until_ns - r->label.start_ns;
	if (r->until_ns == 0 || ns < PF_NS_PER_SEC || r->bytes <= r->once_bytes)
		return 0;
	return (uint64_t)((double)(r->bytes - r->once_bytes) * 86400.0 * (double)PF_NS_PER_SEC / (double)ns);
}

int pf_recording_stop(const char *base, int *ret_fd, struct pf_err *err)
{
	pid_t pid;
	pid_t again;
	if (!pf_recording_pid(base, &pid))
		return pf_err_set(err, -ESRCH, "%s: nobody is recording it", base);
	if (pid == 0)
		return pf_err_set(
			err, -EPERM,
			"%s: it is recorded by a process that cannot be seen from here (another container or host); stop it there",
			base);
	pf_autoclose int fd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (fd < 0)
		return pf_err_set(err, -errno, "%s: process %d: %s", base, (int)pid, strerror(errno));
	/* The descriptor is of this process for good; asked again, its number cannot have become another one's in between. */
	if (!pf_recording_pid(base, &again) || again != pid)
		return pf_err_set(err, -ESRCH, "%s: nobody is recording it", base);
	if (!is_logger(pid, base))
		return pf_err_set(err, -EPERM,
				  "%s: process %d has locked it, but is no logger of it, and is left alone", base,
				  (int)pid);
	if (syscall(SYS_pidfd_send_signal, fd, SIGTERM, NULL, 0) < 0)
		return pf_err_set(err, -errno, "%s: its logger, process %d, cannot be told to end: %s", base, (int)pid,
				  strerror(errno));
	*ret_fd = PF_TAKE_FD(fd);
	return 0;
}
