/* formats/pcp/zone.c - a time zone in the two forms that labels of archives have. Source: tzset(3), observed labels. */
#include "formats/pcp/zone.h"

#include <stdio.h>
#include <string.h>

#include "base/time.h"

/* Names other than letters need the angle brackets of POSIX. */
static bool is_plain(const char *name)
{
	size_t n = 0;
	for (; name[n]; n++) {
		char c = name[n];
		if (!((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z')))
			return false;
	}
	return n >= 3;
}

void pf_pcp_zone_posix(char *to, size_t size, const char *name, long east_s)
{
	bool plain = is_plain(name);
	long west_min = -east_s / 60;
	long abs_min = west_min < 0 ? -west_min : west_min;
	char offset[32] = "";
	if (abs_min % 60 != 0)
		(void)snprintf(offset, sizeof(offset), "%s%ld:%02ld", west_min < 0 ? "-" : "", abs_min / 60,
			       abs_min % 60);
	else if (abs_min != 0 || strcmp(name, "UTC") != 0)
		(void)snprintf(offset, sizeof(offset), "%ld", west_min / 60);
	(void)snprintf(to, size, "%s%s%s%s", plain ? "" : "<", name, plain ? "" : ">", offset);
}

void pf_pcp_zone_label(char *to, size_t size, const char *zone)
{
	int digits[4];
	bool numeric = (zone[0] == '+' || zone[0] == '-') && strlen(zone) == 5;
	for (unsigned i = 0; i < 4 && numeric; i++) {
		digits[i] = zone[i + 1] - '0';
		numeric = digits[i] >= 0 && digits[i] <= 9;
	}
	if (!numeric) {
		(void)snprintf(to, size, "%s", zone);
		return;
	}
	long east_s = (digits[0] * 10 + digits[1]) * 3600L + (digits[2] * 10 + digits[3]) * 60L;
	pf_pcp_zone_posix(to, size, east_s == 0 ? "UTC" : zone, zone[0] == '-' ? -east_s : east_s);
}

void pf_pcp_zone_info(char *to, size_t size, const char *tz, const char *localtime_target)
{
	static const char folder[] = "zoneinfo/";
	const char *place = NULL;
	if (tz && tz[0] != '\0') {
		const char *bare = tz[0] == ':' ? tz + 1 : tz;
		if (strchr(bare, '/') && bare[0] != '/')
			place = bare;
	} else if (localtime_target) {
		const char *at = strstr(localtime_target, folder);
		if (at)
			place = at + sizeof(folder) - 1;
	}
	(void)snprintf(to, size, "%s%s", place ? ":" : "", place ? place : "");
}

/* Digits off the front of @at, or -1. */
static int number(const char **at)
{
	int v = 0;
	unsigned n = 0;
	for (; n < 4 && **at >= '0' && **at <= '9'; n++, (*at)++)
		v = v * 10 + (**at - '0');
	return n > 0 ? v : -1;
}

bool pf_pcp_zone_offset(const char *zone, int64_t *ret_ns)
{
	const char *at = zone;
	if (*at == '<')
		at += strcspn(at, ">") + (strchr(at, '>') != NULL);
	else
		while ((*at >= 'A' && *at <= 'Z') || (*at >= 'a' && *at <= 'z'))
			at++;
	if (at - zone < 3)
		return false;
	bool east = *at == '-';
	at += *at == '-' || *at == '+';
	int parts[3] = { 0 };
	for (unsigned i = 0; i < 3 && *at != '\0'; i++) {
		if (i > 0 && *at++ != ':')
			return false;
		parts[i] = number(&at);
		if (parts[i] < 0 || parts[i] > (i == 0 ? 24 : 59))
			return false;
	}
	int64_t west_ns = (int64_t)(parts[0] * 3600 + parts[1] * 60 + parts[2]) * PF_NS_PER_SEC;
	*ret_ns = east ? west_ns : -west_ns;
	return *at == '\0' && (at[-1] != '-' && at[-1] != '+');
}
