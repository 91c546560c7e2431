/* base/time.c - clocks and calendar. */
#include "base/time.h"

static int64_t read_clock(clockid_t id)
{
	struct timespec ts = { 0 };
	(void)clock_gettime(id, &ts); /* cannot fail for the clocks used here */
	return (int64_t)ts.tv_sec * PF_NS_PER_SEC + ts.tv_nsec;
}

int64_t pf_time_wall_ns(void)
{
	return read_clock(CLOCK_REALTIME);
}

int64_t pf_time_mono_ns(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

int64_t pf_time_boot_ns(void)
{
	return read_clock(CLOCK_BOOTTIME); /* Linux has it since 2.6.39 */
}

int64_t pf_time_thread_ns(void)
{
	return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

static time_t whole_seconds(int64_t time_ns)
{
	int64_t sec = time_ns / PF_NS_PER_SEC;
	return time_ns < 0 ? 0 : (time_t)sec;
}

struct tm pf_time_local(int64_t time_ns)
{
	time_t sec = whole_seconds(time_ns);
	struct tm tm = { 0 };
	(void)localtime_r(&sec, &tm); /* int64 nanoseconds end in 2262 */
	return tm;
}

struct tm pf_time_utc(int64_t time_ns)
{
	time_t sec = whole_seconds(time_ns);
	struct tm tm = { 0 };
	(void)gmtime_r(&sec, &tm);
	return tm;
}
