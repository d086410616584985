#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The arm of examples/arm: in C++ and in C it says the same, what it says is right, and neither program asks for memory.

usage: arm_test.py --bake PROGRAM --cpp PROGRAM --c PROGRAM --work DIR
"""
import argparse
import pathlib
import re
import subprocess

FRAME = r"frame (\d): self: (.*?); obstacle: (.*?); distance (\d\.\d+) to (\d\.\d+|inf)"


def main():
    parser = argparse.ArgumentParser()
    for name in ("--bake", "--cpp", "--c"):
        parser.add_argument(name, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    files = [options.work / "arm.espl", options.work / "obstacle.espl"]
    subprocess.run([options.bake, *files], check=True)
    told = [subprocess.run([program, *files], check=True, capture_output=True, text=True).stdout
            for program in (options.cpp, options.c)]
    print(told[0])
    assert told[0] == told[1], f"in C:\n{told[1]}"

    frames = re.findall(FRAME, told[0])
    assert len(frames) == 8, told[0]
    assert frames[0][1:3] == ("free", "free"), "upright it touches nothing"
    assert any("touches" in own for _, own, *_ in frames), "folded it touches itself"
    assert any(other != "free" for _, _, other, *_ in frames), "it reaches the obstacle"
    for _, _, other, lower, upper in frames:
        assert float(lower) <= float(upper)
        assert other == "free" or float(lower) == 0, "bounds of what touches"
    assert any(float(lower) > 0 for *_, lower, _ in frames), "sixty tests tell something"

    for program in (options.cpp, options.c):
        needed = subprocess.run(["nm", "-u", program], check=True, capture_output=True, text=True).stdout
        assert not re.search(r"\b(malloc|calloc|realloc|free|_Znw\w*|_Zna\w*)\b", needed), f"{program} asks for memory"
        refused = subprocess.run([program, files[1], files[1]], capture_output=True, text=True)
        assert refused.returncode == 3 and "not an arm" in refused.stderr, refused


if __name__ == "__main__":
    main()
