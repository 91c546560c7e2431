/* cmd/options_help.c - what the shared switches can tell about themselves. */
#include <stdio.h>
#include <string.h>

#include "cmd/options.h"
#include "engine/plan.h"
#include "groups/list.h"

static const char watch_help[] =
	"usage: perfolio [watch] [SWITCHES]\n"
	"\n"
	"  -s LIST        b buddies, c cpu, d disk, f nfs, g cgroups, i inodes, j interrupts,\n"
	"                 m memory, n network, s sockets, t tcp, x ports, y slabs;\n"
	"                 capitals: details; Z processes; --showsubsys tells more\n"
	"  -i SECONDS     interval, fractions allowed; A:B processes and slabs every B   --host HOST\n"
	"  -c N, -R 5m    stop after N intervals, a time (w d h m s)   -D, -C FILE  daemon, settings\n"
	"  -f FILE        record raw text into files; -r HH:MM[,DAYS[,MIN]] new ones each day\n"
	"  -P             one line of columns for plotting, with -f in files; --sep C separator\n"
	"  --verbose      several lines for each interval  --hr N  repeat headings  -w  full numbers\n"
	"  --oformat F    json, jsonl, xml, html or csv    --output FILE  not to the screen\n"
	"  -o LETTERS     T time, d D date, m milliseconds, n not per second, g G 1 2, x X --limits\n"
	"  --import MOD   modules; --import-isolate, --import-deadline S; others: --showsubopts\n"
	"  --export NAME  lexpr, sexpr, gexpr,HOST:PORT, graphite,HOST, vmstat, openmetrics; NAME,h\n"
	"  --cpufilt L, --dskfilt RE, --netfilt RE, --intfilt RE, --cgroupfilt RE  ^: not these\n"
	"  --iosize, --memopts PVpsR, --dskopts fioz, --netopts eEiowN, --cpuopts z, --nfsopts z\n"
	"  --rawdskfilt RE, --rawnetfilt RE, --dskremap RE:NAME, --tcpfilt ituTIc, --nfsfilt LIST\n"
	"  --procopts cfiIkmprRsStuNwNxz, --procfilt LIST, --procstate DRSTWZ, --passwd FILE\n"
	"  --slabopts sS, --slabfilt LIST, --tworaw, --rawtoo, -A server[:PORT] or HOST[:PORT]\n"
	"  --top TYPE,NUM the first NUM processes or slabs, --showtopopts; --showslabaliases\n"
	"  --cost, --costwarn PCT, --utc, --full, --home, --quiet, -m, --comment TEXT, --root D\n"
	"  --showheader, --showcolheaders, --showsubsys, --showfiles, --showoptions, --showsubopts\n"
	"\n"
	"perfolio-watch(1) tells all; the switches are those of collectl.\n";

static const char replay_help[] =
	"usage: perfolio replay FILE... [SWITCHES]\n"
	"\n"
	"  -s LIST        b buddies, c cpu, d disk, f nfs, g cgroups, i inodes, j interrupts,\n"
	"                 capitals: details; +LIST, -LIST change what was recorded\n"
	"  --from T, --thru T   18:41, \"2026-11-30 18:41\", 5min, -5min; --from A-B is both\n"
	"  --interpolate S  at fixed steps; --offset S  so far behind the start; --host NAME  of many\n"
	"  -c N           stop after N intervals; --extract DIR  copy that span of raw files\n"
	"  -P             one line of columns for plotting, with -f in files; --sep C separator\n"
	"  --verbose      several lines for each interval  --hr N  repeat headings  -w  full numbers\n"
	"  --oformat F    json, jsonl, xml, html or csv    --output FILE  not to the screen\n"
	"  --metrics P,P, --instances P,P  of documents only these: disk.dev, 'kernel.*'; sda, 'eth*'\n"
	"  -o LETTERS     T time, d D date, m milliseconds, n not per second, g G 1 2, x X --limits\n"
	"  --import MOD   modules; --import-isolate, --import-deadline S; others: --showsubopts\n"
	"  --export NAME  lexpr, sexpr, gexpr,HOST:PORT, graphite,HOST, vmstat, openmetrics; NAME,h\n"
	"  --stats        totals behind brief; --statopts ais; --procanalyze, --slabanalyze  sums\n"
	"  --cpufilt L, --dskfilt RE, --netfilt RE, --intfilt RE, --cgroupfilt RE  ^: not these\n"
	"  --iosize, --memopts PVpsR, --dskopts fioz, --netopts eEiowN, --cpuopts z, --nfsopts z\n"
	"  --tcpfilt ituTIc, --nfsfilt c2,s2,c3,s3,c4,s4   these protocols, these versions\n"
	"  --procopts cfikmrRsSuNwNxz, --procstate DRSTWZ, --passwd FILE, --slabopts sS\n"
	"  --top TYPE,NUM the first NUM processes or slabs in that order; --showtopopts\n"
	"  --grep RE      lines of raw text with times; -d4 echo it; --showheader, --full, -m, --utc\n"
	"  -p 'HOST-*'    raw files by list and wildcard, as collectl names them; --offsettime S\n"
	"\n"
	"perfolio-watch(1) tells all; the switches are those of collectl.\n";

