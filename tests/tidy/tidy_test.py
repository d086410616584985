#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""tools/tidy in a tree of its own: findings fail, what was clean is not read again until something of it changes.

usage: tidy_test.py SOURCE
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1))
CONFIGURATION = """\
Checks: "-*,misc-redundant-expression,clang-analyzer-cplusplus.NewDelete"
WarningsAsErrors: "*"
HeaderFilterRegex: "/runtime/"
"""
CLEAN = '#include "part.h"\nint clean(int a) { return part(a); }\n'
SAME_TWICE = "int same(int a) { return a == a; }\n"
# What the analyzer believes of CGAL's numbers: memory that the header itself has set off.
THEIR_HEADER = """\
struct Number {
    int* data;
    explicit Number(int n) : data(new int[n] + 1) {}
    ~Number() { delete[] data; }
};
"""


class Tidy(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name).resolve() / "tree"
        for name in ("tools", "runtime/src", "build/release"):
            (self.root / name).mkdir(parents=True)
        shutil.copy(SOURCE / "tools" / "tidy", self.root / "tools")
        self.write(".clang-tidy", CONFIGURATION)
        self.write("runtime/src/part.h", "inline int part(int a) { return a + 1; }\n")
        self.write("runtime/src/clean.cpp", CLEAN)
        self.theirs = self.root.parent / "theirs"
        self.theirs.mkdir()
        (self.theirs / "number.h").write_text(THEIR_HEADER)

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name, text):
        (self.root / name).write_text(text)

    def tidy(self, *words, options=""):
        """The exit code, and what was said."""
        commands = [{"directory": str(self.root), "file": str(path),
                     "command": f"c++ {options} -I{self.root} -isystem {self.theirs} -c {path}"}
                    for path in sorted((self.root / "runtime" / "src").glob("*.cpp"))]
        self.write("build/release/compile_commands.json", json.dumps(commands))
        environment = os.environ | {"XDG_CACHE_HOME": str(self.root.parent / "cache")}
        done = subprocess.run([self.root / "tools" / "tidy", *words], capture_output=True, text=True, env=environment)
        return done.returncode, done.stdout + done.stderr

    def expect_known(self, count, **how):
        code, said = self.tidy(**how)
        self.assertEqual(code, 0, said)
        self.assertIn(f" {count} known to be clean", said)

    def test_AFindingFailsEveryTime(self):
        self.write("runtime/src/same.cpp", SAME_TWICE)
        for known in (0, 1):
            code, said = self.tidy()
            self.assertEqual(code, 1, said)
            self.assertIn("runtime/src/same.cpp:1:", said)
            self.assertIn(f" {known} known to be clean", said)
            self.assertIn(" 1 findings", said)

    def test_ACleanSourceIsReadOnce(self):
        self.expect_known(0)
        self.expect_known(1)
        code, said = self.tidy("--fresh")
        self.assertEqual((code, " 0 known" in said), (0, True), said)

    def test_AChangedHeaderIsReadAgain(self):
        self.expect_known(0)
        self.write("runtime/src/part.h", "inline int part(int a) { return a - a; }\n")
        code, said = self.tidy()
        self.assertEqual(code, 1, said)
        self.assertIn("runtime/src/part.h:1:", said)

    def test_AnotherOptionOrConfigurationIsReadAgain(self):
        self.expect_known(0)
        self.expect_known(0, options="-DMORE")
        self.expect_known(1, options="-DMORE")
        self.write(".clang-tidy", CONFIGURATION + "# changed\n")
        self.expect_known(0, options="-DMORE")

    def test_AnotherCloneKnowsWhatThisOneKnows(self):
        self.expect_known(0)
        moved = self.root.parent / "clone"
        self.root.rename(moved)
        self.root = moved
        self.expect_known(1)

    def test_FindingsInOtherPeoplesHeadersAreNotTold(self):
        self.write("runtime/src/number.cpp", "#include <number.h>\nvoid make() { Number n(3); }\n")
        raw = subprocess.run(["clang-tidy", "--quiet", self.root / "runtime/src/number.cpp", "--", "-isystem", self.theirs],
                             capture_output=True, text=True, cwd=self.root)
        self.assertIn("theirs/number.h", raw.stdout, "clang-tidy itself tells of it")
        self.expect_known(0)

    def test_ASourceThatDoesNotCompileFails(self):
        self.write("runtime/src/broken.cpp", "#include <number.h>\nint broken( { return 1; }\n")
        code, said = self.tidy()
        self.assertEqual(code, 1, said)

    def test_WithoutTimeNothingIsReadAndSaidSo(self):
        code, said = self.tidy("--minutes", "0")
        self.assertEqual((code, " 1 not read for lack of time" in said), (0, True), said)
        self.expect_known(0)


if __name__ == "__main__":
    unittest.main()
