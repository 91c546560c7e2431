/* formats/pcp/packed on any bytes: what is unpacked must not depend on the order in which it is asked for. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/io.h"
#include "formats/pcp/packed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PIECE = 4096, MOST = 1 << 22 };

static ssize_t piece_at(struct pf_packed *p, uint64_t off, char *to)
{
	ssize_t got = pf_packed_read(p, off, to, PIECE);
	if (got > PIECE)
		abort();
	return got;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char first[PIECE];
	char again[PIECE];
	struct pf_packed *p = NULL;
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	if (fd < 0)
		return 0;
	if (pf_io_write_all(fd, data, size) == 0 && pf_packed_open(&p, fd, "fuzz.lzma", NULL) == 0 && p) {
		ssize_t n = piece_at(p, 0, first);
		for (uint64_t off = PIECE; off < MOST && piece_at(p, off, again) > 0; off += PIECE)
			;
		ssize_t m = piece_at(p, 0, again);
		if (m != n || (n > 0 && memcmp(first, again, (size_t)n) != 0))
			abort();
		(void)pf_packed_size(p);
		(void)pf_packed_why(p);
	}
	(void)pf_packed_close(p);
	(void)close(fd);
	return 0;
}
