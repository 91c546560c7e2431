/* sinks/shelf.c - sizes are asked of the file system, since compression changes them beside us. */
#include "sinks/shelf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/notice.h"
#include "formats/pcp/names.h"
#include "sinks/volumes.h"

int pf_shelf_add(struct pf_shelf *s, const char *path, int64_t last_ns)
{
	struct pf_shelf_volume *more = reallocarray(s->volumes, s->n + 1, sizeof(*more));
	if (more)
		s->volumes = more;
	char *copy = more ? strdup(path) : NULL;
	if (!copy)
		return -ENOMEM;
	more[s->n++] = (struct pf_shelf_volume){ .path = copy, .last_ns = last_ns };
	return 0;
}

void pf_shelf_done(struct pf_shelf *s)
{
	for (unsigned i = 0; i < s->n; i++)
		free(s->volumes[i].path);
	free(s->volumes);
	*s = (struct pf_shelf){ 0 };
}

/* Bytes that are missing to what should stay free where the archive is; 0: none, or nobody knows. @ret_least: what should. */
static uint64_t missing_room(const char *base, int64_t min_free, uint64_t *ret_least)
{
	struct statvfs fs;
	pf_autofree char *index = pf_pcp_names_path(base, "index");
	if (min_free == 0 || !index || statvfs(index, &fs) < 0)
		return 0;
	uint64_t unit = fs.f_frsize;
	uint64_t least = (uint64_t)min_free;
	if (min_free < 0) {
		least = fs.f_blocks / PF_VOLUME_FREE_PART * unit;
		least = least < PF_VOLUME_FREE_MOST ? least : PF_VOLUME_FREE_MOST;
	}
	*ret_least = least;
	uint64_t there = fs.f_bavail * unit;
	return there < least ? least - there : 0;
}

static void remove_oldest(struct pf_shelf *s, const char *why, const struct pf_notice *notice)
{
	char *path = s->volumes[0].path;
	char packed[4096];
	if (!s->told)
		pf_notice(notice, PF_WARNING, "%s: %s, so the oldest volumes are removed from now on", path, why);
	s->told = true;
	if (unlink(path) < 0 && errno == ENOENT &&
	    snprintf(packed, sizeof(packed), "%s.xz", path) < (int)sizeof(packed))
		(void)unlink(packed); /* whatever is wrong with it, it is not ours any more */
	free(path);
	s->n--;
	memmove(s->volumes, s->volumes + 1, s->n * sizeof(*s->volumes));
}

/* Why the oldest has to go, NULL if it may stay. */
static const char *reason(const struct pf_shelf *s, const char *base, const struct pf_volume_options *limits,
			  int64_t now_ns)
{
	uint64_t least;
	if (limits->keep_ns > 0 && s->volumes[0].last_ns < now_ns - limits->keep_ns)
		return "that is older than --keep says";
	if (limits->keep_bytes > 0 && pf_pcp_names_bytes(base) > limits->keep_bytes)
		return "the archive has become larger than --keep says";
	return missing_room(base, limits->min_free, &least) > 0 ? "the disk has less room than --min-free says" : NULL;
}

int pf_shelf_trim(struct pf_shelf *s, const char *base, const struct pf_volume_options *limits, const char *busy,
		  int64_t now_ns, const struct pf_notice *notice, struct pf_err *err)
{
	uint64_t least;
	while (s->n > 0 && !(busy && strcmp(busy, s->volumes[0].path) == 0)) {
		const char *why = reason(s, base, limits, now_ns);
		if (!why)
			return 0;
		remove_oldest(s, why, notice);
	}
	if (s->n > 0 || missing_room(base, limits->min_free, &least) == 0)
		return 0;
	return pf_err_set(err, -ENOSPC, "%s: less than %llu MB are free, which --min-free keeps free", base,
			  (unsigned long long)(least >> 20));
}
