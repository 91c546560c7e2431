/* sinks/ganglia.h - the datagrams of ganglia 3.1: XDR (RFC 4506), all fields in multiples of four bytes, big endian. */
#ifndef PF_SINKS_GANGLIA_H
#define PF_SINKS_GANGLIA_H

#include <stdint.h>

#include "base/buf.h"

/**
 * struct pf_ganglia_value - one value of one host.
 * @units, @group, @title: NULL: none
 * @text: the number
 * @max_gap: seconds after which the next is late; @lifetime: seconds after which the value is forgotten
 */
struct pf_ganglia_value {
	const char *host;
	const char *name;
	const char *units;
	const char *group;
	const char *title;
	const char *text;
	uint32_t max_gap;
	uint32_t lifetime;
};

/* pf_ganglia_describe() - append the packet that says what a value is. pf_ganglia_value() - the one with the value. */
void pf_ganglia_describe(struct pf_buf *out, const struct pf_ganglia_value *v);
void pf_ganglia_value(struct pf_buf *out, const struct pf_ganglia_value *v);

#endif
