/* formats/pcp/labels.c - labels and help texts of PCP archives. Source: LOGARCHIVE(5), observed bytes: the sets stand one behind the other, each
 * with its JSON inside. */
#include "formats/pcp/labels.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "formats/pcp/record.h"

enum { ENTRY = 8 };

static void take_count(struct pf_pcp_packed_set *s, uint32_t n)
{
	if (n > INT32_MAX)
		s->error = (int32_t)n; /* a code in place of a count */
	else
		s->n = n;
}

/* In archives the text stands inside the set, on the wire the set tells where it is. */
static bool take_set(const struct pf_pcp_labels *l, struct pf_be *c, struct pf_pcp_packed_set *ret_set)
{
	struct pf_pcp_packed_set s = { .inst = pf_be_i32(c) };
	if (l->pdu.n > 0) {
		take_count(&s, pf_be_u32(c));
		struct pf_be text = pf_be_of(l->pdu);
		(void)pf_be_bytes(&text, pf_be_u32(c));
		s.json = pf_be_bytes(&text, pf_be_u32(c));
		c->ran_out |= text.ran_out && s.n > 0;
	} else {
		s.json = pf_be_bytes(c, pf_be_u32(c));
		take_count(&s, pf_be_u32(c));
	}
	s.entries = pf_be_items(c, s.n, ENTRY);
	*ret_set = s;
	return !c->ran_out;
}

static struct pf_view part(struct pf_view json, uint32_t off, uint32_t n)
{
	return off <= json.n && n <= json.n - off ? (struct pf_view){ json.p + off, n } : (struct pf_view){ NULL, 0 };
}

struct pf_label pf_pcp_labels_get(const struct pf_pcp_packed_set *set, uint32_t i)
{
	size_t at = (size_t)i * ENTRY;
	uint32_t name = pf_be_get_u32(set->entries, at);
	uint32_t value = pf_be_get_u32(set->entries, at + 4);
	return (struct pf_label){ .name = part(set->json, name >> 16, name >> 8 & 255),
				  .value = part(set->json, value >> 16, value & 65535),
				  .flags = (uint8_t)name };
}

static int check_set(const struct pf_pcp_packed_set *set, struct pf_err *err)
{
	for (uint32_t i = 0; i < set->n; i++) {
		struct pf_label l = pf_pcp_labels_get(set, i);
		if (!l.name.p || !l.value.p)
			return pf_err_set(err, -EBADMSG, "label %u of %u lies outside its text", i, set->n);
	}
	return 0;
}

int pf_pcp_labels_check(const struct pf_pcp_labels *l, struct pf_err *err)
{
	struct pf_be c = l->cursor;
	size_t left = l->pdu.n;
	for (uint32_t i = 0; i < l->n; i++) {
		struct pf_pcp_packed_set set;
		if (!take_set(l, &c, &set))
			return pf_err_set(err, -EBADMSG, "label set %u of %u claims more than the record holds", i,
					  l->n);
		int rc = check_set(&set, err);
		if (rc < 0)
			return rc;
		if (l->pdu.n == 0)
			continue; /* one behind the other */
		if (set.json.n > left)
			return pf_err_set(err, -EBADMSG, "label sets that share their text");
		left -= set.json.n;
	}
	return 0;
}

int pf_pcp_labels_decode(struct pf_view rec, struct pf_pcp_labels *ret_labels, struct pf_err *err)
{
	uint32_t kind = pf_pcp_meta_kind(rec);
	if (kind != PF_PCP_LABELS2 && kind != PF_PCP_LABELS3)
		return pf_err_set(err, -EBADMSG, "no labels");
	struct pf_pcp_labels l = { .cursor = pf_be_of((struct pf_view){ rec.p + 8, rec.n - 12 }) };
	l.time_ns = pf_pcp_time(&l.cursor, kind == PF_PCP_LABELS2 ? 2 : 3);
	l.owner = pf_be_u32(&l.cursor);
	l.ident = pf_be_u32(&l.cursor);
	l.n = pf_be_u32(&l.cursor);
	if (l.cursor.ran_out)
		return pf_err_set(err, -EBADMSG, "label record is too short");
	if (l.time_ns < 0)
		return pf_err_set(err, -EBADMSG, "labels with an impossible time");
	int rc = pf_pcp_labels_check(&l, err);
	if (rc == 0)
		*ret_labels = l;
	return rc;
}

