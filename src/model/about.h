/* model/about.h - what a recording tells besides values: what its metrics are, which instances there were when, labels and help texts.
 * A source that has such notes offers them to the catalog. Who wants them asks with pf_about_next(); who does not pays nothing. */
#ifndef PF_MODEL_ABOUT_H
#define PF_MODEL_ABOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/view.h"
#include "model/metric.h"

struct pf_catalog;

/* Who a set of labels belongs to; numbers as in PCP's archives. Those of a metric are the sets of all that it belongs to. */
enum pf_owner {
	PF_OF_CONTEXT = 1,    /* the whole recording */
	PF_OF_DOMAIN = 2,     /* metrics of one agent */
	PF_OF_INDOM = 4,      /* an instance domain */
	PF_OF_CLUSTER = 8,    /* metrics of one cluster of an agent */
	PF_OF_ITEM = 16,      /* one metric */
	PF_OF_INSTANCES = 32, /* each instance of a domain */
};

/* Flags of a label, beside its owner's number. */
enum { PF_LABEL_COMPOUND = 64, PF_LABEL_OPTIONAL = 128 };

/* @value: as JSON has it, strings with their quotes. Views point into the set's JSON. */
struct pf_label {
	struct pf_view name;
	struct pf_view value;
	uint8_t flags;
};

/* Labels of one owner, or of one instance, whose number is @inst. @error: a negative code in place of labels, else 0. */
struct pf_label_set {
	int32_t inst;
	int32_t error;
	struct pf_view json;
	const struct pf_label *labels;
	uint32_t n;
};

/* What a note is of; bits, so that one can ask for several. */
enum pf_about_kind {
	PF_ABOUT_METRIC = 1, /* what a metric is */
	PF_ABOUT_TEXT = 2,   /* a help text */
	PF_ABOUT_DOMAIN = 4, /* the instances that exist, or what changed about that */
	PF_ABOUT_LABELS = 8,
};

/* @name: NULL: it is gone, in a change; not known, in labels */
struct pf_about_instance {
	int32_t id;
	const char *name;
};

/* A help text: one line, or a longer one. */
enum pf_about_text { PF_ABOUT_LINE, PF_ABOUT_HELP };

/**
 * struct pf_about - one note. Members beyond its kind's are 0. What pointers lead to lives until the next note is asked for.
 * @time_ns: when it begins to hold
 * @metric: index in the catalog of METRIC, TEXT of a metric and LABELS of an item; -1: of none
 * @ident: PMID, indom, cluster (PMID without item) or domain, as recorded; UINT32_MAX for the whole recording
 * @row: METRIC: as recorded; its name is the one that the catalog has. @names: all of them in the recording's order, @n_names
 * @which, @text: TEXT
 * @instances, @n: DOMAIN; all that exist, or @changes. LABELS of instances: parallel to the sets
 * @owner, @sets, @n: LABELS; one set, or one of each instance
 */
struct pf_about {
	enum pf_about_kind kind;
	int64_t time_ns;
	int metric;
	uint32_t ident;
	const struct pf_metric *row;
	const struct pf_view *names;
	uint32_t n_names;
	enum pf_about_text which;
	struct pf_view text;
	bool changes;
	const struct pf_about_instance *instances;
	enum pf_owner owner;
	const struct pf_label_set *sets;
	uint32_t n;
};

/**
 * struct pf_about_teller - who has notes, in order of time: a source, from when it is opened until it is closed.
 * @serial: the catalog's; @n: notes
 * @head: kind and time of note @i without looking at it
 * @get: note @i, with @room for it. Return: 1; 0 it is not wanted or cannot be read; -ENOMEM
 */
struct pf_about_teller {
	struct pf_about_teller *next;
	uint64_t serial;
	size_t n;
	enum pf_about_kind (*head)(const struct pf_about_teller *t, size_t i, int64_t *ret_time_ns);
	int (*get)(struct pf_about_teller *t, size_t i, struct pf_arena *room, struct pf_about *ret);
};

/* How far somebody has listened to each teller; {0} is the beginning. */
struct pf_about_ear {
	struct pf_about_heard {
		uint64_t serial;
		size_t next;
	} * heard;
	unsigned n;
	struct pf_arena room;
};

void pf_about_join(struct pf_catalog *cat, struct pf_about_teller *teller);
void pf_about_leave(struct pf_catalog *cat, struct pf_about_teller *teller);

/**
 * pf_about_next() - the next note that holds at @time_ns and was not heard yet.
 * @kinds: of which kinds; others are passed over for good
 *
 * Return: 1; 0 none is left; -ENOMEM.
 */
int pf_about_next(struct pf_about_ear *ear, const struct pf_catalog *cat, unsigned kinds, int64_t time_ns,
		  struct pf_about *ret_about);
void pf_about_ear_done(struct pf_about_ear *ear);

#endif
