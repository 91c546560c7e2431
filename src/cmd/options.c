/* cmd/options.c - the table of switches. Names and bundling are collectl's (docs/compat.md); those marked exact are ours. */
#include "cmd/options.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/switches.h"

#define AT(member)  offsetof(struct pf_options, member)
#define REQ(member) offsetof(struct pf_options, request.member)

/* clang-format off */
#define FLAG(names, member) { names, PF_SWITCH_FLAG, member, 0, false, false }
#define TEXT(names, member) { names, PF_SWITCH_TEXT, member, 0, false, false }
#define NUMBER(names, member, given) { names, PF_SWITCH_NUMBER, member, given, false, false }
#define OUR_FLAG(names, member) { names, PF_SWITCH_FLAG, member, 0, false, true }
#define OURS(names, member) { names, PF_SWITCH_TEXT, member, 0, false, true }
#define OURS_NUMBER(names, member, given) { names, PF_SWITCH_NUMBER, member, given, false, true }
#define LATER(names) { names, PF_SWITCH_TEXT, 0, 0, true, false }
#define LATER_FLAG(names) { names, PF_SWITCH_FLAG, 0, 0, true, false }

static const struct pf_switch table[] = {
	TEXT("address|A", REQ(address)),
	FLAG("align", REQ(align)),
	FLAG("all", REQ(all)),
	FLAG("ALL", REQ(all_detail)),
	OURS_NUMBER("cgroupdepth", REQ(cgroup_depth), REQ(has_cgroup_depth)),
	OURS("cgroupfilt", REQ(cgroup_filter)),
	TEXT("comment", REQ(comment)),
	TEXT("config|C", AT(config)),
	OUR_FLAG("cost", REQ(cost)),
	OURS("costwarn", REQ(cost_warn)),
	NUMBER("count|c", REQ(count), REQ(has_count)),
	TEXT("cpufilt", REQ(cpu_filter)),
	TEXT("cpuopts", REQ(cpu_options)),
	FLAG("daemon|D", REQ(daemon)),
	NUMBER("debug|d", REQ(debug), 0),
	TEXT("dskfilt", REQ(disk_filter)),
	TEXT("dskopts", REQ(disk_options)),
	TEXT("dskremap", REQ(disk_remap)),
	FLAG("envdebug", REQ(env_debug)),
	TEXT("envfilt", REQ(env_filter)),
	TEXT("envopts", REQ(env_options)),
	TEXT("envremap", REQ(env_remap)),
	TEXT("envrules", REQ(env_rules)),
	TEXT("envtest", REQ(env_test)),
	TEXT("export", REQ(export)),
	TEXT("extract", REQ(extract)),
	TEXT("filename|f", REQ(filename)),
	NUMBER("flush|F", REQ(flush), REQ(has_flush)),
	TEXT("from", REQ(from)),
	FLAG("full", REQ(full)),
	TEXT("grep", REQ(grep)),
	FLAG("group|G", REQ(two_raw)),
	NUMBER("headerrepeat|hr", REQ(header_repeat), REQ(has_header_repeat)),
	FLAG("help|h", AT(help)),
	FLAG("helpall|X", AT(help_more)),
	FLAG("helpextend|x", AT(help_more)),
	FLAG("home", REQ(home)),
	OURS("host", REQ(host)),
	OURS("instances", REQ(instances)),
	OURS("interpolate", REQ(interpolate)),
	TEXT("import", REQ(import)),
	OURS("import-answers", REQ(import_answers)),
	OURS("import-deadline", REQ(import_deadline)),
	OUR_FLAG("import-isolate", REQ(import_isolate)),
	OURS("import-memory", REQ(import_memory)),
	OURS("import-records", REQ(import_records)),
	TEXT("interval|i", REQ(interval)),
	TEXT("intfilt", REQ(int_filter)),
	FLAG("iosize", REQ(io_sizes)),
	TEXT("limits|l", REQ(limits)),
	LATER("lustopts"),
	LATER("lustsvcs|L"),
	TEXT("memopts", REQ(mem_options)),
	OURS("metrics", REQ(metrics)),
	FLAG("messages|m", REQ(messages)),
	TEXT("netfilt", REQ(net_filter)),
	TEXT("netopts", REQ(net_options)),
	TEXT("nfsfilt", REQ(nfs_filter)),
	TEXT("nfsopts", REQ(nfs_options)),
	FLAG("nice|N", REQ(nice)),
	FLAG("nohup", REQ(nohup)),
	OURS("offset", REQ(offset)),
	NUMBER("offsettime", REQ(offset_secs), REQ(has_offset)),
	OURS("oformat", REQ(oformat)),
	TEXT("options|o", REQ(options)),
	OURS("output", REQ(output)),
	TEXT("passwd", REQ(passwd)),
	TEXT("playback|p", REQ(playback)),
	FLAG("plot|P", REQ(plot)),
	TEXT("pname", REQ(pname)),
	FLAG("procanalyze", REQ(proc_analyze)),
	TEXT("procfilt", REQ(proc_filter)),
	TEXT("procopts", REQ(proc_options)),
	TEXT("procstate", REQ(proc_states)),
	FLAG("quiet", REQ(quiet)),
	TEXT("rawdskfilt", REQ(raw_disk_filter)),
	TEXT("rawdskignore", REQ(raw_disk_ignore)),
	TEXT("rawnetfilt", REQ(raw_net_filter)),
	TEXT("rawnetignore", REQ(raw_net_ignore)),
	FLAG("rawtoo", REQ(raw_too)),
	TEXT("rolllogs|r", REQ(roll)),
	OURS("root", REQ(root)),
	TEXT("runas", REQ(runas)),
	TEXT("runtime|R", REQ(runtime)),
	TEXT("sep", REQ(separator)),
	FLAG("showcolheaders", REQ(show_headings)),
	FLAG("showdefs|V", AT(show_defaults)),
	FLAG("showheader", REQ(show_header)),
	FLAG("showoptions", AT(show_options)),
	FLAG("showrootslabs", AT(show_root_slabs)),
	FLAG("showslabaliases", AT(show_slab_aliases)),
	FLAG("showsubopts", AT(show_suboptions)),
	FLAG("showsubsys", AT(show_subsys)),
	FLAG("showfiles", AT(show_files)),
	FLAG("showtopopts", AT(show_top)),
	FLAG("slabanalyze", REQ(slab_analyze)),
	TEXT("slabfilt", REQ(slab_filter)),
	TEXT("slabopts", REQ(slab_options)),
	TEXT("statopts", REQ(stat_options)),
	FLAG("stats", REQ(stats)),
	TEXT("subsys|s", REQ(subsys)),
	LATER_FLAG("sumstat"),
	TEXT("tcpfilt", REQ(tcp_filter)),
	TEXT("thru", REQ(thru)),
	TEXT("top", REQ(top)),
	FLAG("tworaw", REQ(two_raw)),
	TEXT("umask", AT(umask)),
	FLAG("utc", REQ(utc)),
	NUMBER("utime", REQ(utime), REQ(has_utime)),
	FLAG("verbose", REQ(verbose)),
	FLAG("version|v", AT(version)),
	FLAG("vmstat", REQ(vmstat)),
	FLAG("whatsnew", AT(whats_new)),
	FLAG("wide|w", REQ(wide)),
	TEXT("xopts", REQ(ib_options)),
	{ 0 },
};
/* clang-format on */