bool pf_pcp_labels_next(struct pf_pcp_labels *l, struct pf_pcp_packed_set *ret_set)
{
	if (l->n == 0 || !take_set(l, &l->cursor, ret_set))
		return false;
	l->n--;
	return true;
}

int pf_pcp_labels_unpack(struct pf_pcp_labels *l, struct pf_arena *room, const struct pf_label_set **ret_sets)
{
	struct pf_pcp_packed_set packed;
	struct pf_label_set *sets = pf_arena_alloc(room, l->n * sizeof(*sets));
	if (!sets)
		return -ENOMEM;
	for (uint32_t s = 0; pf_pcp_labels_next(l, &packed); s++) {
		struct pf_label *labels = pf_arena_alloc(room, packed.n * sizeof(*labels));
		if (!labels)
			return -ENOMEM;
		for (uint32_t i = 0; i < packed.n; i++)
			labels[i] = pf_pcp_labels_get(&packed, i);
		sets[s] = (struct pf_label_set){ packed.inst, packed.error, packed.json, labels, packed.n };
	}
	*ret_sets = sets;
	return 0;
}

static void put_set(struct pf_buf *b, const struct pf_label_set *set)
{
	pf_be_put_u32(b, (uint32_t)set->inst);
	pf_be_put_u32(b, (uint32_t)set->json.n);
	pf_buf_view(b, set->json);
	pf_be_put_u32(b, set->error < 0 ? (uint32_t)set->error : set->n);
	for (uint32_t i = 0; i < set->n; i++) {
		const struct pf_label *l = &set->labels[i];
		pf_be_put_u32(b, (uint32_t)(l->name.p - set->json.p) << 16 | (uint32_t)l->name.n << 8 | l->flags);
		pf_be_put_u32(b, (uint32_t)(l->value.p - set->json.p) << 16 | (uint32_t)l->value.n);
	}
}

void pf_pcp_labels_quote(struct pf_buf *b, struct pf_view text)
{
	pf_buf_char(b, '"');
	for (size_t i = 0; i < text.n; i++) {
		if ((unsigned char)text.p[i] < 0x20) {
			pf_buf_fmt(b, "\\u%04x", (unsigned char)text.p[i]);
			continue;
		}
		if (text.p[i] == '"' || text.p[i] == '\\')
			pf_buf_char(b, '\\');
		pf_buf_char(b, text.p[i]);
	}
	pf_buf_char(b, '"');
}

void pf_pcp_labels_encode(struct pf_buf *b, unsigned version, int64_t time_ns, enum pf_owner owner, uint32_t ident,
			  const struct pf_label_set *sets, uint32_t n)
{
	size_t start = pf_pcp_frame_begin(b);
	pf_be_put_u32(b, version >= 3 ? PF_PCP_LABELS3 : PF_PCP_LABELS2);
	pf_pcp_put_time(b, version, time_ns);
	pf_be_put_u32(b, owner);
	pf_be_put_u32(b, ident);
	pf_be_put_u32(b, n);
	for (uint32_t i = 0; i < n; i++)
		put_set(b, &sets[i]);
	pf_pcp_frame_end(b, start);
}

