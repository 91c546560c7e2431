/* record/control.h - how a logger is steered by the program that launched it, and by the person who answers its dialogs.
 * Control channel (record mode of PCP, version 0): a pipe or socket with lines of a tag byte and text, from the launcher. V F P R introduce it, U
 * names a file to remove when it is gone; '?' asks for the state, S (of ours) for numbers, D lets the logger run on alone, Q stops it. Text behind ? D Q R is options
 * for the dialog program. The end of the channel, a part of a line before it, a line that is too long or makes no sense: the launcher is
 * lost, and a person decides. Source: pmRecordControl(3), pmlogger(1), observed behaviour. */
#ifndef PF_RECORD_CONTROL_H
#define PF_RECORD_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/view.h"
#include "record/dialog.h"

struct pf_err;
struct pf_stop;

/* A line of the channel is at most that long, its newline included. */
enum { PF_CONTROL_LINE = 4096 };

/**
 * struct pf_control_setup - who steers.
 * @fd: the channel, which is closed here, also if this fails; -1: none
 * @quiet: the launcher shows everything itself: there are no dialogs, and when it is lost the logger stops
 * @log_fd: where texts go that no dialog program shows
 * @numbers: the launcher asks for them, answer with pf_control_tell()
 * @about: tell @host, @elapsed_s and @bytes of the recording; the rest is known here
 */
struct pf_control_setup {
	int fd;
	bool quiet;
	int log_fd;
	void (*numbers)(void *arg);
	void (*about)(void *arg, struct pf_dialog_about *about);
	void *arg;
};

struct pf_control;

/* pf_control_open() - Return: 0; -EINVAL when @fd is nothing that one can wait for, with a sentence. */
int pf_control_open(struct pf_control **ret_control, const struct pf_control_setup *setup, struct pf_err *err);

/* pf_control_fd() - to be polled for POLLIN; stays the same. pf_control_serve(): take what came, without waiting; to be called when it is readable, and
 * harmless at any time. Return: is the recording to stop? */
int pf_control_fd(const struct pf_control *c);
bool pf_control_serve(struct pf_control *c);

/* pf_control_tell() - a line for the launcher, lost if there is no room for it: sampling does not wait for whoever does not read. Whether the launcher
 * is there is seen when the channel is read. */
void pf_control_tell(struct pf_control *c, struct pf_view line);

/* pf_control_linger() - when the archive is complete: leave the last dialog open until somebody has read it, a signal says to end, or a minute
 * is over. */
void pf_control_linger(struct pf_control *c, struct pf_stop *signals);

/* pf_control_close() - end dialogs, close the channel. Returns NULL. */
struct pf_control *pf_control_close(struct pf_control *c);

#endif
