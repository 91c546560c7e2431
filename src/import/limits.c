/* import/limits.c - what modules may take, as people say it. */
#include <errno.h>

#include "base/time.h"
#include "import/host.h"

enum { SECONDS_MAX = 86400, RECORDS_MAX = 100000000 };

int pf_import_deadline(const char *text, int64_t *ret_ns, struct pf_err *err)
{
	double seconds;
	if (pf_view_double(pf_view_of(text), &seconds) < 0 || !(seconds >= 0.001 && seconds <= SECONDS_MAX))
		return pf_err_set(err, -EINVAL, "--import-deadline %s: a module is waited for from 0.001 to %d seconds",
				  text, SECONDS_MAX);
	*ret_ns = (int64_t)(seconds * (double)PF_NS_PER_SEC);
	return 0;
}

int pf_import_records(const char *text, unsigned *ret_n, struct pf_err *err)
{
	uint64_t n;
	if (pf_view_u64(pf_view_of(text), &n) < 0 || n < 1 || n > RECORDS_MAX)
		return pf_err_set(err, -EINVAL,
				  "--import-records %s: a module may record from 1 to %d lines in one interval", text,
				  RECORDS_MAX);
	*ret_n = (unsigned)n;
	return 0;
}

int64_t pf_module_deadline(const struct pf_import_limits *limits, int64_t interval_ns)
{
	if (limits->deadline_ns > 0)
		return limits->deadline_ns;
	return interval_ns / 2 > PF_NS_PER_SEC ? interval_ns / 2 : PF_NS_PER_SEC;
}
