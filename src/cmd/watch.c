/* cmd/watch.c - live views. */
#include "cmd/cmd.h"

static int run(int argc, char **argv, const char *called)
{
	(void)argc;
	(void)argv;
	(void)called;
	return PF_EXIT_USAGE;
}

const struct pf_cmd pf_cmd_watch = { "watch", "collectl", "live views of this host", run };
