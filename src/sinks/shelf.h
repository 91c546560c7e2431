/* sinks/shelf.h - closed volumes of an archive that is being written, and which of them have to go: the oldest, when there is too much or no room. */
#ifndef PF_SINKS_SHELF_H
#define PF_SINKS_SHELF_H

#include <stdbool.h>
#include <stdint.h>

struct pf_err;
struct pf_notice;
struct pf_volume_options;

/* @path: without what compression appends. @last_ns: time of its last sample. */
struct pf_shelf_volume {
	char *path;
	int64_t last_ns;
};

/* @volumes: the oldest first. @told: that some are removed. */
struct pf_shelf {
	struct pf_shelf_volume *volumes;
	unsigned n;
	bool told;
};

/* pf_shelf_add() - a volume was closed. Return: 0 or -ENOMEM: then it stays for ever. */
int pf_shelf_add(struct pf_shelf *s, const char *path, int64_t last_ns);
void pf_shelf_done(struct pf_shelf *s);

/**
 * pf_shelf_trim() - remove the oldest until the rest is within @limits.
 * @base: of the archive, whose size on disk counts; @busy: a volume that is being compressed, which stays for now, and all newer ones
 *
 * Return: 0; -ENOSPC when less is free than should be and nothing is left to remove.
 */
int pf_shelf_trim(struct pf_shelf *s, const char *base, const struct pf_volume_options *limits, const char *busy,
		  int64_t now_ns, const struct pf_notice *notice, struct pf_err *err);

#endif
