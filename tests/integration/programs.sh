#!/bin/sh
# programs.sh BUILD - the examples for programs that record build by the lines that they document, against an installation and the build tree,
# and record; the headers compile alone; libperfolio exports its calls only, and needs the C library only.
set -u
unset LD_LIBRARY_PATH
build=$1
source=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/programs.XXXXXX") || exit 1
export PMCD_PORT=44932
cleanup()
{
	TMPDIR=$work "$source/tests/tools/pmcd-up" stop >/dev/null 2>&1
	rm -rf "$work"
}
trap cleanup EXIT
bad=0

say()
{
	echo "$*"
	bad=1
}

command -v pkg-config >/dev/null || { echo "pkg-config is not installed"; exit 77; }
if ! DESTDIR=$work/root meson install -C "$build" --no-rebuild >"$work/log" 2>&1; then
	echo "meson install failed: $(tail -n 1 "$work/log")"
	exit 1
fi
bin=$(find "$work/root" -type f -path '*/bin/perfolio' | head -n 1)
root=${bin%/bin/perfolio}
pc=$(dirname "$(find "$root" -name perfolio.pc)")
lib=$(dirname "$pc")
examples=$root/share/doc/perfolio/examples
flags=
grep -q '"name": "b_sanitize", "value": "none"' "$build/meson-info/intro-buildoptions.json" 2>/dev/null || flags=-fsanitize=address,undefined

# What the library is made of.
nm -D --defined-only "$lib/libperfolio.so.0" | awk '$2 == "T" { print $3 }' | sort >"$work/exports"
sed -n 's/^\t\t\(perfolio_.*\);$/\1@@PERFOLIO_0.1/p' "$source/src/api/perfolio.map" | sort | diff - "$work/exports" >"$work/diff" ||
	say "libperfolio exports otherwise than its list: $(head -n 3 "$work/diff" | tr '\n' ' ')"
for name in $(grep -o '^[a-z].*perfolio_record_[a-z]*(' "$root/include/perfolio/record.h" | grep -o 'perfolio_record_[a-z]*($' | tr -d '('); do
	grep -q "^$name@" "$work/exports" || say "record.h declares $name, which is not exported"
	grep -q "$name" "$source/man/perfolio-record.3" || say "perfolio-record(3) does not tell of $name"
done
needed=$(readelf -d "$lib/libperfolio.so.0" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -v -e '^libc\.so' -e '^libasan' -e '^libubsan' -e '^ld-linux')
[ -z "$needed" ] || say "libperfolio needs more than the C library: $needed"

# The headers alone, strictly, in both languages.
for header in perfolio/record.h perfolio/compat/pcp/pmafm.h; do
	echo "#include <$header>" >"$work/alone.c"
	cc -std=c99 -Wall -Wextra -Werror -pedantic -D_POSIX_C_SOURCE=200809L -I"$root/include" -fsyntax-only "$work/alone.c" ||
		say "$header does not compile alone as C99"
	cp "$work/alone.c" "$work/alone.cc"
	if command -v c++ >/dev/null; then
		c++ -std=c++11 -Wall -Wextra -Werror -pedantic -I"$root/include" -fsyntax-only "$work/alone.cc" ||
			say "$header does not compile alone as C++11"
	fi
done

# pkg-config of the installation, which lies elsewhere than it says; cc with what the build has.
mkdir "$work/bin"
real_pkg=$(command -v pkg-config)
real_cc=$(command -v cc)
printf '#!/bin/sh\nexec %s ${PREFIX:+--define-variable=prefix=$PREFIX} "$@"\n' "$real_pkg" >"$work/bin/pkg-config"
printf '#!/bin/sh\nexec %s -Wall -Wextra -Werror %s "$@"\n' "$real_cc" "$flags" >"$work/bin/cc"
chmod +x "$work/bin/pkg-config" "$work/bin/cc"
PATH=$work/bin:$PATH

# build_example NAME - by the line in it.
build_example()
{
	cp "$examples/$1.c" .
	line=$(sed -n 's/^ \*     \(cc .*pkg-config.*)\)$/\1/p' "$1.c")
	[ -n "$line" ] || { say "$1.c does not tell how it is built"; return 1; }
	eval "$line" 2>err || { say "$1.c: $line: $(head -n 1 err)"; return 1; }
}

