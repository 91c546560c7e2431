/* cmd/pcpconf.h - settings of an installed PCP, and pmlogger's configuration from where it lies. */
#ifndef PF_CMD_PCPCONF_H
#define PF_CMD_PCPCONF_H

#include <limits.h>
#include <stdbool.h>

#include "formats/pcp/logconfig.h"

struct pf_err;

/* pf_pcp_conf() - what the environment says of @name, else /etc/pcp.conf (or $PCP_CONF), else @usual; into @text, and returned. */
const char *pf_pcp_conf(const char *name, const char *usual, char text[PATH_MAX]);

/**
 * pf_logconfig_open() - read a configuration of pmlogger.
 * @file: as it is named, or in PCP's folder of such files; NULL: standard input
 *
 * Return: 0; what pf_logconfig_read() says and faults of files, with a sentence. @ret is to be freed in any case.
 */
int pf_logconfig_open(struct pf_logconfig *ret, const char *file, struct pf_err *err);

#endif
