/* base/time.h - clocks and calendar. Inside: int64 nanoseconds; wall clock for stamps, time since boot for the intervals between samples (it goes
 * on while the host sleeps, so that a sleep is seen as the gap it is), monotonic for what is waited for. */
#ifndef PF_BASE_TIME_H
#define PF_BASE_TIME_H

#include <stdint.h>
#include <time.h>

#define PF_NS_PER_SEC INT64_C(1000000000)
#define PF_NS_PER_MS  INT64_C(1000000)

int64_t pf_time_wall_ns(void);
int64_t pf_time_mono_ns(void);
int64_t pf_time_boot_ns(void);
int64_t pf_time_thread_ns(void); /* CPU time of this thread */

/* pf_time_local() - calendar of @time_ns in the zone of $TZ; pf_time_utc() in UTC.; times before 1970 give the epoch. */
struct tm pf_time_local(int64_t time_ns);
struct tm pf_time_utc(int64_t time_ns);

#endif
