# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads as much of a FlatBuffers schema as Espalier's uses: structs with their offsets, tables with their ids."""

import re

SCALARS = {"bool": 1, "byte": 1, "ubyte": 1, "int8": 1, "uint8": 1, "short": 2, "ushort": 2, "int16": 2, "uint16": 2,
           "int": 4, "uint": 4, "int32": 4, "uint32": 4, "float": 4, "float32": 4, "long": 8, "ulong": 8, "int64": 8,
           "uint64": 8, "double": 8, "float64": 8}


class Schema:
    """tables: name -> {field: (id, type)}; structs: name -> {field: (offset, bytes, type)}; sizes: struct -> bytes."""

    def __init__(self, text):
        self.tables, self.structs, self.sizes, self.alignments = {}, {}, {}, {}
        text = re.sub(r"//[^\n]*", "", text)
        for kind, name, attributes, body in re.findall(r"\b(struct|table)\s+(\w+)\s*(\([^)]*\))?\s*\{([^}]*)\}", text):
            fields = re.findall(r"(\w+)\s*:\s*(\[?\w+(?::\d+)?\]?)([^;]*);", body)
            if kind == "table":
                self.tables[name] = {field: (int(re.search(r"\bid:\s*(\d+)", rest).group(1)), type_)
                                     for field, type_, rest in fields}
            else:
                self._lay_out(name, attributes, fields)

    def _lay_out(self, name, attributes, fields):
        offset, alignment, laid = 0, 1, {}
        for field, type_, _ in fields:
            size, own = self._size(type_)
            offset = -(-offset // own) * own
            laid[field] = (offset, size, type_)
            offset += size
            alignment = max(alignment, own)
        forced = re.search(r"force_align:\s*(\d+)", attributes or "")
        self.alignments[name] = max(alignment, int(forced.group(1))) if forced else alignment
        self.structs[name] = laid
        self.sizes[name] = -(-offset // self.alignments[name]) * self.alignments[name]

    def _size(self, type_):
        array = re.fullmatch(r"\[(\w+):(\d+)\]", type_)
        if array:
            size, alignment = self._size(array.group(1))
            return size * int(array.group(2)), alignment
        if type_ in SCALARS:
            return SCALARS[type_], SCALARS[type_]
        return self.sizes[type_], self.alignments[type_]
