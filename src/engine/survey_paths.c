/* engine/survey_paths.c - folios, folders and lists as the recordings that they stand for. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "engine/survey.h"
#include "sources/joined.h"

/* The paths become ours. */
static int take_paths(struct pf_survey_paths *paths, struct pf_joined_list *list, const char *path, struct pf_err *err)
{
	paths->paths = calloc(list->n, sizeof(*paths->paths));
	paths->damage = calloc(list->n, sizeof(*paths->damage));
	if (!paths->paths || !paths->damage)
		return pf_err_set(err, -ENOMEM, "no memory");
	for (unsigned i = 0; i < list->n; i++) {
		struct pf_joined_entry *e = &list->entries[i];
		if (e->why)
			paths->damage[paths->n_damage++] = e->why;
		if (e->path)
			paths->paths[paths->n++] = e->path;
		e->why = e->path = NULL;
	}
	paths->joined = paths->n != 1 || strcmp(paths->paths[0], path) != 0;
	return 0;
}

int pf_survey_expand(struct pf_survey_paths *paths, const char *path, struct pf_err *err)
{
	struct pf_joined_list list = { 0 };
	*paths = (struct pf_survey_paths){ 0 };
	int rc = pf_joined_list_of(&list, path, err);
	if (rc == 0)
		rc = take_paths(paths, &list, path, err);
	pf_joined_done(&list);
	return rc;
}

void pf_survey_paths_done(struct pf_survey_paths *paths)
{
	for (unsigned i = 0; i < paths->n; i++)
		free(paths->paths[i]);
	for (unsigned i = 0; i < paths->n_damage; i++)
		free(paths->damage[i]);
	free(paths->paths);
	free(paths->damage);
	*paths = (struct pf_survey_paths){ 0 };
}
