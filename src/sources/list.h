/* sources/list.h - every kind of source. */
#ifndef PF_SOURCES_LIST_H
#define PF_SOURCES_LIST_H

#include "sources/source.h"

extern const struct pf_source_kind pf_source_live;
extern const struct pf_source_kind pf_source_raw;
extern const struct pf_source_kind pf_source_folio;
extern const struct pf_source_kind pf_source_interpolate;
extern const struct pf_source_kind pf_source_folder;
extern const struct pf_source_kind pf_source_series;
extern const struct pf_source_kind pf_source_pcparchive;
extern const struct pf_source_kind pf_source_pmcd;

#endif
