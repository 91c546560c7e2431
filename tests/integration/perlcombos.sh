#!/bin/bash
# perlcombos.sh BUILD - 200 made-up combinations of switches with modules in Perl, over a raw file: the bytes of the real collectl?
set -u
build=$(readlink -f "$1")
here=$(dirname "$(readlink -f "$0")")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export TZ=UTC LC_ALL=C HOME=/nonexistent
# As in perl.sh.
printf 'leak:add_to_global_resize\nleak:_dlerror_run\n' >"$dir/lsan"
export LSAN_OPTIONS=use_tls=0:print_suppressions=0:suppressions=$dir/lsan

if [ ! -e "$build/modules/perl/perl.so" ]; then
	echo "this build has no Perl (libperl-dev)"
	exit 77
fi
if [ ! -e /usr/share/collectl/misc.ph ]; then
	echo "collectl is not installed"
	exit 77
fi
install -d "$dir/work"
install -m 644 "$here/../modules/perl/combo.ph" "$dir/work"
python3 "$here/perlcombos.py" /usr/bin/collectl "$build/compat/collectl" "$dir/work" \
	"$here/../golden/collectl/raw/imp-vm-20261130-035702.raw.gz" 0 200
