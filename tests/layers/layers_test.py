#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The layers are as layers.toml declares them, and no name has two definitions.

  include    a file includes only what its folder may
  cycle      folders of one layer, and headers, do not include each other in a circle
  twice      one name, and for functions one list of parameter types, is defined in one header only (neither compiler nor linker
             sees two layouts of one class, or two bodies of one inline function, in one program)
  folder     no folder of builder, runtime or tools has more sources than one can overlook
  hierarchy  a hierarchy is named in few files outside its own folders
  test       names of test cases are UpperCamelCase

usage: layers_test.py --source DIR [--list]      --list: also print the files that name a hierarchy
"""

import argparse
import collections
import fnmatch
import pathlib
import re
import sys
import tomllib

import cpp_source

LAYERS = ("runtime", "builder", "tools", "corpus", "examples", "bench", "tests")
# Folders whose sources may meet in one program, besides runtime and builder.
PROGRAMS = (("tools",), ("corpus", "tests"), ("examples",), ("bench/harness", "bench/peers", "bench/protocols"),
            ("bench/budget", "bench/protocols"), ("bench/cells_1997", "bench/protocols"), ("bench/ships", "examples"))


def read_sources(root):
    """path below root -> text, of every C and C++ source and header."""
    paths = (p for layer in LAYERS for p in sorted((root / layer).rglob("*")) if p.suffix in (".h", ".cpp", ".c"))
    return {p.relative_to(root).as_posix(): p.read_text() for p in paths}


def resolve(sources, path, quoted, name):
    """The file of the tree that an include means, or None for one of a package or of the system."""
    folder = path.rpartition("/")[0]
    candidates = [name, f"runtime/include/{name}"]
    if quoted:
        parts = []
        for part in f"{folder}/{name}".split("/"):
            parts.pop() if part == ".." else parts.append(part)
        candidates.insert(0, "/".join(parts))
    return next((c for c in candidates if c in sources), None)


def include_graph(sources):
    graph = {}
    for path, text in sources.items():
        found = [resolve(sources, path, quoted, name) for quoted, name in cpp_source.includes(text)]
        graph[path] = [target for target in found if target]
    return graph


def below(path, folder):
    return path == folder or path.startswith(folder + "/")


def rule_of(rules, path):
    """The rule with the longest name that is a folder of the path."""
    return max((name for name in rules if below(path, name)), key=len, default=None)


def check_includes(config, graph):
    lists = {"public": ["runtime/include"], **config["lists"]}
    rules = config["may_include"]
    for path, targets in graph.items():
        rule = rule_of(rules, path)
        if rule is None:
            continue
        allowed = [rule] + [a for name in rules[rule] for a in lists.get(name, [name])]
        for target in targets:
            if not any(below(target, a) for a in allowed):
                yield f"include: {path} includes {target}, which {rule} may not"


def circles(graph):
    """Strongly connected components with more than one node, or one that names itself (Tarjan 1972, as a loop)."""
    index, low, stack, on_stack, result = {}, {}, [], set(), []
    for start in graph:
        if start in index:
            continue
        work = [(start, iter(graph[start]))]
        index[start] = low[start] = len(index)
        stack.append(start)
        on_stack.add(start)
        while work:
            node, targets = work[-1]
            for target in targets:
                if target not in index:
                    index[target] = low[target] = len(index)
                    stack.append(target)
                    on_stack.add(target)
                    work.append((target, iter(graph.get(target, ()))))
                    break
                if target in on_stack:
                    low[node] = min(low[node], index[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    component = []
                    while not component or component[-1] != node:
                        component.append(stack.pop())
                        on_stack.discard(component[-1])
                    if len(component) > 1 or node in graph[node]:
                        result.append(sorted(component))
    return result


def check_cycles(config, graph):
    for circle in circles(graph):
        yield f"cycle: {', '.join(circle)} include each other"
    for patterns in config["rooms"].values():
        depth = patterns[0].count("/") + 1

        def room(path):
            folder = "/".join(path.split("/")[:depth])
            inside = path.count("/") >= depth
            return folder if inside and any(fnmatch.fnmatchcase(folder, p) for p in patterns) else None

        rooms = collections.defaultdict(dict)
        for path, targets in graph.items():
            for target in targets:
                a, b = room(path), room(target)
                if a and b and a != b:
                    rooms[a].setdefault(b, f"{path} includes {target}")
        closed = {r: list(to) for r, to in rooms.items()}
        for circle in circles(closed | {t: closed.get(t, []) for to in closed.values() for t in to}):
            ways = [why for a in circle for b, why in rooms[a].items() if b in circle]
            yield f"cycle: the folders {', '.join(circle)} include each other:\n  " + "\n  ".join(ways)


def check_definitions(sources):
    """Headers against headers; types also against those that sources define outside unnamed namespaces."""
    seen = {path: cpp_source.definitions(text) for path, text in sources.items()}
    reported = set()
    for folders in PROGRAMS:
        places, meanings = collections.defaultdict(dict), collections.defaultdict(dict)
        for path, found in seen.items():
            if not any(below(path, folder) for folder in ("runtime", "builder", *folders)):
                continue
            for kind, name, line in found:
                if kind == "alias":
                    meanings[name.split(" = ")[0]].setdefault(name, (path, line))
                elif path.endswith(".h") or (kind == "type" and path.endswith(".cpp")):
                    places[kind, name].setdefault(path, line)
        for name, spellings in meanings.items():
            for path, line in spellings.values():
                places["type", name].setdefault(path, line)
        for (kind, name), where in sorted(places.items()):
            if len(where) > 1 and any(p.endswith(".h") for p in where) and (kind, name) not in reported:
                reported.add((kind, name))
                yield f"twice: {kind} {name} is defined in " + " and ".join(f"{p}:{n}" for p, n in where.items())


def check_folders(config, sources):
    counts = collections.Counter(p.rpartition("/")[0] for p in sources if p.split("/")[0] in ("builder", "runtime", "tools"))
    for folder, count in sorted(counts.items()):
        if count > config["limits"]["sources_in_a_folder"]:
            yield f"folder: {folder} has {count} sources; at most {config['limits']['sources_in_a_folder']}"
    for path, text in sources.items():
        lines = text.count("\n")
        if lines > config["limits"]["lines_in_a_file"]:
            yield f"folder: {path} has {lines} lines; at most {config['limits']['lines_in_a_file']}"


def files_that_name(config, sources):
    """Files outside a hierarchy's own folders that name it in code (strings count, comments do not)."""
    hierarchy = config["hierarchy"]
    word = hierarchy["name"]
    title = word.capitalize()
    any_use = re.compile(rf"(?<![A-Za-z]){word}|(?<=_){word}|{title}(?![a-rt-z])")
    full_name = re.compile(rf"{title}Tree|{word}_tree|builder/{word}/|runtime/src/{word}/")
    result = []
    for path, text in sources.items():
        if path.split("/")[0] not in ("builder", "runtime", "tools") or path.startswith(tuple(hierarchy["own"])):
            continue
        pattern = full_name if path.startswith(tuple(hierarchy["other_meaning"])) else any_use
        if pattern.search(cpp_source.blanked(text, keep_strings=True)):
            result.append(path)
    return result


