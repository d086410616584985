# SPDX-License-Identifier: GPL-3.0-or-later
"""The cell tree: figures 5, 6, 9 and 10 of Zachmann 1997 repeated, and the bouncing cage."""
import json
import math
import pathlib

import svg
from cells import digits, geometric_mean
from tables import claims_table

PLURALS = {"uv-sphere": "spheres", "tetra-flake": "tetra-flakes", "torus": "tori"}
NAMES = {"uv-sphere": "sphere", "tetra-flake": "tetra-flake", "torus": "torus", "hyperboloid": "hyperboloid", "gear": "gear"}


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows]) + "\n"


def series(rows, x, y, key=lambda row: NAMES[row["kind"]]):
    found = {}
    for row in rows:
        found.setdefault(key(row), []).append((row[x], row[y]))
    return found


def picture(plots, name, title, *args, **options):
    if not svg.line_chart(pathlib.Path(plots) / name, title, *args, **options):
        return ""
    return f"![{title}](plots/{name}.svg)\n\n"


def empty_volume(rows, plots):
    percent = [{**row, "empty_volume": 100 * row["empty_volume"]} for row in rows if row["empty_volume"] > 0]
    text = "### Figure 5: volume in empty cells\n\n"
    text += picture(plots, "cells_empty_volume", "Share of the bounding box in empty cells", "triangles", "percent",
                    series(percent, "triangles", "empty_volume"))
    text += table(["object", "triangles", "in empty cells", "entries an edge or polygon", "leaves a triangle", "leaves an edge"],
                  [[NAMES[row["kind"]], row["triangles"], f"{100 * row['empty_volume']:.0f} %", f"{row['duplication']:.2f}",
                    f"{row['triangle_duplication']:.2f}", f"{row['edge_duplication']:.2f}"] for row in rows])
    return text + (
        "\nThe paper: 23 % for a torus of 400 polygons, 40 to 60 % for larger ones; 1.2 to 1.6 entries an edge or polygon. The "
        "shape repeats: the share grows with complexity. Small tori have less here, since our leaves are larger (the elementary "
        "operation is cheap); large ones have more, since cells that become leaves are trimmed too. Tetra-flakes are listed more "
        "often than 1.6 times: triangles of all sizes lie side by side, and those cuts that cross fewer of them make longer "
        "cells, which took 30 % more time in near misses.\n\n")


def build_times(rows, plots):
    text = "### Figure 6: build time\n\n"
    text += picture(plots, "cells_build_time", "Build time of cell trees", "triangles", "seconds",
                    series(rows, "triangles", "seconds"))
    largest = max(rows, key=lambda row: row["triangles"])
    return text + (f"One thread. {largest['triangles']} triangles take {largest['seconds']:.2g} s; the time grows as the "
                   f"{build_exponent(rows):.2f}th power of the count (the paper's experiments: 1).\n\n")


def build_exponent(rows):
    """Slope of the build time in logarithms, by least squares over 1,000 triangles and more."""
    points = [(math.log(row["triangles"]), math.log(row["seconds"])) for row in rows if row["triangles"] >= 900]
    x, y = (sum(p[k] for p in points) / len(points) for k in (0, 1))
    return sum((p[0] - x) * (p[1] - y) for p in points) / sum((p[0] - x) ** 2 for p in points)


def best_depths(rows):
    best = {}
    for row in rows:
        key = (row["kind"], row["triangles"])
        if key not in best or row["microseconds"] < best[key]["microseconds"]:
            best[key] = row
    return best


def depths(rows, plots):
    text = "### Figure 9: the best depth\n\n"
    for kind in dict.fromkeys(row["kind"] for row in rows):
        own = [row for row in rows if row["kind"] == kind]
        text += picture(plots, f"cells_depth_{kind.replace('-', '_')}", f"Two {PLURALS[kind]} in the cage", "depth",
                        "µs a frame", series(own, "depth", "microseconds", lambda row: f"{row['triangles']} triangles"),
                        log_x=False)
    lines = [[NAMES[kind], triangles, best["depth"], used["depth"], digits(used["microseconds"] / best["microseconds"]),
              f"{best['duplication']:.2f}", f"{used['duplication']:.2f}"] for kind, triangles, best, used in used_depths(rows)]
    text += table(["object", "triangles", "best depth", "depth of the paper's table", "its time to the best",
                   "entries at the best", "entries at the table's"], lines)
    return text + ("\nThe shape repeats: the time falls with the depth to a broad optimum at the depths of the paper's table. It "
                   "does not rise again as in the paper, since small cells are not cut where more than a fifth of their "
                   "triangles would be listed on both sides: a greater depth is then not used.\n\n")


