/* formats/pcp/writer.c - one PCP archive, version 2 or 3, being written. Source: LOGARCHIVE(5), observed behaviour of pmlogger 6.0.3. */
#include "formats/pcp/writer.h"

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
#include "formats/pcp/labels.h"
#include "formats/pcp/names.h"

enum { INDEX, META, DATA, N_FILES };

/* An entry of the index after so many bytes of values, but not at each sample of large ones; and after so many samples. */
enum { ENTRY_BYTES = 1 << 20, ENTRY_LEAST = 8, ENTRY_SAMPLES = 64, NEWEST = 3 };

enum { NS_PER_USEC = 1000 };

enum { SUFFIX_BYTES = 16 };

/**
 * struct pf_pcp_writer - @size: bytes in whole records, per file; @closed: of the volumes that were closed. @suffix: of the files that are open.
 * @volume: number of the one that is open; @in_volume: records of values in it. @meta_before: size of .meta when the sample began.
 * @most: bytes that a file may have. @last: the newest record of values; @index_due: an entry could not be written; @indexed: size of the values when the last one was made;
 * @unindexed: results since.
 */
struct pf_pcp_writer {
	char *path;
	struct pf_pcp_label label;
	int fd[N_FILES];
	char suffix[N_FILES][SUFFIX_BYTES];
	unsigned volume;
	uint64_t size[N_FILES];
	uint64_t most;
	uint64_t closed;
	uint64_t in_volume;
	struct pf_buf buf;
	bool begun;
	bool index_due;
	uint64_t meta_before;
	uint64_t indexed;
	uint64_t unindexed;
	uint64_t samples;
	struct pf_pcp_entry last;
	struct pf_err failure;
};

char *pf_pcp_writer_path(const struct pf_pcp_writer *w, const char *suffix)
{
	char *path;
	return asprintf(&path, "%s.%s", w->path, suffix) < 0 ? NULL : path;
}

static void remove_files(const struct pf_pcp_writer *w)
{
	for (unsigned f = 0; f < N_FILES; f++) {
		pf_autofree char *path = pf_pcp_writer_path(w, w->suffix[f]);
		if (w->fd[f] >= 0 && path)
			(void)unlink(path); /* ours, made a moment ago; nothing to do about a failure */
	}
}

static void free_writer(struct pf_pcp_writer *w)
{
	for (unsigned f = 0; f < N_FILES; f++)
		pf_closep(&w->fd[f]);
	pf_buf_done(&w->buf);
	free(w->path);
	free(w);
}

/* Return: a descriptor or negative errno. */
static int create(const struct pf_pcp_writer *w, const char *suffix, struct pf_err *err)
{
	pf_autofree char *path = pf_pcp_writer_path(w, suffix);
	if (!path)
		return pf_err_set(err, -ENOMEM, "%s: no memory", w->path);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0 && errno == EEXIST)
		return pf_err_set(err, -EEXIST, "%s is there already and is not overwritten; choose another name",
				  path);
	return fd < 0 ? pf_err_set(err, -errno, "cannot create %s: %s", path, strerror(errno)) : fd;
}

