/* formats/pcp/error.h - codes that stand in archives in place of values. */
#ifndef PF_FORMATS_PCP_ERROR_H
#define PF_FORMATS_PCP_ERROR_H

#include <stdint.h>

/* pf_pcp_error_text() - what a code means, static; codes of the system (-errno) included, 0: no values. */
const char *pf_pcp_error_text(int32_t code);

#endif
