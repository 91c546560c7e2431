/* formats/text/scan*.c on any bytes, whole and in pieces: both must say the same. The first byte chooses the syntax, the second the length of pieces. */
#include <stdint.h>
#include <stdlib.h>

#include "base/err.h"
#include "formats/text/scan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct outcome {
	uint64_t errors;
	uint64_t places; /* sum of where errors are */
	uint64_t elements;
	uint64_t good;
};

static struct outcome scan(const struct pf_scanner *scanner, struct pf_view text, size_t step)
{
	struct outcome o = { 0 };
	struct pf_err err = { 0 };
	struct pf_scan *s = scanner->open();
	if (!s)
		abort();
	while (text.n > 0 && !s->over) {
		struct pf_view piece = { text.p, text.n < step ? text.n : step };
		text = (struct pf_view){ text.p + piece.n, text.n - piece.n };
		while (piece.n > 0 && !s->over) {
			if (pf_scan_feed(s, &piece, &err) == 0)
				continue;
			o.errors++;
			o.places += s->byte;
		}
	}
	if (!s->over && scanner->end(s, &err) < 0)
		o.errors++;
	o.elements = s->elements;
	o.good = s->good;
	(void)scanner->close(s);
	return o;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct pf_scanner *const scanners[] = { &pf_scanner_json, &pf_scanner_xml, &pf_scanner_csv };
	if (size < 2)
		return 0;
	struct pf_view text = { (const char *)data + 2, size - 2 };
	const struct pf_scanner *scanner = scanners[data[0] % 3];
	struct outcome whole = scan(scanner, text, SIZE_MAX);
	struct outcome pieces = scan(scanner, text, data[1] % 16 + 1u);
	if (whole.errors != pieces.errors || whole.places != pieces.places || whole.elements != pieces.elements ||
	    whole.good != pieces.good)
		abort();
	return 0;
}
