/* perfolio/record.h - record hosts from a program: a session has one logger process per host, and a folio that names their archives.
 * Manual: perfolio-record(3). Link with `pkg-config --libs perfolio`.
 *
 * There may be any number of sessions in a process, and nothing is shared between them. Every call may come from any thread; calls for the same
 * session wait for each other. No call prints, and none installs a signal handler or waits for children other than its own.
 *
 * Version 0.1, 2026-11-30. Structs begin with their size and only grow at the end.
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PERFOLIO_RECORD_H
#define PERFOLIO_RECORD_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PERFOLIO_RECORD_MAJOR 0
#define PERFOLIO_RECORD_MINOR 1

/* In place of a host's number: all hosts. */
#define PERFOLIO_RECORD_ALL (-1)

/* A session. */
struct perfolio_record;

/* What went wrong: @rc is a negative errno, as the call returned it, @text one sentence without newline. Every call takes NULL for it. */
struct perfolio_record_error {
	int rc;
	char text[512];
};

/* Where a host is: before the start; launched, no sample yet; its first sample is in the archive; its logger has ended; its logger runs on alone. */
enum perfolio_record_state {
	PERFOLIO_RECORD_ADDED,
	PERFOLIO_RECORD_LAUNCHED,
	PERFOLIO_RECORD_RECORDING,
	PERFOLIO_RECORD_ENDED,
	PERFOLIO_RECORD_DETACHED
};

/**
 * struct perfolio_record_host - what is known of a host.
 * @size: sizeof(struct perfolio_record_host), set by the caller
 * @state: enum perfolio_record_state
 * @host: what the folio calls it; @archive: path of its archive without suffix; @log: path of the file with what its logger had to say, which is removed
 *        at the end if that is nothing. They live as long as the session
 * @pid: process of its logger, 0 before the start
 * @status: how that ended, as from waitpid(2): 0 is a whole archive. -1: it has not, or somebody else in the process has taken its status
 * @samples, @bytes: what the archive has; @last_ns: time of the last sample, nanoseconds since 1970 UTC. 0: not known (yet)
 * @reason: why it ended with another status than 0: the last line of the log, or the signal. NULL: it did not, or that is not known. Lives as long as
 *          the session
 */
struct perfolio_record_host {
	size_t size;
	int state;
	const char *host;
	const char *archive;
	const char *log;
	pid_t pid;
	int status;
	uint64_t samples;
	uint64_t bytes;
	int64_t last_ns;
	const char *reason;
};

/**
 * struct perfolio_record_options - a new session.
 * @size: sizeof(struct perfolio_record_options)
 * @folio: path of the folio, which must not exist. The archives lie beside it. A relative one, and relative ones in words for loggers then, are those
 *         of the working folder at this time, also if the program has another one later
 * @creator: name of the program, which the folio tells; NULL: the name that it was started by
 * @changed: called by perfolio_record_dispatch() and _wait() when the state of a host has changed, once for each change that it sees; it may make
 *           calls for the session, but not free it; NULL: none. @arg: its first argument
 */
struct perfolio_record_options {
	size_t size;
	const char *folio;
	const char *creator;
	void (*changed)(void *arg, struct perfolio_record *r, int host, const struct perfolio_record_host *now);
	void *arg;
};

/* perfolio_record_new() - claim the folio's name. Return: 0; -EEXIST if anything of that name is there; -EINVAL; what open(2) says. */
int perfolio_record_new(struct perfolio_record **ret_record, const struct perfolio_record_options *options,
			struct perfolio_record_error *err);

/**
 * perfolio_record_add() - one more host, before the start.
 * @host: "self:" is this host, sampled without a pmcd; others are asked through their pmcd: HOST[:PORT], pcp://HOST, local:, unix:PATH
 * @is_default: not 0: it is named first in the folio; else that is the host that was added first
 *
 * Return: its number, from 0 on; -EINVAL, also for a second default; -ENOTSUP; -EEXIST for the 28th time the same host.
 */
int perfolio_record_add(struct perfolio_record *r, const char *host, int is_default, struct perfolio_record_error *err);

/**
 * perfolio_record_arg() - one more word for the command line of a logger: the switches of perfolio-log(1) but -h, -x and --tell, their values as
 * words of their own.
 * @host: number of a host, or PERFOLIO_RECORD_ALL: those that were added by now
 *
 * Words are looked at by the logger: one with a bad switch ends with status 2 << 8.
 */
int perfolio_record_arg(struct perfolio_record *r, int host, const char *word, struct perfolio_record_error *err);

/* perfolio_record_start() - write the folio and launch the loggers: all of them, or none is, no file is left, and the session is over. Does not wait
 * until they record. */
int perfolio_record_start(struct perfolio_record *r, struct perfolio_record_error *err);

/* perfolio_record_stop() - tell the logger of a host, or of all, to complete its archive and end. Does not wait for that. Return: 0; -EINVAL: the host
 * is not being recorded (any more); -EPIPE: its logger is gone. */
int perfolio_record_stop(struct perfolio_record *r, int host, struct perfolio_record_error *err);

/* perfolio_record_detach() - let the logger of a host, or of all, run on alone: it does not end with the session or the program. It stays a
 * child of the process. Return: as perfolio_record_stop(). */
int perfolio_record_detach(struct perfolio_record *r, int host, struct perfolio_record_error *err);

/**
 * perfolio_record_status() - what is known of a host.
 * @wait_ms: ask its logger how far it is, and wait so long for the answer, milliseconds; 0: do not ask. Without an answer the last one holds
 * @ret_host: its size is set by the caller, up to which it is filled
 *
 * Return: 0; -EINVAL: there is no such host.
 */
int perfolio_record_status(struct perfolio_record *r, int host, int wait_ms, struct perfolio_record_host *ret_host,
			   struct perfolio_record_error *err);

/* perfolio_record_hosts() - how many hosts there are: their numbers are below that. */
int perfolio_record_hosts(struct perfolio_record *r);

/* perfolio_record_fd() - a descriptor for poll(2), select(2) or epoll(7): readable when perfolio_record_dispatch() has something to do, first
 * of all when a logger has ended, also a detached one. It is the session's, and the same until free. */
int perfolio_record_fd(struct perfolio_record *r);

/* perfolio_record_dispatch() - take what loggers have told, see which have ended, and tell @changed. Never waits. Return: how many loggers are running. */
int perfolio_record_dispatch(struct perfolio_record *r);

/* perfolio_record_wait() - dispatch until every logger that is not detached has ended, for @wait_ms milliseconds at most, -1: without limit. Return: how
 * many of them are still running. */
int perfolio_record_wait(struct perfolio_record *r, int wait_ms);

/* perfolio_record_free() - end of the session: what still records is stopped, and waited for until its archive is complete; after ten seconds its logger
 * is killed. Detached loggers run on. A session that was not started leaves no file, and one in which no archive came to be only the logs that say why. NULL is taken. */
void perfolio_record_free(struct perfolio_record *r);

#ifdef __cplusplus
}
#endif

#endif
