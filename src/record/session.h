/* record/session.h - one recording session: a folio, and one logger process per host with a control channel each.
 * All archives of a session share a unique name of six characters; its file is held while the session lasts, so that another recorder
 * cannot pick the same; when its holder is killed, the loggers complete their archives and remove it. Nothing that exists is ever
 * overwritten, but for an empty folio that no living recorder holds. */
#ifndef PF_RECORD_SESSION_H
#define PF_RECORD_SESSION_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct pf_err;
struct pf_session;

/* One host. @spec: as it was said; @host: what the folio calls it. @base: path of its archive. @fd: our end of its control channel, -1 once its logger is
 * gone or was detached. @status: as from waitpid(2), -1 while unknown. @samples, @bytes: what the logger told at its end.
 * @growth: bytes a day, 0 not told. */
struct pf_session_host {
	char *spec;
	char *host;
	char *base;
	int fd;
	pid_t pid;
	int status;
	bool ready;
	bool stopped;
	bool told_end;
	uint64_t samples;
	uint64_t bytes;
	uint64_t growth;
	char in[256];
	size_t in_n;
};

/* pf_session_new() - claim the folio's name and a unique one beside it; -EEXIST if the folio, or anything of that name, is there. An empty
 * one that nobody holds was left behind by a recorder that was killed, and is taken. */
int pf_session_new(struct pf_session **ret_session, const char *folio, const char *creator, struct pf_err *err);

/* pf_session_add() - one more host; the first is the default host of the folio. Before the start only. */
int pf_session_add(struct pf_session *s, const char *host, struct pf_err *err);

/**
 * pf_session_start() - write the folio and launch one logger per host.
 * @program: path of the program to run as `PROGRAM log ARGS... BASE`
 * @args: NULL-terminated switches for every logger
 */
int pf_session_start(struct pf_session *s, const char *program, const char *const *args, struct pf_err *err);

unsigned pf_session_n_hosts(const struct pf_session *s);
const struct pf_session_host *pf_session_host(const struct pf_session *s, unsigned i);

/* pf_session_read() - take what a logger told; call when its fd is readable. Its end closes the fd. Return: was there anything? */
bool pf_session_read(struct pf_session *s, unsigned i);

/* pf_session_reap() - collect loggers that ended, only ours. Return: how many are still running. */
unsigned pf_session_reap(struct pf_session *s);

/* pf_session_stop() - ask every logger to complete its archive and end. */
void pf_session_stop(struct pf_session *s);

/* pf_session_kill() - end those that do not; what they recorded until then is in their archives. */
void pf_session_kill(struct pf_session *s);

/* pf_session_free() - give up the unique name; removes the folio if no archive came to be. Running loggers see the end of their channel.
 * Returns NULL. */
struct pf_session *pf_session_free(struct pf_session *s);

#endif
