/* model/cvt.c - short numbers. Written from spec collectl-import section 3 and from what collectl 4.3.1 prints. */
#include "model/cvt.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

/* Decimal digits; how many. This is what views do most, so no printf. */
static int whole(uint64_t v, char buf[PF_CVT_SIZE])
{
	char back[20];
	int n = 0;
	do {
		back[n++] = (char)('0' + v % 10);
		v /= 10;
	} while (v > 0);
	for (int i = 0; i < n; i++)
		buf[i] = back[n - 1 - i];
	buf[n] = '\0';
	return n;
}

/* Text of a number as a Perl program prints it: integers in full, all else with 15 digits. */
static int plain(double v, char buf[PF_CVT_SIZE])
{
	if (v == floor(v) && v >= 0 && v < 18446744073709551616.0)
		return whole((uint64_t)v, buf);
	return snprintf(buf, PF_CVT_SIZE, "%.15g", v);
}

/* -og shows "1g23", "22g3" in four characters, -oG "1.2G" for a single digit; three digits stay as they are. The digits behind the point
 * are those of the remainder, of 1024 as if it were of 1000, rounded before it is cut: as observed, and the letter is always a G. */
static bool with_fraction(double before, double base, int unit, char big, char buf[PF_CVT_SIZE])
{
	if (unit < 3 || unit > 5 || before >= base * 100)
		return false;
	double rounded = before + (big == 'G' ? 50 : 5);
	int n = (int)(rounded / base);
	int rest = (int)(rounded - n * base);
	if (big == 'G' && n >= 10)
		(void)snprintf(buf, PF_CVT_SIZE, "%d%c", n, " KMGTP"[unit]);
	else if (big == 'G')
		(void)snprintf(buf, PF_CVT_SIZE, "%d.%dG", n, rest >= 1000 ? 1 : rest / 100);
	else
		(void)snprintf(buf, 5, "%dg%03d", n, rest);
	return true;
}

const char *pf_cvt(double value, int width, int unit, bool div1024, const struct pf_cvt_style *style,
		   char buf[PF_CVT_SIZE])
{
	static const char letters[] = " KMGTP";
	double v = isnan(value) ? 0 : value;

	if (v > 0)
		v = floor(v + 0.5);
	int n = plain(v, buf);
	if (v == 0 || (unit < 1 && n <= width) || (style && style->wide) || isinf(v))
		return buf;

	bool minus = v < 0;
	double base = div1024 ? 1024 : 1000;
	v = fabs(v);
	double before = v;
	while (plain(v, buf) >= width && v > 0) {
		before = v;
		v = floor(v / base);
		unit++;
	}

	if (style && style->big && !minus && with_fraction(before, base, unit, style->big, buf))
		return buf;
	char *to = buf;
	if (minus && v > 0)
		*to++ = '-';
	if (v > 0 && v != floor(v)) /* below zero, not rounded, and short enough */
		to += snprintf(to, PF_CVT_SIZE - 3, "%.15g", v);
	else
		to += whole(v <= 0 ? 1 : v < 1e19 ? (uint64_t)v : UINT64_MAX, to);
	if (unit >= 0 && unit < 6)
		*to++ = letters[unit];
	*to = '\0';
	return buf;
}
