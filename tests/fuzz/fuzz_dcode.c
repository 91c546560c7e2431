/* The whole compiler, from D text to instructions, which must be ones that a kernel could load. Where loading is allowed and
 * PF_FUZZ_LOAD is set, the kernel's verifier is asked about one program in 64, too. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "check_insns.h"
#include "trace/bpf/load.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* load() - nothing is attached. What the verifier refuses is a fault of ours; what is missing in the kernel is not. */
static void load(struct pf_trace *t, const uint8_t *data, size_t size)
{
	struct pf_err err = { 0 };
	if (pf_session_load(t, &err) < 0 && strstr(err.text, "verifier refuses")) {
		fprintf(stderr, "%s\n%.*s\n", err.text, (int)size, (const char *)data);
		abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static unsigned turn;
	static const char *const argv[] = { "fuzz", "12", "name", "a b" };
	struct pf_err err = { 0 };
	struct pf_trace *t = NULL;
	char *text = malloc(size + 1);
	if (!text || pf_trace_open(&t, NULL, &err) < 0)
		goto out;
	memcpy(text, data, size);
	text[size] = '\0';
	(void)pf_trace_setopt(t, "defaultargs", NULL, &err);
	(void)pf_trace_setopt(t, "argref", NULL, &err);
	(void)pf_trace_setopt(t, "zdefs", NULL, &err);
	struct pf_trace_program program = {
		.origin = PF_D_SCRIPT, .where = "fuzz.d", .text = text, .argc = 4, .argv = argv
	};
	unsigned probes;
	struct pf_buf code = { 0 };
	if (pf_trace_compile(t, &program, &probes, &err) == 0 && probes && pf_trace_code(t, &code, &err) == 0) {
		for (unsigned i = 0; i < t->n_programs; i++)
			check_insns(t, &t->gens[i].a);
		if (getenv("PF_FUZZ_LOAD") && turn++ % 64 == 0)
			load(t, data, size);
	}
	pf_buf_done(&code);
out:
	(void)pf_trace_close(t);
	free(text);
	return 0;
}
