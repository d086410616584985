# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast a million-triangle asset opens, by depth of verification."""
import json

from cells import digits, duration
from tables import table

NAMES = {"open_asset/nothing": "none", "open_asset/checksum": "checksum", "open_asset/full": "full"}


def section(results, plots):
    path = results / "open_speed.json"
    if not path.exists():
        return ""
    rows = []
    for run in json.loads(path.read_text())["benchmarks"]:
        depth = NAMES.get(run["name"])
        speed = "–" if depth == "none" else f"{digits(run['bytes_per_second'] / 1e9)} GB/s"
        rows.append([depth, duration(run["cpu_time"]), speed])
    return ("## Opening an asset of 1,000,000 triangles\n\nThe bytes are in memory already. Without verification nothing but "
            "the header is touched; checksum and full verification read every byte.\n\n"
            + table(["verification", "time", "speed"], rows) + "\n")
