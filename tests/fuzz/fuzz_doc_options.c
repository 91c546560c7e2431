/* fuzz_doc_options - the words of --oformat: refused with a sentence, or within their bounds. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "formats/text/doc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	char *words = malloc(size);
	if (!words)
		return 0;
	memcpy(words, data + 1, size - 1);
	words[size - 1] = '\0';

	struct pf_doc_options o = { .indent = 99 };
	struct pf_err err = { 0 };
	int rc = pf_doc_options_parse(words, data[0] & 1, &o, &err);
	if (rc == 0 && (o.indent > 16 || (o.format > PF_FORMAT_HTML && !(data[0] & 1))))
		abort();
	if (rc != 0 && (rc != -EINVAL || err.text[0] == '\0' || o.indent != 99))
		abort();
	free(words);
	return 0;
}
