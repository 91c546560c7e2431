#!/usr/bin/env python3
"""sealdocs.py BUILD FOLDER - documents of samples and of D programs, cut at many places or with a byte that is none: after perfolio verify --seal they
are documents again, their whole elements are there, and what is missing is marked. A second time nothing is done."""
import csv
import html.parser
import io
import json
import os
import subprocess
import sys
import xml.etree.ElementTree

BUILD, WORK = sys.argv[1:3]
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SAYS = "something was lost here"
LISTS = {"samples": ("perfolio", "samples"), "events": ("dtrace", "probes")}
SCHEMAS = {"samples": "samples", "events": "oformat"}
bad = []


def fail(text):
    bad.append(text)


def run(*argv):
    return subprocess.run(argv, capture_output=True)


class Elements(html.parser.HTMLParser):
    """The outermost divs, each as its text."""

    def __init__(self):
        super().__init__()
        self.depth = 0
        self.list = []

    def handle_starttag(self, tag, attrs):
        if self.depth == 0:
            self.list.append("")
        self.depth += 1

    def handle_endtag(self, tag):
        self.depth -= 1
        if self.depth < 0:
            raise ValueError("</%s> closes nothing" % tag)

    def handle_data(self, data):
        if self.depth > 0:
            self.list[-1] += data
        elif data.strip():
            raise ValueError("text outside")


def elements(form, kind, data):
    """What is in it, in a form that can be compared; an error if it is no document."""
    root, name = LISTS[kind]
    text = data.decode("utf-8")
    if form.startswith("json") and not form.startswith("jsonl"):
        return [json.dumps(e) for e in json.loads(text)[root][name]]
    if form == "jsonl":
        lines = [json.loads(line) for line in text.split("\n") if line]
        return [json.dumps(e) for e in lines if list(e) != [root]]
    if form.startswith("xml"):
        return [xml.etree.ElementTree.tostring(e).strip().decode() for e in xml.etree.ElementTree.fromstring(text).findall(name)]
    if form == "csv":
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
        if any(len(row) != len(rows[0]) for row in rows):
            raise ValueError("rows differ in length")
        return [",".join(row) for row in rows[1:]]
    parser = Elements()
    parser.feed(text)
    parser.close()
    if parser.depth:
        raise ValueError("open: %d" % parser.depth)
    return parser.list


def case(form, kind, whole, data, what, complete):
    path = os.path.join(WORK, "x." + form.split(",")[0])
    with open(path, "wb") as f:
        f.write(data)
    p = run(BUILD + "/perfolio", "verify", "--seal", path)
    what = "%s %s %s" % (kind, form, what)
    with open(path, "rb") as f:
        sealed = f.read()
    if p.returncode == 4:
        if complete > 0:
            fail("%s: unusable, though %d elements are whole: %s" % (what, complete, p.stdout.decode()))
        if sealed != data:
            fail("%s: unusable, but changed" % what)
        return
    if p.returncode not in (0, 3):
        fail("%s: status %d: %s" % (what, p.returncode, p.stdout.decode()))
        return
    try:
        have = elements(form, kind, sealed)
    except Exception as e:
        fail("%s: sealed, but no document: %s: ...%r" % (what, e, sealed[-200:]))
        return
    marks = [e for e in have if SAYS in e]
    kept = [e for e in have if SAYS not in e]
    if len(kept) < complete or any(e not in whole for e in kept):
        fail("%s: %d elements are kept, %d are whole" % (what, len(kept), complete))
    # What comes first may be a header, of which the time is not known.
    if p.returncode == 3 and len(kept) > 1 and not marks:
        fail("%s: with loss, but no mark" % what)
    if p.returncode == 0 and marks:
        fail("%s: without loss, but a mark" % what)
    if form == "json":
        s = run(TOP + "/tests/tools/schema-check", TOP + "/docs/%s.schema.json" % SCHEMAS[kind], path)
        if s.returncode:
            fail("%s: %s" % (what, s.stdout.decode()))
    p = run(BUILD + "/perfolio", "verify", "--seal", path)
    with open(path, "rb") as f:
        if p.returncode or f.read() != sealed:
            fail("%s: sealing again does something: %s" % (what, p.stdout.decode()))
    if os.path.exists(path + ".orig-1"):
        os.remove(path + ".orig-1")


def main():
    for kind in ("samples", "events"):
        for form in ("json", "jsonl", "xml", "csv", "html", "json,pretty", "xml,pretty"):
            data = run(BUILD + "/tests/tools/emit-demo", kind, form).stdout
            whole = elements(form, kind, data)
            case(form, kind, whole, data, "whole", len(whole))
            step = len(data) // 9
            for cut in list(range(step, len(data), step)) + [len(data) - 1, len(data) - 3]:
                case(form, kind, whole, data[:cut], "cut at %d" % cut, 0)
            if "pretty" in form:
                continue
            # A byte that is in no document, in the second half: what is behind it stays but for its own element.
            at = len(data) // 2
            broken = data[:at] + b"\x00" + data[at + 1:]
            case(form, kind, whole, broken, "a zero byte at %d" % at, len(whole) // 2 if form in ("json", "jsonl", "csv", "html") else 1)
    for text in bad[:20]:
        print(text)
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
