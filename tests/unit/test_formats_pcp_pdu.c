/* formats/pcp/pdu: messages of a real pmcd 6.0.3 to structs, requests as its own clients send them; lengths and counts that lie. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "formats/pcp/pdu.h"

#define BYTES(literal) ((struct pf_view){ literal, sizeof(literal) - 1 })

/* Sent by pmcd. */
#define HELLO "\0\0\0\x14\0\0\x70\0\0\0\0\0\0\0\0\0\x02\x01\x0e\x44"
#define IDS                                                                                                            \
	"\0\0\0\x20\0\0\x70\x0d\0\0\0\0\0\0\0\x02\0\0\0\x03"                                                           \
	"\x0f\0\x08\0\x07\x40\0\x1f\xff\xff\xff\xff"
#define INSTANCES                                                                                                      \
	"\0\0\0\x48\0\0\x70\x07\0\0\0\0\x0f\0\0\x02\0\0\0\x03\0\0\0\x01\0\0\0\x08"                                     \
	"1 minute\0\0\0\x05\0\0\0\x08"                                                                                 \
	"5 minute\0\0\0\x0f\0\0\0\x09"                                                                                 \
	"15 minute~~~"
#define RESULT                                                                                                         \
	"\0\0\0\x84\0\0\x70\x15\0\0\0\0\0\0\0\x02\0\0\0\0\x6b\x0c\xf5\x39\0\0\0\0\x21\xd4\x4e\xc3"                     \
	"\x0f\0\x08\0\0\0\0\x03\0\0\0\x01\0\0\0\x01\0\0\0\x16\0\0\0\x05\0\0\0\x18\0\0\0\x0f\0\0\0\x1a"                 \
	"\x07\x40\0\x1f\0\0\0\x01\0\0\0\x01\xff\xff\xff\xff\0\0\0\x1c"                                                 \
	"\x04\0\0\x08\x3f\x42\x8f\x5c\x04\0\0\x08\x3f\x0a\x3d\x71\x04\0\0\x08\x3e\x9e\xb8\x52"                         \
	"\x06\0\0\x11hello world!\0~~~"
#define LABELS                                                                                                         \
	"\0\0\0\x5f\0\0\x70\x13\0\0\0\0\0\0\0\x1d\0\0\0\x02\0\0\0\0\0\0\0\x01"                                         \
	"\xff\xff\xff\xff\0\0\0\x02\0\0\0\x3c\0\0\0\x23\0\x02\x05\x02\0\x09\0\x08\0\x13\x04\x02\0\x19\0\x09"           \
	"{\"agent\":\"sample\",\"role\":\"testing\"}"
#define DESCS                                                                                                          \
	"\0\0\0\x38\0\0\x70\x17\0\0\0\0\0\0\0\x02\x0f\0\x08\0\0\0\0\x04\x0f\0\0\x02\0\0\0\x03\0\0\0\0"                 \
	"\xff\xff\xff\xff\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
#define TEXT "\0\0\0\x1c\0\0\x70\x09\0\0\0\0\0\x08\0\x0f\0\0\0\x07load av~"
#define NAMES                                                                                                          \
	"\0\0\0\x30\0\0\x70\x0e\0\0\0\0\0\0\0\x10\0\0\0\0\0\0\0\x02\0\0\0\x07"                                         \
	"a.b.one~\0\0\0\x07"                                                                                           \
	"a.b.two~"

static struct pf_pdu cut(struct pf_view bytes)
{
	struct pf_pdu pdu;
	size_t need;
	assert_int_equal(pf_pdu_cut(bytes, &pdu, &need, NULL), 1);
	return pdu;
}

