/* pcp/pmafm.h - record mode as PCP has it, source- and binary-compatible: pmRecordSetup(3). Written for perfolio from the documented interface
 * and observed behaviour; link with -lpcp_gui. Numbers and sizes: as of PCP 6.0.3, unchanged up to 7.2.
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PCP_PMAFM_H
#define PCP_PMAFM_H

#include <stdio.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * struct pmRecordHost - one host of the session. It belongs to the library, stays valid while the process lives, and serves another host in a
 * later session.
 * @f_config: write the configuration of its logger here, before PM_REC_ON, which closes it and makes this NULL
 * @fd_ipc: its control channel, -1 when there is none; readable, and at its end, when the logger is gone
 * @logfile: absolute path of what the logger has to say
 * @pid: process of the logger, 0 before PM_REC_ON
 * @status: how it ended, as from waitpid(2); -1 while unknown
 */
typedef struct pmRecordHost {
	FILE *f_config;
	int fd_ipc;
	char *logfile;
	pid_t pid;
	int status;
} pmRecordHost;

/* Requests of pmRecordControl(): begin all; end; let run on alone; show how far it is; one more word for the logger's command line. */
#define PM_REC_ON     40
#define PM_REC_OFF    41
#define PM_REC_DETACH 43
#define PM_REC_STATUS 44
#define PM_REC_SETARG 45

/* What PM_REC_STATUS, _OFF and _DETACH say of a logger that is gone; PCP's pmapi.h has it, too. */
#ifndef PM_ERR_IPC
#define PM_ERR_IPC (-12366)
#endif

/* pmRecordSetup() - begin a session with the folio at that path, which must not exist. @replay: not 0 if the configuration for a replay is to be written
 * to the stream. Return: a stream that is the library's to close, or NULL with errno. */
FILE *pmRecordSetup(const char *folio, const char *creator, int replay);

/* pmRecordAddHost() - one more host; at most one is the default. Return: 0 or a negative error, then *rhp is NULL. */
int pmRecordAddHost(const char *host, int isdefault, pmRecordHost **rhp);

/* pmRecordControl() - one of the requests, for one host or with NULL for all. Return: 0 or a negative error. */
int pmRecordControl(pmRecordHost *rhp, int request, const char *options);

#ifdef __cplusplus
}
#endif

#endif
