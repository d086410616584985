#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Forward kinematics gives the same bits whatever compiles it: every build prints the committed table of poses.

usage: same_bits.py --gxx G++ --clangxx CLANG++ --runtime DIR --work DIR --asset PROGRAM [--narrow] [--update]

PROGRAM writes the asset; bits.cpp prints the poses, as configuration, part, rotation w x y z and translation in hexadecimal.
"""
import argparse
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
TABLE = HERE / "poses.hex"
STRICT = ["-std=c++17", "-fno-exceptions", "-fno-rtti", "-ffp-contract=off"]


def run(command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def builds(options):
    yield "g++ without optimisation", [options.gxx, "-O0"]
    yield "g++ for this processor", [options.gxx, "-O3", "-march=native"]
    yield "g++ without SIMD", [options.gxx, "-O2", "-DESPALIER_NO_SIMD"]
    yield "clang++", [options.clangxx, "-O2"]
    yield "clang++ without SIMD", [options.clangxx, "-O3", "-DESPALIER_NO_SIMD"]
    if options.narrow:
        yield "g++ for 32 bit", [options.gxx, "-O2", "-m32", "-msse2", "-mfpmath=sse"]


def sources(runtime):
    """What opening an asset and its kinematics are made of."""
    found = [*(runtime / "src" / "kinematics").glob("*.cpp"), *(runtime / "src").glob("*/format.cpp"),
             *(runtime / "src" / "format").glob("*.cpp")]
    return sorted(s for s in found if not s.name.startswith("map_"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gxx", required=True)
    parser.add_argument("--clangxx", required=True)
    parser.add_argument("--runtime", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--asset", required=True)
    parser.add_argument("--narrow", action="store_true")
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    asset, program = options.work / "bits.espl", options.work / "bits"
    run([options.asset, asset])
    failed = 0
    for name, command in builds(options):
        run([*command, *STRICT, "-I", options.runtime / "include", HERE / "bits.cpp", *sources(options.runtime), "-o", program])
        printed = run([program, asset])
        if options.update:
            TABLE.write_text(printed)
            return 0
        lines, expected = printed.splitlines(), TABLE.read_text().splitlines()
        wrong = [line for line, other in zip(lines, expected) if line != other]
        failed += bool(wrong) or len(lines) != len(expected) or not lines
        print(f"{name}: {len(lines)} poses, {len(wrong)} with other bits" + (f", first {wrong[0]}" if wrong else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
