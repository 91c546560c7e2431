/* cmd/list.c - every command, in the order of `perfolio --help`. */
#include "cmd/cmd.h"

#include <stddef.h>

const struct pf_cmd *const pf_cmds[] = {
	&pf_cmd_watch,	 &pf_cmd_record, &pf_cmd_replay, &pf_cmd_info,	  &pf_cmd_verify,
	&pf_cmd_convert, &pf_cmd_folio,	 &pf_cmd_log,	 &pf_cmd_modules,
#ifdef PF_HAVE_TRACE
	&pf_cmd_trace,
#endif
	&pf_cmd_doctor,	 &pf_cmd_mkaf,	 NULL,
};
