/* engine/facts.h - what a raw file's header says about this host. */
#ifndef PF_ENGINE_FACTS_H
#define PF_ENGINE_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "engine/plan.h"

struct pf_err;

/**
 * pf_facts_header() - append the header of a raw file.
 * @root_fd: folder that stands for "/"; @host: up to its first dot; @letters: what is recorded
 * @extra: lines of import modules, "" for none; @now_ns: 0 leaves the date out, as --showheader does
 */
int pf_facts_header(struct pf_buf *out, const struct pf_plan *plan, int root_fd, const char *host, const char *letters,
		    const char *extra, int64_t now_ns);

/* pf_facts_boot() - when the host below @root_fd was booted, nanoseconds UTC. */
int64_t pf_facts_boot(int root_fd);

/* pf_facts_distro() - "debian 12.11", "" if nothing tells. */
enum { PF_FACTS_DISTRO = 128 };
void pf_facts_distro(int root_fd, char ret_distro[PF_FACTS_DISTRO]);

/* pf_facts_links() - append the header's line of interfaces and their speeds. */
int pf_facts_links(struct pf_buf *out, const struct pf_plan *plan, int root_fd);

#endif
