#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts the instructions of the espalier command, every tree's queries and builds, and compares them with a baseline.

usage: command.py --espalier PROGRAM --corpus PROGRAM --golden DIR --baseline FILE --work DIR [--limit SHARE] [--update]

Works on any build of the command, so that nothing here moves when code does. A query's count is what one more round of its
poses takes (--repeat 2 less --repeat 1), on the stored assets of corpus/golden; a build's is the whole bake on one thread
less the start of the program. Only growth fails.

Counts belong to a compiler, C library and processor (AVX2), which the baseline names. On another one the limit is the wide
one, and without AVX2, where sphere builds take another path, those are told and not compared.
"""
import argparse
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

from check import ALLOWED_GROWTH, compare

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
# Mesh of espalier-corpus, number of triangles, bake options. Not Hubbard's spheres: CGAL's Delaunay triangulation relies on the
# rounding mode, which valgrind does not follow, and does not end.
BUILDS = {
    "build aabb": ("torus", 5000, "--trees aabb"),
    "build box": ("torus", 5000, "--trees box"),
    "build cell": ("torus", 2000, "--trees cell"),
    "build sphere": ("torus", 200, "--trees sphere --levels 2 --sphere-effort 0"),
    "build sphere octree": ("torus", 200, "--trees sphere --levels 3 --sphere-method octree"),
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

    def build(self, mesh, options):
        return self.count("bake", mesh, "-o", mesh.with_suffix(".espl"), "--jobs", 1, "--quiet", *options.split())


def count_all(options):
    counter = Counter(options.valgrind, options.espalier, options.work)
    counts = {name: counter.query(options.golden, question) for name, question in QUERIES.items()}
    start = counter.count("--version")
    for name, (kind, triangles, words) in BUILDS.items():
        mesh = pathlib.Path(options.work) / f"{kind}-{triangles}.off"
        subprocess.run([options.corpus, "make", kind, "--triangles", str(triangles), "-o", mesh], check=True)
        counts[name] = counter.build(mesh, words) - start
    return dict(sorted(counts.items()))


def first_line(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0]


def machine(options):
    """What the counts belong to."""
    cpu = pathlib.Path("/proc/cpuinfo").read_text()
    return {"compiler": options.compiler, "libc": " ".join(platform.libc_ver()),
            "valgrind": first_line(options.valgrind, "--version"), "avx2": bool(re.search(r"\bavx2\b", cpu))}


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
    stored = json.loads(options.baseline.read_text())
    baseline, limit = stored["instructions"], options.limit
    if stored["machine"] != here:
        limit = max(limit, ALLOWED_GROWTH)
        print(f"OTHER MACHINE: the baseline is of {stored['machine']},\n  this is {here};\n"
              f"  the limit is {100 * limit:g} % instead of {100 * options.limit:g} %")
        if stored["machine"]["avx2"] != here["avx2"]:
            for name in [n for n in baseline if n.startswith("build sphere")]:
                print(f"NOT COMPARED: {name}: {counts.pop(name, None)} instructions, {baseline.pop(name)} with other AVX2")
    compare(counts, baseline, limit)


if __name__ == "__main__":
    main()
