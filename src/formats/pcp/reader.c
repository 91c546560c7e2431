/* formats/pcp/reader.c - an archive read from front to end. Source: LOGARCHIVE(5), observed behaviour of PCP 6.0.3's readers. */
#include "formats/pcp/reader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/time.h"
#include "formats/pcp/labels.h"
#include "formats/pcp/names.h"
#include "formats/pcp/reader_state.h"
#include "formats/pcp/scan.h"

/* Loggers write labels a moment after the first instances. */
enum { SLACK_NS = 1000000 };

bool pf_pcp_reader_accepts(const char *path)
{
	pf_autofree char *base = pf_pcp_names_base(path);
	return base && (pf_pcp_names_is_there(base, "meta") || pf_pcp_names_is_there(base, "index") ||
			pf_pcp_names_is_there(base, "0"));
}

int pf_pcp_reader_label_of(struct pf_pcp_file *f, struct pf_pcp_label *ret_label, struct pf_err *err)
{
	struct pf_view rec;
	struct pf_err why = { 0 };
	int rc = pf_pcp_file_peek(f, &rec, &why);
	if (rc == 0)
		return pf_err_set(err, -ENODATA, "%s is empty: the recording never began", f->name);
	if (rc == 1)
		rc = pf_pcp_label_decode(rec, ret_label, &why);
	if (rc == -EBADMSG) {
		/* What looks nothing like a label at all is not a damaged archive but something else. */
		struct pf_view head;
		bool magic = pf_pcp_file_bytes(f, 4, 3, &head, NULL) == 1 && memcmp(head.p, "\x50\x05\x26", 3) == 0;
		return pf_err_set(err, rc, "%s: %s", f->name,
				  magic ? why.text : pf_pcp_file_why(f, "not a PCP archive"));
	}
	if (rc < 0)
		return pf_err_set(err, rc, "%s: %s", f->name, why.text);
	pf_pcp_file_take(f, rec);
	return 0;
}

/* Which archive does a file belong to? Times and zones may differ a little; a check (formats/pcp/check_frame.c) judges by the same.
 * @volume: number that its label should have. Return: NULL: to that of @all; or what differs. */
static const char *differs(const struct pf_pcp_label *l, const struct pf_pcp_label *all, int32_t volume)
{
	if (l->pid != all->pid)
		return "names another process";
	if (strcmp(l->host, all->host) != 0)
		return "names another host";
	return l->volume != volume ? "is that of another file of an archive" : NULL;
}

/* A label that could not be used: the other one tells how long it should have been. */
static void skip_label(struct pf_pcp_file *f, unsigned version)
{
	f->off = version >= 3 ? PF_PCP_LABEL3_LEN : PF_PCP_LABEL2_LEN;
	f->number = 1;
}

/* Both labels can be read, but perhaps they are not of one archive. @data: that of the first volume that is there. */
static void tell_strangers(struct pf_pcp_reader *r, const struct pf_pcp_label *data)
{
	const char *what = differs(data, &r->label, data->volume);
	int32_t volume = r->volumes ? (int32_t)r->volumes[r->volume - 1] : data->volume;
	if (what)
		pf_pcp_damage_add(
			&r->damage,
			"%s: its label %s than that of %s: it is of another archive, and what it tells may not "
			"be what the values are; if there is the right .meta, put it there",
			r->meta.file.name, what, r->data.name);
	if (r->label.volume != PF_PCP_VOLUME_META)
		pf_pcp_damage_add(&r->damage, "%s: its label is that of another file of an archive", r->meta.file.name);
	if (data->volume != volume)
		pf_pcp_damage_add(&r->damage, "%s: its label is that of another file of an archive", r->data.name);
}

