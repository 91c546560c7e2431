/* cmd/folio.h - what the commands for folios share. Each has a row in cmd/folio.c and a function in cmd/folio_*.c. */
#ifndef PF_CMD_FOLIO_H
#define PF_CMD_FOLIO_H

#include <stdbool.h>

#include "formats/text/doc.h"
#include "record/folio.h"
#include "record/tools.h"

/**
 * struct pf_folio_job - one run of `perfolio folio`, or of pmafm by name.
 * @peer: as pmafm: its words, on standard output, and its statuses
 * @program: path of our own program
 * @status: of the command that ran last; @quit: it was the last
 */
struct pf_folio_job {
	struct pf_folio_file file;
	struct pf_tools tools;
	struct pf_doc_options oformat;
	const char *program;
	bool peer;
	int status;
	bool quit;
};

/* The commands. @words: the command itself and what is behind it, NULL-terminated. */
void pf_folio_list(struct pf_folio_job *j, char **words);
void pf_folio_check(struct pf_folio_job *j, char **words);
void pf_folio_selections(struct pf_folio_job *j, char **words);
void pf_folio_archives(struct pf_folio_job *j, char **words);
void pf_folio_hosts(struct pf_folio_job *j, char **words);
void pf_folio_remove(struct pf_folio_job *j, char **words);
void pf_folio_run(struct pf_folio_job *j, char **words);
void pf_folio_repeat(struct pf_folio_job *j, char **words);
void pf_folio_replay(struct pf_folio_job *j, char **words);
void pf_folio_status(struct pf_folio_job *j, char **words);
void pf_folio_stop(struct pf_folio_job *j, char **words);

/* pf_folio_is_tool() - is that word a program that can be run without `run` before it? */
bool pf_folio_is_tool(const struct pf_folio_job *j, const char *word);

/* pf_folio_wrong() - what is wrong, on standard error, and the status that says so, unless a worse one is known. Not as pmafm. */
void pf_folio_wrong(struct pf_folio_job *j, int status, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* pf_folio_selected() - the archives that are chosen, as pf_folio_chosen(); NULL if there are none, which was told. */
const struct pf_folio_member **pf_folio_selected(struct pf_folio_job *j, bool *ret_all);

/* pf_mkaf() - mkaf by name. pf_folio_make() - `perfolio folio --make FOLIO FILE...`. Return: the exit status. */
int pf_mkaf(int argc, char **argv);
int pf_folio_make(const char *folio, char **files);

#endif
