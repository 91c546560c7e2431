/* tests/fuzz/fuzz_import.c - what import modules read is foreign: the text behind --import, files of getproc, output of getexec.
 * The first byte chooses the decoder, the second the kind. */
#include <stddef.h>
#include <stdint.h>

#include "base/view.h"
#include "import/key.h"
#include "import/lines.h"
#include "import/spec.h"
#include "model/group.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Every byte handed over must be readable. */
static void touch(void *arg, struct pf_view tag, struct pf_view line)
{
	unsigned *sum = arg;
	for (size_t i = 0; i < tag.n; i++)
		*sum += (unsigned char)tag.p[i];
	for (size_t i = 0; i < line.n; i++)
		*sum += (unsigned char)line.p[i];
}

static void fuzz_spec(struct pf_view text)
{
	struct pf_import_item item;
	unsigned sum = 0;
	while (pf_import_item_next(&text, &item, NULL) > 0) {
		touch(&sum, item.name, item.args);
		touch(&sum, item.alias, item.args);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2)
		return 0;
	unsigned sum = 0;
	const struct pf_lines_to to = { touch, &sum };
	struct pf_view text = { (const char *)data + 2, size - 2 };
	struct pf_key last;
	const struct pf_line_filter filter = { .variants = UINT64_MAX, .peer = data[1] & 64 };
	switch (data[0] % 3) {
	case 0:
		fuzz_spec(text);
		break;
	case 1:
		if (pf_key_init(&last, "^end", NULL) < 0)
			return 0;
		pf_lines_proc(data[1] % 100, text, PF_VIEW("tag"), data[1] % 3, data[1] % 7, data[1] % 2 ? &last : NULL,
			      &filter, &to);
		pf_key_done(&last);
		break;
	default:
		pf_lines_exec(data[1] % 7, text, PF_VIEW("tag"), &filter, &to);
		break;
	}
	return 0;
}