static int take_labels(struct pf_pcp_reader *r, struct pf_err *err)
{
	struct pf_pcp_label other = { 0 };
	struct pf_err meta_why = { 0 };
	struct pf_err data_why = { 0 };
	int meta_rc = pf_pcp_reader_label_of(&r->meta.file, &r->label, &meta_why);
	int data_rc = pf_pcp_reader_label_of(&r->data, &other, &data_why);
	r->ready = true;
	r->claimed_ns = meta_rc == 0 ? r->label.start_ns : other.start_ns;
	if (meta_rc < 0 && (data_rc < 0 || meta_rc == -ENODATA))
		return pf_err_set(err, meta_rc == -ENOTSUP ? -EPROTO : meta_rc, "%s", meta_why.text);
	if (data_rc == -ENODATA && r->n_volumes == 1)
		return pf_err_set(err, data_rc, "%s", data_why.text);
	if (meta_rc == 0 && data_rc == 0 && other.version != r->label.version)
		return pf_err_set(
			err, -EBADMSG,
			"%s is of version %u and %s of version %u: they belong to different archives; put the "
			"right .meta beside the values",
			r->meta.file.name, r->label.version, r->data.name, other.version);
	if (meta_rc == 0 && data_rc == 0)
		tell_strangers(r, &other);
	if (meta_rc == 0 && data_rc == 0 && other.start_ns < r->label.start_ns)
		r->label.start_ns = other.start_ns; /* no record may be older than the later one */
	if (meta_rc < 0) {
		r->label = other;
		skip_label(&r->meta.file, r->label.version);
		pf_pcp_damage_add(&r->damage, "%s; its label is taken to be as that of %s", meta_why.text,
				  r->data.name);
	}
	if (data_rc < 0) {
		skip_label(&r->data, r->label.version);
		pf_pcp_damage_add(&r->damage, "%s; its label is taken to be as that of %s", data_why.text,
				  r->meta.file.name);
	}
	return 0;
}

/* The index only saves time, and nothing here depends on it. */
static void read_index(struct pf_pcp_reader *r, struct pf_pcp_file *f, const struct pf_notice *notice)
{
	struct pf_pcp_label label;
	struct pf_err why = { 0 };
	int rc = pf_pcp_reader_label_of(f, &label, &why);
	const char *other = rc == 0 ? differs(&label, &r->label, PF_PCP_VOLUME_INDEX) : NULL;
	if (other)
		rc = pf_err_set(&why, -EBADMSG, "%s: its label %s", f->name, other);
	if (rc == 0)
		rc = pf_pcp_temporal_load(&r->temporal, f, r->label.version, &why);
	if (rc < 0)
		pf_notice(notice, PF_WARNING, "%s; reading without the index", why.text);
}

/* Instances that were told of a time before the archive begins: a false time, or a false beginning. */
static void look_for_early(struct pf_pcp_reader *r)
{
	for (size_t i = 0; i < r->meta.n_places; i++) {
		const struct pf_pcp_place *p = &r->meta.places[i];
		bool indom = p->kind == PF_PCP_INDOM2 || p->kind == PF_PCP_INDOM3 || p->kind == PF_PCP_DELTA3;
		if (p->time_ns >= r->claimed_ns - SLACK_NS)
			return;
		if (!indom)
			continue;
		pf_pcp_damage_add(
			&r->damage,
			"%s: record %llu at byte %llu: instances of a time before the archive begins; they are "
			"taken to be there from its beginning",
			r->meta.file.name, (unsigned long long)p->number, (unsigned long long)p->off);
		return;
	}
}

/* The label of .meta is later than what the archive holds. Not of an index, which counts for nothing. */
static bool is_late(const struct pf_pcp_reader *r, int64_t first_ns)
{
	bool late = first_ns < r->claimed_ns;
	if (r->claimed_ns > r->label.start_ns && r->temporal.n > 0)
		late |= r->temporal.entries[0].time_ns < r->claimed_ns;
	return late;
}

static int open_rest(struct pf_pcp_reader *r, struct pf_err *err)
{
	r->data.align = 4;
	int rc = take_labels(r, err);
	if (rc < 0)
		return rc;
	rc = pf_pcp_meta_load(&r->meta, &r->damage, err);
	if (rc < 0)
		return pf_err_context(err, rc, "%s", r->base);
	look_for_early(r);
	return 0;
}

