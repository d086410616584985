#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts the instructions of the espalier command, every tree's queries and some bakes, and compares them with a baseline.

usage: command.py --espalier PROGRAM --corpus PROGRAM --golden DIR --baseline FILE --work DIR [--limit SHARE] [--update]

Works on any build of the command, so that nothing here moves when code does. A query's count is what one more round of its
poses takes (--repeat 2 less --repeat 1), on the stored assets of corpus/golden; a bake's is the whole command on one thread
less the start of the program. Only growth fails.

Counts belong to a compiler, C library and processor (AVX2), which the baseline names. On another one the limit is the wide
one, and that is said.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from check import compare, first_line, machine

# Asset of corpus/golden and a question.
QUERIES = {
    "aabb first": "gear --tree aabb --mode first",
    "aabb all": "gear --tree aabb --mode all",
    "aabb distance": "gear --tree aabb --mode distance",
    "box first": "gear --tree box --mode first",
    "box all": "gear --tree box --mode all",
    "box distance": "gear --tree box --mode distance",
    "cell first": "gear --tree cell --mode first",
    "cell first clip": "gear --tree cell --mode first --overlap clip",
    "cell all": "gear --tree cell --mode all",
    "cell distance": "gear --tree cell --mode distance",
    "sphere first": "gear --tree sphere --mode first",
    "sphere distance": "gear --tree sphere --mode distance",
    "sphere distance level": "gear --tree sphere --mode distance --order level",
    "sphere budget 300": "gear --tree sphere --mode distance --budget 300",
    "sphere dag distance": "craft-dag --tree sphere --mode distance",
}
# Mesh of espalier-corpus, number of triangles, bake options: from file to file. The builds alone, spheres included, are in
# main.cpp.
BAKES = {
    "bake aabb": ("torus", 5000, "--trees aabb"),
    "bake box": ("torus", 5000, "--trees box"),
    "bake cell": ("torus", 2000, "--trees cell"),
}


class Counter:
    def __init__(self, valgrind, espalier, work):
        self.valgrind, self.espalier, self.work = valgrind, espalier, pathlib.Path(work)

    def count(self, *words):
        """Instructions of one run of the command."""
        with tempfile.TemporaryDirectory(dir=self.work) as folder:
            profile = pathlib.Path(folder) / "profile"
            done = subprocess.run([self.valgrind, "--tool=callgrind", "-q", f"--callgrind-out-file={profile}",
                                   self.espalier, *map(str, words)], capture_output=True, text=True, timeout=300,
                                  env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C"})
            if done.returncode != 0:
                sys.exit(f"command.py: {' '.join(map(str, words))} failed:\n{done.stdout}{done.stderr}")
            return int(re.search(r"^(?:summary|totals): (\d+)", profile.read_text(errors="replace"), re.M).group(1))

    def query(self, golden, question):
        asset, *words = question.split()
        path = golden / f"{asset}.espl"
        command = ["query", path, path, "--poses", golden / "poses.txt", "--results", self.work / f"{os.getpid()}.results", *words]
        return self.count(*command, "--repeat", 2) - self.count(*command, "--repeat", 1)

    def bake(self, mesh, options):
        return self.count("bake", mesh, "-o", mesh.with_suffix(".espl"), "--jobs", 1, "--quiet", *options.split())


def count_all(options):
    counter = Counter(options.valgrind, options.espalier, options.work)
    counts = {name: counter.query(options.golden, question) for name, question in QUERIES.items()}
    start = counter.count("--version")
    for name, (kind, triangles, words) in BAKES.items():
        mesh = pathlib.Path(options.work) / f"{kind}-{triangles}.off"
        subprocess.run([options.corpus, "make", kind, "--triangles", str(triangles), "-o", mesh], check=True)
        counts[name] = counter.bake(mesh, words) - start
    return dict(sorted(counts.items()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--espalier", required=True)
    parser.add_argument("--corpus", required=True, help="the command espalier-corpus")
    parser.add_argument("--golden", required=True, type=pathlib.Path, help="folder of the assets and poses to ask")
    parser.add_argument("--baseline", required=True, type=pathlib.Path)
    parser.add_argument("--work", required=True)
    parser.add_argument("--compiler", default="g++ " + first_line("g++", "-dumpfullversion"), help="that made the command")
    parser.add_argument("--valgrind", default="valgrind")
    parser.add_argument("--limit", type=float, default=0.01, help="by which share a count may grow (0.01)")
    parser.add_argument("--update", action="store_true", help="write the baseline instead")
    options = parser.parse_args()
    pathlib.Path(options.work).mkdir(parents=True, exist_ok=True)

    here = machine(options)
    counts = count_all(options)
    if options.update:
        options.baseline.write_text(json.dumps({"machine": here, "instructions": counts}, indent=2) + "\n")
        print(f"wrote {len(counts)} counts to {options.baseline}")
        return
    compare(counts, json.loads(options.baseline.read_text()), here, options.limit)


if __name__ == "__main__":
    main()
