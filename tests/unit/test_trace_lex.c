/* trace/dlang: literals, macros, comments, lines with #, and what is wrong with them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/buf.h"
#include "trace_check.h"

static void an_integer_has_the_first_type_that_fits(void **state)
{
	(void)state;
	static const struct text_case cases[] = {
		{ "0", "0:int", NULL },
		{ "2147483647", "2147483647:int", NULL },
		{ "2147483648", "2147483648:long", NULL },
		{ "0x7fffffff", "2147483647:int", NULL },
		{ "0x80000000", "2147483648:unsigned int", NULL },
		{ "0xffffffffff", "1099511627775:long", NULL },
		{ "0xffffffffffffffff", "18446744073709551615:unsigned long", NULL },
		{ "017", "15:int", NULL },
		{ "5u", "5:unsigned int", NULL },
		{ "5UL", "5:unsigned long", NULL },
		{ "5ll", "5:long", NULL },
		{ "5llu", "5:unsigned long", NULL },
		{ "4294967296u", "4294967296:unsigned long", NULL },
		{ "18446744073709551616", "integer constant 18446744073709551616 does not fit in 64 bits",
		  "D_INT_OFLOW" },
		{ "12ab", "integer constant \"12ab\" has invalid digit a", "D_INT_DIGIT" },
		{ "08", "integer constant \"08\" has invalid digit 8", "D_INT_DIGIT" },
		{ "0xg", "integer constant \"0xg\" has invalid digit x", "D_INT_DIGIT" },
		{ "5lul", "integer constant \"5lul\" has invalid digit l", "D_INT_DIGIT" },
		{ "1.5", "floating-point constants are not permitted", "D_SYNTAX" },
		{ ".5", "floating-point constants are not permitted", "D_SYNTAX" },
		{ "1e3", "floating-point constants are not permitted", "D_SYNTAX" },
	};
	CHECK(cases, 0, NULL, "BEGIN { trace(", "); }");
}

static void characters_and_strings_know_their_escapes(void **state)
{
	(void)state;
	static const struct text_case cases[] = {
		{ "'a'", "97:int", NULL },
		{ "'ab'", "24930:int", NULL },
		{ "'\\n'", "10:int", NULL },
		{ "'\\''", "39:int", NULL },
		{ "'\\x41'", "65:int", NULL },
		{ "'\\101'", "65:int", NULL },
		{ "'abcdefgh'", "7017280452245743464:long", NULL },
		{ "''", "empty character constant", "D_CHR_NULL" },
		{ "'abcdefghi'", "character constant is longer than 8 characters", "D_CHR_OFLOW" },
		{ "\"\"", "\"\":string", NULL },
		{ "\"a\\tb\\\\\\\"\\q\\?\"", "\"a\\011b\\134\\042q?\":string", NULL },
		{ "\"\\101\\x4243\\0\"", "\"AC\\000\":string", NULL },
	};
	CHECK(cases, 0, NULL, "BEGIN { trace(", "); }");
}

static void a_newline_ends_no_constant(void **state)
{
	(void)state;
	struct host h = { 0 };
	struct pf_buf out = { 0 };
	const char *tag = NULL;
	run(&h, "BEGIN { trace(\"ab\ncd\"); }", 0, NULL, &out, &tag);
	assert_string_equal(out.p, "line 1: newline encountered in string constant");
	assert_string_equal(tag, "D_STR_NL");
	run(&h, "BEGIN { trace('a\n'); }", 0, NULL, &out, &tag);
	assert_string_equal(tag, "D_CHR_NL");
	run(&h, "BEGIN { trace(\"ab", 0, NULL, &out, &tag);
	assert_string_equal(out.p, "end of input in string constant");
	pf_buf_done(&out);
}

static void macros_take_the_shape_of_their_argument(void **state)
{
	(void)state;
	static const char *const argv[] = { "me.d", "12", "-0x10", "pid", "a b", "\"quoted\"", "0" };
	static const struct text_case cases[] = {
		{ "$1", "12:int", NULL },
		{ "$$1", "\"12\":string", NULL },
		{ "$2", "-16:int", NULL },
		{ "$3", "pid:pid_t", NULL },
		{ "$$3", "\"pid\":string", NULL },
		{ "$4", "\"a b\":string", NULL },
		{ "$5", "\"quoted\":string", NULL },
		{ "$$0", "\"me.d\":string", NULL },
		{ "$pid", "4321:int", NULL },
		{ "$$pid", "\"4321\":string", NULL },
		{ "$target", "17:int", NULL },
		{ "$7", "macro argument $7 is not defined", "D_MACRO_UNDEF" },
		{ "$nosuch", "macro argument $nosuch is not defined", "D_MACRO_UNDEF" },
		{ "$", "macro argument $ is not defined", "D_MACRO_UNDEF" },
		{ "$99999999999", "macro argument $99999999999 does not fit in an int", "D_MACRO_OFLOW" },
	};
	struct host h = { .argref = 1 };
	check(&h, cases, sizeof(cases) / sizeof(cases[0]), 7, argv, "BEGIN { trace(", "); }");
}

static void macros_that_are_not_given_or_not_used_are_named(void **state)
{
	(void)state;
	static const char *const argv[] = { "me", "x" };
	struct host h = { 0 };
	struct pf_buf out = { 0 };
	const char *tag = NULL;
	run(&h, "BEGIN { trace(1); }", 2, argv, &out, &tag);
	assert_string_equal(out.p, "extraneous argument 'x' ($1 is not referenced)");
	assert_string_equal(tag, "D_MACRO_UNUSED");
	h.argref = 1;
	run(&h, "BEGIN { trace(1); }", 2, argv, &out, &tag);
	assert_null(tag);
	h.defaultargs = 1;
	run(&h, "BEGIN { trace($3); }", 2, argv, &out, &tag);
	assert_string_equal(out.p, "0:int");
	run(&h, "BEGIN { trace($$3); }", 2, argv, &out, &tag);
	assert_string_equal(out.p, "\"\":string");
	pf_buf_done(&out);
}

static void comments_are_skipped_and_must_end(void **state)
{
	(void)state;
	static const struct text_case cases[] = {
		{ "/* a */ BEGIN /* b */ { /* c */ trace(/* d * / */ 1); }", "1:int", NULL },
		{ "BEGIN { // to the end }\n trace(1); }", "1:int", NULL },
		{ "BEGIN { trace(1); /* open }", "end-of-file encountered before matching */", "D_SYNTAX" },
		{ "BEGIN { trace(6 / 2); }", "3:int", NULL },
		{ "BEGIN /6 / 2 == 3/ { trace(1); }", "1:int", NULL },
		{ "BEGIN / 1 / /* comment */ { trace(2); }", "2:int", NULL },
	};
	CHECK(cases, 0, NULL, "", "");
}

