/* tests/unit/trace_tags.h - compile a D script and look at the tag of its error, or at its tree. Include cmocka first. */
#ifndef PF_TESTS_TRACE_TAGS_H
#define PF_TESTS_TRACE_TAGS_H

#include "base/buf.h"
#include "trace_check.h"

struct tag_case {
	const char *text;
	const char *tag; /* NULL: compiles */
};

/* Compile @text and give its tag; @out: tree or message. */
static inline const char *tag_of(const char *text, struct pf_buf *out)
{
	struct host h = { 0 };
	struct pf_dprog *p = host_prog(&h);
	struct pf_err err = { 0 };
	assert_non_null(p);
	pf_buf_clear(out);
	int rc = pf_dprog_compile(p, PF_DP_SCRIPT, "f.d", pf_view_of(text), 0, NULL, &err);
	const char *tag = p->diag.tag;
	assert_int_equal(rc < 0, tag != NULL);
	if (rc < 0)
		pf_buf_str(out, err.text);
	else
		pf_dprog_print(out, p);
	(void)pf_dprog_free(p);
	return tag;
}

static inline void check_tags(const struct tag_case *k, size_t n)
{
	struct pf_buf out = { 0 };
	for (size_t i = 0; i < n; i++) {
		const char *tag = tag_of(k[i].text, &out);
		if (!tag != !k[i].tag || (tag && strcmp(tag, k[i].tag) != 0))
			fail_msg("%s\nwants %s, got %s: %s", k[i].text, k[i].tag ? k[i].tag : "no error",
				 tag ? tag : "none", out.p);
	}
	pf_buf_done(&out);
}

#define CHECK_TAGS(cases) check_tags(cases, sizeof(cases) / sizeof((cases)[0]))

static inline void prints(const char *text, const char *want)
{
	struct pf_buf out = { 0 };
	(void)tag_of(text, &out);
	assert_string_equal(out.p, want);
	pf_buf_done(&out);
}

#endif
