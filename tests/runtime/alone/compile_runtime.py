#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiles the runtime alone under strict flags and proves from the objects what its headers promise.

No heap, exceptions, RTTI or standard library behind it: undefined symbols are those of an allow list. No state: no
writable section holds a byte. Bounded stack: every function's frame is fixed and below the limit, and so is every chain
of calls from a public function. Small: what a program links for one query (--use) fits a microcontroller.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys

STRICT = ["-std=c++17", "-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics", "-ffp-contract=off",
          "-fno-math-errno", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wsign-conversion", "-Wshadow", "-Wold-style-cast",
          "-Wdouble-promotion", "-Wundef", "-Wvla", "-Werror"]

# What a compiler may call for plain loops and assignments, and the two functions of <cmath>.
ALLOWED = r"(memcpy|memset|memmove|memcmp|sqrtf?|fabsf?)"
# Arithmetic that the processor lacks: the compiler's own library, not the C++ one.
COMPILER_RUNTIME = r"(__aeabi_\w+|__(u?div|u?mod|u?divmod)di[34]|_GLOBAL_OFFSET_TABLE_|__x86\.get_pc_thunk\.\w+)"
# The one file with operating-system code.
MAPPING = {"map_posix.cpp": r"(open|open64|fstat|fstat64|mmap|mmap64|munmap|close|__errno_location|__stack_chk_fail)"}

# Sections that would be state. Constants with relocations (.data.rel.ro) are read-only once loaded.
WRITABLE = re.compile(r"\.(data|bss|tdata|tbss|init_array|fini_array|ctors|dtors)(\.|$)")
HEADERS = {"cmath", "cstddef", "cstdint", "cstring", "new", "emmintrin.h", "arm_neon.h"}
MAPPING_HEADERS = {"fcntl.h", "sys/mman.h", "sys/stat.h", "unistd.h"}


def run(command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stdout}{result.stderr}")
    return result.stdout


def check_includes(sources, problems):
    for source in sources:
        allowed = HEADERS | (MAPPING_HEADERS if source.name in MAPPING else set())
        for header in re.findall(r"#\s*include\s*<([^>]+)>", source.read_text()):
            if header not in allowed:
                problems.append(f"{source.name} includes <{header}>, which is not freestanding")


def symbols(nm, objects, *options):
    names = {}
    for path in objects:
        for line in run([nm, *options, path]).splitlines():
            if line.split():
                names.setdefault(line.split()[-1], path.stem)
    return names


def check_symbols(nm, objects, problems):
    own = set(symbols(nm, objects, "--defined-only", "-g"))
    for path in objects:
        allowed = re.compile("|".join([ALLOWED, COMPILER_RUNTIME, MAPPING.get(path.stem.removeprefix("format_"), "(?!)")]))
        for name in symbols(nm, [path], "-u"):
            if name not in own and not allowed.fullmatch(name):
                problems.append(f"{path.stem} needs {name}, which a bare machine does not have")


def check_state(objdump, objects, problems):
    for path in objects:
        for line in run([objdump, "-h", "-w", path]).splitlines():
            words = line.split()
            if len(words) > 3 and words[0].isdigit() and WRITABLE.match(words[1]):
                if not words[1].startswith(".data.rel.ro") and int(words[2], 16) > 0:
                    problems.append(f"{path.stem} has {int(words[2], 16)} bytes of state in {words[1]}")


def check_frames(objects, limit, problems):
    deepest = (0, "")
    for path in objects:
        for line in path.with_suffix(".su").read_text().splitlines():
            function, size, kind = line.rsplit("\t", 2)
            if kind not in ("static", "dynamic,bounded"):
                problems.append(f"{function}: the stack frame has no fixed size ({kind})")
            if int(size) >= limit:
                problems.append(f"{function}: a stack frame of {size} bytes; the limit is {limit}")
            deepest = max(deepest, (int(size), function.split(":")[-1]))
    return deepest


def call_graph(objects):
    """Frame sizes and calls from the .ci files that gcc writes with -fcallgraph-info=su."""
    frames, calls, names = {}, {}, {}
    for path in objects:
        text = path.with_suffix(".ci").read_text()
        for title, label in re.findall(r'node: \{ title: "([^"]+)" label: "([^"]*)"', text):
            size = re.search(r"\\n(\d+) bytes", label)
            names[title] = label.split("\\n")[0]
            if size:
                frames[title] = int(size.group(1))
        for caller, callee in re.findall(r'edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"', text):
            calls.setdefault(caller, set()).add(callee)
    return frames, calls, names


def deepest_chain(objects, problems):
    """The most stack that any chain of calls takes. Recursion would have no such bound, so it is a problem."""
    frames, calls, names = call_graph(objects)
    known, active = {}, set()

    def chain(function):
        if function in known:
            return known[function]
        if function in active:
            problems.append(f"{names.get(function, function)} calls itself, so its stack has no bound")
            return 0, []
        active.add(function)
        below = max((chain(callee) for callee in sorted(calls.get(function, ()))), default=(0, []))
        active.discard(function)
        known[function] = (below[0] + frames.get(function, 0), [function] + below[1])
        return known[function]

    size, path = max((chain(function) for function in sorted(frames)), default=(0, []))
    return size, [f"{names[f]} ({frames.get(f, 0)})" for f in path]


def check_chain(objects, limit, problems):
    size, path = deepest_chain(objects, problems)
    if limit and size >= limit:
        problems.append(f"a chain of calls takes {size} bytes of stack; the limit is {limit}:\n  " + "\n  ".join(path))
    return size


def text_bytes(options, program):
    return int(run([options.prefix + "size", program]).splitlines()[1].split()[0])