/* Open the next volume. Return: 1, 0 when there is none, -EBADMSG when one cannot be read. */
static int open_volume(struct pf_pcp_reader *r, struct pf_err *err)
{
	if (r->volume == r->n_volumes)
		return 0;
	char suffix[16];
	unsigned due = r->volume > 0 ? r->volumes[r->volume - 1] + 1 : r->volumes[0];
	unsigned number = r->volumes[r->volume++];
	if (number > due) {
		r->missing = r->missing_end > 0 ? r->missing : due;
		r->missing_end = number;
	}
	(void)snprintf(suffix, sizeof(suffix), "%u", number);
	struct pf_err why = { 0 };
	int rc = pf_pcp_names_open(r->base, suffix, 4, &r->data, &why);
	r->ready = r->jumped = false;
	if (rc == -ENOMEM)
		return pf_err_set(err, rc, "%s", why.text);
	if (rc < 0)
		return pf_err_set(err, -EBADMSG, "%s; its values are lost", why.text);
	return 1;
}

static int start(struct pf_pcp_reader *r, struct pf_err *err)
{
	struct pf_err why = { 0 };
	int rc = pf_pcp_names_volumes(r->base, &r->volumes, &r->n_volumes, err);
	if (rc < 0)
		return rc;
	if (r->n_volumes == 0)
		return pf_err_set(err, -ENODATA, "%s.0: no such file: the archive has no values", r->base);
	while (!r->data.name) {
		rc = open_volume(r, &why);
		if (rc == 0)
			return pf_err_set(err, -EPROTO, "%s", why.text); /* none of them can be read */
		if (rc < 0 && rc != -EBADMSG)
			return pf_err_set(err, rc, "%s", why.text);
		if (rc < 0)
			pf_pcp_damage_add(&r->damage, "%s", why.text);
	}
	return open_rest(r, err);
}

static struct pf_pcp_reader *new_reader(char *base, const struct pf_notice *notice)
{
	struct pf_pcp_reader *r = base ? calloc(1, sizeof(*r)) : NULL;
	if (!r) {
		free(base);
		return NULL;
	}
	r->base = base;
	r->notice = notice ? *notice : (struct pf_notice){ 0 };
	r->meta.file.fd = -1;
	r->data.fd = -1;
	return r;
}

int pf_pcp_reader_open(struct pf_pcp_reader **ret_reader, const char *path, const struct pf_notice *notice,
		       struct pf_err *err)
{
	struct pf_pcp_reader *r = new_reader(pf_pcp_names_base(path), notice);
	if (!r)
		return pf_err_set(err, -ENOMEM, "%s: no memory", path);
	int rc = pf_pcp_names_open(r->base, "meta", 1, &r->meta.file, err);
	if (rc == 0)
		rc = start(r, err);
	if (rc < 0) {
		(void)pf_pcp_reader_close(r);
		return rc;
	}
	struct pf_pcp_file index = { .fd = -1 };
	struct pf_err why = { 0 };
	if (pf_pcp_names_open(r->base, "index", 1, &index, &why) == 0)
		read_index(r, &index, notice);
	else
		pf_notice(notice, PF_INFO, "%s; reading without the index", why.text);
	pf_pcp_file_done(&index);
	*ret_reader = r;
	return 0;
}

int pf_pcp_reader_open_fds(struct pf_pcp_reader **ret_reader, const char *name, int meta_fd, int data_fd, int index_fd,
			   const struct pf_notice *notice, struct pf_err *err)
{
	pf_autoclose int meta = meta_fd;
	pf_autoclose int data = data_fd;
	pf_autoclose int index = index_fd;
	struct pf_pcp_reader *r = new_reader(strdup(name), notice);
	if (!r)
		return pf_err_set(err, -ENOMEM, "%s: no memory", name);
	int rc = pf_pcp_file_init(&r->meta.file, meta, name, 1, err);
	if (rc == 0) {
		(void)PF_TAKE_FD(meta);
		rc = pf_pcp_file_init(&r->data, data, name, 4, err);
	}
	if (rc == 0) {
		(void)PF_TAKE_FD(data);
		r->volumes = calloc(1, sizeof(*r->volumes));
		rc = r->volumes ? 0 : pf_err_set(err, -ENOMEM, "%s: no memory", name);
		r->n_volumes = r->volume = 1;
	}
	if (rc == 0)
		rc = open_rest(r, err);
	if (rc < 0) {
		(void)pf_pcp_reader_close(r);
		return rc;
	}
	struct pf_pcp_file f = { .fd = -1 };
	if (index >= 0 && pf_pcp_file_init(&f, index, name, 1, NULL) == 0) {
		(void)PF_TAKE_FD(index);
		read_index(r, &f, notice);
		pf_pcp_file_done(&f);
	}
	*ret_reader = r;
	return 0;
}

