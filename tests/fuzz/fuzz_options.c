/* tests/fuzz/fuzz_options.c - any command line: NUL-separated words go through the switches and the plan, which start nothing. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "cmd/options.h"
#include "engine/plan.h"

enum { MAX_WORDS = 32 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 1)
		return 0;
	char *text = malloc(size);
	char *argv[MAX_WORDS + 2];
	char name[] = "perfolio";
	int argc = 1;
	if (!text)
		return 0;
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	argv[0] = name;
	for (size_t at = 0; at < size && argc <= MAX_WORDS; at += strlen(text + at) + 1)
		argv[argc++] = text + at;
	argv[argc] = NULL;

	struct pf_options options;
	struct pf_plan plan;
	struct pf_err err = { 0 };
	bool getopt;
	if (pf_options_parse(argc, argv, 0, (enum pf_flavour)(data[0] % 3), &options, &getopt, &err) == 0) {
		(void)pf_plan_make(&plan, &options.request, NULL, &err);
		pf_plan_done(&plan);
	}
	pf_options_done(&options);
	free(text);
	return 0;
}
