/* sinks/list.c - every kind of sink. */
#include <stddef.h>

#include "sinks/sink.h"

const struct pf_sink_kind *const pf_sink_kinds[] = {
	&pf_sink_brief,
	&pf_sink_verbose,
	&pf_sink_plot,
	&pf_sink_raw,
	&pf_sink_pcparchive,
	&pf_sink_emit,
	&pf_sink_lexpr,
	&pf_sink_gexpr,
	&pf_sink_graphite,
	&pf_sink_vmstat,
	&pf_sink_plotfiles,
	&pf_sink_analysis,
	&pf_sink_openmetrics,
	&pf_sink_metricsfile,
	&pf_sink_sexpr,
#ifdef PF_HAVE_TRACE
	&pf_sink_dtext,
#endif
	NULL,
};
