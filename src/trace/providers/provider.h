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
#include "trace/trace.h"

struct pf_err;
struct pf_gen;
struct pf_program;
struct pf_provider;
struct pf_ddesc;
struct pf_dprog;
struct pf_dtype;

/**
 * struct pf_probe - a probe that exists.
 * @number: what the provider's table goes by: the system call's number; a period in ns
 * @slot: which program of the provider it belongs to: one for each probe, or one for many
 * @host: for the provider
 */
struct pf_probe {
	struct pf_probe_name name;
	const struct pf_provider *provider;
	int64_t number;
	unsigned slot;
	bool enabled;
	void *host;
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
 * @settle: the probe is going to be enabled, with or without use of its arguments: choose how. May give it another provider row
 *	of the same name; may be NULL
 * @arg: emit code that puts argument @n into R0: an integer or pointer as it is, of an array or structure its address
 * @argument: type and name ("": unknown) of args[@n], and how many there are. -ENOENT: none are known; -ERANGE: beyond the last
 * @attach: make the loaded program fire; NULL: it is fired by ourselves
 */
struct pf_provider {
	const char *name;
	enum bpf_prog_type type;
	bool table;
	bool syscall_return; /* errno means something */
	struct pf_trace_stability probe_stability, args_stability;
	int (*list)(struct pf_probes *all, const struct pf_provider *self);
	int (*demand)(struct pf_trace *t, const struct pf_provider *self, const struct pf_ddesc *desc,
		      struct pf_err *err);
	int (*settle)(struct pf_trace *t, struct pf_probe *probe, bool uses_args, struct pf_err *err);
	int (*argument)(struct pf_trace *t, struct pf_dprog *p, struct pf_probe *probe, unsigned n,
			struct pf_dtype **ret_type, const char **ret_name, unsigned *ret_n);
	void (*number)(struct pf_gen *g);
	void (*arg)(struct pf_gen *g, unsigned n);
	int (*attach)(struct pf_trace *t, struct pf_program *program, struct pf_err *err);
};

extern const struct pf_provider *const pf_providers[]; /* NULL-terminated, in order of probe ids */

extern const struct pf_provider pf_provider_dtrace;
extern const struct pf_provider pf_provider_syscall;
extern const struct pf_provider pf_provider_profile;
extern const struct pf_provider pf_provider_tick;
extern const struct pf_provider pf_provider_sdt;
extern const struct pf_provider pf_provider_rawtp;

/* pf_args_of_text() - for @argument: argument @n of a list of declarations, "int fd, const char *name". */
int pf_args_of_text(struct pf_trace *t, struct pf_dprog *p, const char *text, unsigned n, struct pf_dtype **ret_type,
		    const char **ret_name, unsigned *ret_n);

/* pf_may_be_event() - can @desc mean a tracepoint of @self? Then the kernel's list has to be read. */
bool pf_may_be_event(const struct pf_ddesc *desc, const struct pf_provider *self);

#endif
