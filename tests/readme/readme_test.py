#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What README.md tells people to type works, and the code it shows is compiled.

A fenced block has a comment before it that says how it is kept true:
  <!-- run -->              its commands run here, block after block in one folder and one shell
  <!-- run by CI -->        its commands are scripts of this tree that CI calls, or that a test of their own runs
  <!-- from PATH -->        its lines are found in that file, in one piece
A block without one is an error, and so is a relative link to nothing.
"""

import argparse
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


def run_blocks(options, blocks, problems):
    """All runnable blocks in one shell: a later one may use what an earlier one made."""
    shutil.rmtree(options.work, ignore_errors=True)
    (options.work / "build").mkdir(parents=True)
    (options.work / "build" / "release").symlink_to(options.build)
    (options.work / "examples").symlink_to(options.source / "examples")
    script = "set -euxo pipefail\n" + "\n".join(blocks)
    result = subprocess.run(["bash", "-c", script], cwd=options.work, capture_output=True, text=True,
                            stdin=subprocess.DEVNULL)
    print(result.stdout)
    if result.returncode != 0:
        problems.append(f"the commands fail with {result.returncode}:\n{result.stderr}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    options = parser.parse_args()
    problems, commands = [], []
    blocks = list(BLOCK.finditer((options.source / "README.md").read_text()))
    for block in blocks:
        mark, text = block["mark"] or "", block["text"]
        if mark == "run":
            commands.append(text)
        elif mark == "run by CI":
            check_scripts(options.source, text, problems)
        elif mark.startswith("from "):
            check_excerpt(options.source, mark.removeprefix("from "), text, problems)
        else:
            problems.append(f"nothing says how this block is kept true:\n{text}")
    if len(blocks) < 4 or not commands:
        problems.append("README.md has hardly any blocks: are they still found?")
    run_blocks(options, commands, problems)
    for page in [*options.source.glob("*.md"), *options.source.glob("[a-z]*/*.md")]:
        check_links(options.source, page, problems)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
