/* formats/pcp/seal.c - the files of an archive are opened, what their labels say is agreed on, and what was decided is written. */
#include "formats/pcp/seal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/io.h"
#include "formats/pcp/check.h"
#include "formats/pcp/names.h"
#include "formats/pcp/pack.h"
#include "formats/pcp/packed.h"
#include "formats/pcp/seal_state.h"

int pf_seal_grow(void **array, size_t *cap, size_t n, size_t item)
{
	if (n < *cap)
		return 0;
	size_t more = *cap ? *cap * 2 : 16;
	void *p = reallocarray(*array, more, item);
	if (!p)
		return -ENOMEM;
	*array = p;
	*cap = more;
	return 0;
}

/* Every file of the archive: .meta, the volumes, the index. NULL behind the last. */
static struct pf_seal_file *file_at(struct pf_seal *s, unsigned i)
{
	if (i == 0)
		return &s->meta;
	if (i <= s->n_volumes)
		return &s->volumes[i - 1];
	return i == s->n_volumes + 1 ? &s->index : NULL;
}

static int open_file(struct pf_seal *s, struct pf_seal_file *f, const char *suffix, int32_t volume, struct pf_err *err)
{
	f->volume = volume;
	f->path = pf_pcp_names_path(s->base, suffix);
	if (!f->path)
		return pf_err_set(err, -ENOMEM, "%s: no memory", s->base);
	struct stat st;
	s->odd_index = f == &s->index && stat(f->path, &st) == 0 && !S_ISREG(st.st_mode);
	if (s->odd_index)
		return 0; /* it is as good as none, and stays */
	int rc = pf_replace_may(f->path, err);
	if (rc < 0)
		return rc;
	int fd = pf_io_open_regular(f->path, err);
	if (fd == -ENOENT && f == &s->index)
		return 0;
	if (fd < 0)
		return fd == -ENOENT ? -ENODATA : fd;
	rc = pf_pcp_file_init(&f->file, fd, f->path, volume >= 0 ? 4 : 1, err);
	if (rc < 0) {
		(void)close(fd);
		f->file = (struct pf_pcp_file){ .fd = -1 };
	}
	f->packed = rc == 0 && f->file.packed;
	return rc;
}

static int open_files(struct pf_seal *s, struct pf_err *err)
{
	pf_autofree unsigned *numbers = NULL;
	unsigned n = 0;
	char suffix[16];
	int rc = open_file(s, &s->meta, "meta", PF_PCP_VOLUME_META, err);
	if (rc == 0)
		rc = pf_pcp_names_volumes(s->base, &numbers, &n, err);
	if (rc == 0 && n == 0)
		return pf_err_set(err, -ENODATA, "%s.0: no such file: the archive has no values", s->base);
	s->volumes = rc == 0 ? calloc(n, sizeof(*s->volumes)) : NULL;
	if (rc == 0 && !s->volumes)
		return pf_err_set(err, -ENOMEM, "%s: no memory", s->base);
	for (unsigned i = 0; rc == 0 && i < n; i++) {
		s->volumes[i] = (struct pf_seal_file){ .file.fd = -1, .replace.fd = -1 };
		s->n_volumes = i + 1;
		(void)snprintf(suffix, sizeof(suffix), "%u", numbers[i]);
		rc = open_file(s, &s->volumes[i], suffix, (int32_t)numbers[i], err);
	}
	return rc < 0 ? rc : open_file(s, &s->index, "index", PF_PCP_VOLUME_INDEX, err);
}

static bool says_the_same(const struct pf_pcp_label *a, const struct pf_pcp_label *b)
{
	return a->version == b->version && a->pid == b->pid && a->start_ns == b->start_ns &&
	       strcmp(a->host, b->host) == 0 && strcmp(a->zone, b->zone) == 0 && strcmp(a->zoneinfo, b->zoneinfo) == 0;
}

/* How many files say what @f says. */
static unsigned votes_for(struct pf_seal *s, const struct pf_seal_file *f)
{
	unsigned n = 0;
	const struct pf_seal_file *other;
	for (unsigned i = 0; (other = file_at(s, i)) != NULL; i++)
		n += other->has_label && says_the_same(&other->label, &f->label);
	return n;
}

static void read_label(struct pf_seal_file *f, struct pf_err *why)
{
	struct pf_view rec;
	int rc = f->file.name ? pf_pcp_file_peek(&f->file, &rec, why) : 0;
	if (rc == 1)
		f->has_label = pf_pcp_label_decode(rec, &f->label, why) == 0;
}

