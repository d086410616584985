# SPDX-License-Identifier: GPL-3.0-or-later
"""The section on Hubbard's ships: exact and time-critical detection under a frame target."""
import csv
import json
import pathlib

from svg import line_chart
from tables import table

MODES = ["exact", "octree", "medial"]


def growth_text(data, plots):
    line_chart(plots / "ships_growth", "Exact detection by number of ships", "ships", "ms a frame",
               {"exact detection, mean": [(r["ships"], r["detection_ms"]["mean"]) for r in data["growth"]],
                "target": [(r["ships"], data["target_ms"]) for r in data["growth"]]})
    last = data["growth"][-1]
    return (f"Exact detection (all contacts, on aabb trees) with {data['ships']} ships takes "
            f"{last['detection_ms']['mean']:.3g} ms a frame on average for {last['pairs_mean']:.0f} pairs of overlapping "
            f"bounding spheres: {last['detection_ms']['mean'] / data['target_ms']:.1f} times the target of "
            f"{data['target_ms']:g} ms.\n\n![Exact detection by number of ships]({plots.name}/ships_growth.svg)\n\n"
            "Other exact answers, with as many ships: " +
            ", ".join(f"{name} {kind['detection_ms']['mean']:.3g} ms" for name, kind in data["exact_kinds"].items()) + ".\n\n")


def frame_times(results, plots):
    series = {}
    for mode in MODES:
        path = results / f"ships_{mode}.csv"
        if path.exists():
            with open(path, newline="") as file:
                rows = [r for r in csv.DictReader(file) if float(r["frame_ms"]) > 0]
            series[mode] = [(int(r["frame"]) + 1, float(r["frame_ms"])) for r in rows[::max(1, len(rows) // 150)]]
    line_chart(plots / "ships_frames", "Frame time", "frame", "ms", series, log_x=False)


def clock_text(data, plots):
    rows = []
    for mode in MODES:
        s = data["clock"][mode]
        rows.append([mode, f"{s['frame_ms']['p50']:.3g}", f"{s['frame_ms']['p99']:.3g}", f"{s['frame_ms']['max']:.3g}",
                     f"{100 * s['kept']:.1f} %", str(s["responses"]), f"{s['level_mean']:.2f}" if mode != "exact" else "–",
                     f"{s['separation']['mean']:.4f}", f"{s['separation']['max']:.3f}"])
    header = ["mode", "frame p50, ms", "p99", "max", "within 5 % of target", "responses", "level", "separation mean",
              "separation max"]
    kept = {mode: data["clock"][mode]["kept"] for mode in ("octree", "medial")}
    ratio = data["clock"]["medial"]["separation"]["mean"] / max(1e-9, data["clock"]["octree"]["separation"]["mean"])
    return (table(header, rows) + "\nSeparation at response is exact, in bounding radii (0 in exact mode: triangles touch). "
            f"Promise: 99 % of frames not above the target by more than 5 %: octree {'met' if kept['octree'] >= 0.99 else 'not met'}, "
            f"medial {'met' if kept['medial'] >= 0.99 else 'not met'}. Mean separation on medial spheres is {ratio:.2f} of that on octree "
            f"spheres.\n\n![Frame time]({plots.name}/ships_frames.svg)\n\n")


def budget_text(data, plots):
    series = {}
    for row in data["budget"]:
        if row["separation"]["mean"] > 0:
            series.setdefault(f"{row['mode']}, {row['order']}", []).append((row["node_tests_a_ship"], row["separation"]["mean"]))
    line_chart(plots / "ships_budget", "Separation at response by budget", "node tests a ship and frame", "bounding radii",
               series)
    rows = [[row["mode"], row["order"], str(row["node_tests_a_ship"]), f"{row['separation']['mean']:.4f}",
             f"{row['separation']['max']:.3f}", f"{row['bound']['mean']:.3f}", f"{row['level_mean']:.2f}",
             f"{100 * row['exact_share']:.0f} %"] for row in data["budget"]]
    header = ["spheres", "order", "node tests a ship", "separation mean", "max", "bound mean", "level", "on triangles"]
    return (f"With equal node-test budgets ({data['budget_ships']} ships, the same on every machine):\n\n" + table(header, rows) +
            f"\n![Separation at response by budget]({plots.name}/ships_budget.svg)\n\n")


def section(results_dir, plots_dir):
    """Markdown, or nothing where espalier-bench-ships has not run."""
    results, plots = pathlib.Path(results_dir), pathlib.Path(plots_dir)
    path = results / "ships.json"
    if not path.exists():
        return ""
    data = json.loads(path.read_text())
    frame_times(results, plots)
    text = ("## Ships\n\nHubbard's ship simulator (1996, section 8.2), headless: " + ", ".join(data["ships_of"]) +
            f" of the corpus, {data['triangles']} triangles each, fly at random and bounce, one follows a script. Detection gets what the frame governor "
            "leaves it.\n\n")
    return text + growth_text(data, plots) + clock_text(data, plots) + budget_text(data, plots)
