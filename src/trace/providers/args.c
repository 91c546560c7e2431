/* providers/args.c - arguments of probes from C text: of system calls, and of members of records. */
#include <errno.h>
#include <string.h>

#include "trace/bpf/session.h"

static bool in_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

int pf_args_of_text(struct pf_trace *t, struct pf_dprog *p, const char *text, unsigned n, struct pf_dtype **ret_type,
		    const char **ret_name, unsigned *ret_n)
{
	struct pf_view found = { 0 };
	*ret_n = 0;
	for (const char *at = text; *at; (*ret_n)++) {
		size_t length = strcspn(at, ",");
		if (*ret_n == n)
			found = (struct pf_view){ at, length };
		at += length;
		at += strspn(at, ", ");
	}
	if (n >= *ret_n)
		return -ERANGE;
	size_t name = found.n;
	while (name && in_name(found.p[name - 1]))
		name--;
	*ret_name = pf_arena_dup(&t->arena, (struct pf_view){ found.p + name, found.n - name });
	if (!*ret_name)
		return -ENOMEM;
	*ret_type = pf_dprog_type(p, (struct pf_view){ found.p, name });
	if (!*ret_type) /* a type of a kernel that tells no types */
		*ret_type = memchr(found.p, '*', name) ? p->types.voidp : p->types.i64;
	return 0;
}
