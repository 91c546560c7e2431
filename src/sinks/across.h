/* sinks/across.h - headings of columns that stand for the instances across a section, side by side. */
#ifndef PF_SINKS_ACROSS_H
#define PF_SINKS_ACROSS_H

#include <stdbool.h>

struct pf_buf;
struct pf_section;

/* pf_across_cpus() - "Cpu0 " "Cp10 " "C100 ", or, @wide, "   Cpu0". */
void pf_across_cpus(const struct pf_section *s, struct pf_buf *out, bool wide);

/* pf_across_names() - the names, 8 wide or with a blank before them. */
void pf_across_names(const struct pf_section *s, struct pf_buf *out);

#endif