static void a_greeting_says_what_the_pmcd_can_do(void **state)
{
	(void)state;
	struct pf_pdu pdu = cut(BYTES(HELLO));
	struct pf_pdu_hello h;
	assert_int_equal(pf_pdu_hello(&pdu, &h, NULL), 0);
	assert_int_equal(h.code, 0);
	assert_int_equal(h.version, 2);
	assert_int_equal(h.features & (PF_PDU_HAS_LABELS | PF_PDU_HAS_HIGHRES | PF_PDU_HAS_DESCS), 0xe00);

	pdu = cut(BYTES("\0\0\0\x14\0\0\x70\0\0\0\0\0\xff\xff\xfb\xed\x02\x01\x0e\x44"));
	assert_int_equal(pf_pdu_hello(&pdu, &h, NULL), 0);
	assert_int_equal(h.code, -12388); /* sent as -1043 */

	struct pf_err err = { 0 };
	pdu = cut(BYTES("\0\0\0\x14\0\0\x70\0\0\0\0\0\0\0\0\0\x01\x01\x0e\x44"));
	assert_int_equal(pf_pdu_hello(&pdu, &h, &err), -EBADMSG);
	assert_string_equal(err.text, "it speaks version 1 of the protocol, not 2");
}

static void answers_become_names_numbers_instances_and_texts(void **state)
{
	(void)state;
	struct pf_pdu pdu = cut(BYTES(IDS));
	struct pf_pdu_ids ids;
	assert_int_equal(pf_pdu_ids(&pdu, &ids, NULL), 0);
	assert_int_equal(ids.n, 3);
	assert_true(pf_pdu_ids_get(&ids, 1) == 0x0740001f);
	assert_true(pf_pdu_ids_get(&ids, 2) == UINT32_MAX);

	pdu = cut(BYTES(INSTANCES));
	struct pf_pdu_instances in;
	struct pf_pcp_instance inst;
	assert_int_equal(pf_pdu_instances(&pdu, &in, NULL), 0);
	assert_int_equal(in.indom, 0x0f000002);
	static const char *const names[] = { "1 minute", "5 minute", "15 minute" };
	static const int32_t numbers[] = { 1, 5, 15 };
	for (unsigned i = 0; i < 3; i++) {
		assert_true(pf_pdu_instances_next(&in, &inst));
		assert_int_equal(inst.id, numbers[i]);
		assert_true(pf_view_is(inst.name, names[i]));
	}
	assert_false(pf_pdu_instances_next(&in, &inst));

	pdu = cut(BYTES(TEXT));
	struct pf_view text;
	uint32_t of;
	assert_int_equal(pf_pdu_text(&pdu, &of, &text, NULL), 0);
	assert_true(pf_view_is(text, "load av"));
	assert_int_equal(of, 0x0008000f);

	pdu = cut(BYTES(NAMES));
	struct pf_pdu_names list;
	struct pf_view name;
	assert_int_equal(pf_pdu_names(&pdu, &list, NULL), 0);
	assert_true(pf_pdu_names_next(&list, &name));
	assert_true(pf_view_is(name, "a.b.one"));
	assert_true(pf_pdu_names_next(&list, &name));
	assert_true(pf_view_is(name, "a.b.two"));
	assert_false(pf_pdu_names_next(&list, &name));
}

static void descriptors_are_those_of_archives(void **state)
{
	(void)state;
	struct pf_pdu pdu = cut(BYTES(DESCS));
	struct pf_pdu_descs descs;
	struct pf_pcp_desc d;
	assert_int_equal(pf_pdu_descs(&pdu, &descs, NULL), 0);
	assert_true(pf_pdu_descs_next(&descs, &d));
	assert_int_equal(d.pmid, 0x0f000800);
	assert_int_equal(d.type, PF_FLOAT);
	assert_int_equal(d.indom, 0x0f000002);
	assert_int_equal(d.sem, PF_INSTANT);
	assert_true(pf_pdu_descs_next(&descs, &d));
	assert_true(d.pmid == UINT32_MAX);
	assert_false(pf_pdu_descs_next(&descs, &d));

	pdu = cut(BYTES("\0\0\0\x20\0\0\x70\x05\0\0\0\0\x0f\0\x08\0\0\0\0\x04\x0f\0\0\x02\0\0\0\x03\0\x10\0\0"));
	assert_int_equal(pf_pdu_descs(&pdu, &descs, NULL), 0);
	assert_true(pf_pdu_descs_next(&descs, &d));
	assert_int_equal(d.units.count, 1);
}

