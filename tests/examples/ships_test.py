#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Short flights of example_ships: the same frames in every run; without a limit, every mode finds the same collisions; with a
small budget, what is found is cautious and the budget is kept."""

import argparse
import csv
import pathlib
import subprocess
import sys

SHIPS, FRAMES = 24, 24


def fly(options, mode, name, *extra):
    out = options.work / name
    folder = "octree" if mode == "octree" else "medial"
    files = sorted((options.work / folder).glob("*.espl"))
    subprocess.run([options.program, *files, "--mode", mode, "--ships", str(SHIPS), "--frames", str(FRAMES),
                    "--crowding", "0.5", "--out", out, *extra], check=True, stdout=subprocess.DEVNULL)
    return out.with_suffix(".csv").read_text()


def rows(text):
    return list(csv.DictReader(text.splitlines()))


def column(text, name):
    return [row[name] for row in rows(text)]


def prepare(options):
    for kind, method in (("octree", "octree"), ("medial", "best")):
        (options.work / kind).mkdir(parents=True, exist_ok=True)
        for mesh in ("desk-lamp", "torus"):
            off = options.work / f"{mesh}.off"
            subprocess.run([options.corpus, "make", mesh, "--triangles", "1000", "-o", off], check=True)
            subprocess.run([options.espalier, "bake", off, "-o", options.work / kind / f"{mesh}.espl", "--quiet", "--levels",
                            "3", "--trees", "aabb,sphere", "--sphere-method", method], check=True)


def check(options):
    problems = []

    def expect(condition, words):
        if not condition:
            problems.append(words)

    exact = fly(options, "exact", "exact", "--exact", "first")
    expect(len(rows(exact)) == FRAMES, "a line a frame")
    expect(sum(map(int, column(exact, "responses"))) > 5, "ships bounce")
    for mode in ("octree", "medial"):
        for extra in ((), ("--fresh",), ("--order", "best")):
            whole = fly(options, mode, f"{mode}-whole", *extra)
            for name in ("pairs", "responses", "due"):
                expect(column(whole, name) == column(exact, name), f"{mode} {extra}: {name} as in exact mode")
            expect(all(float(s) == 0 for s in column(whole, "separation_max")), f"{mode} {extra}: only contacts")
        some = fly(options, mode, f"{mode}-some", "--budget", "2000")
        again = fly(options, mode, f"{mode}-again", "--budget", "2000")
        expect(some == again, f"{mode}: the same frames in every run")
        for row in rows(some):
            # Every pair gets its first slices, whatever the budget says.
            limit = 2000 + 8 + 700 * int(row["pairs"])
            expect(int(row["node_tests"]) <= limit, f"{mode} frame {row['frame']}: {row['node_tests']} node tests")
            expect(float(row["separation_max"]) <= float(row["bound_max"]) + 1e-6, f"{mode} frame {row['frame']}: bound")
        expect(any(float(s) > 0 for s in column(some, "separation_max")), f"{mode}: a small budget is cautious")
        expect((options.work / f"{mode}-some.svg").read_text().startswith("<svg"), "a picture")
    expect(subprocess.run([options.program, options.work / "medial" / "torus.espl", "--mode", "octree"],
                          stderr=subprocess.DEVNULL).returncode == 3, "files of the wrong kind are refused")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("program", "espalier", "corpus", "work"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    options = parser.parse_args()
    prepare(options)
    problems = check(options)
    for problem in problems[:20]:
        print(f"problem: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
