/* import/limits.c - what modules may take, as people say it. */
#include <errno.h>

#include "base/duration.h"
#include "base/time.h"
#include "import/host.h"

enum { SECONDS_MAX = 86400, RECORDS_MAX = 100000000, MEMORY_MAX = 1 << 20 };

int pf_import_deadline(const char *text, int64_t *ret_ns, struct pf_err *err)
{
	int64_t ns;
	if (pf_duration_parse(pf_view_of(text), &ns) < 0 || ns < PF_NS_PER_MS || ns > SECONDS_MAX * PF_NS_PER_SEC)
		return pf_err_set(err, -EINVAL, "--import-deadline %s: a module is waited for from 0.001 to %d seconds",
				  text, SECONDS_MAX);
	*ret_ns = ns;
	return 0;
}

/* @what: a sentence about 1 to @max of them. */
static int number(const char *name, const char *text, unsigned max, const char *what, unsigned *ret_n,
		  struct pf_err *err)
{
	uint64_t n;
	if (pf_view_u64(pf_view_of(text), &n) < 0 || n < 1 || n > max)
		return pf_err_set(err, -EINVAL, "%s %s: %s from 1 to %u%s", name, text, what, max,
				  max == MEMORY_MAX ? " MB" : " lines in one interval");
	*ret_n = (unsigned)n;
	return 0;
}

int pf_import_records(const char *text, unsigned *ret_n, struct pf_err *err)
{
	return number("--import-records", text, RECORDS_MAX, "a module may record", ret_n, err);
}

int pf_import_answers(const char *text, unsigned *ret_n, struct pf_err *err)
{
	return number("--import-answers", text, RECORDS_MAX, "a module in a process of its own may record and analyse",
		      ret_n, err);
}

int pf_import_memory(const char *text, unsigned *ret_mb, struct pf_err *err)
{
	return number("--import-memory", text, MEMORY_MAX, "the process of a module may hold", ret_mb, err);
}

int64_t pf_module_deadline(const struct pf_import_limits *limits, int64_t interval_ns)
{
	if (limits->deadline_ns > 0)
		return limits->deadline_ns;
	return interval_ns / 2 > PF_NS_PER_SEC ? interval_ns / 2 : PF_NS_PER_SEC;
}
