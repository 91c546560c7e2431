/* formats/pcp/record.c - labels, descriptors, instance domains and index entries of PCP archives. Source: LOGARCHIVE(5), observed bytes. */
#include "formats/pcp/record.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/time.h"

#define MAGIC UINT32_C(0x50052600)

enum { HOST2 = 64, ZONE2 = 40, TEXT3 = 256, NO_NAME = -1 };

/* Version 3 keeps 64-bit seconds as two words, the low one first; the one word of version 2 has a sign (what pmdumplog of PCP 6.0.3 shows of a time
 * behind 2038 is in 1901). */
int64_t pf_pcp_time(struct pf_be *c, unsigned version)
{
	uint64_t sec = pf_be_u32(c);
	if (version < 3 && sec > INT32_MAX)
		sec = UINT64_MAX;
	if (version >= 3)
		sec |= (uint64_t)pf_be_u32(c) << 32;
	uint64_t sub = pf_be_u32(c);
	if (version < 3)
		sub *= 1000;
	if (c->ran_out || sec > (uint64_t)(INT64_MAX / PF_NS_PER_SEC) - 1 || sub >= (uint64_t)PF_NS_PER_SEC)
		return -1;
	return (int64_t)sec * PF_NS_PER_SEC + (int64_t)sub;
}

void pf_pcp_put_time(struct pf_buf *b, unsigned version, int64_t time_ns)
{
	uint64_t t = time_ns > 0 ? (uint64_t)time_ns : 0;
	uint64_t sec = t / (uint64_t)PF_NS_PER_SEC;
	uint32_t sub = (uint32_t)(t % (uint64_t)PF_NS_PER_SEC);

	pf_be_put_u32(b, (uint32_t)sec);
	if (version >= 3)
		pf_be_put_u32(b, (uint32_t)(sec >> 32));
	pf_be_put_u32(b, version >= 3 ? sub : sub / 1000);
}

/* What stands between the two length words; both were checked by whoever cut the record out of its file. */
static struct pf_be payload(struct pf_view rec)
{
	if (rec.n < 8)
		return (struct pf_be){ .rest = { "", 0 }, .ran_out = true };
	return pf_be_of((struct pf_view){ rec.p + 4, rec.n - 8 });
}

static void copy_text(char *to, size_t size, struct pf_view field)
{
	size_t n = 0;
	while (n < field.n && n + 1 < size && field.p[n] != '\0')
		n++;
	memcpy(to, field.p, n);
	to[n] = '\0';
}

int pf_pcp_label_decode(struct pf_view rec, struct pf_pcp_label *ret_label, struct pf_err *err)
{
	struct pf_be c = payload(rec);
	uint32_t magic = pf_be_u32(&c);
	if (c.ran_out || (magic & UINT32_C(0xffffff00)) != MAGIC)
		return pf_err_set(err, -EBADMSG, "not a PCP archive");

	/* The length tells the layout even if the version does not. */
	struct pf_pcp_label l = { .version = magic & 0xff };
	unsigned layout = rec.n == PF_PCP_LABEL3_LEN ? 3 : 2;
	if (rec.n != PF_PCP_LABEL3_LEN && rec.n != PF_PCP_LABEL2_LEN)
		return pf_err_set(err, -EBADMSG, "label of %zu bytes, not %d or %d", rec.n, PF_PCP_LABEL2_LEN,
				  PF_PCP_LABEL3_LEN);
	uint32_t features = 0;
	l.pid = pf_be_u32(&c);
	l.start_ns = pf_pcp_time(&c, layout);
	l.volume = pf_be_i32(&c);
	if (layout == 3) {
		features = pf_be_u32(&c);
		(void)pf_be_u32(&c); /* reserved */
	}
	copy_text(l.host, sizeof(l.host), pf_be_bytes(&c, layout == 3 ? TEXT3 : HOST2));
	copy_text(l.zone, sizeof(l.zone), pf_be_bytes(&c, layout == 3 ? TEXT3 : ZONE2));
	if (layout == 3)
		copy_text(l.zoneinfo, sizeof(l.zoneinfo), pf_be_bytes(&c, TEXT3));
	if (c.ran_out || l.start_ns < 0)
		return pf_err_set(err, -EBADMSG, "label with an impossible start time");
	*ret_label = l;
	if (l.version != layout)
		return pf_err_set(err, -EPROTO, "label says archive version %u, known are 2 and 3", l.version);
	if (features != 0)
		return pf_err_set(err, -ENOTSUP, "label asks for features 0x%x that are not known here", features);
	return 0;
}