static int hex4(struct pf_view v, size_t at, uint32_t *ret_v)
{
	uint32_t code = 0;
	for (size_t i = at; i < at + 4; i++) {
		char c = i < v.n ? pf_ascii_lower(v.p[i]) : '\0';
		if (c >= '0' && c <= '9')
			code = code << 4 | (uint32_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			code = code << 4 | (uint32_t)(c - 'a' + 10);
		else
			return -EINVAL;
	}
	*ret_v = code;
	return 0;
}

static void put_utf8(struct pf_buf *b, uint32_t code)
{
	if (code < 0x80) {
		pf_buf_char(b, (char)code);
		return;
	}
	unsigned more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
	static const unsigned char lead[] = { 0, 0xc0, 0xe0, 0xf0 };
	pf_buf_char(b, (char)(unsigned char)(lead[more] | code >> 6 * more));
	while (more-- > 0)
		pf_buf_char(b, (char)(unsigned char)(0x80 | (code >> 6 * more & 0x3f)));
}

/* The escape whose backslash is at @at. Return: bytes of it, 0 if there is none such. */
static size_t put_escape(struct pf_buf *b, struct pf_view v, size_t at)
{
	static const char names[] = "\"\\/bfnrt";
	static const char means[] = "\"\\/\b\f\n\r\t";
	const char *known = at + 1 < v.n && v.p[at + 1] ? strchr(names, v.p[at + 1]) : NULL;
	uint32_t code;
	uint32_t low;
	if (known) {
		pf_buf_char(b, means[known - names]);
		return 2;
	}
	if (at + 1 >= v.n || v.p[at + 1] != 'u' || hex4(v, at + 2, &code) < 0)
		return 0;
	if (code < 0xd800 || code > 0xdfff) {
		put_utf8(b, code);
		return 6;
	}
	if (code > 0xdbff || at + 7 >= v.n || v.p[at + 6] != '\\' || v.p[at + 7] != 'u' || hex4(v, at + 8, &low) < 0 ||
	    low < 0xdc00 || low > 0xdfff)
		return 0;
	put_utf8(b, 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00));
	return 12;
}

void pf_pcp_label_text(struct pf_buf *b, struct pf_view value)
{
	if (value.n < 2 || value.p[0] != '"' || value.p[value.n - 1] != '"') {
		pf_buf_view(b, value);
		return;
	}
	struct pf_view text = { value.p + 1, value.n - 2 };
	for (size_t i = 0; i < text.n;) {
		size_t n = text.p[i] == '\\' ? put_escape(b, text, i) : 0;
		if (n == 0)
			pf_buf_char(b, text.p[i++]);
		i += n;
	}
}

int pf_pcp_text_decode(struct pf_view rec, struct pf_pcp_text *ret_text, struct pf_err *err)
{
	if (pf_pcp_meta_kind(rec) != PF_PCP_TEXT)
		return pf_err_set(err, -EBADMSG, "no help text");
	struct pf_be c = pf_be_of((struct pf_view){ rec.p + 8, rec.n - 12 });
	struct pf_pcp_text t = { .type = pf_be_u32(&c) };
	t.ident = pf_be_u32(&c);
	t.text = (struct pf_view){ c.rest.p, strnlen(c.rest.p, c.rest.n) };
	if (c.ran_out || t.text.n == c.rest.n)
		return pf_err_set(err, -EBADMSG, "help text without end");
	uint32_t size = t.type & (PF_PCP_TEXT_LINE | PF_PCP_TEXT_HELP);
	uint32_t of = t.type - size;
	if ((size != PF_PCP_TEXT_LINE && size != PF_PCP_TEXT_HELP) ||
	    (of != PF_PCP_TEXT_OF_METRIC && of != PF_PCP_TEXT_OF_INDOM))
		return pf_err_set(err, -EBADMSG, "help text of the unknown type %u", t.type);
	*ret_text = t;
	return 0;
}

void pf_pcp_text_encode(struct pf_buf *b, const struct pf_pcp_text *text)
{
	size_t start = pf_pcp_frame_begin(b);
	pf_be_put_u32(b, PF_PCP_TEXT);
	pf_be_put_u32(b, text->type);
	pf_be_put_u32(b, text->ident);
	pf_buf_view(b, text->text);
	pf_buf_char(b, '\0');
	pf_pcp_frame_end(b, start);
}
