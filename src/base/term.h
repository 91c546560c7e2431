/* base/term.h - the terminal: its size, and keys as they are typed. */
#ifndef PF_BASE_TERM_H
#define PF_BASE_TERM_H

#include <stdbool.h>
#include <termios.h>

/* pf_term_size() - lines and columns of the terminal behind @fd. Return: 0, or -ENOTTY if it is none or does not tell (nothing changed). */
int pf_term_size(int fd, unsigned *ret_rows, unsigned *ret_columns);

/**
 * struct pf_term_keys - what somebody types.
 * @fd: the terminal, -1: there is none; @raw: keys come at once and are not echoed, @before: how it was
 */
struct pf_term_keys {
	int fd;
	bool raw;
	struct termios before;
};

/**
 * pf_term_keys_open() - listen to the terminal behind @fd.
 * @raw: keys come one by one and without an echo; else whole lines, as the terminal is
 *
 * @k stays where it is until pf_term_keys_close(). Return: is it a terminal?
 */
bool pf_term_keys_open(struct pf_term_keys *k, int fd, bool raw);

/* pf_term_keys_close() - the terminal as it was. */
void pf_term_keys_close(struct pf_term_keys *k);

/* pf_term_rescue() - the terminal as it was, from a signal handler that is about to end the program: modes, lines that scroll, wrapping. Nothing if
 * no keys are open in this process. What ends a program by itself (QUIT, SEGV and others that nobody handles) does so already. */
void pf_term_rescue(void);

/* pf_term_keys_ready() - may it be waited for and read? Not while we are in the background, which would stop us. */
bool pf_term_keys_ready(struct pf_term_keys *k);

/* pf_term_keys_read() - the next key; 0: none, which includes sequences of function keys; -1 the terminal is gone. */
int pf_term_keys_read(struct pf_term_keys *k);

#endif
