# SPDX-License-Identifier: GPL-3.0-or-later
"""Protocol L: bounds of the separation against the budget, and deadlines by the clock."""
import json
import pathlib

import svg
from cells import geometric_mean
from tables import table

MEDIAL, OCTREE = "medial, best first", "octree, best first"


def load(results_dir):
    folder = pathlib.Path(results_dir)
    models = [json.loads(file.read_text()) for file in sorted(folder.glob("budget-*.json"))
              if file.name != "budget-deadlines.json"]
    deadlines = folder / "budget-deadlines.json"
    return models, json.loads(deadlines.read_text()) if deadlines.exists() else []


def value(model, kind, budget, figure):
    return next(row[figure] for row in model["widths"][kind] if row["budget"] == budget)


def mean_over(models, kind, budget, figure):
    return sum(value(m, kind, budget, figure) for m in models) / len(models)


def width_rows(models, budgets, kinds, figure):
    return [[kind] + [f"{mean_over(models, kind, b, figure):.3g}" for b in budgets] for kind in kinds]


def width_section(models, plots_dir):
    kinds = list(models[0]["widths"])
    budgets = [row["budget"] for row in models[0]["widths"][kinds[0]]]
    series = {kind: [(b, max(mean_over(models, kind, b, "mean"), 1e-6)) for b in budgets] for kind in kinds}
    svg.line_chart(pathlib.Path(plots_dir) / "budget-widths", "Bounds of the separation after a budget", "node tests",
                   "(upper - lower) / radius, mean", series)
    header = ["tree, order"] + [f"{b} tests" for b in budgets]
    poses = sum(m["poses"] for m in models)
    ratios = {b: [value(m, MEDIAL, b, "mean") / value(m, OCTREE, b, "mean") for m in models
                  if value(m, OCTREE, b, "mean") > 0 and value(m, MEDIAL, b, "mean") > 0] for b in budgets}
    words = [f"{len(models)} models against copies of themselves, {poses} random placements. Width of the bounds, "
             "(upper − lower) / radius, mean over the models.", "", table(header, width_rows(models, budgets, kinds, "mean")),
             "The 99th percentile:", "", table(header, width_rows(models, budgets, kinds, "p99")),
             "Share of the placements whose verdict is known:", "",
             table(header, width_rows(models, budgets, kinds, "resolved")),
             "Medial by octree width, best first, model by model: "
             + "; ".join(f"{b} tests: ×{geometric_mean(r):.2f} (worst ×{max(r):.2f})" for b, r in ratios.items() if r)
             + ".", "", "![Bounds against budget](plots/budget-widths.svg)", ""]
    late = [b for b, r in ratios.items() if b >= 64 and r and geometric_mean(r) > 0.5]
    verdict = "met" if not late else "not met at " + ", ".join(str(b) for b in late)
    words += [f"Aim: medial at most half of octree's width at every budget from 64 on: **{verdict}**.", ""]
    return words


def deadline_section(rows):
    lines = []
    for row in rows:
        for tree in ("sphere", "aabb", "box"):
            late = row[tree]
            if "p50" not in late:
                continue
            lines.append([f"{tree}, {row['microseconds']} µs"] + [f"{late[k] / 1000:.2f}" for k in ("p50", "p999", "max")]
                         + [str(late["stopped"]), str(late["finished"])])
    if not lines:
        return []
    return ["How much later than its deadline a step ended, in microseconds; queries that finished before it are counted "
            "apart. The clock is asked before every visit, so that a step is late by at most one visit (8 sphere tests, 8 "
            "pairs of triangles), one look at the open pairs, and what the operating system takes.", "",
            table(["query, deadline", "median", "99.9 %", "largest", "stopped", "finished"], lines)]


def section(results_dir, plots_dir):
    """Markdown of the protocol; empty where nothing was measured."""
    models, deadlines = load(results_dir)
    if not models:
        return ""
    return "\n".join(["## L. Time-critical bounds", ""] + width_section(models, plots_dir) + deadline_section(deadlines))