def used_depths(rows):
    """(kind, triangles, row of the best depth, row of the default depth)"""
    found = []
    for (kind, triangles), best in best_depths(rows).items():
        used = [r for r in rows if (r["kind"], r["triangles"], r["depth"]) == (kind, triangles, default_depth(triangles))]
        found += [(kind, triangles, best, row) for row in used]
    return found


def default_depth(triangles):
    """The paper's table and its continuation, as builder/cell has it."""
    limits = [100, 300, 700, 1300, 2000, 3000]
    while limits[-1] < triangles:
        limits.append(2 * limits[-1])
    return 4 + next(i for i, most in enumerate(limits) if triangles <= most)


def against_simple(rows, plots):
    text = "### Figure 10: against the simple algorithm\n\n"
    labels = {"cells": "cell tree", "no_empty_cells": "without empty cells", "simple": "simple algorithm",
              "one_leaf": "one leaf"}
    for kind in dict.fromkeys(row["kind"] for row in rows):
        own = [row for row in rows if row["kind"] == kind]
        lines = {name: [(row["triangles"], row[key]) for row in own] for key, name in labels.items()}
        text += picture(plots, f"cells_simple_{kind.replace('-', '_')}", f"Two {PLURALS[kind]} in the cage", "triangles",
                        "µs a frame", lines)
    text += table(["object", "triangles", "cell tree, µs", "without empty cells", "simple", "one leaf", "simple / cells"],
                  [[NAMES[row["kind"]], row["triangles"]] + [f"{row[key]:.3g}" for key in labels]
                   + [f"{row['simple'] / row['cells']:.1f}"] for row in rows])
    kinds = list(dict.fromkeys(row["kind"] for row in rows))
    by_kind = {kind: [row for row in rows if row["kind"] == kind] for kind in kinds}
    below = "; ".join(f"{NAMES[kind]}: {crossover(by_kind[kind], 'simple')}" for kind in kinds)
    leaves = "; ".join(f"{NAMES[kind]}: {crossover(by_kind[kind], 'one_leaf')}" for kind in kinds)
    return text + (
        f"\nWhere the cell tree begins to win against the simple algorithm (the paper's tori: about 100 polygons): {below}. "
        "The threshold does not repeat: our elementary operation compares four polygons at a time in float, the simple "
        "algorithm one edge and polygon in double. One leaf a tree is the simple algorithm with our elementary operation; there "
        f"the cell tree begins to win as in the paper: {leaves}. One large leaf is slower than the simple algorithm because it "
        "keeps no list of what is near (it has no heap), and looks through B's polygons again for every sixteen near ones of "
        "A's; trees do not have such leaves. Empty cells are worth most in large objects, up to "
        f"×{digits(max(row['no_empty_cells'] / row['cells'] for row in rows))} here.\n\n")


def crossover(rows, other):
    slower = [row["triangles"] for row in rows if row[other] < row["cells"]]
    if not slower:
        return f"at or below {min(row['triangles'] for row in rows)} triangles"
    faster = [row["triangles"] for row in rows if row["triangles"] > max(slower)]
    return f"between {max(slower)} and {min(faster)} triangles" if faster else f"above {max(slower)} triangles"


def cage(rows):
    text = "### The bouncing cage\n\n"
    tests = ["satlite", "sat", "axis", "clip", "box", "aabb"]
    text += table(["object", "triangles", "cage, radii", "frames", "hits", *(f"{t}, µs" for t in tests)],
                  [[NAMES[row["kind"]], row["triangles"], row["cage"], row["frames"], f"{100 * row['hits']:.0f} %"]
                   + [f"{row[t]:.3g}" for t in tests] for row in rows])
    return text + ("\nFirst contact; satlite, sat, axis and clip are the cell tree's overlap tests, box and aabb the other trees. "
                   "The paper: 20 ms for two tori of 1000 polygons (R4400, 200 MHz).\n\n")


