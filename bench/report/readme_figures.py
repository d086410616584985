#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the claims of README.md's first screen, with figures out of the summary of RESULTS.md, between their two marks.

usage: readme_figures.py [--check] [--root DIR]      --check: only say whether they are what RESULTS.md has
"""

import argparse
import pathlib
import re
import sys

BEGIN, END = "<!-- figures of bench/RESULTS.md -->\n", "<!-- end of figures -->\n"
CLAIMS = """\
- **Fast**: first contact {fast} times as fast as the best hierarchy of FCL ({cells} of model and placements, never below {worst} times).
- **There at once**: a file of a million triangles opens in {open_time}, fully verified at {verify_speed}; {aabb_bytes} bytes a triangle for the fastest hierarchy, {box_bytes} for the smallest.
- **Proved**: spheres that cover the whole surface of {covered} models, with {error} of an octree's mean error at level 3; a query stopped at any moment still bounds the distance ({wrong_bounds} bounds were wrong).
"""


def summary(text):
    """figure -> (measured, detail) of the table "Summary"."""
    table = text.split("## Summary", 1)[1].split("\n## ", 1)[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines() if line.startswith("|")]
    return {row[1]: (row[3].replace("**", ""), row[4]) for row in rows if len(row) == 5}


def claims(text):
    rows = summary(text)

    def row(begin):
        found = [value for name, value in rows.items() if name.startswith(begin)]
        if len(found) != 1:
            sys.exit(f"readme_figures: RESULTS.md has {len(found)} figures that begin with '{begin}'")
        return found[0]

    def number(begin):
        return re.match(r"×?[0-9.,]+", row(begin)[0])[0].lstrip("×")

    fast, detail = row("first contact, A and B")
    errors = re.findall(r"×([0-9.]+)", row("spheres: mean error, ours / octree")[0])
    return CLAIMS.format(
        fast=fast.lstrip("×"),
        cells=re.search(r"[0-9]+ cells", detail)[0].replace("cells", "pairs"),
        worst=re.search(r"worst ×([0-9.]+)", detail)[1],
        open_time=row("opening 1,000,000 triangles without verification")[0],
        verify_speed=row("opening 1,000,000 triangles, full verification")[0],
        aabb_bytes=number("aabb tree, bytes a triangle"),
        box_bytes=number("box tree, leaf 8: bytes a triangle"),
        covered=row("spheres: coverage of the whole surface proved")[0],
        error=f"{100 * float(errors[2]):.0f} %",
        wrong_bounds=row("time-critical: the exact separation lies within the bounds")[0],
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2])
    options = parser.parse_args()
    page = options.root / "README.md"
    before, rest = page.read_text().split(BEGIN, 1)
    there, after = rest.split(END, 1)
    wanted = claims((options.root / "bench" / "RESULTS.md").read_text())
    if not options.check:
        page.write_text(before + BEGIN + wanted + END + after)
    elif there != wanted:
        print(f"README.md says:\n{there}\nbench/RESULTS.md has:\n{wanted}\nbench/report/readme_figures.py writes it", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
