/* sources/asked.h - what only system calls tell, as text like that of files: rows of groups whose path begins with "perfolio/asked/" read it. */
#ifndef PF_SOURCES_ASKED_H
#define PF_SOURCES_ASKED_H

#include "sources/dispatch.h"
#include "sources/source.h"

struct pf_asked;

/* pf_asked_open() - *ret_asked is NULL if no row of @d wants any of it. Return: 0 or -ENOMEM. */
int pf_asked_open(struct pf_asked **ret_asked, struct pf_dispatch *d, int root_fd);
struct pf_asked *pf_asked_close(struct pf_asked *a); /* returns NULL */

/* pf_asked_take() - ask, tell it as raw text (@tap may be NULL) and as values. Return: 0 or -ENOMEM. */
int pf_asked_take(struct pf_asked *a, const struct pf_raw_tap *tap, bool no_parse);

#endif
