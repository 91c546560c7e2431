/* sinks/suspect.h - values that cannot be true: more traffic than a link carries, more bytes than a disk was said to move, more time than
 * there was. collectl makes zeros of them; we say so and leave them as they are. */
#ifndef PF_SINKS_SUSPECT_H
#define PF_SINKS_SUSPECT_H

#include "model/group.h"

struct pf_indom;
struct pf_view_options;

/**
 * pf_suspect_speeds() - the speeds of all links, as a raw file's header or the start of a live run tells.
 * @ret_speeds: Mbit/s by slot of @dom, which has room for all of them; 0: unknown
 */
void pf_suspect_speeds(const struct pf_view_options *view, const struct pf_indom *dom, uint32_t *ret_speeds);

/**
 * pf_suspect_moved() - did an instance of a group with @link_bytes or @disk_sectors move more in this step than it can?
 * @base: catalog index of the group's first metric; @speed: of the link, 0 unknown; @seconds: nominal interval, 0: the measured one
 */
bool pf_suspect_moved(const struct pf_step *step, const struct pf_view_options *view, const struct pf_group *group,
		      unsigned base, unsigned slot, uint32_t speed, double seconds);

/* pf_suspect_time() - did a counter of CPU time run faster than the CPUs together, or the one, could? @rate: its units a second. */
bool pf_suspect_time(const struct pf_step *step, const struct pf_group *group, unsigned metric, double rate);

#endif
