/* providers/provider.h - one kind of probes: what there is, how it is attached, where its arguments are. A new provider is a new file
 * and one line in providers/list.c. */
#ifndef PF_TRACE_PROVIDERS_PROVIDER_H
#define PF_TRACE_PROVIDERS_PROVIDER_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/event.h"

struct pf_err;
struct pf_gen;
struct pf_program;
struct pf_provider;
struct pf_trace;
struct pf_ddesc;

/**
 * struct pf_probe - a probe that exists.
 * @number: what the provider's table goes by: the system call's number; a period in ns
 * @slot: which program of the provider it belongs to: one for each probe, or one for many

 */
struct pf_probe {
	struct pf_probe_name name;
	const struct pf_provider *provider;
	int64_t number;
	unsigned slot;
	bool enabled;
};

/* Every probe known so far; rows[i].name.id is i + 1. */
struct pf_probes {
	struct pf_probe **rows;
	size_t n, cap;
	struct pf_arena arena;
};

/* pf_probe_add() - one more probe; texts are not copied. NULL without memory. */
struct pf_probe *pf_probe_add(struct pf_probes *all, const struct pf_provider *provider, const char *module,
			      const char *function, const char *name, int64_t number, unsigned slot);

/* pf_probe_find() - the one with exactly these parts, or NULL. */
struct pf_probe *pf_probe_find(const struct pf_probes *all, const struct pf_provider *provider, const char *module,
			       const char *function, const char *name);

/* pf_glob() - does @text match @pattern with * ? [set] [!set] \c ? An empty pattern matches anything. */
bool pf_glob(const char *pattern, const char *text);

/**
 * struct pf_provider - how one kind of probes works.
 * @type: of its programs
 * @table: slots hold many probes, told apart by a number that @number() finds in the context
 * @list: add the probes that always exist; called once, in the order of the list
 * @demand: add what @desc asks for beyond those (profile-123hz); may be NULL
 * @number: emit code that puts the probe's number into R0, from the context in R6; may jump to the program's end
 * @arg: emit code that puts raw argument @n (0..9) into R0
 * @attach: make the loaded program fire; NULL: it is fired by ourselves
 */
struct pf_provider {
	const char *name;
	enum bpf_prog_type type;
	bool table;
	bool syscall_return; /* errno means something */
	int (*list)(struct pf_probes *all, const struct pf_provider *self);
	int (*demand)(struct pf_trace *t, const struct pf_provider *self, const struct pf_ddesc *desc,
		      struct pf_err *err);
	void (*number)(struct pf_gen *g);
	void (*arg)(struct pf_gen *g, unsigned n);
	int (*attach)(struct pf_trace *t, struct pf_program *program, struct pf_err *err);
};

extern const struct pf_provider *const pf_providers[]; /* NULL-terminated, in order of probe ids */

extern const struct pf_provider pf_provider_dtrace;
extern const struct pf_provider pf_provider_syscall;
extern const struct pf_provider pf_provider_profile;
extern const struct pf_provider pf_provider_tick;
extern const struct pf_provider pf_provider_rawtp;

#endif
