/* tests/fuzz/fuzz_raw.c - raw files of any bytes, plain and packed: headers, members, markers, lines, and what groups make of them. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "groups/list.h"
#include "model/catalog.h"
#include "model/sample.h"
#include "sources/source.h"

enum { MAX_STEPS = 10000, MAX_FEW = 6 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* All groups now and then; a few mostly: making 1,500 metrics ready takes longer than reading a file of some KB, and what the parse functions do
 * is for fuzz_groups.c to find out. */
static const struct pf_group *const *groups_for(size_t size, const struct pf_group *few[])
{
	unsigned n = 0;
	if (size % 16 == 0)
		return pf_groups;
	for (unsigned i = 0; pf_groups[i] && n < MAX_FEW; i++) {
		if (strpbrk(pf_groups[i]->letters, "cdnZ"))
			few[n++] = pf_groups[i];
	}
	return few;
}

static void play(const char *path, size_t size)
{
	const struct pf_group *few[MAX_FEW + 1] = { NULL };
	struct pf_err err = { 0 };
	struct pf_source_spec spec = { .path = path, .root_fd = -1, .groups = groups_for(size, few) };
	struct pf_source *source = NULL;
	struct pf_catalog *catalog = pf_catalog_new();
	struct pf_frames frames;
	pf_frames_init(&frames, catalog);
	if (catalog && pf_source_open(&source, &spec, catalog, &err) == 0) {
		int rc = 1;
		for (unsigned i = 0; i < MAX_STEPS && (rc == 1 || rc == -EBADMSG); i++)
			rc = source->kind->next(source, &frames, &err);
		source = source->kind->close(source);
	}
	pf_frames_done(&frames);
	(void)pf_catalog_free(catalog);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("raw", 0);
	if (fd < 0)
		return 0;
	char path[64];
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (pf_io_write_all(fd, data, size) == 0)
		play(path, size);
	(void)close(fd); /* a memfd has nothing to lose */
	return 0;
}
