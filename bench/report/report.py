#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes RESULTS.md and the plots from the cells that espalier-bench left.

usage: report.py --results DIR [--topic NAME=DIR]... --out RESULTS.md --plots DIR --header FILE [--quick]

A topic is a script beside this one whose section(results, plots) tells of the data in its DIR; if it has claims(results), a
list of (claim, aim, measured, met), the summary takes them over. FILE holds the lines about machine, compiler, flags, commit and peers, one a line.
"""
import argparse
import importlib
import pathlib

import box_tree
import tables
from cells import BOX, OURS, SCALAR, Results, digits, duration, geometric_mean, spread
from plots import write_plots


class Claim:
    """A row of the summary: what is promised, what was measured."""

    def __init__(self, what, target, measured, met, detail=""):
        self.what, self.target, self.measured, self.met, self.detail = what, target, measured, met, detail


def ratio_claim(what, target, ratios, least=None):
    """The geometric mean of ratios must reach `target`, and the worst cell `least` if given."""
    if not ratios:
        return None
    values, mean = list(ratios.values()), geometric_mean(list(ratios.values()))
    worst = min(ratios, key=ratios.get)
    met = mean >= target and (least is None or ratios[worst] >= least)
    wanted = f"≥ ×{target:g}" + (f", each ≥ ×{least:g}" if least is not None else "")
    return Claim(what, wanted, f"×{digits(mean)}", met,
                 f"{len(values)} cells, spread ×/÷ {digits(spread(values))}, worst ×{digits(ratios[worst])} "
                 f"({worst[0]} {worst[1]})")


def most_claim(what, most, ratios):
    """The geometric mean of ratios must stay below `most`."""
    if not ratios:
        return None
    mean, worst = geometric_mean(list(ratios.values())), max(ratios, key=ratios.get)
    return Claim(what, f"≤ ×{most:g}", f"×{digits(mean)}", mean <= most,
                 f"{len(ratios)} cells, worst ×{digits(ratios[worst])} ({worst[0]} {worst[1]})")


def query_claims(results):
    yield ratio_claim("first contact, A and B: best FCL / ours", 5, results.ratios(["A", "B"], "FCL"), 1)
    yield ratio_claim("first contact, C (near misses): best FCL / ours", 3, results.ratios(["C"], "FCL"), 1)
    yield ratio_claim("first contact, D (deep overlap): best FCL / ours", 1, results.ratios(["D"], "FCL"), 1)
    misses = ["A-misses", "B-misses", "C"]
    yield ratio_claim("misses: ODE / ours", 2, results.ratios(misses, "ODE"))
    yield ratio_claim("misses: Bullet GImpact / ours", 1, results.ratios(misses, "Bullet"))
    yield ratio_claim("all contacts, E: best FCL / ours", 3, results.ratios(["E"], "FCL"))
    yield ratio_claim("distance, F: best FCL / ours", 3, results.ratios(["F"], "FCL"))
    yield ratio_claim("without SIMD, A, B and C: best FCL / ours", 1, results.ratios("ABC", "FCL", SCALAR))
    yield ratio_claim("box tree, first contact, A and B: best FCL / our box tree", 3, results.ratios("AB", "FCL", BOX))
    yield ratio_claim("box tree, first contact, C: best FCL / our box tree", 2, results.ratios("C", "FCL", BOX))
    yield most_claim("box tree, first contact, A, B and C: box tree / aabb tree", 1.5, results.slowdown("ABC", BOX, OURS))
    yield ratio_claim("deforming frame, G: best FCL / ours", 1, results.ratios(["G"], "FCL"))
    yield ratio_claim("scaling torus, J (A and C): best FCL / ours", 1,
                      results.ratios("AC", "FCL", models=results.scaling), 1)


def size_claim(facts, name, what, target):
    sizes = {model: e["hierarchy_bytes"] / fact["triangles"] for model, fact in facts for e in fact["libraries"]
             if e["name"] == name and e["status"] == "ok"}
    if not sizes:
        return None
    worst = max(sizes, key=sizes.get)
    return Claim(what, f"≤ {target}", digits(sum(sizes.values()) / len(sizes)), sizes[worst] <= target,
                 f"mean of {len(sizes)} models, most {digits(sizes[worst])} ({worst})")


def box_size_claims(results):
    for leaf, most in (("leaf 1", 8), ("leaf 8", 3)):
        sizes = {c["model"]: c["variants"][leaf]["bytes"] / c["triangles"] for c in box_tree.box_cells(results)
                 if "bytes" in c["variants"].get(leaf, {})}
        if sizes:
            worst = max(sizes, key=sizes.get)
            yield Claim(f"box tree, {leaf}: bytes a triangle", f"≤ {most}", digits(sum(sizes.values()) / len(sizes)),
                        sizes[worst] <= most, f"mean of {len(sizes)} models, most {digits(sizes[worst])} ({worst})")


def single_claims(results):
    facts = tables.facts_of(results)
    refits = {}
    for model, fact in facts:
        cell = results.cells.get((model, "G"))
        own = next((e for e in cell["libraries"] if e["name"] == OURS and e["status"] == "ok"), None) if cell else None
        if own and "build_1_thread_ns" in fact["build"]:
            refits[model, "G"] = fact["build"]["build_1_thread_ns"] / own["groups_min_ns"][0]
    yield ratio_claim("rebuild / refit, one thread", 10, refits)
    loads = {}
    for model, fact in facts:
        peers = [e["load_ns"] + e["first_query_ns"] for e in fact["libraries"]
                 if not e["family"].startswith("Espalier") and e["status"] == "ok"]
        if peers and fact["load"].get("cold_full_ns", 0) > 0:
            loads[model, "I"] = min(peers) / fact["load"]["cold_full_ns"]
    yield ratio_claim("to the first answer: fastest peer's rebuild / our cold file with full check", 1, loads)
    yield size_claim(facts, OURS, "aabb tree, bytes a triangle", 10)
    yield from box_size_claims(results)
    million = next((fact for model, fact in facts if fact["triangles"] == 1000000), None)
    if million and "build_all_threads_ns" in million["build"]:
        ns = million["build"]["build_all_threads_ns"]
        yield Claim("build of 1,000,000 triangles, all threads", "about 1 s", duration(ns), ns < 1.5e9)


def slower_cells(results):
    """Every cell in which some library beats ours, worst first."""
    found = []
    for (model, protocol), cell in results.cells.items():
        own = results.time(model, protocol, OURS) if protocol not in ("H", "box", "paper") else None
        for entry in cell.get("libraries", []):
            if own and entry["status"] == "ok" and not entry["family"].startswith("Espalier"):
                if entry["min_ns"] < own:
                    found.append((entry["min_ns"] / own, model, protocol, entry["name"]))
    return sorted(found)


def differing_cells(results):
    return [(model, protocol, e["name"], e["differences"], cell["placements"])
            for (model, protocol), cell in results.cells.items() if "placements" in cell and protocol not in ("box", "paper")
            for e in cell["libraries"] if e.get("differences")]


def topic_claims(topics):
    """What the topics' scripts promise in claims(folder): rows of claim, aim, measured, met."""
    for topic in topics:
        name, folder = topic.split("=", 1)
        module = importlib.import_module(name)
        if folder and hasattr(module, "claims"):
            yield from (Claim(*row) for row in module.claims(pathlib.Path(folder)))


