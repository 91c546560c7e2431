/* trace/dlang on any text: the first byte says where the text comes from, the program is printed if it compiles. */
#include <stdint.h>

#include "../unit/trace_host.h"
#include "base/buf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const argv[] = { "fuzz", "12", "name", "a b", "-0x7" };
	struct host h = { .defaultargs = 1, .argref = 1 };
	struct pf_dprog *p = host_prog(&h);
	if (!p || size == 0)
		goto out;
	/* Seeds are D text as it is: their first byte is a letter, a # or a blank, all scripts. */
	enum pf_dprog_origin origin = data[0] < 6 ? (enum pf_dprog_origin)data[0] : PF_DP_SCRIPT;
	struct pf_view text = { (const char *)data, size };
	if (data[0] < 6)
		text = (struct pf_view){ text.p + 1, text.n - 1 };
	struct pf_err err = { 0 };
	if (pf_dprog_compile(p, origin, "fuzz.d", text, 5, argv, &err) == 0) {
		struct pf_buf out = { 0 };
		pf_dprog_print(&out, p);
		pf_buf_done(&out);
	}
out:
	(void)pf_dprog_free(p);
	return 0;
}
