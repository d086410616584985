# SPDX-License-Identifier: GPL-3.0-or-later
"""The section on Hubbard's ships: exact and time-critical detection under a frame target."""
import csv
import json
import pathlib

from cells import digits
from svg import line_chart
from tables import claims_table, table

MODES = ["exact", "octree", "medial"]
WARM_UP = 16  # frames that do not count: examples/ships/records.cpp


def load(results_dir):
    path = pathlib.Path(results_dir) / "ships.json"
    return json.loads(path.read_text()) if path.exists() else None


def exact_ratios(data):
    """Mean exact detection by the target: by the wall clock, by processor time."""
    exact = data["clock"]["exact"]
    return exact["detection_ms"]["mean"] / data["target_ms"], exact["detection_cpu_ms"] / data["target_ms"]


def claims(results_dir):
    """Rows for the summary: claim, aim, measured, met."""
    data = load(results_dir)
    if not data:
        return []
    medial, octree = data["clock"]["medial"], data["clock"]["octree"]
    what = f"ships: frames not above the target of {data['target_ms']:g} ms by more than 5 %, medial spheres"
    ratio = medial["separation"]["mean"] / max(1e-9, octree["separation"]["mean"])
    return [(f"{what}, by the wall clock", "≥ 99 %", f"{percent(medial['kept'])}; {undisturbed(medial)}", medial["kept"] >= 0.99),
            (f"{what}, by the thread's processor time", "≥ 99 %", percent(medial["cpu"]["kept"]), medial["cpu"]["kept"] >= 0.99),
            (f"ships: exact detection (all contacts) by the frame's target, the same {data['ships']} ships", "≥ ×10",
             f"×{digits(exact_ratios(data)[1])} by processor time, ×{digits(exact_ratios(data)[0])} by the wall clock",
             min(exact_ratios(data)) >= 10),
            ("ships: mean separation at response, medial / octree spheres", "below ×1",
             f"×{digits(ratio)} ({digits(medial['separation']['mean'])} against {digits(octree['separation']['mean'])} radii; "
             f"largest {digits(medial['separation']['max'])} against {digits(octree['separation']['max'])})", ratio < 1)]


def percent(share):
    return f"{100 * share:.1f} %"


def undisturbed(flight):
    """What the frames kept from which the processor was not taken away."""
    counted = flight["frames"] - WARM_UP
    late = round((1 - flight["kept"]) * counted) - flight["preempted_late"]
    rest = counted - flight["preempted"]
    return f"of the {rest} frames not preempted {percent(1 - late / max(1, rest))}"


def losses(data):
    """What speaks against time-critical detection in this run."""
    first = data["exact_kinds"].get("first contact")
    medial, octree = data["clock"]["medial"], data["clock"]["octree"]
    rows = []
    if first and first["detection_ms"]["mean"] < medial["detection_ms"]["mean"]:
        rows.append(["a yes or no from our aabb trees, exact, is cheaper than time-critical detection",
                     f"{digits(first['detection_ms']['mean'])} ms a frame against {digits(medial['detection_ms']['mean'])} ms"])
    for mode, s in (("medial", medial), ("octree", octree)):
        if s["kept"] < 0.99:
            rows.append([f"{mode} spheres: frames above the target by more than 5 %, wall clock",
                         f"{percent(1 - s['kept'])}, of them {s['preempted_late']} frames preempted"])
        if s["cpu"]["kept"] < 0.99:
            rows.append([f"{mode} spheres: frames above the target by more than 5 %, processor time", percent(1 - s["cpu"]["kept"])])
    for row in data["budget"]:
        if row["mode"] == "medial":
            other = next((r for r in data["budget"] if r["mode"] == "octree" and r["order"] == row["order"]
                          and r["node_tests_a_ship"] == row["node_tests_a_ship"]), None)
            if other and other["separation"]["mean"] < row["separation"]["mean"]:
                rows.append([f"{row['node_tests_a_ship']} node tests a ship, {row['order']}: octree spheres respond nearer",
                             f"{digits(other['separation']['mean'])} against {digits(row['separation']['mean'])} radii"])
    return "Where we lose:\n\n" + (table(["what", "measured"], rows) if rows else "Nowhere in this run.\n") + "\n"


