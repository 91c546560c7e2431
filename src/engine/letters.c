/* engine/letters.c - the letters of -s: which subsystems are meant. */
#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "engine/plan.h"
#include "groups/list.h"

/* Letters of collectl 4.3.1; l and L were taken out of it long ago. */
static const char known[] = "bcdfijmnstxyBCDEFJMNTXYZ";

/* Ours alone; by the name collectl there are no such letters. */
static const char own[] = "gGhHpqQoO";

bool pf_letters_known(char letter)
{
	return letter != '\0' && strchr(known, letter) != NULL;
}

bool pf_letters_have(char letter)
{
	for (unsigned g = 0; letter != '\0' && pf_groups[g]; g++) {
		if (strchr(pf_groups[g]->letters, letter))
			return true;
	}
	return false;
}

static void add_letter(char *set, char letter)
{
	size_t n = strlen(set);
	if (n + 1 < PF_LETTERS_MAX && !strchr(set, letter)) {
		set[n] = letter;
		set[n + 1] = '\0';
	}
}

static void drop_letter(char *set, char letter)
{
	char *at = strchr(set, letter);
	if (at)
		memmove(at, at + 1, strlen(at));
}

/* @whole: what is told to be wrong where collectl's words are wanted, NULL for the letter alone */
static int check_known(char letter, const char *whole, struct pf_err *err)
{
	if (pf_letters_known(letter) || (!whole && strchr(own, letter)))
		return 0;
	if (whole)
		return pf_err_set(err, -EINVAL, "invalid subsystem '%s'", whole);
	return pf_err_set(err, -EINVAL, "no subsystem has the letter '%c'; --showsubsys lists them", letter);
}

static int check_letter(char letter, const char *whole, struct pf_err *err)
{
	int rc = check_known(letter, whole, err);
	if (rc < 0)
		return rc;
	if (!pf_letters_have(letter))
		return pf_err_set(err, -ENOTSUP, "subsystem '%c' is not available in this version", letter);
	return 0;
}

/* "+YZ-n": each sign holds for the letters behind it. */
static int parse_changes(struct pf_plan *plan, const char *text, struct pf_err *err)
{
	const char *whole = plan->req->as_peer ? text : NULL;
	char sign = '+';
	for (const char *p = text; *p != '\0'; p++) {
		if (*p == '+' || *p == '-') {
			sign = *p;
			continue;
		}
		if (sign == '+') {
			int rc = check_letter(*p, whole, err);
			if (rc < 0)
				return rc;
			add_letter(plan->add, *p);
			drop_letter(plan->drop, *p);
		} else {
			int rc = check_known(*p, whole, err);
			if (rc < 0)
				return rc;
			add_letter(plan->drop, *p);
			drop_letter(plan->add, *p);
		}
	}
	return 0;
}

int pf_letters_parse(struct pf_plan *plan, const char *text, struct pf_err *err)
{
	if (strcmp(text, "-all") == 0) {
		if (!plan->req->playback && !plan->req->files)
			return pf_err_set(err, -EINVAL, "-s-all only allowed with -p");
		plan->drop_all = true;
		return 0;
	}
	if (text[0] == '+' || text[0] == '-')
		return parse_changes(plan, text, err);
	for (const char *p = text; *p != '\0'; p++) {
		if (*p == '+' || *p == '-')
			return pf_err_set(err, -EINVAL, "+/- must start -s arguments if used");
		int rc = check_letter(*p, plan->req->as_peer ? text : NULL, err);
		if (rc < 0)
			return rc;
		add_letter(plan->letters, *p);
	}
	plan->letters_given = true;
	return 0;
}

void pf_letters_top(struct pf_plan *plan, bool alone)
{
	char letter = pf_plan_top_letter(plan->req);
	if (letter == '\0')
		return;
	plan->letters_given |= alone;
	add_letter(plan->letters_given ? plan->letters : plan->add, letter);
}

void pf_letters_final(const struct pf_plan *plan, const char *base, char ret_letters[PF_LETTERS_MAX])
{
	ret_letters[0] = '\0';
	if (plan->drop_all)
		return;
	for (const char *p = plan->letters_given ? plan->letters : base; *p != '\0'; p++)
		add_letter(ret_letters, *p);
	for (const char *p = plan->add; *p != '\0'; p++)
		add_letter(ret_letters, *p);
	for (const char *p = plan->drop; *p != '\0'; p++)
		drop_letter(ret_letters, *p);
	/* Interrupts have no plot of their own: they stand with the CPUs, where these are not summed up. */
	if (plan->req->plot && strpbrk(ret_letters, "jJ") && !strpbrk(ret_letters, "cC"))
		add_letter(ret_letters, 'C');
}

void pf_letters_unplotted(const struct pf_plan *plan, const char *letters, char ret_letters[PF_LETTERS_MAX])
{
	bool asked = strchr(plan->letters, 'C') || strchr(plan->add, 'C');
	ret_letters[0] = '\0';
	for (const char *p = letters; *p != '\0'; p++)
		add_letter(ret_letters, *p);
	if (plan->req->plot && !asked && strpbrk(letters, "jJ"))
		drop_letter(ret_letters, 'C');
}

void pf_letters_interconnect(const char *recorded, char letters[PF_LETTERS_MAX])
{
	if (strpbrk(recorded, "xX"))
		return;
	drop_letter(letters, 'x');
	drop_letter(letters, 'X');
}