# try_record WHERE - this host, twice, and what is told.
try_record()
{
	./record run.folio 2 self: self: >out 2>err || say "$1: exit $?: $(head -n 1 err)"
	[ "$(grep -c ': complete, in ' out)" = 2 ] || say "$1: not both are complete: $(tail -n 2 out | tr '\n' ' ')"
	grep -qE ': [1-9][0-9]* samples, [1-9][0-9]* bytes$' out || say "$1: nothing is told of the samples: $(head -n 1 out)"
	[ ! -s err ] || say "$1: says: $(head -n 1 err)"
	"$bin" replay run.folio -sc >view 2>err || say "$1: replay: exit $?: $(head -n 1 err)"
	[ "$(ls | grep -c '\.log$')" = 0 ] || say "$1: logs of nothing are left: $(ls)"
	./record run.folio 1 >out 2>err && say "$1: a folio that is there is taken"
	grep -q 'run.folio is there already' err || say "$1: a folio that is there: $(head -n 1 err)"
	./record bad.folio 1 'a/b' >out 2>err && say "$1: a host that is none is taken"
	grep -q "names no host" err || say "$1: a host that is none: $(head -n 1 err)"
	[ ! -e bad.folio ] || say "$1: a session that could not be leaves its folio"
}

mkdir "$work/installed" "$work/tree"
cd "$work/installed" || exit 1
PREFIX=$root PKG_CONFIG_PATH=$pc
export PREFIX PKG_CONFIG_PATH
LD_LIBRARY_PATH=$lib
export LD_LIBRARY_PATH
build_example record && try_record installed
cd "$work/tree" || exit 1
unset PREFIX
PKG_CONFIG_PATH=$build/meson-uninstalled LD_LIBRARY_PATH=$build/src/api
build_example record && try_record "build tree"

# The calls of PCP: by what is installed, by the build tree, and with the header and library of PCP.
unset LD_LIBRARY_PATH
build_example pmrecord && readelf -d pmrecord | grep -q 'NEEDED.*libpcp_gui.so.2' || say "pmrecord of the build tree does not need libpcp_gui.so.2"
cd "$work/installed" || exit 1
PREFIX=$root PKG_CONFIG_PATH=$pc
export PREFIX
build_example pmrecord || exit 1
./pmrecord >out 2>err
[ $? = 2 ] || say "pmrecord without words: $(head -n 1 err)"
if [ -x "$root/libexec/perfolio/compat/pmlogger" ]; then
	libexec=
elif [ -x /usr/lib/pcp/bin/pmlogger ]; then
	libexec=$work/pcp
	mkdir -p "$libexec/compat"
	ln -s /usr/lib/pcp/bin/pmlogger "$libexec/compat/pmlogger"
else
	echo "there is no pmlogger: pmrecord records nothing"
	exit $bad
fi
if ! TMPDIR=$work "$source/tests/tools/pmcd-up" start >/dev/null 2>err; then
	echo "without a real pmcd pmrecord records nothing: $(head -n 1 err)"
	exit $bad
fi
eval "$(TMPDIR=$work "$source/tests/tools/pmcd-up" env)"
unset DISPLAY
LD_LIBRARY_PATH=$lib ./record pmcd.folio 3 localhost self: >out 2>err || say "record of a pmcd: exit $?: $(head -n 1 err)"
grep -q '^localhost: complete, in ' out || say "record of a pmcd: $(tail -n 1 out)"
LD_LIBRARY_PATH=$lib ./record silent.folio 1 127.0.0.1:9 self: >out 2>err
grep -q ': complete, in ' out || say "a host that does not answer stops the other: $(cat out err)"
for program in pmrecord pmrecord-pcp; do
	if [ $program = pmrecord-pcp ]; then
		[ -z "$flags" ] && [ -e /usr/include/pcp/pmafm.h ] || continue
		"$real_cc" -o pmrecord-pcp pmrecord.c -lpcp_gui 2>err || { say "pmrecord.c does not build with PCP: $(head -n 1 err)"; continue; }
		LD_LIBRARY_PATH=$root/libexec/perfolio/compat/lib
		export LD_LIBRARY_PATH
	fi
	PERFOLIO_LIBEXEC=$libexec ./$program $program.folio 3 localhost 127.0.0.1 >out 2>err || say "$program: exit $?: $(head -n 1 err)"
	for base in $(awk '$1 == "Archive:" { print $3 }' $program.folio); do
		pmdumplog -l "$base" >label 2>err || say "$program: $base is no archive: $(head -n 1 err)"
	done
	[ "$(grep -c '^Archive:' $program.folio)" = 2 ] || say "$program: the folio has not two archives"
done
exit $bad
