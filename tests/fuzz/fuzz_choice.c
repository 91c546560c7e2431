/* tests/fuzz/fuzz_choice.c - --raw*filt, --raw*ignore: what is wanted, what is not, then lines of the kernel. */
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "model/choice.h"

enum { MAX_TEXT = 512 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Cut the first line off; NULL: none is left. */
static char *next_line(char **rest)
{
	char *line = *rest;
	char *end = line ? strchr(line, '\n') : NULL;
	if (end)
		*end++ = '\0';
	*rest = end;
	return line;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char text[MAX_TEXT + 1];
	if (size < 1 || size > MAX_TEXT || memchr(data, '{', size))
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	char *rest = text + 1;
	char *want = next_line(&rest);
	char *ignore = next_line(&rest);

	struct pf_choice *choice = NULL;
	struct pf_err err = { 0 };
	if (pf_choice_new(&choice, data[0] & 1 ? want : NULL, data[0] & 2, data[0] & 4 ? ignore : NULL, &err) < 0)
		return 0;
	for (char *line = next_line(&rest); line; line = next_line(&rest))
		(void)pf_choice_takes(choice, pf_view_of(line), data[0] & 8);
	choice = pf_choice_free(choice);
	return 0;
}