static void values_are_found_by_words_from_the_first_byte(void **state)
{
	(void)state;
	struct pf_pdu pdu = cut(BYTES(RESULT));
	struct pf_pcp_result r;
	struct pf_pcp_set set;
	struct pf_pcp_value v;
	double d;
	assert_int_equal(pf_pdu_result(&pdu, &r, NULL), 0);
	assert_true(r.time_ns == INT64_C(0x6b0cf539) * 1000000000 + 0x21d44ec3);
	assert_int_equal(r.n, 2);
	assert_int_equal(pf_pcp_result_next(&r, &set, NULL), 1);
	assert_int_equal(set.pmid, 0x0f000800);
	assert_int_equal(set.n, 3);
	assert_int_equal(pf_pcp_set_get(&set, 2, &v, NULL), 0);
	assert_int_equal(v.inst, 15);
	assert_int_equal(pf_pcp_value_double(&v, PF_FLOAT, &d), 0);
	assert_true(d > 0.309 && d < 0.311);
	assert_int_equal(pf_pcp_result_next(&r, &set, NULL), 1);
	assert_int_equal(pf_pcp_set_get(&set, 0, &v, NULL), 0);
	assert_true(pf_view_is(pf_pcp_value_text(&v), "hello world!"));
	assert_int_equal(pf_pcp_result_next(&r, &set, NULL), 0);
}

static void an_older_pmcd_tells_microseconds_and_errors_instead_of_values(void **state)
{
	(void)state;
	struct pf_pdu pdu = cut(BYTES("\0\0\0\x20\0\0\x70\x01\0\0\0\0\x6b\x0c\xf5\x39\0\0\0\x07\0\0\0\x01"
				      "\x0f\0\x08\0\xff\xff\xcf\x9e"));
	struct pf_pcp_result r;
	struct pf_pcp_set set;
	assert_int_equal(pf_pdu_result(&pdu, &r, NULL), 0);
	assert_true(r.time_ns == INT64_C(0x6b0cf539) * 1000000000 + 7000);
	assert_int_equal(pf_pcp_result_next(&r, &set, NULL), 1);
	assert_int_equal(set.n, -12386);
}

static void labels_are_those_of_archives(void **state)
{
	(void)state;
	struct pf_pdu pdu = cut(BYTES(LABELS));
	struct pf_pcp_labels l;
	struct pf_arena room = { 0 };
	const struct pf_label_set *sets;
	assert_int_equal(pf_pdu_labels(&pdu, &l, NULL), 0);
	assert_int_equal(l.owner, PF_OF_DOMAIN);
	assert_int_equal(l.ident, 29);
	assert_int_equal(pf_pcp_labels_unpack(&l, &room, &sets), 0);
	assert_int_equal(sets[0].n, 2);
	assert_true(pf_view_is(sets[0].labels[0].name, "agent"));
	assert_true(pf_view_is(sets[0].labels[0].value, "\"sample\""));
	assert_true(pf_view_is(sets[0].labels[1].name, "role"));
	assert_true(pf_view_is(sets[0].labels[1].value, "\"testing\""));
	pf_arena_done(&room);
}

static void assert_sent(struct pf_buf *b, struct pf_view expected)
{
	assert_int_equal(b->failed, 0);
	assert_int_equal(b->n, expected.n);
	assert_memory_equal(b->p, expected.p, expected.n);
	pf_buf_clear(b);
}

