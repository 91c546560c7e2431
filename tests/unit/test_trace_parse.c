/* trace/dlang: operators, clauses, statements, descriptions, declarations: the shape that text gets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/buf.h"
#include "trace_check.h"

/* x, y, z are int variables, p and q pointers to int. */
#define VARS "int x, y, z; int *p, *q; BEGIN { trace("

static void operators_bind_by_their_level(void **state)
{
	(void)state;
	static const struct text_case cases[] = {
		{ "x + y * z", "(+:int x:int (*:int y:int z:int))", NULL },
		{ "(x + y) * z", "(*:int (+:int x:int y:int) z:int)", NULL },
		{ "x - y - z", "(-:int (-:int x:int y:int) z:int)", NULL },
		{ "x / y % z", "(%:int (/:int x:int y:int) z:int)", NULL },
		{ "x << y + z", "(<<:int x:int (+:int y:int z:int))", NULL },
		{ "x < y << z", "(<:int x:int (<<:int y:int z:int))", NULL },
		{ "x == y < z", "(==:int x:int (<:int y:int z:int))", NULL },
		{ "x & y == z", "(&:int x:int (==:int y:int z:int))", NULL },
		{ "x ^ y & z", "(^:int x:int (&:int y:int z:int))", NULL },
		{ "x | y ^ z", "(|:int x:int (^:int y:int z:int))", NULL },
		{ "x && y | z", "(&&:int x:int (|:int y:int z:int))", NULL },
		{ "x ^^ y && z", "(^^:int x:int (&&:int y:int z:int))", NULL },
		{ "x || y ^^ z", "(||:int x:int (^^:int y:int z:int))", NULL },
		{ "x || y || z", "(||:int (||:int x:int y:int) z:int)", NULL },
		{ "x ? y : z ? 1 : 2", "(?::int x:int y:int (?::int z:int 1:int 2:int))", NULL },
		{ "x = y = z", "(=:int x:int (=:int y:int z:int))", NULL },
		{ "x += y ? 1 : z", "(+=:int x:int (?::int y:int 1:int z:int))", NULL },
		{ "(x, y)", "(,:int x:int y:int)", NULL },
		{ "-x * ~y", "(*:int (-:int x:int) (~:int y:int))", NULL },
		{ "!x == y", "(==:int (!:int x:int) y:int)", NULL },
		{ "- -x", "(-:int (-:int x:int))", NULL },
		{ "x++ + ++y", "(+:int (post++:int x:int) (++:int y:int))", NULL },
		{ "x-- - --y", "(-:int (post--:int x:int) (--:int y:int))", NULL },
		{ "*p++", "(*:int (post++:int * p:int *))", NULL },
		{ "*p", "(*:int p:int *)", NULL },
		{ "p[1]", "(*:int (+:int * p:int * 4:long))", NULL },
		{ "p + x", "(+:int * p:int * (*:long (cast:long x:int) 4:long))", NULL },
		{ "x + p", "(+:int * p:int * (*:long (cast:long x:int) 4:long))", NULL },
		{ "p - q", "(/:ptrdiff_t (-:ptrdiff_t (cast:long p:int *) (cast:long q:int *)) 4:long)", NULL },
		{ "&p[2]", "(+:int * p:int * 8:long)", NULL },
		{ "(char)x", "(cast:char x:int)", NULL },
		{ "(long)x + y", "(+:long (cast:long x:int) (cast:long y:int))", NULL },
		{ "(x) + y", "(+:int x:int y:int)", NULL },
		{ "sizeof (int) * 2", "8:unsigned long", NULL },
		{ "sizeof x", "4:size_t", NULL },
		{ "sizeof (x) + 1", "5:unsigned long", NULL },
		{ "sizeof (struct task_struct)", "128:size_t", NULL },
		{ "sizeof (string)", "256:size_t", NULL },
		{ "offsetof(struct task_struct, thread_info.cpu)", "56:size_t", NULL },
		{ "stringof(x)", "(stringof:string x:int)", NULL },
		{ "(string)p", "(stringof:string p:int *)", NULL },
	};
	CHECK(cases, 0, NULL, VARS, "); }");
}