def summary(results, topics):
    claims = [c for c in [*query_claims(results), *single_claims(results), *topic_claims(topics)] if c]
    claims.sort(key=lambda c: c.met)  # stable: the missed first, otherwise in order
    rows = [["met" if c.met else "**missed**", c.what, c.target, f"**{c.measured}**", c.detail] for c in claims]
    words = "## Summary\n\nRatios are times of the peer over ours: above 1 we are faster. What we miss comes first.\n\n"
    words += tables.table(["", "figure", "target", "measured", "detail"], rows) + "\n"
    slower = slower_cells(results)
    if slower:
        words += f"**Slower than a peer in {len(slower)} cells**, worst first: "
        words += "; ".join(f"{model} {protocol} against {name} (×{digits(r)})" for r, model, protocol, name in slower[:12])
        words += "; ...\n\n" if len(slower) > 12 else ".\n\n"
    else:
        words += "Slower than a peer in no cell.\n\n"
    differing = differing_cells(results)
    if differing:
        words += ("Answers: " + "; ".join(f"{model} {protocol}: {name} differs on {n} of {of}"
                                          for model, protocol, name, n, of in differing[:8])
                  + ("; ..." if len(differing) > 8 else "") + ". A time counts only where at most 1 % of the answers differ.\n\n")
    else:
        words += "Answers: all libraries agree with ours in every cell that has a time.\n\n"
    return words