static void requests_are_those_of_pcp(void **state)
{
	(void)state;
	struct pf_buf b = { 0 };
	pf_pdu_put_creds(&b);
	assert_sent(&b, BYTES("\0\0\0\x14\0\0\x70\x0c\0\0\0\0\0\0\0\x01\x01\x02\0\0"));
	const struct pf_view names[] = { PF_VIEW("kernel.all.load"), PF_VIEW("sample.string.hullo"),
					 PF_VIEW("no.such") };
	pf_pdu_put_names(&b, names, 3);
	assert_sent(&b, BYTES("\0\0\0\x50\0\0\x70\x0e\0\0\0\0\0\0\0\x2c\0\0\0\0\0\0\0\x03\0\0\0\x0fkernel.all.load~"
			      "\0\0\0\x13sample.string.hullo~\0\0\0\x07no.such~"));
	pf_pdu_put_instances(&b, 0x0f000002);
	assert_sent(&b, BYTES("\0\0\0\x20\0\0\x70\x06\0\0\0\0\x0f\0\0\x02\0\0\0\0\0\0\0\0\xff\xff\xff\xff\0\0\0\0"));
	const uint32_t pmids[] = { 0x0f000800, 0x0740001f };
	pf_pdu_put_fetch(&b, true, pmids, 2);
	assert_sent(
		&b,
		BYTES("\0\0\0\x24\0\0\x70\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02\x0f\0\x08\0\x07\x40\0\x1f"));
	pf_pdu_put_fetch(&b, false, pmids, 0);
	assert_sent(&b, BYTES("\0\0\0\x1c\0\0\x70\x03\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"));
	pf_pdu_put_profile(&b, NULL, 0);
	assert_sent(&b, BYTES("\0\0\0\x1c\0\0\x70\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"));
	const int32_t ids[] = { 1, 15 };
	const int32_t other[] = { 7 };
	const struct pf_pdu_profile some[] = { { 0x0f000002, ids, 2 }, { 0x0f00000e, other, 1 } };
	pf_pdu_put_profile(&b, some, 1);
	assert_sent(&b, BYTES("\0\0\0\x34\0\0\x70\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\0"
			      "\x0f\0\0\x02\0\0\0\x01\0\0\0\x02\0\0\0\0\0\0\0\x01\0\0\0\x0f"));
	pf_pdu_put_profile(&b, some, 2);
	assert_sent(&b, BYTES("\0\0\0\x48\0\0\x70\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02\0\0\0\0"
			      "\x0f\0\0\x02\0\0\0\x01\0\0\0\x02\0\0\0\0\x0f\0\0\x0e\0\0\0\x01\0\0\0\x01\0\0\0\0"
			      "\0\0\0\x01\0\0\0\x0f\0\0\0\x07"));
	pf_pdu_put_descs(&b, pmids, 2);
	assert_sent(&b, BYTES("\0\0\0\x1c\0\0\x70\x16\0\0\0\0\xff\xff\xff\xff\0\0\0\x02\x0f\0\x08\0\x07\x40\0\x1f"));
	pf_pdu_put_desc(&b, pmids[0]);
	assert_sent(&b, BYTES("\0\0\0\x10\0\0\x70\x04\0\0\0\0\x0f\0\x08\0"));
	pf_pdu_put_traverse(&b, PF_VIEW("hinv"));
	assert_sent(&b, BYTES("\0\0\0\x18\0\0\x70\x10\0\0\0\0\0\0\0\0\0\0\0\x04hinv"));
	pf_pdu_put_text(&b, pmids[0], 5);
	assert_sent(&b, BYTES("\0\0\0\x14\0\0\x70\x08\0\0\0\0\x0f\0\x08\0\0\0\0\x05"));
	pf_pdu_put_labels(&b, PF_OF_CONTEXT, UINT32_MAX);
	assert_sent(&b, BYTES("\0\0\0\x14\0\0\x70\x12\0\0\0\0\xff\xff\xff\xff\0\0\0\x01"));
	pf_buf_done(&b);
}

static void a_message_in_pieces_is_waited_for(void **state)
{
	(void)state;
	struct pf_view whole = BYTES(HELLO IDS);
	struct pf_pdu pdu;
	size_t need;
	for (size_t n = 0; n < 20; n++) {
		assert_int_equal(pf_pdu_cut((struct pf_view){ whole.p, n }, &pdu, &need, NULL), 0);
		assert_int_equal(need, n < PF_PDU_HEAD ? PF_PDU_HEAD : 20);
	}
	assert_int_equal(pf_pdu_cut(whole, &pdu, &need, NULL), 1);
	assert_int_equal(pdu.bytes.n, 20);

	struct pf_err err = { 0 };
	assert_int_equal(pf_pdu_cut(BYTES("\0\0\0\x0b\0\0\x70\0\0\0\0\0"), &pdu, &need, &err), -EBADMSG);
	assert_string_equal(err.text, "a message that claims to have 11 bytes");
	assert_int_equal(pf_pdu_cut(BYTES("\x7f\xff\xff\xff\0\0\x70\0\0\0\0\0"), &pdu, &need, NULL), -EBADMSG);
}

