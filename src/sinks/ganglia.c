/* sinks/ganglia.c - datagrams of ganglia 3.1. Layout: spec collectl-cli, section 9; compared with those of collectl 4.3.1. */
#include "sinks/ganglia.h"

#include <string.h>

enum { PACKET_DESCRIPTION = 0x80, PACKET_TEXT = 0x85, SLOPE_BOTH = 3 };

static void put_u32(struct pf_buf *out, uint32_t v)
{
	const unsigned char bytes[4] = { (unsigned char)(v >> 24), (unsigned char)(v >> 16), (unsigned char)(v >> 8),
					 (unsigned char)v };
	pf_buf_add(out, bytes, sizeof(bytes));
}

/* Length, bytes, and zeros up to a multiple of four. */
static void put_text(struct pf_buf *out, const char *text)
{
	size_t n = text ? strlen(text) : 0;
	put_u32(out, (uint32_t)n);
	if (n > 0)
		pf_buf_add(out, text, n);
	pf_buf_pad(out, '\0', (4 - n % 4) % 4);
}

static void put_head(struct pf_buf *out, uint32_t kind, const struct pf_ganglia_value *v)
{
	put_u32(out, kind);
	put_text(out, v->host);
	put_text(out, v->name);
	put_u32(out, 0); /* the host is not made up */
}

void pf_ganglia_describe(struct pf_buf *out, const struct pf_ganglia_value *v)
{
	put_head(out, PACKET_DESCRIPTION, v);
	put_text(out, "double");
	put_text(out, v->name);
	put_text(out, v->units);
	put_u32(out, SLOPE_BOTH);
	put_u32(out, v->max_gap);
	put_u32(out, v->lifetime);
	put_u32(out, (uint32_t)((v->group != NULL) + (v->title != NULL)));
	if (v->group) {
		put_text(out, "GROUP");
		put_text(out, v->group);
	}
	if (v->title) {
		put_text(out, "TITLE");
		put_text(out, v->title);
	}
}

void pf_ganglia_value(struct pf_buf *out, const struct pf_ganglia_value *v)
{
	put_head(out, PACKET_TEXT, v);
	put_text(out, "%s");
	put_text(out, v->text);
}
