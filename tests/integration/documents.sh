#!/bin/sh
# Synthetic samples and D events through the emit sink in every format: strict parsers, schemas, and a cut after each write.
build=$1
here=$(cd "$(dirname "$0")/.." && pwd)
tools=$here/tools
docs=$here/../docs
demo=$build/tests/tools/emit-demo
command -v python3 >/dev/null || { echo "python3 is not installed: documents cannot be checked"; exit 77; }
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0
fail() { echo "$*"; failed=1; }

# The checker itself must know right from wrong.
"$tools/schema-check" "$docs/samples.schema.json" || fail "the examples of samples.schema.json do not fit it"
"$tools/schema-check" "$docs/oformat.schema.json" || fail "the examples of oformat.schema.json do not fit it"
refuses() { # SCHEMA DOCUMENT
	printf '%s' "$2" >"$tmp/wrong.json"
	"$tools/schema-check" "$docs/$1" "$tmp/wrong.json" >"$tmp/why" && fail "schema-check accepts $2"
	[ -s "$tmp/why" ] || fail "schema-check does not say why it refuses $2"
}
sample() { printf '{"perfolio":{"format-version":1,"samples":[%s]}}' "$1"; }
metric() { sample "{\"timestamp\":1,\"metrics\":[$1]}"; }
probe() { printf '{"dtrace":{"probes":[{"timestamp":1,"cpu":0,"id":1,"provider":"p","module":"","function":"","name":"n",%s}]}}' "$1"; }
refuses samples.schema.json '{"perfolio":{"samples":[]}}'
refuses samples.schema.json '{"perfolio":{"format-version":true,"samples":[]}}'
refuses samples.schema.json "$(sample '{"metrics":[]}')"
refuses samples.schema.json "$(sample '{"timestamp":1}')"
refuses samples.schema.json "$(sample '{"timestamp":1.5,"metrics":[]}')"
refuses samples.schema.json "$(sample '{"timestamp":1,"timestamp":1,"metrics":[]}')"
refuses samples.schema.json "$(sample '{"timestamp":1,"metrics":[]},')"
refuses samples.schema.json "$(metric '{"name":"a","semantics":"counter","units":"","value":NaN}')"
refuses samples.schema.json "$(metric '{"name":"a","semantics":"level","units":"","value":1}')"
refuses samples.schema.json "$(metric '{"name":"a","semantics":"instant","units":"","value":1,"rate":1}')"
refuses samples.schema.json "$(metric '{"name":"a","semantics":"counter","units":"","value":1,"rate":"1"}')"
refuses samples.schema.json "$(metric '{"name":"a","semantics":"counter","units":"","instances":[]}')"
refuses samples.schema.json "$(metric '{"name":"a","semantics":"instant","units":"","instances":[{"instance":"i","value":1,"rate":2}]}')"
refuses samples.schema.json "$(sample '{"timestamp":1,"gap":{"from":1,"until":2,"msg":"two\nlines"}}')"
refuses samples.schema.json "$(sample '{"timestamp":1,"probe":{"timestamp":1}}')"
refuses samples.schema.json "$(metric '{"name":"a","semantics":"instant","units":"","value":1,"events":[]}')"
refuses samples.schema.json "$(metric '{"name":"a","semantics":"instant","units":"","events":[{"flags":"point"}]}')"
refuses samples.schema.json "$(metric '{"name":"a","semantics":"instant","units":"","error":0}')"
refuses samples.schema.json "$(metric '{"name":"a","semantics":"instant","units":"","bytes":"12"}')"
refuses samples.schema.json "$(metric '{"name":"a","semantics":"counter","units":"","value":1,"msg":"no values"}')"
refuses samples.schema.json "$(sample '{"timestamp":1,"described":[{"name":"a","semantics":"instant","units":"","type":"INT","pmid":"1.2.3"}]}')"
refuses samples.schema.json "$(sample '{"timestamp":1,"domain":{"indom":"1.2","added":[]}}')"
refuses samples.schema.json "$(sample '{"timestamp":1,"labels":{"of":"host","labels":[]}}')"
refuses samples.schema.json "$(sample '{"timestamp":1,"text":{"of":"item","id":"1.2.3"}}')"
refuses oformat.schema.json "$(probe '"output":[{}]')"
refuses oformat.schema.json "$(probe '"flow":"entry"')"
refuses oformat.schema.json "$(probe '"output":[{"value":1,"encoding":"hex"}]')"
refuses oformat.schema.json "$(probe '"output":[{"value":1,"message":"x"}]')"
refuses oformat.schema.json "$(probe '"output":[{"stack-frames":[{"symbol":"a","name":"n"}]}]')"
refuses oformat.schema.json "$(probe '"output":[{"aggregation-data":[{"keys":[],"count":1,"sum":1}],"aggregation-name":"a"}]')"

