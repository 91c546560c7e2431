/* engine/moment.c - moments as people type them. */
#include "engine/moment.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#include "base/duration.h"
#include "base/err.h"
#include "base/time.h"
#include "base/view.h"

enum { YEAR_MIN = 1970, YEAR_MAX = 2261, DAY_SECONDS = 86400 };

#define DAY_NS (DAY_SECONDS * PF_NS_PER_SEC)

#define FORMS                                                                                                          \
	"a time is such as 18:41, 18:41:05.5, \"2026-11-30 18:41\", 5min (behind the beginning) or -5min (before the end)"

/* What the words of one text have said so far. */
struct said {
	const char *what;
	const char *text;
	struct pf_moment m;
	bool has_clock;
	struct pf_err *err;
};

static int days_of(int year, int month)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
	return month == 2 && leap ? 29 : days[month - 1];
}

static int refuse(const struct said *s, const char *part, int n)
{
	return pf_err_set(s->err, -EINVAL, "%s %s: there is no %s %d", s->what, s->text, part, n);
}

/* Without a year the 29th of February may be meant. */
static int check_date(const struct said *s)
{
	const struct pf_moment *m = &s->m;
	if (m->year != 0 && (m->year < YEAR_MIN || m->year > YEAR_MAX))
		return pf_err_set(s->err, -EINVAL, "%s %s: the year %d is not from %d to %d", s->what, s->text, m->year,
				  YEAR_MIN, YEAR_MAX);
	if (m->month < 1 || m->month > 12)
		return refuse(s, "month", m->month);
	int days = days_of(m->year ? m->year : 2000, m->month);
	if (m->day < 1 || m->day > days)
		return pf_err_set(s->err, -EINVAL, "%s %s: month %d has %d days, there is no day %d", s->what, s->text,
				  m->month, days, m->day);
	return 0;
}