static void keep_command_line(struct pf_options *o, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		for (const char *p = argv[i]; *p != '\0'; p++)
			pf_buf_char(&o->command_line,
				    *p == '\n' ? ' ' : *p); /* it becomes part of a line of a header */
		pf_buf_char(&o->command_line, ' ');
	}
}

/* collectl looks for --top before anything else: without a value it stands for this one. */
static char **complete_top(struct pf_options *o, int *argc, char **argv)
{
	char **words = calloc((size_t)*argc * 2 + 1, sizeof(*words));
	int n = 0;
	memcpy(o->usual_top, "time,-1", sizeof(o->usual_top));
	for (int i = 0; words && i < *argc; i++) {
		words[n++] = argv[i];
		if (strcmp(argv[i], "--top") == 0 && (i + 1 == *argc || argv[i + 1][0] == '-'))
			words[n++] = o->usual_top;
	}
	*argc = words ? n : *argc;
	return words;
}

static int take_operands(struct pf_options *o, enum pf_flavour flavour, struct pf_err *err)
{
	if (flavour == PF_FLAVOUR_REPLAY && o->operands[0])
		o->request.files = o->operands;
	else if (flavour == PF_FLAVOUR_WATCH && o->operands[0])
		return pf_err_set(err, -EINVAL, "'%s' is no switch; recordings are shown by `perfolio replay FILE`",
				  o->operands[0]);
	if (flavour == PF_FLAVOUR_REPLAY && !o->request.playback && !o->request.files && !o->help && !o->version)
		return pf_err_set(err, -EINVAL, "replay needs a recording: perfolio replay FILE");
	if (flavour == PF_FLAVOUR_REPLAY && o->request.playback && o->request.files)
		return pf_err_set(err, -EINVAL, "name recordings either behind -p or without a switch, not both");
	return 0;
}

void pf_options_peek(int argc, char **argv, enum pf_flavour flavour, struct pf_options *ret_options)
{
	*ret_options = (struct pf_options){ .request.as_peer = flavour == PF_FLAVOUR_PEER };
	ret_options->operands = calloc((size_t)argc + 1, sizeof(*ret_options->operands));
	if (ret_options->operands) /* what is wrong is told by the second pass */
		(void)pf_switches_parse(argc, argv, table, ret_options->request.as_peer, ret_options,
					ret_options->operands, NULL);
}

int pf_options_parse(int argc, char **argv, unsigned n_before, enum pf_flavour flavour, struct pf_options *ret_options,
		     bool *ret_getopt, struct pf_err *err)
{
	struct pf_options *o = ret_options;
	*o = (struct pf_options){ .request.as_peer = flavour == PF_FLAVOUR_PEER };
	*ret_getopt = false;
	int rc = pf_switches_mistyped(argc, argv, err);
	if (rc < 0)
		return rc;
	keep_command_line(o, argc - (int)n_before, argv + n_before);
	o->words = complete_top(o, &argc, argv);
	o->operands = calloc((size_t)argc + 1, sizeof(*o->operands));
	if (!o->operands || !o->words || o->command_line.failed)
		return pf_err_set(err, -ENOMEM, "no memory");
	o->request.command_line = pf_buf_text(&o->command_line).p;
	rc = pf_switches_parse(argc, o->words, table, o->request.as_peer, o, o->operands, err);
	if (rc < 0) {
		*ret_getopt = rc == -EINVAL;
		return rc;
	}
	struct pf_request *req = &o->request;
	req->plot_implied = (req->proc_analyze || req->slab_analyze) && !req->plot;
	req->plot |= req->plot_implied;
	return take_operands(o, flavour, err);
}

void pf_options_done(struct pf_options *o)
{
	free(o->operands);
	free(o->words);
	pf_buf_done(&o->command_line);
	*o = (struct pf_options){ 0 };
}
