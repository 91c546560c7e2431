/* record.c - record hosts for some seconds, and show how far they are.
 *
 *     cc -o record record.c $(pkg-config --cflags --libs perfolio)
 *     ./record run.folio 5                    this host
 *     ./record run.folio 5 self: db1 db2      this one, and two that run a pmcd
 *     perfolio replay run.folio
 */
#include <perfolio/record.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* Called when something has become of a host. */
static void changed(void *arg, struct perfolio_record *r, int host, const struct perfolio_record_host *now)
{
	(void)arg;
	(void)r;
	(void)host;
	if (now->state == PERFOLIO_RECORD_ENDED && now->status != 0)
		fprintf(stderr, "%s: not recorded to its end; see %s\n", now->host, now->log);
}

int main(int argc, char **argv)
{
	struct perfolio_record *r;
	struct perfolio_record_error err;
	struct perfolio_record_options options = { .size = sizeof(options), .changed = changed };
	long seconds = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
	int bad = 0;

	if (seconds < 1) {
		fprintf(stderr, "usage: %s FOLIO SECONDS [HOST...]\n", argv[0]);
		return 2;
	}
	options.folio = argv[1];
	if (perfolio_record_new(&r, &options, &err) < 0) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}

	/* The hosts, and the switches of perfolio-log(1) for all of them: four samples a second of CPU, disks, memory and networks. */
	for (int i = 3; i < argc || i == 3; i++) {
		if (perfolio_record_add(r, i < argc ? argv[i] : "self:", 0, &err) < 0)
			bad = 1;
	}
	const char *words[] = { "-i", "0.25", "-s", "cdmn" };
	for (int i = 0; i < 4 && !bad; i++)
		bad = perfolio_record_arg(r, PERFOLIO_RECORD_ALL, words[i], &err) < 0;
	if (bad || perfolio_record_start(r, &err) < 0) {
		fprintf(stderr, "%s\n", err.text);
		perfolio_record_free(r);
		return 1;
	}

	/* Wait for a second; come back earlier only when all loggers have ended. */
	while (seconds-- > 0 && perfolio_record_wait(r, 1000) > 0) {
		for (int i = 0; i < perfolio_record_hosts(r); i++) {
			struct perfolio_record_host now = { .size = sizeof(now) };
			if (perfolio_record_status(r, i, 200, &now, NULL) == 0)
				printf("%s: %llu samples, %llu bytes\n", now.host, (unsigned long long)now.samples,
				       (unsigned long long)now.bytes);
		}
	}

	/* Tell them to complete their archives, and wait until they have. */
	perfolio_record_stop(r, PERFOLIO_RECORD_ALL, NULL);
	perfolio_record_wait(r, -1);
	for (int i = 0; i < perfolio_record_hosts(r); i++) {
		struct perfolio_record_host now = { .size = sizeof(now) };
		if (perfolio_record_status(r, i, 0, &now, NULL) < 0 || now.status != 0)
			bad = 1;
		else
			printf("%s: complete, in %s\n", now.host, now.archive);
	}
	perfolio_record_free(r);
	return bad;
}