def parallel(rows):
    text = "### Queries divided among threads\n\n"
    text += table(["query", "triangles", "threads", "undivided, µs", "divided, one thread", "divided, all threads", "speed-up"],
                  [[row["query"], row["triangles"], row["threads"], f"{row['alone']:.0f}", f"{row['one_thread']:.0f}",
                    f"{row['all_threads']:.0f}", f"×{digits(row['alone'] / row['all_threads'])}"] for row in rows])
    return text + "\nThe runtime's query against the one that the builder's library divides by pairs of subtrees.\n\n"


def peers(rows):
    text = "### Beside the aabb tree and FCL\n\n"
    keys = ["satlite", "sat", "axis", "clip", "box", "aabb", "fcl"]
    text += table(["model", "triangles", "protocol", *(f"{key}, µs" for key in keys), "aabb / cells", "FCL / cells"],
                  [[row["model"], row["triangles"], row["protocol"], *(f"{row[key]:.3g}" for key in keys),
                    f"×{digits(row['aabb'] / row['satlite'])}", f"×{digits(row['fcl'] / row['satlite'])}"] for row in rows])
    return text + ("\nFirst contact in protocols A, B and C; FCL with the fastest of its volumes OBB, OBBRSS and kIOS. The aabb "
                   "tree is for speed; the cell tree is for witnesses of an edge and a polygon, and for operations of the "
                   "caller's own.\n\n")


def parameters(rows, plots):
    text = "### Parameters\n\n"
    names = {"empty_share": "least share of an empty cell", "gamma": "gamma", "lambda": "lambda", "min_triangles_at_depth_16": "least count at depth 16"}
    for parameter, name in names.items():
        own = [row for row in rows if row["parameter"] == parameter]
        text += picture(plots, f"cells_{parameter}", f"Two objects in the cage by the {name}", name, "µs a frame",
                        series(own, "value", "microseconds"), log_x=False)
    own = [row for row in rows if row["parameter"] == "lambda"]
    text += table(["object", "triangles", "lambda", "entries an edge or polygon", "µs a frame"],
                  [[NAMES[row["kind"]], row["triangles"], row["value"], f"{row['duplication']:.2f}",
                    f"{row['microseconds']:.3g}"] for row in own])
    return text + ("\nLambda decides between duplication and time: more entries than the default's gain little.\n\n")


OVERLAPS = {"satlite": "SAT lite", "sat": "SAT", "axis": "axis alignment", "clip": "clipping"}


def scenes(results):
    """Rows with a time of every overlap test and tree: name and row."""
    for row in results.get("cage", []):
        yield f"{NAMES[row['kind']]} of {row['triangles']} in the cage of {row['cage']:g}", row
    for row in results.get("peers", []):
        yield f"{row['model']}, protocol {row['protocol']}", row


def losses(results):
    """Where something else is faster than the cell tree with its default test, worst first."""
    found = []
    for name, row in scenes(results):
        others = [("FCL", "fcl"), ("our aabb tree", "aabb"), ("our box tree", "box")]
        others += [(f"the overlap test {OVERLAPS[key]}", key) for key in ("sat", "axis", "clip")]
        found += [(row[key] / row["satlite"], name, what) for what, key in others if key in row and row[key] < row["satlite"]]
    for row in results.get("against_simple", []):
        what = f"{NAMES[row['kind']]} of {row['triangles']} in the cage"
        found += [(row[key] / row["cells"], what, other) for key, other in
                  (("simple", "the simple algorithm"), ("one_leaf", "one leaf a tree")) if row[key] < row["cells"]]
    for row in results.get("parallel", []):
        if row["all_threads"] > row["alone"]:
            found.append((row["alone"] / row["all_threads"], f"{row['query']}, {row['threads']} threads", "the undivided query"))
    rows = [[name, what, f"×{digits(1 / ratio)}"] for ratio, name, what in sorted(found)]
    if not rows:
        return "Nothing that was measured beats the cell tree.\n\n"
    return ("Where something is faster than the cell tree (first contact, its default overlap test):\n\n"
            + table(["scene", "faster", "by"], rows[:20])
            + (f"\n{len(rows) - 20} more, by at most {rows[20][2]}.\n\n" if len(rows) > 20 else "\n"))


def duplication_claim(rows, kinds, what):
    own = [row["duplication"] for row in rows if row["kind"] in kinds]
    return (f"cell tree: entries an edge or polygon, {what}", "1.2 to 1.6 (the paper); not more",
            f"{min(own):.2f} to {max(own):.2f}", max(own) <= 1.6)


