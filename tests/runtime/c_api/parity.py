#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Demands a C function, or a reason, for every public method and function of the runtime's C++ headers.

usage: parity.py HEADER-FOLDER TABLE

A line of the table is `Class::method -> espalier_function[, ...]` or `Class::method | why C needs none`. Fails on a method
without a line, a line without a method, a C function that espalier.h does not declare, and one that no line names.
"""
import pathlib
import re
import sys

C_HEADERS = {"espalier.h", "espalier_body.h", "espalier_frames.h"}
# C alone: what C++ has as default arguments, members of structs and constructors.
C_ONLY = {
    "espalier_budget_unlimited", "espalier_pose_identity", "espalier_distance_goal_default",
    "espalier_sphere_options_default", "espalier_schedule_options_default", "espalier_governor_options_default",
    "espalier_body_sphere_options_default", "espalier_body_sphere_capacity_default", "espalier_ray_along", "espalier_get_shape_info", "espalier_get_mesh", "espalier_get_sphere_tree",
}


def without_comments(text):
    text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.S)
    return re.sub(r"^\s*#[^\n]*(\\\n[^\n]*)*", "", text, flags=re.M)


def block(text, start):
    """The text between the brace at `start` and its partner, and where it ends."""
    depth = 0
    for i in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[i], 0)
        if depth == 0:
            return text[start + 1:i], i + 1
    sys.exit("braces do not match")


def flat(text):
    """The text with every inner block replaced by a semicolon."""
    result, i = "", 0
    while i < len(text):
        if text[i] == "{":
            i = block(text, i)[1]
            result += ";"
        else:
            result += text[i]
            i += 1
    return result


def function_names(text):
    for statement in re.split(r"[;:](?!:)(?<!::)", flat(text)):
        statement = re.sub(r"^\s*(template\s*<[^>]*>\s*)", "", statement).strip()
        before, parenthesis, after = statement.partition("(")
        if not parenthesis or "=" in before or after.lstrip().startswith("*"):
            continue
        if re.match(r"(static_assert|using|friend|alignas|typedef|return)\b", statement) or "operator" in before:
            continue
        words = re.findall(r"~?\w+", before)
        if len(words) >= 2 and not words[-1].startswith("~"):
            yield words[-1]


def public_part(body, kind):
    """What of a class is public."""
    sections = re.split(r"\b(public|private|protected)\s*:", body)
    shown = sections[0] if kind == "struct" else ""
    for access, text in zip(sections[1::2], sections[2::2]):
        if access == "public":
            shown += text
    return shown


def methods(text):
    text = without_comments(text)
    start = re.search(r"namespace espalier\s*\{", text)
    if not start:
        return
    body = re.sub(r"template\s*<[^{};]*?>(?=\s*(class|struct|[A-Za-z]))", "", block(text, start.end() - 1)[0])
    free, i = "", 0
    for match in re.finditer(r"(?:enum\s+)?\b(class|struct)\s+(?:alignas\(\d+\)\s+)?(\w+)[^;{()]*\{", body):
        if match.start() < i or match.group(0).startswith("enum"):
            continue
        free += body[i:match.start()] + ";"
        inside, i = block(body, match.end() - 1)
        for name in function_names(public_part(inside, match.group(1))):
            if name != match.group(2):
                yield f"{match.group(2)}::{name}"
    free += body[i:]
    for name in function_names(re.sub(r"namespace \w+\s*\{", "{", free)):
        yield name


def cpp_surface(folder):
    found = set()
    for header in sorted(folder.glob("*.h")):
        if header.name not in C_HEADERS:
            found |= set(methods(header.read_text()))
    return found


def c_functions(folder):
    text = "".join(without_comments((folder / name).read_text()) for name in C_HEADERS if (folder / name).exists())
    return set(re.findall(r"\b(espalier_\w+)\s*\((?!\s*\*)", text))


def read_table(path):
    rows = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        match = re.fullmatch(r"(\S+) (->|\|) (.+)", line)
        if not match:
            sys.exit(f"{path}:{number}: neither `-> function` nor `| reason`")
        rows[match.group(1)] = match.group(3).split(", ") if match.group(2) == "->" else []
    return rows


def gaps(surface, functions, rows):
    for method in sorted(surface - set(rows)):
        yield f"{method} has no C function and no reason why not"
    for method in sorted(set(rows) - surface):
        yield f"{method} is in the table but in no header"
    for method, names in sorted(rows.items()):
        for name in names:
            if name not in functions:
                yield f"{method}: the C header has no {name}"
    named = {name for names in rows.values() for name in names}
    for name in sorted(functions - named - C_ONLY):
        yield f"{name} is no method's function"


def main():
    folder, table = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    surface = cpp_surface(folder)
    problems = list(gaps(surface, c_functions(folder), read_table(table)))
    for problem in problems:
        print(f"problem: {problem}", file=sys.stderr)
    print(f"{len(surface)} methods and functions")
    return 1 if problems or not surface else 0


if __name__ == "__main__":
    sys.exit(main())
