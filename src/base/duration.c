/* base/duration.c - lengths of time as people type them. */
#include "base/duration.h"

#include <errno.h>
#include <strings.h>

#include "base/time.h"

enum { NUMBER_MAX = 40 };

/* Each unit with its short spellings; the long word comes with and without an s. */
static const struct {
	const char *names; /* between blanks */
	int64_t ns;
} units[] = {
	{ " ns nsec nsecs nanosec nanosecs nanosecond nanoseconds ", 1 },
	{ " us usec usecs microsec microsecs microsecond microseconds ", 1000 },
	{ " ms msec msecs millisec millisecs millisecond milliseconds ", PF_NS_PER_MS },
	{ " s sec secs second seconds ", PF_NS_PER_SEC },
	{ " m min mins minute minutes ", 60 * PF_NS_PER_SEC },
	{ " h hr hrs hour hours ", 3600 * PF_NS_PER_SEC },
	{ " d day days ", 86400 * PF_NS_PER_SEC },
	{ " w week weeks ", 7 * 86400 * PF_NS_PER_SEC },
};

static bool is_named(const char *names, struct pf_view word)
{
	for (const char *at = strchr(names, ' '); at && at[1] != '\0'; at = strchr(at + 1, ' ')) {
		if (strncasecmp(at + 1, word.p, word.n) == 0 && at[1 + word.n] == ' ')
			return true;
	}
	return false;
}

int64_t pf_duration_unit(struct pf_view name)
{
	for (size_t i = 0; name.n > 0 && i < sizeof(units) / sizeof(units[0]); i++) {
		if (is_named(units[i].names, name))
			return units[i].ns;
	}
	return 0;
}

static void skip_blanks(struct pf_view *rest)
{
	while (rest->n > 0 && (*rest->p == ' ' || *rest->p == '\t')) {
		rest->p++;
		rest->n--;
	}
}

static struct pf_view cut(struct pf_view *rest, size_t n)
{
	struct pf_view front = { rest->p, n };
	rest->p += n;
	rest->n -= n;
	return front;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return pf_ascii_lower(c) >= 'a' && pf_ascii_lower(c) <= 'z';
}

/* Digits with at most one point, and an exponent, which only digits make one: "1e1" is a number, "1e" is none. */
static size_t number_length(struct pf_view text)
{
	size_t n = 0;
	unsigned points = 0;
	while (n < text.n && (is_digit(text.p[n]) || (text.p[n] == '.' && points++ == 0)))
		n++;
	if (n > 0 && n + 1 < text.n && pf_ascii_lower(text.p[n]) == 'e') {
		size_t sign = text.p[n + 1] == '+' || text.p[n + 1] == '-';
		size_t end = n + 1 + sign;
		while (end < text.n && is_digit(text.p[end]))
			end++;
		n = end > n + 1 + sign ? end : n;
	}
	return n;
}

/* ".5" and "5." are numbers to people. */
static int take_number(struct pf_view *rest, double *ret_v)
{
	char full[NUMBER_MAX + 2] = "0";
	struct pf_view word = cut(rest, number_length(*rest));
	if (word.n == 0 || word.n > NUMBER_MAX || pf_view_is(word, "."))
		return -EINVAL;
	memcpy(full + 1, word.p, word.n);
	size_t lead = is_digit(word.p[0]);
	size_t n = word.n + 1 - (word.p[word.n - 1] == '.');
	return pf_view_double((struct pf_view){ full + lead, n - lead }, ret_v);
}

int pf_duration_parse(struct pf_view text, int64_t *ret_ns)
{
	int64_t sum = 0;
	skip_blanks(&text);
	if (text.n == 0)
		return -EINVAL;
	while (text.n > 0) {
		double v;
		int rc = take_number(&text, &v);
		if (rc < 0)
			return rc;
		skip_blanks(&text);
		size_t n = 0;
		while (n < text.n && is_letter(text.p[n]))
			n++;
		int64_t unit = n > 0 ? pf_duration_unit(cut(&text, n)) : PF_NS_PER_SEC;
		if (unit == 0)
			return -EINVAL;
		double ns = v * (double)unit + 0.5;
		if (!(ns < 0x1p63) || __builtin_add_overflow(sum, (int64_t)ns, &sum))
			return -ERANGE;
		skip_blanks(&text);
	}
	*ret_ns = sum;
	return 0;
}
