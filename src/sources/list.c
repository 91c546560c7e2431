/* sources/list.c - every kind of source; files are offered to them in this order. */
#include "sources/list.h"

#include <stddef.h>

const struct pf_source_kind *const pf_source_kinds[] = {
	&pf_source_pmcd,  &pf_source_live,	 &pf_source_folder, &pf_source_raw,
	&pf_source_folio, &pf_source_pcparchive, &pf_source_series, NULL,
};
