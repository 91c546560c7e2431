#!/bin/sh
# slabs.sh BUILD - --showslabaliases and --showrootslabs: links of /sys/kernel/slab below --root, and beside collectl where /sys/slab can be had.
set -u
build=$1
perfolio=$build/perfolio
work=$(mktemp -d "${TMPDIR:-/tmp}/slabs.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
bad=0

fail()
{
	echo "$*"
	bad=1
}

# make FOLDER - caches as SLUB shows them.
make()
{
	mkdir -p "$1"
	for cache in :0000064 :at-0000104 :0000192 task_struct; do
		mkdir "$1/$cache"
		for file in object_size slab_size objects total_objects slabs objs_per_slab order; do
			echo 1 >"$1/$cache/$file"
		done
	done
	ln -s :0000064 "$1/kmalloc-64"
	ln -s :0000064 "$1/anon_vma_chain"
	ln -s :at-0000104 "$1/buffer_head"
	ln -s :at-0000104 "$1/ext4_prealloc_space"
	ln -s :0000192 "$1/cred_jar"
}

# expect WHAT ARGUMENT... - standard input is what is printed.
expect()
{
	what=$1
	shift
	cat >"$work/want"
	"$perfolio" --root "$work/root" "$@" >"$work/out" 2>&1 || fail "$what: status $?"
	cmp -s "$work/want" "$work/out" || fail "$what: $(diff "$work/want" "$work/out")"
}

make "$work/root/sys/kernel/slab"
ln -s :0000064 "$work/root/sys/kernel/slab/$(printf 'esc\033[2J')"
expect aliases --showslabaliases <<'END'
:0000064             anon_vma_chain esc\x1b[2J kmalloc-64
:at-0000104          buffer_head ext4_prealloc_space
END
expect roots --showrootslabs <<'END'
:0000064              anon_vma_chain esc\x1b[2J kmalloc-64
:0000192              cred_jar
:at-0000104           buffer_head ext4_prealloc_space
END
expect "chosen roots" --showrootslabs --slabfilt kmalloc,cred <<'END'
:0000064              kmalloc-64
:0000192              cred_jar
END
mkdir "$work/bare"
"$perfolio" --root "$work/bare" --showslabaliases >"$work/out" 2>&1
status=$?
[ $status -eq 1 ] && [ "$(wc -l <"$work/out")" -eq 1 ] && grep -q /sys/kernel/slab "$work/out" || fail "without the folder: status $status, $(cat "$work/out")"

# Beside collectl: in a mount namespace of our own, where /sys is empty but for the caches.
cat >"$work/beside" <<'END'
mount -t tmpfs none /sys || exit 77
mkdir -p /sys/class/net /sys/block /sys/devices/system/cpu /sys/devices/system/node /sys/slab
cp -a "$2/root/sys/kernel/slab/." /sys/slab/
rm /sys/slab/esc*
for arguments in --showslabaliases --showrootslabs "--showrootslabs --showslabaliases" "--showslabaliases --slabfilt kmalloc" "--showrootslabs --slabfilt buffer,cred"; do
	collectl $arguments >"$2/theirs"; echo $? >>"$2/theirs"
	"$1" $arguments >"$2/ours"; echo $? >>"$2/ours"
	cmp -s "$2/theirs" "$2/ours" || { echo "$arguments: $(diff "$2/theirs" "$2/ours")"; exit 1; }
done
END
if command -v collectl >/dev/null && unshare --mount true 2>/dev/null; then
	unshare --mount sh "$work/beside" "$build/compat/collectl" "$work" >"$work/said" 2>&1
	[ $? -eq 1 ] && fail "unlike collectl: $(cat "$work/said")"
	collectl --showslabaliases >"$work/theirs" 2>&1
	echo $? >>"$work/theirs"
	"$build/compat/collectl" --showslabaliases >"$work/ours" 2>&1
	echo $? >>"$work/ours"
	cmp -s "$work/theirs" "$work/ours" || fail "without /sys/slab: $(diff "$work/theirs" "$work/ours")"
fi
exit $bad
