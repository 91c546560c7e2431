/* engine/roll.c - boundaries of recordings on the local clock. Behaviour: collectl(1), --rolllogs, and collectl 4.3.1 as observed; where
 * that loses its boundaries on days with a clock change, ours stay on the local clock. */
#include "engine/roll.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/time.h"
#include "base/view.h"

enum { DAY_MIN = 1440, HOUR_MIN = 60, DEFAULT_DAYS = 7, DEFAULT_MONTHS = 12, LONGEST = 100000 };

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The part before @stop; @rest goes behind it. */
static struct pf_view cut(struct pf_view *rest, char stop)
{
	const char *at = memchr(rest->p, stop, rest->n);
	struct pf_view part = { rest->p, at ? (size_t)(at - rest->p) : rest->n };
	size_t used = part.n + (at != NULL);
	rest->p += used;
	rest->n -= used;
	return part;
}

/* A whole number; an empty part leaves @to as it is. Return: is it one? */
static bool take_number(struct pf_view part, int *to)
{
	uint64_t v;
	if (part.n == 0)
		return true;
	if (pf_view_u64(part, &v) < 0 || v > LONGEST)
		return false;
	*to = (int)v;
	return true;
}

static int parse_clock(struct pf_view t, int *ret_min, struct pf_err *err)
{
	if (t.n != 5 || t.p[2] != ':' || !is_digit(t.p[0]) || !is_digit(t.p[1]) || !is_digit(t.p[3]) ||
	    !is_digit(t.p[4]))
		return pf_err_set(err, -EINVAL, "-r time must be in HH:MM format");
	int hour = (t.p[0] - '0') * 10 + t.p[1] - '0';
	int minute = (t.p[3] - '0') * 10 + t.p[4] - '0';
	if (hour > 23 || minute > 59)
		return pf_err_set(err, -EINVAL, "-r time invalid");
	*ret_min = hour * HOUR_MIN + minute;
	return 0;
}

int pf_roll_parse(struct pf_roll *ret_roll, const char *text, struct pf_err *err)
{
	struct pf_roll r = { .every_min = DAY_MIN, .days = DEFAULT_DAYS, .months = DEFAULT_MONTHS };
	struct pf_view rest = pf_view_of(text);
	struct pf_view clock = cut(&rest, ',');
	struct pf_view purge = cut(&rest, ',');
	struct pf_view every = cut(&rest, ','); /* collectl takes what stands behind and ignores it */
	struct pf_view days = cut(&purge, ':');
	if (!take_number(days, &r.days))
		return pf_err_set(err, -EINVAL, "-r purge days must be an integer");
	if (!take_number(purge, &r.months))
		return pf_err_set(err, -EINVAL, "-r purge months must be an integer");
	int rc = parse_clock(clock, &r.first_min, err);
	if (rc < 0)
		return rc;
	if (!take_number(every, &r.every_min) || r.every_min == 0 || DAY_MIN % r.every_min != 0)
		return pf_err_set(err, -EINVAL, "-r increment must be a factor of 24 hours");
	if (r.every_min > HOUR_MIN && r.every_min % HOUR_MIN != 0)
		return pf_err_set(err, -EINVAL, "if -r increment>1 hour, must be multiple of 1 hour");
	if (r.first_min >= r.every_min)
		return pf_err_set(err, -EINVAL, "roll time must be specified in 1st interval");
	*ret_roll = r;
	return 0;
}

/* What the local clock shows at @second UTC, as if it were UTC. */
static int64_t local_of(int64_t second)
{
	struct tm tm = pf_time_local(second * PF_NS_PER_SEC);
	return second + tm.tm_gmtoff;
}

/* The first second at which the local clock shows @local or, where it leaves that out, more. */
static int64_t first_at(int64_t local)
{
	enum { AROUND = 86400 }; /* no two clock changes are that close */
	int64_t before = local_of(local - AROUND) - (local - AROUND);
	int64_t after = local_of(local + AROUND) - (local + AROUND);
	int64_t early = local - (before > after ? before : after);
	int64_t late = local - (before > after ? after : before);
	if (local_of(early) == local)
		return early;
	if (local_of(late) == local)
		return late;
	while (early + 1 < late) { /* left out: between the two lies the change */
		int64_t middle = early + (late - early) / 2;
		if (local_of(middle) < local)
			early = middle;
		else
			late = middle;
	}
	return late;
}

int64_t pf_roll_next(const struct pf_roll *roll, int64_t after_ns)
{
	int64_t after = after_ns / PF_NS_PER_SEC;
	int64_t every = (int64_t)roll->every_min * 60;
	int64_t first = (int64_t)roll->first_min * 60;
	int64_t local = local_of(after);
	int64_t day = local / 86400 * 86400;
	int64_t k = (local - day - first) / every - 1; /* one too early: of an hour that comes twice */
	int64_t at;
	do {
		k++;
		int64_t nominal = day + first + k * every;
		at = roll->every_min > HOUR_MIN ? first_at(nominal) : after + (nominal - local);
	} while (at <= after);
	return at * PF_NS_PER_SEC;
}
