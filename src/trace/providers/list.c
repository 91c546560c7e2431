/* providers/list.c - every provider, in the order of probe ids, and the table of probes. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "trace/dlang/ast.h"
#include "trace/providers/provider.h"

const struct pf_provider *const pf_providers[] = {
	&pf_provider_dtrace,
	&pf_provider_syscall,
	&pf_provider_profile,
	&pf_provider_tick,
	&pf_provider_sdt,
	&pf_provider_rawtp,
	NULL,
};

struct pf_probe *pf_probe_add(struct pf_probes *all, const struct pf_provider *provider, const char *module,
			      const char *function, const char *name, int64_t number, unsigned slot)
{
	if (all->n == all->cap) {
		size_t cap = all->cap ? all->cap * 2 : 1024;
		struct pf_probe **more = reallocarray(all->rows, cap, sizeof(*more));
		if (!more)
			return NULL;
		all->rows = more;
		all->cap = cap;
	}
	struct pf_probe *probe = pf_arena_alloc(&all->arena, sizeof(*probe));
	if (!probe)
		return NULL;
	all->rows[all->n++] = probe;
	*probe = (struct pf_probe){
		.name = { provider->name, module, function, name, (int)all->n },
		.provider = provider,
		.number = number,
		.slot = slot,
	};
	return probe;
}

bool pf_may_be_event(const struct pf_ddesc *desc, const struct pf_provider *self)
{
	/* Names that all other providers have, and no tracepoint. */
	static const char *const others[] = { "BEGIN", "END", "ERROR", "entry", "return" };
	if (*desc->function && !pf_glob(desc->function, ""))
		return false;
	if (*desc->provider)
		return pf_glob(desc->provider, self->name);
	for (size_t i = 0; i < PF_N(others); i++) {
		if (strcmp(desc->name, others[i]) == 0)
			return false;
	}
	return strncmp(desc->name, "tick-", 5) != 0 && strncmp(desc->name, "profile-", 8) != 0;
}

struct pf_probe *pf_probe_find(const struct pf_probes *all, const struct pf_provider *provider, const char *module,
			       const char *function, const char *name)
{
	for (size_t i = 0; i < all->n; i++) {
		struct pf_probe *probe = all->rows[i];
		if (probe->provider == provider && strcmp(probe->name.name, name) == 0 &&
		    strcmp(probe->name.function, function) == 0 && strcmp(probe->name.module, module) == 0)
			return probe;
	}
	return NULL;
}

/* in_set() - is @c in the [set] at *@pattern (behind the bracket)? Moves *@pattern behind the set; without an end it is no set. */
static bool in_set(const char **pattern, char c)
{
	const char *p = *pattern;
	bool negate = *p == '!';
	bool found = false;
	if (negate)
		p++;
	for (bool first = true; *p && (first || *p != ']'); first = false) {
		char low = *p == '\\' && p[1] ? *++p : *p;
		char high = low;
		p++;
		if (*p == '-' && p[1] && p[1] != ']') {
			high = p[1];
			p += 2;
		}
		if ((unsigned char)c >= (unsigned char)low && (unsigned char)c <= (unsigned char)high)
			found = true;
	}
	if (*p == ']')
		p++;
	*pattern = p;
	return found != negate;
}

/* match_one() - the element of the pattern at *@p against @c; moves on if it fits. */
static bool match_one(const char **p, char c)
{
	const char *at = *p;
	bool fits;
	if (*at == '?') {
		fits = true;
		at++;
	} else if (*at == '[') {
		at++;
		fits = in_set(&at, c);
	} else {
		if (*at == '\\' && at[1])
			at++;
		fits = *at == c;
		at++;
	}
	if (fits)
		*p = at;
	return fits;
}

bool pf_glob(const char *pattern, const char *text)
{
	if (!*pattern)
		return true;
	const char *star = NULL;
	const char *resume = NULL;
	while (*text) {
		if (*pattern == '*') {
			star = ++pattern;
			resume = text;
		} else if (*pattern && match_one(&pattern, *text)) {
			text++;
		} else if (star) {
			pattern = star;
			text = ++resume;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}
