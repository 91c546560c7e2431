/* The .meta file of an archive, in any bytes: descriptors, instances at every time, labels and texts. */
#include <stdint.h>
#include <stdlib.h>

#include "base/arena.h"
#include "formats/pcp/labels.h"
#include "formats/pcp/meta.h"
#include "fuzz_pcp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_labels(struct pf_view rec)
{
	struct pf_pcp_labels labels;
	struct pf_pcp_packed_set set;
	if (pf_pcp_labels_decode(rec, &labels, NULL) < 0)
		return;
	while (pf_pcp_labels_next(&labels, &set)) {
		for (uint32_t i = 0; i < set.n; i++) {
			struct pf_label label = pf_pcp_labels_get(&set, i);
			struct pf_buf text = { 0 };
			pf_pcp_label_text(&text, label.value);
			pf_buf_done(&text);
		}
	}
}

static void read_places(struct pf_pcp_meta *m)
{
	for (size_t i = 0; i < m->n_places; i++) {
		struct pf_view rec;
		struct pf_pcp_text text;
		if (pf_pcp_meta_read(m, &m->places[i], &rec, NULL) < 0)
			continue;
		read_labels(rec);
		(void)pf_pcp_text_decode(rec, &text, NULL);
	}
}

static void find_members(struct pf_pcp_meta *m)
{
	for (unsigned i = 0; i < m->n_metrics; i++) {
		unsigned hint = i;
		const struct pf_pcp_metric *found = pf_pcp_meta_metric(m, m->metrics[i].pmid);
		if (!found || found->pmid != m->metrics[i].pmid)
			abort();
		for (int32_t id = -1; id < 4; id++) {
			const struct pf_pcp_member *member = pf_pcp_meta_member(m, found->domain, id, &hint);
			if (member && member->id != id)
				abort();
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pf_pcp_meta m = { 0 };
	struct pf_pcp_damage damage = { 0 };
	unsigned version = fuzz_pcp_open(&m.file, 1, data, size);
	if (version > 0 && pf_pcp_meta_load(&m, &damage, NULL) == 0) {
		struct pf_buf value = { 0 };
		for (size_t i = 0; i < m.n_places; i++) {
			if (m.places[i].time_ns < 0 || pf_pcp_meta_advance(&m, m.places[i].time_ns, &damage, NULL) < 0)
				continue;
			find_members(&m);
		}
		read_places(&m);
		(void)pf_pcp_meta_label(&m, "agent", &value, NULL);
		pf_buf_done(&value);
	}
	while (pf_pcp_damage_next(&damage))
		;
	pf_pcp_damage_done(&damage);
	pf_pcp_meta_done(&m);
	return 0;
}
