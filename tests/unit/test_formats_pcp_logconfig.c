/* formats/pcp/logconfig, logwords and preproc: pmlogger's configuration. What is wrong, and where, is what the real one says
 * (tests/integration/pmloggerconfig.sh compares). */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "formats/pcp/logconfig.h"

/* Two files that can be included, one that includes itself. */
static int include(void *arg, const char *name, struct pf_buf *text)
{
	(void)arg;
	if (strcmp(name, "one") == 0)
		pf_buf_str(text, "on once { in.one\n in.two }\n");
	else if (strcmp(name, "open") == 0)
		pf_buf_str(text, "on once { in.three\n");
	else if (strcmp(name, "self") == 0)
		pf_buf_str(text, "%include <self>\n");
	else
		return -ENOENT;
	return 0;
}

static void read_text(struct pf_logconfig *c, const char *text)
{
	const struct pf_preproc_input in = { .name = "c", .text = pf_view_of(text), .include = include };
	assert_int_equal(pf_logconfig_read(c, &in), 0);
}

/* All of it in one line: "M on 1000 a@1[x,#3] b@2;" */
static char *told(const struct pf_logconfig *c)
{
	static const char *const states[] = { "on", "off", "maybe" };
	struct pf_buf b = { 0 };
	for (unsigned i = 0; i < c->n_statements; i++) {
		const struct pf_log_statement *s = &c->statements[i];
		pf_buf_fmt(&b, "%s%c %s", i ? " " : "", s->mandatory ? 'M' : 'A', states[s->state]);
		if (s->state == PF_LOG_ON)
			pf_buf_fmt(&b, " %lld", (long long)s->interval_ms);
		for (unsigned k = s->first; k < s->first + s->n; k++) {
			const struct pf_log_metric *m = &c->metrics[k];
			pf_buf_fmt(&b, " %s@%s%u", m->name, strcmp(m->at.file, "c") == 0 ? "" : m->at.file, m->at.line);
			for (unsigned n = 0; n < m->n_instances; n++) {
				const struct pf_log_instance *x = &c->instances[m->first_instance + n];
				pf_buf_fmt(&b, "%c%s%s", n ? ',' : '[', x->name ? "" : "#", x->text);
			}
			pf_buf_str(&b, m->n_instances ? "]" : "");
		}
		pf_buf_char(&b, ';');
	}
	for (unsigned i = 0; i < c->n_access; i++)
		pf_buf_fmt(&b, " %c%s=%u", c->access[i].allow ? '+' : '-', c->access[i].host, c->access[i].operations);
	if (c->preproc.what)
		pf_buf_fmt(&b, " P%u:%s|%s", c->preproc.at.line, c->preproc.directive, c->preproc.what);
	if (c->error.what)
		pf_buf_fmt(&b, " E%s%u:%s", strcmp(c->error.at.file, "c") == 0 ? "" : c->error.at.file,
			   c->error.at.line, c->error.what);
	pf_buf_char(&b, '\0');
	assert_int_equal(b.failed, 0);
	return b.p;
}

struct text_case {
	const char *text;
	const char *want;
};

static void check(const struct text_case *cases, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		struct pf_logconfig c;
		read_text(&c, cases[i].text);
		pf_autofree char *have = told(&c);
		if (strcmp(have, cases[i].want) != 0)
			print_error("case %u: %s\n", i, cases[i].text);
		assert_string_equal(have, cases[i].want);
		pf_logconfig_done(&c);
	}
}

static void statements_say_what_is_logged_and_how_often(void **state)
{
	(void)state;
	static const struct text_case cases[] = {
		{ "", "" },
		{ "# nothing\n", "" },
		{ "log mandatory on 1 sec { a.b }\n", "M on 1000 a.b@1;" },
		{ "on once a", "A on 0 a@2;" },
		{ "advisory on default a", "A on -1 a@2;" },
		{ "mandatory on every 5 minutes { a, b c }\n", "M on 300000 a@1 b@1 c@1;" },
		{ "on 0 sec a\n", "A on 0 a@2;" },
		{ "on 5sec a on 500 msec b", "A on 5000 a@1; A on 500 b@2;" },
		{ "on 268435455 msec a\n", "A on 268435455 a@2;" },
		{ "mandatory off a mandatory maybe { b } advisory off c\n", "M off a@1; M maybe b@1; A off c@2;" },
		{ "on once { once mandatory access }\n", "A on 0 once@1 mandatory@1 access@1;" },
		{ "on once {\n a\n b\n }\n", "A on 0 a@3 b@4;" },
		{ "on once a\n\n\non once b\n", "A on 0 a@4; A on 0 b@5;" },
		{ "on once { a[1, \"x y\" z.1\n 0x10]\n\n b }\n", "A on 0 a@2[#1,x y,z.1,#0,x10] b@4;" },
		{ "on once { a[once] }", "A on 0 a@1[once];" },
		{ "on once a[99999999999999999999]\n", "A on 0 a@1[#99999999999999999999];" },
		{ "on 00001 sec a\r\n", "A on 1000 a@2;" },
	};
	check(cases, PF_N(cases));
}