# The examples of the manual are documents, or elements of one.
sed -n 's/^    //p' "$docs/samples.md" >"$tmp/examples"
sed -n '/^{"perfolio": {/,/^]}}/p' "$tmp/examples" >"$tmp/example.json"
grep '^{"timestamp"' "$tmp/examples" | grep -e '"gap"' -e '"drop"' -e '"probe"' >"$tmp/elements"
[ "$(wc -l <"$tmp/elements")" -eq 3 ] || fail "docs/samples.md: want an example of gap, drop and probe each"
(printf '{"perfolio": {"format-version":1}}\n'; cat "$tmp/elements") >"$tmp/example.jsonl"
"$tools/schema-check" "$docs/samples.schema.json" "$tmp/example.json" || fail "docs/samples.md: the document does not fit its schema"
"$tools/schema-check" --lines perfolio.samples "$docs/samples.schema.json" "$tmp/example.jsonl" || fail "docs/samples.md: an element does not fit"

for what in samples events mixed; do
	root=perfolio
	list=samples
	schema=$docs/samples.schema.json
	[ $what = events ] && root=dtrace && list=probes && schema=$docs/oformat.schema.json
	for format in json json,pretty json,pretty,indent=0 json,header,bigstr jsonl jsonl,header xml xml,pretty xml,header html html,pretty html,header csv; do
		[ $what,$format = mixed,csv ] && continue
		out=$tmp/$what.$format
		"$tools/cut-check" --min 4 --keep "$out" "${format%%,*}" $root "$demo" $what $format || { fail "$what as $format"; continue; }
		case $format in
		json*bigstr | html* | csv*) ;;
		jsonl*) "$tools/schema-check" --lines $root.$list "$schema" "$out" >"$tmp/why" || fail "$what as $format: $(cat "$tmp/why")" ;;
		json*) "$tools/schema-check" "$schema" "$out" >"$tmp/why" || fail "$what as $format: $(cat "$tmp/why")" ;;
		xml*) ! command -v xmllint >/dev/null || xmllint --noout "$out" || fail "$what as $format: xmllint refuses it" ;;
		esac
	done
done

# All forms tell the same: as many elements, the same leaves.
python3 - "$tmp" <<'END' || fail "the forms differ"
import json, sys, xml.etree.ElementTree as ET
tmp = sys.argv[1]
def leaves(v, name=None):
    if isinstance(v, dict):
        for k, x in v.items():
            yield from leaves(x, k)
    elif isinstance(v, list):
        for x in v:
            yield from leaves(x, name)
    else:
        yield name, v
def xml_leaves(e):
    for c in e:
        if len(c):
            yield from xml_leaves(c)
        else:
            yield c.tag, c.text or ""
for what, root, listname in (("samples", "perfolio", "samples"), ("events", "dtrace", "probes")):
    doc = json.load(open("%s/%s.json" % (tmp, what), encoding="utf-8"))
    pretty = json.load(open("%s/%s.json,pretty" % (tmp, what), encoding="utf-8"))
    lines = [json.loads(l) for l in open("%s/%s.jsonl" % (tmp, what), encoding="utf-8", newline="\n")]
    if root in lines[0]:
        lines = lines[1:]
    assert doc == pretty, what + ": pretty"
    assert doc[root][listname] == lines, what + ": jsonl"
    def shown(s):
        return "".join("\ufffd" if ord(c) < 32 and c not in "\t\n\r" else c for c in s)
    want = [(k, shown(v) if isinstance(v, str) else repr(v)) for k, v in leaves(doc) if k != "raw"]
    for f in ("xml", "xml,pretty"):
        have = [(k, v) for k, v in xml_leaves(ET.parse("%s/%s.%s" % (tmp, what, f)).getroot()) if k != "raw"]
        have = [(k, v) for k, v in have if k != "output"]
        assert [k for k, v in have] == [k for k, v in want], what + ": members of " + f
        for (k, v), (_, w) in zip(have, want):
            assert v == w or float(v) == float(w), "%s: %s: %s is %r, not %r" % (what, f, k, v, w)
END

# A reader that goes away ends it quietly; a full disk is said.
"$demo" samples json 2>"$tmp/err" | head -c 10 >/dev/null
[ -s "$tmp/err" ] && [ "$(cat "$tmp/err")" != "emit-demo: " ] && fail "a closed pipe is complained about: $(cat "$tmp/err")"
if [ -c /dev/full ]; then
	"$demo" samples json >/dev/full 2>"$tmp/err" && fail "a full disk is not noticed"
	grep -q "No space left" "$tmp/err" || fail "a full disk is not named: $(cat "$tmp/err")"
fi

# Cut by a limit on the file's size, the document ends at a piece and is whole.
(trap '' XFSZ; ulimit -f 4; exec "$demo" events json) >"$tmp/limited" 2>"$tmp/err" && fail "a file that may not grow is not noticed"
"$tools/schema-check" "$docs/oformat.schema.json" "$tmp/limited" || fail "a file that may not grow is left broken"
exit $failed
