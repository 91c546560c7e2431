/* formats/pcp/error.c - codes that stand in archives in place of values. Source: the table of pmerr(1) -l of PCP 6.0.3. */
#include "formats/pcp/error.h"

#include <stddef.h>
#include <string.h>

#include "base/cleanup.h"

static const struct {
	int32_t code;
	const char *text;
} known[] = {
	{ -12346, "the name space cannot be read" },
	{ -12347, "the name space cannot be reached" },
	{ -12349, "there is no help text" },
	{ -12350, "this version of the application does not have the metric" },
	{ -12351, "values are missing" },
	{ -12353, "the collector did not answer in time" },
	{ -12354, "the archive is empty" },
	{ -12355, "the collector was set up anew" },
	{ -12357, "no metric has this name" },
	{ -12358, "no metric has this number" },
	{ -12359, "there is no such instance domain" },
	{ -12360, "there is no such instance" },
	{ -12361, "units that make no sense" },
	{ -12362, "the value cannot be converted" },
	{ -12363, "the converted value is too large" },
	{ -12364, "a negative value where none can be" },
	{ -12365, "instances must be asked for one by one" },
	{ -12366, "the collector's agent sends what makes no sense" },
	{ -12368, "the connection has ended" },
	{ -12378, "the archive does not have the metric" },
	{ -12379, "the archive does not have the instance domain" },
	{ -12380, "the archive does not have the instance" },
	{ -12386, "no agent runs for the metric" },
	{ -12387, "permission denied" },
	{ -12388, "too many connections" },
	{ -12389, "not available now" },
	{ -12391, "not connected" },
	{ -12394, "the name stands for several metrics" },
	{ -12397, "no known type" },
	{ -12399, "there is no such container" },
	{ -12409, "the metric's formula cannot be computed" },
	{ -12410, "there are no labels" },
	{ -12411, "the agent is fenced off" },
	{ -12443, "too few elements" },
	{ -12444, "the answer is too large" },
	{ -13393, "the agent is ready now" },
	{ -13394, "the agent is not ready yet" },
	{ -21344, "not implemented" },
};

const char *pf_pcp_error_text(int32_t code)
{
	for (size_t i = 0; i < PF_N(known); i++) {
		if (known[i].code == code)
			return known[i].text;
	}
	if (code == 0)
		return "no values";
	const char *text = code < 0 && code > -4096 ? strerrordesc_np(-code) : NULL;
	return text ? text : "an error that is not known here";
}