static void put_text(struct pf_buf *b, const char *text, size_t size)
{
	size_t n = strlen(text);
	if (n >= size)
		n = size - 1;
	pf_buf_add(b, text, n);
	pf_buf_pad(b, '\0', size - n);
}

size_t pf_pcp_frame_begin(struct pf_buf *b)
{
	pf_be_put_u32(b, 0);
	return b->n - 4;
}

void pf_pcp_frame_end(struct pf_buf *b, size_t start)
{
	uint32_t len = (uint32_t)(b->n - start + 4);
	pf_be_put_u32(b, len);
	pf_be_set_u32(b, start, len);
}

void pf_pcp_label_encode(struct pf_buf *b, const struct pf_pcp_label *label)
{
	bool v3 = label->version >= 3;
	size_t start = pf_pcp_frame_begin(b);
	pf_be_put_u32(b, MAGIC + label->version);
	pf_be_put_u32(b, label->pid);
	pf_pcp_put_time(b, label->version, label->start_ns);
	pf_be_put_u32(b, (uint32_t)label->volume);
	if (v3) {
		pf_be_put_u32(b, 0);
		pf_be_put_u32(b, 0);
	}
	put_text(b, label->host, v3 ? TEXT3 : HOST2);
	put_text(b, label->zone, v3 ? TEXT3 : ZONE2);
	if (v3)
		put_text(b, label->zoneinfo, TEXT3);
	pf_pcp_frame_end(b, start);
}

uint32_t pf_pcp_units_word(const struct pf_units *u)
{
	return ((uint32_t)u->space & 15) << 28 | ((uint32_t)u->time & 15) << 24 | ((uint32_t)u->count & 15) << 20 |
	       ((uint32_t)u->space_scale & 15) << 16 | ((uint32_t)u->time_scale & 15) << 12 |
	       ((uint32_t)u->count_scale & 15) << 8;
}

static int8_t signed4(uint32_t nibble)
{
	nibble &= 15;
	return (int8_t)(nibble < 8 ? (int)nibble : (int)nibble - 16);
}

struct pf_units pf_pcp_units_of(uint32_t word)
{
	return (struct pf_units){
		.space = signed4(word >> 28),
		.time = signed4(word >> 24),
		.count = signed4(word >> 20),
		.space_scale = (word >> 16) & 15,
		.time_scale = (word >> 12) & 15,
		.count_scale = signed4(word >> 8),
	};
}

bool pf_pcp_name_next(struct pf_view *names, struct pf_view *ret_name)
{
	struct pf_be c = pf_be_of(*names);
	struct pf_view name = pf_be_bytes(&c, pf_be_u32(&c));
	if (c.ran_out)
		return false;
	*names = c.rest;
	*ret_name = name;
	return true;
}

uint32_t pf_pcp_meta_kind(struct pf_view rec)
{
	struct pf_be c = payload(rec);
	return pf_be_u32(&c);
}

struct pf_pcp_desc pf_pcp_desc_take(struct pf_be *c)
{
	struct pf_pcp_desc d = { .pmid = pf_be_u32(c) };
	d.type = pf_be_i32(c);
	d.indom = pf_be_u32(c);
	d.sem = pf_be_i32(c);
	d.units = pf_pcp_units_of(pf_be_u32(c));
	return d;
}

