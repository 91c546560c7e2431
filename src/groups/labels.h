/* groups/labels.h - labels of metrics: whose they are, and what kind of device they are of, as PCP's agents for the same metrics tell it. */
#ifndef PF_GROUPS_LABELS_H
#define PF_GROUPS_LABELS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/view.h"
#include "model/about.h"
#include "model/metric.h"

enum { PF_LABELS_ROWS = 27, PF_LABELS_OF_ROW = 2 };

/**
 * struct pf_labels_row - labels of one owner, or of several items in a row.
 * @owner: DOMAIN, INDOM or ITEM
 * @first, @last: as pf_labels_ident() has it; the same but for items
 * @labels: by name; @value: as JSON has it. The first without name is the end
 */
struct pf_labels_row {
	enum pf_owner owner;
	uint32_t first;
	uint32_t last;
	struct {
		const char *name;
		const char *value;
	} labels[PF_LABELS_OF_ROW];
};

extern const struct pf_labels_row pf_labels_rows[PF_LABELS_ROWS];

enum { PF_LABELS_OF_INSTANCE = 3 };

/**
 * struct pf_instance_labels - labels of the instances of a domain, told by their names.
 * @labels: by name, the first without one is the end. @last: which part of the instance's name, between "::", counted from the last, which is 1;
 *          @lead: what it begins with, and a number follows, which is the value; NULL: the part is. What an instance's name has not, has no label.
 */
struct pf_instance_labels {
	uint32_t indom;
	struct pf_instance_label {
		const char *name;
		unsigned last;
		const char *lead;
	} labels[PF_LABELS_OF_INSTANCE];
};

/* pf_labels_instances() - those of a domain; NULL: its instances have none. */
const struct pf_instance_labels *pf_labels_instances(uint32_t indom);

/* pf_labels_value() - the value in the name @instance; false: it has none. It may be of no bytes. */
bool pf_labels_value(const struct pf_instance_label *label, struct pf_view instance, struct pf_view *ret_value);

/* pf_labels_ident() - number of what @m belongs to: its domain, indom or itself. */
uint32_t pf_labels_ident(const struct pf_metric *m, enum pf_owner owner);

/* pf_labels_has() - are the labels of @row among those of @m? */
bool pf_labels_has(const struct pf_labels_row *row, const struct pf_metric *m);

#endif
