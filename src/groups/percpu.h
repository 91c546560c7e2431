/* groups/percpu.h - files with a line for each kind and a column for each CPU: /proc/interrupts, /proc/softirqs. */
#ifndef PF_GROUPS_PERCPU_H
#define PF_GROUPS_PERCPU_H

#include "groups/scan.h"

/* Metrics, in the group's numbering, that a line goes into. @cell: by "KIND::cpuN"; @row: sum of a kind; @cpu: sums of a CPU. */
struct pf_percpu {
	unsigned cell;
	unsigned row;
	unsigned cpu[2];
	unsigned n_cpu;
};

/* pf_percpu_add() - add to a value of this sample. */
void pf_percpu_add(struct pf_builder *b, unsigned metric, unsigned slot, uint64_t v);

/* pf_percpu_heading() - "   CPU0   CPU2 ": which CPU each column of the following lines is. Return: false if @line is no such line. */
bool pf_percpu_heading(struct pf_scan line, struct pf_builder *b);

/**
 * pf_percpu_line() - the numbers of the line of @kind.
 * @line: behind the colon; stands at the first word that is no number afterwards
 *
 * Without a heading in the same text, as in raw files, columns are CPUs from 0.
 *
 * Return: slot of @kind, or -1 if it has no number.
 */
int pf_percpu_line(struct pf_scan *line, struct pf_builder *b, const struct pf_percpu *to, struct pf_view kind);

/* pf_percpu_key() - cut "KEY:" off the front of the line; false if there is none. */
bool pf_percpu_key(struct pf_scan *line, struct pf_view *ret_key);

#endif
