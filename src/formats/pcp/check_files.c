/* formats/pcp/check_files.c - pass 0: the frames of .meta, .index and, for a peer, of all volumes, which the last pass looks at otherwise. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "formats/pcp/check_state.h"
#include "formats/pcp/names.h"

enum { STEP_EVERY = 1024 };

static void tell_kind(struct pf_pcp_check *c, const struct pf_pcp_file *f, uint32_t kind)
{
	unsigned version = c->result->label.version;
	bool other = version >= 3 ? kind == PF_PCP_INDOM2 || kind == PF_PCP_LABELS2 : kind > PF_PCP_TEXT;
	if (!other || kind > PF_PCP_LABELS3)
		return;
	struct pf_finding at = pf_pcp_check_at(f, PF_GRADE_ERROR, "kind-version");
	at.numbers[0] = kind;
	at.numbers[1] = version;
	pf_finding_tell(c->to, at, "records of kind %u do not belong in an archive of version %u", kind, version);
}

static bool has_negative(struct pf_view rec)
{
	struct pf_pcp_indom in;
	if (pf_pcp_indom_decode(rec, &in, NULL) < 0)
		return false;
	for (uint32_t i = 0; i < in.n; i++) {
		if (pf_pcp_indom_get(&in, i).id < 0)
			return true;
	}
	return false;
}

/* Of label sets it only looks whether they lie in the record, not at what is in them. */
static bool has_sets(struct pf_view rec, unsigned version)
{
	struct pf_be c = pf_be_of((struct pf_view){ rec.p + 8, rec.n - 12 });
	(void)pf_be_bytes(&c, version >= 3 ? 12 : 8);
	(void)pf_be_bytes(&c, 8); /* owner, identifier */
	uint32_t n_sets = pf_be_u32(&c);
	for (uint32_t i = 0; i < n_sets && !c.ran_out; i++) {
		(void)pf_be_u32(&c); /* instance */
		(void)pf_be_bytes(&c, pf_be_u32(&c));
		uint32_t n_labels = pf_be_u32(&c);
		(void)pf_be_items(&c, n_labels > INT32_MAX ? 0 : n_labels, 8); /* an error code in place of a count */
	}
	return !c.ran_out;
}

/* Whether a peer could open the archive at all depends on every record. */
static void check_record(struct pf_pcp_check *c, struct pf_view rec)
{
	uint32_t kind = pf_pcp_meta_kind(rec);
	struct pf_be time = pf_be_of((struct pf_view){ rec.p + 8, rec.n < 8 ? 0 : rec.n - 8 });
	bool indom = kind == PF_PCP_INDOM2 || kind == PF_PCP_INDOM3 || kind == PF_PCP_DELTA3;
	if (indom && pf_pcp_time(&time, c->result->label.version) < 0)
		return; /* it looks at no times here */
	bool labels = kind == PF_PCP_LABELS2 || kind == PF_PCP_LABELS3;
	if (labels && rec.n >= 12 && has_sets(rec, c->result->label.version))
		return;
	if (!c->bad_open && indom && has_negative(rec))
		c->bad_open = "open-record";
	if (c->bad_open || pf_pcp_meta_check(rec, NULL) == 0)
		return;
	bool known = kind >= PF_PCP_DESC && kind <= PF_PCP_LABELS3 && kind != PF_PCP_TEXT;
	c->bad_open = known ? "open-record" : "open-kind";
}

/* Records up to the end, or to the first damage for a peer. */
static int walk(struct pf_pcp_check *c, struct pf_pcp_file *f, bool meta, struct pf_err *err)
{
	for (;;) {
		struct pf_view rec;
		struct pf_pcp_result r;
		int64_t numbers[2];
		int rc = pf_pcp_check_frame(f, &rec, numbers, err);
		if (rc < 0)
			return rc;
		if (rc == PF_PCP_FRAME_END || c->stopped)
			return 0;
		if (rc == PF_PCP_FRAME_OK) {
			if (meta)
				tell_kind(c, f, pf_pcp_meta_kind(rec));
			if (meta && c->options->peer)
				check_record(c, rec);
			if (!meta && pf_pcp_result_decode(rec, c->result->label.version, &r, NULL) == 0)
				c->result->end_ns = r.time_ns;
			pf_pcp_file_take(f, rec);
			if (f->number % STEP_EVERY == 0)
				(void)pf_pcp_check_step(c, f);
			continue;
		}
		struct pf_finding at = pf_pcp_check_at(f, PF_GRADE_ERROR, "");
		const char *why = pf_pcp_file_why(f, "it cannot be unpacked");
		c->bad_frames = true;
		if (!c->options->peer) {
			pf_pcp_file_resync(f, pf_pcp_meta_is_sane, NULL);
			at.lost = f->off - at.byte;
		}
		pf_pcp_check_tell_frame(c, at, (enum pf_pcp_frame)rc, numbers, why);
		if (c->options->peer)
			return 0;
	}
}

/* @size, @records: of the file, unpacked. */
static int finish(struct pf_pcp_check *c, struct pf_pcp_file *f, bool needed, uint64_t *ret_size)
{
	*ret_size = f->off;
	if (f->number <= 1 && (f->off == f->size || f->size == 0)) {
		struct pf_finding at = { .grade = PF_GRADE_ERROR,
					 .rule = "empty",
					 .file = f->name,
					 .record = PF_FINDING_NOWHERE,
					 .byte = PF_FINDING_NOWHERE };
		pf_finding_tell(c->to, at, "nothing was ever recorded in it");
		if (needed && !c->bad_open)
			c->bad_open = "open-empty";
	}
	if (c->options->pass)
		c->options->pass(c->options->arg, 0, f->name, f->size == 0 ? 0 : (int64_t)f->number);
	c->result->records += f->number;
	pf_pcp_file_done(f);
	return 0;
}

