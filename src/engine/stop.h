/* engine/stop.h - signals as something to wait for. */
#ifndef PF_ENGINE_STOP_H
#define PF_ENGINE_STOP_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct pf_err;

/* @fd: readable when a signal came; @signal: the one that ends the run, 0 if none yet; @flush: USR1 came; @resized: the
 * terminal has another size (WINCH); @hung_up: HUP came, where @keeps_hup says that it does not end the run; @looked_ns: CLOCK_MONOTONIC when it
 * was last waited for; @glanced_ns: when pf_stop_glance() last asked; @taken: what arrives here, @ends: of that what ends the run,
 * @before: what was blocked before */
struct pf_stop {
	int fd;
	int signal;
	bool flush;
	bool keeps_hup;
	bool hung_up;
	bool resized;
	int64_t looked_ns;
	int64_t glanced_ns;
	sigset_t taken;
	sigset_t ends;
	sigset_t before;
};

/* pf_stop_open() - from now on INT, TERM, HUP, USR1 and WINCH arrive here, and a closed pipe is an error of write(2). A second INT or TERM ends the
 * program at once if the first has not been taken in for a second: it is stuck. */
int pf_stop_open(struct pf_stop *stop, struct pf_err *err);

/* pf_stop_also() - another signal ends the run, too. Before there are threads. pf_stop_unless() - it arrives here and changes nothing. */
void pf_stop_also(struct pf_stop *stop, int number);
void pf_stop_unless(struct pf_stop *stop, int number);

/* pf_stop_check() - take in what has arrived, without waiting. Return: is the run to end? */
bool pf_stop_check(struct pf_stop *stop);

/* pf_stop_glance() - the same for loops that do little in each turn: the kernel is asked once per tick of its clock, some milliseconds. */
bool pf_stop_glance(struct pf_stop *stop);

/* pf_stop_close() - signals are as before; but those that came after one that ends the run change nothing any more. */
void pf_stop_close(struct pf_stop *stop);

#endif
