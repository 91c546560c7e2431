/* record/session_inside.h - a session, for the files that make it up. */
#ifndef PF_RECORD_SESSION_INSIDE_H
#define PF_RECORD_SESSION_INSIDE_H

#include "base/buf.h"
#include "record/session.h"

/**
 * struct pf_session - see record/session.h.
 * @unique: path of the control file, six characters behind the folder; @unique_name: these six
 * @folio_fd: -1 once it is written; @dir_fd: the folder of the folio
 * @start_fd: the working folder in which a relative name of the folio was given, -1: it is none, or no matter (PMLOGGER)
 * @replay: the control file as the caller writes it, NULL: no replay, or started
 * @failed: the start did; there are no files any more
 */
struct pf_session {
	struct pf_session_spec spec;
	char *folio;
	char *creator;
	char *unique;
	const char *unique_name;
	int folio_fd;
	int dir_fd;
	int start_fd;
	FILE *replay;
	bool started;
	bool failed;
	struct pf_session_host *hosts;
	unsigned n_hosts;
};

/* pf_session_let_go() - close our end of the channel of a host, if it is still the one that we made. */
void pf_session_let_go(struct pf_session_host *h);

/* pf_session_one_line() - @text without newlines, which would end a line of the channel or the folio. */
void pf_session_one_line(struct pf_buf *b, const char *text);

/* pf_session_file_name() - the name of a file in the folder of the folio, behind the last slash. */
const char *pf_session_file_name(const char *path);

/* pf_session_remove() - remove the folio or the control file, also when the program has another working folder by now. */
void pf_session_remove(const struct pf_session *s, const char *path);

#endif
