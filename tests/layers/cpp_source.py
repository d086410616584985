# SPDX-License-Identifier: GPL-3.0-or-later
"""Just enough of C++ to read a source of this tree: its includes and what it defines at namespace scope.

No parser: comments and literals are blanked, then braces are followed. That is enough for clang-formatted code without
macros that open braces, and the self-test shows what it sees.
"""

import re

_NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+([<"])([^>"]+)[>"]', re.MULTILINE)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
_TYPE = re.compile(r"\b(?:struct|class|union|enum(?: class| struct)?)\s+(?:alignas\([^)]*\)\s*)?(?:\[\[.*?\]\]\s*)?"
                   r"([A-Za-z_]\w*(?:::\w+)*(?:<[^{;]*>)?)\s*(?:final\s*)?(?::[^:].*)?$", re.DOTALL)
_ALIAS = re.compile(r"\busing\s+(\w+)\s*=")
_CONSTANT = re.compile(r"\b(?:constexpr|const)\b[^=({]*?\b(\w+)(?:\[[^\]]*\])?\s*(?:=|\{|$)")
_FUNCTION = re.compile(r"((?:\w+(?:<[^()]*>)?::)*(?:operator\s*(?:\(\)|[^\s\w(]+|\s\w+)|~?\w+))\s*\((.*)\)[^()]*(?:noexcept)?[^()]*$", re.DOTALL)


def blanked(text, keep_strings=False):
    """The text without comments and, unless kept, without what is in quotes; line numbers stay."""

    def blank(match):
        found = match.group(0)
        if found[0] in "\"'R":
            return found if keep_strings else '""'
        return " " + "\n" * found.count("\n")

    return _NOISE.sub(blank, text)


def includes(text):
    """(quoted or not, path) of every include."""
    return [(kind == '"', path) for kind, path in _INCLUDE.findall(blanked(text, keep_strings=True))]


def _split_at_commas(text):
    parts, depth, begin = [], 0, 0
    for at, char in enumerate(text):
        if char in "<([{":
            depth += 1
        elif char in ">)]}":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[begin:at])
            begin = at + 1
    parts.append(text[begin:])
    return parts


def _parameter_types(text):
    """The types of a parameter list, without names and defaults, in one spelling."""
    types = []
    for part in _split_at_commas(text):
        part = part.split("=")[0].strip()
        part = re.sub(r"(?<=[\w>&*\s])(?<!:)\b(?!const\b|unsigned\b|int\b|char\b|short\b|long\b|float\b|double\b|bool\b)\w+((?:\[[^\]]*\])*)$",
                      r"\1", part) if re.search(r"[\w>&*]\s+\**&*\w+(\[[^\]]*\])*$|[&*]\w+(\[[^\]]*\])*$", part) else part
        types.append(re.sub(r"\s+", " ", part).replace(" &", "&").replace(" *", "*").strip())
    return ", ".join(types)


def definitions(text):
    """(kind, qualified name, line) of all that the text defines at namespace scope with linkage: unnamed namespaces are left out."""
    code = _DIRECTIVE.sub(lambda m: "\n" * m.group(0).count("\n"), blanked(text))
    found, scopes = [], []  # scopes: a name for a namespace, None for any other brace, "" for one that nobody else sees
    begin = 0

    def line_of(at):
        return code.count("\n", 0, at) + 1

    def name_of(name):
        return "::".join([s for s in scopes if s] + [name])

    def visible():
        return None not in scopes and "" not in scopes

    def note(statement, at, body):
        words = statement.strip()
        if not words or not visible():
            return
        words = re.sub(r"^\s*(template\s*<(?:[^<>]|<[^<>]*>)*>\s*)+", "", words)
        if body and (match := _TYPE.search(words)) and "(" not in words[: match.start()]:
            found.append(("type", name_of(re.sub(r"\s+", " ", match[1]).strip()), line_of(at)))
        elif match := _ALIAS.match(words):
            meaning = re.sub(r"\s+", " ", words[match.end():]).strip()  # the same alias twice is one alias
            found.append(("alias", f"{name_of(match[1])} = {meaning}", line_of(at)))
        elif body and "=" not in words.split("(")[0].replace("operator", "") and (match := _FUNCTION.search(words)):
            if not re.match(r"static\b", words):
                found.append(("function", name_of(f"{match[1]}({_parameter_types(match[2])})"), line_of(at)))
        elif (match := _CONSTANT.search(words)) and "(" not in words[: match.end(1)]:
            found.append(("constant", name_of(match[1]), line_of(at)))

    at = 0
    while at < len(code):
        char = code[at]
        if char == "{":
            statement = code[begin:at]
            opened = re.search(r"\bnamespace\b\s*([\w:]*)\s*$", statement)
            if opened:
                scopes.append(opened[1])
            elif re.search(r'\bextern\s*""\s*$', statement):
                scopes.append("extern-C")  # C names: only themselves
            else:
                note(statement, at, body=True)
                scopes.append(None)
            begin = at + 1
        elif char == "}":
            if scopes:
                scopes.pop()
            begin = at + 1
        elif char == ";":
            note(code[begin:at], at, body=False)
            begin = at + 1
        at += 1
    return found
