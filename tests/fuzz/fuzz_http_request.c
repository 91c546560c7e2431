/* fuzz_http_request.c - heads of HTTP requests: views stay inside, and more bytes never make a whole head half. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#include "sinks/http_request.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct pf_http_request r = { 0 };
	int rc = pf_http_request_parse((struct pf_view){ text, size }, &r);
	if (rc == 1) {
		assert(r.method.p >= text && r.method.p + r.method.n <= text + size);
		assert(r.path.n >= 1 && r.path.p[0] == '/');
	}
	if (size > 0) {
		struct pf_http_request half = { 0 };
		int before = pf_http_request_parse((struct pf_view){ text, size - 1 }, &half);
		assert(before == 0 || before == rc);
	}
	return 0;
}