/* Every decoder on a message: what it says of one that is cut or that counts more than it has. */
static int decode(const struct pf_pdu *pdu)
{
	struct pf_pdu_ids ids;
	struct pf_pdu_names names;
	struct pf_pdu_descs descs;
	struct pf_pdu_instances in;
	struct pf_pcp_result r;
	struct pf_pcp_labels l;
	struct pf_view text;
	uint32_t of;
	switch (pdu->type) {
	case PF_PDU_IDS:
		return pf_pdu_ids(pdu, &ids, NULL);
	case PF_PDU_NAMES:
		return pf_pdu_names(pdu, &names, NULL);
	case PF_PDU_DESCS:
		return pf_pdu_descs(pdu, &descs, NULL);
	case PF_PDU_INSTANCE:
		return pf_pdu_instances(pdu, &in, NULL);
	case PF_PDU_LABEL:
		return pf_pdu_labels(pdu, &l, NULL);
	case PF_PDU_TEXT:
		return pf_pdu_text(pdu, &of, &text, NULL);
	default:
		return pf_pdu_result(pdu, &r, NULL);
	}
}

static void a_message_that_is_cut_is_refused(void **state)
{
	(void)state;
	static const struct {
		struct pf_view bytes;
		size_t spare; /* padding that may be missing */
	} whole[] = { { BYTES(IDS), 0 },   { BYTES(INSTANCES), 3 }, { BYTES(RESULT), 3 }, { BYTES(LABELS), 0 },
		      { BYTES(DESCS), 0 }, { BYTES(TEXT), 1 },	    { BYTES(NAMES), 1 } };
	for (unsigned i = 0; i < PF_N(whole); i++) {
		struct pf_pdu pdu = cut(whole[i].bytes);
		assert_int_equal(decode(&pdu), 0);
		for (size_t n = PF_PDU_HEAD; n < whole[i].bytes.n; n++) {
			pf_autofree char *copy = malloc(n); /* of just that size, so that a byte too far is seen */
			assert_non_null(copy);
			memcpy(copy, whole[i].bytes.p, n);
			const struct pf_pdu less = { .type = pdu.type, .bytes = { copy, n } };
			assert_int_equal(decode(&less), n + whole[i].spare >= whole[i].bytes.n ? 0 : -EBADMSG);
		}
	}
}

static void counts_and_places_that_lie_are_refused(void **state)
{
	(void)state;
	static const struct {
		struct pf_view bytes;
		size_t at;
		uint32_t word;
	} lies[] = {
		{ BYTES(IDS), 16, 4 },
		{ BYTES(IDS), 16, UINT32_MAX },
		{ BYTES(INSTANCES), 16, 4 },
		{ BYTES(INSTANCES), 24, 0x7fffffff },
		{ BYTES(RESULT), 12, 3 },
		{ BYTES(RESULT), 12, UINT32_MAX },
		{ BYTES(RESULT), 28, 1000000000 },
		{ BYTES(RESULT), 16, 1 },	   /* a time behind 2106 */
		{ BYTES(RESULT), 36, 0x7fffffff }, /* values */
		{ BYTES(RESULT), 40, 3 },
		{ BYTES(RESULT), 48, 0x21 }, /* their form, a place */
		{ BYTES(RESULT), 48, UINT32_MAX },
		{ BYTES(RESULT), 112, 0x06000015 }, /* length of a block */
		{ BYTES(LABELS), 24, 2 },
		{ BYTES(LABELS), 32, 100 }, /* sets, labels */
		{ BYTES(LABELS), 36, 0x3d },
		{ BYTES(LABELS), 40, 0x24 }, /* their text */
		{ BYTES(LABELS), 44, 0x23 << 16 | 0x0502 },
		{ BYTES(DESCS), 12, 3 },
		{ BYTES(TEXT), 16, 9 },
		{ BYTES(NAMES), 20, 3 },
		{ BYTES(NAMES), 24, 0 },
	};
	for (unsigned i = 0; i < PF_N(lies); i++) {
		struct pf_buf b = { 0 };
		pf_buf_view(&b, lies[i].bytes);
		pf_be_set_u32(&b, lies[i].at, lies[i].word);
		struct pf_pdu pdu = cut(pf_buf_text(&b));
		if (decode(&pdu) != -EBADMSG)
			fail_msg("lie %u was believed", i);
		pf_buf_done(&b);
	}
}

