/* formats/pcp/damage.h - what is broken in an archive, kept until it can be told. */
#ifndef PF_FORMATS_PCP_DAMAGE_H
#define PF_FORMATS_PCP_DAMAGE_H

#include <stdint.h>

enum { PF_PCP_DAMAGE_KEPT = 16 };

/* The first sentences, and how many more there were. @told: how many were handed out. */
struct pf_pcp_damage {
	char *texts[PF_PCP_DAMAGE_KEPT];
	unsigned n;
	unsigned told;
	uint64_t more;
};

void pf_pcp_damage_add(struct pf_pcp_damage *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* pf_pcp_damage_next() - the next sentence not told yet, NULL when there is none; lives as long as @d. */
const char *pf_pcp_damage_next(struct pf_pcp_damage *d);
void pf_pcp_damage_done(struct pf_pcp_damage *d);

#endif