int pf_pcp_writer_open(struct pf_pcp_writer **ret_writer, const struct pf_pcp_writer_spec *spec, struct pf_err *err)
{
	int check_rc = pf_pcp_names_check(spec->path, err);
	if (check_rc < 0)
		return check_rc;
	struct pf_pcp_writer *w = calloc(1, sizeof(*w));
	if (!w)
		return pf_err_set(err, -ENOMEM, "%s: no memory", spec->path);
	static const char *const suffixes[N_FILES] = { [INDEX] = "index", [META] = "meta", [DATA] = "0" };
	for (unsigned f = 0; f < N_FILES; f++) {
		w->fd[f] = -1;
		(void)snprintf(w->suffix[f], SUFFIX_BYTES, "%s", suffixes[f]);
	}
	w->path = strdup(spec->path);
	w->label =
		(struct pf_pcp_label){ .version = spec->version ? spec->version : NEWEST, .pid = (uint32_t)getpid() };
	w->most = w->label.version == 2 ? INT32_MAX : INT64_MAX;
	if (spec->file_bytes > 0 && spec->file_bytes < w->most)
		w->most = spec->file_bytes;
	(void)snprintf(w->label.host, sizeof(w->label.host), "%s", spec->host);
	(void)snprintf(w->label.zone, sizeof(w->label.zone), "%s", spec->zone);
	(void)snprintf(w->label.zoneinfo, sizeof(w->label.zoneinfo), "%s", spec->zoneinfo);

	int rc = w->path ? 0 : pf_err_set(err, -ENOMEM, "%s: no memory", spec->path);
	for (unsigned f = 0; rc == 0 && f < N_FILES; f++) {
		rc = create(w, w->suffix[f], err);
		w->fd[f] = rc;
		rc = rc < 0 ? rc : 0;
	}
	if (rc < 0) {
		if (w->path)
			remove_files(w);
		free_writer(w);
		return rc;
	}
	*ret_writer = w;
	return 0;
}

void pf_pcp_writer_hold(const struct pf_pcp_writer *w)
{
	struct flock all = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	(void)fcntl(w->fd[INDEX], F_SETLK, &all); /* nobody else has it: the file is new */
}

/* Remember the first failure; the archive ends where it is whole. */
static int fail(struct pf_pcp_writer *w, int rc, const char *what, struct pf_err *err)
{
	(void)pf_err_set(&w->failure, rc, "%s.%s: %s", w->path, what, strerror(-rc));
	return pf_err_set(err, rc, "%s", w->failure.text);
}

/* The record in w->buf, as a whole or not at all. */
static int put(struct pf_pcp_writer *w, unsigned file, struct pf_err *err)
{
	if (w->failure.rc < 0)
		return pf_err_set(err, w->failure.rc, "%s", w->failure.text);
	if (w->buf.failed)
		return fail(w, w->buf.failed, w->suffix[file], err);

	if (w->buf.n > w->most - w->size[file]) {
		(void)pf_err_set(&w->failure, -EFBIG,
				 "%s.%s is full: an archive of version %u has at most %llu bytes in a file", w->path,
				 w->suffix[file], w->label.version, (unsigned long long)w->most);
		return pf_err_set(err, -EFBIG, "%s", w->failure.text);
	}

	size_t done = 0;
	while (done < w->buf.n) {
		ssize_t n = pwrite(w->fd[file], w->buf.p + done, w->buf.n - done, (off_t)(w->size[file] + done));
		if (n > 0) {
			done += (size_t)n;
			continue;
		}
		if (n < 0 && errno == EINTR)
			continue;
		int rc = n < 0 ? -errno : -EIO;
		/* The next record is written over a torn tail; if none comes, the readers' own check finds it. */
		if (done > 0)
			(void)!ftruncate(w->fd[file], (off_t)w->size[file]);
		if (pf_pcp_writer_may_recover(rc))
			return pf_err_set(err, rc, "%s.%s: %s", w->path, w->suffix[file], strerror(-rc));
		return fail(w, rc, w->suffix[file], err);
	}
	w->size[file] += w->buf.n;
	return 0;
}

static int put_entry(struct pf_pcp_writer *w, const struct pf_pcp_entry *entry, struct pf_err *err)
{
	pf_buf_clear(&w->buf);
	pf_pcp_entry_encode(&w->buf, w->label.version, entry);
	int rc = put(w, INDEX, err);
	if (rc == 0) {
		w->indexed = w->size[DATA];
		w->unindexed = 0;
	}
	return rc;
}

