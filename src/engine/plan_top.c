/* engine/plan_top.c - --top: which rows come first, and how many of them. Texts: collectl 4.3.1. */
#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/view.h"
#include "engine/plan.h"
#include "groups/list.h"

enum { MOST_ROWS = 100000, PLAYBACK_ROWS = 10, PLAYBACK_REPEAT = 20, LIVE_REPEAT = 5 };

static int refuse(struct pf_err *err, const char *text)
{
	return pf_err_set(err, -EINVAL, "%s", text);
}

/* The part of "TYPE,NUM,v" before the next comma; moves @rest behind it. */
static struct pf_view part_of(struct pf_view *rest)
{
	const char *comma = rest->n ? memchr(rest->p, ',', rest->n) : NULL;
	struct pf_view part = { rest->p, comma ? (size_t)(comma - rest->p) : rest->n };
	*rest = comma ? (struct pf_view){ comma + 1, rest->n - part.n - 1 } : (struct pf_view){ "", 0 };
	return part;
}

/* Lists are of details, whose letters are capitals. */
static char detail_letter(const struct pf_group *group)
{
	return group->letters[strlen(group->letters) - 1];
}

static int find_key(struct pf_plan *plan, struct pf_view type)
{
	for (unsigned g = 0; pf_groups[g]; g++) {
		const struct pf_group *group = pf_groups[g];
		for (unsigned i = 0; i < group->n_sort_keys; i++) {
			const struct pf_sort_key *key = &group->sort_keys[i];
			uint64_t when = key->column.when;
			uint64_t unless = key->column.unless;
			if (!pf_view_is(type, key->name) || (plan->view.variants & when) != when ||
			    (plan->view.variants & unless) != 0)
				continue;
			plan->view.top_key = key;
			plan->view.top_letter = detail_letter(group);
			return 0;
		}
	}
	return -EINVAL;
}

static int choose_rows(struct pf_plan *plan, struct pf_view text, bool playback, struct pf_err *err)
{
	int64_t rows = -1;
	if (text.n > 0 && (pf_view_i64(text, &rows) < 0 || rows == 0 || rows < -1 || rows > MOST_ROWS))
		return refuse(err, "not enough lines in window for display");
	if (rows > 0)
		plan->view.top_rows = (unsigned)rows;
	else
		plan->view.top_rows = playback ? PLAYBACK_ROWS : 0;
	return 0;
}

static int check_conflicts(const struct pf_plan *plan, struct pf_view mode, struct pf_err *err)
{
	const struct pf_request *req = plan->req;
	bool processes = plan->view.top_letter == 'Z';
	if (req->filename)
		return refuse(err, "you cannot specify -f with --top");
	if (mode.n > 0 && !pf_view_is(mode, "v"))
		return refuse(err, "only valid value for 3rd --top parameter is 'v'");
	if (mode.n > 0 && req->subsys && !req->playback && !req->files)
		return refuse(err, "cannot specify vertical --top output and -s");
	if (req->subsys && strchr(req->subsys, processes ? 'Y' : 'Z'))
		return refuse(err, "you cannot select process and slab subsystems in --top mode");
	if (req->slab_options)
		return refuse(err, "you cannot mix --slabopts with --top");
	if (req->import && !req->subsys && req->as_peer)
		return refuse(err, "interval2 only applies to -s y,Y or Z");
	return 0;
}

int pf_plan_top(struct pf_plan *plan, bool playback, struct pf_err *err)
{
	const char *text = plan->req->top;
	bool hides = plan->req->proc_options && strchr(plan->req->proc_options, 'z');
	if (!text && hides)
		return refuse(err, "--procopts z can only be used with --top");
	if (!text)
		return 0;
	struct pf_view rest = pf_view_of(text);
	struct pf_view type = part_of(&rest);
	struct pf_view rows = part_of(&rest);
	struct pf_view mode = part_of(&rest);
	if (type.n == 0)
		type = pf_view_of("time");
	if (find_key(plan, type) < 0)
		return refuse(err, "invalid --top type.  see --showtopopts for list");
	int rc = check_conflicts(plan, mode, err);
	if (rc == 0)
		rc = choose_rows(plan, rows, playback, err);
	bool controls = plan->req->as_peer || (plan->req->to_terminal && !plan->req->output);
	plan->view.top_scrolls = !playback && (mode.n > 0 || !controls);
	if (plan->view.top_scrolls && plan->view.top_rows == 0)
		plan->view.top_rows = PLAYBACK_ROWS;
	plan->view.top_hides_zeros = hides;
	plan->view.variants |= PF_FOR_TOP | plan->view.top_key->shows;
	if (!plan->req->has_header_repeat && !plan->req->plot)
		plan->view.header_repeat = playback ? PLAYBACK_REPEAT : LIVE_REPEAT;
	return rc;
}

char pf_plan_top_letter(const struct pf_request *req)
{
	struct pf_plan scratch = { .req = req };
	struct pf_view rest = pf_view_of(req->top ? req->top : "");
	struct pf_view type = part_of(&rest);
	if (!req->top)
		return '\0';
	return find_key(&scratch, type.n ? type : pf_view_of("time")) == 0 ? scratch.view.top_letter : '\0';
}
