#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares our instruction counts a protocol with bench/baseline.json; fails when one grew by more than a limit.

usage: check.py --program PROGRAM --baseline FILE --work DIR [--valgrind PATH] [--limit SHARE] [--update]

--update writes the counts to the baseline instead. Lower counts never fail; update the baseline to hold them.
"""
import argparse
import json
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

# On another compiler or machine than the baseline's counts differ by some percent for no reason of ours.
ALLOWED_GROWTH = 0.10


def count(valgrind, program, work):
    """Runs the program under callgrind; returns {"torus A": instructions}."""
    with tempfile.TemporaryDirectory(dir=work) as folder:
        out = pathlib.Path(folder) / "profile"
        subprocess.run([valgrind, "--tool=callgrind", "--instr-atstart=no", "--error-exitcode=0", "-q",
                        f"--callgrind-out-file={out}", program, folder], check=True)
        counts = {}
        for profile in pathlib.Path(folder).glob("profile*"):
            text = profile.read_text(errors="replace")
            name = re.search(r"^desc: Trigger: Client Request: (.+)$", text, re.M)
            total = re.search(r"^totals: (\d+)", text, re.M)
            if name and total:
                counts[name.group(1).strip()] = int(total.group(1))
        return dict(sorted(counts.items()))


def first_line(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0]


def machine(options):
    """What the counts belong to."""
    cpu = pathlib.Path("/proc/cpuinfo").read_text()
    return {"compiler": options.compiler, "libc": " ".join(platform.libc_ver()),
            "valgrind": first_line(options.valgrind, "--version"), "avx2": bool(re.search(r"\bavx2\b", cpu))}


def compare(counts, stored, here, limit):
    """Prints every count beside its baseline; ends the program when one grew by more than the share `limit`.

    Counts belong to a compiler, C library, valgrind and processor. On others than the baseline's the limit is the wide one,
    and where only one of the two has AVX2, sphere builds, which then take another path, are told and not compared.
    """
    baseline = stored["instructions"]
    if stored["machine"] != here:
        limit = max(limit, ALLOWED_GROWTH)
        print(f"OTHER MACHINE: the baseline is of {stored['machine']},\n  this is {here}: the limit is {100 * limit:g} %")
        if stored["machine"]["avx2"] != here["avx2"] and "build sphere" in baseline:
            print(f"NOT COMPARED: build sphere: {counts.pop('build sphere', None)} instructions; "
                  f"{baseline.pop('build sphere')} in the baseline")
    failures = sorted(set(baseline) ^ set(counts))
    for name in failures:
        print(f"{name}: only in the {'baseline' if name in baseline else 'run'}; update the baseline")
    for name in sorted(set(baseline) & set(counts)):
        growth = counts[name] / baseline[name] - 1
        bad = growth > limit
        print(f"{'GREW ' if bad else '     '}{name:32} {counts[name]:12} instructions, {100 * growth:+.2f} %")
        if bad:
            failures.append(name)
    if failures:
        sys.exit(f"{len(failures)} of {len(baseline)} protocols failed; the limit is {100 * limit:g} %")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--baseline", required=True, type=pathlib.Path)
    parser.add_argument("--work", required=True)
    parser.add_argument("--valgrind", default="valgrind")
    parser.add_argument("--limit", type=float, default=ALLOWED_GROWTH, help="by which share a count may grow")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--compiler", default="g++ " + first_line("g++", "-dumpfullversion"), help="that made the program")
    options = parser.parse_args()

    here = machine(options)
    counts = count(options.valgrind, options.program, options.work)
    if not counts:
        sys.exit("check.py: callgrind left no counts")
    if options.update:
        options.baseline.write_text(json.dumps({"machine": here, "instructions": counts}, indent=2) + "\n")
        print(f"wrote {len(counts)} counts to {options.baseline}")
        return
    compare(counts, json.loads(options.baseline.read_text()), here, options.limit)


if __name__ == "__main__":
    main()
