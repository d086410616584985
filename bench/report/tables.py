# SPDX-License-Identifier: GPL-3.0-or-later
"""The tables of RESULTS.md: one a protocol, then build, load, memory, and van den Bergen's."""
from cells import BOX, OURS, SCALAR, digits, duration, geometric_mean, spread

TITLES = {
    "A": "A. Random placements, 60 % touch (van den Bergen 1998, section 5): first contact",
    "B": "B. Tumbling turn at decreasing distance (Zachmann 2002, section 5): first contact",
    "C": "C. Near misses, gaps of 0.1 to 2 % of the diagonal: first contact",
    "D": "D. Deep overlap: first contact",
    "E": "E. All contacts",
    "F": "F. Distance, gaps of 1, 10 and 50 % of the diagonal",
    "A-misses": "A, the misses alone: for libraries that only generate contacts",
    "B-misses": "B, the misses alone: for libraries that only generate contacts",
}


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" + "---:|" * (len(header) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def claims_table(claims):
    """Rows (claim, aim, measured, met), the missed ones first."""
    return table(["claim", "aim", "measured", "met"],
                 [[what, aim, f"**{measured}**", "yes" if met else "**no**"]
                  for what, aim, measured, met in sorted(claims, key=lambda c: c[3])])


def entry_text(entry, own):
    if entry is None:
        return "–"
    if entry["status"] != "ok":
        return entry["status"]
    words = duration(entry["min_ns"])
    if own and entry["min_ns"] != own:
        words += f" (×{digits(entry['min_ns'] / own)})"
    return words + (f" [{entry['differences']} differ]" if entry["differences"] else "")


def protocol_table(results, protocol):
    """Model by library: least time a query and, in brackets, how many times ours."""
    names = results.names(protocol)
    if not names:
        return ""
    rows = []
    for model in results.models:
        if (model, protocol) not in results.cells:
            continue
        own = results.time(model, protocol, OURS)
        best = results.best(model, protocol, "FCL")
        row = [f"{model} ({results.triangles[model]:,})"]
        row += [entry_text(results.library(model, protocol, name), own) for name in names]
        median = results.time(model, protocol, OURS, "median_ns")
        row.append(duration(median) if median else "–")
        if protocol in "ABCDEF":
            row.append(f"**×{digits(best[1] / own)}** {best[0]}" if best and own else "–")
        rows.append(row)
    header = ["model (triangles)"] + names + ["our median"] + (["best FCL / ours"] if protocol in "ABCDEF" else [])
    return f"### {TITLES[protocol]}\n\n" + table(header, rows) + "\n" + means_line(results, protocol) + "\n"


def means_line(results, protocol):
    lines = []
    for family in ("FCL", "ODE", "Bullet"):
        ratios = list(results.ratios([protocol], family).values())
        if ratios:
            lines.append(f"{'Best ' if family == 'FCL' else ''}{family} / ours: geometric mean "
                         f"×{digits(geometric_mean(ratios))} (spread ×/÷ {digits(spread(ratios))}, "
                         f"least ×{digits(min(ratios))}, most ×{digits(max(ratios))}).")
    return " ".join(lines) + "\n"


def group_table(results, protocol):
    """Least time by distance (B) or gap (C), geometric mean over the models: ours and the best of FCL."""
    cells = [results.cells[m, protocol] for m in results.models if (m, protocol) in results.cells]
    if not cells:
        return ""
    rows = []
    for i, group in enumerate(cells[0]["groups"]):
        own, ratios = [], []
        for cell in cells:
            times = {e["name"]: e["groups_min_ns"][i] for e in cell["libraries"] if e["status"] == "ok"}
            fcl = [t for name, t in times.items() if name.startswith("FCL")]
            if OURS in times and times[OURS] > 0:
                own.append(times[OURS])
                if fcl:
                    ratios.append(min(fcl) / times[OURS])
        if own and ratios:
            rows.append([group["name"], duration(geometric_mean(own)), f"×{digits(geometric_mean(ratios))}",
                         f"×{digits(min(ratios))}", f"×{digits(max(ratios))}"])
    return table(["geometric mean over models", "ours", "best FCL / ours", "least", "most"], rows) + "\n"


def deform_table(results):
    rows = []
    for model in results.models:
        cell, facts = results.cells.get((model, "G")), results.cells.get((model, "H"))
        if not cell:
            continue
        own = next((e for e in cell["libraries"] if e["name"] == OURS and e["status"] == "ok"), None)
        if not own:
            continue
        peers = [(e["groups_min_ns"][0], e["groups_min_ns"][1], e["name"]) for e in cell["libraries"]
                 if e["family"] == "FCL" and e["status"] == "ok"]
        refit, query = own["groups_min_ns"]
        rebuild = facts["build"].get("build_1_thread_ns") if facts else None
        best = min(peers, key=lambda p: p[0] + p[1]) if peers else None
        rows.append([f"{model} ({results.triangles[model]:,})", duration(refit), duration(query),
                     f"×{digits(rebuild / refit)}" if rebuild else "–",
                     f"{best[2]}: {duration(best[0])} + {duration(best[1])}" if best else "–",
                     f"×{digits((best[0] + best[1]) / (refit + query))}" if best else "–"])
    header = ["model (triangles)", "our refit", "our query", "our rebuild / refit", "best FCL: refit + query",
              "best FCL frame / our frame"]
    return "### G. Deforming: refit and query every frame\n\n" + table(header, rows) + "\n" if rows else ""


