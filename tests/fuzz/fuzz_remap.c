/* tests/fuzz/fuzz_remap.c - --dskremap: a line of rules, then names of disks, one a line. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "model/remap.h"

enum { MAX_TEXT = 512 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char text[MAX_TEXT + 1];
	if (size > MAX_TEXT ||
	    memchr(data, '{', size)) /* repetitions of repetitions only show what the C library can take */
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	char *name = strchr(text, '\n');
	if (name)
		*name++ = '\0';

	struct pf_remap *remap = NULL;
	struct pf_err err = { 0 };
	if (pf_remap_new(&remap, text, &err) < 0)
		return 0;
	for (char *next; name; name = next) {
		next = strchr(name, '\n');
		if (next)
			*next++ = '\0';
		char buf[PF_REMAP_NAME_MAX];
		struct pf_view made = pf_remap_name(remap, pf_view_of(name), buf);
		if (made.n > strlen(name) && made.n > sizeof(buf))
			abort();
	}
	remap = pf_remap_free(remap);
	return 0;
}
