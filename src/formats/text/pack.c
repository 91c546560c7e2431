/* formats/text/pack.c - zlib, fastest level: it is sent once. */
#include "formats/text/pack.h"

#include <errno.h>
#include <limits.h>
#define ZLIB_CONST /* input is only read */
#include <zlib.h>

enum { GZIP = 16, LEVEL = 1, MEMORY = 8 };

int pf_pack_gzip(struct pf_buf *out, struct pf_view text)
{
	z_stream z = { 0 };
	if (text.n > UINT_MAX ||
	    deflateInit2(&z, LEVEL, Z_DEFLATED, MAX_WBITS + GZIP, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
		return -ENOMEM;
	uLong most = deflateBound(&z, text.n);
	char *to = most <= UINT_MAX ? pf_buf_reserve(out, most) : NULL;
	int rc = Z_MEM_ERROR;
	if (to) {
		z.next_in = (const Bytef *)text.p;
		z.avail_in = (uInt)text.n;
		z.next_out = (Bytef *)to;
		z.avail_out = (uInt)most;
		rc = deflate(&z, Z_FINISH);
		out->n += z.total_out;
	}
	(void)deflateEnd(&z);
	return rc == Z_STREAM_END ? 0 : -ENOMEM;
}
