/* import/lines.c - kinds of getProc and getExec. Those that stand for files of the recorder's own keep the lines that it keeps. */
#include "import/lines.h"

#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "groups/list.h"
#include "import/key.h"

/* How a record looks. */
enum form { FORM_TAG, FORM_GLUED, FORM_BARE, FORM_NUMBERED, FORM_TCP, FORM_ARGS };

/* What a line begins with. @variants: it counts only where one of these is chosen, 0: always; of ends: where none of these is. */
struct word {
	const char *text;
	uint64_t variants;
};

/**
 * struct rule - one kind of getProc.
 * @keep: a line must begin with one of these, NULL: any; @drop: and with none of these, unless with @drop_not
 * @group: its first row says which lines are kept; @listed: none by the name collectl, where no slabs were chosen
 * @before: a line that begins so ends it; @after: so, too, but the line itself is kept
 * @blank_ends: an empty line ends it
 * @quiet: no message when the file is not there; @second: records are of the second interval
 */
struct rule {
	int kind;
	enum form form;
	const struct word *keep;
	const struct word *drop;
	const char *drop_not;
	const struct pf_group *group;
	bool listed;
	const struct word *before;
	const char *after;
	bool blank_ends;
	bool quiet;
	bool second;
};

#define WORDS(...) ((const struct word[]){ __VA_ARGS__, { NULL, 0 } })

static const struct rule rules[] = {
	{ .kind = 0, .form = FORM_TAG },
	{ .kind = 1, .form = FORM_TAG, .keep = WORDS({ "read", 0 }, { "write", 0 }) },
	{ .kind = 2, .form = FORM_NUMBERED, .blank_ends = true },
	{ .kind = 3, .form = FORM_TAG, .keep = WORDS({ "mds_", 0 }) },
	{ .kind = 4, .form = FORM_TAG, .keep = WORDS({ "\n", 0 }) }, /* no line begins so: nothing is kept */
	{ .kind = 5,
	  .form = FORM_BARE,
	  .drop = WORDS({ "nr", 0 }, { "numa", 0 }),
	  .drop_not = "nr_sh",
	  .before = WORDS({ "pgre", PF_WITH_PAGES | PF_WITH_SCAN }, { "pgst", PF_WITH_SCAN }, { "pginode", 0 }) },
	{ .kind = 7, .form = FORM_TAG, .group = &pf_group_network },
	{ .kind = 8, .form = FORM_GLUED, .quiet = true },
	{ .kind = 9, .form = FORM_TAG, .group = &pf_group_disk },
	{ .kind = 11,
	  .form = FORM_TAG,
	  .keep = WORDS({ "dirty", 0 }, { "read_", 0 }, { "write_", 0 }, { "open", 0 }, { "close", 0 }, { "seek", 0 },
			{ "fsync", 0 }, { "getattr", 0 }, { "setattr", 0 }) },
	{ .kind = 12,
	  .form = FORM_TAG,
	  .keep = WORDS({ "read_bytes", 0 }, { "write_bytes", 0 }),
	  .after = "write_bytes" },
	{ .kind = 13,
	  .form = FORM_TAG,
	  .keep = WORDS({ "Tgid", 0 }, { "Uid", 0 }, { "Vm", 0 }, { "vol", 0 }, { "nonv", 0 }),
	  .quiet = true,
	  .second = true },
	{ .kind = 14, .form = FORM_TAG, .group = &pf_group_slab, .listed = true },
	{ .kind = 16, .form = FORM_ARGS, .quiet = true, .second = true },
	{ .kind = 17, .form = FORM_TAG, .quiet = true, .second = true },
	{ .kind = 20, .form = FORM_TCP, .keep = WORDS({ "I", PF_TCP_IPEXT }, { "T", PF_TCP_TCPEXT }) },
	{ .kind = 21,
	  .form = FORM_TCP,
	  .keep = WORDS({ "Icmp:", PF_TCP_ICMP }, { "Ip", PF_TCP_IP }, { "T", PF_TCP_TCP }, { "Udp:", PF_TCP_UDP }) },
	{ .kind = 99, .form = FORM_TAG, .second = true },
};

static const struct rule *rule_of(int kind)
{
	for (unsigned i = 0; i < PF_N(rules); i++) {
		if (rules[i].kind == kind)
			return &rules[i];
	}
	return NULL;
}

bool pf_lines_known(int kind)
{
	return rule_of(kind) != NULL;
}

bool pf_lines_quiet(int kind)
{
	const struct rule *rule = rule_of(kind);
	return rule && rule->quiet;
}

bool pf_lines_second(int kind)
{
	const struct rule *rule = rule_of(kind);
	return rule && rule->second;
}

bool pf_exec_known(int kind)
{
	return kind >= 0 && kind <= 5;
}

/* @chosen: words of chosen variants count, else those of variants that are not. */
static bool starts_with_any(struct pf_view line, const struct word *words, uint64_t variants, bool chosen)
{
	for (unsigned i = 0; words[i].text; i++) {
		bool counts = words[i].variants == 0 || ((words[i].variants & variants) != 0) == chosen;
		if (counts && pf_view_starts(line, words[i].text))
			return true;
	}
	return false;
}

static bool is_kept(const struct rule *rule, struct pf_view line, const struct pf_line_filter *filter)
{
	if (rule->listed && filter->peer && !filter->slabs)
		return false;
	if (rule->group)
		return rule->group->rows[0].keep(&line, filter);
	if (rule->keep && !starts_with_any(line, rule->keep, filter->variants, true))
		return false;
	return !rule->drop || !starts_with_any(line, rule->drop, filter->variants, true) ||
	       (rule->drop_not && pf_view_starts(line, rule->drop_not));
}

