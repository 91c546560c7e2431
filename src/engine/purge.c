/* engine/purge.c - remove recordings and message logs that are too old by their names. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/notice.h"
#include "base/time.h"
#include "engine/roll.h"

enum { DATE_DIGITS = 8, MONTH_DIGITS = 6, CLOCK_DIGITS = 6, MONTH_DAYS = 30 };

static const int64_t DAY_NS = 86400 * PF_NS_PER_SEC;

static size_t digits_at(const char *p)
{
	return strspn(p, "0123456789");
}

static int number_at(const char *p, size_t n)
{
	int v = 0;
	for (size_t i = 0; i < n; i++)
		v = v * 10 + (p[i] - '0');
	return v;
}

/* YYYYMMDD of "...-YYYYMMDD[-HHMMSS].*", 0 for another name. */
static int date_of(const char *name)
{
	for (const char *p = strchr(name, '-'); p; p = strchr(p + 1, '-')) {
		const char *behind = p + 1 + DATE_DIGITS;
		if (digits_at(p + 1) != DATE_DIGITS)
			continue;
		bool clock = *behind == '-' && digits_at(behind + 1) == CLOCK_DIGITS && behind[1 + CLOCK_DIGITS] == '.';
		if (*behind == '.' || clock)
			return number_at(p + 1, DATE_DIGITS);
	}
	return 0;
}

/* YYYYMM of "...-YYYYMM.log", 0 for another name. */
static int month_of(const char *name)
{
	const char *dash = strrchr(name, '-');
	return dash && digits_at(dash + 1) == MONTH_DIGITS && strcmp(dash + 1 + MONTH_DIGITS, ".log") == 0
		       ? number_at(dash + 1, MONTH_DIGITS)
		       : 0;
}

static int day_before(int64_t now_ns, int64_t days)
{
	if (days > now_ns / DAY_NS)
		return 0; /* before there were such clocks */
	struct tm tm = pf_time_local(now_ns - days * DAY_NS);
	return (tm.tm_year + 1900) * 10000 + (tm.tm_mon + 1) * 100 + tm.tm_mday;
}

static DIR *open_folder(const char *target)
{
	struct stat st;
	size_t n = strlen(target);
	const char *slash = strrchr(target, '/');
	if (n > 0 && (target[n - 1] == '/' || (stat(target, &st) == 0 && S_ISDIR(st.st_mode))))
		return opendir(target);
	if (!slash)
		return opendir(".");
	pf_autofree char *folder = strndup(target, slash == target ? 1 : (size_t)(slash - target));
	return folder ? opendir(folder) : NULL;
}

/* Nothing else is a recording of ours; not every file system tells with the name. */
static bool is_regular(int folder, const struct dirent *e)
{
	struct stat st;
	if (e->d_type != DT_UNKNOWN)
		return e->d_type == DT_REG;
	return fstatat(folder, e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode);
}

unsigned pf_roll_purge(const struct pf_roll *roll, const char *target, const char *own, int64_t now_ns,
		       const struct pf_notice *notice)
{
	int oldest = day_before(now_ns, roll->days);
	int oldest_month = day_before(now_ns, (int64_t)roll->months * MONTH_DAYS) / 100;
	DIR *dir = open_folder(target);
	if (!dir) {
		pf_notice(notice, PF_WARNING, "%s: cannot look for old files: %s", target, strerror(errno));
		return 0;
	}
	unsigned n = 0;
	for (const struct dirent *e = readdir(dir); e; e = readdir(dir)) {
		int date = date_of(e->d_name);
		int month = date ? 0 : month_of(e->d_name);
		bool old = (date && date < oldest) || (month && month < oldest_month);
		if (!old || strncmp(e->d_name, own, strlen(own)) != 0 || !is_regular(dirfd(dir), e))
			continue;
		if (unlinkat(dirfd(dir), e->d_name, 0) == 0)
			n++;
		else if (errno != ENOENT && errno != EISDIR)
			pf_notice(notice, PF_WARNING, "%s: cannot remove the old file: %s", e->d_name, strerror(errno));
	}
	(void)closedir(dir); /* only read from */
	return n;
}