int pf_pcp_desc_decode(struct pf_view rec, struct pf_pcp_desc *ret_desc, struct pf_err *err)
{
	struct pf_be c = payload(rec);
	if (pf_be_u32(&c) != PF_PCP_DESC)
		return pf_err_set(err, -EBADMSG, "not a descriptor");
	struct pf_pcp_desc d = pf_pcp_desc_take(&c);
	d.n_names = pf_be_u32(&c);
	d.names = c.rest;
	if (c.ran_out || d.n_names == 0)
		return pf_err_set(err, -EBADMSG, "descriptor without a name");

	struct pf_view rest = d.names;
	struct pf_view name;
	for (uint32_t i = 0; i < d.n_names; i++) {
		if (!pf_pcp_name_next(&rest, &name) || name.n == 0)
			return pf_err_set(err, -EBADMSG, "descriptor with %u names holds %u", d.n_names, i);
	}
	if (rest.n != 0)
		return pf_err_set(err, -EBADMSG, "descriptor with %zu bytes behind its names", rest.n);
	*ret_desc = d;
	return 0;
}

void pf_pcp_desc_encode(struct pf_buf *b, const struct pf_metric *m, const struct pf_view *names, uint32_t n)
{
	const struct pf_view own = pf_view_of(m->name);
	if (n == 0) {
		names = &own;
		n = 1;
	}
	size_t start = pf_pcp_frame_begin(b);
	pf_be_put_u32(b, PF_PCP_DESC);
	pf_be_put_u32(b, m->pmid);
	pf_be_put_u32(b, (uint32_t)m->type);
	pf_be_put_u32(b, m->indom);
	pf_be_put_u32(b, (uint32_t)m->sem);
	pf_be_put_u32(b, pf_pcp_units_word(&m->units));
	pf_be_put_u32(b, n);
	for (uint32_t i = 0; i < n; i++) {
		pf_be_put_u32(b, (uint32_t)names[i].n);
		pf_buf_view(b, names[i]);
	}
	pf_pcp_frame_end(b, start);
}

static int check_instance(const struct pf_pcp_indom *in, uint32_t i, struct pf_err *err)
{
	int32_t off = (int32_t)pf_be_get_u32(in->offsets, (size_t)i * 4);
	if (off == NO_NAME && in->delta)
		return 0;
	if (off < 0 || (size_t)off >= in->strings.n)
		return pf_err_set(err, -EBADMSG, "name of instance %u lies outside the record", i);
	if (!memchr(in->strings.p + off, '\0', in->strings.n - (size_t)off))
		return pf_err_set(err, -EBADMSG, "name of instance %u does not end inside the record", i);
	return 0;
}

int pf_pcp_indom_decode(struct pf_view rec, struct pf_pcp_indom *ret_indom, struct pf_err *err)
{
	struct pf_be c = payload(rec);
	uint32_t kind = pf_be_u32(&c);
	if (kind != PF_PCP_INDOM2 && kind != PF_PCP_INDOM3 && kind != PF_PCP_DELTA3)
		return pf_err_set(err, -EBADMSG, "not an instance domain");
	struct pf_pcp_indom in = { .delta = kind == PF_PCP_DELTA3 };
	in.time_ns = pf_pcp_time(&c, kind == PF_PCP_INDOM2 ? 2 : 3);
	in.indom = pf_be_u32(&c);
	in.n = pf_be_u32(&c);
	in.ids = pf_be_items(&c, in.n, 4);
	in.offsets = pf_be_items(&c, in.n, 4);
	in.strings = c.rest;
	if (c.ran_out)
		return pf_err_set(err, -EBADMSG, "instance domain of %u instances in a record of %zu bytes", in.n,
				  rec.n);
	if (in.time_ns < 0)
		return pf_err_set(err, -EBADMSG, "instance domain with an impossible time");
	for (uint32_t i = 0; i < in.n; i++) {
		int rc = check_instance(&in, i, err);
		if (rc < 0)
			return rc;
	}
	*ret_indom = in;
	return 0;
}