static int put_labels(struct pf_pcp_writer *w, struct pf_err *err)
{
	static const int32_t volume[N_FILES] = {
		[INDEX] = PF_PCP_VOLUME_INDEX, [META] = PF_PCP_VOLUME_META, [DATA] = 0
	};
	memset(w->size, 0, sizeof(w->size)); /* a first try may have come half-way */
	for (unsigned f = 0; f < N_FILES; f++) {
		w->label.volume = volume[f];
		pf_buf_clear(&w->buf);
		pf_pcp_label_encode(&w->buf, &w->label);
		int rc = put(w, f, err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

int64_t pf_pcp_writer_tick(const struct pf_pcp_writer *w)
{
	return w->label.version == 2 ? NS_PER_USEC : 1;
}

bool pf_pcp_writer_has_deltas(const struct pf_pcp_writer *w)
{
	return w->label.version >= 3;
}

bool pf_pcp_writer_fits(const struct pf_pcp_writer *w, const struct pf_pcp_build *values)
{
	return pf_pcp_build_bytes(values, w->label.version) <= w->most - w->size[DATA];
}

int64_t pf_pcp_writer_begin(struct pf_pcp_writer *w, int64_t time_ns, struct pf_err *err)
{
	time_ns -= time_ns % pf_pcp_writer_tick(w);
	if (w->begun && time_ns < w->last.time_ns)
		time_ns = w->last.time_ns;
	if (w->label.version == 2 && time_ns >= PF_PCP_END2_NS) {
		(void)pf_err_set(&w->failure, -ERANGE,
				 "%s: an archive of version 2 has no times after January 2038; version 3 has them "
				 "(--archive-version 3)",
				 w->path);
		return pf_err_set(err, -ERANGE, "%s", w->failure.text);
	}
	if (!w->begun) {
		w->label.start_ns = time_ns;
		int rc = put_labels(w, err);
		if (rc < 0)
			return rc;
		w->begun = true;
	}
	w->meta_before = w->size[META];
	return time_ns;
}

int pf_pcp_writer_desc(struct pf_pcp_writer *w, const struct pf_metric *m, struct pf_err *err)
{
	return pf_pcp_writer_names(w, m, NULL, 0, err);
}

int pf_pcp_writer_names(struct pf_pcp_writer *w, const struct pf_metric *m, const struct pf_view *names, uint32_t n,
			struct pf_err *err)
{
	pf_buf_clear(&w->buf);
	pf_pcp_desc_encode(&w->buf, m, names, n);
	return put(w, META, err);
}

int pf_pcp_writer_text(struct pf_pcp_writer *w, const struct pf_pcp_text *text, struct pf_err *err)
{
	pf_buf_clear(&w->buf);
	pf_pcp_text_encode(&w->buf, text);
	return put(w, META, err);
}

int pf_pcp_writer_labels(struct pf_pcp_writer *w, int64_t time_ns, const struct pf_about *labels, struct pf_err *err)
{
	pf_buf_clear(&w->buf);
	pf_pcp_labels_encode(&w->buf, w->label.version, time_ns, labels->owner, labels->ident, labels->sets, labels->n);
	return put(w, META, err);
}

int pf_pcp_writer_context(struct pf_pcp_writer *w, int64_t time_ns, struct pf_pcp_context *context, struct pf_err *err)
{
	pf_buf_clear(&w->buf);
	int rc = pf_pcp_context_encode(context, &w->buf, w->label.version, time_ns);
	return rc < 0 ? fail(w, rc, w->suffix[META], err) : put(w, META, err);
}

int pf_pcp_writer_indom(struct pf_pcp_writer *w, int64_t time_ns, uint32_t indom,
			const struct pf_pcp_instance *instances, uint32_t n, struct pf_err *err)
{
	pf_buf_clear(&w->buf);
	pf_pcp_indom_encode(&w->buf, w->label.version, time_ns, indom, instances, n);
	return put(w, META, err);
}

int pf_pcp_writer_delta(struct pf_pcp_writer *w, int64_t time_ns, uint32_t indom,
			const struct pf_pcp_instance *instances, uint32_t n, struct pf_err *err)
{
	pf_buf_clear(&w->buf);
	pf_pcp_delta_encode(&w->buf, time_ns, indom, instances, n);
	return put(w, META, err);
}

static int put_values(struct pf_pcp_writer *w, int64_t time_ns, struct pf_pcp_build *values, struct pf_err *err)
{
	pf_buf_clear(&w->buf);
	int rc = pf_pcp_build_end(values, w->label.version, time_ns, &w->buf);
	return rc < 0 ? fail(w, rc, w->suffix[DATA], err) : put(w, DATA, err);
}

bool pf_pcp_writer_entry_due(const struct pf_pcp_writer *w)
{
	uint64_t bytes = w->size[DATA] - w->indexed;
	return w->index_due || w->in_volume == 0 || w->unindexed >= ENTRY_SAMPLES ||
	       (w->unindexed >= ENTRY_LEAST && bytes >= ENTRY_BYTES);
}

int pf_pcp_writer_part(struct pf_pcp_writer *w, int64_t time_ns, struct pf_pcp_build *values, struct pf_err *err)
{
	return put_values(w, time_ns, values, err);
}

int pf_pcp_writer_result(struct pf_pcp_writer *w, int64_t time_ns, struct pf_pcp_build *values, bool entry,
			 struct pf_err *err)
{
	struct pf_pcp_entry at = {
		.time_ns = time_ns, .volume = (int32_t)w->volume, .meta = w->meta_before, .data = w->size[DATA]
	};
	int rc = put_values(w, time_ns, values, err);
	if (rc < 0)
		return rc;
	w->last = at;
	w->samples++;
	w->in_volume++;
	rc = entry ? put_entry(w, &at, err) : 0;
	w->unindexed++;
	w->index_due = rc < 0 || (w->index_due && !entry);
	return pf_pcp_writer_may_recover(rc) ? 0 : rc; /* the values are there, and an index entry can come later */
}

char *pf_pcp_writer_data_path(const struct pf_pcp_writer *w)
{
	return pf_pcp_writer_path(w, w->suffix[DATA]);
}

unsigned pf_pcp_writer_volume(const struct pf_pcp_writer *w)
{
	return w->volume;
}

uint64_t pf_pcp_writer_volume_bytes(const struct pf_pcp_writer *w)
{
	return w->size[DATA];
}

/* Its label, written to a file that nobody knows yet: gone again if that fails. */
static int begin_volume(struct pf_pcp_writer *w, int fd, const char *suffix, struct pf_err *err)
{
	w->label.volume = (int32_t)w->volume + 1;
	pf_buf_clear(&w->buf);
	pf_pcp_label_encode(&w->buf, &w->label);
	int rc = w->buf.failed ? w->buf.failed : pf_io_write_all(fd, w->buf.p, w->buf.n);
	if (rc == 0)
		return 0;
	pf_autofree char *path = pf_pcp_writer_path(w, suffix);
	if (path)
		(void)unlink(path); /* made a moment ago */
	return pf_err_set(err, rc, "%s.%s: %s", w->path, suffix, strerror(-rc));
}

int pf_pcp_writer_switch(struct pf_pcp_writer *w, char **ret_closed, struct pf_err *err)
{
	char suffix[SUFFIX_BYTES];
	*ret_closed = NULL;
	if (w->in_volume == 0 || w->failure.rc < 0)
		return 0;
	(void)snprintf(suffix, sizeof(suffix), "%u", w->volume + 1);
	pf_autofree char *closed = pf_pcp_writer_path(w, w->suffix[DATA]);
	if (!closed)
		return pf_err_set(err, -ENOMEM, "%s: no memory", w->path);
	pf_autoclose int fd = create(w, suffix, err);
	if (fd < 0)
		return fd;
	int rc = begin_volume(w, fd, suffix, err);
	if (rc < 0)
		return rc;
	if (close(w->fd[DATA]) < 0)
		(void)fail(w, -errno, w->suffix[DATA], err);
	w->fd[DATA] = PF_TAKE_FD(fd);
	w->closed += w->size[DATA];
	w->size[DATA] = w->indexed = w->buf.n;
	w->in_volume = 0;
	w->volume++;
	memcpy(w->suffix[DATA], suffix, sizeof(suffix));
	*ret_closed = closed;
	closed = NULL;
	return w->failure.rc;
}

bool pf_pcp_writer_may_recover(int rc)
{
	return rc == -ENOSPC || rc == -EDQUOT || rc == -EIO;
}

int pf_pcp_writer_mark(struct pf_pcp_writer *w, int64_t time_ns, struct pf_err *err)
{
	struct pf_pcp_build nothing = { 0 };
	if (w->samples == 0 || time_ns <= w->last.time_ns)
		return 0;
	pf_buf_clear(&w->buf);
	int rc = pf_pcp_build_end(&nothing, w->label.version, time_ns, &w->buf);
	if (rc < 0)
		return fail(w, rc, w->suffix[DATA], err);
	rc = put(w, DATA, err);
	if (rc == 0)
		w->last.time_ns = time_ns;
	return rc;
}

uint64_t pf_pcp_writer_bytes(const struct pf_pcp_writer *w)
{
	return w->size[INDEX] + w->size[META] + pf_pcp_writer_data_bytes(w);
}

uint64_t pf_pcp_writer_data_bytes(const struct pf_pcp_writer *w)
{
	return w->size[DATA] + w->closed;
}

uint64_t pf_pcp_writer_samples(const struct pf_pcp_writer *w)
{
	return w->samples;
}

void pf_pcp_writer_discard(struct pf_pcp_writer *w)
{
	for (unsigned v = 0; v < w->volume; v++) {
		char suffix[SUFFIX_BYTES];
		(void)snprintf(suffix, sizeof(suffix), "%u", v);
		pf_autofree char *plain = pf_pcp_writer_path(w, suffix);
		(void)snprintf(suffix, sizeof(suffix), "%u.xz", v);
		pf_autofree char *packed = pf_pcp_writer_path(w, suffix);
		if (plain && packed && unlink(plain) < 0 && errno == ENOENT)
			(void)unlink(packed); /* made of ours, which is gone */
	}
	w->samples = 0; /* closed as one without any value, it takes the open files with it */
}

/* Is what we write no longer what its name leads to? */
static bool is_gone(const struct pf_pcp_writer *w, unsigned f)
{
	struct stat ours;
	struct stat there;
	pf_autofree char *path = pf_pcp_writer_path(w, w->suffix[f]);
	if (w->fd[f] < 0 || !path || fstat(w->fd[f], &ours) < 0)
		return false;
	if (stat(path, &there) < 0)
		return errno == ENOENT || errno == ENOTDIR;
	return there.st_dev != ours.st_dev || there.st_ino != ours.st_ino;
}

static void look_for_gone(struct pf_pcp_writer *w, struct pf_err *err)
{
	struct pf_buf names = { 0 };
	for (unsigned f = 0; f < N_FILES; f++) {
		if (is_gone(w, f))
			pf_buf_fmt(&names, "%s%s.%s", names.n ? ", " : "", w->path, w->suffix[f]);
	}
	if (names.n > 0)
		(void)pf_err_set(err, -ESTALE, "removed or replaced while it was written: %.*s", (int)names.n, names.p);
	pf_buf_done(&names);
}

int pf_pcp_writer_close(struct pf_pcp_writer *w, struct pf_err *err)
{
	if (!w)
		return 0;
	struct pf_err failure = w->failure;
	if (w->samples == 0) {
		remove_files(w);
	} else {
		/* Even after a failure: the index may fit where a record did not. */
		w->failure = (struct pf_err){ 0 };
		w->last.meta = w->size[META];
		(void)put_entry(w, &w->last, NULL);
		if (failure.rc == 0)
			failure = w->failure;
		if (failure.rc == 0)
			look_for_gone(w, &failure);
	}
	for (unsigned f = 0; f < N_FILES; f++) {
		if (w->fd[f] >= 0 && close(w->fd[f]) < 0 && failure.rc == 0)
			(void)pf_err_set(&failure, -errno, "%s.%s: %s", w->path, w->suffix[f], strerror(errno));
		w->fd[f] = -1;
	}
	free_writer(w);
	return failure.rc < 0 ? pf_err_set(err, failure.rc, "%s", failure.text) : 0;
}