static void constants_are_folded_in_their_type(void **state)
{
	(void)state;
	static const struct text_case cases[] = {
		{ "1 << 33", "0:int", NULL },
		{ "1L << 33", "8589934592:long", NULL },
		{ "-7 / 2", "-3:int", NULL },
		{ "-7 % 3", "-1:int", NULL },
		{ "-1 >> 1", "-1:int", NULL },
		{ "-1U >> 1", "2147483647:unsigned int", NULL },
		{ "1 << 65", "2:int", NULL },
		{ "2147483647 + 1", "-2147483648:int", NULL },
		{ "-1 < 0u", "0:int", NULL },
		{ "-1 < 0", "1:int", NULL },
		{ "(unsigned char)300", "44:unsigned char", NULL },
		{ "(char)200", "-56:char", NULL },
		{ "(uint64_t)-1", "18446744073709551615:uint64_t", NULL },
		{ "1 ? 2 : 3L", "2:long", NULL },
		{ "!5", "0:int", NULL },
		{ "~0", "-1:int", NULL },
		{ "3 && 0 || 2 ^^ 2", "0:int", NULL },
		{ "\"a\" < \"b\"", "1:int", NULL },
		{ "\"a\" == \"a\\0b\"", "1:int", NULL },
		{ "\"\\377\" < \"a\"", "0:int", NULL },
		{ "0x80000000 / -1", "0:unsigned int", NULL },
		{ "(-2147483647 - 1) / -1", "-2147483648:int", NULL },
		{ "5 / 0", "expression contains division by zero", "D_DIV_ZERO" },
		{ "5 % (1 - 1)", "expression contains division by zero", "D_DIV_ZERO" },
		{ "ENOENT + SIGHUP", "3:int", NULL },
		{ "KERNEL_ENUMERATOR", "99:int", NULL },
	};
	CHECK(cases, 0, NULL, "BEGIN { trace(", "); }");
}

/* The whole program as printed. */
static void program(const char *text, const char *want)
{
	struct host h = { 0 };
	struct pf_dprog *p = host_prog(&h);
	struct pf_err err = { 0 };
	struct pf_buf out = { 0 };
	assert_non_null(p);
	if (pf_dprog_compile(p, PF_DP_SCRIPT, "f.d", pf_view_of(text), 0, NULL, &err) < 0)
		pf_buf_str(&out, err.text);
	else
		pf_dprog_print(&out, p);
	assert_string_equal(out.p ? out.p : "", want);
	pf_buf_done(&out);
	(void)pf_dprog_free(p);
}

static void clauses_keep_order_descriptions_and_predicates(void **state)
{
	(void)state;
	program("BEGIN,END { }\nsyscall::open*:entry /pid == 1/ { trace(1); }\ntick-1s { ; }",
		"clause 0 :::BEGIN, :::END default\n"
		"clause 1 syscall::open*:entry\n\t/ (==:int pid:pid_t 1:int) /\n\t(trace():void 1:int)\n"
		"clause 2 :::tick-1s default\n");
	program("fbt:::return /1/; BEGIN /0/ { }",
		"clause 0 fbt:::return default\n\t/ 1:int /\nclause 1 :::BEGIN default\n\t/ 0:int /\n");
	program("BEGIN",
		"failed to compile script f.d: line 1: expected predicate and/or actions following probe description");
	program("p$target:a.out:[a-c,{]x?\\{:entry { }", "clause 0 p17:a.out:[a-c,{]x?\\{:entry default\n");
	program("a:b:c:d:e { }",
		"failed to compile script f.d: line 1: probe description \"a:b:c:d:e\" has too many parts");
	program("none:::x { }",
		"failed to compile script f.d: line 1: probe description none:::x does not match any probes");
	program("", "failed to compile script f.d: empty D program translation unit");
	program("BEGIN, { }", "failed to compile script f.d: line 1: syntax error near \"{\"");
	program("BEGIN { trace(1) trace(2) }", "failed to compile script f.d: line 1: syntax error near \"trace\"");
}