def how_run(data):
    least = data["least"]
    return (f"`espalier-bench-ships`: Hubbard's ship simulator (1996, section 8.2), headless: {', '.join(data['ships_of'])} of the "
            f"corpus, about {data['triangles']:,} triangles each, spheres of {data['levels']} levels (effort fast, both kinds alike), fly "
            f"at random and bounce, one follows a script; bounding spheres would fill {100 * data['crowding']:.0f} % of the space. "
            "One thread, pinned; the clock is the wall's, and the thread's processor time is noted beside, as are frames in which "
            f"the scheduler took the processor away. The first {WARM_UP} frames, in which the governor learns, do not count. Every new pair "
            f"is refined to level 1 whatever the clock says; one that was near in the last frame keeps the spheres it had then, of level 1 "
            f"or finer, and its bounds widened by the motion, until its turn comes. With as many ships that floor and everything beside detection take "
            f"{digits(least['frame_ms']['p50'])} ms a frame (median; detection {digits(least['detection_ms']['p50'])} ms for "
            f"{least['pairs_mean']:.0f} pairs), which the target of {data['target_ms']:g} ms must and does leave room for.\n\n"
            if least["frame_ms"]["p50"] < data["target_ms"] else
            f"`espalier-bench-ships`: the floor of {digits(least['frame_ms']['p50'])} ms a frame does not fit into the target of "
            f"{data['target_ms']:g} ms.\n\n")


def late_frames(flight):
    """What the frames are made of that took too long by the thread's own processor time."""
    late = flight["late"]
    if late["frames"] == 0:
        return "By processor time no frame of the medial flight was late."
    return (f"The {late['frames']} frames of the medial flight that were late by processor time spent, on average, "
            f"{digits(late['before_ms'])} ms before detection, {digits(late['least_ms'])} ms on its least work and "
            f"{digits(late['rest_ms'])} ms after it.")


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
            ", ".join(f"{name} {kind['detection_ms']['mean']:.3g} ms" for name, kind in data["exact_kinds"].items()) +
            ". The first tells no more than yes or no; time-critical detection tells bounds of the separation and where the "
            "spheres touch.\n\n")


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
        least = s["least_ms"] if mode != "exact" else None
        rows.append([mode, f"{s['frame_ms']['p50']:.3g}", f"{s['frame_ms']['p99']:.3g}", f"{s['frame_ms']['max']:.3g}",
                     percent(s["kept"]), percent(s["cpu"]["kept"]), f"{least['p50']:.3g} / {least['p99']:.3g}" if least else "–", f"{s['preempted']} of {s['frames']}", str(s["responses"]),
                     f"{s['level_mean']:.2f}" if mode != "exact" else "–", f"{s['separation']['mean']:.4f}",
                     f"{s['separation']['max']:.3f}"])
    header = ["mode", "frame p50, ms", "p99", "max", "kept, wall clock", "kept, processor time", "least p50 / p99, ms", "frames preempted", "responses",
              "level", "separation mean", "separation max"]
    return (table(header, rows) + "\nKept: not above the target by more than 5 %. Separation at response is exact, in bounding radii "
            "(0 in exact mode: triangles touch), found in every tenth frame, after the flight. Least: what detection does before it "
            "first asks the clock. Ships were added until one exact flight took eleven targets; flights of nearly as many ships differ by "
            "a quarter, so that the ratio is that of this flight. " + late_frames(data["clock"]["medial"]) + "\n\n"
            f"![Frame time]({plots.name}/ships_frames.svg)\n\n")


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
    data = load(results)
    if not data:
        return ""
    frame_times(results, plots)
    return ("## Ships\n\n" + losses(data) + how_run(data) + claims_table(claims(results)) + "\n" + growth_text(data, plots) +
            clock_text(data, plots) + budget_text(data, plots))
