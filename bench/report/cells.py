# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the cells that espalier-bench left, and answers what the tables ask of them."""
import json
import math
import pathlib

OURS = "Espalier aabb"
BOX = "Espalier box"
SCALAR = "Espalier aabb, no SIMD"


class Results:
    def __init__(self, folder):
        self.cells = {}  # (model, protocol) -> cell
        for path in sorted(pathlib.Path(folder).glob("*.*.json")):
            cell = json.loads(path.read_text())
            self.cells[cell["model"], cell["protocol"]] = cell
        self.libraries = json.loads((pathlib.Path(folder) / "libraries.json").read_text())
        known = {model: cell["triangles"] for (model, _), cell in self.cells.items() if "triangles" in cell}
        ordered = sorted(known, key=lambda name: (known[name], name))
        self.models = [m for m in ordered if not m.startswith("scaling-")]
        self.scaling = [m for m in ordered if m.startswith("scaling-")]
        self.triangles = known

    def library(self, model, protocol, name):
        """The library's entry in a cell, or None."""
        cell = self.cells.get((model, protocol), {"libraries": []})
        return next((entry for entry in cell["libraries"] if entry["name"] == name), None)

    def time(self, model, protocol, name, key="min_ns"):
        entry = self.library(model, protocol, name)
        return entry.get(key) if entry and entry["status"] == "ok" else None

    def best(self, model, protocol, family):
        """(name, min_ns) of the fastest member of a family in a cell, or None."""
        cell = self.cells.get((model, protocol), {"libraries": []})
        known = [(e["min_ns"], e["name"]) for e in cell["libraries"] if e["family"] == family and e["status"] == "ok"]
        return (min(known)[1], min(known)[0]) if known else None

    def ratio(self, model, protocol, family, ours=OURS):
        """How many times as long the family's best takes, or None."""
        best, own = self.best(model, protocol, family), self.time(model, protocol, ours)
        return best[1] / own if best and own else None

    def ratios(self, protocols, family, ours=OURS, models=None):
        """{(model, protocol): ratio} of the cells that have one."""
        found = {(m, p): self.ratio(m, p, family, ours) for m in models or self.models for p in protocols}
        return {cell: ratio for cell, ratio in found.items() if ratio}

    def slowdown(self, protocols, name, ours):
        """{(model, protocol): time of `name` over time of `ours`}."""
        times = {(m, p): (self.time(m, p, name), self.time(m, p, ours)) for m in self.models for p in protocols}
        return {cell: theirs / own for cell, (theirs, own) in times.items() if theirs and own}

    def names(self, protocol):
        """Names of the libraries in a protocol, in the registry's order."""
        present = {e["name"] for (_, p), c in self.cells.items() if p == protocol for e in c["libraries"]}
        return [entry["name"] for entry in self.libraries if entry["name"] in present]


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def spread(values):
    """Factor of one standard deviation of the logarithms."""
    middle = sum(map(math.log, values)) / len(values)
    return math.exp(math.sqrt(sum((math.log(v) - middle) ** 2 for v in values) / len(values)))


def digits(value):
    """Three significant digits without an exponent."""
    if value == 0:
        return "0"
    places = max(0, 2 - math.floor(math.log10(abs(value)) + 1e-9))
    return f"{value:.{places}f}" if places else f"{value:.0f}"


def duration(ns):
    for size, unit in ((1e9, "s"), (1e6, "ms"), (1e3, "µs")):
        if ns >= size:
            return f"{digits(ns / size)} {unit}"
    return f"{digits(ns)} ns"