static void if_guards_statements(void **state)
{
	(void)state;
	program("BEGIN { if (pid) trace(1); else { trace(2); trace(3) } if (tid) { } trace(4) }",
		"clause 0 :::BEGIN\n"
		"\tif pid:pid_t\n\t\t(trace():void 1:int)\n\telse\n\t\t(trace():void 2:int)\n\t\t(trace():void 3:int)\n"
		"\tif tid:id_t\n"
		"\t(trace():void 4:int)\n");
	program("BEGIN { if (pid) trace(1) else trace(2); }",
		"failed to compile script f.d: line 1: syntax error near \"else\"");
	program("BEGIN { if pid { } }", "failed to compile script f.d: line 1: syntax error near \"pid\"");
}

static void descriptions_fill_from_the_right(void **state)
{
	(void)state;
	static const struct {
		enum pf_dprog_origin origin;
		const char *text, *want;
	} cases[] = {
		{ PF_DP_NAME, "BEGIN", ":::BEGIN" },
		{ PF_DP_NAME, "f:n", "::f:n" },
		{ PF_DP_NAME, "p:m:f:n", "p:m:f:n" },
		{ PF_DP_NAME, ":::", ":::" },
		{ PF_DP_PROVIDER, "syscall", "syscall:::" },
		{ PF_DP_MODULE, "p:m", "p:m::" },
		{ PF_DP_MODULE, "m", ":m::" },
		{ PF_DP_FUNCTION, "f", "::f:" },
		{ PF_DP_ID, "12", "12" },
	};
	static const struct {
		enum pf_dprog_origin origin;
		const char *text;
	} bad[] = {
		{ PF_DP_PROVIDER, "a:b" },
		{ PF_DP_MODULE, "a:b:c" },
		{ PF_DP_ID, "0" },
		{ PF_DP_ID, "x" },
		{ PF_DP_NAME, "p23456789012345678901234567890123456789012345678901234567890123456" },
	};
	struct host h = { 0 };
	struct pf_dprog *p = host_prog(&h);
	assert_non_null(p);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pf_ddesc d;
		assert_int_equal(pf_ddesc_parse(p, cases[i].origin, pf_view_of(cases[i].text), &d, NULL), 0);
		assert_string_equal(d.text, cases[i].want);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct pf_ddesc d;
		struct pf_err err = { 0 };
		assert_int_equal(pf_ddesc_parse(p, bad[i].origin, pf_view_of(bad[i].text), &d, &err), -EINVAL);
		assert_true(err.text[0] != '\0');
	}
	(void)pf_dprog_free(p);
}

static void the_origin_says_what_one_word_means(void **state)
{
	(void)state;
	static const struct {
		enum pf_dprog_origin origin;
		const char *text, *want;
	} cases[] = {
		{ PF_DP_PROVIDER, "syscall /pid/ { trace(1); }", "syscall:::" },
		{ PF_DP_FUNCTION, "read { }", "::read:" },
		{ PF_DP_ID, "3 { }", "3" },
		{ PF_DP_NAME, "BEGIN", ":::BEGIN" },
		{ PF_DP_NAME, "return { }", ":::return" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct host h = { 0 };
		struct pf_dprog *p = host_prog(&h);
		assert_non_null(p);
		assert_int_equal(pf_dprog_compile(p, cases[i].origin, NULL, pf_view_of(cases[i].text), 0, NULL, NULL),
				 0);
		assert_string_equal(p->clauses->descs->text, cases[i].want);
		(void)pf_dprog_free(p);
	}
}

static void type_names_read_as_in_c(void **state)
{
	(void)state;
	static const struct {
		const char *text, *want; /* NULL: no type */
		uint64_t size;
	} cases[] = {
		{ "int", "int", 4 },
		{ "unsigned", "unsigned int", 4 },
		{ "long long unsigned int", "unsigned long long", 8 },
		{ "short int", "short", 2 },
		{ "const volatile char *const", "char *", 8 },
		{ "int **", "int **", 8 },
		{ "char [16]", "char [16]", 16 },
		{ "int [2][3]", "int [2][3]", 24 },
		{ "int *[4]", "int * [4]", 32 },
		{ "int (*)[4]", "int (*)[4]", 8 },
		{ "void (*)(int, char *, ...)", "void (*)(int, char *, ...)", 8 },
		{ "int (*(*)(void))(long)", "int (*)(long) (*)()", 8 },
		{ "struct task_struct *", "struct task_struct *", 8 },
		{ "vmlinux`struct task_struct", "struct task_struct", 128 },
		{ "gfp_t", "gfp_t", 4 },
		{ "uint64_t", "uint64_t", 8 },
		{ "uid_t", "uid_t", 4 },
		{ "string", "string", 256 },
		{ "long double", "long double", 16 },
		{ "_Bool", "_Bool", 1 },
		{ "psinfo_t *", "psinfo_t *", 8 },
		{ "nosuch_t", NULL, 0 },
		{ "int x", NULL, 0 },
		{ "long char", NULL, 0 },
		{ "short long", NULL, 0 },
		{ "signed unsigned", NULL, 0 },
		{ "unsigned float", NULL, 0 },
		{ "void [3]", NULL, 0 },
		{ "int [0]", NULL, 0 },
		{ "int [pid]", NULL, 0 },
		{ "int (", NULL, 0 },
		{ "", NULL, 0 },
	};
	struct host h = { 0 };
	struct pf_dprog *p = host_prog(&h);
	assert_non_null(p);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pf_dtype *t = pf_dprog_type(p, pf_view_of(cases[i].text));
		if (!cases[i].want) {
			assert_null(t);
			continue;
		}
		assert_non_null(t);
		assert_string_equal(pf_dtype_text(p, t), cases[i].want);
		assert_int_equal(pf_dtype_base(t)->size, cases[i].size);
	}
	(void)pf_dprog_free(p);
}

