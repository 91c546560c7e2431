/* fuzz_pcp.h - one file of an archive out of any bytes, for the targets that take one each. */
#ifndef PF_TESTS_FUZZ_PCP_H
#define PF_TESTS_FUZZ_PCP_H

#include <stdint.h>
#include <sys/mman.h>

#include "base/io.h"
#include "formats/pcp/file.h"
#include "formats/pcp/record.h"

/* fuzz_pcp_open() - the file behind its label, whose version is returned: 2 or 3; 0 if there is none or no file. */
static inline unsigned fuzz_pcp_open(struct pf_pcp_file *f, unsigned align, const uint8_t *data, size_t size)
{
	struct pf_view rec;
	struct pf_pcp_label label = { 0 };
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	if (fd < 0)
		return 0;
	(void)pf_io_write_all(fd, data, size);
	if (pf_pcp_file_init(f, fd, "fuzz", align, NULL) < 0)
		return 0;
	if (pf_pcp_file_peek(f, &rec, NULL) == 1 && pf_pcp_label_decode(rec, &label, NULL) == 0) {
		pf_pcp_file_take(f, rec);
		return label.version;
	}
	return 0;
}

#endif
