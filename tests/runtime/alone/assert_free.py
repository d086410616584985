#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Proves that asserts cost a release nothing: objects of the runtime equal those of the same sources without asserts.

Blanks every ESPALIER_ASSERT statement in a copy of the sources, compiles both with the same flags and compares the bytes.
With ESPALIER_ASSERTIONS a broken promise must end the program.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys

from compile_runtime import STRICT


def without_asserts(text):
    """The text with asserts blanked, line by line the same; and how many there were."""
    count = 0
    while True:
        match = re.search(r"\bESPALIER_ASSERT\s*\(", text)
        if not match:
            return text, count
        depth, end = 1, match.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        end = text.index(";", end) + 1
        removed = text[match.start():end]
        text = text[:match.start()] + "\n" * removed.count("\n") + text[end:]
        count += 1


def strip(folder):
    total = 0
    for path in [*folder.rglob("*.h"), *folder.rglob("*.cpp")]:
        if path.name == "assert.h":
            continue
        text, count = without_asserts(path.read_text())
        path.write_text(text)
        total += count
    return total


def sources_of(root):
    return sorted(path.relative_to(root) for path in (root / "src").rglob("*.cpp"))


def compiled(options, root, source, *flags):
    """Bytes of a source's object; compiled inside the folder, so that no path differs."""
    result = subprocess.run([options.compiler, *STRICT, "-O2", *flags, "-Iinclude", "-c", source, "-o", "object.o"],
                            cwd=root, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(result.stderr)
    return (root / "object.o").read_bytes()


def traps(options, root, *flags):
    """Whether a program with a broken promise ends at once."""
    program = root / "broken_promise"
    text = '#include "src/base/assert.h"\nint main(int count, char**) { ESPALIER_ASSERT(count > 1); return 0; }\n'
    subprocess.run([options.compiler, *flags, "-I", root, "-x", "c++", "-", "-o", program], input=text, text=True,
                   check=True)
    return subprocess.run([program]).returncode != 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runtime", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--compiler", required=True)
    options = parser.parse_args()
    shutil.rmtree(options.work, ignore_errors=True)
    whole, bare = options.work / "whole", options.work / "bare"
    shutil.copytree(options.runtime, whole)
    shutil.copytree(options.runtime, bare)
    count = strip(bare)
    problems = []
    for source in sources_of(whole):
        if compiled(options, whole, source) != compiled(options, bare, source):
            problems.append(f"{source}: the release's object differs from one without asserts")
    if not count:
        problems.append("there are no asserts")
    if traps(options, whole) or not traps(options, whole, "-DESPALIER_ASSERTIONS"):
        problems.append("a broken promise must end a checked build, and a release must not look")
    print(f"{count} asserts")
    for problem in problems:
        print(f"problem: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
