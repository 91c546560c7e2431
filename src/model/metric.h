/* model/metric.h - what one column of numbers means. Types, semantics, units and identifiers are PCP's (pmLookupDesc(3)),
 * numbered as in its archives, so that an archive writer copies them and translates nothing. */
#ifndef PF_MODEL_METRIC_H
#define PF_MODEL_METRIC_H

#include <stdbool.h>
#include <stdint.h>

enum pf_type {
	PF_S32 = 0,
	PF_U32 = 1,
	PF_S64 = 2,
	PF_U64 = 3,
	PF_FLOAT = 4,
	PF_DOUBLE = 5,
	PF_STRING = 6,
	PF_AGGREGATE = 7, /* bytes */
	PF_EVENTS = 9,	  /* records of what happened since the sample before; times in microseconds */
	PF_HIGHRES_EVENTS = 10,
};

/* pf_type_is_number() - can one calculate with it? pf_type_is_events() - does it have struct pf_event_records? */
static inline bool pf_type_is_number(enum pf_type type)
{
	return type <= PF_DOUBLE;
}

static inline bool pf_type_is_events(enum pf_type type)
{
	return type >= PF_EVENTS;
}

enum pf_semantics {
	PF_COUNTER = 1,	 /* only grows; a smaller value is a wrap or a restart: model/rates.h decides */
	PF_INSTANT = 3,	 /* a level, may change at any moment */
	PF_DISCRETE = 4, /* a level that holds until told otherwise */
};

/* Exponents of space, time and count, and the scale of each that is not 0 (PM_SPACE_*, PM_TIME_*, 10^count). */
struct pf_units {
	int8_t space, time, count;
	uint8_t space_scale, time_scale;
	int8_t count_scale;
};

enum { PF_SPACE_BYTE = 0, PF_SPACE_KBYTE = 1, PF_SPACE_MBYTE = 2 };
enum { PF_TIME_NSEC = 0, PF_TIME_USEC = 1, PF_TIME_MSEC = 2, PF_TIME_SEC = 3 };

/* Initialisers for struct pf_units. */
/* clang-format off */
#define PF_UNITS_NONE { 0 }
#define PF_UNITS_COUNT { .count = 1 }
#define PF_UNITS_BYTE { .space = 1, .space_scale = PF_SPACE_BYTE }
#define PF_UNITS_KBYTE { .space = 1, .space_scale = PF_SPACE_KBYTE }
#define PF_UNITS_MBYTE { .space = 1, .space_scale = PF_SPACE_MBYTE }
#define PF_UNITS_MSEC { .time = 1, .time_scale = PF_TIME_MSEC }
#define PF_UNITS_SEC { .time = 1, .time_scale = PF_TIME_SEC }
/* clang-format on */

/* PMID: 9 bits domain, 12 bits cluster, 10 bits item. Instance domain: 9 bits domain, 22 bits serial. */
#define PF_PMID(domain, cluster, item) (((uint32_t)(domain) << 22) | ((uint32_t)(cluster) << 10) | (uint32_t)(item))
#define PF_INDOM(domain, serial)       (((uint32_t)(domain) << 22) | (uint32_t)(serial))
#define PF_INDOM_NONE		       UINT32_C(0xffffffff)

/* Domains: PCP's Linux agent, and one reserved for import modules (docs/formats.md). */
enum { PF_DOMAIN_PROC = 3, PF_DOMAIN_LINUX = 60, PF_DOMAIN_MODULE = 485 };

/* CPUs, a domain that several groups share; instances are numbered as the kernel does. */
#define PF_INDOM_CPU  PF_INDOM(PF_DOMAIN_LINUX, 0)
#define PF_INDOM_NODE PF_INDOM(PF_DOMAIN_LINUX, 19)

/* What our groups have and PCP has not: the last cluster of its Linux agent, since metrics and the domains of their instances must be of
 * one agent; items are numbered by hand (docs/formats.md). */
#define PF_PMID_OWN(item)      PF_PMID(PF_DOMAIN_LINUX, 4095, item)
#define PF_PMID_OWN_PROC(item) PF_PMID(PF_DOMAIN_PROC, 4095, item) /* the same of its agent for processes */
#define PF_INDOM_OWN(serial)   PF_INDOM(PF_DOMAIN_LINUX, 4095 << 10 | (serial))

/* One metric. Rows of static tables or, for import modules, owned by the module's declaration; they outlive every sample. */
struct pf_metric {
	const char *name; /* dotted, PCP's name space: "disk.dev.read" */
	uint32_t pmid;
	uint32_t indom; /* PF_INDOM_NONE: a single value */
	enum pf_type type;
	enum pf_semantics sem;
	struct pf_units units;
	const char *help; /* one line */
};

static inline bool pf_metric_is_singular(const struct pf_metric *m)
{
	return m->indom == PF_INDOM_NONE;
}

/* What a value is multiplied with and then divided by. */
struct pf_scale {
	uint64_t by;
	uint64_t over;
};

/* pf_units_scale() - from values in one unit to values in another; false if they measure different things, or are too far apart. */
bool pf_units_scale(const struct pf_units *from, const struct pf_units *to, struct pf_scale *ret_scale);

/* pf_units_name() - "count", "Kbyte", "millisec", "Kbyte / sec" ... as pmUnitsStr(3) writes it, "" for none; static or in @buf. */
const char *pf_units_name(const struct pf_units *u, char *buf, unsigned size);
const char *pf_semantics_name(enum pf_semantics sem); /* "counter", "instant", "discrete" */
const char *pf_type_name(enum pf_type type);	      /* "U64" ... */

#endif
