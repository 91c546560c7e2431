/* formats/pcp/damage.c - what is broken in an archive, kept until it can be told. */
#include "formats/pcp/damage.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void pf_pcp_damage_add(struct pf_pcp_damage *d, const char *fmt, ...)
{
	if (d->n == PF_PCP_DAMAGE_KEPT) {
		d->more++;
		return;
	}
	va_list ap;
	va_start(ap, fmt);
	char *text;
	int n = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (n < 0)
		d->more++;
	else
		d->texts[d->n++] = text;
}

const char *pf_pcp_damage_next(struct pf_pcp_damage *d)
{
	if (d->told < d->n)
		return d->texts[d->told++];
	if (d->more == 0)
		return NULL;

	/* The last sentence stands for all that were not kept. */
	uint64_t more = d->more;
	d->more = 0;
	if (d->n == 0)
		return "damaged, and no memory to say where";
	char *text;
	if (asprintf(&text, "%llu more damaged records", (unsigned long long)more) < 0)
		return "more damaged records";
	free(d->texts[d->n - 1]);
	d->texts[d->n - 1] = text;
	return text;
}

void pf_pcp_damage_done(struct pf_pcp_damage *d)
{
	for (unsigned i = 0; i < d->n; i++)
		free(d->texts[i]);
	*d = (struct pf_pcp_damage){ 0 };
}
