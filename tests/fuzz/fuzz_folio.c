/* formats/pcp/folio on any bytes. */
#include <stdint.h>

#include "base/err.h"
#include "formats/pcp/folio.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pf_folio folio;
	struct pf_folio_entry e;
	struct pf_err err = { 0 };
	if (pf_folio_parse((struct pf_view){ (const char *)data, size }, &folio, &err) < 0)
		return 0;
	while (pf_folio_next(&folio, &e, &err) != 0)
		;
	return 0;
}
