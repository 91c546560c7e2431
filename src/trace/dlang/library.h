/* trace/dlang/library.h - tables behind lib.c: named numbers, and D text that is read when one of its names is used. */
#ifndef PF_TRACE_DLANG_LIBRARY_H
#define PF_TRACE_DLANG_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

struct pf_dconstant {
	const char *name;
	int64_t value;
};

/* @names: blank-separated names that the row defines; @items: D texts, NULL at the end, each compiled by itself so that one
 * that this kernel cannot carry takes no other with it. At most 64 rows. */
struct pf_dlibrary_row {
	const char *names;
	const char *const *items;
};

extern const struct pf_dconstant pf_dconstants[];
extern const size_t pf_n_dconstants;
extern const struct pf_dlibrary_row pf_dlibrary[];
extern const size_t pf_n_dlibrary;

#endif
