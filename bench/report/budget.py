# SPDX-License-Identifier: GPL-3.0-or-later
"""Protocol L: bounds of the separation against the budget, and deadlines by the clock."""
import json
import pathlib

import svg
from cells import digits, geometric_mean
from tables import claims_table, table

MEDIAL, OCTREE = "medial, best first", "octree, best first"


TREES = ("sphere", "aabb", "box", "cell")
SOUNDNESS_TEST = "sphere_bounds_test"  # 1,000,000 triples in the full test run


def load(results_dir):
    folder = pathlib.Path(results_dir)
    models = [json.loads(file.read_text()) for file in sorted(folder.glob("budget-*.json"))
              if file.name != "budget-deadlines.json"]
    deadlines = folder / "budget-deadlines.json"
    return models, json.loads(deadlines.read_text()) if deadlines.exists() else {}


def value(model, kind, budget, figure):
    return next(row[figure] for row in model["widths"][kind] if row["budget"] == budget)


def mean_over(models, kind, budget, figure):
    return sum(value(m, kind, budget, figure) for m in models) / len(models)


def width_rows(models, budgets, kinds, figure):
    return [[kind] + [f"{mean_over(models, kind, b, figure):.3g}" for b in budgets] for kind in kinds]


def budgets_of(models):
    return [row["budget"] for row in models[0]["widths"][MEDIAL]]


def width_ratios(models, budget):
    """Medial by octree width, by model."""
    return {m["model"]: value(m, MEDIAL, budget, "mean") / value(m, OCTREE, budget, "mean") for m in models
            if value(m, OCTREE, budget, "mean") > 0 and value(m, MEDIAL, budget, "mean") > 0}


def soundness_claim(models):
    triples, failures = (sum(m["soundness"][k] for m in models) for k in ("triples", "failures"))
    return (f"time-critical: the exact separation lies within the bounds at every stop (triples of pair, pose and budget; "
            f"here against the aabb tree's distance; the test `{SOUNDNESS_TEST}` has 1,000,000 against brute force)",
            "no failure", f"{failures} of {triples:,}", failures == 0)


def width_claim(models):
    means = {b: geometric_mean(list(width_ratios(models, b).values())) for b in budgets_of(models) if b >= 64}
    return ("time-critical: width of the bounds, medial / octree spheres, at " + ", ".join(map(str, means)) + " node tests",
            "each ≤ ×0.5", ", ".join(f"×{m:.2f}" for m in means.values()), max(means.values()) <= 0.5)


def microseconds(figures):
    return " / ".join(digits(figures[k] / 1000) for k in ("p50", "p999", "max")) + " µs"


def worst_deadline(tree, clock):
    rows = [row[clock] for row in tree["deadlines"] if row[clock]]
    return {k: max(row[k] for row in rows) for k in ("p50", "p999", "max")}


def step_cost(tree):
    """The longest visit and end that was ever timed."""
    return max(tree["step_max"], worst_deadline(tree, "own")["max"])


def deadline_claims(deadlines):
    tree = deadlines["sphere"]
    step, own, wall = step_cost(tree), worst_deadline(tree, "own"), worst_deadline(tree, "wall")
    late = sum(row["visits_begun_after"] for row in tree["deadlines"])
    stopped = sum(row["stopped"] for row in tree["deadlines"])
    yield ("time-critical: the query's own work after a deadline of 10, 50, 200 µs, p50 / p99.9 / largest",
           f"no visit begun after it, ≤ one step ({step / 1000:.1f} µs)", f"{late} of {stopped:,} begun; {microseconds(own)}",
           late == 0 and own["max"] <= step)
    alone = worst_deadline({"deadlines": deadlines["clock_alone"]}, "wall")
    yield ("time-critical: overrun of the same deadlines by the wall clock, the machine's interruptions included",
           f"≤ one step ({step / 1000:.1f} µs)", f"{microseconds(wall)}; a loop without a query: {microseconds(alone)}",
           wall["max"] <= step)


def claims(results_dir):
    """Rows for the summary: claim, aim, measured, met."""
    models, deadlines = load(results_dir)
    if not models:
        return []
    return [width_claim(models), *(deadline_claims(deadlines) if deadlines else []), soundness_claim(models)]


def losses(models):
    """Where medial spheres are not half as wide as octree spheres, or another tree is narrower than they are."""
    lost = sorted(((r, name, b) for b in budgets_of(models) if b >= 64 for name, r in width_ratios(models, b).items()
                   if r > 0.5), reverse=True)
    rows = [[name, f"{b} tests", "octree spheres", f"×{digits(r)}"] for r, name, b in lost]
    others = sorted(((value(m, MEDIAL, b, "mean") / value(m, tree, b, "mean"), m["model"], b, tree) for m in models
                     for b in budgets_of(models) for tree in TREES[1:] if value(m, tree, b, "mean") > 0
                     if value(m, MEDIAL, b, "mean") > value(m, tree, b, "mean")), reverse=True)
    rows += [[name, f"{b} tests", f"{tree} tree", f"×{digits(r)}"] for r, name, b, tree in others[:6]]
    words = ["Where we lose: width of the bounds of medial spheres, best first, by the other's (0.5 is aimed at against octree "
             f"spheres; against our own other trees, {len(others)} cases above 1, the worst six):", ""]
    return words + ([table(["model", "budget", "against", "ratio"], rows)] if rows else ["None.", ""])


