#!/bin/sh
# install.sh BUILD - the installation has the program, the peers' names, manuals, header and licences, and works where it is put.
set -u
build=$1
work=$(mktemp -d "${TMPDIR:-/tmp}/install.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
bad=0

say()
{
	echo "$*"
	bad=1
}

if ! DESTDIR=$work/root meson install -C "$build" --no-rebuild >"$work/log" 2>&1; then
	echo "meson install failed: $(tail -n 1 "$work/log")"
	exit 1
fi
root=$(find "$work/root" -type f -path '*/bin/perfolio' | head -n 1)
root=${root%/bin/perfolio}
[ -n "$root" ] || { echo "bin/perfolio is not installed"; exit 1; }

case $("$root/bin/perfolio" --version) in
"perfolio "[0-9]*) ;;
*) say "the installed program does not tell its version" ;;
esac
for unit in perfolio perfolio-collectl; do
	program=$(sed -n 's/^ExecStart=\([^ ]*\) .*/\1/p' "$root/lib/systemd/system/$unit.service" 2>/dev/null)
	[ -n "$program" ] && [ -x "$work/root$program" ] || say "$unit.service does not start an installed program: '$program'"
done
for name in $(ls "$build/compat" | grep -v '^lib$'); do
	link=$root/libexec/perfolio/compat/$name
	[ "$(readlink -f "$link")" = "$(readlink -f "$root/bin/perfolio")" ] || say "$link does not lead to bin/perfolio"
done
doc=$root/share/doc/perfolio
for name in LICENSE.GPL-2.0 LICENSE.LGPL-2.1 NEWS.md README.md perfolio.conf.sample examples/hello.c examples/record.c examples/pmrecord.c docs/samples.schema.json \
	docs/oformat.schema.json; do
	[ -s "$doc/$name" ] || say "share/doc/perfolio/$name is not installed"
done
for name in $(grep -ohE '\]\([^)#:]+' "$doc/README.md" | sed 's/^](//'); do
	[ -s "$doc/$name" ] || say "the installed README.md leads to $name, which is not installed"
done
for page in "$(dirname "$0")"/../../man/*.[1-8]; do
	name=$(basename "$page")
	[ -s "$root/share/man/man${name##*.}/$name" ] || say "the manual page $name is not installed"
done
[ -s "$root/share/bash-completion/completions/perfolio" ] || say "the completion for bash is not installed"
for name in include/perfolio/module.h include/perfolio/record.h include/perfolio/compat/pcp/pmafm.h libexec/perfolio/compat/lib/libpcp_gui.so.2 \
	share/man/man3/pmRecordAddHost.3 share/man/man3/pmRecordControl.3; do
	[ -s "$root/$name" ] || say "$name is not installed"
done
[ "$(readlink -f "$root/libexec/perfolio/perfolio")" = "$(readlink -f "$root/bin/perfolio")" ] || say "libraries do not find perfolio in libexec/perfolio"

if command -v pkg-config >/dev/null; then
	pc=$(dirname "$(find "$root" -name perfolio.pc)")
	flags=$(PKG_CONFIG_PATH=$pc pkg-config --define-variable=prefix="$root" --cflags perfolio)
	printf '#include <perfolio/module.h>\nint main(void) { return PERFOLIO_MODULE_MAJOR == 0; }\n' >"$work/use.c"
	cc $flags -o "$work/use" "$work/use.c" 2>"$work/err" || say "pkg-config does not lead to the header: $(head -n 1 "$work/err")"
fi
exit $bad