struct pf_pcp_reader *pf_pcp_reader_close(struct pf_pcp_reader *r)
{
	if (!r)
		return NULL;
	pf_pcp_meta_done(&r->meta);
	pf_pcp_file_done(&r->data);
	pf_pcp_damage_done(&r->damage);
	pf_pcp_temporal_done(&r->temporal);
	pf_pcp_shapes_done(&r->shapes);
	pf_pcp_lacks_done(&r->lacks);
	free(r->volumes);
	free(r->base);
	free(r);
	return NULL;
}

static void add_file(const struct pf_pcp_reader *r, const char *suffix, unsigned *n, uint64_t *bytes)
{
	pf_autofree char *path = pf_pcp_names_path(r->base, suffix);
	struct stat st;
	if (path && stat(path, &st) == 0) {
		*n += 1;
		*bytes += (uint64_t)st.st_size;
	}
}

void pf_pcp_reader_files(const struct pf_pcp_reader *r, unsigned *ret_n, uint64_t *ret_bytes)
{
	*ret_n = 0;
	*ret_bytes = 0;
	add_file(r, "meta", ret_n, ret_bytes);
	add_file(r, "index", ret_n, ret_bytes);
	for (unsigned i = 0; i < r->n_volumes; i++) {
		char suffix[16];
		(void)snprintf(suffix, sizeof(suffix), "%u", r->volumes[i]);
		add_file(r, suffix, ret_n, ret_bytes);
	}
}

const struct pf_pcp_label *pf_pcp_reader_label(const struct pf_pcp_reader *r)
{
	return &r->label;
}

bool pf_pcp_reader_holds(struct pf_pcp_reader *r)
{
	struct pf_buf value = { 0 };
	bool holds = pf_pcp_meta_label(&r->meta, PF_PCP_UNCHANGED, &value, NULL) == 1 &&
		     pf_view_is(pf_buf_text(&value), PF_PCP_HELD);
	pf_buf_done(&value);
	return holds;
}

struct pf_pcp_meta *pf_pcp_reader_meta(struct pf_pcp_reader *r)
{
	return &r->meta;
}

static void put_time(char *to, size_t size, int64_t time_ns)
{
	struct tm tm = pf_time_utc(time_ns);
	if (strftime(to, size, "%F %T UTC", &tm) == 0)
		to[0] = '\0';
}

static int tell_hole(struct pf_pcp_reader *r, const struct pf_pcp_hole *hole, const struct pf_err *why,
		     struct pf_err *err)
{
	char after[32] = "the start";
	char before[48] = "";
	char which[32] = "a record";
	if (r->last_ns > 0)
		put_time(after, sizeof(after), r->last_ns);
	r->end_told |= hole->before_ns == 0;
	if (hole->before_ns > 0) {
		(void)snprintf(before, sizeof(before), " and before ");
		put_time(before + strlen(before), sizeof(before) - strlen(before), hole->before_ns);
	}
	if (!r->jumped)
		(void)snprintf(which, sizeof(which), "record %llu", (unsigned long long)hole->number);
	if (hole->from == hole->to)
		return pf_err_set(err, -EBADMSG, "%s: %s at byte %llu: %s; what was behind is lost (after %s)",
				  r->data.name, which, (unsigned long long)hole->from, why->text, after);
	return pf_err_set(err, -EBADMSG, "%s: %s at byte %llu: %s; bytes %llu to %llu are lost (after %s%s)",
			  r->data.name, which, (unsigned long long)hole->from, why->text,
			  (unsigned long long)hole->from, (unsigned long long)hole->to, after, before);
}

/* Volumes that are not there, though others before and behind them are. Sealing puts a mark there and makes the index forget them: then that is all. */
static bool is_missing(const struct pf_pcp_reader *r, const struct pf_pcp_result *next)
{
	bool known = next->n > 0;
	for (unsigned i = 0; i < r->temporal.n && !known && r->missing_end > 0; i++) {
		unsigned volume = (unsigned)r->temporal.entries[i].volume;
		known = volume >= r->missing && volume < r->missing_end;
	}
	return known && r->missing_end > 0;
}

