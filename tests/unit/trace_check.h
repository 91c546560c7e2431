/* tests/unit/trace_check.h - compile one D text of a table of cases and compare what came out. Include cmocka first. */
#ifndef PF_TESTS_TRACE_CHECK_H
#define PF_TESTS_TRACE_CHECK_H

#include <stdio.h>

#include "base/buf.h"
#include "trace_host.h"

struct text_case {
	const char *text;
	const char *want; /* printed argument of trace(), or the message behind the specifier */
	const char *tag;  /* NULL: compiles */
};

/* Compile @text as the argument of -n; what came out, or the message behind "invalid probe specifier TEXT: ". */
static inline void run(struct host *h, const char *text, int argc, const char *const *argv, struct pf_buf *out,
		       const char **ret_tag)
{
	struct pf_dprog *p = host_prog(h);
	struct pf_err err = { 0 };
	memset(h->types, 0, sizeof(h->types)); /* those of an earlier program are gone with it */
	assert_non_null(p);
	pf_buf_clear(out);
	int rc = pf_dprog_compile(p, PF_DP_NAME, NULL, pf_view_of(text), argc, argv, &err);
	*ret_tag = p->diag.tag;
	if (rc == 0) {
		assert_null(p->diag.tag);
		pf_dexpr_print(out, p->clauses->stmts->expr->args[0]);
	} else {
		const char *prefix = "invalid probe specifier ";
		assert_int_equal(strncmp(err.text, prefix, strlen(prefix)), 0);
		pf_buf_str(out, err.text + strlen(prefix) + strlen(text) + 2);
	}
	(void)pf_dprog_free(p);
}

/* Each case stands between @before and @after. */
static inline void check(struct host *h, const struct text_case *k, size_t n, int argc, const char *const *argv,
			 const char *before, const char *after)
{
	struct pf_buf out = { 0 };
	for (size_t i = 0; i < n; i++) {
		char text[512];
		const char *tag = NULL;
		(void)snprintf(text, sizeof(text), "%s%s%s", before, k[i].text, after);
		run(h, text, argc, argv, &out, &tag);
		if (k[i].tag)
			assert_string_equal(tag ? tag : out.p, k[i].tag);
		else if (tag)
			fail_msg("%s: %s", text, out.p);
		assert_string_equal(out.p, k[i].want);
	}
	pf_buf_done(&out);
}

#define CHECK(cases, argc, argv, before, after)                                                                        \
	check(&(struct host){ 0 }, cases, sizeof(cases) / sizeof((cases)[0]), argc, argv, before, after)

#endif
