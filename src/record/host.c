/* record/host.c - which hosts a logger of ours can record. */
#include "record/logger.h"

#include <string.h>

#include "sources/pmcdspec.h"

int pf_logger_host(const char *host, struct pf_err *err)
{
	struct pf_pmcd_spec ignored;
	return strcmp(host, "self:") == 0 ? 0 : pf_pmcd_spec_parse(host, &ignored, err);
}