def whole_bytes(options, objects):
    """Code and constants of the whole runtime, with functions that several files share counted once."""
    whole = options.work / "runtime.o"
    run([options.compiler, *options.flag, "-nostdlib", "-r", *objects, "-o", whole])
    return text_bytes(options, whole)


def linked_bytes(options, objects, use):
    """Code and constants that a program with one query links. What the compiler's and the C library add is theirs.

    Queries of bodies have an application of their own; with "+kinematics" it bends the body first.
    """
    program = options.work / (re.sub(r"\W+", "_", use) + ".elf")
    main = program.with_suffix(".o")
    query, *with_kinematics = use.split("+kinematics")
    source = "application_body.cpp" if "::Body" in query else "application.cpp"
    run([options.compiler, *STRICT, *options.flag, f"-DESPALIER_USE={query}", *["-DESPALIER_KINEMATICS" for _ in with_kinematics],
         "-I", options.runtime / "include", "-c", pathlib.Path(__file__).with_name(source), "-o", main])
    run([options.compiler, *options.flag, "-nostdlib",
         "-Wl,--gc-sections,--unresolved-symbols=ignore-all,--entry=application", main, *objects, "-o", program])
    return text_bytes(options, program)


def linked_c_bytes(options, objects):
    """The same of a program that uses the C header."""
    program = options.work / "application_c.elf"
    run([options.c_compiler, "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", *options.flag, "-I",
         options.runtime / "include", "-c", pathlib.Path(__file__).with_name("application.c"), "-o",
         program.with_suffix(".o")])
    run([options.compiler, *options.flag, "-nostdlib",
         "-Wl,--gc-sections,--unresolved-symbols=ignore-all,--entry=application", program.with_suffix(".o"), *objects,
         "-o", program])
    return text_bytes(options, program)


def check_text(options, objects, problems):
    sizes = {"all queries": whole_bytes(options, objects)}
    if options.c_compiler:
        sizes["C, aabb collide"] = linked_c_bytes(options, objects)
    for use, limit in (word.split("=") for word in options.use):
        sizes[use] = linked_bytes(options, objects, use)
        if sizes[use] >= int(limit):
            problems.append(f"a program with {use} links {sizes[use]} bytes; the limit is {limit}")
    for use, text in sizes.items():
        print(f"code and constants, {use}: {text} bytes")
    if options.sizes:
        check_sizes(options, sizes, problems)


def check_sizes(options, sizes, problems):
    """No size is above the recorded one; sizes of another compiler say nothing, so that they are only told."""
    compiler = run([options.compiler, "--version"]).splitlines()[0]
    if options.update:
        options.sizes.write_text(json.dumps({"compiler": compiler, "bytes": sizes}, indent=2) + "\n")
        return
    recorded = json.loads(options.sizes.read_text())
    if recorded["compiler"] != compiler:
        print(f"NOT COMPARED: the sizes in {options.sizes.name} are of {recorded['compiler']}, these are of {compiler}")
        return
    for use in sorted(set(sizes) | set(recorded["bytes"])):
        now, before = sizes.get(use), recorded["bytes"].get(use)
        if now is None or before is None:
            problems.append(f"{use} is not in both the run and {options.sizes.name}")
        elif now > before:
            problems.append(f"{use} takes {now} bytes of code and constants; {options.sizes.name} has {before}")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runtime", type=pathlib.Path, required=True, help="folder of the runtime")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="folder for objects")
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--prefix", default="", help="of nm, objdump and size: arm-none-eabi-")
    parser.add_argument("--flag", action="append", default=[], help="a further compiler flag")
    parser.add_argument("--c-compiler", help="measures a program in C too")
    parser.add_argument("--without", action="append", default=[], help="a source file that this target has no use for")
    parser.add_argument("--frame-limit", type=int, default=2048, help="bytes of stack of one function")
    parser.add_argument("--chain-limit", type=int, default=0, help="bytes of stack of a chain of calls (gcc only)")
    parser.add_argument("--use", action="append", default=[], metavar="CLASS=BYTES",
                        help="a query, and how much code a program with it alone may link")
    parser.add_argument("--sizes", type=pathlib.Path, help="a file of code sizes that no --use may exceed")
    parser.add_argument("--update", action="store_true", help="write that file instead")
    return parser.parse_args()


def main():
    options = parse_arguments()
    options.work.mkdir(parents=True, exist_ok=True)
    sources = [s for s in sorted((options.runtime / "src").rglob("*.cpp")) if s.name not in options.without]
    headers = [*(options.runtime / "src").rglob("*.h"), *(options.runtime / "include").rglob("*.h")]
    problems = []
    check_includes([*sources, *[h for h in headers if not h.name.startswith("espalier")]], problems)
    chain_flag = ["-fcallgraph-info=su"] if options.chain_limit else []
    objects = []
    for source in sources:
        name = "_".join(source.relative_to(options.runtime / "src").parts)
        objects.append(options.work / f"{name}.o")
        run([options.compiler, *STRICT, *options.flag, *chain_flag, "-fstack-usage", "-I", options.runtime / "include",
             "-c", source, "-o", objects[-1]])
    check_symbols(options.prefix + "nm", objects, problems)
    check_state(options.prefix + "objdump", objects, problems)
    size, function = check_frames(objects, options.frame_limit, problems)
    print(f"{len(objects)} files compiled; largest stack frame {size} bytes: {function}")
    if options.chain_limit:
        print(f"deepest chain of calls: {check_chain(objects, options.chain_limit, problems)} bytes of stack")
    if options.use:
        check_text(options, objects, problems)
    for problem in problems:
        print(f"problem: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
