# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies of many parts against FCL with its broad phase, from what espalier-bench-bodies left."""
import json
import pathlib

from cells import digits, duration, geometric_mean
from tables import claims_table, table


def load(results_dir):
    path = pathlib.Path(results_dir) / "bodies.json"
    return json.loads(path.read_text()) if path.exists() else {}


def ratio(cell):
    return cell["fcl"] / cell["ours"]


def claims(results_dir):
    """Rows for the summary: claim, aim, measured, met."""
    data = load(results_dir)
    if not data:
        return []
    ratios = [ratio(cell) for cell in data["cells"]]
    mean, least = geometric_mean(ratios), min(ratios)
    return [("bodies, first contact and distance: FCL with its broad phase / ours", "≥ ×5, each ≥ ×1",
             f"×{digits(mean)}, least ×{digits(least)}", mean >= 5 and least >= 1)]


def section(results, plots):
    data = load(results)
    if not data:
        return ""
    rows = [[cell["scene"], cell["question"], f"{cell['touching']} of {cell['frames']}", duration(cell["ours"]),
             duration(cell["fcl"]), f"**×{digits(ratio(cell))}**", f"×{digits(cell['again'] / cell['ours'])}",
             str(cell["differing"])] for cell in sorted(data["cells"], key=ratio)]
    settings = [[str(s["parts"]), duration(s["ours"]), duration(s["fcl"]), digits(s["bytes"] / s["parts"])] for s in data["set_poses"]]
    return ("## Bodies of many parts\n\nEach frame sets the poses of all parts that move and asks once; both are in the times, which "
            "are processor time a frame, the least of several interleaved runs. FCL has a dynamic AABB tree over the parts and an "
            "OBBRSS tree in each. Cells in which we are slowest come first; \"ours again\" is the same measured twice, the noise.\n\n"
            + claims_table(claims(results)) + "\n"
            + table(["scene", "question", "touch", "ours", "FCL", "FCL / ours", "ours again", "answers that differ"], rows)
            + "\n" + table(["parts", "set_poses", "FCL's update", "our bytes a part"], settings) + "\n")
