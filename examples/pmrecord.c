/* pmrecord.c - record hosts for some seconds with the three calls of PCP's record mode.
 *
 *     cc -o pmrecord pmrecord.c $(pkg-config --cflags --libs perfolio-pcp_gui)
 *     cc -o pmrecord pmrecord.c -lpcp_gui     with PCP's own header and library
 *     ./pmrecord run.folio 5 local: db1       each of them runs a pmcd
 *     pmafm run.folio list                    or: perfolio folio run.folio list
 */
#include <stdio.h>
#include <sys/types.h>

#include <pcp/pmafm.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char config[] = "log mandatory on 1 sec {\n"
			     "    kernel.all.load\n"
			     "    kernel.all.cpu\n"
			     "    mem.util\n"
			     "    disk.all\n"
			     "}\n";

static const char *reason(int rc)
{
	return rc == -12366 ? "its logger has ended" : strerror(-rc);
}

int main(int argc, char **argv)
{
	int seconds = argc > 3 ? atoi(argv[2]) : 0;
	int rc;

	if (seconds < 1) {
		fprintf(stderr, "usage: %s FOLIO SECONDS HOST...\n", argv[0]);
		return 2;
	}

	/* 1. The session. This program has no configuration for a replay of its own. */
	if (!pmRecordSetup(argv[1], "pmrecord", 0)) {
		perror(argv[1]);
		return 1;
	}

	/* 2. The hosts, the first of them as default, and what is recorded of each. */
	int n = argc - 3;
	pmRecordHost **hosts = calloc((size_t)n, sizeof(*hosts));
	if (!hosts)
		return 1;
	for (int i = 0; i < n; i++) {
		rc = pmRecordAddHost(argv[i + 3], i == 0, &hosts[i]);
		if (rc < 0) {
			fprintf(stderr, "%s: %s\n", argv[i + 3], reason(rc));
			return 1;
		}
		fputs(config, hosts[i]->f_config);
	}

	/* 3. Control: a word for all loggers, begin, wait, end. */
	pmRecordControl(NULL, PM_REC_SETARG, "-r");
	rc = pmRecordControl(NULL, PM_REC_ON, NULL);
	if (rc < 0) {
		fprintf(stderr, "cannot record: %s\n", reason(rc));
		return 1;
	}
	sleep((unsigned)seconds);
	int bad = 0;
	for (int i = 0; i < n; i++) {
		rc = pmRecordControl(hosts[i], PM_REC_OFF, NULL);
		if (rc < 0) {
			fprintf(stderr, "%s: %s; see %s\n", argv[i + 3], reason(rc), hosts[i]->logfile);
			bad = 1;
		}
	}
	free(hosts); /* only our list; the structures are the library's */
	return bad;
}
