/* formats/feed/valueline.h - one value per line, as any program can print it: "NAME VALUE", or one JSON object with "name" and "value", and
 * "instance", "type" (counter or gauge), "units", "help" where wanted. Text in, value out. Source: RFC 8259 for the JSON. */
#ifndef PF_FORMATS_FEED_VALUELINE_H
#define PF_FORMATS_FEED_VALUELINE_H

#include <stdbool.h>

#include "base/view.h"

enum { PF_VALUELINE_MAX = 8192 };

/* @room: for texts without their escapes; the views point into it or into the line. @why: set when a line is refused. */
struct pf_valueline {
	struct pf_view name;
	struct pf_view instance;
	struct pf_view units;
	struct pf_view help;
	bool counter;
	double value;
	const char *why;
	char room[PF_VALUELINE_MAX];
};

/**
 * pf_valueline_parse() - Return: 1 a value, 0 nothing (an empty line, a comment that begins with #), -EINVAL with @v->why.
 *
 * A value of JSON may also be true, false (1, 0) or null (NaN). Unknown members are skipped if they are no arrays or objects.
 */
int pf_valueline_parse(struct pf_view line, struct pf_valueline *v);

#endif
