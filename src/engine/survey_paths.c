/* engine/survey_paths.c - folios, folders and lists as the recordings that they stand for. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "engine/survey.h"
#include "sources/joined.h"

/* The paths become ours. */
static int take_paths(struct pf_survey_paths *paths, const struct pf_joined_list *list, struct pf_err *err)
{
	paths->paths = calloc(list->n, sizeof(*paths->paths));
	for (unsigned i = 0; paths->paths && i < list->n; i++) {
		if (list->entries[i].why)
			return pf_err_set(err, -EBADMSG, "%s", list->entries[i].why);
		paths->paths[paths->n++] = list->entries[i].path;
		list->entries[i].path = NULL;
	}
	return paths->paths ? 0 : pf_err_set(err, -ENOMEM, "no memory");
}

int pf_survey_expand(struct pf_survey_paths *paths, const char *path, struct pf_err *err)
{
	struct pf_joined_list list = { 0 };
	*paths = (struct pf_survey_paths){ 0 };
	int rc = pf_joined_list_of(&list, path, err);
	if (rc == 0)
		rc = take_paths(paths, &list, err);
	pf_joined_done(&list);
	return rc;
}

void pf_survey_paths_done(struct pf_survey_paths *paths)
{
	for (unsigned i = 0; i < paths->n; i++)
		free(paths->paths[i]);
	free(paths->paths);
	*paths = (struct pf_survey_paths){ 0 };
}
