/* tests/fuzz/fuzz_playback.c - raw files of any bytes through the playback engine in every view: no view may stumble over any sample. First
 * byte: a letter that chooses the command line; the rest is the file. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "cmd/options.h"
#include "engine/plan.h"
#include "engine/run.h"

enum { WORDS_MAX = 12, LARGEST = 256 * 1024 };

/* Subsystems in summary and detail, then the view. */
static const char *const lines[][WORDS_MAX] = {
	{ "-sbcdfijmnst" },
	{ "-scdnm", "-oTm", "-on" },
	{ "-sbcdfijmnstpq", "--verbose" },
	{ "-sBCDFJMN", "--verbose" },
	{ "-sC", "-oz" },
	{ "-sZ" },
	{ "-sZ", "--procopts", "cfIkmstwx" },
	{ "-sY", "--slabopts", "s" },
	{ "-sy", "--verbose" },
	{ "-sxX", "--verbose" },
	{ "-sE", "--verbose" },
	{ "-sbcdfijmnstxy", "-P" },
	{ "-sBCDFJMNTXE", "-P", "--sep", "," },
	{ "-sY", "-P" },
	{ "-sZ", "-P" },
	{ "-sbcdfijmnstpqBCDFJMNQTXYZE", "--oformat", "json" },
	{ "-scdnmDNCZ", "--oformat", "xml" },
	{ "-scdnmDNCZ", "--oformat", "csv" },
	{ "-scdnmDNC", "--export", "lexpr" },
	{ "-scdnm", "--export", "vmstat" },
	{ "-scdnm", "--stats" },
	{ "-sdD", "--dskfilt", "sd|nvme", "--verbose" },
	{ "-snN", "--netfilt", "^eth", "--verbose" },
};

enum { N_LINES = sizeof(lines) / sizeof(lines[0]) };

static void run(char **argv, int argc, enum pf_flavour flavour)
{
	struct pf_options options;
	struct pf_plan plan;
	struct pf_err err = { 0 };
	struct pf_run_result result;
	bool getopt;
	if (pf_options_parse(argc, argv, 0, flavour, &options, &getopt, &err) == 0) {
		if (pf_plan_make(&plan, &options.request, NULL, &err) == 0)
			(void)pf_run_playback(&plan, NULL, &result, &err);
		pf_plan_done(&plan);
	}
	pf_options_done(&options);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2 || size > LARGEST)
		return 0;
	int fd = memfd_create("raw", 0);
	if (fd < 0)
		return 0;
	char path[64], name[] = "perfolio", to[] = "--output", nowhere[] = "/dev/null";
	char words[WORDS_MAX][64];
	char *argv[WORDS_MAX + 5] = { name, to, nowhere };
	int argc = 3;
	const char *const *line = lines[data[0] % N_LINES];
	for (unsigned i = 0; i < WORDS_MAX && line[i]; i++) {
		(void)snprintf(words[i], sizeof(words[i]), "%s", line[i]);
		argv[argc++] = words[i];
	}
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	argv[argc++] = path;
	if (pf_io_write_all(fd, data + 1, size - 1) == 0)
		run(argv, argc, PF_FLAVOUR_REPLAY);
	(void)close(fd); /* a memfd has nothing to lose */
	return 0;
}