static void records_are_laid_out_as_the_abi_says(void **state)
{
	(void)state;
	static const struct text_case cases[] = {
		{ "struct { char a; int b; }", "8:size_t", NULL },
		{ "struct { char a; long b; char c; }", "24:size_t", NULL },
		{ "struct { int a:3; int b:30; char c; }", "12:size_t", NULL },
		{ "struct { char a:4; char b:4; char c:1; }", "2:size_t", NULL },
		{ "struct { int a:1; int :0; int b:1; }", "8:size_t", NULL },
		{ "struct { int a:1; long b:40; }", "8:size_t", NULL },
		{ "union { char a[5]; short b; }", "6:size_t", NULL },
		{ "struct { char a; union { int b; char c; }; }", "8:size_t", NULL },
		{ "struct { char a; struct { char b[3]; }; }", "4:size_t", NULL },
		{ "struct { struct task_struct t; char a; }", "136:size_t", NULL },
	};
	CHECK(cases, 0, NULL, "typedef ", " t; BEGIN { trace(sizeof (t)); }");
}

static void declarations_are_checked(void **state)
{
	(void)state;
	static const struct {
		const char *text, *tag;
	} cases[] = {
		{ "int x; int x;", NULL },
		{ "int x; long x;", "D_DECL_IDRED" },
		{ "int pid;", "D_DECL_IDRED" },
		{ "self int x; this int x; int x;", NULL },
		{ "void x;", "D_DECL_VOIDOBJ" },
		{ "struct nobody x;", "D_DECL_INCOMPLETE" },
		{ "struct nobody *x;", NULL },
		{ "this int x[int];", "D_DECL_LOCASSC" },
		{ "int x[int, string];", NULL },
		{ "int x[void];", "D_DECL_PROTO_VOID" },
		{ "int x[-1];", "D_DECL_ARRSUB" },
		{ "int x[99999999999];", "D_DECL_ARRBIG" },
		{ "int;", "D_DECL_USELESS" },
		{ "self struct q { int a; };", "D_DECL_USELESS" },
		{ "auto int x;", "D_DECL_BADCLASS" },
		{ "self this int x;", "D_DECL_CLASS" },
		{ "int f(int);", "D_DECL_PROTO_FORM" },
		{ "struct s { int a; int a; };", "D_DECL_MNAME" },
		{ "struct s { int a; }; struct s { int b; };", "D_DECL_TYPERED" },
		{ "struct s { int a; }; union s *x;", "D_DECL_TYPERED" },
		{ "struct s { struct s a; };", "D_DECL_INCOMPLETE" },
		{ "struct s { void a; };", "D_DECL_VOIDOBJ" },
		{ "struct s { int a:33; };", "D_DECL_BFSIZE" },
		{ "struct s { int a:0; };", "D_DECL_BFSIZE" },
		{ "struct s { int a:pid; };", "D_DECL_BFCONST" },
		{ "struct s { char *a:3; };", "D_DECL_BFTYPE" },
		{ "enum e { A, B = A + 5, C };", NULL },
		{ "enum e { A, A };", "D_DECL_IDRED" },
		{ "enum e { A = 5000000000 };", "D_DECL_ENOFLOW" },
		{ "enum e { A = pid };", "D_DECL_ENCONST" },
		{ "typedef int t; typedef int t;", NULL },
		{ "typedef int t; typedef long t;", "D_DECL_TYPERED" },
		{ "typedef int t[int];", "D_DECL_ARRSUB" },
		{ "long char x;", "D_DECL_CHARATTR" },
		{ "unsigned void x;", "D_DECL_VOIDATTR" },
		{ "signed unsigned x;", "D_DECL_SIGNINT" },
		{ "long float x;", "D_DECL_LONGINT" },
		{ "int char x;", "D_DECL_COMBO" },
		{ "nosuch_t *x;", "D_SYNTAX" },
		{ "inline int N = 3; inline int N = 4;", "D_DECL_IDRED" },
		{ "inline int N = N;", "D_IDENT_BADREF" },
		{ "inline int N[int] = 3;", "D_DECL_PROTO_NAME" },
		{ "inline string N = 3;", "D_OP_INCOMPAT" },
		{ "provider p { probe a(int); probe a(); };", "D_PROV_PRDUP" },
		{ "provider p1 { };", "D_PROV_BADNAME" },
		{ "translator struct task_struct < int i > { pid = i; };", NULL },
		{ "translator int < int i > { pid = i; };", "D_XLATE_SOU" },
		{ "translator struct bio < int i > { pid = i; };", "D_XLATE_MEMB" },
		{ "translator struct bio < void i > { };", "D_XLATE_INCOMPAT" },
		{ "translator struct bio < int i > { }; translator struct bio < int j > { };", "D_XLATE_REDECL" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct host h = { 0 };
		struct pf_dprog *p = host_prog(&h);
		struct pf_err err = { 0 };
		assert_non_null(p);
		int rc = pf_dprog_compile(p, PF_DP_SCRIPT, "f.d", pf_view_of(cases[i].text), 0, NULL, &err);
		if (cases[i].tag)
			assert_string_equal(p->diag.tag ? p->diag.tag : cases[i].text, cases[i].tag);
		else
			assert_string_equal(err.text, "");
		assert_int_equal(rc < 0, cases[i].tag != NULL);
		(void)pf_dprog_free(p);
	}
}

static void providers_are_kept_for_header_and_linking(void **state)
{
	(void)state;
	struct host h = { 0 };
	struct pf_dprog *p = host_prog(&h);
	assert_non_null(p);
	static const char text[] = "provider my { probe one__two(int, char *) : (int a, string b); probe none(); };";
	assert_int_equal(pf_dprog_compile(p, PF_DP_SCRIPT, "f.d", PF_VIEW(text), 0, NULL, NULL), 0);
	assert_string_equal(p->providers->name, "my");
	const struct pf_dprobe_decl *d = p->providers->probes;
	assert_string_equal(d->name, "one__two");
	assert_int_equal(d->n_args, 2);
	assert_int_equal(d->n_xargs, 2);
	assert_true(pf_dtype_is_string(d->xargs[1]));
	assert_string_equal(d->next->name, "none");
	assert_int_equal(d->next->n_args, 0);
	(void)pf_dprog_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operators_bind_by_their_level),
		cmocka_unit_test(constants_are_folded_in_their_type),
		cmocka_unit_test(clauses_keep_order_descriptions_and_predicates),
		cmocka_unit_test(if_guards_statements),
		cmocka_unit_test(descriptions_fill_from_the_right),
		cmocka_unit_test(the_origin_says_what_one_word_means),
		cmocka_unit_test(type_names_read_as_in_c),
		cmocka_unit_test(records_are_laid_out_as_the_abi_says),
		cmocka_unit_test(declarations_are_checked),
		cmocka_unit_test(providers_are_kept_for_header_and_linking),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
