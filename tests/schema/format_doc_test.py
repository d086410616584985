#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""FORMAT.md describes every struct and table of the schema: the same fields at the same ids and offsets, and no others."""

import pathlib
import re
import sys

from fbs import Schema


def sections(text):
    """Heading -> its text, for headings of the third level."""
    parts = re.split(r"^### (.+)$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


def rows(section):
    found = re.findall(r"^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|", section, flags=re.MULTILINE)
    return [tuple(cell.strip() for cell in row) for row in found if row[0].strip().isdigit()]


def inline_mention(text, name):
    """The small ones, described in a sentence: `Name`: ... (N bytes"""
    return re.search(rf"(`{name}`|^{name}):[^.]*", text, flags=re.MULTILINE)


def check_table(name, fields, section, problems):
    documented = {field: int(number) for number, field, _ in rows(section)}
    wanted = {field: number for field, (number, _) in fields.items()}
    if documented != wanted:
        problems.append(f"table {name}: documented {documented}, schema {wanted}")


def check_struct(name, schema, heading, section, problems):
    documented = {cells[2]: (int(cells[0]), int(cells[1])) for cells in
                  [tuple(c.strip() for c in row) for row in
                   re.findall(r"^\| (\d+) \| (\d+) \| (\w+) \|", section, flags=re.MULTILINE)]}
    wanted = {field: (offset, size) for field, (offset, size, _) in schema.structs[name].items()}
    if documented != wanted:
        problems.append(f"struct {name}: documented {documented}, schema {wanted}")
    if f"{schema.sizes[name]} bytes, {schema.alignments[name]}-aligned" not in heading:
        problems.append(f"struct {name}: the heading does not say '{schema.sizes[name]} bytes, "
                        f"{schema.alignments[name]}-aligned'")


def main():
    folder = pathlib.Path(sys.argv[1])
    schema = Schema((folder / "espalier.fbs").read_text())
    text = (folder / "FORMAT.md").read_text()
    by_name = {re.split(r"[ ,(]", heading)[0]: (heading, body) for heading, body in sections(text).items()}
    problems = []
    for name in [*schema.tables, *schema.structs]:
        if name in by_name:
            heading, body = by_name[name]
            if name in schema.tables:
                check_table(name, schema.tables[name], body, problems)
            else:
                check_struct(name, schema, heading, body, problems)
        elif not inline_mention(text, name):
            problems.append(f"{name} is not described")
    for name in schema.structs:
        mention = inline_mention(text, name)
        if name not in by_name and mention and f"{schema.sizes[name]} bytes" not in mention.group(0):
            problems.append(f"{name}: its description does not say {schema.sizes[name]} bytes")
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(schema.tables)} tables and {len(schema.structs)} structs compared")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