static const char peer_help[] = "usage: collectl [SWITCHES]          (this is perfolio)\n"
				"\n"
				"  -s, --subsys LIST       subsystems, default cdn; --showsubsys\n"
				"  -i, --interval SECONDS  default 1               -c, --count N\n"
				"  -f, --filename FILE     record to a file or folder   -r, --rolllogs\n"
				"  -p, --playback FILES    show recordings; quote wildcards\n"
				"      --from T --thru T   only that time\n"
				"  -P, --plot              plot format             --sep C\n"
				"      --verbose           verbose format          --hr, --headerrepeat N\n"
				"  -o, --options LETTERS   --showoptions           -w, --wide\n"
				"  -R, --runtime N{wdhms}  stop after a time       --align\n"
				"      --import MODULES    --iosize                --comment TEXT\n"
				"      --export NAME[,h]   --vmstat                --stats --statopts ais\n"
				"      --cpufilt --dskfilt --netfilt --intfilt     --rawdskfilt --rawnetfilt\n"
				"      --tcpfilt --nfsfilt --nfsopts               --showsubopts\n"
				"      --memopts --dskopts --netopts --cpuopts\n"
				"      --procopts --procfilt --procstate --passwd  --slabopts --slabfilt --tworaw\n"
				"  -A server[:PORT], -A ADDR[:PORT[:SECS]]     serve clients, or send to one\n"
				"  -m, --messages          --quiet                 --nohup\n"
				"  -d, --debug 4           --grep RE               --offsettime SECS\n"
				"      --utc --full --home --all --ALL             --top TYPE,NUM,v --showtopopts\n"
				"      --showheader --showcolheaders -V, --showdefs --whatsnew --showslabaliases\n"
				"  -h, --help              -v, --version\n"
				"\n"
				"perfolio-collectl(1) and perfolio-watch(1) tell all.\n";

static const char options_text[] = "letters behind -o\n"
				   "  T  times HH:MM:SS           d  MM/DD HH:MM:SS     D  YYYYMMDD HH:MM:SS\n"
				   "  U  with -P: seconds since 1970 UTC                m  milliseconds\n"
				   "  n  per interval, not per second\n"
				   "  g  G  digits behind a G     1  2  decimals with -P\n"
				   "  i  with -P: header first    z  a  c  u            plot files\n";

static const char suboptions_text[] =
	"sub-options\n"
	"  --cpuopts z     hide idle CPUs in -sC\n"
	"  --cpufilt L     only CPUs 1,3-5; ^L: all but these\n"
	"  --dskopts f     fractions in -sD       i  sizes in brief     z  hide idle disks in -sD\n"
	"  --dskfilt RE    only disks that match; ^RE: all but these\n"
	"  --dskremap R:N  other names: N where R matches             --rawdskfilt [+]RE, --rawdskignore RE: what is read\n"
	"  --netopts e     error columns          i  sizes in brief     wN  width of names in -sN\n"
	"            E     only what has errors\n"
	"  --netfilt RE    only interfaces that match; ^RE: all but these\n"
	"  --rawnetfilt RE, --rawnetignore RE: what is read and recorded\n"
	"  --intfilt RE    only interrupts whose line matches; ^RE: all but these\n"
	"  --import-records N  lines of a module in an interval\n"
	"  --import-answers N, --import-memory MB  lines analysed at once, and memory, of one in its own process\n"
	"  --tcpfilt L     i IP   t TCP   u UDP   c ICMP   I IpExt   T TcpExt; else ituc\n"
	"  --nfsfilt L     of c2,s2,c3,s3,c4,s4: client or server, version\n"
	"  --nfsopts z     hide idle lines in -sF\n"
	"  --xopts i       sizes of packets in brief\n"
	"  --memopts P     physical part          V  virtual part\n"
	"            p     allocations, refills   s  steals, scans      R  changes, not values\n"
	"  --procopts c    with children that ended                   f  faults since the start\n"
	"             i    I/O columns            I  do not read I/O   m  memory columns\n"
	"             k    without interpreters   p  no new processes  r  without folders\n"
	"             R    priority as a number   s  S  start time     x  context switches\n"
	"             t    threads                z  --top without idle ones\n"
	"             uN   width of user names    wN arguments, N bytes of them\n"
	"  --procfilt L    c C name, f command line, p P number, u U user: csh,p1,u0-99; c+sh threads\n"
	"  --procstate L   only states D R S T W Z\n"
	"  --slabopts s    only slabs with objects                     S  only those that changed\n"
	"  --slabfilt L    only slabs whose names begin so\n";