static void errors_name_the_line_and_the_fault(void **state)
{
	(void)state;
	static const struct text_case cases[] = {
		{ "log mandatory on 0.5 sec { a }\n", " E1:Unexpected character '.'" },
		{ "on 1 sec { a }\n\n{", "A on 1000 a@1; E3:syntax error" },
		{ "on once { a\n", "A on 0 a@2; E2:syntax error" },
		{ "on once { a @", "A on 0; E1:Unexpected character '@'" },
		{ "on once { a \x01", "A on 0; E1:Unexpected character '\\x01'" },
		{ "on once { foo-bar }\n", "A on 0; E1:syntax error" },
		{ "on once { ,a }\n", "A on 0; E1:syntax error" },
		{ "on once { a, }\n", "A on 0 a@1; E1:syntax error" },
		{ "on once { }\n", "A on 0; E1:syntax error" },
		{ "on once a[]\n", "A on 0; E1:syntax error" },
		{ "on once a[1,]\n", "A on 0; E1:syntax error" },
		{ "on once a[1,,2]\n", "A on 0; E1:syntax error" },
		{ "on once a[x-1]\n", "A on 0; E1:syntax error" },
		{ "on once a[\"\"]\n", "A on 0; E1:Unexpected character '\"'" },
		{ "on once a[\"x\n\"]\n", "A on 0; E1:Unexpected character '\"'" },
		{ "on once a[once]\n", "A on 0; E1:syntax error" },
		{ "on once once\n", "A on 0; E1:syntax error" },
		{ "on once 9a\n", "A on 0; E1:syntax error" },
		{ "on 5 a\n", " E1:syntax error" },
		{ "on 5 days a\n", " E1:syntax error" },
		{ "on every default a\n", " E1:syntax error" },
		{ "off a\n", " E1:syntax error" },
		{ "advisory maybe a\n", " E1:syntax error" },
		{ "mandatory off once { a }\n", "M off; E1:syntax error" },
		{ "ON once a\n", " E1:syntax error" },
		{ "on 268435456 msec a\n", " E1:Logging delta (268435456 msec) cannot be bigger than 268435455 msec" },
		{ "on 100 hours a\n", " E1:Logging delta (360000000 msec) cannot be bigger than 268435455 msec" },
		{ "on 99999999999999999999 sec a\n", " E1:Logging delta (-1000 msec) must be positive" },
		{ "on once a\n[access]\nallow * : all;\n", "A on 0; E2:syntax error" },
	};
	check(cases, PF_N(cases));
}

static void access_is_kept(void **state)
{
	(void)state;
	static const struct text_case cases[] = {
		{ "[access]\nallow * : all;\n", " +*=7" },
		{ "[ access ] allow *:all; disallow foo-bar, a.b:advisory,enquire;", " +*=7 -foo-bar=5 -a.b=5" },
		{ "[access]\nallow localhost, 127.*, 1.2.3.4, .*, :*, ::1, fe80::*, fe80::1: all except mandatory;\n",
		  " +localhost=5 +127.*=5 +1.2.3.4=5 +.*=5 +:*=5 +::1=5 +fe80::*=5 +fe80::1=5" },
		{ "[access]\nallow unix: : all; disallow local:/a/b-c : mandatory;\n", " +unix:=7 -local:/a/b-c=2" },
		{ "[access]\n", " E2:syntax error" },
		{ "[access]\nallow * : all\n", " +*=7 E3:syntax error" },
		{ "[access]\nallow * : none;\n", " +*=0 E2:syntax error" },
		{ "[access]\nallow * : all, mandatory;\n", " +*=7 E2:syntax error" },
		{ "[access]\nallow 1.2.3 : all;\n", " E2:syntax error" },
		{ "[access]\nallow 1.2.3.4.5 : all;\n", " +1.2.3.4=0 E2:Unexpected character '.'" },
		{ "[access]\nallow \"a\" : all;\n", " E2:syntax error" },
		{ "[access] allow * : all; on once a\n", " +*=7 E1:syntax error" },
		{ "[foo]\n", " E1:syntax error" },
	};
	check(cases, PF_N(cases));
}

