/* formats/pcp/folio.h - the text of a folio, the file that names the archives of one recording session. Source: pmafm(1), observed files. */
#ifndef PF_FORMATS_PCP_FOLIO_H
#define PF_FORMATS_PCP_FOLIO_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/view.h"

struct pf_err;

/* A folio is small; more than this is refused. */
enum { PF_FOLIO_MAX = 1 << 20 };

/* One archive: @base as written, relative to the folder of the folio unless it begins with '/'. */
struct pf_folio_entry {
	struct pf_view host;
	struct pf_view base;
};

/* Cursor over the archives of a folio; views point into its text. */
struct pf_folio {
	struct pf_view rest;
	unsigned line;
};

/* pf_folio_looks_like() - do the first bytes of a file say "PCPFolio"? */
bool pf_folio_looks_like(struct pf_view head);

/* pf_folio_parse() - check the head of @text. Return: 0; -EBADMSG; -EPROTO of another version. */
int pf_folio_parse(struct pf_view text, struct pf_folio *ret_folio, struct pf_err *err);

/* pf_folio_next() - next archive. Return: 1; 0 at the end; -EBADMSG with the line that makes no sense, reading can go on. */
int pf_folio_next(struct pf_folio *f, struct pf_folio_entry *ret_entry, struct pf_err *err);

/**
 * pf_folio_head() - everything before the archives, as record mode writes it.
 * @host: where the session runs; @creator: program; @replay: name of the replay file or NULL; @time_ns: written in local time
 */
void pf_folio_head(struct pf_buf *b, const char *host, const char *creator, const char *replay, int64_t time_ns);
void pf_folio_entry(struct pf_buf *b, const char *host, const char *base);

#endif
