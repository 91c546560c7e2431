/* formats/collectl/seek.h - where in a raw file the data of a time begins, without reading all before it. */
#ifndef PF_FORMATS_COLLECTL_SEEK_H
#define PF_FORMATS_COLLECTL_SEEK_H

#include <stdbool.h>
#include <stdint.h>

/**
 * pf_collectl_find() - look by halves for a place at which one can begin to read: a marker, at the beginning of a gzip member if the file is
 * packed. Takes for granted that times in the file ascend.
 * @from: offset behind the header; looked for from there on
 * @before_ns: the marker is of an earlier time than this, and one of the last such
 *
 * Return: the offset, or @from if there is none (a file that is one member, say).
 */
uint64_t pf_collectl_find(int fd, bool packed, uint64_t from, int64_t before_ns);

#endif