static int check_clock(const struct said *s, int hour, int minute, int second)
{
	if (hour > 23)
		return refuse(s, "hour", hour);
	if (minute > 59)
		return refuse(s, "minute", minute);
	return second > 59 ? refuse(s, "second", second) : 0;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Up to @max digits off the front. Return: how many there were. */
static size_t take_digits(struct pf_view *rest, size_t max, int *ret_v)
{
	size_t n = 0;
	int v = 0;
	while (n < rest->n && n < max && is_digit(rest->p[n]))
		v = v * 10 + (rest->p[n++] - '0');
	rest->p += n;
	rest->n -= n;
	*ret_v = v;
	return n;
}

static bool take_char(struct pf_view *rest, char c)
{
	if (rest->n == 0 || rest->p[0] != c)
		return false;
	rest->p++;
	rest->n--;
	return true;
}

/* ".5" behind seconds, in nanoseconds. */
static int take_fraction(struct pf_view *rest, int64_t *ret_ns)
{
	int64_t scale = PF_NS_PER_SEC, v = 0;
	if (!take_char(rest, '.') || rest->n == 0 || !is_digit(rest->p[0]))
		return -EINVAL;
	for (; rest->n > 0 && is_digit(rest->p[0]); rest->p++, rest->n--) {
		scale /= 10;
		v += (rest->p[0] - '0') * scale;
	}
	*ret_ns = v;
	return 0;
}

/* "Z", "+01:00", "-0500" behind the clock of an ISO time. */
static int take_zone(struct said *s, struct pf_view rest)
{
	int hour, minute = 0;
	bool back = pf_view_starts(rest, "-");
	if (pf_view_is(rest, "Z") || pf_view_is(rest, "z")) {
		s->m.has_zone = true;
		return 0;
	}
	if (!take_char(&rest, '+') && !take_char(&rest, '-'))
		return -EINVAL;
	if (take_digits(&rest, 2, &hour) != 2)
		return -EINVAL;
	(void)take_char(&rest, ':');
	if (rest.n > 0 && take_digits(&rest, 2, &minute) != 2)
		return -EINVAL;
	if (rest.n > 0 || hour > 14 || minute > 59)
		return -EINVAL;
	s->m.has_zone = true;
	s->m.zone_ns = (int64_t)(hour * 3600 + minute * 60) * PF_NS_PER_SEC * (back ? -1 : 1);
	return 0;
}

/* "18:41", "18:41:05.5", "6:41pm"; with @iso a zone may stand behind. */
static int take_clock(struct said *s, struct pf_view rest, bool iso)
{
	int hour, minute, second = 0;
	int64_t fraction = 0;
	if (s->has_clock || take_digits(&rest, 2, &hour) == 0 || !take_char(&rest, ':') ||
	    take_digits(&rest, 2, &minute) == 0)
		return -EINVAL;
	if (take_char(&rest, ':') && take_digits(&rest, 2, &second) == 0)
		return -EINVAL;
	if (rest.n > 0 && rest.p[0] == '.') {
		s->m.exact = true;
		if (take_fraction(&rest, &fraction) < 0)
			return -EINVAL;
	}
	int rc = check_clock(s, hour, minute, second);
	if (rc < 0)
		return rc;
	bool pm = rest.n == 2 && strncasecmp(rest.p, "pm", 2) == 0;
	bool am = rest.n == 2 && strncasecmp(rest.p, "am", 2) == 0;
	if ((am || pm) && (hour < 1 || hour > 12))
		return refuse(s, am ? "hour am" : "hour pm", hour);
	if (am || pm)
		hour = hour % 12 + (pm ? 12 : 0);
	else if (rest.n > 0 && (!iso || take_zone(s, rest) < 0))
		return -EINVAL;
	s->m.ns = (int64_t)(hour * 3600 + minute * 60 + second) * PF_NS_PER_SEC + fraction;
	s->has_clock = true;
	return 0;
}

static int set_date(struct said *s, int year, int month, int day)
{
	if (s->m.month || s->m.day || s->m.year)
		return -EINVAL; /* it was said before */
	s->m.year = year;
	s->m.month = month;
	s->m.day = day;
	return check_date(s);
}

/* "2026-11-30", "11/30/2026", "11/30/26", "20261130" at the front of @rest. Return: 1 there is none; 0, negative errno. */
static int take_date(struct said *s, struct pf_view *rest)
{
	struct pf_view at = *rest;
	int part[3];
	size_t n[3] = { 0 };
	n[0] = take_digits(&at, 8, &part[0]);
	if (n[0] == 8) {
		*rest = at;
		return set_date(s, part[0] / 10000, part[0] / 100 % 100, part[0] % 100);
	}
	char mark = at.n > 0 && (at.p[0] == '-' || at.p[0] == '/') ? at.p[0] : '\0';
	if (mark == '\0' || n[0] == 0)
		return 1;
	for (unsigned i = 1; i < 3; i++) {
		if (!take_char(&at, mark))
			return -EINVAL;
		n[i] = take_digits(&at, 4, &part[i]);
	}
	unsigned y = mark == '-' ? 0 : 2;
	if ((n[y] != 4 && n[y] != 2) || n[1] < 1 || n[1] > 2 || n[2 - y] < 1 || n[2 - y] > 2)
		return -EINVAL;
	*rest = at;
	int year = n[y] == 4 ? part[y] : part[y] + (part[y] < 70 ? 2000 : 1900);
	return mark == '-' ? set_date(s, year, part[1], part[2]) : set_date(s, year, part[0], part[1]);
}

/* The number of a word among names of which three letters do, 0: it is none of them. */
static int named(struct pf_view word, const char *const *names, unsigned n)
{
	for (unsigned i = 0; word.n >= 3 && i < n; i++) {
		if (word.n <= strlen(names[i]) && strncasecmp(names[i], word.p, word.n) == 0)
			return (int)i + 1;
	}
	return 0;
}

/* "Nov", "Monday" (which the date says, too), "UTC", "today". */
static int take_name(struct said *s, struct pf_view word)
{
	static const char *const months[] = { "january", "february", "march",	  "april",   "may",	 "june",
					      "july",	 "august",   "september", "october", "november", "december" };
	static const char *const week[] = {
		"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"
	};
	static const char *const zones[] = { "utc", "gmt" };
	static const char *const days[] = { "yesterday", "today", "now" };
	int month = named(word, months, 12);
	int day = named(word, days, 3);
	if (month > 0) {
		if (s->m.month)
			return -EINVAL;
		s->m.month = month;
		return 0;
	}
	if (named(word, zones, 2) > 0) {
		s->m.has_zone = true;
		return 0;
	}
	if (day == 0)
		return named(word, week, 7) > 0 ? 0 : -EINVAL;
	int64_t now = pf_time_wall_ns();
	if (day == 3) {
		s->m.kind = PF_MOMENT_EPOCH;
		s->m.ns = now;
		s->m.exact = s->has_clock = true;
		return 0;
	}
	struct tm tm = pf_time_local(now);
	tm = pf_time_utc(now + (int64_t)tm.tm_gmtoff * PF_NS_PER_SEC - (day == 1 ? DAY_NS : 0));
	return set_date(s, tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday);
}

/* "30" is a day, "2026" a year, beside the name of a month. */
static int take_number(struct said *s, struct pf_view word)
{
	int v;
	size_t n = take_digits(&word, 4, &v);
	int *to = n <= 2 ? &s->m.day : &s->m.year;
	if (word.n > 0 || n == 3 || *to != 0 || v == 0)
		return -EINVAL;
	*to = v;
	return 0;
}

static int take_word(struct said *s, struct pf_view word)
{
	if (!is_digit(word.p[0]))
		return take_name(s, word);
	int rc = take_date(s, &word);
	if (rc < 0)
		return rc;
	if (rc == 1)
		return memchr(word.p, ':', word.n) ? take_clock(s, word, false) : take_number(s, word);
	if (word.n == 0)
		return 0;
	bool iso = take_char(&word, 'T') || take_char(&word, 't');
	return iso || take_char(&word, ':') ? take_clock(s, word, iso) : -EINVAL;
}

static int take_calendar(struct said *s, struct pf_view rest)
{
	struct pf_view word;
	while (pf_view_word(&rest, &word) == 0) {
		while (word.n > 0 && word.p[word.n - 1] == ',')
			word.n--;
		int rc = word.n > 0 ? take_word(s, word) : 0;
		if (rc < 0)
			return rc;
	}
	struct pf_moment *m = &s->m;
	if (m->kind == PF_MOMENT_EPOCH)
		return m->month || m->day || m->year ? -EINVAL : 0;
	if (m->month == 0)
		return m->day || m->year || !s->has_clock ? -EINVAL : 0;
	m->day = m->day ? m->day : 1;
	int rc = check_date(s);
	bool day_long = rc == 0 && !s->has_clock && !m->onward && strcmp(s->what, "--thru") == 0;
	if (day_long)
		m->ns = (DAY_SECONDS - 1) * PF_NS_PER_SEC;
	return rc;
}

/* Seconds since 1970, which have nine digits and more. */
static bool take_epoch(struct said *s, struct pf_view text)
{
	struct pf_view rest = text;
	int64_t second, fraction = 0;
	size_t n = 0;
	while (n < text.n && is_digit(text.p[n]))
		n++;
	if (n < 9 || n > 10 || pf_view_i64((struct pf_view){ text.p, n }, &second) < 0 || second >= INT64_C(9200000000))
		return false;
	rest = (struct pf_view){ text.p + n, text.n - n };
	s->m.exact |= rest.n > 0;
	if (rest.n > 0 && (take_fraction(&rest, &fraction) < 0 || rest.n > 0))
		return false;
	s->m.kind = PF_MOMENT_EPOCH;
	s->m.ns = second * PF_NS_PER_SEC + fraction;
	return true;
}

/* A length of time, with a minus from the end. Eight digits are a date. */
static bool take_length(struct said *s, struct pf_view text)
{
	bool back = take_char(&text, '-');
	bool on = !back && take_char(&text, '+');
	int v;
	struct pf_view rest = text;
	if (!back && !on && take_digits(&rest, 8, &v) == 8 && rest.n == 0)
		return false;
	if (pf_duration_parse(text, &s->m.ns) < 0)
		return false;
	s->m.kind = back ? PF_MOMENT_BEFORE : PF_MOMENT_AFTER;
	s->m.exact = true;
	return true;
}

/* collectl's three forms and nothing else, refused in its words. */
static int take_peer(struct said *s, struct pf_view rest)
{
	const char *colon = memchr(rest.p, ':', rest.n);
	size_t first = colon ? (size_t)(colon - rest.p) : rest.n;
	int v;
	if (!colon && first != 8)
		return pf_err_set(s->err, -EINVAL, "%s time format must be hh:mm[:ss]", s->what);
	if (!colon || first > 2) {
		struct pf_view day = { rest.p, first };
		if (first != 8 || take_digits(&day, 8, &v) != 8)
			return pf_err_set(s->err, -EINVAL, "Date portion of %s must be exactly 8 digits", s->what);
		int rc = set_date(s, v / 10000, v / 100 % 100, v % 100);
		if (rc < 0)
			return rc;
		rest = colon ? (struct pf_view){ colon + 1, rest.n - first - 1 } : (struct pf_view){ "", 0 };
	}
	if (!colon) {
		s->m.ns = strcmp(s->what, "--thru") == 0 ? (DAY_SECONDS - 1) * PF_NS_PER_SEC : 0;
		return 0;
	}
	struct said clock = *s;
	clock.err = NULL;
	bool digits = rest.n > 0 && strspn(rest.p, "0123456789:") >= rest.n;
	int rc = digits ? take_clock(&clock, rest, false) : -EINVAL;
	struct pf_view at = rest;
	bool form = digits && take_digits(&at, 2, &v) > 0 && take_char(&at, ':') && take_digits(&at, 2, &v) > 0 &&
		    (at.n == 0 || (take_char(&at, ':') && take_digits(&at, 2, &v) > 0 && at.n == 0));
	if (rc < 0)
		return form ? pf_err_set(s->err, -EINVAL, "%s specifies invalid time", s->what)
			    : pf_err_set(s->err, -EINVAL, "%s time format must be hh:mm[:ss]", s->what);
	s->m = clock.m;
	return 0;
}

int pf_moment_parse(const char *text, const char *what, bool as_peer, struct pf_moment *ret, struct pf_err *err)
{
	struct pf_err own = { 0 };
	struct said s = { .what = what, .text = text, .m = { .given = true }, .err = &own };
	struct pf_view rest = pf_view_trim(pf_view_of(text));
	int rc = 0;
	if (as_peer) {
		rc = take_peer(&s, rest);
	} else {
		s.m.onward = s.m.exact = take_char(&rest, '@');
		rest = pf_view_trim(rest);
		if (rest.n == 0)
			rc = -EINVAL;
		else if (!take_epoch(&s, rest) && (s.m.onward || !take_length(&s, rest)))
			rc = take_calendar(&s, rest);
	}
	if (rc < 0)
		return own.text[0] ? pf_err_set(err, rc, "%s", own.text)
				   : pf_err_set(err, rc, "%s %s: " FORMS, what, text);
	*ret = s.m;
	return 0;
}

int pf_moment_span(const char *text, bool as_peer, struct pf_moment *ret_from, struct pf_moment *ret_thru,
		   struct pf_err *err)
{
	struct pf_moment from, thru = { 0 };
	char left[128];
	const char *dash = strchr(text, '-');
	if (!as_peer || !dash) {
		int rc = pf_moment_parse(text, "--from", as_peer, ret_from, err);
		if (rc == 0 || !dash)
			return rc;
	}
	for (; dash; dash = strchr(dash + 1, '-')) {
		size_t n = (size_t)(dash - text);
		if (n >= sizeof(left))
			break;
		memcpy(left, text, n);
		left[n] = '\0';
		struct pf_err why = { 0 };
		int rc = pf_moment_parse(left, "--from", as_peer, &from, &why);
		if (rc == 0)
			rc = pf_moment_parse(dash + 1, "--thru", as_peer, &thru, &why);
		if (rc == 0) {
			*ret_from = from;
			*ret_thru = thru;
			return 0;
		}
		if (as_peer)
			return pf_err_set(err, rc, "%s", why.text);
		if (strchr(left, ':') && pf_moment_parse(left, "--from", false, &from, NULL) == 0)
			return pf_err_set(err, rc, "%s", why.text); /* so there were two, and the second one is wrong */
	}
	return as_peer ? pf_err_set(err, -EINVAL, "--from time format must be hh:mm[:ss]") : -EINVAL;
}

bool pf_moment_needs_line(const struct pf_moment *m)
{
	return m->given &&
	       (m->kind == PF_MOMENT_AFTER || m->kind == PF_MOMENT_BEFORE || m->onward || (m->month && !m->year));
}

bool pf_moment_needs_end(const struct pf_moment *m)
{
	return m->given && m->kind == PF_MOMENT_BEFORE;
}

static int64_t midnight(int year, int month, int day)
{
	struct tm tm = { .tm_year = year - 1900, .tm_mon = month - 1, .tm_mday = day };
	return (int64_t)timegm(&tm) * PF_NS_PER_SEC;
}

/* A year that was not said is that of the beginning, or the next one if the month is an earlier one; the 29th of February waits for its year. */
static int64_t next_year(const struct pf_moment *m, int64_t zone_ns, int64_t start_ns)
{
	struct tm start = pf_time_utc(start_ns + zone_ns);
	int year = start.tm_year + 1900 + (m->month < start.tm_mon + 1);
	for (int end = year + 8; year < end && m->day > days_of(year, m->month); year++)
		;
	return midnight(year, m->month, m->day);
}

/* The same of the day: an earlier hour is one of the next day. */
static int64_t next_day(const struct pf_moment *m, int64_t zone_ns, int64_t start_ns)
{
	int64_t hour_ns = 3600 * PF_NS_PER_SEC, local_ns = start_ns + zone_ns;
	bool over = m->ns / hour_ns < local_ns % DAY_NS / hour_ns;
	return local_ns / DAY_NS * DAY_NS + (over ? DAY_NS : 0);
}

int64_t pf_moment_resolve(const struct pf_moment *m, const struct pf_time_line *line)
{
	int64_t zone_ns = m->has_zone ? m->zone_ns : line->zone_ns;
	if (m->kind == PF_MOMENT_EPOCH)
		return m->ns;
	if (m->kind == PF_MOMENT_AFTER)
		return m->ns > INT64_MAX / 2 - line->start_ns ? INT64_MAX / 2 : line->start_ns + m->ns;
	if (m->kind == PF_MOMENT_BEFORE)
		return m->ns > INT64_MAX / 2 ? INT64_MIN / 2 : line->end_ns - m->ns;
	if (m->year)
		return midnight(m->year, m->month, m->day) + m->ns - zone_ns;
	if (m->month)
		return next_year(m, zone_ns, line->start_ns) + m->ns - zone_ns;
	if (m->onward)
		return next_day(m, zone_ns, line->start_ns) + m->ns - zone_ns;
	return (line->day_of_ns + zone_ns) / DAY_NS * DAY_NS + m->ns - zone_ns;
}

int64_t pf_moment_last(const struct pf_moment *m)
{
	return m->given && !m->exact ? PF_NS_PER_SEC - 1 : 0;
}