static void brackets_that_do_not_match_are_called_so(void **state)
{
	(void)state;
	static const struct text_case cases[] = {
		{ "BEGIN { trace(1)); }", "extra ) in input stream", "D_SYNTAX" },
		{ "BEGIN { trace(1]); }", "extra ] in input stream", "D_SYNTAX" },
		{ "BEGIN /(pid/ { }", "closing ) expected in predicate before /", "D_SYNTAX" },
		{ "BEGIN { trace((1); }", "syntax error near \";\"", "D_SYNTAX" },
		{ "BEGIN { trace(1) }}", "syntax error near \"}\"", "D_SYNTAX" },
		{ "BEGIN { trace(1);", "syntax error near end of input", "D_SYNTAX" },
		{ "BEGIN { trace(1) trace(2); }", "syntax error near \"trace\"", "D_SYNTAX" },
		{ "BEGIN { trace(while); }", "syntax error near \"while\"", "D_SYNTAX" },
		{ "BEGIN { \x01 }", "invalid character 0x01 in the program", "D_SYNTAX" },
	};
	struct host h = { 0 };
	struct pf_buf out = { 0 };
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *tag = NULL;
		run(&h, cases[i].text, 0, NULL, &out, &tag);
		assert_string_equal(out.p, cases[i].want);
		assert_string_equal(tag, cases[i].tag);
	}
	pf_buf_done(&out);
}

/* A script's whole message, and whether it compiles. */
static const char *script(struct host *h, const char *text, struct pf_err *err, struct pf_ddiag *diag)
{
	struct pf_dprog *p = host_prog(h);
	assert_non_null(p);
	*err = (struct pf_err){ 0 };
	(void)pf_dprog_compile(p, PF_DP_SCRIPT, "f.d", pf_view_of(text), 0, NULL, err);
	if (diag)
		*diag = p->diag;
	(void)pf_dprog_free(p);
	return err->text;
}

static void errors_in_a_script_name_file_line_and_token(void **state)
{
	(void)state;
	struct host h = { 0 };
	struct pf_err err;
	struct pf_ddiag diag;
	assert_string_equal(script(&h, "BEGIN\n{\n\ttrace(1 }\n", &err, &diag),
			    "failed to compile script f.d: line 3: syntax error near \"}\"");
	assert_int_equal(diag.line, 3);
	assert_int_equal(diag.column, 10);
	assert_string_equal(diag.token, "}");
	assert_string_equal(diag.tag, "D_SYNTAX");
	assert_string_equal(script(&h, "#!/usr/sbin/dtrace -s\nBEGIN { y; }", &err, NULL),
			    "failed to compile script f.d: line 2: failed to resolve y: Unknown variable name");
	assert_string_equal(
		script(&h, "# 12 \"other.d\" 1\n\nBEGIN { y; }", &err, NULL),
		"failed to compile script f.d: \"other.d\", line 13: failed to resolve y: Unknown variable name");
	h.errtags = 1;
	assert_string_equal(
		script(&h, "BEGIN { y; }", &err, NULL),
		"failed to compile script f.d: [D_IDENT_UNDEF] line 1: failed to resolve y: Unknown variable name");
}

