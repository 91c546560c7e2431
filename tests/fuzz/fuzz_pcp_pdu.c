/* What a pmcd answers, in any bytes: messages one behind the other, each taken for every kind of answer and read to its end. What was found whole
 * can be read wholly. */
#include <stdint.h>
#include <stdlib.h>

#include "base/arena.h"
#include "formats/pcp/events.h"
#include "formats/pcp/pdu.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_values(const struct pf_pdu *pdu)
{
	struct pf_pcp_result r;
	struct pf_pcp_set set;
	int rc = pf_pdu_result(pdu, &r, NULL);
	while (rc == 0 && (rc = pf_pcp_result_next(&r, &set, NULL)) == 1) {
		rc = 0;
		for (uint32_t i = 0; set.n > 0 && i < (uint32_t)set.n; i++) {
			struct pf_pcp_value v;
			struct pf_pcp_events e;
			uint64_t u;
			double d;
			if (pf_pcp_set_get(&set, i, &v, NULL) < 0)
				abort();
			for (int32_t type = PF_S32; type <= PF_DOUBLE; type++) {
				(void)pf_pcp_value_u64(&v, type, &u);
				(void)pf_pcp_value_double(&v, type, &d);
			}
			if (pf_pcp_value_text(&v).n > v.bytes.n)
				abort();
			(void)pf_pcp_events_decode(v.bytes, true, &e, NULL);
		}
	}
}

static void read_lists(const struct pf_pdu *pdu)
{
	struct pf_pdu_names names;
	struct pf_pdu_ids ids;
	struct pf_pdu_descs descs;
	struct pf_pdu_instances instances;
	struct pf_view name;
	struct pf_pcp_desc desc;
	struct pf_pcp_instance inst;
	for (uint32_t n = pf_pdu_names(pdu, &names, NULL) == 0 ? names.n : 0; n > 0; n--) {
		if (!pf_pdu_names_next(&names, &name) || name.n == 0)
			abort();
	}
	for (uint32_t n = pf_pdu_ids(pdu, &ids, NULL) == 0 ? ids.n : 0; n > 0; n--)
		(void)pf_pdu_ids_get(&ids, n - 1);
	for (uint32_t n = pf_pdu_descs(pdu, &descs, NULL) == 0 ? descs.n : 0; n > 0; n--) {
		if (!pf_pdu_descs_next(&descs, &desc))
			abort();
	}
	for (uint32_t n = pf_pdu_instances(pdu, &instances, NULL) == 0 ? instances.n : 0; n > 0; n--) {
		if (!pf_pdu_instances_next(&instances, &inst) || memchr(inst.name.p, '\0', inst.name.n))
			abort();
	}
}

static void read_labels(const struct pf_pdu *pdu)
{
	struct pf_pcp_labels labels;
	struct pf_arena room = { 0 };
	const struct pf_label_set *sets;
	if (pf_pdu_labels(pdu, &labels, NULL) == 0) {
		uint32_t n = labels.n;
		if (pf_pcp_labels_unpack(&labels, &room, &sets) < 0 || labels.n > 0)
			abort();
		struct pf_buf rec = { 0 };
		pf_pcp_labels_encode(&rec, 3, 0, PF_OF_ITEM, 1, sets, n);
		for (uint32_t s = 0; s < n; s++) {
			for (uint32_t i = 0; i < sets[s].n; i++)
				pf_pcp_label_text(&rec, sets[s].labels[i].value);
		}
		pf_buf_done(&rec);
	}
	pf_arena_done(&room);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pf_view in = { (const char *)data, size };
	struct pf_pdu pdu;
	size_t need;
	while (pf_pdu_cut(in, &pdu, &need, NULL) == 1) {
		int32_t code;
		struct pf_pdu_hello hello;
		struct pf_view text;
		uint32_t of;
		(void)pf_pdu_error(&pdu, &code, NULL);
		(void)pf_pdu_hello(&pdu, &hello, NULL);
		(void)pf_pdu_text(&pdu, &of, &text, NULL);
		read_values(&pdu);
		read_lists(&pdu);
		read_labels(&pdu);
		in.p += pdu.bytes.n;
		in.n -= pdu.bytes.n;
	}
	return 0;
}