def facts_of(results):
    return [(m, results.cells[m, "H"]) for m in results.models + results.scaling if (m, "H") in results.cells]


def build_table(results):
    rows = []
    for model, facts in facts_of(results):
        build = facts["build"]
        row = [f"{model} ({facts['triangles']:,})"]
        for key in ("build_1_thread_ns", "build_all_threads_ns", "box_build_1_thread_ns", "write_1_thread_ns"):
            row.append(duration(build[key]) if key in build else "–")
        for name in ("FCL OBB", "FCL OBBRSS", "ODE", "Bullet GImpact"):
            entry = next((e for e in facts["libraries"] if e["name"] == name), None)
            row.append("–" if not entry else duration(entry["load_ns"]) if entry["status"] == "ok" else "too slow")
        rows.append(row)
    header = ["model (triangles)", "our aabb tree, 1 thread", "all threads", "our box tree, 1 thread", "write the asset", "FCL OBB", "FCL OBBRSS",
              "ODE", "Bullet GImpact"]
    return "### H. Build\n\nOurs happens once, offline; the peers' on every load.\n\n" + table(header, rows) + "\n"


def load_table(results):
    rows = []
    for model, facts in facts_of(results):
        load = facts["load"]
        row = [f"{model} ({facts['triangles']:,})"]
        for key in ("cold_none_ns", "cold_checksum_ns", "cold_full_ns", "warm_full_ns"):
            row.append(duration(load[key]) if key in load else "–")
        peers = [(e["load_ns"] + e["first_query_ns"], e["name"]) for e in facts["libraries"]
                 if not e["family"].startswith("Espalier") and e["status"] == "ok"]
        if peers and "cold_full_ns" in load:
            best = min(peers)
            row += [f"{best[1]}: {duration(best[0])}", f"×{digits(best[0] / load['cold_full_ns'])}"]
        rows.append(row + ["–"] * (7 - len(row)))
    header = ["model (triangles)", "cold file, no check", "cold, checksum", "cold, full check", "cached, full check",
              "fastest peer: build + first query", "peer / cold, full check"]
    return ("### I. Load: from the file to the first answer\n\nOurs maps the file, verifies it and asks one query; "
            "cold means that the file's pages were dropped from the cache first. The peer builds its tree from a mesh "
            "that is already in memory (reading a mesh file is not counted, in its favour) and asks the same query.\n\n"
            + table(header, rows) + "\n")


def memory_table(results):
    names = ["FCL OBB", "FCL OBBRSS", "FCL kIOS", "FCL AABB", "ODE", "Bullet GImpact"]
    rows = []
    for model, facts in facts_of(results):
        n = facts["triangles"]
        row = [f"{model} ({n:,})"]
        for name, file in ((OURS, "file_bytes"), (BOX, "box_file_bytes")):
            own = next((e for e in facts["libraries"] if e["name"] == name and e["status"] == "ok"), None)
            row.append(f"{digits(own['hierarchy_bytes'] / n)} / {digits(facts['build'][file] / n)}" if own else "–")
        for name in names:
            entry = next((e for e in facts["libraries"] if e["name"] == name and e["status"] == "ok"), None)
            if not entry:
                row.append("–")
                continue
            words = digits(entry["allocated_bytes"] / n)
            if entry["hierarchy_bytes"]:
                words = digits(entry["hierarchy_bytes"] / n) + " / " + words
            row.append(words)
        rows.append(row)
    header = ["model (triangles)", "our aabb tree / file", "our box tree / file"] + names
    return ("### Memory, bytes a triangle\n\nOurs: the hierarchy / the file with the mesh; nothing is allocated. "
            "Peers: the hierarchy by the library's own figures where it has them / everything that it allocated to load the "
            "model (counted by malloc, its copy of the mesh included).\n\n" + table(header, rows) + "\n")


PAPER = {  # van den Bergen 1998, AABB rows of Tables 1 (SAT) and 2 (SAT lite), 100,000 tests: Nb, Np, seconds
    "torus-5000": {"sat": (32913297, 3996806, 151.0), "sat lite": (40238149, 5222836, 134.5)},
    "slender-craft": {"sat": (92376250, 8601433, 350.1), "sat lite": (121462120, 13066095, 328.0)},
}
PAPER_TIMES = {"torus-5000": (0.11, 0.015, 0.0013), "slender-craft": (0.18, 0.018, 0.0033)}  # build, refit, test: s


