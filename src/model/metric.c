/* model/metric.c - names of units, semantics and types. */
#include "model/metric.h"

#include <stdio.h>
#include <string.h>

const char *pf_semantics_name(enum pf_semantics sem)
{
	switch (sem) {
	case PF_COUNTER:
		return "counter";
	case PF_INSTANT:
		return "instant";
	case PF_DISCRETE:
		return "discrete";
	}
	return "unknown";
}

const char *pf_type_name(enum pf_type type)
{
	static const char *const names[] = { "32", "U32", "64", "U64", "FLOAT", "DOUBLE", "STRING" };
	return (unsigned)type < sizeof(names) / sizeof(names[0]) ? names[type] : "unknown";
}

static void add_unit(char *buf, unsigned size, const char *name, int power)
{
	size_t n = strlen(buf);
	if (power == 1)
		(void)snprintf(buf + n, size - n, "%s%s", n ? " " : "", name);
	else
		(void)snprintf(buf + n, size - n, "%s%s^%d", n ? " " : "", name, power);
}

const char *pf_units_name(const struct pf_units *u, char *buf, unsigned size)
{
	static const char *const space[] = { "byte", "Kbyte", "Mbyte", "Gbyte", "Tbyte", "Pbyte", "Ebyte" };
	static const char *const time[] = { "nanosec", "microsec", "millisec", "sec", "min", "hour" };
	char counts[16] = "count";
	if (u->count_scale != 0)
		(void)snprintf(counts, sizeof(counts), "count x 10^%d", u->count_scale);

	const struct {
		const char *name;
		int power;
	} parts[] = {
		{ u->space_scale < 7 ? space[u->space_scale] : "space", u->space },
		{ u->time_scale < 6 ? time[u->time_scale] : "time", u->time },
		{ counts, u->count },
	};

	/* What stands above the line first, then what stands below it. */
	buf[0] = '\0';
	for (unsigned i = 0; i < 3; i++) {
		if (parts[i].power > 0)
			add_unit(buf, size, parts[i].name, parts[i].power);
	}
	char below[64] = "";
	for (unsigned i = 0; i < 3; i++) {
		if (parts[i].power < 0)
			add_unit(below, sizeof(below), parts[i].name, -parts[i].power);
	}
	if (below[0]) {
		size_t n = strlen(buf);
		(void)snprintf(buf + n, size - n, "%s/ %s", n ? " " : "", below);
	}
	return buf;
}
