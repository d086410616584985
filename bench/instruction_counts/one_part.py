#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A body of one part costs no more than the plain query of it: compares the two by instructions, at the same placements.

usage: one_part.py --program PROGRAM --work DIR [--valgrind PATH] [--limit SHARE]
"""
import argparse
import math
import sys

from check import count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--valgrind", default="valgrind")
    parser.add_argument("--limit", type=float, default=0.03, help="by which share a body may cost more")
    options = parser.parse_args()

    counts = count(options.valgrind, options.program, options.work)
    ratios = {name.removeprefix("plain "): counts["body " + name.removeprefix("plain ")] / plain
              for name, plain in counts.items() if name.startswith("plain ")}
    if not ratios:
        sys.exit("one_part.py: callgrind left no counts")
    for name, ratio in sorted(ratios.items(), key=lambda item: -item[1]):
        print(f"{name:32} {counts['plain ' + name]:12} instructions, as a body {100 * (ratio - 1):+.2f} %")
    print(f"mean {100 * (math.prod(ratios.values()) ** (1 / len(ratios)) - 1):+.2f} %")
    dear = [name for name, ratio in ratios.items() if ratio > 1 + options.limit]
    if dear:
        sys.exit(f"{len(dear)} of {len(ratios)} cost more than {100 * options.limit:g} % more as a body: {', '.join(dear)}")


if __name__ == "__main__":
    main()
