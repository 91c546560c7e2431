/* hosts.c - four hosts in one session, as a program of PCP would record them: one is switched off, one detached, one asked, one killed.
 * `hosts FOLIO HOST HOST HOST HOST`; prints what the calls say. The detached logger is left running. `hosts FOLIO HOST`: ends without a word to its
 * logger; `hosts FOLIO HOST killed`: is killed. `hosts FOLIO HOST empty`: with nothing to record. */
#include <stdio.h>
#include <sys/types.h>

#include <pcp/pmafm.h>

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

static pmRecordHost *hosts[4];

/* Until the first volume has @bytes, or the logger has ended. */
static void wait_bytes(const pmRecordHost *rh, long bytes)
{
	char path[4096];
	struct stat st;
	snprintf(path, sizeof(path), "%.*s0", (int)(strlen(rh->logfile) - strlen("log")), rh->logfile);
	for (int tries = 0; tries < 1500; tries++) {
		if (stat(path, &st) == 0 && st.st_size >= bytes)
			return;
		siginfo_t info = { 0 };
		if (waitid(P_PID, (id_t)rh->pid, &info, WEXITED | WNOWAIT | WNOHANG) == 0 && info.si_pid != 0)
			break;
		poll(NULL, 0, 20);
	}
	printf("%s does not grow\n", path);
}

static void wait_end(pid_t pid)
{
	siginfo_t info;
	waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
}

static int one(const char *host, const char *how)
{
	int empty = strcmp(how, "empty") == 0;
	int rc = pmRecordAddHost(host, 1, &hosts[0]);
	if (rc == 0 && !empty)
		fprintf(hosts[0]->f_config, "log mandatory on 100 msec { kernel.all.load }\n");
	rc = rc == 0 ? pmRecordControl(NULL, PM_REC_ON, NULL) : rc;
	if (rc < 0)
		return 1;
	if (empty) {
		wait_end(hosts[0]->pid);
		printf("status %d\n", pmRecordControl(hosts[0], PM_REC_STATUS, NULL));
		printf("host 0: status %d\n", hosts[0]->status);
	} else {
		wait_bytes(hosts[0], 1000);
	}
	printf("logger %d %s\n", (int)hosts[0]->pid, hosts[0]->logfile);
	fflush(stdout);
	if (strcmp(how, "killed") == 0)
		raise(SIGKILL);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc < 3 || !pmRecordSetup(argv[1], "hosts", argc == 6))
		return 2;
	if (argc < 6)
		return one(argv[2], argc == 4 ? argv[3] : "");
	for (int i = 0; i < 4; i++) {
		int rc = pmRecordAddHost(argv[i + 2], i == 2, &hosts[i]);
		if (rc < 0) {
			printf("host %d: %d\n", i, rc);
			return 1;
		}
		fprintf(hosts[i]->f_config,
			"log mandatory on 100 msec { kernel.all.load kernel.all.cpu mem.util.free }\n");
	}
	printf("on %d\n", pmRecordControl(NULL, PM_REC_ON, NULL));
	for (int i = 0; i < 4; i++)
		wait_bytes(hosts[i], 1000);
	printf("off %d\n", pmRecordControl(hosts[0], PM_REC_OFF, NULL));
	printf("detach %d\n", pmRecordControl(hosts[1], PM_REC_DETACH, NULL));
	printf("status %d\n", pmRecordControl(hosts[2], PM_REC_STATUS, NULL));
	kill(hosts[3]->pid, SIGKILL);
	wait_end(hosts[0]->pid);
	wait_end(hosts[3]->pid);
	for (int i = 0; i < 4; i++)
		printf("off %d: %d\n", i, pmRecordControl(hosts[i], PM_REC_OFF, NULL));
	wait_end(hosts[2]->pid);
	printf("again %d\n", pmRecordControl(NULL, PM_REC_OFF, NULL));
	for (int i = 0; i < 4; i++)
		printf("host %d: status %d, fd %d\n", i, hosts[i]->status, hosts[i]->fd_ipc);
	printf("detached %d\n", (int)hosts[1]->pid);
	return 0;
}
