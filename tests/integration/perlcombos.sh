#!/bin/bash
# perlcombos.sh BUILD - 200 made-up combinations of switches with modules in Perl, over a raw file: the bytes of the real collectl?
set -u
. "$(dirname "$(readlink -f "$0")")/../tools/perl-setup"
install -d "$dir/work"
install -m 644 "$here/../modules/perl/combo.ph" "$dir/work"
python3 "$here/perlcombos.py" /usr/bin/collectl "$build/compat/collectl" "$dir/work" \
	"$here/../golden/collectl/raw/imp-vm-20261130-035702.raw.gz" 0 200
