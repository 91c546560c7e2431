/* record/session.h - one recording session: a folio, and one logger process per host with a control channel each. The one engine of
 * `perfolio record` and of both libraries; there may be several sessions in a process. A session is used by one thread at a time.
 * All archives of a session share a unique name of six characters; its file is held while the session lasts, so that another recorder
 * cannot pick the same; when its holder is killed, the loggers complete their archives and remove it. Nothing that exists is ever
 * overwritten, but for an empty folio that no living recorder holds.
 * Order of calls: new, add (at least once), start, then ask and read, free; another order is refused with -EINVAL. */
#ifndef PF_RECORD_SESSION_H
#define PF_RECORD_SESSION_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

struct pf_err;
struct pf_session;

/* In place of the number of a host: all of them. */
#define PF_SESSION_ALL UINT_MAX

/* How loggers are launched.
 * LOG: `PROGRAM log ARGS... -h HOST -x 3 -- BASE` in our folder; it tells on the channel how far it is (record/logger.h).
 * PMLOGGER: `pmlogger ARGS... -x 3 -h HOST -l BASE.log -c BASE.config BASE` in the folder of the folio, as programs of PCP expect it: each host has a
 * configuration that the caller writes, host names are taken as they are, and nothing comes back on the channel but its end. */
enum pf_session_form { PF_SESSION_LOG, PF_SESSION_PMLOGGER };

/**
 * struct pf_session_spec - what a session is.
 * @folio: path of the folio; must not be there
 * @creator: program that records
 * @replay: the file of the unique name is the creator's configuration for a replay: it is named in the folio and stays
 * @logs: what a logger says on its standard output and error goes to BASE.log instead of to ours (LOG; a pmlogger opens that file itself)
 */
struct pf_session_spec {
	const char *folio;
	const char *creator;
	enum pf_session_form form;
	bool replay;
	bool logs;
};

/* Where a session is: no host yet; hosts, not started; started; every host stopped or detached, or the start failed. */
enum pf_session_phase { PF_SESSION_BEGIN, PF_SESSION_HOSTS, PF_SESSION_ON, PF_SESSION_OFF };

/* What a logger is asked; the values are the tags of the control channel. STATUS: say to the user how far it is. DETACH: run on alone. STOP: complete the
 * archive and end. NUMBERS: tell us how far it is (LOG only). */
enum pf_session_request {
	PF_SESSION_STATUS = '?',
	PF_SESSION_DETACH = 'D',
	PF_SESSION_STOP = 'Q',
	PF_SESSION_NUMBERS = 'S'
};

/**
 * struct pf_session_host - one host; the session's, and valid until the next pf_session_add().
 * @spec: as it was said; @host: what the folio calls it; @base: path of its archive
 * @config: where the configuration is written before the start (PMLOGGER), else NULL; closed by the start
 * @fd: our end of its control channel, -1 once its logger is gone or was let go; readable, and at its end, when it is gone. @ino: the socket behind it
 * @pid: 0 before the start; @status: as from waitpid(2), -1 while unknown
 * @on: started, and neither stopped nor detached; also if it has died since
 * @lost: it ended, but somebody else took its status
 * @ready: the first sample is in the archive; @told_end: @samples and @bytes are the last; @last_ns: time of the last sample, 0 unknown
 * @growth: bytes a day, 0 not told; @n_told: how often it has told NUMBERS
 */
struct pf_session_host {
	char *spec;
	char *host;
	char *base;
	FILE *config;
	int fd;
	ino_t ino;
	pid_t pid;
	int status;
	bool is_default;
	bool on;
	bool stopped;
	bool detached;
	bool lost;
	bool ready;
	bool told_end;
	uint64_t samples;
	uint64_t bytes;
	int64_t last_ns;
	uint64_t growth;
	unsigned n_told;
	char **args;
	unsigned n_args;
	char in[256];
	size_t in_n;
};

/* pf_session_new() - claim the folio's name and a unique one beside it; -EEXIST if the folio, or anything of that name, is there. With LOG an empty
 * one that nobody holds was left behind by a recorder that was killed, and is taken. */
int pf_session_new(struct pf_session **ret_session, const struct pf_session_spec *spec, struct pf_err *err);

/* pf_session_replay() - where the configuration for a replay is written before the start, which closes it; NULL without one. */
FILE *pf_session_replay(const struct pf_session *s);

/* pf_session_unique() - the six characters that all its files begin with. */
const char *pf_session_unique(const struct pf_session *s);

/* pf_session_add() - one more host, the last one of pf_session_host(). @is_default: it is the first in the folio; else that is the one added first.
 * Return: 0; -EINVAL also for a second default; -EEXIST the 28th time for a host; what open(2) says of a configuration. */
int pf_session_add(struct pf_session *s, const char *host, bool is_default, struct pf_err *err);

/* pf_session_arg() - one more word for the command line of the logger of host @i, or of all that were added by now. Before the start only. */
int pf_session_arg(struct pf_session *s, unsigned i, const char *word, struct pf_err *err);

/**
 * pf_session_start() - write the folio and launch one logger per host. When one cannot be launched, none is: those that run already are killed, and
 * all files of the session are removed. The session is over then.
 * @program: path of the program. With PMLOGGER one that cannot be run shows as a logger that ended with status 1.
 */
int pf_session_start(struct pf_session *s, const char *program, struct pf_err *err);

enum pf_session_phase pf_session_phase(const struct pf_session *s);
unsigned pf_session_n_hosts(const struct pf_session *s);
const struct pf_session_host *pf_session_host(const struct pf_session *s, unsigned i);

/**
 * pf_session_ask() - put a request to the logger of host @i, or to all that are on.
 * @options: text for the window of a dialog program, or NULL
 *
 * STOP and DETACH end the host's part in the session, whatever becomes of the request. A stopped logger may still tell of its end (LOG).
 *
 * Return: 0; -EINVAL: the session is not on, or host @i is not (any more); -EPIPE: its logger is gone; another negative errno of send(2). Of
 * several that failed the last counts.
 */
int pf_session_ask(struct pf_session *s, unsigned i, enum pf_session_request request, const char *options);

/* pf_session_read() - take what a logger told; call when its fd is readable. Its end closes the fd. Return: was there anything? */
bool pf_session_read(struct pf_session *s, unsigned i);

/* pf_session_forget() - the descriptor of host @i was closed by others; it is no longer ours. */
void pf_session_forget(struct pf_session *s, unsigned i);

/* pf_session_reap() - collect loggers that ended, only ours. Return: how many are still running, detached ones among them. */
unsigned pf_session_reap(struct pf_session *s);

/* pf_session_stop() - ask every logger to complete its archive and end. */
void pf_session_stop(struct pf_session *s);

/* pf_session_kill() - end those that do not; what they recorded until then is in their archives. */
void pf_session_kill(struct pf_session *s);

/* pf_session_free() - give up the unique name. Running loggers see the end of their channel. What was not started leaves no file; with LOG a folio
 * without any archive is removed, too. Returns NULL. */
struct pf_session *pf_session_free(struct pf_session *s);

/* pf_session_last_words() - the last line that the logger of a host has in its log, without the name of the program before it; the caller frees. NULL:
 * it said nothing, or that cannot be read. */
char *pf_session_last_words(const struct pf_session *s, unsigned host);

#endif