/* A message must not grow when it is read. */
static void values_and_labels_do_not_share_their_bytes(void **state)
{
	(void)state;
	for (unsigned n = 1; n <= 40; n += 39) {
		struct pf_buf b = { 0 };
		size_t sets = 32 + 12 + (size_t)n * 8;
		pf_be_put_u32(&b, (uint32_t)sets + 1004);
		pf_be_put_u32(&b, PF_PDU_HIGHRES_RESULT);
		pf_be_put_u32(&b, 0);
		pf_be_put_u32(&b, 1);
		pf_be_put_u64(&b, 1);
		pf_be_put_u64(&b, 1);
		pf_be_put_u32(&b, 0x0f000800);
		pf_be_put_u32(&b, n);
		pf_be_put_u32(&b, 1);
		for (unsigned i = 0; i < n; i++) {
			pf_be_put_u32(&b, i);
			pf_be_put_u32(&b, (uint32_t)sets / 4);
		}
		pf_be_put_u32(&b, 6 << 24 | 1004);
		pf_buf_pad(&b, 'x', 1000);
		struct pf_pdu pdu = cut(pf_buf_text(&b));
		struct pf_pcp_result r;
		assert_int_equal(pf_pdu_result(&pdu, &r, NULL), n == 1 ? 0 : -EBADMSG);

		sets = 28 + (size_t)n * 24;
		pf_buf_clear(&b);
		pf_be_put_u32(&b, (uint32_t)sets + 1000);
		pf_be_put_u32(&b, PF_PDU_LABEL);
		pf_be_put_u32(&b, 0);
		pf_be_put_u32(&b, 0x0f000002);
		pf_be_put_u32(&b, PF_OF_INSTANCES);
		pf_be_put_u32(&b, 0);
		pf_be_put_u32(&b, n);
		for (unsigned i = 0; i < n; i++) {
			pf_be_put_u32(&b, i);
			pf_be_put_u32(&b, 1);
			pf_be_put_u32(&b, (uint32_t)sets);
			pf_be_put_u32(&b, 1000);
			pf_be_put_u32(&b, 0x00010100);
			pf_be_put_u32(&b, 0x00030001);
		}
		pf_buf_pad(&b, 'x', 1000);
		pdu = cut(pf_buf_text(&b));
		struct pf_pcp_labels l;
		assert_int_equal(pf_pdu_labels(&pdu, &l, NULL), n == 1 ? 0 : -EBADMSG);
		pf_buf_done(&b);
	}
}

static void another_message_than_was_asked_for_is_named(void **state)
{
	(void)state;
	struct pf_pdu pdu = cut(BYTES(IDS));
	struct pf_err err = { 0 };
	struct pf_view text;
	uint32_t of;
	assert_int_equal(pf_pdu_text(&pdu, &of, &text, &err), -EBADMSG);
	assert_string_equal(err.text, "a message of type 0x700d where a help text should be");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_greeting_says_what_the_pmcd_can_do),
		cmocka_unit_test(answers_become_names_numbers_instances_and_texts),
		cmocka_unit_test(descriptors_are_those_of_archives),
		cmocka_unit_test(values_are_found_by_words_from_the_first_byte),
		cmocka_unit_test(an_older_pmcd_tells_microseconds_and_errors_instead_of_values),
		cmocka_unit_test(labels_are_those_of_archives),
		cmocka_unit_test(requests_are_those_of_pcp),
		cmocka_unit_test(a_message_in_pieces_is_waited_for),
		cmocka_unit_test(a_message_that_is_cut_is_refused),
		cmocka_unit_test(counts_and_places_that_lie_are_refused),
		cmocka_unit_test(values_and_labels_do_not_share_their_bytes),
		cmocka_unit_test(another_message_than_was_asked_for_is_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
