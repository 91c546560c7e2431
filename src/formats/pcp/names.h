/* formats/pcp/names.h - the files of an archive on disk: BASE.meta, BASE.index, BASE.0, BASE.1 ..., each of them compressed or not. */
#ifndef PF_FORMATS_PCP_NAMES_H
#define PF_FORMATS_PCP_NAMES_H

#include <stdbool.h>
#include <stdint.h>

struct pf_err;
struct pf_pcp_file;

/* pf_pcp_names_base() - BASE of any of an archive's names, which need not exist; the caller frees. NULL without memory. */
char *pf_pcp_names_base(const char *path);

/* pf_pcp_names_check() - can an archive be called that? Not if its last part is empty or dots, or if a folder is called so, for that would be
 * meant whenever it is read. Return: 0 or -EINVAL. */
int pf_pcp_names_check(const char *base, struct pf_err *err);

/* pf_pcp_names_path() - where "meta", "index" or a volume's number is, as it is packed; the plain name if it is nowhere. The caller frees;
 * NULL without memory. */
char *pf_pcp_names_path(const char *base, const char *suffix);

/* pf_pcp_names_open() - open that file to be read, its records at multiples of @align. Return: 0, -ENODATA it is not there, other negative errno. */
int pf_pcp_names_open(const char *base, const char *suffix, unsigned align, struct pf_pcp_file *f, struct pf_err *err);

/* pf_pcp_names_is_there() - is there such a file, packed or not? */
bool pf_pcp_names_is_there(const char *base, const char *suffix);

/* pf_pcp_names_volumes() - numbers of all volumes beside @base, in order; the caller frees. In a crowded folder those
 * behind a gap of sixteen are not found, unless the gap is the beginning. Return: 0, also without any; negative errno. */
int pf_pcp_names_volumes(const char *base, unsigned **ret_volumes, unsigned *ret_n, struct pf_err *err);

/* pf_pcp_names_bytes() - size on disk of all its files that can be looked at. */
uint64_t pf_pcp_names_bytes(const char *base);

#endif
