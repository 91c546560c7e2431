/* cmd/watch.c - live views, and everything that `collectl` does when called by that name. */
#include "cmd/cmd.h"
#include "cmd/options.h"

static int run(int argc, char **argv, const char *called)
{
	return pf_options_run(argc, argv, called ? PF_FLAVOUR_PEER : PF_FLAVOUR_WATCH);
}

const struct pf_cmd pf_cmd_watch = { "watch", "collectl", "live views of this host", run };
