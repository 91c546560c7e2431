/* model/finding.c - findings on their way to whoever wants to know. */
#include "model/finding.h"

#include <stdarg.h>
#include <stddef.h>

#include "base/sentence.h"

enum { TEXT = 512 };

void pf_finding_tell(const struct pf_findings *to, struct pf_finding f, const char *fmt, ...)
{
	char text[TEXT];
	va_list ap;
	va_start(ap, fmt);
	pf_sentence(text, sizeof(text), NULL, fmt, ap);
	va_end(ap);
	f.text = text;
	to->tell(to->arg, &f);
}

void pf_finding_kept(const struct pf_findings *to, const char *file, const char *kept)
{
	struct pf_finding f = { .grade = PF_GRADE_NOTE,
				.rule = "kept",
				.file = file,
				.record = PF_FINDING_NOWHERE,
				.byte = PF_FINDING_NOWHERE };
	pf_finding_tell(to, f, "the damaged file is kept as %s", kept);
}

const char *pf_grade_name(enum pf_grade grade)
{
	static const char *const names[PF_N_GRADES] = {
		[PF_GRADE_NOTE] = "note",
		[PF_GRADE_WARNING] = "warning",
		[PF_GRADE_ERROR] = "error",
	};
	return names[grade];
}
