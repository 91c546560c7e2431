/* formats/pcp/packed_coder.h - what packed.c needs of a library: a stream that is unpacked from front to end. One row per way to compress. */
#ifndef PF_FORMATS_PCP_PACKED_CODER_H
#define PF_FORMATS_PCP_PACKED_CODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/view.h"

/* What a step came to: room or input is used up; the end of all; broken. */
enum pf_coder_result { PF_CODER_MORE, PF_CODER_END, PF_CODER_BROKEN };

/**
 * struct pf_packed_coder - a way to compress.
 * @suffix: of files; @magic, @n_magic: how they begin, 0 bytes: nothing to tell by
 * @begin: a state for a stream, or NULL without memory
 * @step: unpack; @in and @out, @ret_room are moved on. @last: nothing comes behind @in
 * @refuse: NULL, or the program that unpacks what is not read here; nothing else is set then
 */
struct pf_packed_coder {
	const char *suffix;
	const char *magic;
	size_t n_magic;
	const char *refuse;
	void *(*begin)(void);
	enum pf_coder_result (*step)(void *state, struct pf_view *in, bool last, char **out, size_t *ret_room);
	void (*end)(void *state);
};

extern const struct pf_packed_coder pf_coder_xz, pf_coder_lzma, pf_coder_gz, pf_coder_zst;

/* Blocks of an xz file, each unpacked by itself. */
struct pf_xz_blocks;

/* pf_xz_blocks_open() - Return: NULL when there is no sound index, a block is larger than is kept in memory, or there is only one. */
struct pf_xz_blocks *pf_xz_blocks_open(int fd, uint64_t file_size);
struct pf_xz_blocks *pf_xz_blocks_close(struct pf_xz_blocks *b);
uint64_t pf_xz_blocks_size(const struct pf_xz_blocks *b);

/* pf_xz_blocks_at() - what is unpacked from @off to the end of its block; valid until the next call. Return: 0, -EBADMSG, other negative errno. */
int pf_xz_blocks_at(struct pf_xz_blocks *b, uint64_t off, struct pf_view *ret_bytes);

#endif
