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
	static const char *const names[] = { "32",     "U32",	    "64", "U64",   "FLOAT",	   "DOUBLE",
					     "STRING", "AGGREGATE", NULL, "EVENT", "HIGHRES_EVENT" };
	return (unsigned)type < sizeof(names) / sizeof(names[0]) && names[type] ? names[type] : "unknown";
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
	if (u->count_scale == 1)
		(void)snprintf(counts, sizeof(counts), "count x 10");
	else if (u->count_scale != 0)
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

/* How many of the smallest unit one of each is. */
static uint64_t unit_size(unsigned dimension, int scale)
{
	static const uint64_t times[] = {
		1, 1000, 1000000, UINT64_C(1000000000), UINT64_C(60000000000), UINT64_C(3600000000000)
	};
	uint64_t size = 1;
	if (dimension == 1)
		return scale >= 0 && scale < 6 ? times[scale] : 0;
	for (int i = 0; i < scale && size > 0; i++) {
		if (__builtin_mul_overflow(size, UINT64_C(10), &size))
			size = 0;
	}
	if (dimension == 0)
		return scale >= 0 && scale < 7 ? UINT64_C(1) << (10 * scale) : 0;
	return scale >= 0 ? size : 0;
}

static bool add_factor(uint64_t *to, uint64_t factor, int power)
{
	for (int i = 0; i < power; i++) {
		if (__builtin_mul_overflow(*to, factor, to))
			return false;
	}
	return true;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b != 0) {
		uint64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

bool pf_units_scale(const struct pf_units *from, const struct pf_units *to, struct pf_scale *ret_scale)
{
	if (from->space != to->space || from->time != to->time || from->count != to->count)
		return false;
	struct pf_scale scale = { 1, 1 };
	const struct {
		int power, from, to;
	} parts[] = {
		{ from->space, from->space_scale, to->space_scale },
		{ from->time, from->time_scale, to->time_scale },
		{ from->count, from->count_scale, to->count_scale },
	};
	for (unsigned i = 0; i < 3; i++) {
		/* Powers of ten may be below one: only the difference counts. */
		int low = i == 2 ? (parts[i].from < parts[i].to ? parts[i].from : parts[i].to) : 0;
		uint64_t a = unit_size(i, parts[i].from - low);
		uint64_t b = unit_size(i, parts[i].to - low);
		int power = parts[i].power;
		if (power == 0 || parts[i].from == parts[i].to)
			continue;
		if (a == 0 || b == 0)
			return false;
		uint64_t divisor = common_divisor(a, b);
		a /= divisor;
		b /= divisor;
		if (!add_factor(&scale.by, power > 0 ? a : b, power > 0 ? power : -power) ||
		    !add_factor(&scale.over, power > 0 ? b : a, power > 0 ? power : -power))
			return false;
	}
	*ret_scale = scale;
	return true;
}
