/* sinks/emit.h - inside of the emit sink: what its files share. */
#ifndef PF_SINKS_EMIT_H
#define PF_SINKS_EMIT_H

#include "base/arena.h"
#include "model/about.h"
#include "sinks/sink.h"

enum { PF_EMIT_VERSION = 1 }; /* member format-version: changes when a reader of the old form could be misled */

/**
 * struct pf_emit - one stream.
 * @heads: by metric index: name, semantics and units, escaped once, in @arena
 * @last_ns: time of the sample before; @written_ns: of the last one that was written, 0 none; @lost: reads lost since the beginning
 * @nominal_ns: interval that was asked for, 0 unknown
 * @live: a disk that is full may have room again; @stuck: it is full, which was told; @unwritten: samples lost so; @disk_rc: why
 * @wall_offset_ns: wall clock minus monotonic clock, for events between samples
 */
struct pf_emit {
	struct pf_sink sink;
	struct pf_doc *doc;
	bool events;
	bool can_nest; /* csv has no room for events between samples */
	struct pf_doc_members *heads;
	unsigned n_heads;
	struct pf_arena arena;
	struct pf_about_ear ear; /* what recordings tell beside values, of the kinds @about */
	unsigned about;
	bool any;
	int64_t last_ns;
	int64_t written_ns;
	int64_t nominal_ns;
	uint64_t lost;
	bool live;
	bool stuck;
	unsigned pending; /* samples that are not written yet */
	uint64_t unwritten;
	int disk_rc;
	const struct pf_notice *notice;
	const struct pf_view_options *view;
	const struct pf_group *const *groups; /* with the first metric of each in @bases; NULL: not known */
	const unsigned *bases;
	uint32_t *
		speeds; /* of links in Mbit/s by slot, @cap_speeds; of the sample that is written, once one is asked for */
	unsigned cap_speeds;
	int64_t wall_offset_ns;
};

/* pf_emit_sample() - one element of "samples", and before it a "gap", a "step" and a "drop" if there was one. */
int pf_emit_sample(struct pf_emit *e, const struct pf_step *step, struct pf_err *err);

/* pf_emit_about() - elements with what recordings tell beside values, as far as it holds at @time_ns and was not told yet. */
int pf_emit_about(struct pf_emit *e, const struct pf_catalog *cat, int64_t time_ns);

/* pf_emit_records() - member "events"; in a table one field "value". */
void pf_emit_records(struct pf_emit *e, const struct pf_catalog *cat, const struct pf_event_records *all);

/* pf_emit_value() - member "value", "bytes" or "events" of the object that is open. */
void pf_emit_value(struct pf_emit *e, const struct pf_catalog *cat, enum pf_type type, union pf_value v);

/* pf_emit_event() - one element of "probes"; in a stream of samples an element of "samples" with the event in member "probe". */
int pf_emit_event(struct pf_emit *e, const struct pf_event *event, struct pf_err *err);

/* pf_emit_datum() - member "value" of the object that is open; pf_emit_stack() - what @key or record of that kind shows. */
void pf_emit_datum(struct pf_doc *doc, const struct pf_datum *d);
void pf_emit_frames(struct pf_doc *doc, const char *list, const struct pf_stack *stack);
void pf_emit_sym(struct pf_doc *doc, const struct pf_stack *stack);
void pf_emit_mod(struct pf_doc *doc, const char *name, const struct pf_stack *stack);
void pf_emit_usym(struct pf_doc *doc, const struct pf_stack *stack, bool with_offset);

/* pf_emit_agg() - members of an aggregation record. */
void pf_emit_agg(struct pf_doc *doc, const struct pf_record *r);

#endif
