/* model/cvt.c - short numbers. Written from spec collectl-import section 3 and from what collectl 4.3.1 prints. */
#include "model/cvt.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Text of a number as a Perl program prints it: integers in full, all else with 15 digits. */
static int plain(double v, char buf[PF_CVT_SIZE])
{
	if (v == floor(v) && v >= 0 && v < 18446744073709551616.0)
		return snprintf(buf, PF_CVT_SIZE, "%llu", (unsigned long long)v);
	return snprintf(buf, PF_CVT_SIZE, "%.15g", v);
}

/* -og shows "1g23", "22g3" in four characters, -oG "1.2G" for a single digit; other units and three digits stay as they are. */
static bool with_fraction(double exact, int unit, char big, char buf[PF_CVT_SIZE])
{
	static const char lower[] = " kmgtp";
	int digits = exact >= 100 ? 3 : exact >= 10 ? 2 : 1;
	if (unit < 3 || unit > 5 || digits > 2)
		return false;
	if (big == 'G') {
		if (digits == 2)
			return false;
		(void)snprintf(buf, PF_CVT_SIZE, "%.1f%c", exact, " KMGTP"[unit]);
		return true;
	}
	(void)snprintf(buf, PF_CVT_SIZE, "%.*f", 3 - digits, exact);
	char *dot = strchr(buf, '.');
	if (!dot)
		return false;
	*dot = lower[unit];
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
	double exact = v = fabs(v);
	while (plain(v, buf) >= width && v > 0) {
		exact = v / base;
		v = floor(exact);
		unit++;
	}

	if (style && style->big && !minus && with_fraction(exact, unit, style->big, buf))
		return buf;
	char digits[PF_CVT_SIZE];
	(void)plain(v > 0 ? v : 1, digits);
	(void)snprintf(buf, PF_CVT_SIZE, "%s%.32s%.*s", minus && v > 0 ? "-" : "", digits, unit >= 0 && unit < 6,
		       unit >= 0 && unit < 6 ? &letters[unit] : "");
	return buf;
}
