/* import/lines.c - kinds of getProc and getExec. Where a kind depends on a filter of collectl's that is not set, all lines pass. */
#include "import/lines.h"

#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "import/key.h"

/* How a record looks. */
enum form { FORM_TAG, FORM_GLUED, FORM_BARE, FORM_NUMBERED, FORM_TCP, FORM_ARGS };

/**
 * struct rule - one kind of getProc.
 * @keep: a line must begin with one of these, NULL: any; @drop: and with none of these, unless with @drop_not
 * @before: a line that begins so ends it; @after: as @before, but the line itself is kept
 * @blank_ends: an empty line ends it
 * @quiet: no message when the file is not there
 */
struct rule {
	int kind;
	enum form form;
	const char *const *keep;
	const char *const *drop;
	const char *drop_not;
	const char *before;
	const char *after;
	bool blank_ends;
	bool quiet;
};

#define WORDS(...) ((const char *const[]){ __VA_ARGS__, NULL })

static const struct rule rules[] = {
	{ .kind = 0, .form = FORM_TAG },
	{ .kind = 1, .form = FORM_TAG, .keep = WORDS("read", "write") },
	{ .kind = 2, .form = FORM_NUMBERED, .blank_ends = true },
	{ .kind = 3, .form = FORM_TAG, .keep = WORDS("mds_") },
	{ .kind = 4, .form = FORM_TAG, .keep = WORDS("\n") }, /* no line begins so: nothing is kept */
	{ .kind = 5, .form = FORM_BARE, .drop = WORDS("nr", "numa"), .drop_not = "nr_sh", .before = "pgre" },
	{ .kind = 7, .form = FORM_TAG },
	{ .kind = 8, .form = FORM_GLUED, .quiet = true },
	{ .kind = 9, .form = FORM_TAG },
	{ .kind = 11,
	  .form = FORM_TAG,
	  .keep = WORDS("dirty", "read_", "write_", "open", "close", "seek", "fsync", "getattr", "setattr") },
	{ .kind = 12, .form = FORM_TAG, .keep = WORDS("read_bytes", "write_bytes"), .after = "write_bytes" },
	{ .kind = 13, .form = FORM_TAG, .keep = WORDS("Tgid", "Uid", "Vm", "vol", "nonv"), .quiet = true },
	{ .kind = 14, .form = FORM_TAG },
	{ .kind = 16, .form = FORM_ARGS, .quiet = true },
	{ .kind = 17, .form = FORM_TAG, .quiet = true },
	{ .kind = 20, .form = FORM_TCP, .keep = WORDS("I", "T") },
	{ .kind = 21, .form = FORM_TCP, .keep = WORDS("Icmp:", "Ip", "T", "Udp:") },
	{ .kind = 99, .form = FORM_TAG },
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

bool pf_exec_known(int kind)
{
	return kind >= 0 && kind <= 5;
}

static bool starts_with_any(struct pf_view line, const char *const *words)
{
	for (unsigned i = 0; words[i]; i++) {
		if (pf_view_starts(line, words[i]))
			return true;
	}
	return false;
}

static bool is_kept(const struct rule *rule, struct pf_view line)
{
	if (rule->keep && !starts_with_any(line, rule->keep))
		return false;
	return !rule->drop || !starts_with_any(line, rule->drop) ||
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
		   const struct pf_key *last, const struct pf_lines_to *to)
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
		    (rule->before && pf_view_starts(line, rule->before)))
			break;
		if (!is_kept(rule, line))
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

void pf_lines_exec(int kind, struct pf_view text, struct pf_view tag, const struct pf_lines_to *to)
{
	struct pf_buf colon = { 0 };
	struct pf_buf own = { 0 };
	struct pf_view line;
	pf_buf_view(&colon, tag);
	pf_buf_char(&colon, ':');

	if (kind == 0 || kind == 3) {
		while (!colon.failed && pf_view_line(&text, &line) == 0)
			to->line(to->arg, pf_buf_text(&colon), line);
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
