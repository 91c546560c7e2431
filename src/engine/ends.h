/* engine/ends.h - when a recording ends. */
#ifndef PF_ENGINE_ENDS_H
#define PF_ENGINE_ENDS_H

#include <stdint.h>

struct pf_err;

/**
 * pf_recording_end() - the time of the last sample. Only what is near the end is read where a recording can be entered there.
 * @more, @host: as of struct pf_source_spec
 *
 * Return: 0; -ENODATA when there is no sample; what opening and reading gives.
 */
int pf_recording_end(const char *path, const char *const *more, const char *host, int64_t *ret_ns, struct pf_err *err);

#endif
