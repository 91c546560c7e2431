/* cmd/daemon.h - one recorder in the background: fork, session, pid file, another user. */
#ifndef PF_CMD_DAEMON_H
#define PF_CMD_DAEMON_H

#include <stdbool.h>
#include <sys/types.h>

#include "engine/request.h"

struct pf_err;

/**
 * struct pf_daemon
 * @dir_fd: folder of pid files: $PERFOLIO_RUNDIR, else /var/run; @name: of ours, "collectl.pid" or "collectl-PNAME.pid"
 * @pid_fd: the file, locked as long as the daemon lives; @ready_fd: the parent waits there, in the daemon; -1: none
 * @uid, @gid: of --runas; (uid_t)-1, (gid_t)-1: none
 */
struct pf_daemon {
	int dir_fd;
	int pid_fd;
	int ready_fd;
	char name[80];
	bool peer;
	uid_t uid;
	gid_t gid;
};

/* pf_daemon_check() - can these switches be a daemon's, and who is it to run as? Nothing is opened but the pid file's folder. */
int pf_daemon_check(struct pf_daemon *d, const struct pf_request *req, struct pf_err *err);

/**
 * pf_daemon_start() - take the pid file, fork, become another user.
 * @ret_status: in the parent: the status it is to end with: 0 once the daemon called pf_daemon_ready(), else that of the daemon
 *
 * Return: 0 in the daemon; 1 in the parent; -EEXIST when one runs already; other negative errno with a sentence.
 */
int pf_daemon_start(struct pf_daemon *d, int *ret_status, struct pf_err *err);

/* pf_daemon_ready() - all is open: standard streams go to /dev/null, the parent may go. Harmless when repeated or not a daemon. */
void pf_daemon_ready(struct pf_daemon *d);

/* pf_daemon_end() - remove the pid file, or empty it if another user may not remove it. */
void pf_daemon_end(struct pf_daemon *d);

/* pf_daemon_umask() - --umask: an octal number, for root only. Return: 0 or -EINVAL. */
int pf_daemon_umask(const char *text, struct pf_err *err);

/* pf_daemon_title() - what ps(1) shows: @title over the words that the program was started with; copies of them must exist. */
void pf_daemon_title(int argc, char **argv, const char *title);

#endif