static void directives_come_before_all_else(void **state)
{
	(void)state;
	static const struct text_case cases[] = {
		{ "%define X 5\non %X sec { a.%X }\n", "A on 5000 a.5@2;" },
		{ "%define X a\n%define Y '%X b'\non once { %{X}%X.c %XY }\n", "A on 0; E3:Unexpected character '%'" },
		{ "%define X a\non once { %{X}%X.c }\n", "A on 0 aa.c@2;" },
		{ "%define X \"a b\" \non once { %X }\n", "A on 0 a@2 b@2;" },
		{ "%ifdef X\non once a\n%else\non once b\n%endif\non once c\n", "A on 0 b@6; A on 0 c@7;" },
		{ "%define X\n%ifndef X\n@\n%include \"none\"\n%else\non once a%X\n%endif\n", "A on 0 a@8;" },
		{ "%define X a\n%undef X\n%ifdef X\n@\n%endif\n%define X b\non once %X\n", "A on 0 b@8;" },
		{ "\n%include \"one\"\non once { out.one }\nfoo\n",
		  "A on 0 in.one@one2 in.two@one2; A on 0 out.one@3; E4:syntax error" },
		{ "%include <open>\nx }\n", "A on 0 in.three@2 x@2;" },
		{ "on once a\n%include \"open\"\n", "A on 0 a@open1; A on 0 in.three@3; E3:syntax error" },
		{ "on once a\n%include \"none\"\non once b\n",
		  "A on 0 a@2; P2:%include \"none\"|Cannot open file for %include" },
		{ "%include \"self\"\n", " P1:%include <self>|%include and/or %shell nesting too deep" },
		{ "%include x\n", " P1:%include x|Expected \" or < after %include" },
		{ "%include \"x\n", " P1:%include \"x|Expected \" after file name" },
		{ "%include \"x\" y\n", " P1:%include \"x\" y|Unexpected extra text in %include line" },
		{ "%define\n", " P1:%define|Missing macro name" },
		{ "%define 9X 5\n", " P1:%define 9X 5|Illegal character in macro name" },
		{ "%define X 'a\n", " P1:%define X 'a|Unterminated value string in %define" },
		{ "%define X a b\n", " P1:%define X a b|Unexpected extra text in a control line" },
		{ "%define X a\n%define X b\n", " P2:%define X b|Macro redefinition" },
		{ "%undef\n", " P1:%undef|Missing macro name" },
		{ "%endif\n", " P1:%endif|No matching %ifdef or %ifndef for %endif" },
		{ "%else\n", " P1:%else|No matching %ifdef or %ifndef for %else" },
		{ "%ifdef X\n%ifdef Y\n", " P2:%ifdef Y|Nested %ifdef or %ifndef" },
		{ "%ifdef X\n%endif Y\n", " P2:%endif Y|Unexpected extra text in a control line" },
		{ "%shell 'date'\n", " P1:%shell 'date'|%shell is not run here" },
		{ "on once a\n%ifdef X\n",
		  "A on 0 a@3; P0:|End of input and no matching %endif for %ifdef or %ifndef" },
		{ "  %define X 5\n", " E1:Unexpected character '%'" },
	};
	check(cases, PF_N(cases));
}

/* A macro that names others is not looked at again, so what comes of a text is as long as its lines allow. */
static void macros_do_not_grow_without_end(void **state)
{
	(void)state;
	struct pf_buf b = { 0 };
	pf_buf_str(&b, "%define X ");
	pf_buf_pad(&b, 'x', 100000);
	pf_buf_char(&b, '\n');
	for (unsigned i = 0; i < 100000; i++)
		pf_buf_str(&b, "%X ");
	struct pf_logconfig c;
	const struct pf_preproc_input in = { .name = "c", .text = pf_buf_text(&b) };
	assert_int_equal(pf_logconfig_read(&c, &in), -EFBIG);
	pf_logconfig_done(&c);
	pf_buf_done(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(statements_say_what_is_logged_and_how_often),
		cmocka_unit_test(errors_name_the_line_and_the_fault),
		cmocka_unit_test(access_is_kept),
		cmocka_unit_test(directives_come_before_all_else),
		cmocka_unit_test(macros_do_not_grow_without_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
