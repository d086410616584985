#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiles translation units that do nothing but include one public header of the runtime, under the strictest flags.

Each header must stand alone, also when it is included twice; espalier.h also in C99.
"""

import argparse
import pathlib
import subprocess
import sys

COMMON = ["-Wall", "-Wextra", "-Wpedantic", "-pedantic-errors", "-Wconversion", "-Wshadow", "-Wundef", "-Werror",
          "-fsyntax-only"]
CXX = ["-x", "c++", "-fno-exceptions", "-fno-rtti", "-Wold-style-cast", "-Wnon-virtual-dtor"]
C = ["-x", "c", "-Wstrict-prototypes", "-Wmissing-prototypes", "-Wc++-compat"]


def compiles(compiler, flags, include, header):
    text = f"#include <espalier/{header}>\n#include <espalier/{header}>\n"
    command = [compiler, *flags, *COMMON, "-I", str(include), "-"]
    result = subprocess.run(command, input=text, capture_output=True, text=True)
    if result.returncode != 0:
        print(f"{header} does not stand alone: {' '.join(command)}\n{result.stderr}", file=sys.stderr)
    return result.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--include", type=pathlib.Path, required=True, help="folder that holds espalier/")
    parser.add_argument("--cc", required=True)
    parser.add_argument("--cxx", required=True)
    options = parser.parse_args()
    headers = sorted(path.name for path in (options.include / "espalier").glob("*.h"))
    good = True
    for header in headers:
        for standard in ("-std=c++17", "-std=c++20"):
            good &= compiles(options.cxx, [*CXX, standard], options.include, header)
    for standard in ("-std=c99", "-std=c11"):
        good &= compiles(options.cc, [*C, standard], options.include, "espalier.h")
    print(f"{len(headers)} headers")
    return 0 if good and headers else 1


if __name__ == "__main__":
    sys.exit(main())
