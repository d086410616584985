#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What README.md and the pages in docs/ tell people to type works, and the code they show is compiled.

A fenced block has a comment before it that says how it is kept true:
  <!-- run -->              its commands run here, block after block of a page in one folder and one shell
  <!-- output -->           what the run block before it prints (times are not compared)
  <!-- run by CI -->        its commands are scripts of this tree that CI calls, or that a test of their own runs
  <!-- from PATH -->        its lines are found in that file, in one piece
A block without one is an error, and so is a relative link to nothing. With --update the output blocks are written instead.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

BLOCK = re.compile(r"(?:<!-- (?P<mark>[^>]+) -->\n)?^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def check_scripts(source, text, problems):
    for line in text.splitlines():
        command = line.split("#")[0].split()
        if command and not (source / command[0]).is_file():
            problems.append(f"there is no {command[0]}")


def check_excerpt(source, path, text, problems):
    if text not in (source / path).read_text():
        problems.append(f"this is not in {path}:\n{text}")


def check_links(source, page, problems):
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
        if "://" not in target and not (page.parent / target).exists():
            problems.append(f"{page.name} links to {target}, which is not there")


def run_page(options, page, blocks, problems):
    """The run blocks of a page in one shell: a later one may use what an earlier one made. Returns what each printed."""
    work = options.work / page.stem
    shutil.rmtree(work, ignore_errors=True)
    (work / "build").mkdir(parents=True)
    (work / "build" / "release").symlink_to(options.build)
    (work / "examples").symlink_to(options.source / "examples")
    mark = "end of a block"
    script = "set -euo pipefail\n" + "".join(f"set -x\n{block}{{ set +x; }} 2>/dev/null; echo '{mark}'\n" for block in blocks)
    path = f"{options.build}/tools:{options.build}/corpus:{os.environ['PATH']}"
    result = subprocess.run(["bash", "-c", script], cwd=work, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                            env={**os.environ, "PATH": path})
    print(result.stdout)
    if result.returncode != 0:
        problems.append(f"{page.name}: the commands fail with {result.returncode}:\n{result.stderr}")
    return result.stdout.split(mark + "\n")


def without_times(text):
    return re.sub(r"\b[0-9.]+ s\b", "T s", text)


def check_page(options, page, problems):
    """Returns the number of its blocks, and its text with the outputs that were seen."""
    text = page.read_text()
    blocks = list(BLOCK.finditer(text))
    commands, outputs = [], []
    for block in blocks:
        mark = block["mark"] or ""
        if mark == "run":
            commands.append(block["text"])
        elif mark == "output":
            outputs.append((len(commands) - 1, block))
        elif mark == "run by CI":
            check_scripts(options.source, block["text"], problems)
        elif mark.startswith("from "):
            check_excerpt(options.source, mark.removeprefix("from "), block["text"], problems)
        else:
            problems.append(f"{page.name}: nothing says how this block is kept true:\n{block['text']}")
    printed = run_page(options, page, commands, problems) if commands else []
    for run, block in reversed(outputs):
        seen = printed[run] if 0 <= run < len(printed) else ""
        if without_times(seen) != without_times(block["text"]) and not options.update:
            problems.append(f"{page.name} shows\n{block['text']}but this is printed:\n{seen}")
        if without_times(seen) != without_times(block["text"]):
            text = text[:block.start("text")] + seen + text[block.end("text"):]
    return len(blocks), text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--update", action="store_true", help="write what the commands print into the output blocks")
    parser.add_argument("pages", nargs="*", default=["README.md"], help="below the source (README.md)")
    options = parser.parse_args()
    problems, count = [], 0
    for name in options.pages:
        page = options.source / name
        found, text = check_page(options, page, problems)
        count += found
        if options.update:
            page.write_text(text)
        check_links(options.source, page, problems)
    if count < 2:
        problems.append("the pages have hardly any blocks: are they still found?")
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