def figure_claims(results):
    if results.get("empty_volume"):
        rows = results["empty_volume"]
        shares = [row["empty_volume"] for row in rows if row["kind"] == "torus" and row["triangles"] >= 1000]
        yield ("cell tree: share of the bounding box in empty cells, tori of 1,000 triangles and more", "≥ 40 % (the paper: 40 to 60 %)",
               f"{100 * min(shares):.0f} to {100 * max(shares):.0f} %", min(shares) >= 0.4)
        yield duplication_claim(rows, ("torus", "uv-sphere"), "tori and spheres")
        yield duplication_claim(rows, ("tetra-flake",), "tetra-flakes")
    if results.get("build_times"):
        exponent = build_exponent(results["build_times"])
        yield ("cell tree: growth of the build time with the triangles", "near linear: ≤ 1.15th power", f"{exponent:.2f}th power",
               exponent <= 1.15)
    if results.get("depths"):
        ratios = [used["microseconds"] / best["microseconds"] for _, _, best, used in used_depths(results["depths"])]
        yield ("cell tree: time at the depth of the paper's table to that at the best depth", "≤ ×1.15",
               f"×{digits(geometric_mean(ratios))}, worst ×{digits(max(ratios))}", geometric_mean(ratios) <= 1.15)
    if results.get("against_simple"):
        tori = [row for row in results["against_simple"] if row["kind"] == "torus"]
        lost = [row["triangles"] for row in tori if row["simple"] < row["cells"]]
        yield ("cell tree: where it begins to beat the simple algorithm, tori", "≤ 100 triangles (the paper)",
               crossover(tori, "simple"), max(lost, default=0) < 100)


def claims(results_dir):
    """Rows for the summary: claim, aim, measured, met."""
    results = load(results_dir)
    rows = list(figure_claims(results))
    tests = [row for _, row in scenes(results)]
    if tests:
        ratio = geometric_mean([min(row[key] for key in ("sat", "axis", "clip")) / row["satlite"] for row in tests])
        rows.append(("cell tree: the fastest other overlap test / the default one, cage and protocols A, B, C", "≥ ×1", f"×{digits(ratio)}", ratio >= 1))
    cages = [row for row in results.get("cage", []) if row["kind"] == "torus" and row["triangles"] == 1000]
    if cages:
        worst = max(row["satlite"] for row in cages)
        rows.append(("cell tree: a frame of two tori of 1,000 triangles in the cage", "≤ 20 ms (the paper, 1997)",
                     f"{digits(worst)} µs", worst <= 20000))
    if results.get("peers"):
        ratios = [row["fcl"] / row["satlite"] for row in results["peers"]]
        rows.append(("cell tree: first contact, A, B and C: best FCL / our cell tree", "≥ ×1, each",
                     f"×{digits(geometric_mean(ratios))}, worst ×{digits(min(ratios))}", min(ratios) >= 1))
    divided = results.get("parallel", [])
    if divided:
        threads, speeds = divided[0]["threads"], [row["alone"] / row["all_threads"] for row in divided]
        rows.append((f"cell tree: speed-up of divided queries on {threads} processor{'s' if threads > 1 else ''}",
                     "≥ ×1.5 on two", ", ".join(f"{row['query']} ×{digits(s)}" for row, s in zip(divided, speeds)),
                     threads > 1 and min(speeds) >= 1.5))
    return rows


def load(results_dir):
    path = pathlib.Path(results_dir) / "cells_1997.json"
    return json.loads(path.read_text()) if path.exists() else {}


def section(results_dir, plots_dir):
    """Markdown of everything that espalier-bench-cells-1997 measured; empty when it did not run."""
    results = load(results_dir)
    if not results:
        return ""
    text = "## Cell trees: Zachmann 1997 repeated\n\n" + losses(results) + claims_table(claims(results_dir))
    text += ("\nTwo copies of an object fly about in a cage of 1.5 to 2 radii and bounce off each other; every frame asks for the "
             "first contact. Least of several repeats over the same frames.\n\n")
    for name, part in (("empty_volume", empty_volume), ("build_times", build_times), ("depths", depths),
                       ("parameters", parameters), ("against_simple", against_simple)):
        if results.get(name):
            text += part(results[name], plots_dir)
    for name, part in (("cage", cage), ("parallel", parallel), ("peers", peers)):
        if results.get(name):
            text += part(results[name])
    return text
