/* engine/play_letters.c - which subsystems of a recording are shown: those that were asked for, as far as they were recorded. */
#include "engine/play_letters.h"

#include <string.h>

#include "base/notice.h"
#include "engine/analyses.h"
#include "engine/files.h"
#include "engine/plan.h"
#include "groups/list.h"
#include "sinks/sink.h"
#include "sources/list.h"

bool pf_play_same_day(const struct pf_play_file *a, const struct pf_play_file *b)
{
	return a->set > 0 && a->set == b->set && strncmp(a->path, b->path, a->set) == 0;
}

void pf_play_recorded(const struct pf_plan *plan, const struct pf_play_files *files, const struct pf_play_file *f,
		      bool both, char ret_letters[PF_LETTERS_MAX])
{
	size_t n = 0;
	ret_letters[0] = '\0';
	for (unsigned i = 0; i < files->n; i++) {
		const struct pf_play_file *other = &files->files[i];
		if (other != f && (!pf_play_same_day(f, other) || (!both && f->second != other->second)))
			continue;
		for (const char *p = other->header.subsys; *p != '\0' && n + 1 < PF_LETTERS_MAX; p++) {
			if (!strchr(ret_letters, *p) && pf_letters_have(*p) &&
			    (pf_letters_known(*p) || !plan->req->as_peer)) {
				ret_letters[n++] = *p;
				ret_letters[n] = '\0';
			}
		}
	}
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Is one of @letters recorded, be it as summary or detail? */
static bool any_recorded(const char *letters, const char *recorded)
{
	for (const char *p = letters; *p != '\0'; p++) {
		for (const char *r = recorded; *r != '\0'; r++) {
			if (lower(*p) == lower(*r))
				return true;
		}
	}
	return false;
}

/* Letters of the groups that an archive has metrics of; it is opened for that and closed again. Return: false, untouched, if it cannot be
 * opened, which is told when it is opened in earnest, or does not tell. */
static bool described_letters(const struct pf_plan *plan, const struct pf_play_file *f,
			      char ret_letters[PF_LETTERS_MAX])
{
	struct pf_catalog *catalog = pf_catalog_new();
	const struct pf_source_spec spec = {
		.path = f->path, .more = (const char *const *)f->more, .host = plan->req->host, .root_fd = -1
	};
	struct pf_source *source;
	bool told = false;
	if (catalog && pf_source_open(&source, &spec, catalog, NULL) == 0) {
		const char *letters = source->kind->info(source)->letters;
		size_t n = 0;
		for (; letters && *letters != '\0' && n + 1 < PF_LETTERS_MAX; letters++) {
			if (pf_letters_have(*letters))
				ret_letters[n++] = *letters;
		}
		told = source->kind->info(source)->letters != NULL;
		if (told)
			ret_letters[n] = '\0';
		(void)source->kind->close(source);
	}
	(void)pf_catalog_free(catalog);
	return told;
}

bool pf_play_everything(const struct pf_plan *plan, const struct pf_play_file *f)
{
	return !f->known && !plan->letters_given && !plan->drop_all && plan->doc.format != PF_FORMAT_TEXT;
}

/* Of --tworaw: the letters that the file has data of. */
static void keep_part(bool second, char letters[PF_LETTERS_MAX])
{
	size_t n = 0;
	for (const char *p = letters; *p != '\0'; p++) {
		if ((strchr("yYZ", *p) != NULL) == second)
			letters[n++] = *p;
	}
	letters[n] = '\0';
}

/* Is the other part of a recording of --tworaw played, too? */
static bool has_companion(const struct pf_play_files *files, const struct pf_play_file *f)
{
	for (unsigned i = 0; i < files->n; i++) {
		const struct pf_play_file *other = &files->files[i];
		if (other->second != f->second && pf_play_same_day(other, f))
			return true;
	}
	return false;
}

static void drop_slabs(char letters[PF_LETTERS_MAX])
{
	size_t n = 0;
	for (const char *p = letters; *p != '\0'; p++) {
		if (*p != 'y' && *p != 'Y')
			letters[n++] = *p;
	}
	letters[n] = '\0';
}

/* Of a raw file: what its part of the recording cannot have. collectl takes out no more than that and slabs; all else is zeros there. */
static void drop_other_part(const struct pf_plan *plan, const struct pf_play_files *files, const struct pf_play_file *f,
			    const char *recorded, char letters[PF_LETTERS_MAX])
{
	bool peer = plan->req->as_peer;
	if (strchr(f->header.flags, '2') && (f->second || !peer || has_companion(files, f)))
		keep_part(f->second, letters);
	if (peer && !f->second && !strpbrk(recorded, "yY"))
		drop_slabs(letters);
}

/* --cost, of what tells its cost. */
static void choose_cost(const struct pf_plan *plan, const struct pf_play_file *f, char letters[PF_LETTERS_MAX])
{
	char described[PF_LETTERS_MAX] = "";
	if (!f->known)
		(void)described_letters(plan, f, described); /* it is opened in earnest later */
	pf_plan_cost_letters(plan, f->known ? f->header.subsys : described, letters);
}

/* Does a recording with @recorded have what @letter shows, be it as summary or detail? The own cost is told in another way. */
static bool is_recorded(const struct pf_group *group, const char *recorded)
{
	return strpbrk(group->letters, recorded) || strchr(group->letters, 'o');
}

static const struct pf_group *group_of(char letter)
{
	for (unsigned i = 0; pf_groups[i]; i++) {
		if (strchr(pf_groups[i]->letters, letter))
			return pf_groups[i];
	}
	return NULL;
}

/* Take out what was not recorded, which else would look as if it had been measured as nothing. Return: was there any? */
static bool drop_unrecorded(const struct pf_plan *plan, const struct pf_play_file *f, const char *recorded,
			    char letters[PF_LETTERS_MAX])
{
	size_t n = 0;
	for (const char *p = letters; *p != '\0'; p++) {
		const struct pf_group *group = group_of(*p);
		if (!group || is_recorded(group, recorded))
			letters[n++] = *p;
		else
			pf_notice(plan->notice, PF_WARNING, "%s: it has no %s (-s %c), only -s %s", f->path,
				  group->name, *p, recorded);
	}
	bool dropped = letters[n] != '\0';
	letters[n] = '\0';
	return dropped;
}

bool pf_play_letters(const struct pf_plan *plan, const struct pf_play_files *files, const struct pf_play_file *f,
		     const struct pf_import *modules, char ret_letters[PF_LETTERS_MAX], bool *ret_verbose)
{
	char recorded[PF_LETTERS_MAX] = "cdnm";
	bool told = f->known;
	if (f->known)
		pf_play_recorded(plan, files, f, false, recorded);
	else
		told = described_letters(plan, f, recorded);
	pf_letters_final(plan, recorded, ret_letters);
	if (f->known)
		pf_letters_interconnect(f->header.subsys, ret_letters);
	pf_analyses_letters(plan, recorded, ret_letters);
	bool dropped =
		told && recorded[0] != '\0' && !plan->req->as_peer && drop_unrecorded(plan, f, recorded, ret_letters);
	if (plan->req->cost || plan->req->cost_warn)
		choose_cost(plan, f, ret_letters);
	/* What is left out below still decides which view it is. */
	*ret_verbose = f->known && !plan->req->top && pf_plan_sink(plan, ret_letters, modules) == &pf_sink_verbose;
	if (f->known)
		drop_other_part(plan, files, f, recorded, ret_letters);
	char wanted[PF_LETTERS_MAX];
	pf_letters_unplotted(plan, ret_letters, wanted);
	if (f->known && plan->letters_given && !any_recorded(wanted, f->header.subsys))
		return modules != NULL;
	if (ret_letters[0] == '\0' && !dropped && !modules && !f->known && !pf_play_everything(plan, f))
		pf_notice(plan->notice, PF_WARNING,
			  "%s: none of its metrics has a view here; --oformat json shows them", f->path);
	return ret_letters[0] != '\0' || modules || pf_play_everything(plan, f);
}

bool pf_play_leaves_out(const struct pf_plan *plan, const struct pf_play_files *files, const struct pf_play_file *f,
			const struct pf_play_file *before)
{
	char recorded[PF_LETTERS_MAX], letters[PF_LETTERS_MAX];
	if (!plan->req->as_peer || !plan->req->plot || plan->req->filename || !f->known || !pf_play_same_day(before, f))
		return false;
	pf_play_recorded(plan, files, f, true, recorded);
	pf_letters_final(plan, recorded, letters);
	return strpbrk(letters, "BCDEFJMNTXYZ") != NULL;
}
