# SPDX-License-Identifier: GPL-3.0-or-later
"""The cell tree: figures 5, 6, 9 and 10 of Zachmann 1997 repeated, and the bouncing cage."""
import json
import pathlib

import svg

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
    tori = [row for row in rows if row["kind"] == "torus"]
    text += table(["torus of", "in empty cells", "leaves a triangle", "leaves an edge"],
                  [[row["triangles"], f"{100 * row['empty_volume']:.0f} %", f"{row['triangle_duplication']:.2f}",
                    f"{row['edge_duplication']:.2f}"] for row in tori])
    return text + "\nThe paper: 23 % for a torus of 400 polygons, 40 to 60 % for larger ones; 1.2 to 1.6 entries a polygon.\n\n"


def build_times(rows, plots):
    text = "### Figure 6: build time\n\n"
    text += picture(plots, "cells_build_time", "Build time of cell trees", "triangles", "seconds",
                    series(rows, "triangles", "seconds"))
    largest = max(rows, key=lambda row: row["triangles"])
    return text + f"{largest['triangles']} triangles take {largest['seconds']:.2g} s.\n\n"


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
    lines = []
    for (kind, triangles), row in best_depths(rows).items():
        table_row = [r for r in rows if r["kind"] == kind and r["triangles"] == triangles]
        by_depth = {r["depth"]: r["microseconds"] for r in table_row}
        used = default_depth(triangles)
        slower = by_depth.get(used, 0) / row["microseconds"]
        lines.append([NAMES[kind], triangles, row["depth"], used, f"{slower:.2f}" if slower else ""])
    return text + table(["object", "triangles", "best depth", "depth of the paper's table", "its time to the best"],
                        lines) + "\n"


def default_depth(triangles):
    """The paper's table and its continuation, as builder/cell_tree has it."""
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
    below = [f"{NAMES[kind]}: {crossover([r for r in rows if r['kind'] == kind])}"
             for kind in dict.fromkeys(row["kind"] for row in rows)]
    return text + "\nWhere the cell tree begins to win (the paper's tori: about 100 polygons): " + "; ".join(below) + ".\n\n"


def crossover(rows):
    slower = [row["triangles"] for row in rows if row["simple"] < row["cells"]]
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
    return text + "\nFirst contact; satlite, sat, axis and clip are the cell tree's overlap tests, box and aabb the other trees.\n\n"


def parameters(rows, plots):
    text = "### Parameters\n\n"
    names = {"empty_share": "least share of an empty cell", "gamma": "gamma", "min_triangles_at_depth_16": "least count at depth 16"}
    for parameter, name in names.items():
        own = [row for row in rows if row["parameter"] == parameter]
        text += picture(plots, f"cells_{parameter}", f"Two objects in the cage by the {name}", name, "µs a frame",
                        series(own, "value", "microseconds"), log_x=False)
    return text


def section(results_dir, plots_dir):
    """Markdown of everything that espalier-bench-cells measured; empty when it did not run."""
    path = pathlib.Path(results_dir) / "cells_1997.json"
    if not path.exists():
        return ""
    results = json.loads(path.read_text())
    text = ("## Cell trees: Zachmann 1997 repeated\n\n"
            "Two copies of an object fly about in a cage of 1.5 to 2 radii and bounce off each other; every frame asks for the "
            "first contact. Least of several repeats over the same frames.\n\n")
    for name, part in (("empty_volume", empty_volume), ("build_times", build_times), ("depths", depths),
                       ("parameters", parameters), ("against_simple", against_simple)):
        if results.get(name):
            text += part(results[name], plots_dir)
    if results.get("cage"):
        text += cage(results["cage"])
    return text
