/* sinks/times.h - times in the text views: titles, fillers and the text of a moment, as -o d D T m U and the recorder's zone say. */
#ifndef PF_SINKS_TIMES_H
#define PF_SINKS_TIMES_H

#include <stdint.h>

#include "base/buf.h"

struct pf_view_options;

/* pf_times_title() - what stands above the times: "Time     ", "Date Time      " ...; "" when times are off. As wide as pf_times_add(). */
void pf_times_title(struct pf_buf *out, const struct pf_view_options *view);

/* pf_times_width() - bytes of title and text; 0 when times are off. */
unsigned pf_times_width(const struct pf_view_options *view);

/* pf_times_add() - "03:56:15 ", "11/30 03:56:15 ", "20261130 03:56:15 ", with -om milliseconds; nothing when times are off. */
void pf_times_add(struct pf_buf *out, const struct pf_view_options *view, int64_t time_ns);

/* pf_times_of_day() - " 03:56:15", with -om milliseconds, whatever else is asked for. */
void pf_times_of_day(struct pf_buf *out, const struct pf_view_options *view, int64_t time_ns);

/* pf_times_plot() - date and time of a plot line with the separator between them, or seconds since 1970. */
void pf_times_plot(struct pf_buf *out, const struct pf_view_options *view, int64_t time_ns);

/* pf_times_ctime() - "Mon Nov 30 03:56:12 2026", with -om ".mmm" behind the time; as the peer on the days 1 to 9
 * "Tue Dec  1.mmm 03:56:12". */
void pf_times_ctime(struct pf_buf *out, const struct pf_view_options *view, int64_t time_ns);

/* pf_times_since_boot() - the moment @ms after the recorded host was booted: "03:56:01" or, @day, "Nov30-03:56:01". */
void pf_times_since_boot(struct pf_buf *out, const struct pf_view_options *view, double ms, bool day);

/* pf_times_seconds() - "1796010964.002", UTC. */
void pf_times_seconds(struct pf_buf *out, const struct pf_view_options *view, int64_t time_ns);

enum { PF_TIMES_SECONDS = 32 };

/* pf_times_number() - seconds of the epoch with thousandths. Of a recording collectl 4.3.1 has them as a number, which ends in no zeros. */
void pf_times_number(char text[PF_TIMES_SECONDS], const struct pf_view_options *view, int64_t time_ns);

#endif