def check_hierarchy(config, sources):
    named, limit = files_that_name(config, sources), config["limits"]["files_that_name_a_hierarchy"]
    if len(named) > limit:
        yield (f"hierarchy: {len(named)} files outside its folders name {config['hierarchy']['name']}; at most {limit}:\n  "
               + "\n  ".join(named))


def check_test_names(config, sources):
    test = re.compile(r"^(?:TYPED_)?TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)", re.MULTILINE)
    for path, text in sources.items():
        for suite, name in test.findall(text):
            for word in (suite, name):
                if not re.fullmatch(r"[A-Z][A-Za-z0-9]*", word):
                    yield f"test: {path}: {suite}.{name}: write {word} in UpperCamelCase"


def problems(config, sources):
    graph = include_graph(sources)
    yield from check_includes(config, graph)
    yield from check_cycles(config, graph)
    yield from check_definitions(sources)
    yield from check_folders(config, sources)
    yield from check_hierarchy(config, sources)
    if config["limits"].get("test_names", True):
        yield from check_test_names(config, sources)


def headers_in_cmake(root, file, begin):
    """The headers that a list in a CMake file names, as paths below root."""
    text = (root / file).read_text()
    start = text.index(begin)
    names = re.findall(r"[\w/]+\.h\b", text[start : text.index(")", start)])
    near = pathlib.PurePosixPath(file).parent
    return [str(near / name) if (root / near / name).exists() else name for name in names]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    config = tomllib.loads((pathlib.Path(__file__).parent / "layers.toml").read_text())
    for name, (file, begin) in config["lists_in_cmake"].items():
        config["lists"][name] = headers_in_cmake(options.source, file, begin)
    sources = read_sources(options.source)
    known = tuple(config.get("known", []))
    found = [problem for problem in problems(config, sources) if not problem.startswith(known)]
    named = files_that_name(config, sources)
    print(f"{len(sources)} sources; {len(named)} name {config['hierarchy']['name']} outside its folders")
    if options.list:
        print("  " + "\n  ".join(named))
    for problem in found:
        print(problem, file=sys.stderr)
    return 1 if found or len(sources) < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
