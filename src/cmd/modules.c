/* cmd/modules.c - `perfolio modules`: its switches. */
#include "cmd/modules.h"

#include <getopt.h>
#include <stdio.h>

#include "base/err.h"
#include "cmd/cmd.h"
#include "cmd/say.h"

static const char usage_text[] =
	"usage: perfolio modules [--oformat FORMAT]\n"
	"       perfolio modules --check FILE[,ARGS] [--oformat FORMAT]\n"
	"\n"
	"List the import modules that can be found, or try one.\n"
	"\n"
	"  --check FILE[,ARGS]  load this module and call it as it would be called: live, while\n"
	"                       recording, in playback, in each view, and many times over; tell\n"
	"                       what it did, how long its callbacks took, and what was wrong\n"
	"  --oformat FORMAT     a document: json, jsonl, xml, html, csv\n"
	"  --help               this text\n"
	"\n"
	"Status: 0 fine, 1 the module was refused or is at fault, 2 usage.\n";

enum { CHECK = 256, OFORMAT, HELP };

static int bad(const char *text)
{
	pf_say(stderr, "perfolio modules: %s", text);
	return PF_EXIT_USAGE;
}

static int run(int argc, char **argv, const char *called)
{
	(void)called;
	static const struct option longs[] = { { "check", required_argument, NULL, CHECK },
					       { "oformat", required_argument, NULL, OFORMAT },
					       { "help", no_argument, NULL, HELP },
					       { 0 } };
	struct pf_doc_options options = { 0 };
	struct pf_err err = { 0 };
	const char *check = NULL;
	opterr = 0;
	for (int o = getopt_long(argc, argv, ":", longs, NULL); o != -1;
	     o = getopt_long(argc, argv, ":", longs, NULL)) {
		switch (o) {
		case CHECK:
			check = optarg;
			break;
		case OFORMAT:
			if (pf_doc_options_parse(optarg, true, &options, &err) < 0)
				return bad(err.text);
			break;
		case HELP:
			(void)fputs(usage_text, stdout);
			return PF_EXIT_OK;
		default:
			(void)pf_bad_switch(o, argv, "modules", &err);
			return bad(err.text);
		}
	}
	if (optind < argc)
		return bad("takes no arguments; to try a module give --check FILE");
	const struct pf_doc_options *doc = options.format == PF_FORMAT_TEXT ? NULL : &options;
	return check ? pf_modules_check(check, doc) : pf_modules_list(doc);
}

const struct pf_cmd pf_cmd_modules = { "modules", NULL, "list import modules, or try one", run };
