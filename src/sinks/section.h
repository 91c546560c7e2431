/* sinks/section.h - the blocks of a text view: which layouts, of which groups, over which instances. Chosen once, when the sink opens. */
#ifndef PF_SINKS_SECTION_H
#define PF_SINKS_SECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "model/group.h"
#include "model/sample.h"

struct pf_instance_filter;
struct pf_sink_spec;
struct pf_view_options;

enum { PF_SECTION_LAYOUTS = 6, PF_SECTIONS_MAX = 64 };

/* What the filters and the group's rules say about an instance, by slot; PF_BOGUS: in this interval it moved more than its link can;
 * PF_LISTED: it is in the order of rows; PF_GONE: only the sample before has it, which the peer shows once. */
enum { PF_SHOWN = 1, PF_COUNTED = 2, PF_BOGUS = 4, PF_LISTED = 8, PF_GONE = 16 };

/**
 * struct pf_section - everything that one subsystem letter shows in one view.
 * @layouts: those that the variants allow, side by side
 * @columns: the columns of all of them that the variants allow
 * @domain: instances that have rows (upper case) or are added up (lower case); NULL if the letter has none
 * @due: the sample has data for it; @begun: such samples have been shown before
 * @key: metric, catalog index, that tells whether a slot has data in a sample
 * @order: slots that have data, in the order in which they came: one that was gone and is back stands at the end; behind @cap_flags of
 * them as much room again, for sorting
 * @across: domain whose instances columns stand for, and which of its slots have data, in @spread
 * @other: catalog index of another group's metric that columns name, UINT32_MAX: none
 * @stacked: one row, that of a layout that stands below the others of its letter
 * @hint: where the last cell was found
 * @flags: per slot of @domain, brought up to date by pf_section_prepare(); @speeds: of its link in Mbit/s, 0 unknown
 */
struct pf_section {
	char letter;
	bool detail;
	bool due;
	bool begun;
	const struct pf_group *group;
	unsigned base;
	const struct pf_layout *layouts[PF_SECTION_LAYOUTS];
	unsigned n_layouts;
	const struct pf_column **columns;
	unsigned n_columns;
	const struct pf_view_options *view;
	const struct pf_catalog *catalog;
	const struct pf_instance_filter *filter;
	struct pf_indom *domain;
	unsigned key;
	struct pf_indom *across;
	unsigned across_key;
	unsigned *spread;
	unsigned n_spread;
	unsigned cap_spread;
	unsigned other;
	bool stacked;
	unsigned *hint;
	uint8_t *flags;
	unsigned *order;
	unsigned n_order;
	uint32_t *speeds;
	double interval; /* nominal, seconds; 0: unknown */
	unsigned n_flags;
	unsigned cap_flags;
	uint64_t changed;
	unsigned name_width; /* of the instances that @changed knows; 0: not looked at yet */
	bool first;	     /* the step being shown is the first of the run */
};

/**
 * pf_sections_open() - the sections of @spec->view->letters in the order of @order, which lists letters.
 * Letters without a layout for @kind are left out.
 *
 * Return: their number, or -ENOMEM (then nothing is left to free).
 */
int pf_sections_open(const struct pf_sink_spec *spec, enum pf_view_kind kind, const char *order,
		     struct pf_section sections[PF_SECTIONS_MAX]);
void pf_sections_close(struct pf_section *sections, unsigned n);

/* pf_section_prepare() - look at instances that came and went. Before anything else of a sample. Return: 0 or -ENOMEM. */
int pf_section_prepare(struct pf_section *s, const struct pf_step *step);

/* pf_section_row() - the slot of the @i-th of @s->order if it has a row in this sample, else -1. */
static inline int pf_section_row(const struct pf_section *s, unsigned i)
{
	return s->flags[s->order[i]] & PF_SHOWN ? (int)s->order[i] : -1;
}

struct pf_calc_step;

/* pf_section_shows() - is there anything to be seen in that row (PF_ROW_SUM: in the summary)? */
bool pf_section_shows(const struct pf_calc_step *calc, const struct pf_section *s, int slot);

/* pf_sections_quiet() - is one of the sections such that the whole interval is left out of views with a line for each? */
bool pf_sections_quiet(const struct pf_calc_step *calc, const struct pf_section *sections, unsigned n);

/* pf_section_offline() - is that CPUs are offline to be told? As in collectl, beside the CPU summary only. */
bool pf_section_offline(const struct pf_view_options *view);

/* pf_section_allows() - do the variants allow a layout or column with these @when, @unless and @any? */
bool pf_section_allows(uint64_t when, uint64_t unless, uint64_t any, uint64_t variants);

/* pf_section_cell() - slot in @cells of the instance that is named for row @row (a slot) and @key; -1 if there is none. */
int pf_section_cell(const struct pf_section *s, const struct pf_indom *cells, unsigned row, struct pf_view key);

/* pf_section_key() - a key as it is shown and sorted: numbers with three digits. @buf is used where they have fewer. */
struct pf_view pf_section_key(struct pf_view name, char buf[4]);

/* pf_section_name_width() - of columns with PF_WIDTH_NAME. */
unsigned pf_section_name_width(const struct pf_section *s);

/* pf_section_text() - append @text with what stands in braces replaced; see struct pf_layout. pf_section_head1() - the same for the
 * first heading line of @layout. */
void pf_section_head1(const struct pf_section *s, struct pf_buf *out, const struct pf_layout *layout);
void pf_section_text(const struct pf_section *s, struct pf_buf *out, const char *text);

#endif