/* The label that most files have; of two that differ the earlier one, since no record may be older than it, or that of .meta. */
static int agree(struct pf_seal *s, struct pf_err *err)
{
	struct pf_err why = { 0 };
	struct pf_seal_file *f;
	unsigned most = 0;
	for (unsigned i = 0; (f = file_at(s, i)) != NULL; i++)
		read_label(f, i == 0 ? &why : NULL);
	for (unsigned i = 0; (f = file_at(s, i)) != NULL; i++) {
		unsigned votes = f->has_label ? votes_for(s, f) : 0;
		bool earlier = votes == most && votes > 0 && f->label.start_ns < s->label.start_ns;
		if (votes <= most && !earlier)
			continue;
		most = votes;
		s->label = f->label;
	}
	if (most == 0 && s->meta.file.size == 0)
		return pf_err_set(err, -ENODATA, "%s is empty: the recording never began", s->meta.path);
	if (most == 0)
		return pf_err_set(err, -EBADMSG, "%s: %s, and no other file has a label", s->meta.path,
				  why.text[0] ? why.text : "no label");
	s->label_n = s->label.version >= 3 ? PF_PCP_LABEL3_LEN : PF_PCP_LABEL2_LEN;
	for (unsigned i = 0; (f = file_at(s, i)) != NULL; i++) {
		f->file.off = f->file.size < s->label_n ? f->file.size : s->label_n;
		f->file.number = 1;
		f->file.end_told = false;
	}
	return 0;
}

void pf_seal_label(struct pf_seal *s, struct pf_seal_file *f)
{
	struct pf_pcp_label wanted = s->label;
	wanted.volume = f->volume;
	if (f->has_label && f->label.volume == f->volume && says_the_same(&f->label, &wanted)) {
		pf_patch_keep(&f->patch, 0, s->label_n);
		return;
	}
	struct pf_buf b = { 0 };
	pf_pcp_label_encode(&b, &wanted);
	pf_patch_put(&f->patch, b.p, b.n);
	if (b.failed)
		f->patch.failed = b.failed;
	pf_buf_done(&b);
	if (!f->file.name || f->file.size == 0)
		return; /* a new file is told as such */
	struct pf_finding finding = {
		.grade = PF_GRADE_NOTE, .rule = "sealed-label", .file = f->path, .record = 0, .byte = 0
	};
	pf_finding_tell(s->to, finding, "%s",
			s->starts_early ? "the label was later than the first record; it is set to its time"
					: "the label was damaged; it says again what those of the other files say");
}

/* @whole: only the index is wanted. */
static int decide(struct pf_seal *s, bool whole, struct pf_err *err)
{
	int rc = agree(s, err);
	if (rc == 0)
		rc = pf_seal_plan(s, err);
	if (rc == 0)
		rc = pf_seal_meta(s, err);
	for (unsigned i = 0; rc == 0 && i < s->n_volumes; i++)
		rc = pf_seal_volume(s, &s->volumes[i], i + 1 == s->n_volumes, err);
	if (rc == 0 && s->n_samples == 0)
		return pf_err_set(err, -EBADMSG, "%s: no record of values is whole; nothing was changed", s->base);
	struct pf_seal_file *f;
	for (unsigned i = 0; rc == 0 && (f = file_at(s, i)) != NULL; i++) {
		if (f == &s->index)
			rc = pf_seal_index(s, err);
		bool damaged = f->file.name && pf_pcp_file_why(&f->file, NULL);
		f->changes = !f->file.name || damaged || !pf_patch_is_same(&f->patch, f->file.size);
		if (whole && f != &s->index)
			f->changes = f->lost = false;
		if (f->lost)
			s->result = PF_SEALED_WITH_LOSS;
		else if (f->changes && s->result == PF_SEALED_NOTHING)
			s->result = PF_SEALED_WHOLE;
	}
	return rc;
}

/* Where the bytes of one new file come from and go to. */
struct flow {
	struct pf_seal_file *f;
	struct pf_pcp_encoder *encoder;
};

static int read_old(void *arg, uint64_t off, size_t n, struct pf_view *ret_bytes, struct pf_err *err)
{
	struct flow *flow = arg;
	int rc = pf_pcp_file_bytes(&flow->f->file, off, n, ret_bytes, err);
	if (rc == 1)
		return 0;
	return rc < 0 ? rc : pf_err_set(err, -EIO, "%s became shorter; nothing was changed", flow->f->path);
}

static int write_new(void *arg, struct pf_view bytes, struct pf_err *err)
{
	struct flow *flow = arg;
	int fd = flow->f->replace.fd;
	int rc = flow->encoder ? pf_pcp_encoder_add(flow->encoder, bytes) : pf_io_write_all(fd, bytes.p, bytes.n);
	if (rc == 0)
		return 0;
	return pf_err_set(err, rc, "%s: %s; nothing was changed", flow->f->replace.part, strerror(-rc));
}

/* What a compressed file will be called: ours are all xz. Indexes stay plain. */
static char *new_path(const struct pf_seal *s, const struct pf_seal_file *f)
{
	char *path;
	int n;
	if (f == &s->index)
		n = asprintf(&path, "%s.index", s->base);
	else if (f == &s->meta)
		n = asprintf(&path, "%s.meta.xz", s->base);
	else
		n = asprintf(&path, "%s.%d.xz", s->base, (int)f->volume);
	return n < 0 ? NULL : path;
}

