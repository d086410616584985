# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast a million-triangle asset opens, by depth of verification."""
import json
import pathlib

from cells import digits, duration
from tables import claims_table, table

NAMES = {"open_asset/nothing": "none", "open_asset/checksum": "checksum", "open_asset/full": "full"}


def load(results_dir):
    """Runs by depth of verification."""
    path = pathlib.Path(results_dir) / "open_speed.json"
    if not path.exists():
        return {}
    return {NAMES.get(run["name"], run["name"]): run for run in json.loads(path.read_text())["benchmarks"]}


def claims(results_dir):
    """Rows for the summary: claim, aim, measured, met. A microsecond is far less than reading the file takes."""
    runs = load(results_dir)
    rows = []
    if "none" in runs:
        rows.append(("opening 1,000,000 triangles without verification", "a header's time: ≤ 1 µs", duration(runs["none"]["cpu_time"]),
                     runs["none"]["cpu_time"] <= 1000))
    if "full" in runs:
        speed = runs["full"]["bytes_per_second"] / 1e9
        rows.append(("opening 1,000,000 triangles, full verification", "memory speed: ≥ 1 GB/s", f"{digits(speed)} GB/s", speed >= 1))
    return rows


def section(results, plots):
    runs = load(results)
    if not runs:
        return ""
    rows = []
    for depth, run in runs.items():
        speed = "–" if depth == "none" else f"{digits(run['bytes_per_second'] / 1e9)} GB/s"
        rows.append([depth, duration(run["cpu_time"]), speed])
    return ("## Opening an asset of 1,000,000 triangles\n\nWhere we lose: full verification takes "
            f"{duration(runs['full']['cpu_time'])}, no verification {duration(runs['none']['cpu_time'])}.\n\n"
            if {"full", "none"} <= runs.keys() else "## Opening an asset of 1,000,000 triangles\n\n") + (
            "`espalier-bench-open-speed` (Google Benchmark, processor time): the bytes are in memory already. Without verification "
            "nothing but the header is touched; checksum and full verification read every byte.\n\n"
            + claims_table(claims(results)) + "\n" + table(["verification", "time", "speed"], rows) + "\n")