def paper_tables(results):
    rows = []
    for model, published in PAPER.items():
        cell = results.cells.get((model, "paper"))
        if not cell:
            continue
        scale = 100000 / cell["placements"]
        for test in ("sat", "sat lite"):
            boxes, triangles, seconds = published[test]
            rows.append([model, test.upper().replace("LITE", "lite"), "paper (Sun UltraSPARC 167 MHz)",
                         f"{boxes:,}", f"{triangles:,}", f"{seconds:.1f} s"])
            for key, name in (("paper", "ours, median split, 1 triangle a leaf"), ("default", "ours, default")):
                work = cell.get(f"{key} {test}")
                if work:
                    rows.append(["", "", name, f"{work['box_tests'] * scale:,.0f}",
                                 f"{work['triangle_tests'] * scale:,.0f}", duration(work["ns"] * scale)])
    words = ("### Van den Bergen 1998, Tables 1 and 2: box tests (Nb), triangle tests (Np) and time of 100,000 random "
             "placements, 60 % touching\n\n")
    words += table(["model", "overlap test", "tree", "Nb", "Np", "time"], rows) + "\n"
    words += paper_words(results)
    rows = []
    for model, (build, refit, test) in PAPER_TIMES.items():
        facts, cell = results.cells.get((model, "H")), results.cells.get((model, "G"))
        own = next((e for e in cell["libraries"] if e["name"] == OURS and e["status"] == "ok"), None) if cell else None
        asked = results.time(model, "A", OURS)
        if not (facts and own and asked):
            continue
        mine = facts["build"]
        rows.append([model, "paper", duration(build * 1e9), duration(refit * 1e9), f"×{digits(build / refit)}",
                     duration(test * 1e9)])
        rows.append(["", "ours", duration(mine.get("build_1_thread_ns", 0)), duration(own["groups_min_ns"][0]),
                     f"×{digits(mine.get('build_1_thread_ns', 0) / own['groups_min_ns'][0])}", duration(asked)])
        if "paper_build_1_thread_ns" in mine:
            rows.append(["", "ours, median split, 1 triangle a leaf", duration(mine["paper_build_1_thread_ns"]), "–", "–",
                         "–"])
    words += "### Van den Bergen 1998, Table 3: build, refit and test\n\n"
    return words + table(["model", "", "build", "refit", "build / refit", "test"], rows) + "\n"


def paper_words(results):
    """What differs, said from the figures themselves."""
    words = ["The paper's X-wing is not public: the slender craft has its number of triangles, not its shape. The teapot is "
             "left out for the same reason. Our tree has four children a node, so a node test is one of up to four "
             "child volumes tested together, and the default packs several triangles in a leaf: fewer box tests, more "
             "triangle tests."]
    for model in PAPER:
        cell = results.cells.get((model, "paper"), {})
        sat, lite = cell.get("default sat"), cell.get("default sat lite")
        if sat and lite:
            words.append(f"On {model}, SAT lite does {100 * (lite['box_tests'] / sat['box_tests'] - 1):+.0f} % box tests and "
                         f"takes {100 * (lite['ns'] / sat['ns'] - 1):+.0f} % time against SAT (paper: "
                         f"{100 * (PAPER[model]['sat lite'][0] / PAPER[model]['sat'][0] - 1):+.0f} % and "
                         f"{100 * (PAPER[model]['sat lite'][2] / PAPER[model]['sat'][2] - 1):+.0f} %).")
    return " ".join(words) + "\n\n"


def scaling_table(results):
    rows = []
    for model in results.scaling:
        row = [f"{results.triangles[model]:,}"]
        for protocol in ("A", "C"):
            own, best = results.time(model, protocol, OURS), results.best(model, protocol, "FCL")
            row += [duration(own) if own else "–",
                    f"{duration(best[1])} (×{digits(best[1] / own)})" if best and own else "too slow"]
        rows.append(row)
    header = ["triangles", "A: ours", "A: best of FCL OBB, OBBRSS", "C: ours", "C: best of FCL OBB, OBBRSS"]
    return "### J. Scaling: the torus from 1,000 triangles up\n\n" + table(header, rows) + "\n" if rows else ""


def scalar_table(results):
    rows = []
    for protocol in "ABCDEF":
        ratios = list(results.ratios([protocol], "FCL", SCALAR).values())
        simd = [results.time(m, protocol, SCALAR) / results.time(m, protocol, OURS) for m in results.models
                if results.time(m, protocol, SCALAR) and results.time(m, protocol, OURS)]
        if ratios and simd:
            rows.append([protocol, f"×{digits(geometric_mean(ratios))}", f"×{digits(min(ratios))}",
                         f"×{digits(geometric_mean(simd))}"])
    header = ["protocol", "best FCL / ours without SIMD", "least", "without SIMD / with"]
    return "### Without SIMD\n\nThe same runtime compiled with `ESPALIER_NO_SIMD`.\n\n" + table(header, rows) + "\n"
