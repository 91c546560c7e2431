/* base/program.c - looking for programs as execvp(3) does. */
#include "base/program.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int pf_program_find(const char *name)
{
	const char *path = getenv("PATH");
	if (strchr(name, '/') || !path)
		return !path || access(name, X_OK) == 0 ? 0 : -errno;
	int rc = -ENOENT;
	for (const char *p = path; p;) {
		const char *end = strchrnul(p, ':');
		char file[PATH_MAX];
		int n = snprintf(file, sizeof(file), "%.*s%s%s", (int)(end - p), p, end == p ? "" : "/", name);
		if (n > 0 && (size_t)n < sizeof(file)) {
			if (access(file, X_OK) == 0)
				return 0;
			if (errno == EACCES)
				rc = -EACCES;
		}
		p = *end ? end + 1 : NULL;
	}
	return rc;
}
