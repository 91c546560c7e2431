/* sinks/script.h - what an exporter in Perl finds in the variables of package main. Names and meanings are those of collectl 4.3.1, as far
 * as the exporters that come with it, and those written after their pattern, read them. */
#ifndef PF_SINKS_SCRIPT_H
#define PF_SINKS_SCRIPT_H

#include "model/layout.h"

/* What a variable holds. PF_SCRIPT_DIFFERENCE: of the interval, which programs divide by $intSecs themselves. PF_SCRIPT_ALL: a level of all
 * CPUs, which is the element behind that of the last one. PF_SCRIPT_FIELD: a level, field of the hash in the instance's element. */
enum pf_script_kind { PF_SCRIPT_LEVEL, PF_SCRIPT_DIFFERENCE, PF_SCRIPT_ALL, PF_SCRIPT_FIELD };

/**
 * struct pf_script_name - where the value of one variable comes from.
 * @letter: subsystem: of a lower case one the variable is a scalar, of an upper case one an array by instance
 * @view, @column: the layout and the name in it, without the instance
 */
struct pf_script_name {
	char letter;
	enum pf_view_kind view;
	const char *column;
	const char *variable;
	enum pf_script_kind kind;
	const char *field;
};

/**
 * struct pf_script_list - what is told of the instances of a subsystem.
 * @names, @seen: arrays of their names; the second has only those of this interval
 * @count: scalar, their number; @by_id: elements are numbered as the instances are, else in the order of rows. Each may be NULL or false.
 */
struct pf_script_list {
	char letter;
	const char *names;
	const char *seen;
	const char *count;
	bool by_id;
};

/* pf_script_flag_names: scalar that is 1 if the column is there. Each table ends with a row of zeros. */
extern const struct pf_script_name pf_script_names[];
extern const struct pf_script_list pf_script_lists[];
extern const struct pf_script_name pf_script_flags[];

#endif