struct pf_pcp_instance pf_pcp_indom_get(const struct pf_pcp_indom *in, uint32_t i)
{
	struct pf_pcp_instance inst = { .id = (int32_t)pf_be_get_u32(in->ids, (size_t)i * 4) };
	int32_t off = (int32_t)pf_be_get_u32(in->offsets, (size_t)i * 4);
	if (off == NO_NAME && in->delta) {
		inst.removed = true;
		inst.name = (struct pf_view){ "", 0 };
		return inst;
	}
	const char *p = in->strings.p + off;
	inst.name = (struct pf_view){ p, strnlen(p, in->strings.n - (size_t)off) };
	return inst;
}

static void encode_indom(struct pf_buf *b, enum pf_pcp_kind kind, int64_t time_ns, uint32_t indom,
			 const struct pf_pcp_instance *instances, uint32_t n)
{
	size_t start = pf_pcp_frame_begin(b);
	pf_be_put_u32(b, kind);
	pf_pcp_put_time(b, kind == PF_PCP_INDOM2 ? 2 : 3, time_ns);
	pf_be_put_u32(b, indom);
	pf_be_put_u32(b, n);
	for (uint32_t i = 0; i < n; i++)
		pf_be_put_u32(b, (uint32_t)instances[i].id);
	uint32_t off = 0;
	for (uint32_t i = 0; i < n; i++) {
		pf_be_put_u32(b, instances[i].removed ? UINT32_MAX : off);
		off += instances[i].removed ? 0 : (uint32_t)instances[i].name.n + 1;
	}
	for (uint32_t i = 0; i < n; i++) {
		if (instances[i].removed)
			continue;
		pf_buf_view(b, instances[i].name);
		pf_buf_char(b, '\0');
	}
	pf_pcp_frame_end(b, start);
}

void pf_pcp_indom_encode(struct pf_buf *b, unsigned version, int64_t time_ns, uint32_t indom,
			 const struct pf_pcp_instance *instances, uint32_t n)
{
	encode_indom(b, version >= 3 ? PF_PCP_INDOM3 : PF_PCP_INDOM2, time_ns, indom, instances, n);
}

void pf_pcp_delta_encode(struct pf_buf *b, int64_t time_ns, uint32_t indom, const struct pf_pcp_instance *instances,
			 uint32_t n)
{
	encode_indom(b, PF_PCP_DELTA3, time_ns, indom, instances, n);
}

int pf_pcp_entry_decode(struct pf_view bytes, unsigned version, struct pf_pcp_entry *ret_entry, struct pf_err *err)
{
	struct pf_be c = pf_be_of(bytes);
	struct pf_pcp_entry e;
	e.time_ns = pf_pcp_time(&c, version);
	e.volume = pf_be_i32(&c);
	e.meta = version >= 3 ? pf_be_u64(&c) : pf_be_u32(&c);
	e.data = version >= 3 ? pf_be_u64(&c) : pf_be_u32(&c);
	if (c.ran_out)
		return pf_err_set(err, -EBADMSG, "index entry of %zu bytes", bytes.n);
	if (e.time_ns < 0 || e.volume < 0)
		return pf_err_set(err, -EBADMSG, "index entry with an impossible time or volume");
	*ret_entry = e;
	return 0;
}

void pf_pcp_entry_encode(struct pf_buf *b, unsigned version, const struct pf_pcp_entry *entry)
{
	pf_pcp_put_time(b, version, entry->time_ns);
	pf_be_put_u32(b, (uint32_t)entry->volume);
	if (version >= 3) {
		pf_be_put_u64(b, entry->meta);
		pf_be_put_u64(b, entry->data);
	} else {
		pf_be_put_u32(b, (uint32_t)entry->meta);
		pf_be_put_u32(b, (uint32_t)entry->data);
	}
}
