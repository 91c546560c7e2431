/* trace/dlang/lib.c - what D programs expect to find: names of numbers, and the library of types and translators, read when used. */
#include <errno.h>

#include "trace/dlang/front.h"
#include "trace/dlang/library.h"

/* Is @name one of the blank-separated names of @list? */
static bool lists(const char *list, struct pf_view name)
{
	struct pf_view rest = pf_view_of(list), word;
	while (pf_view_word(&rest, &word) == 0) {
		if (word.n == name.n && memcmp(word.p, name.p, name.n) == 0)
			return true;
	}
	return false;
}

int pf_dlib_load(struct pf_dcomp *c, struct pf_view name)
{
	enum { DEEPEST = 8 };
	struct pf_dsyms *syms = c->p->syms;
	for (size_t i = 0; i < pf_n_dlibrary; i++) {
		if (syms->loaded & UINT64_C(1) << i || !lists(pf_dlibrary[i].names, name))
			continue;
		syms->loaded |= UINT64_C(1) << i;
		if (syms->loading >= DEEPEST)
			return 0;
		syms->loading++;
		for (const char *const *item = pf_dlibrary[i].items; *item; item++)
			(void)pf_d_sub_compile(c, "library",
					       pf_view_of(*item)); /* what fails is missed where it is used */
		syms->loading--;
		return 1;
	}
	return 0;
}

bool pf_dlib_constant(struct pf_view name, int64_t *ret_value)
{
	for (size_t i = 0; i < pf_n_dconstants; i++) {
		if (pf_view_is(name, pf_dconstants[i].name)) {
			*ret_value = pf_dconstants[i].value;
			return true;
		}
	}
	return false;
}
