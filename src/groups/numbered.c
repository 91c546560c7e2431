/* groups/numbered.c - instances that are named by a word and the kernel's number, and the lists that say which there are. */
#include "groups/numbered.h"

#include <stdio.h>

#include "model/builder.h"
#include "model/catalog.h"

int pf_numbered_slot(struct pf_builder *b, unsigned metric, const char *kind, uint64_t number)
{
	char name[32];
	struct pf_indom *dom = pf_catalog_domain_of(b->catalog, b->base + metric);
	if (!dom || number > INT16_MAX)
		return -1;
	int n = snprintf(name, sizeof(name), "%s%u", kind, (unsigned)number);
	return pf_builder_instance(b, dom, (struct pf_view){ name, (size_t)n }, (int32_t)number);
}

unsigned pf_numbered_each(struct pf_view text, struct pf_builder *b,
			  void (*take)(struct pf_builder *b, uint64_t number))
{
	unsigned n = 0;
	while (text.n > 0 && n < UINT16_MAX) {
		uint64_t ends[2] = { 0, 0 };
		unsigned k = 0;
		for (; text.n > 0 && *text.p != ',' && *text.p != '\n'; text.p++, text.n--) {
			if (*text.p == '-')
				k = 1;
			else if (*text.p >= '0' && *text.p <= '9' && ends[k] <= INT16_MAX)
				ends[k] = ends[k] * 10 + (uint64_t)(*text.p - '0');
			else
				return n;
		}
		for (uint64_t i = ends[0]; i <= (k ? ends[1] : ends[0]) && i <= INT16_MAX; i++, n++)
			take(b, i);
		if (text.n > 0 && *text.p != ',')
			break;
		text.p += text.n > 0;
		text.n -= text.n > 0;
	}
	return n;
}
