/* cmd/replay.c - any recording in any view. */
#include "cmd/cmd.h"
#include "cmd/options.h"

static int run(int argc, char **argv, const char *called)
{
	(void)called;
	return pf_options_run(argc, argv, PF_FLAVOUR_REPLAY);
}

const struct pf_cmd pf_cmd_replay = { "replay", NULL, "any recording in any view", run };