static int write_file(struct pf_seal *s, struct pf_seal_file *f, struct pf_err *err)
{
	pf_autofree char *other = f->packed ? new_path(s, f) : NULL;
	if (f->packed && !other)
		return pf_err_set(err, -ENOMEM, "%s: no memory", f->path);
	bool same_name = !other || strcmp(other, f->path) == 0;
	int rc = pf_replace_begin(&f->replace, same_name ? f->path : other, same_name ? NULL : f->path, err);
	if (rc < 0)
		return rc;
	struct flow flow = { .f = f };
	if (f->packed && f != &s->index) {
		rc = pf_pcp_encoder_open(&flow.encoder, f->replace.fd);
		if (rc < 0)
			return pf_err_set(err, rc, "%s: no memory", f->path);
	}
	struct pf_patch_io io = { read_old, write_new, &flow };
	rc = pf_patch_write(&f->patch, &io, err);
	int crc = flow.encoder ? pf_pcp_encoder_close(flow.encoder) : 0;
	if (rc == 0 && crc < 0)
		rc = pf_err_set(err, crc, "%s: %s; nothing was changed", f->replace.part, strerror(-crc));
	return rc < 0 ? rc : pf_replace_sync(&f->replace, err);
}

static int write_all(struct pf_seal *s, struct pf_err *err)
{
	struct pf_seal_file *f;
	int rc = 0;
	for (unsigned i = 0; rc == 0 && (f = file_at(s, i)) != NULL; i++) {
		if (f->changes)
			rc = write_file(s, f, err);
	}
	for (unsigned i = 0; rc == 0 && (f = file_at(s, i)) != NULL; i++) {
		if (f->changes && f->file.name)
			rc = pf_replace_may(f->path, err);
	}
	return rc;
}

static int commit_all(struct pf_seal *s, struct pf_err *err)
{
	struct pf_seal_file *f;
	bool begun = false;
	for (unsigned i = 1; i <= s->n_volumes + 2; i++) {
		f = i <= s->n_volumes ? &s->volumes[i - 1] : i == s->n_volumes + 1 ? &s->meta : &s->index;
		if (!f->changes)
			continue;
		pf_autofree char *kept = NULL;
		int rc = pf_replace_commit(&f->replace, f->keeps_old, &kept, err);
		if (rc < 0)
			return pf_err_context(err, rc, "%s",
					      begun ? "files before this one are sealed" : "nothing was changed");
		begun = true;
		if (!kept)
			continue;
		pf_finding_kept(s->to, f->path, basename(kept));
	}
	return 0;
}

static void done(struct pf_seal *s)
{
	struct pf_seal_file *f;
	for (unsigned i = 0; (f = file_at(s, i)) != NULL; i++) {
		pf_replace_done(&f->replace);
		pf_patch_done(&f->patch);
		pf_pcp_file_done(&f->file);
		free(f->path);
	}
	free(s->volumes);
	free(s->steps);
	free(s->records);
	free(s->metrics);
	pf_pcp_check_table_done(&s->pmids);
	pf_arena_done(&s->text);
	free(s->changes);
	free(s->wanted);
	free(s->base);
}

static void count(void *arg, const struct pf_finding *finding)
{
	uint64_t *n = arg;
	*n += finding->grade == PF_GRADE_ERROR;
}

/* What a check calls whole is left as it is; only an index is added if there is none. */
static bool is_whole(const struct pf_seal *s)
{
	uint64_t errors = 0;
	const struct pf_findings to = { count, &errors };
	const struct pf_pcp_check_options options = { 0 };
	struct pf_pcp_check_result result;
	return pf_pcp_check(s->base, &options, &to, &result, NULL) == 0 && errors == 0 && result.samples > 0;
}

int pf_pcp_seal(const char *path, const struct pf_findings *to, struct pf_err *err)
{
	struct pf_seal s = { .base = pf_pcp_names_base(path), .to = to };
	if (!s.base)
		return pf_err_set(err, -ENOMEM, "%s: no memory", path);
	s.meta.file.fd = s.index.file.fd = s.meta.replace.fd = s.index.replace.fd = -1;
	int rc = open_files(&s, err);
	bool whole = rc == 0 && is_whole(&s);
	if (rc == 0 && !whole && s.odd_index)
		rc = pf_err_set(err, -EINVAL,
				"%s: a folder, device or pipe, where the index is to be written; remove it",
				s.index.path);
	if (rc == 0 && !(whole && (s.index.file.name || s.odd_index)))
		rc = decide(&s, whole, err);
	if (rc == 0)
		rc = write_all(&s, err);
	if (rc == 0)
		rc = commit_all(&s, err);
	done(&s);
	return rc < 0 ? rc : (int)s.result;
}