/* @before_ns: time of the record behind them, 0: none follows. */
static int tell_missing(struct pf_pcp_reader *r, int64_t before_ns, struct pf_err *err)
{
	char which[64];
	char after[32] = "the start";
	char before[32] = "the end";
	if (r->last_ns > 0)
		put_time(after, sizeof(after), r->last_ns);
	if (before_ns > 0)
		put_time(before, sizeof(before), before_ns);
	if (r->missing_end - r->missing > 1)
		(void)snprintf(which, sizeof(which), "volumes %u to %u are", r->missing, r->missing_end - 1);
	else
		(void)snprintf(which, sizeof(which), "volume %u is", r->missing);
	r->missing = r->missing_end = 0;
	return pf_err_set(err, -EBADMSG,
			  "%s: %s missing between others; what was recorded after %s and before %s is lost", r->base,
			  which, after, before);
}

/* The label of a volume after the first. */
static int enter_volume(struct pf_pcp_reader *r, struct pf_err *err)
{
	struct pf_pcp_label label;
	struct pf_err why = { 0 };
	r->ready = true;
	int rc = pf_pcp_reader_label_of(&r->data, &label, &why);
	if (rc == 0 && label.version != r->label.version)
		rc = pf_err_set(&why, -EBADMSG, "%s: label of version %u in an archive of version %u", r->data.name,
				label.version, r->label.version);
	const char *other = rc == 0 ? differs(&label, &r->label, (int32_t)r->volumes[r->volume - 1]) : NULL;
	if (other)
		return pf_err_set(err, -EBADMSG, "%s: its label %s; its values are taken all the same", r->data.name,
				  other);
	if (rc == 0)
		return 0;
	skip_label(&r->data, r->label.version);
	if (rc == -ENODATA)
		return 0; /* a volume that was begun and never filled */
	return pf_err_set(err, rc == -EPROTO || rc == -ENOTSUP ? -EBADMSG : rc, "%s; going on behind it", why.text);
}

/* A file that has grown meanwhile is being written, and its index is ahead of what was read of it. */
static void leave_volume(struct pf_pcp_reader *r)
{
	struct stat st;
	r->end = r->data.size;
	r->end_told |= !r->data.packed && (fstat(r->data.fd, &st) < 0 || (uint64_t)st.st_size != r->data.size);
	pf_pcp_file_done(&r->data);
}

/* Of a tail that was cut off between two records only the index can tell. But the index of pmlogextract ends with the time of the last record that
 * it read, mostly pmlogger's last words, of which nothing was wanted. Archives of ours have no last words. */

static int at_end(struct pf_pcp_reader *r, struct pf_err *err)
{
	const struct pf_pcp_entry *last = r->temporal.n > 0 ? &r->temporal.entries[r->temporal.n - 1] : NULL;
	unsigned number = r->volumes[r->n_volumes - 1];
	char after[32] = "";
	char until[32];
	if (r->end_told || !last || last->time_ns <= r->last_ns || (unsigned)last->volume < number ||
	    ((unsigned)last->volume == number &&
	     (last->data < r->end || (last->data == r->end && !pf_pcp_reader_holds(r)))))
		return -ENODATA;
	r->end_told = true;
	bool known = r->last_ns > 0;
	if (known)
		put_time(after, sizeof(after), r->last_ns);
	put_time(until, sizeof(until), last->time_ns);
	return pf_err_set(
		err, -EBADMSG,
		"%s.%u: the file ends at byte %llu, but the index knows of a record at byte %llu of volume %d; what "
		"was recorded %s%s%suntil %s is lost",
		r->base, number, (unsigned long long)r->end, (unsigned long long)last->data, (int)last->volume,
		known ? "after " : "", after, known ? " and " : "", until);
}

static int tell_late(const struct pf_pcp_reader *r, int64_t first_ns, struct pf_err *err)
{
	char first[32];
	put_time(first, sizeof(first), first_ns);
	return pf_err_set(
		err, -EBADMSG,
		"%s: the label says that the archive begins after what is in it, of which the first record is of "
		"%s; it is taken to begin there",
		r->meta.file.name, first);
}

