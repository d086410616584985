#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""tools/format changes what it should and nothing else: suffixes of literals and needless braces.

usage: format_test.py SOURCE
"""

import importlib.util
import pathlib
import sys
from importlib.machinery import SourceFileLoader

SUFFIXES = {
    "1.0f": "1.0F",
    "x = 1e-5f * .5f + 2.f;": "x = 1e-5F * .5F + 2.F;",
    "1'000.5f": "1'000.5F",
    "7U + 8u": "7u + 8u",
    "0x1f + 0xffU": "0x1f + 0xffU",
    "0x1.8p3f": "0x1.8p3f",
    "// 1.0f": "// 1.0f",
    '"1.0f"': '"1.0f"',
    "lane1f + a.b2f": "lane1f + a.b2f",
    '#include "a/1f.h"': '#include "a/1f.h"',
    "1.0 + 2": "1.0 + 2",
}

BRACED = """\
int f(int a) {
    if (a > 1) {
        return 1;
    }
    for (int i = 0; i < a; ++i) {
        if (i == 3) {
            a += i;
        } else {
            a -= i;
            ++a;
        }
    }
    return a;
}
"""
BARE = """\
int f(int a) {
    if (a > 1) return 1;
    for (int i = 0; i < a; ++i) {
        if (i == 3) {
            a += i;
        } else {
            a -= i;
            ++a;
        }
    }
    return a;
}
"""


def main():
    tool = pathlib.Path(sys.argv[1]) / "tools" / "format"
    loader = SourceFileLoader("espalier_format", str(tool))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    failures = [f"{text} became {got}, not {wanted}" for text, wanted in SUFFIXES.items()
                if (got := module.TOKENS.sub(module.one_suffix, text)) != wanted]
    if (got := module.formatted_texts({"runtime/a.cpp": BRACED})["runtime/a.cpp"]) != BARE:
        failures.append(f"braces:\n{got}")
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