/* @own is for the forms that are composed. */
static void emit(const struct rule *rule, struct pf_view tag, struct pf_view line, unsigned number, struct pf_buf *own,
		 const struct pf_lines_to *to)
{
	struct pf_view none = { "", 0 };
	pf_buf_clear(own);
	switch (rule->form) {
	case FORM_TAG:
		to->line(to->arg, tag, line);
		return;
	case FORM_BARE:
		to->line(to->arg, none, line);
		return;
	case FORM_GLUED:
		pf_buf_view(own, tag);
		pf_buf_view(own, line);
		break;
	case FORM_TCP:
		pf_buf_str(own, "tcp-");
		pf_buf_view(own, line);
		break;
	case FORM_NUMBERED:
		pf_buf_view(own, tag);
		pf_buf_char(own, ':');
		pf_buf_u64(own, number);
		pf_buf_char(own, ' ');
		pf_buf_view(own, line);
		break;
	case FORM_ARGS:
		pf_buf_view(own, line);
		for (size_t i = 0; !own->failed && i < own->n; i++) {
			if (own->p[i] == '\0')
				own->p[i] = ' ';
		}
		to->line(to->arg, tag, pf_buf_text(own));
		return;
	}
	if (!own->failed)
		to->line(to->arg, none, pf_buf_text(own));
}

void pf_lines_proc(int kind, struct pf_view text, struct pf_view tag, unsigned skip, unsigned max,
		   const struct pf_key *last, const struct pf_line_filter *filter, const struct pf_lines_to *to)
{
	const struct rule *rule = rule_of(kind);
	if (!rule)
		return;
	struct pf_buf own = { 0 };
	struct pf_view line;
	unsigned number = 0;

	for (unsigned i = 0; i < skip; i++) {
		if (pf_view_line(&text, &line) < 0)
			break;
	}
	for (unsigned i = 0; (max == 0 || i < max) && pf_view_line(&text, &line) == 0; i++) {
		if (last && pf_key_matches(last, line))
			break;
		if ((rule->blank_ends && pf_view_trim(line).n == 0) ||
		    (rule->before && starts_with_any(line, rule->before, filter->variants, false)))
			break;
		if (!is_kept(rule, line, filter))
			continue;
		emit(rule, tag, line, number++, &own, to);
		if (rule->form == FORM_ARGS || (rule->after && pf_view_starts(line, rule->after)))
			break;
	}
	pf_buf_done(&own);
}

/* The digits that end a line ("PortXmitData:....123") or, with @first, the first ones in it. */
static struct pf_view number_in(struct pf_view line, bool first)
{
	struct pf_view found = { line.p, 0 };
	line = pf_view_trim(line);
	if (first) {
		while (line.n > 0 && (line.p[0] < '0' || line.p[0] > '9')) {
			line.p++;
			line.n--;
		}
		found.p = line.p;
		while (found.n < line.n && line.p[found.n] >= '0' && line.p[found.n] <= '9')
			found.n++;
		return found;
	}
	while (found.n < line.n && line.p[line.n - found.n - 1] >= '0' && line.p[line.n - found.n - 1] <= '9')
		found.n++;
	found.p = line.p + line.n - found.n;
	return found;
}

/* perfquery (1), Voltaire (2) and OPA (5) counters in one line. */
static void condense(int kind, struct pf_view text, struct pf_buf *out)
{
	struct pf_view line;
	bool first_word = true;
	while (pf_view_line(&text, &line) == 0) {
		if (line.n == 0 || line.p[0] == '#' || memmem(line.p, line.n, "ibwarn", 6))
			continue;
		/* perfquery 1.5.0 and later tell CounterSelect2 in line 13. */
		if (kind == 1 && pf_view_starts(line, "CounterSelect2"))
			continue;
		struct pf_view number = number_in(line, kind == 5);
		if (number.n == 0)
			continue;
		if (!first_word)
			pf_buf_char(out, ' ');
		pf_buf_view(out, number);
		first_word = false;
	}
}

void pf_lines_exec(int kind, struct pf_view text, struct pf_view tag, const struct pf_line_filter *filter,
		   const struct pf_lines_to *to)
{
	const struct pf_row *sensors = &pf_group_environment.rows[0];
	struct pf_buf colon = { 0 };
	struct pf_buf own = { 0 };
	struct pf_view line;
	pf_buf_view(&colon, tag);
	pf_buf_char(&colon, ':');

	if (kind == 0 || kind == 3) {
		while (!colon.failed && pf_view_line(&text, &line) == 0) {
			if (kind == 0 || sensors->keep(&line, filter))
				to->line(to->arg, pf_buf_text(&colon), line);
		}
	} else if (kind == 4) {
		uint64_t n = 0;
		while (pf_view_line(&text, &line) == 0)
			n++;
		pf_buf_u64(&own, n);
	} else if (pf_exec_known(kind)) {
		if (kind != 5)
			pf_buf_str(&own, "port 0 ");
		condense(kind, text, &own);
	}
	if (own.n > 0 && !own.failed && !colon.failed)
		to->line(to->arg, pf_buf_text(&colon), pf_buf_text(&own));
	pf_buf_done(&own);
	pf_buf_done(&colon);
}