/* Does the index know of bytes of .meta that are not there? One entry may be wrong itself; it is believed if something is missing. */
static bool tell_short(struct pf_pcp_reader *r, struct pf_err *err)
{
	const struct pf_pcp_file *f = &r->meta.file;
	uint64_t end = 0;
	unsigned n = 0;
	struct stat st;
	bool grows = !f->packed && (fstat(f->fd, &st) < 0 || (uint64_t)st.st_size != f->size);
	for (unsigned i = 0; i < r->temporal.n; i++) {
		uint64_t at = r->temporal.entries[i].meta;
		n += at > f->size;
		end = at > end ? at : end;
	}
	if (n == 0 || grows || (n == 1 && r->lacks.undescribed.values == 0 && r->lacks.unnamed.values == 0))
		return false;
	(void)pf_err_set(
		err, -EBADMSG,
		"%s: the file ends at byte %llu, but the index knows of it up to byte %llu; what was told there "
		"of metrics and instances is lost",
		f->name, (unsigned long long)f->size, (unsigned long long)end);
	return true;
}

int pf_pcp_reader_untold(struct pf_pcp_reader *r, struct pf_err *err)
{
	bool is_short = !r->short_told && tell_short(r, err);
	r->short_told = true;
	if (is_short)
		return -EBADMSG;
	if (r->lacks.undescribed.values > 0) {
		pf_pcp_lack_tell(&r->lacks.undescribed, r->meta.file.name, "not described there",
				 "left out; perfolio verify names the metrics, a .meta that describes them makes them "
				 "readable",
				 err);
		return -EBADMSG;
	}
	if (r->lacks.unnamed.values > 0) {
		struct pf_err why;
		pf_pcp_lack_tell(&r->lacks.unnamed, r->meta.file.name, "of instances not named there at that time",
				 "they are shown as ?NUMBER; perfolio verify -w names the metrics", &why);
		pf_notice(&r->notice, PF_WARNING, "%s", why.text);
	}
	return 0;
}

/* Nothing more comes. Return: as pf_pcp_reader_next(). */
static int end(struct pf_pcp_reader *r, struct pf_err *err)
{
	int rc = at_end(r, err);
	if (rc == -ENODATA)
		rc = pf_pcp_reader_untold(r, err);
	return rc == 0 ? -ENODATA : rc;
}

int pf_pcp_reader_next(struct pf_pcp_reader *r, struct pf_pcp_result *ret_result, struct pf_err *err)
{
	for (;;) {
		const char *text = pf_pcp_damage_next(&r->damage);
		if (text)
			return pf_err_set(err, -EBADMSG, "%s", text);
		int rc;
		if (!r->data.name) {
			rc = open_volume(r, err);
			if (rc == 0 && r->missing_end > 0)
				return tell_missing(r, 0, err);
			if (rc <= 0)
				return rc == 0 ? end(r, err) : rc;
		}
		if (!r->ready) {
			rc = enter_volume(r, err);
			if (rc < 0)
				return rc;
		}
		struct pf_view rec;
		struct pf_pcp_result result;
		struct pf_pcp_hole hole;
		struct pf_err why = { 0 };
		struct pf_pcp_scan scan = { &r->data, r->label.version, r->label.start_ns, r->last_ns, &r->shapes };
		rc = pf_pcp_scan_next(&scan, &rec, &result, &hole, &why);
		if (rc == 0) {
			leave_volume(r);
			continue;
		}
		if (rc == -EBADMSG)
			return tell_hole(r, &hole, &why, err);
		if (rc < 0)
			return pf_err_set(err, rc, "%s", why.text);
		bool late = !r->claim_judged && is_late(r, result.time_ns);
		r->claim_judged = true;
		if (late)
			return tell_late(r, result.time_ns, err);
		if (is_missing(r, &result))
			return tell_missing(r, result.time_ns, err);
		r->missing = r->missing_end = 0;

		rc = pf_pcp_meta_advance(&r->meta, result.time_ns, &r->damage, err);
		if (rc == 0 && pf_pcp_lacks_add(&r->lacks, &r->meta, &result) < 0)
			rc = pf_err_set(err, -ENOMEM, "%s: no memory", r->base);
		if (rc < 0)
			return rc;
		r->last_ns = result.time_ns;
		pf_pcp_file_take(&r->data, rec);
		*ret_result = result;
		return 1;
	}
}
