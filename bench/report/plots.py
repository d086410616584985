# SPDX-License-Identifier: GPL-3.0-or-later
"""The plots of RESULTS.md, each with its data beside it."""
from cells import BOX, OURS, SCALAR
from svg import dot_chart, line_chart

LINES = [OURS, BOX, SCALAR, "FCL OBB", "FCL OBBRSS", "FCL kIOS", "ODE", "Bullet GImpact"]


def groups(results, model, protocol):
    """{library: [(group value, µs)]} of one cell."""
    series = {}
    for name in LINES:
        entry = results.library(model, protocol, name)
        if entry and entry["status"] == "ok":
            values = [g["value"] for g in results.cells[model, protocol]["groups"]]
            series[name] = [(v, t / 1000) for v, t in zip(values, entry["groups_min_ns"]) if t > 0]
    return series


def scaling(results, protocol):
    series = {}
    for name in LINES:
        points = [(results.triangles[m], results.time(m, protocol, name)) for m in results.scaling]
        series[name] = [(n, t / 1000) for n, t in points if t]
    return series


def first_answer(results):
    """Time from a file (ours) or a mesh in memory (peers) to the first answer, by size."""
    series = {"Espalier, cold, full check": [], "Espalier, cached, full check": []}
    for model in results.models + results.scaling:
        facts = results.cells.get((model, "H"))
        if not facts:
            continue
        n = facts["triangles"]
        for key, name in (("cold_full_ns", "Espalier, cold, full check"), ("warm_full_ns", "Espalier, cached, full check")):
            if facts["load"].get(key, 0) > 0:
                series[name].append((n, facts["load"][key] / 1e6))
        for entry in facts["libraries"]:
            if entry["name"] in ("FCL OBB", "ODE", "Bullet GImpact") and entry["status"] == "ok":
                series.setdefault(entry["name"] + ", build", []).append(
                    (n, (entry["load_ns"] + entry["first_query_ns"]) / 1e6))
    return series


def write_plots(results, folder):
    """Writes what there is data for; yields (file name, title)."""
    ratios = {}
    for protocol in "ABCDEF":
        found = results.ratios([protocol], "FCL")
        if found:
            ratios["protocol " + protocol] = {model: ratio for (model, _), ratio in found.items()}
    title = "Best FCL time / our time, by model"
    if ratios and dot_chart(folder / "ratios", title, "times as fast as the best of FCL", ratios):
        yield "ratios", title
    for model in ("torus-5000", "armadillo"):
        title = f"B: tumbling turn, {model}"
        if line_chart(folder / f"tumbling-{model}", title, "distance of the centres (model fits a cube of 2)",
                      "µs a query", groups(results, model, "B"), log_x=False):
            yield f"tumbling-{model}", title
        title = f"C: near misses, {model}"
        if line_chart(folder / f"near-misses-{model}", title, "gap, % of the diagonal", "µs a query",
                      groups(results, model, "C")):
            yield f"near-misses-{model}", title
    for protocol, kind in (("A", "random placements"), ("C", "near misses")):
        title = f"J: torus by size, {kind} ({protocol})"
        if line_chart(folder / f"scaling-{protocol}", title, "triangles", "µs a query", scaling(results, protocol)):
            yield f"scaling-{protocol}", title
    title = "I: time to the first answer, by size"
    if line_chart(folder / "first-answer", title, "triangles", "ms", first_answer(results)):
        yield "first-answer", title
