/* formats/pcp/check_table.h - numbers of 64 bits told apart, in the order in which they were seen first. */
#ifndef PF_FORMATS_PCP_CHECK_TABLE_H
#define PF_FORMATS_PCP_CHECK_TABLE_H

#include <stddef.h>
#include <stdint.h>

/* @keys: in order; @places: by hash, index + 1 of a key, 0 free; a power of two of them, more than twice as many as keys. {0} is empty. */
struct pf_pcp_check_table {
	uint64_t *keys;
	uint32_t *places;
	uint32_t n;
	uint32_t n_places;
};

/* pf_pcp_check_find() - index of @key, which is added if it is new (then it is the last); -ENOMEM. */
int64_t pf_pcp_check_find(struct pf_pcp_check_table *t, uint64_t key);

/* pf_pcp_check_look() - index of @key, -1 if it is not there. */
int64_t pf_pcp_check_look(const struct pf_pcp_check_table *t, uint64_t key);
void pf_pcp_check_table_done(struct pf_pcp_check_table *t);

#endif
