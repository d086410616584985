#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""layers_test.py sees what it is for: each planted fault is reported, and only that one."""

import sys

import layers_test

CONFIG = {
    "may_include": {
        "runtime/include": [],
        "runtime/src": ["public"],
        "builder/import": [],
        "builder/surface": ["builder/import"],
        "builder/cell": ["builder/surface", "public", "codecs"],
        "builder": ["builder", "public"],
        "tools": ["public", "builder_public"],
    },
    "lists": {"codecs": ["runtime/src/cell/codec.h"], "builder_public": ["builder/bake.h"]},
    "rooms": {"builder": ["builder/*"]},
    "limits": {"sources_in_a_folder": 5, "lines_in_a_file": 50, "files_that_name_a_hierarchy": 1},
    "hierarchy": {"name": "cell", "own": ["runtime/src/cell/", "builder/cell/"], "other_meaning": ["builder/surface/"]},
}

CLEAN = {
    "runtime/include/espalier/pose.h": "namespace espalier { struct Pose { int x[2]; }; }\n",
    "runtime/src/cell/codec.h": '#include "espalier/pose.h"\nnamespace espalier {\ninline int place(const Pose& pose) { return 1; }\n}\n',
    "runtime/src/aabb/path.h": "namespace espalier {\ninline unsigned ones(unsigned four) { return four; }\n}\n",
    "builder/import/import.h": "#include <vector>\nnamespace espalier { struct Soup { std::vector<int> a; }; }\n",
    "builder/surface/mesh.h": '#include "builder/import/import.h"\nnamespace espalier { struct Mesh { Soup soup; }; }\n// a cell of a grid\nint cell;\n',
    "builder/cell/build.cpp": '#include "builder/surface/mesh.h"\n#include "runtime/src/cell/codec.h"\nnamespace { struct Mesh {}; }\n',
    "builder/bake.h": '#include "builder/surface/mesh.h"\n',
    "tools/main.cpp": '#include "builder/bake.h"\n#include "espalier/pose.h"\n// cell: a comment names nothing\n',
    "tests/a_test.cpp": "TEST(Pose, IsInvertible) {}\n",
}

# name of the case -> (files that replace or join the clean ones, how the only report begins)
PLANTED = {
    "the runtime includes the builder": (
        {"runtime/src/aabb/path.h": '#include "builder/import/import.h"\n'}, "include: runtime/src/aabb/path.h"),
    "the builder includes a header of the runtime that is no codec": (
        {"builder/cell/build.cpp": '#include "runtime/src/aabb/path.h"\n'}, "include: builder/cell/build.cpp"),
    "a relative include does not hide it": (
        {"builder/cell/build.cpp": '#include "../../runtime/src/aabb/path.h"\n'}, "include: builder/cell/build.cpp"),
    "a tool includes the builder's inside": (
        {"tools/main.cpp": '#include "builder/surface/mesh.h"\n'}, "include: tools/main.cpp"),
    "two folders include each other": (
        {"builder/one/a.h": '#include "builder/two/b.h"\n', "builder/two/b.h": "\n", "builder/two/c.h": '#include "builder/one/d.h"\n',
         "builder/one/d.h": "\n"}, "cycle: the folders builder/one, builder/two"),
    "a header includes itself by way of another": (
        {"builder/import/a.h": '#include "builder/import/b.h"\n', "builder/import/b.h": '#include "builder/import/a.h"\n'},
        "cycle: builder/import/a.h, builder/import/b.h"),
    "an inline function has two bodies": (
        {"runtime/src/cell/leaf.h": "namespace espalier {\ninline unsigned ones(unsigned bits) {\n    return bits + 1;\n}\n}\n"},
        "twice: function espalier::ones(unsigned)"),
    "a class has two layouts": (
        {"builder/import/pose.h": "namespace espalier {\nstruct Pose final {\n    double x;\n};\n}\n"}, "twice: type espalier::Pose"),
    "a source has a second layout of a header's class": (
        {"builder/import/read.cpp": "namespace espalier {\nstruct Pose {\n    double x;\n};\n}\n"}, "twice: type espalier::Pose"),
    "an alias has two meanings": (
        {"builder/import/a.h": "using Index = int;\n", "builder/import/b.h": "using Index = long;\n"}, "twice: type Index"),
    "a constant has two values": (
        {"builder/import/a.h": "constexpr int kMost = 1;\n", "builder/import/b.h": "constexpr int kMost = 2;\n"},
        "twice: constant kMost"),
    "a folder is too full": ({f"builder/import/{i}.h": "\n" for i in range(5)}, "folder: builder/import"),
    "a file is too long": ({"builder/import/a.h": "\n" * 51}, "folder: builder/import/a.h"),
    "one file too many names the hierarchy": (
        {"tools/a.cpp": "CellWalk walk;\n", "tools/b.cpp": 'option("cell");\n'}, "hierarchy: 2 files"),
    "a test's name is in another style": (
        {"tests/a_test.cpp": "TEST(Pose, is_invertible) {}\n"}, "test: tests/a_test.cpp"),
}

# Not faults, though they look like some.
INNOCENT = {
    "an overload": {"builder/import/a.h": "namespace espalier {\ninline unsigned ones(float x) { return 0; }\n}\n"},
    "a declaration": {"builder/import/a.h": "namespace espalier {\nstruct Pose;\nunsigned ones(unsigned);\n}\n"},
    "a name in another namespace": {"builder/import/a.h": "namespace espalier::schema {\nstruct Pose {};\n}\n"},
    "a member of the same name": {"builder/import/a.h": "struct A {\n    struct Pose {};\n    void ones(unsigned n) {}\n};\n"},
    "the same alias": {"builder/import/a.h": "using Index = int;\n", "builder/import/b.h": "using  Index =  int;\n"},
    "a brace in a string": {"builder/import/a.h": 'const char* const kOpen = "{";\nstruct Other {};\n'},
    "one file that names the hierarchy": {"tools/a.cpp": "CellWalk walk;\n"},
    "a word that begins like it": {"tools/a.cpp": "int cancelled; Cellar wine;\n", "tools/b.cpp": "excellent();\nCellWalk a;\n"},
}


def main():
    failures = []
    if found := list(layers_test.problems(CONFIG, CLEAN)):
        failures.append(f"the clean tree: {found}")
    for name, (files, begin) in PLANTED.items():
        found = list(layers_test.problems(CONFIG, {**CLEAN, **files}))
        if len(found) != 1 or not found[0].startswith(begin):
            failures.append(f"{name}: expected one report '{begin}...', got {found}")
    for name, files in INNOCENT.items():
        if found := list(layers_test.problems(CONFIG, {**CLEAN, **files})):
            failures.append(f"{name} is no fault, but: {found}")
    for failure in failures:
        print(failure, file=sys.stderr)
    print(f"{len(PLANTED)} planted faults, {len(INNOCENT)} innocent cases, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
