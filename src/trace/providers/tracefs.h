/* providers/tracefs.h - the kernel's own list of tracepoints and the layout of their records. Source: Documentation/trace/events.rst. */
#ifndef PF_TRACE_PROVIDERS_TRACEFS_H
#define PF_TRACE_PROVIDERS_TRACEFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pf_err;
struct pf_trace;

/**
 * struct pf_tracefs_field - a member of a tracepoint's record, as its format file tells it.
 * @type: C text of the type, of an element for arrays
 * @count: elements of a fixed array, 0: none
 * @dynamic: the record has a word that tells where @size bytes of it are: offset in the low half, length in the high half
 */
struct pf_tracefs_field {
	const char *name, *type;
	uint32_t offset, size, count;
	bool is_signed, dynamic;
};

/* Fields behind the common ones. */
struct pf_tracefs_event {
	uint32_t id; /* for perf_event_open(2) */
	struct pf_tracefs_field *fields;
	size_t n_fields;
};

/**
 * pf_tracefs_open() - a folder descriptor for tracefs: where it is mounted, else a mount of our own that nobody else sees.
 * The session keeps it.
 *
 * Return: the descriptor; negative errno with a sentence that says how to get it.
 */
int pf_tracefs_open(struct pf_trace *t, struct pf_err *err);

/* A tracepoint's name. */
struct pf_tracefs_name {
	const char *group, *name;
};

/* pf_tracefs_events() - every tracepoint, sorted by group and name; read once. Return: how many; negative errno with a sentence. */
int pf_tracefs_events(struct pf_trace *t, const struct pf_tracefs_name **ret_names, struct pf_err *err);

/* pf_tracefs_group() - the group of an event of that name; NULL: unknown. */
const char *pf_tracefs_group(struct pf_trace *t, const char *name);

/* pf_tracefs_event() - read one event's files. *@ret_event lives in the session. */
int pf_tracefs_event(struct pf_trace *t, const char *group, const char *name, struct pf_tracefs_event **ret_event,
		     struct pf_err *err);

#endif
