/* cmd/messages.h - the log of messages beside recordings (-m with -f), and the words for syslog. */
#ifndef PF_CMD_MESSAGES_H
#define PF_CMD_MESSAGES_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/buf.h"
#include "engine/request.h"

/**
 * struct pf_messages - {0} tells nobody anything.
 * @name: "collectl" or "perfolio": of the file and in syslog
 * @log: DIR/HOST-NAME- , to which YYYYMM.log is added; empty without a log
 * @system: what begins, ends and stops the program also goes to syslog
 * @uid, @gid: whose the file is to be; (uid_t)-1: whoever makes it
 */
struct pf_messages {
	const char *name;
	char host[65];
	struct pf_buf log;
	bool system;
	uid_t uid;
	gid_t gid;
};

/* pf_messages_begin() - choose the places; nothing is opened before there is something to tell. */
void pf_messages_begin(struct pf_messages *m, const struct pf_request *req);
void pf_messages_done(struct pf_messages *m);

/**
 * pf_messages_tell() - "YYYYMMDD HH:MM:SS S-TEXT" at the end of this month's log.
 * @severity: I, W, E or F; F goes to syslog as well
 */
void pf_messages_tell(const struct pf_messages *m, char severity, const char *text);

/* pf_messages_life() - the same as I, and to syslog: the beginning and the end. */
void pf_messages_life(const struct pf_messages *m, const char *text);

#endif
