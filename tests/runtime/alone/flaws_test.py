#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""compile_runtime.py must refuse a runtime that breaks a promise: each case here is a tiny one with a single flaw."""

import argparse
import pathlib
import subprocess
import sys

FLAWS = {
    "heap": ("void* f(); void* f() { return new int(1); }", "needs _Znwm"),
    "state": ("int f(); int f() { static int calls = 0; return ++calls; }", "bytes of state in .bss"),
    "exception": ("void f(); void f() { throw 1; }", "exception handling disabled"),
    "header": ("#include <string>\nint f(); int f() { return 1; }", "which is not freestanding"),
    "recursion": ("int g(int); int f(int n); int f(int n) { return n ? g(n) + f(n - 1) : 0; }\n"
                  "__attribute__((noinline)) int g(int n) { return f(n / 2) * 3; }", "calls itself"),
    "large frame": ("void g(char*); void f(); void f() { char b[4000]; g(b); }\n__attribute__((noipa)) void g(char* b) { *b = 1; }",
                    "a stack frame of"),
    "unbounded frame": ("void g(void*); void f(unsigned n); void f(unsigned n) { g(__builtin_alloca(n)); }\n"
                        "__attribute__((noipa)) void g(void*) {}", "has no fixed size"),
    "deep chain": ("void g(char*); void h(char*);\nvoid f(); void f() { char b[1500]; g(b); h(b); }\n"
                   "__attribute__((noipa)) void h(char* b) { *b = 1; }\n"
                   "__attribute__((noipa)) void g(char*) { char b[1500]; h(b); }", "a chain of calls takes"),
    "warning": ("int f(long n); int f(long n) { return n; }", "-Werror=conversion"),
}
SOUND = "int f(int n); int f(int n) { return n + 1; }"


def refusal(options, name, text):
    folder = options.work / name.replace(" ", "_")
    (folder / "src").mkdir(parents=True, exist_ok=True)
    (folder / "include").mkdir(exist_ok=True)
    (folder / "src" / "flaw.cpp").write_text(text + "\n")
    result = subprocess.run(
        [sys.executable, pathlib.Path(__file__).with_name("compile_runtime.py"), "--compiler", options.compiler,
         "--runtime", folder, "--work", folder / "objects", "--flag=-O1", "--chain-limit=2048"],
        capture_output=True, text=True)
    return result.returncode, result.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    options = parser.parse_args()
    good = True
    for name, (text, expected) in FLAWS.items():
        code, message = refusal(options, name, text)
        if code == 0 or expected not in message:
            print(f"{name}: expected a refusal with '{expected}', got {code}:\n{message}", file=sys.stderr)
            good = False
    code, message = refusal(options, "sound", SOUND)
    if code != 0:
        print(f"a sound runtime was refused:\n{message}", file=sys.stderr)
    return 0 if good and code == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