static void pragmas_set_options_or_say_what_is_wrong(void **state)
{
	(void)state;
	static const struct {
		const char *line, *tag;
	} cases[] = {
		{ "#pragma D option quiet", NULL },
		{ "#pragma D option strsize=100 bufsize=4m", NULL },
		{ "#pragma D option nosuch", "D_PRAGMA_OPTSET" },
		{ "#pragma D option quiet=bad", "D_PRAGMA_OPTSET" },
		{ "#pragma D option", "D_PRAGMA_MALFORM" },
		{ "#pragma D option quiet =yes", "D_PRAGMA_MALFORM" },
		{ "#pragma D depends_on library net.d", NULL },
		{ "#pragma D depends_on planet mars", "D_PRAGMA_INVAL" },
		{ "#pragma D attributes Stable/Stable/ISA provider x provider", NULL },
		{ "#pragma D attributes Stable", "D_PRAGMA_MALFORM" },
		{ "#pragma D binding \"1.0\" x", NULL },
		{ "#pragma D nosuch", "D_PRAGMA_INVAL" },
		{ "#pragma error stop here", "D_PRAGERR" },
		{ "#pragma ident \"x\"", NULL },
		{ "#pragma once", NULL },
		{ "#ident \"x\"", NULL },
		{ "#nosuch", "D_PRAGCTL_INVAL" },
		{ "#line 5 \"x\"", NULL },
		{ "# 5 \"x", "D_PRAGMA_MALFORM" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct host h = { 0 };
		struct pf_err err;
		struct pf_ddiag diag;
		char text[128];
		(void)snprintf(text, sizeof(text), "%s\nBEGIN { }\n", cases[i].line);
		(void)script(&h, text, &err, &diag);
		if (cases[i].tag)
			assert_string_equal(diag.tag ? diag.tag : cases[i].line, cases[i].tag);
		else
			assert_string_equal(err.text, "");
	}
	struct host h = { 0 };
	struct pf_err err;
	assert_string_equal(script(&h, "BEGIN { }\n#pragma D option quiet=bad\n", &err, NULL),
			    "failed to compile script f.d: line 2: failed to set option 'quiet' to 'bad': "
			    "Invalid value for specified option");
}

static void what_is_too_long_or_too_deep_is_refused(void **state)
{
	(void)state;
	struct host h = { 0 };
	struct pf_err err;
	struct pf_ddiag diag;
	struct pf_buf b = { 0 };
	pf_buf_str(&b, "BEGIN { trace(");
	pf_buf_pad(&b, '(', 5000);
	(void)script(&h, b.p, &err, &diag);
	assert_non_null(strstr(err.text, "nested more than"));

	pf_buf_clear(&b);
	pf_buf_str(&b, "BEGIN { trace(1");
	for (int i = 0; i < 5000; i++)
		pf_buf_str(&b, "+x");
	pf_buf_str(&b, "); }");
	(void)script(&h, b.p, &err, &diag);
	assert_non_null(strstr(err.text, "nested more than"));

	pf_buf_clear(&b);
	pf_buf_str(&b, "BEGIN { trace(");
	pf_buf_pad(&b, 'x', 300);
	(void)script(&h, b.p, &err, &diag);
	assert_non_null(strstr(err.text, "name is longer than 255 characters"));

	pf_buf_clear(&b); /* 2^40 nodes if nobody counted */
	pf_buf_str(&b, "inline int a0 = pid;\n");
	for (int i = 1; i < 40; i++)
		pf_buf_fmt(&b, "inline int a%d = a%d + a%d;\n", i, i - 1, i - 1);
	(void)script(&h, b.p, &err, &diag);
	assert_non_null(strstr(err.text, "program has more than"));
	pf_buf_done(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_integer_has_the_first_type_that_fits),
		cmocka_unit_test(characters_and_strings_know_their_escapes),
		cmocka_unit_test(a_newline_ends_no_constant),
		cmocka_unit_test(macros_take_the_shape_of_their_argument),
		cmocka_unit_test(macros_that_are_not_given_or_not_used_are_named),
		cmocka_unit_test(comments_are_skipped_and_must_end),
		cmocka_unit_test(brackets_that_do_not_match_are_called_so),
		cmocka_unit_test(errors_in_a_script_name_file_line_and_token),
		cmocka_unit_test(pragmas_set_options_or_say_what_is_wrong),
		cmocka_unit_test(what_is_too_long_or_too_deep_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
