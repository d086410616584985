#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every relative link of every page leads somewhere, and the version is the same wherever it is written.

usage: links_test.py SOURCE VERSION      VERSION: of the CMake project, the only place where it is decided
"""

import pathlib
import re
import sys


def broken_links(source):
    pages = [*source.glob("*.md"), *source.glob("[a-z]*/*.md"), *source.glob("[a-z]*/[a-z]*/*.md")]
    for page in pages:
        if (source / "build") in page.parents:
            continue
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text()):
            if "://" not in target and not (page.parent / target).exists():
                yield f"{page.relative_to(source)} links to {target}, which is not there"


def other_versions(source, version):
    citation = re.search(r"^version: (\S+)$", (source / "CITATION.cff").read_text(), re.MULTILINE)
    changes = re.search(r"^## (\d+\.\d+\.\d+)", (source / "CHANGELOG.md").read_text(), re.MULTILINE)
    for name, found in (("CITATION.cff", citation), ("CHANGELOG.md, first heading", changes)):
        if not found or found[1] != version:
            yield f"{name} has version {found and found[1]}, CMakeLists.txt {version}"


def main():
    source, version = pathlib.Path(sys.argv[1]), sys.argv[2]
    problems = [*broken_links(source), *other_versions(source, version)]
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
