# SPDX-License-Identifier: GPL-3.0-or-later
"""Zachmann 2002: Table 1 and Figures 5, 7 and 8, with our figures beside the paper's."""
from cells import BOX, OURS, digits, duration, geometric_mean
from svg import line_chart
from tables import table

TESTS = {"axis": "axis alignment", "table": "lookup tables", "sat": "SAT, 15 axes", "sat lite": "SAT lite"}

# Floating-point operations of one pair of boxes, counted by hand in runtime/src/box/codec.h, lanes.h and
# pair_codec.h. A box costs 65 to derive over two levels (six cuts of 8, middle and half sides 12, size 5), 42 to project
# on the other frame's axes, and 81 (A's) or 99 (B's) more on the nine edge axes. Sixteen pairs share eight boxes, so a pair
# bears a quarter of a box of each side; its own part is two comparisons an axis.
DERIVE, PROJECT, EDGES = 65, 42, 81 + 99
PAIR_OPERATIONS = {"axis": (2 * DERIVE + PROJECT) / 4 + 6, "sat lite": (2 * DERIVE + 2 * PROJECT) / 4 + 12,
                   "sat": (2 * DERIVE + 2 * PROJECT + EDGES) / 4 + 30}
TABLE_1 = [("restricted BoxTree, axis alignment", "9", "12"), ("restricted BoxTree, SAT lite", "9", "24"),
           ("restricted BoxTree, SAT", "9", "82"), ("AABB tree", "28", "90"), ("OBB tree", "64", "243"),
           ("24-DOP tree", "100", "168")]


def box_cells(results):
    found = [cell for (_, protocol), cell in results.cells.items() if protocol == "box"]
    return sorted(found, key=lambda cell: (cell["triangles"], cell["model"]))


def table_1():
    rows = [[f"paper: {name}", size, flops] for name, size, flops in TABLE_1]
    rows += [[f"ours: box tree, {TESTS[test]}", "4", digits(PAIR_OPERATIONS[test])] for test in ("axis", "sat lite", "sat")]
    return ("### Zachmann 2002, Table 1: bytes a node and operations a pair of nodes\n\n"
            "Ours: 8 bytes an inner node hold both children, so 4 bytes a box, topology included. Operations are counted by "
            "hand with what one box costs shared among the sixteen pairs that use it (section 3.3); four pairs are done in one "
            "SIMD instruction, and a test skips one level of the binary tree. The paper moves one side a node, ours up to three.\n\n"
            + table(["tree", "bytes a node", "operations a pair"], rows) + "\n")


def sizes(cells):
    rows = []
    for cell in cells:
        n, row = cell["triangles"], [f"{cell['model']} ({cell['triangles']:,})"]
        for name in ("leaf 1", "leaf 4", "leaf 8"):
            variant = cell["variants"].get(name, {})
            row.append(digits(variant["bytes"] / n) if "bytes" in variant else "–")
        for name in ("leaf 1", "leaf 4", "leaf 8", "volume, leaf 1", "longest, leaf 1"):
            test = cell["variants"].get(name, {}).get("tests", {}).get("sat lite")
            row.append(duration(test["ns"]) if test else "–")
        rows.append(row)
    header = ["model (triangles)", "bytes a triangle: leaf 1", "leaf 4 (default)", "leaf 8", "query (B): leaf 1",
              "leaf 4 (default)", "leaf 8", "paper's volume criterion, leaf 1", "longest axis, leaf 1"]
    return "### Box tree: size of the hierarchy and time a query by leaf size and split\n\n" + table(header, rows) + "\n"


def overlap_rows(cells):
    rows = []
    for cell in cells:
        tests = cell["variants"].get("leaf 4", {}).get("tests", {})
        if len(tests) == len(TESTS):
            rows.append([f"{cell['model']} ({cell['triangles']:,})"]
                        + [f"{duration(tests[t]['ns'])} ({tests[t]['box_tests']:,.0f})" for t in TESTS]
                        + ["yes" if len({tests[t]["hits"] for t in TESTS}) == 1 else "**no**"])
    return rows


def overlap_tests(cells):
    rows = overlap_rows(cells)
    if not rows:
        return ""
    return ("### Zachmann 2002, Figure 7: the overlap tests, tumbling turn, time a query (box tests of all queries)\n\n"
            + table(["model (triangles)"] + list(TESTS.values()) + ["same answers"], rows) + "\n")


def build_rate(cells):
    rates = [(cell["triangles"], cell["variants"]["leaf 4"]["build_all_threads_ns"]) for cell in cells
             if "build_all_threads_ns" in cell["variants"].get("leaf 4", {}) and cell["triangles"] >= 100000]
    if not rates:
        return ""
    rate = geometric_mean([n / ns * 1000 for n, ns in rates])
    return f"Build, all threads, models from 100,000 triangles: {digits(rate)} million triangles a second (paper: 0.02).\n\n"


def plots(results, cells, folder):
    words, scaling = "", [c for c in cells if c["model"].startswith("scaling-")]
    build = {}
    for name, key, variant in (("default split, all threads", "build_all_threads_ns", "leaf 4"),
                               ("default split, one thread", "build_1_thread_ns", "leaf 4"),
                               ("paper's volume criterion, one thread", "build_1_thread_ns", "volume, leaf 1"),
                               ("longest axis, one thread", "build_1_thread_ns", "longest, leaf 1")):
        build[name] = [(c["triangles"], c["variants"][variant][key] / 1e6) for c in scaling
                       if key in c["variants"].get(variant, {})]
    tests = {TESTS[t]: [(c["triangles"], c["variants"]["leaf 4"]["tests"][t]["ns"] / 1000) for c in scaling
                        if t in c["variants"].get("leaf 4", {}).get("tests", {})] for t in TESTS}
    peers = {name: [(results.triangles[m], results.time(m, "A", name) / 1000) for m in results.scaling
                    if results.time(m, "A", name)] for name in (BOX, OURS, "FCL OBB", "FCL OBBRSS")}
    peers["ODE (near misses)"] = [(results.triangles[m], results.time(m, "C", "ODE") / 1000) for m in results.scaling
                                  if results.time(m, "C", "ODE")]
    for name, title, y_title, series in (
            ("box-build", "Zachmann 2002, Figure 5: build time, torus", "ms", build),
            ("box-overlap", "Zachmann 2002, Figure 7: overlap tests, torus", "µs a query", tests),
            ("box-peers", "Zachmann 2002, Figure 8: box tree and peers, torus", "µs a query", peers)):
        if line_chart(folder / name, title, "triangles", y_title, series):
            words += f"![{title}]({folder.name}/{name}.svg)\n\n"
    return words


def section(results, folder):
    cells = box_cells(results)
    if not cells:
        return ""
    return ("## Box tree (Zachmann 2002)\n\n" + build_rate(cells) + plots(results, cells, folder) + table_1() + sizes(cells)
            + overlap_tests(cells))