static int begin(struct pf_pcp_check *c, const char *suffix, unsigned align, int32_t volume, struct pf_pcp_file *f,
		 struct pf_err *err)
{
	int rc = pf_pcp_names_open(c->base, suffix, align, f, err);
	if (rc < 0)
		return rc;
	if (c->options->pass)
		c->options->pass(c->options->arg, 0, f->name, -1);
	rc = pf_pcp_check_label(c, f, volume, false, err);
	if (rc < 0)
		pf_pcp_file_done(f);
	return rc;
}

static int check_meta(struct pf_pcp_check *c, struct pf_err *err)
{
	struct pf_pcp_file f;
	int rc = begin(c, "meta", 1, PF_PCP_VOLUME_META, &f, err);
	if (rc < 0)
		return rc;
	if (rc == 1 || !c->options->peer)
		rc = walk(c, &f, true, err);
	(void)finish(c, &f, true, &c->meta_size);
	return rc < 0 ? rc : 0;
}

static int add_entry(struct pf_pcp_check *c, struct pf_view bytes)
{
	if (c->n_entries == c->cap_entries) {
		size_t cap = c->cap_entries ? 2 * c->cap_entries : 64;
		struct pf_pcp_check_entry *more = reallocarray(c->entries, cap, sizeof(*more));
		if (!more)
			return -ENOMEM;
		c->entries = more;
		c->cap_entries = cap;
	}
	struct pf_be b = pf_be_of(bytes);
	struct pf_pcp_check_entry e;
	bool v3 = c->result->label.version >= 3;
	uint64_t low = pf_be_u32(&b);
	e.seconds = v3 ? (int64_t)(low | (uint64_t)pf_be_u32(&b) << 32) : (int64_t)(int32_t)low;
	e.nanos = pf_be_i32(&b);
	if (!v3) /* a peer multiplies in 32 bits */
		e.nanos = c->options->peer ? (int64_t)(int32_t)((uint32_t)e.nanos * 1000) : e.nanos * 1000;
	e.volume = pf_be_i32(&b);
	e.meta = v3 ? (int64_t)pf_be_u64(&b) : (int64_t)pf_be_u32(&b);
	e.data = v3 ? (int64_t)pf_be_u64(&b) : (int64_t)pf_be_u32(&b);
	c->entries[c->n_entries++] = e;
	return 0;
}

static int read_entries(struct pf_pcp_check *c, struct pf_pcp_file *f, struct pf_err *err)
{
	size_t len = c->result->label.version >= 3 ? PF_PCP_ENTRY3_LEN : PF_PCP_ENTRY2_LEN;
	for (;;) {
		struct pf_view bytes;
		int rc = pf_pcp_file_bytes(f, f->off, len, &bytes, err);
		if (rc == 1)
			rc = add_entry(c, bytes);
		else if (rc == 0 && f->size <= f->off)
			return 0;
		if (rc == -ENOMEM)
			return rc;
		if (rc < 0 || f->size - f->off < len) {
			struct pf_finding at = pf_pcp_check_at(f, PF_GRADE_ERROR, "entry-cut");
			at.numbers[0] = (int64_t)len;
			at.numbers[1] = (int64_t)(f->size - f->off);
			c->bad_frames = true;
			pf_finding_tell(c->to, at, "the file ends inside an entry, after %lld of %zu bytes",
					(long long)at.numbers[1], len);
			return 0;
		}
		f->off += len;
		f->number++;
	}
}

/* One that is missing or broken costs nothing but time. */
static int check_index(struct pf_pcp_check *c, struct pf_err *err)
{
	struct pf_pcp_file f;
	uint64_t size;
	int rc = begin(c, "index", 1, PF_PCP_VOLUME_INDEX, &f, err);
	bool odd = rc == -EINVAL || rc == -EISDIR; /* no regular file */
	c->no_index = rc == -ENODATA || (odd && !c->options->peer);
	if (c->no_index)
		return 0;
	if (rc < 0)
		return rc;
	if (rc == 1)
		rc = read_entries(c, &f, err);
	(void)finish(c, &f, true, &size);
	return rc < 0 ? rc : 0;
}

static int check_volume(struct pf_pcp_check *c, struct pf_pcp_check_volume *v, struct pf_err *err)
{
	struct pf_pcp_file f;
	char suffix[16];
	(void)snprintf(suffix, sizeof(suffix), "%u", v->number);
	int rc = begin(c, suffix, 4, (int32_t)v->number, &f, err);
	if (rc < 0)
		return rc;
	if (rc == 1)
		rc = walk(c, &f, false, err);
	(void)finish(c, &f, v == c->volumes, &v->size);
	return rc < 0 ? rc : 0;
}

int pf_pcp_check_files(struct pf_pcp_check *c, struct pf_err *err)
{
	int rc = check_index(c, err);
	for (unsigned i = 0; i < c->n_volumes && rc == 0 && c->options->peer; i++)
		rc = check_volume(c, &c->volumes[i], err);
	return rc == 0 ? check_meta(c, err) : rc;
}
