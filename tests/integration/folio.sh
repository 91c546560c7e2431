#!/bin/bash
# folio.sh BUILD - pmafm and mkaf by name say what the real ones say, byte for byte, for every command, folios of every kind, and broken ones.
set -u
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
golden=$here/../golden/pcp
work=$(mktemp -d "${TMPDIR:-/tmp}/folio.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
bad=0
cd "$work" || exit 1
export TZ=UTC LC_ALL=C HOME=$work/home PWD

fail()
{
	echo "$*"
	bad=1
}

# copy ARCHIVE BASE - the files of a golden archive under another name.
copy()
{
	for f in "$golden/$1".*; do
		[ -f "$f" ] && cp "$f" "$2.${f#"$golden/$1".}"
	done
}

# folio CREATOR HOST BASE... - a folio as the library writes it.
folio()
{
	creator=$1 host=$2
	shift 2
	printf 'PCPFolio\nVersion: 1\n# use pmafm(1) to process this PCP Archive Folio\n#\n'
	printf 'Created: on vm at Mon Nov 30 03:59:36 2026\nCreator: %s\n#\n' "$creator"
	for base; do
		printf '%-15s %-23s %s\n' Archive: "$host" "$base"
	done
}

# Archives that are whole, packed, broken and missing.
mkdir a a/d a/empty home home/.pcp home/.pcp/pmafm bin
for base in one two nometa noindex nodata badmeta badindex baddata xz gz; do
	copy a-v2-basic a/$base
done
copy b-v3-basic a/v3
copy f-v2-volumes a/volumes
copy b-v3-basic a/d/v3
rm a/nometa.meta a/noindex.index a/nodata.0
xz a/xz.0 a/xz.meta
gzip a/gz.0 a/gz.meta a/gz.index
for f in meta index; do
	printf '0123456789012345678901234567890123456789\n' >a/bad$f.$f
done
printf '0123456789012345678901234567890123456789\n' >a/baddata.0
folio pmchart golden-a one v3 volumes >a/good
folio pmchart golden-a one "$work/a/two" d/v3 nometa noindex nodata badmeta badindex baddata xz gz none >a/many
{ folio pmchart golden-a one two; folio x other v3 volumes | grep Archive; } >a/hosts
folio pmchart localhost one two >a/mismatch
folio pmchart golden-a >a/none
grep -v Creator a/good >a/nocreator
folio 'show conf' golden-a one two >a/configured
folio 'show noconf' golden-a one two >a/unconfigured
folio "show $work/a/conf" golden-a one >a/absolute
folio 'single conf' golden-a one two >a/serial
folio 'onlyreplay' golden-a one >a/sorry
folio 'nobody conf' golden-a one >a/nobody
folio perfolio golden-a one >a/ours
printf 'PCPFolio\n' >a/noversion
printf 'Version: 1\nArchive: h b\n' >a/nofolio
: >a/nothing
echo conf >a/conf
cat >home/.pcp/pmafm/mine <<'X'
# MULTI="commented"
MULTI="show /opt/absolute"
SINGLE='single'
SINGLE="$SINGLE last fails"
SPECIAL=last	# the rest of a line
REPLAY="show single onlyreplay"
X
for tool in show single last fails; do
	printf '#!/bin/sh\necho "%s: $#" "$@"\n' $tool >bin/$tool
done
printf 'exit 3\n' >>bin/fails
printf 'exit 3\n' >>bin/show
printf 'exit 3\n' >>bin/last
printf 'cat\n' >>bin/single
chmod +x bin/*
export PATH="$work/bin:$PATH"

# one PROGRAM INPUT ARGUMENT... - what it prints and how it ends. What shell and find say of themselves is left out, and the time.
one()
{
	program=$1 input=$2
	shift 2
	printf '%b' "$input" | timeout 60 "$program" "$@" >out 2>err
	echo "status ${PIPESTATUS[1]}"
	sed 's/^Created: on .* at ... ... .* 20[0-9][0-9]$/Created: now/' out
	echo '-- standard error'
	sed -e '/^Usage: _is_archive file$/d' -e 's/Usage: _is_archive file$//' -e '/^ *basename: /d' -e "/^Try 'basename/d" \
		-e '/^pm[a-z]*: Cannot open archive/d' \
		-e 's/^.*pmafm: [0-9]*: \(.*: not found\)$/pmafm: \1/' err
}

# same PROGRAM INPUT ARGUMENT... - ours and the real one agree.
same()
{
	name=$1
	shift
	one "$build/compat/$name" "$@" >ours
	one "$peer" "$@" >theirs
	cmp -s ours theirs || fail "$name [$*]: $(diff theirs ours)"
}

commands='list,list verbose,list v,list x,list x y,l,lis,lisx,check,c,help,he,?,selections,s,sel x,remove,rem,archives,archives 1
hosts,hosts x,h,r,re,rep,ru,run,run ?,run no,run /bin/no,repeat,repeat ?,quit,q,q x,foo,LIST,replay,repl,repl x,show,show -x 1
run show,repeat show,single,run single a b,last -l,run last,fails,repeat last x,run /bin/show x,/bin/show,onlyreplay,run onlyreplay'
peer=/usr/bin/pmafm
if [ -x $peer ]; then
	for f in good hosts mismatch none nocreator configured unconfigured absolute serial sorry nobody; do
		echo "$commands" | tr '\n' ',' >list
		while read -r -d, words; do
			case "$f:$words" in good:* | serial:* | none:* | *:list* | *:check | *:rep* | *:sel*) ;; *) continue ;; esac
			# With a folder the real remove looks for the files in the wrong place, and pmchart opens windows.
			case "$words:$f" in rem*) ;; repl*:good | repl*:hosts | repl*:mismatch | repl*:none) continue ;; *) set -f; same pmafm '' "a/$f" $words; set +f ;; esac
		done <list
	done
	set -f
	for words in check selections remove 'list verbose'; do
		for f in many good hosts; do
			case "$words:$f" in remove:many) continue ;; esac
			[ "$words" = remove ] || same pmafm '' a/$f $words
			cd a && { same pmafm '' $f $words; same pmafm '' ./$f $words; cd ..; }
		done
	done
	set +f
	PCP_VAR_DIR=$work/none same pmafm '' a/good selections
	PCP_VAR_DIR=$work/none same pmafm 'run ?\nq\n' a/good
	HOME=$work/none same pmafm '' a/good run '?'
	for f in noversion nofolio nothing nope . one.meta; do
		same pmafm '' a/$f list
	done
	same pmafm ''
	same pmafm '' '-?'
	same pmafm '' --help
	for f in good serial hosts; do
		for input in '' '\n\n' 'list' 'list\nq\n' '  list  \n\tsel\n' 'archives 1 3\nlist\nsel\nhosts golden-a\nlist\nsel\narch\nlist\nhosts\nlist\nquit' \
			'archives one,v3\nlist\narchives x,1\nlist\narchives x y\nlist\narchives 0\narchives 01\narchives -1\narchives 9\nlist\n' \
			'archives 2 2 1\nsel\nlist\nshow\nsingle\nlist\n' 'hosts other\nsel\narchives v3\nsel\nlist\nshow x\narchives\nsel\nlist\n' \
			'hosts a, golden-a\nlist\nhosts golden\nlist\n' 'list "v"\nfoo"\nshow "a b" $HOME `id` ; x > y\n' 'run\nrepeat\nrun ?\nq 3\nlist\n' \
			'fails\nfoo\n' 'check\nhelp\n? x\n'; do
			same pmafm "$input" a/$f
		done
	done
	# With a folder it is the same command there.
	(cd a && $peer good remove) | sed "s,.*,( cd $work/a/; & )," >theirs
	"$build/compat/pmafm" a/good remove >ours
	cmp -s ours theirs || fail "remove with a folder: $(diff theirs ours)"
fi

peer=/usr/lib/pcp/bin/mkaf
if [ -x $peer ]; then
	cp -r a m
	cd m || exit 1
	mkdir deep deep/er
	copy b-v3-basic deep/er/x
	for words in '' '-?' -x -- '. --' one one.meta 'one.0 one.index' 'one.meta two.0 nope one.log xz.0.xz gz.index.gz' . d d/ ./d 'd d one.meta' "$work/m/d" \
		'-follow d' '-xdev d' '-follow -xdev d' 'd -xdev deep one.0' '-bogus d' empty nope 'nope empty conf' 'conf good' /dev/null -name --help 'one.meta -?' \
		'nometa.0 nodata.meta badmeta.0 badmeta.index badindex.meta baddata.meta noindex.0' deep '-maxdepth deep'; do
		set -f
		same mkaf '' $words
		set +f
	done
	cd ..
fi
[ -x /usr/bin/pmafm ] || { echo "no pmafm here to compare with"; [ $bad = 0 ] && exit 77; }
exit $bad
