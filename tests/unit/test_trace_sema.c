/* trace/dlang: what names mean, conversions, functions and aggregations by their tables, and every refusal by its tag. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/buf.h"
#include "trace_tags.h"

static void variables_take_the_type_of_their_first_value(void **state)
{
	(void)state;
	prints("BEGIN { x = 1; self->y = timestamp; this->z = \"a\"; a[1, \"k\", curthread] = curthread->comm; b[tid]++; }",
	       "var x: int\n"
	       "var a[long, string, struct task_struct *]: string\n"
	       "var b[long]: long\n"
	       "var self->y: uint64_t\n"
	       "var this->z: string\n"
	       "clause 0 :::BEGIN\n"
	       "\t(=:int x:int 1:int)\n"
	       "\t(=:uint64_t self->y:uint64_t timestamp:uint64_t)\n"
	       "\t(=:string this->z:string \"a\":string)\n"
	       "\t(=:string (a:string 1:long \"k\":string curthread:struct task_struct *) "
	       "(stringof:string (.comm@192:char [16] (*:struct task_struct curthread:struct task_struct *))))\n"
	       "\t(post++:long (b:long (cast:long tid:id_t)))\n");
	prints("BEGIN { x = 1; } END { x = 5L; y = x + 1L; x += 2u; x <<= 3L; }",
	       "var x: int\n"
	       "var y: long\n"
	       "clause 0 :::BEGIN\n"
	       "\t(=:int x:int 1:int)\n"
	       "clause 1 :::END\n"
	       "\t(=:int x:int 5:int)\n"
	       "\t(=:long y:long (+:long (cast:long x:int) 1:long))\n"
	       "\t(+=:int x:int 2:unsigned int)\n"
	       "\t(<<=:int x:int 3:long)\n");
}

static void names_are_resolved_or_refused(void **state)
{
	(void)state;
	static const struct tag_case cases[] = {
		{ "BEGIN { trace(x); }", "D_IDENT_UNDEF" },
		{ "BEGIN { trace(self->x); }", "D_VAR_UNDEF" },
		{ "BEGIN { trace(this->x); }", "D_VAR_UNDEF" },
		{ "BEGIN { trace(self->x[1]); }", "D_VAR_UNDEF" },
		{ "BEGIN { trace(a[1]); }", "D_IDENT_UNDEF" },
		{ "BEGIN { trace(printf); }", "D_IDENT_BADREF" },
		{ "BEGIN { trace(args); }", "D_ARR_BADREF" },
		{ "BEGIN { a[1] = 2; trace(a); }", "D_ARR_BADREF" },
		{ "BEGIN { a = 1; trace(a[1]); }", "D_ARR_BADREF" },
		{ "BEGIN { this->a[1] = 1; }", "D_ARR_LOCAL" },
		{ "BEGIN { a[1] = 2; a[1, 2] = 3; }", "D_PROTO_LEN" },
		{ "BEGIN { a[1] = 2; a[\"x\"] = 3; }", "D_KEY_TYPE" },
		{ "BEGIN { a[\"x\"] = 2; a[1] = 3; }", "D_KEY_TYPE" },
		{ "BEGIN { a[curthread->comm] = 2; a[execname] = 3; }", NULL },
		{ "BEGIN { x = 1; x = \"s\"; }", "D_OP_INCOMPAT" },
		{ "BEGIN { x = \"s\"; x = 0; x = NULL; x = curthread->comm; }", NULL },
		{ "BEGIN { x = \"s\"; x = 1; }", "D_OP_INCOMPAT" },
		{ "BEGIN { pid = 1; }", "D_OP_WRITE" },
		{ "BEGIN { `jiffies = 1; }", "D_OP_WRITE" },
		{ "BEGIN { 1 = 2; }", "D_OP_LVAL" },
		{ "BEGIN { ENOENT = 2; }", "D_OP_LVAL" },
		{ "BEGIN { x = \"abc\"; x[0] = 'b'; }", "D_OP_LVAL" },
		{ "BEGIN { 5++; }", "D_OP_LVAL" },
		{ "BEGIN { x = &pid; }", "D_ADDROF_VAR" },
		{ "BEGIN { y = 1; x = &y; }", "D_ADDROF_VAR" },
		{ "struct bio b; BEGIN { x = &b; }", "D_ADDROF_VAR" },
		{ "struct bio b; BEGIN { x = &b.bi_opf; }", "D_ADDROF_VAR" },
		{ "BEGIN { x = &(1 + 2); }", "D_ADDROF_LVAL" },
		{ "BEGIN { x = &curthread->prio; y = &`jiffies; z = (uintptr_t)&`schedule; }", NULL },
		{ "BEGIN { trace(`nosuch); }", "D_IDENT_UNDEF" },
		{ "BEGIN { trace(`max_pfn); }", "D_IDENT_UNDEF" },
		{ "BEGIN { trace(uregs[R_RIP] + uregs[25]); }", NULL },
		{ "BEGIN { trace(uregs[26]); }", "D_REGS_IDX" },
		{ "BEGIN { x = stack(); }", "D_CG_EXPR" },
		{ "inline int N[int a] = a; BEGIN { trace(N[1, 2]); }", "D_PROTO_LEN" },
		{ "inline int N[int a] = a; BEGIN { trace(N[\"x\"]); }", "D_PROTO_ARG" },
	};
	CHECK_TAGS(cases);
}

static void operators_want_their_types(void **state)
{
	(void)state;
	static const struct tag_case cases[] = {
		{ "BEGIN { trace(\"a\" + 1); }", "D_OP_INCOMPAT" },
		{ "BEGIN { trace(\"a\" * 2); }", "D_OP_ARITH" },
		{ "BEGIN { trace(\"a\" % 2); }", "D_OP_INT" },
		{ "BEGIN { trace(curthread & 1); }", "D_OP_INT" },
		{ "BEGIN { trace(~curthread); }", "D_OP_INT" },
		{ "BEGIN { trace(!execname); }", "D_OP_SCALAR" },
		{ "BEGIN { trace(execname && 1); }", "D_OP_SCALAR" },
		{ "BEGIN { trace(execname ? 1 : 2); }", "D_OP_SCALAR" },
		{ "BEGIN { trace(execname < 1); }", "D_OP_INCOMPAT" },
		{ "BEGIN { trace(curthread == 1); }", "D_OP_INCOMPAT" },
		{ "BEGIN { trace(curthread == 0 || NULL != curthread); }", NULL },
		{ "BEGIN { trace(curthread == curthread->real_parent); }", NULL },
		{ "BEGIN { trace((struct bio *)0 == curthread); }", NULL },
		{ "BEGIN { trace((struct bio *)arg0 == curthread); }", "D_OP_INCOMPAT" },
		{ "BEGIN { trace((void *)arg0 == curthread); }", NULL },
		{ "BEGIN { trace(execname == NULL); trace(execname == \"x\"); trace(curthread->comm >= \"x\"); }",
		  NULL },
		{ "BEGIN { trace(pid ? execname : NULL); trace(pid ? curthread->comm : \"x\"); trace(pid ? curthread : 0); }",
		  NULL },
		{ "BEGIN { trace(pid ? 1 : \"x\"); }", "D_OP_INCOMPAT" },
		{ "BEGIN { pid ? trace(1) : trace(2); }", "D_OP_ACT" },
		{ "BEGIN { trace(*pid); }", "D_DEREF_NONPTR" },
		{ "BEGIN { trace(*(void *)arg0); }", "D_DEREF_VOID" },
		{ "BEGIN { trace(((void *)arg0)[1]); }", "D_DEREF_VOID" },
		{ "BEGIN { trace(*(int (*)(int))arg0); }", "D_DEREF_FUNC" },
		{ "BEGIN { trace(pid->x); }", "D_OP_PTR" },
		{ "BEGIN { trace(curthread.pid); }", "D_OP_SOU" },
		{ "BEGIN { trace(((int *)arg0)->x); }", "D_OP_SOU" },
		{ "BEGIN { trace(curthread->nosuch); }", "D_TYPE_MEMBER" },
		{ "BEGIN { trace(((struct nobody *)arg0)->x); }", "D_OP_INCOMPLETE" },
		{ "BEGIN { trace((struct nobody *)arg0 + 1); }", "D_OP_INCOMPLETE" },
		{ "BEGIN { trace(curthread->comm[16]); }", "D_ARR_BOUNDS" },
		{ "BEGIN { trace(curthread->comm[-1]); }", "D_ARR_BOUNDS" },
		{ "BEGIN { trace(curthread->comm[15]); trace(curthread->comm[pid]); }", NULL },
		{ "BEGIN { trace(curthread->comm[\"x\"]); }", "D_OP_INT" },
		{ "BEGIN { trace((struct bio)arg0); }", "D_CAST_INVAL" },
		{ "BEGIN { trace((int)execname); }", "D_CAST_INVAL" },
		{ "BEGIN { trace((string)arg0); trace(stringof(curthread->comm)); trace(stringof(arg0)); }", NULL },
		{ "BEGIN { trace(stringof(*curthread)); }", "D_STRINGOF_TYPE" },
		{ "BEGIN { trace(sizeof (void)); }", "D_SIZEOF_TYPE" },
		{ "struct s { int a:3; }; BEGIN { trace(sizeof (((struct s *)arg0)->a)); }", "D_SIZEOF_BITFIELD" },
		{ "struct s { int a:3; }; BEGIN { trace(offsetof(struct s, a)); }", "D_OFFSETOF_BITFIELD" },
		{ "struct s { int a:3; }; BEGIN { trace(&((struct s *)arg0)->a); }", "D_ADDROF_BITFIELD" },
		{ "BEGIN { trace(offsetof(int, a)); }", "D_OFFSETOF_TYPE" },
		{ "BEGIN { trace(offsetof(struct bio, a)); }", "D_TYPE_MEMBER" },
		{ "BEGIN { x = 1; x /= 0; }", "D_DIV_ZERO" },
		{ "BEGIN { x = curthread; x += 2; x++; x -= 1; }", NULL },
		{ "BEGIN { x = curthread; x *= 2; }", "D_OP_INCOMPAT" },
		{ "BEGIN { x = \"a\"; x += 1; }", "D_OP_INT" },
		{ "BEGIN { x = \"a\"; x++; }", "D_OP_SCALAR" },
		{ "BEGIN /execname/ { }", "D_PRED_SCALAR" },
		{ "BEGIN { if (execname) { } else { trace(1); } }", "D_PRED_SCALAR" },
		{ "BEGIN { pid(); }", "D_FUNC_UNDEF" },
		{ "BEGIN { (pid)(); }", "D_FUNC_IDENT" },
		{ "struct s { int a; }; struct s v, w; BEGIN { v = w; v = 0; v.a = 3; }", NULL },
		{ "struct s { int a; }; struct t { int a; }; struct s v; struct t w; BEGIN { v = w; }",
		  "D_OP_INCOMPAT" },
	};
	CHECK_TAGS(cases);
}

static void scratch_memory_stays_in_its_clause(void **state)
{
	(void)state;
	static const struct tag_case cases[] = {
		{ "BEGIN { this->p = (int *)alloca(8); *this->p = 1; this->p[1] = 2; trace(*this->p); }", NULL },
		{ "BEGIN { this->p = alloca(8); bcopy(curthread, this->p, 8); copyinto(arg0, 8, this->p); }", NULL },
		{ "BEGIN { x = alloca(8); }", "D_ALLOCA_INCOMPAT" },
		{ "BEGIN { self->x = copyin(arg0, 8); }", "D_ALLOCA_INCOMPAT" },
		{ "BEGIN { this->p = alloca(8); self->x = this->p + 1; }", "D_ALLOCA_INCOMPAT" },
		{ "BEGIN { this->p = alloca(8); this->p = (void *)curthread; }", "D_ALLOCA_INCOMPAT" },
		{ "BEGIN { this->p = (void *)curthread; this->p = alloca(8); }", "D_ALLOCA_INCOMPAT" },
		{ "BEGIN { this->p = alloca(8); this->p = NULL; }", NULL },
		{ "this char *p; BEGIN { this->p = (char *)alloca(8); this->p[0] = 'a'; }", NULL },
		{ "BEGIN { bcopy(curthread, curthread, 8); }", "D_PROTO_ARG" },
		{ "BEGIN { x = pid ? alloca(8) : (void *)curthread; }", "D_ALLOCA_INCOMPAT" },
		{ "BEGIN { x = *(int *)copyin(arg0, 4); }", NULL },
	};
	CHECK_TAGS(cases);
}

static void functions_are_called_as_their_row_says(void **state)
{
	(void)state;
	static const struct tag_case cases[] = {
		{ "BEGIN { nosuch(1); }", "D_FUNC_UNDEF" },
		{ "BEGIN { trace(strlen()); }", "D_PROTO_LEN" },
		{ "BEGIN { trace(strlen(\"a\", 1)); }", "D_PROTO_LEN" },
		{ "BEGIN { trace(strlen(pid)); }", "D_PROTO_ARG" },
		{ "BEGIN { trace(strlen(curthread->comm)); }", NULL },
		{ "BEGIN { trace(substr(\"abc\", 1) ); trace(substr(\"abc\", 1, 2)); }", NULL },
		{ "BEGIN { trace(substr(\"abc\", \"x\")); }", "D_PROTO_ARG" },
		{ "BEGIN { trace(strtok(NULL, \",\")); }", NULL },
		{ "BEGIN { trace(lltostr(5)); trace(lltostr(5, 16)); trace(strtoll(\"5\")); trace(json(\"{}\", \"a\")); }",
		  NULL },
		{ "BEGIN { trace(inet_ntop(AF_INET, curthread)); trace(inet_ntoa((ipaddr_t *)arg0)); }", NULL },
		{ "BEGIN { trace(mutex_owner((struct mutex *)arg0)->pid); }", NULL },
		{ "BEGIN { panic(); }", "D_FUNC_UNDEF" },
		{ "BEGIN { trace(msgsize(curthread)); }", "D_FUNC_UNDEF" },
		{ "BEGIN { trace(count()); }", "D_CG_EXPR" },
		{ "BEGIN { count(); }", "D_CG_EXPR" },
		{ "BEGIN { x = exit(1); }", "D_CG_EXPR" },
		{ "BEGIN { exit(\"x\"); }", "D_PROTO_ARG" },
		{ "BEGIN { exit(); }", "D_PROTO_LEN" },
		{ "BEGIN { trace(); }", "D_PROTO_LEN" },
		{ "BEGIN { trace(bcopy(curthread, copyin(arg0, 8), 8)); }", "D_TRACE_VOID" },
		{ "BEGIN { trace(`schedule); }", "D_SYM_NOTYPES" },
		{ "BEGIN { trace(*curthread); trace(curthread->comm); }", NULL },
		{ "BEGIN { tracemem(curthread, 16); tracemem(curthread, 16, pid); }", NULL },
		{ "BEGIN { tracemem(curthread, pid); }", "D_TRACEMEM_SIZE" },
		{ "BEGIN { tracemem(curthread, 0); }", "D_TRACEMEM_SIZE" },
		{ "BEGIN { print(curthread); print(&curthread->thread_info); }", NULL },
		{ "BEGIN { print(pid); }", "D_PROTO_ARG" },
		{ "BEGIN { print((void *)arg0); }", "D_PRINT_SIZE" },
		{ "BEGIN { stack(); stack(5); ustack(); ustack(5, 100); jstack(); sym(caller); mod(caller); uaddr(ucaller); }",
		  NULL },
		{ "BEGIN { stack(0); }", "D_STACK_SIZE" },
		{ "BEGIN { stack(1, 2); }", "D_STACK_PROTO" },
		{ "BEGIN { ustack(1, 2, 3); }", "D_USTACK_PROTO" },
		{ "BEGIN { tracemem(execname, 16); }", "D_TRACEMEM_ADDR" },
		{ "BEGIN { this->p = alloca(-1); }", "D_ALLOCA_SIZE" },
		{ "BEGIN { stack(pid); }", "D_STACK_SIZE" },
		{ "BEGIN { ustack(-1); }", "D_USTACK_FRAMES" },
		{ "BEGIN { ustack(1, pid); }", "D_USTACK_STRSIZE" },
		{ "BEGIN { setopt(\"quiet\"); setopt(\"quiet\", \"no\"); }", NULL },
		{ "BEGIN { setopt(execname); }", "D_PROTO_ARG" },
		{ "BEGIN { system(\"date\"); freopen(\"\"); ftruncate(); raise(9); stop(); chill(1); }", NULL },
		{ "BEGIN { speculate(speculation()); discard(1); }", NULL },
	};
	CHECK_TAGS(cases);
}

static void messages_are_those_of_the_language(void **state)
{
	(void)state;
#define AT1 "failed to compile script f.d: line 1: "
	prints("BEGIN { strlen(\"a\", 1); }", AT1 "strlen( ) prototype mismatch: 2 args passed, 1 expected");
	prints("BEGIN { substr(\"a\"); }", AT1 "substr( ) prototype mismatch: 1 args passed, at least 2 expected");
	prints("BEGIN { substr(\"a\", 1, 2, 3); }",
	       AT1 "substr( ) prototype mismatch: 4 args passed, at most 3 expected");
	prints("BEGIN { strlen(pid); }",
	       AT1 "strlen( ) argument #1 is incompatible with prototype:\n\tprototype: string\n\t argument: pid_t");
	prints("BEGIN { foo(); }", AT1 "undefined function name: foo");
	prints("BEGIN { trace(x); }", AT1 "failed to resolve x: Unknown variable name");
	prints("BEGIN { trace(self->x); }", AT1 "self->x has not yet been declared or assigned");
	prints("BEGIN { trace(curthread->x); }", AT1 "x is not a member of struct task_struct");
	prints("BEGIN { x = &pid; }", AT1 "cannot take address of dynamic variable");
	prints("BEGIN { breakpoint(); }", AT1 "breakpoint( ) is not supported on this platform");
	prints("BEGIN { pid ? exit(1) : exit(2); }", AT1 "action cannot be used in a conditional context");
	prints("BEGIN { trace(`max_pfn); }", AT1 "failed to resolve `max_pfn: this kernel lists no data symbols");
	prints("BEGIN { printf(\"%d %s\", 1); }",
	       AT1 "printf( ) prototype mismatch: conversion #2 (%s) is missing a corresponding value argument");
	prints("BEGIN { printf(\"%d\", execname); }",
	       AT1 "printf( ) argument #2 is incompatible with conversion #1 prototype:\n\tconversion: %d\n"
		   "\t prototype: char, short, int, long, or long long\n\t  argument: string");
	prints("BEGIN { printf(\"%hhd\", 1); }", AT1 "format conversion #1 is undefined: %hhd");
	prints("BEGIN { printf(\"%k\", stack()); }",
	       AT1 "tracing function stack( ) may not be called from a D expression (D program context required)");
	prints("BEGIN { trace(curpsinfo->pr_uid); }", AT1 "cred is not a member of struct task_struct");
#undef AT1
}

static void speculation_has_its_order(void **state)
{
	(void)state;
	static const struct tag_case cases[] = {
		{ "BEGIN { speculate(1); trace(1); printf(\"x\"); }", NULL },
		{ "BEGIN { commit(1); discard(1); x = 1; }", NULL },
		{ "BEGIN { speculate(1); speculate(2); }", "D_SPEC_SPEC" },
		{ "BEGIN { trace(1); speculate(1); }", "D_SPEC_DREC" },
		{ "BEGIN { commit(1); speculate(1); }", "D_SPEC_COMM" },
		{ "BEGIN { trace(1); commit(1); }", "D_COMM_DREC" },
		{ "BEGIN { commit(1); trace(1); }", "D_DREC_COMM" },
		{ "BEGIN { speculate(1); @ = count(); }", "D_AGG_SPEC" },
		{ "BEGIN { commit(1); @ = count(); }", "D_AGG_COMM" },
		{ "BEGIN { speculate(1); exit(0); }", "D_EXIT_SPEC" },
		{ "BEGIN { speculate(1); stop(); }", "D_ACT_SPEC" },
		{ "BEGIN { speculate(\"x\"); }", "D_PROTO_ARG" },
	};
	CHECK_TAGS(cases);
}

static void arguments_come_from_the_host_and_through_translators(void **state)
{
	(void)state;
	static const struct tag_case cases[] = {
		{ "typed:::x { trace(args[1]); trace(args[0]->pr_pid); trace(args[2]); trace(args[3].b_flags); }",
		  NULL },
		{ "typed:::x { trace(args[5]); }", "D_ARGS_IDX" },
		{ "typed:::x { trace(args[-1]); }", "D_ARGS_IDX" },
		{ "typed:::x { trace(args[pid]); }", "D_ARGS_TYPE" },
		{ "typed:::x { trace(args[4]); }", "D_ARGS_XLATOR" },
		{ "BEGIN { trace(args[0]); }", "D_ARGS_NONE" },
		{ "mixed:::x { trace(args[0]); }", "D_ARGS_MULTI" },
		{ "none:::x { }", "D_PDESC_ZERO" },
		{ "typed:::x { trace(args[0]->nosuch); }", "D_TYPE_MEMBER" },
		{ "typed:::x { trace(args[0]->pr_filler); }", "D_XLATE_NOCONV" },
		{ "typed:::x { self->p = args[0]; } typed:::y { trace(self->p->pr_pid); }", NULL },
		{ "typed:::x { trace(args[0]->pr_lwp.pr_state); }", NULL },
		{ "struct b { int x; }; struct a { struct b b; }; translator struct a < int i > { b = xlate <struct a> (i); };"
		  "BEGIN { v = xlate <struct a> (1); }",
		  "D_XLATE_INCOMPAT" },
		{ "struct a { int x; }; translator struct a < int i > { x = (xlate <struct a> (i)).x; };"
		  "BEGIN { trace((xlate <struct a> (1)).x); }",
		  "D_SYNTAX" },
		{ "struct a { int x; }; translator struct a < int i > { x = (xlate <struct a> (i)).x; x = (xlate <struct a> (i)).x; };"
		  "BEGIN { trace((xlate <struct a> (1)).x); }",
		  "D_SYNTAX" },
		{ "BEGIN { trace(xlate <struct bio> (curthread)); }", "D_XLATE_NONE" },
		{ "BEGIN { trace(xlate <int> (curthread)); }", "D_XLATE_SOU" },
	};
	CHECK_TAGS(cases);
	prints("typed:::x { trace(args[0]->pr_pid); }",
	       "clause 0 typed:::x\n"
	       "\t(trace():void (.tgid@96:int (*:struct task_struct (args:struct task_struct * 1:long))))\n");
	prints("typed:::x { self->p = args[0]; trace(self->p->pr_addr); }",
	       "var self->p: psinfo_t *\n"
	       "clause 0 typed:::x\n"
	       "\t(=:psinfo_t * self->p:psinfo_t * (cast:psinfo_t * (args:struct task_struct * 1:long)))\n"
	       "\t(trace():void (cast:uintptr_t (cast:struct task_struct * self->p:psinfo_t *)))\n");
	prints("struct o { int a; string b; }; translator struct o < struct bio *B > { a = B->bi_opf; b = \"x\"; };\n"
	       "BEGIN { v = xlate <struct o> ((struct bio *)arg0); }",
	       "var v: struct o\n"
	       "clause 0 :::BEGIN\n"
	       "\t(=:struct o v:struct o (build:struct o (cast:int (.bi_opf@0:unsigned int (*:struct bio (cast:struct bio * "
	       "arg0:int64_t)))) \"x\":string))\n");
	prints("struct o { int a; }; translator struct o < struct bio *B > { a = B->gone; a = B->bi_flags; };\n"
	       "BEGIN { trace((xlate <struct o *> ((struct bio *)arg0))->a); }",
	       "clause 0 :::BEGIN\n"
	       "\t(trace():void (cast:int (.bi_flags@32:unsigned short (*:struct bio (cast:struct bio * arg0:int64_t)))))\n");
}

static void cpu_members_need_no_memory(void **state)
{
	(void)state;
	prints("BEGIN { trace(curcpu->cpu_id); trace(cpu); trace(curlwpsinfo->pr_lwpid); }",
	       "clause 0 :::BEGIN\n"
	       "\t(trace():void cpu:processorid_t)\n"
	       "\t(trace():void cpu:processorid_t)\n"
	       "\t(trace():void (.pid@64:int (*:struct task_struct curthread:struct task_struct *)))\n");
}

static void a_failed_text_leaves_nothing_behind(void **state)
{
	(void)state;
	struct host h = { 0 };
	struct pf_dprog *p = host_prog(&h);
	assert_non_null(p);
	assert_int_equal(
		pf_dprog_compile(p, PF_DP_NAME, NULL, PF_VIEW("BEGIN { x = 1; @a = count(); }"), 0, NULL, NULL), 0);
	static const char bad[] =
		"int y; typedef int t; END { z = 2; @b = sum(1); self->q = \"new\"; } END { nosuch(); }";
	assert_int_equal(pf_dprog_compile(p, PF_DP_NAME, NULL, PF_VIEW(bad), 0, NULL, NULL), -EINVAL);
	assert_int_equal(p->n_clauses, 1);
	assert_null(p->clauses->next);
	assert_int_equal(p->n_vars[PF_DV_GLOBAL], 1);
	assert_null(p->vars[PF_DV_GLOBAL]->next);
	assert_null(p->vars[PF_DV_SELF]);
	assert_int_equal(p->n_aggs, 1);
	assert_int_equal(pf_dprog_compile(p, PF_DP_NAME, NULL,
					  PF_VIEW("END { y = \"free\"; z = \"too\"; @b = count(); x = 2; }"), 0, NULL,
					  NULL),
			 0);
	assert_int_equal(p->n_clauses, 2);
	assert_int_equal(p->clauses->next->id, 1);
	assert_int_equal(pf_dprog_compile(p, PF_DP_NAME, NULL, PF_VIEW("END { x = \"other type\"; }"), 0, NULL, NULL),
			 -EINVAL);
	assert_string_equal(p->diag.tag, "D_OP_INCOMPAT");
	(void)pf_dprog_free(p);
}

static void clauses_say_what_they_do(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		unsigned flags;
	} cases[] = {
		{ "BEGIN { }", PF_DC_DEFAULT },
		{ "BEGIN { x = 1; }", 0 },
		{ "BEGIN { trace(1); exit(0); }", PF_DC_RECORDS | PF_DC_EXITS },
		{ "BEGIN { @[stack()] = count(); }", PF_DC_AGGREGATES | PF_DC_KSTACK },
		{ "BEGIN { ustack(); }", PF_DC_RECORDS | PF_DC_USTACK },
		{ "BEGIN { self->x = 1; }", PF_DC_SELF },
		{ "BEGIN { speculate(1); }", PF_DC_SPECULATES },
		{ "BEGIN { commit(1); }", PF_DC_COMMITS },
		{ "BEGIN { stop(); }", PF_DC_DESTRUCTIVE },
		{ "BEGIN { system(\"x\"); }", PF_DC_DESTRUCTIVE | PF_DC_RECORDS | PF_DC_CONSUMER },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct host h = { 0 };
		struct pf_dprog *p = host_prog(&h);
		assert_non_null(p);
		assert_int_equal(pf_dprog_compile(p, PF_DP_NAME, NULL, pf_view_of(cases[i].text), 0, NULL, NULL), 0);
		assert_int_equal(p->clauses->flags, cases[i].flags);
		assert_int_equal(p->destructive, (cases[i].flags & PF_DC_DESTRUCTIVE) != 0);
		(void)pf_dprog_free(p);
	}
}

static void tables_are_sorted_and_found(void **state)
{
	(void)state;
	for (size_t i = 0; i < pf_n_dfuncs; i++)
		assert_ptr_equal(pf_dfunc_find(pf_view_of(pf_dfuncs[i].name)), &pf_dfuncs[i]);
	for (size_t i = 0; i < pf_n_dbuiltins; i++)
		assert_ptr_equal(pf_dbuiltin_find(pf_view_of(pf_dbuiltins[i].name)), &pf_dbuiltins[i]);
	assert_int_equal(pf_n_dfuncs, N_PF_DF);
	assert_int_equal(pf_n_dbuiltins, N_PF_DB);
	assert_null(pf_dfunc_find(PF_VIEW("prin")));
	assert_null(pf_dfunc_find(PF_VIEW("printff")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(variables_take_the_type_of_their_first_value),
		cmocka_unit_test(names_are_resolved_or_refused),
		cmocka_unit_test(operators_want_their_types),
		cmocka_unit_test(scratch_memory_stays_in_its_clause),
		cmocka_unit_test(functions_are_called_as_their_row_says),
		cmocka_unit_test(messages_are_those_of_the_language),
		cmocka_unit_test(speculation_has_its_order),
		cmocka_unit_test(arguments_come_from_the_host_and_through_translators),
		cmocka_unit_test(cpu_members_need_no_memory),
		cmocka_unit_test(a_failed_text_leaves_nothing_behind),
		cmocka_unit_test(clauses_say_what_they_do),
		cmocka_unit_test(tables_are_sorted_and_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