static void print_subsys(bool peer)
{
	(void)puts("summary and detail letters for -s; +X adds to the set that is shown else, -X takes away");
	if (!peer)
		(void)puts("without -s: cdn for watch, cdimnps for record, what was recorded for replay");
	for (unsigned i = 0; pf_groups[i]; i++) {
		const char *letters = pf_groups[i]->letters;
		if (peer && !pf_letters_known(letters[0]))
			continue; /* ours */
		(void)printf("  %-4s %-10s %s\n", letters, pf_groups[i]->name,
			     pf_groups[i]->what ? pf_groups[i]->what : "");
	}
}

/* "FOLDERS/X/A|B", X being the last wildcard, are two files. */
static void print_path(const char *letters, const char *path)
{
	const char *star = strrchr(path, '*');
	const char *bar = strchr(path, '|');
	int folders = star && bar ? (int)(star - path) + 2 : 0;
	(void)printf("%-4s /%.*s\n", letters, bar ? (int)(bar - path) : (int)strlen(path), path);
	if (bar)
		(void)printf("%-4s /%.*s%s\n", letters, folders, path, bar + 1);
}

/* --showfiles: a file that several subsystems read is told for each. */
static void print_files(void)
{
	for (unsigned i = 0; pf_groups[i]; i++) {
		const struct pf_group *g = pf_groups[i];
		for (unsigned k = 0; k < g->n_rows; k++) {
			if (!g->rows[k].made && !g->rows[k].command &&
			    (k == 0 || strcmp(g->rows[k].path, g->rows[k - 1].path) != 0))
				print_path(g->letters, g->rows[k].path);
		}
	}
}

/* --showtopopts */
static void print_top(void)
{
	(void)puts("--top TYPE,NUM,v  the first NUM processes or slabs in order of TYPE; NUM -1: as many as there\n"
		   "                  is room for; v: one list after the other, without control of the terminal");
	for (unsigned g = 0; pf_groups[g]; g++) {
		const char *heading = NULL;
		for (unsigned i = 0; i < pf_groups[g]->n_sort_keys; i++) {
			const struct pf_sort_key *key = &pf_groups[g]->sort_keys[i];
			if (i == 0)
				(void)printf("\n%s\n", pf_groups[g]->name);
			if (key->heading && (!heading || strcmp(heading, key->heading) != 0))
				(void)printf("  %s\n", key->heading);
			heading = key->heading;
			if (key->what)
				(void)printf("    %-8s %s\n", key->name, key->what);
		}
	}
}

static void print_defaults(const struct pf_settings *s)
{
	(void)printf("Default values by switch:\n"
		     "              Interactive   Daemon\n"
		     "  -c             -1         -1\n"
		     "  -i             1:%s:%s   %s:%s:%s\n"
		     "  --lustsvcs      :1       :1\n"
		     "  -s             cdn        %s\n",
		     s->interval[1], s->interval[2], s->interval[0], s->interval[1], s->interval[2], s->core);
	(void)printf("Defaults only settable in config file:\n"
		     "  LimSVC        = %.15g\n  LimIOS        = %.15g\n  LimLusKBS     = %.15g\n"
		     "  LimLusReints  = %.15g\n  LimBool       = %d\n  Port          = %lld\n"
		     "  Timeout       = %lld\n  MaxZlibErrors = %lld\n",
		     s->lim_service_ms, s->lim_ios, s->lim_lustre_kbs, s->lim_lustre_reints, s->lim_and,
		     (long long)s->port, (long long)s->timeout_s, (long long)s->zlib_errors);
}

bool pf_options_print(const struct pf_options *o, enum pf_flavour flavour)
{
	static const char *const help[] = {
		[PF_FLAVOUR_WATCH] = watch_help,
		[PF_FLAVOUR_REPLAY] = replay_help,
		[PF_FLAVOUR_PEER] = peer_help,
	};
	bool peer = flavour == PF_FLAVOUR_PEER;
	if (o->help || o->help_more)
		(void)fputs(help[flavour], stdout);
	else if (o->version)
		(void)puts(peer ? "collectl V4.3.1-1 (perfolio " PF_VERSION ")" : "perfolio " PF_VERSION);
	else if (o->whats_new)
		(void)puts("perfolio " PF_VERSION ": see NEWS.md in " PF_DOCDIR);
	else if (o->show_defaults)
		print_defaults(o->request.settings ? o->request.settings : pf_settings_default());
	else if (o->show_subsys)
		print_subsys(peer);
	else if (o->show_files)
		print_files();
	else if (o->show_options)
		(void)fputs(options_text, stdout);
	else if (o->show_suboptions)
		(void)fputs(suboptions_text, stdout);
	else if (o->show_top)
		print_top();
	else
		return false;
	return true;
}
