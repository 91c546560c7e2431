/* cmd/progress.c - a line on a terminal. Source: console_codes(4). */
#include "cmd/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/io.h"
#include "base/term.h"

#define ERASE "\r\033[K"

enum { USUAL_WIDTH = 80, CHUNK = 4096 };

void pf_progress_none(struct pf_progress *p)
{
	*p = (struct pf_progress){ .term = -1, .pipe = -1 };
}

static bool can_erase(void)
{
	const char *kind = getenv("TERM");
	return isatty(STDERR_FILENO) && kind && kind[0] != '\0' && strcmp(kind, "dumb") != 0;
}

void pf_progress_open(struct pf_progress *p)
{
	int pair[2];
	pf_progress_none(p);
	if (!can_erase() || pipe2(pair, O_CLOEXEC) < 0)
		return;
	int term = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	bool ready = term >= 0 && fcntl(pair[0], F_SETFL, O_NONBLOCK) == 0 && dup2(pair[1], STDERR_FILENO) >= 0;
	(void)close(pair[1]);
	if (!ready) {
		(void)close(pair[0]);
		pf_closep(&term);
		return;
	}
	p->term = term;
	p->pipe = pair[0];
}

void pf_progress_started(struct pf_progress *p)
{
	if (p->term >= 0)
		(void)dup2(p->term, STDERR_FILENO); /* it was there a moment ago */
}

void pf_progress_erase(struct pf_progress *p)
{
	if (p->shown)
		(void)pf_io_write_all(p->term, ERASE, strlen(ERASE)); /* a terminal that is gone shows nothing */
	p->shown = false;
}

void pf_progress_draw(struct pf_progress *p, const char *text)
{
	unsigned rows, columns;
	if (p->term < 0 || tcgetpgrp(p->term) != getpgrp())
		return;
	if (pf_term_size(p->term, &rows, &columns) < 0 || columns == 0)
		columns = USUAL_WIDTH;
	size_t n = strlen(text);
	struct pf_buf line = { 0 };
	pf_buf_str(&line, ERASE);
	pf_buf_add(&line, text, n < columns ? n : columns - 1);
	if (!line.failed)
		(void)pf_io_write_all(p->term, line.p, line.n);
	p->shown = true;
	pf_buf_done(&line);
}

void pf_progress_pass(struct pf_progress *p)
{
	char text[CHUNK];
	while (p->pipe >= 0) {
		ssize_t n = read(p->pipe, text, sizeof(text));
		if (n < 0 && errno == EINTR)
			continue;
		if (n == 0) {
			(void)close(PF_TAKE_FD(p->pipe)); /* whoever had it is gone */
			return;
		}
		if (n < 0)
			return;
		pf_progress_erase(p);
		(void)pf_io_write_all(p->term, text, (size_t)n);
	}
}

void pf_progress_close(struct pf_progress *p)
{
	pf_progress_pass(p);
	pf_progress_erase(p);
	pf_closep(&p->pipe);
	pf_closep(&p->term);
	pf_progress_none(p);
}
