/* The label of an archive's file, in any bytes: what is understood and written again says the same. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "formats/pcp/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A text that fills its field is cut by one byte: a NUL stands behind those that are written. */
static bool is_same(const char *a, const char *b, size_t field)
{
	return strncmp(a, b, field - 1) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pf_view rec = { (const char *)data, size };
	struct pf_pcp_label label;
	struct pf_pcp_label again;
	if (pf_pcp_label_decode(rec, &label, NULL) < 0)
		return 0;
	struct pf_buf b = { 0 };
	bool v3 = label.version >= 3;
	pf_pcp_label_encode(&b, &label);
	if (b.failed || b.n != size || pf_pcp_label_decode(pf_buf_text(&b), &again, NULL) < 0)
		abort();
	if (again.version != label.version || again.pid != label.pid || again.start_ns != label.start_ns ||
	    again.volume != label.volume || !is_same(again.host, label.host, v3 ? 256 : 64) ||
	    !is_same(again.zone, label.zone, v3 ? 256 : 40) || !is_same(again.zoneinfo, label.zoneinfo, 256))
		abort();
	pf_buf_done(&b);
	return 0;
}
