/* formats/pcp/zone.h - a time zone in the two forms that labels of archives have. */
#ifndef PF_FORMATS_PCP_ZONE_H
#define PF_FORMATS_PCP_ZONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* pf_pcp_zone_posix() - name and seconds east of UTC as $TZ says it: "UTC", "AEDT-11", "<+0545>-5:45". */
void pf_pcp_zone_posix(char *to, size_t size, const char *name, long east_s);

/* pf_pcp_zone_label() - a zone as a recording tells it, in that form: "+0530" becomes "<+0530>-5:30", what has it already stays. */
void pf_pcp_zone_label(char *to, size_t size, const char *zone);

/* pf_pcp_zone_info() - ":Area/Place" from the value of $TZ (may be NULL) or the target of /etc/localtime (may be NULL); "" if neither tells. */
void pf_pcp_zone_info(char *to, size_t size, const char *tz, const char *localtime_target);

/* pf_pcp_zone_offset() - how far such a zone is ahead of UTC, nanoseconds. False for one whose clocks change: that depends on the time. */
bool pf_pcp_zone_offset(const char *zone, int64_t *ret_ns);

#endif
