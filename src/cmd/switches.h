/* cmd/switches.h - a parser of command lines that is driven by a table: bundles of short switches, long ones and their abbreviations. */
#ifndef PF_CMD_SWITCHES_H
#define PF_CMD_SWITCHES_H

#include <stdbool.h>
#include <stddef.h>

struct pf_err;

enum pf_switch_kind {
	PF_SWITCH_FLAG,	  /* bool; "--noNAME" and "--no-NAME" set it back */
	PF_SWITCH_TEXT,	  /* const char * */
	PF_SWITCH_NUMBER, /* int64_t, decimal */
};

/**
 * struct pf_switch - one switch.
 * @names: all names, separated by '|'; those of one letter are bundled: "count|c"
 * @offset: member of the target structure; @offset_given: a bool there that tells that the switch was used, or 0
 * @later: the switch is known but cannot be had: using it is refused
 * @exact: of ours, not of the peer: never found by an abbreviation
 */
struct pf_switch {
	const char *names;
	enum pf_switch_kind kind;
	size_t offset;
	size_t offset_given;
	bool later;
	bool exact;
};

/**
 * pf_switches_parse() - take all switches out of @argv; @argv[0] is skipped.
 * @table: ends with names NULL
 * @into: the structure that offsets count from
 * @peer: say errors in the words of the peer's parser
 * @ret_operands: room for @argc + 1 pointers; the words that are no switches, NULL-terminated
 *
 * Return: 0; -EINVAL with the sentence of the peer's parser; -ENOTSUP for switches that cannot be had.
 */
int pf_switches_parse(int argc, char **argv, const struct pf_switch *table, bool peer, void *into,
		      const char **ret_operands, struct pf_err *err);

/* pf_switches_mistyped() - does a word look like a long switch with one dash only ("-all")? -EINVAL says so. */
int pf_switches_mistyped(int argc, char **argv, struct pf_err *err);

#endif
