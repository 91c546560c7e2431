/* record/dialog.h - what a logger says to the person who records: texts, and the programs that show them beside the recording, which goes on
 * meanwhile. Source: pmRecordControl(3), pmquery(1), texts that loggers of PCP's record mode are seen to show. */
#ifndef PF_RECORD_DIALOG_H
#define PF_RECORD_DIALOG_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"

struct pf_err;
struct pf_loop;

/* What it is about: the launcher asked for the state, let the logger go, ended it, or is gone; the last is a question. */
enum pf_dialog_kind {
	PF_DIALOG_STATUS = '?',
	PF_DIALOG_DETACH = 'D',
	PF_DIALOG_QUIT = 'Q',
	PF_DIALOG_LOST = 'X',
};

/**
 * struct pf_dialog_about - the recording at this moment.
 * @folio, @creator: as the launcher called them, NULL: it did not; @replay: it can replay the folio
 * @host: as its pmcd calls itself; @elapsed_s: seconds since the logger began; @bytes: of all data volumes; @pid: of the logger
 */
struct pf_dialog_about {
	const char *folio;
	const char *creator;
	bool replay;
	const char *host;
	int64_t elapsed_s;
	uint64_t bytes;
	pid_t pid;
};

/* pf_dialog_text() - append what a person is to read; names in it cannot do harm to a terminal. */
void pf_dialog_text(struct pf_buf *b, enum pf_dialog_kind kind, const struct pf_dialog_about *about);

/* The words of a dialog program, for pf_spawn(); all belong to the struct. */
enum { PF_DIALOG_WORDS = 96 };
struct pf_dialog_command {
	char *words[PF_DIALOG_WORDS + 1];
	unsigned n;
	int failed;
};

/**
 * pf_dialog_command() - the program that shows @text, which is also in @file: $PCP_XCONFIRM_PROG, else, where there is a display, pmquery(1),
 * zenity(1) or xmessage(1), whichever is found first. The answer is the first line that it prints: "Yes", "No", "Close".
 * @options: words for the program, such as -geometry +10+10; "" for none
 *
 * Return: 0; -ENOENT when there is none; -E2BIG; -ENOMEM. @c is to be freed in any case.
 */
int pf_dialog_command(struct pf_dialog_command *c, enum pf_dialog_kind kind, const char *creator, const char *file,
		      const char *text, const char *options);
void pf_dialog_command_done(struct pf_dialog_command *c);

enum pf_dialog_answer { PF_DIALOG_UNANSWERED, PF_DIALOG_GO_ON, PF_DIALOG_STOP };

/* One dialog is open at a time, more wait for their turn. */
struct pf_dialogs;

/**
 * pf_dialogs_new() - nothing is open yet.
 * @loop: looks after the programs; outlives this
 * @log_fd: a text that no program could show goes there
 */
int pf_dialogs_new(struct pf_dialogs **ret_dialogs, struct pf_loop *loop, int log_fd, struct pf_err *err);

/* pf_dialogs_put() - show it when its turn comes. What cannot be shown is in the log when this returns. Nothing here waits for anybody. */
void pf_dialogs_put(struct pf_dialogs *d, enum pf_dialog_kind kind, const struct pf_dialog_about *about,
		    const char *options);

/* pf_dialogs_answer() - what was said to PF_DIALOG_LOST. Nobody to ask, a program that fails or a window that is closed without an answer: stop. */
enum pf_dialog_answer pf_dialogs_answer(const struct pf_dialogs *d);

/* pf_dialogs_open() - is one open, or waiting? pf_dialogs_drop() - not any more: programs are ended, texts that wait are forgotten. */
bool pf_dialogs_open(const struct pf_dialogs *d);
void pf_dialogs_drop(struct pf_dialogs *d);

/* pf_dialogs_reap() - collect programs that have ended by now; to be called now and then. */
void pf_dialogs_reap(struct pf_dialogs *d);

/* pf_dialogs_free() - end what is open. Returns NULL. */
struct pf_dialogs *pf_dialogs_free(struct pf_dialogs *d);

#endif