def peers_section(results):
    rows = [[e["name"], e["limits"] or "–"] for e in results.libraries if not e["name"] == OURS]
    rows.append(["Embree `rtcCollide`", "not measured: it takes no placement (a moved mesh must be built again for every "
                 "query), reports pairs of bounding boxes, and leaves the triangle test to its caller"])
    return "## What the peers cannot do\n\n" + tables.table(["library", "limits"], rows) + "\n"


METHOD = """## How it was measured

One thread, pinned to one processor; every library runs in a process of its own and holds one model; queries are between
two copies of it. A pass asks every placement of a protocol once; a first pass warms up and yields the answers that must
agree with ours before a time counts; then the libraries take turns, pass by pass. Tables show the least pass, and the
median of ours. A library that takes over 30 times as
long as ours in its first pass is timed by that pass alone. A pass (or a build) that exceeds its time limit is "too slow". Placements come from fixed seeds; those at
prescribed gaps are found with our exact distance query. Contact counts may differ by 2 pairs or 1 % (grazing triangles),
distances by 1e-5, yes-or-no answers not at all; up to 1 % of the placements of a cell may differ and are counted in brackets.
FCL and ODE are Debian's builds. "Best FCL" is the fastest of its volumes in that very cell. ODE and Bullet generate
contacts and have no yes-or-no query, so they are compared only on placements without contact.

Instruction counts of our own queries are checked against `bench/baseline.json` by the test `bench_instruction_counts`.
"""


def topic_sections(topics, plots):
    """The sections of the topics, each NAME=DIR, and the line that says which have no data."""
    words, missing = "", []
    for topic in topics:
        name, folder = topic.split("=", 1)
        section = importlib.import_module(name).section(pathlib.Path(folder), plots) if folder else ""
        words += section
        if not section:
            missing.append(name)
    absent = "Not measured in this run: " + ", ".join(f"`bench/{name}`" for name in missing) + ".\n\n" if missing else ""
    return words, absent


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", required=True)
    parser.add_argument("--topic", action="append", default=[])
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--plots", required=True, type=pathlib.Path)
    parser.add_argument("--header", required=True, type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()

    results = Results(options.results)
    words = "# Benchmark results\n\n"
    words += ("A **quick** run (`tools/bench --quick`): few models, few placements. The full run is `tools/bench`.\n\n"
              if options.quick else "The **full** placements and models of `tools/bench`.\n\n")
    words += "".join(f"- {line}\n" for line in options.header.read_text().splitlines()) + "\n"
    options.plots.mkdir(parents=True, exist_ok=True)
    sections, absent = topic_sections(options.topic, options.plots)
    short = summary(results, options.topic)
    words += absent + short
    for name, title in write_plots(results, options.plots):
        words += f"![{title}]({options.plots.name}/{name}.svg)\n\n"
    words += "## Protocols\n\nLeast time a query; in brackets how many times ours.\n\n"
    for protocol in ("A", "B", "C", "D", "E", "F", "A-misses", "B-misses"):
        words += tables.protocol_table(results, protocol)
        if protocol in "BC":
            words += tables.group_table(results, protocol)
    for part in (tables.deform_table, tables.build_table, tables.load_table, tables.memory_table, tables.scaling_table,
                 tables.scalar_table, tables.paper_tables):
        words += part(results)
    words += box_tree.section(results, options.plots)
    words += sections
    words += peers_section(results) + METHOD
    options.out.write_text(words)
    print(short)


if __name__ == "__main__":
    main()