def width_section(models, plots_dir):
    kinds, budgets = list(models[0]["widths"]), budgets_of(models)
    series = {kind: [(b, max(mean_over(models, kind, b, "mean"), 1e-6)) for b in budgets] for kind in kinds}
    svg.line_chart(pathlib.Path(plots_dir) / "budget-widths", "Bounds of the separation after a budget", "node tests",
                   "(upper - lower) / radius, mean", series)
    header = ["tree, order"] + [f"{b} tests" for b in budgets]
    ratios = {b: list(width_ratios(models, b).values()) for b in budgets}
    return ["Width of the bounds, (upper − lower) / radius, mean over the models:", "",
            table(header, width_rows(models, budgets, kinds, "mean")),
            "The 99th percentile:", "", table(header, width_rows(models, budgets, kinds, "p99")),
            "Share of the placements whose verdict is known:", "",
            table(header, width_rows(models, budgets, kinds, "resolved")),
            "Medial by octree width, best first, model by model: "
            + "; ".join(f"{b} tests: ×{geometric_mean(r):.2f} (worst ×{max(r):.2f})" for b, r in ratios.items() if r)
            + ".", "", f"![Bounds against budget]({pathlib.Path(plots_dir).name}/budget-widths.svg)", ""]


def deadline_section(deadlines):
    lines, above = [], []
    for name in TREES if deadlines else ():
        tree = deadlines[name]
        for row in tree["deadlines"]:
            if row["wall"]:
                lines.append([f"{name}, {row['microseconds']} µs", microseconds(row["wall"]), microseconds(row["own"]),
                              str(row["visits_begun_after"]), str(row["stopped"]), str(row["finished"])])
        count, taken = (sum(row[k] for row in tree["deadlines"]) for k in ("above_step", "above_step_preempted"))
        above.append(f"{name} {count} ({taken} with a counted preemption)")
    for row in deadlines.get("clock_alone", []):
        lines.append([f"no query, {row['microseconds']} µs", microseconds(row["wall"]), "–", "–", str(row["stopped"]), "–"])
    if not lines:
        return []
    costs = [[name, f"{t['visit']['p50'] / 1000:.2f}", f"{t['visit']['p999'] / 1000:.2f}", f"{t['visit']['max'] / 1000:.2f}",
              f"{t['end_max'] / 1000:.2f}"] for name, t in ((n, deadlines[n]) for n in TREES)]
    return ["Deadlines by the clock. The callback is asked before every visit (8 sphere tests or 8 pairs of triangles in a "
            "sphere tree; otherwise 4 volumes or one pair of leaves, which in a cell tree hold as many triangles as its builder "
            "left together), so that a step is late by at most one visit and its end (one look at the open pairs). What these "
            "cost here, in microseconds, the least of four repeats of each:", "",
            table(["tree", "visit, median", "99.9 %", "largest", "end, largest"], costs),
            "How much later than its deadline a step ended, median / 99.9 % / largest: by the wall clock, and the query's own "
            "work from the last question but one on, which is the least of four repeats up to the same visit. The difference is "
            "what the operating system and the virtual machine took: the last rows are a loop that does nothing but ask the clock. "
            "Queries that had finished are counted apart.", "",
            table(["query, deadline", "wall clock", "own work", "visits begun after", "stopped", "finished"], lines),
            "Overruns above the worst step by the wall clock: " + ", ".join(above) + ".", ""]


def how_run(models, deadlines):
    poses = sum(m["poses"] for m in models)
    out = deadlines.get("left_out", [])
    return (f"`espalier-bench-budget`: {', '.join(m['model'] for m in models)} against copies of themselves, {poses} random "
            f"placements, about half of them touching; sphere trees of {deadlines.get('levels', '?')} levels, effort "
            f"{deadlines.get('effort', '?')}, both kinds alike." + (f" Left out for lack of time: {', '.join(out)}." if out else ""))


def section(results_dir, plots_dir):
    """Markdown of the protocol; empty where nothing was measured."""
    models, deadlines = load(results_dir)
    if not models:
        return ""
    return "\n".join(["## L. Time-critical bounds", "", *losses(models), how_run(models, deadlines), "",
                      claims_table(claims(results_dir)), *width_section(models, plots_dir), *deadline_section(deadlines)])
