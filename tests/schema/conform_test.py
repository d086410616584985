#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The schema may only grow: flatc --conform against every released one, and nothing of theirs is gone.

flatc does not object to a field that was removed from the end or renamed, so names are compared here. Broken copies of
the released schema must be refused, or the test would prove nothing.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

from fbs import Schema


# What 2.0 calls otherwise than 1.x did. A name is not in the file: the same table at the same id under its new name is
# the same bytes, and the freed name may be given to something else. Only what is listed here may be renamed.
RENAMED_IN_2_0 = (("table Part {", "table Shape {"), ("parts:[Part] (id: 2)", "shapes:[Shape] (id: 2)"))


def in_todays_words(path):
    """The text of a released schema, with the names that were changed on purpose."""
    text = path.read_text()
    if path.name.startswith("espalier_1."):
        for before, now in RENAMED_IN_2_0:
            if before not in text:
                sys.exit(f"{path.name} has no '{before}'")
            text = text.replace(before, now)
    return text


def objections(flatc, released, schema):
    """What stands against `schema` as the successor of `released`."""
    found = []
    result = subprocess.run([flatc, "--conform", released, schema], capture_output=True, text=True)
    if result.returncode != 0:
        found.append(result.stdout + result.stderr)
    old, new = Schema(released.read_text()), Schema(schema.read_text())
    for kind in ("tables", "structs"):
        for name, fields in getattr(old, kind).items():
            for field, layout in fields.items():
                now = getattr(new, kind).get(name, {}).get(field)
                if now != layout:
                    found.append(f"{name}.{field} was {layout} and is {now}")
    for name, size in old.sizes.items():
        if new.sizes.get(name) != size:
            found.append(f"struct {name} was {size} bytes and is {new.sizes.get(name)}")
    return found


# A change of the released schema that would break files or readers.
BREAKS = {
    "retyped field": ("depth:uint32 (id: 1)", "depth:uint64 (id: 1)"),
    "renumbered fields": ("bounds:Box (id: 0);              // decoded box of the root\n  depth:uint32 (id: 1);",
                          "bounds:Box (id: 1);\n  depth:uint32 (id: 0);"),
    "changed default": ("scale:double = 1.0", "scale:double = 2.0"),
    "grown struct": ("reserved:uint32;", "reserved:uint32;\n  more:uint32;"),
    "reordered struct": ("lo:Vec3;\n  hi:Vec3;", "hi:Vec3;\n  lo:Vec3;"),
    "removed field": ("  options:[Option] (id: 4);", "  //"),
    "renamed field": ("closed:bool", "watertight:bool"),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--flatc", required=True)
    parser.add_argument("--schema", type=pathlib.Path, required=True, help="the schema folder")
    options = parser.parse_args()
    current = options.schema / "espalier.fbs"
    released = sorted((options.schema / "released").glob("espalier_*.fbs"))
    problems = [] if released else ["there is no released schema"]
    with tempfile.TemporaryDirectory() as folder:
        for path in released:
            old = pathlib.Path(folder) / path.name
            old.write_text(in_todays_words(path))
            problems += [f"{old.name}: {text}" for text in objections(options.flatc, old, current)]
            for what, (before, after) in BREAKS.items():
                text = old.read_text()
                broken = pathlib.Path(folder) / "broken.fbs"
                broken.write_text(text.replace(before, after))
                if before not in text or not objections(options.flatc, old, broken):
                    problems.append(f"the test accepts a {what} after {old.name}")
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(released)} released schemas, {len(BREAKS)} breaking changes tried")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
