/* A volume of an archive, in any bytes: every record, behind damage too, and every value as each type. A record that was found whole can be
 * read to its end, and one of the shape of such a record is whole, too. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "formats/pcp/events.h"
#include "formats/pcp/shape.h"
#include "fuzz_pcp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_events(struct pf_view bytes, bool highres)
{
	struct pf_pcp_events e;
	struct pf_pcp_event event;
	struct pf_pcp_value v;
	uint32_t pmid;
	if (pf_pcp_events_decode(bytes, highres, &e, NULL) < 0)
		return;
	while (pf_pcp_events_next(&e, &event, NULL) == 1) {
		for (uint32_t i = 0; i < event.n; i++) {
			if (pf_pcp_events_param(&e, &pmid, &v, NULL) < 0)
				return;
			(void)pf_pcp_value_text(&v);
		}
	}
}

static void read_value(const struct pf_pcp_set *set, uint32_t i)
{
	struct pf_pcp_value v;
	uint64_t u;
	double d;
	if (pf_pcp_set_get(set, i, &v, NULL) < 0)
		abort();
	for (int32_t type = -1; type <= PF_HIGHRES_EVENTS; type++) {
		(void)pf_pcp_value_u64(&v, type, &u);
		(void)pf_pcp_value_double(&v, type, &d);
	}
	read_events(v.bytes, false);
	read_events(v.bytes, true);
	struct pf_view text = pf_pcp_value_text(&v);
	if (text.n > v.bytes.n)
		abort();
}

static void read_record(struct pf_view rec, unsigned version, struct pf_pcp_shapes *shapes)
{
	struct pf_pcp_result r;
	struct pf_pcp_set set;
	bool whole = pf_pcp_result_check(rec, version, NULL) == 0;
	int rc = pf_pcp_result_decode(rec, version, &r, NULL);
	bool known = pf_pcp_shapes_find(shapes, rec);
	if (known && rc == 0 && !whole)
		abort();
	if (whole && !known)
		pf_pcp_shapes_learn(shapes, rec, version);
	while (rc == 0 && whole) {
		int more = pf_pcp_result_next(&r, &set, NULL);
		if (more < 0)
			abort();
		if (more == 0)
			return;
		for (uint32_t i = 0; set.n > 0 && i < (uint32_t)set.n; i++)
			read_value(&set, i);
	}
}

static bool sane(const void *arg, struct pf_view rec)
{
	const unsigned *version = arg;
	return pf_pcp_result_check(rec, *version, NULL) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pf_pcp_file f = { .fd = -1 };
	struct pf_pcp_shapes shapes = { 0 };
	struct pf_view rec;
	unsigned version = fuzz_pcp_open(&f, 4, data, size);
	int rc = version > 0 ? 1 : 0;
	while (rc == 1) {
		uint64_t before = f.off;
		rc = pf_pcp_file_peek(&f, &rec, NULL);
		if (rc == 1) {
			read_record(rec, version, &shapes);
			pf_pcp_file_take(&f, rec);
		} else if (rc == -EBADMSG) {
			pf_pcp_file_resync(&f, sane, &version);
			rc = 1;
		}
		if (rc == 1 && f.off <= before)
			abort();
	}
	pf_pcp_shapes_done(&shapes);
	pf_pcp_file_done(&f);
	return 0;
}
