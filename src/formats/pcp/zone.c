/* formats/pcp/zone.c - a time zone in the two forms that labels of archives have. Source: tzset(3), observed labels. */
#include "formats/pcp/zone.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

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
