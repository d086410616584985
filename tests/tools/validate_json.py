#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the espalier command with --json and validates what it prints against the schemas.

usage: validate_json.py ESPALIER ESPALIER_CORPUS SCHEMA_FOLDER
"""
import copy
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import jsonschema

espalier, corpus, schema_folder = sys.argv[1:4]
failures = 0


def read_schema(name):
    schema = json.loads((pathlib.Path(schema_folder) / f"{name}.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return schema


# What the reports' schemas refer to, by an address that nothing is fetched from.
base = "file:///json_schema/"
shared = {base + "hierarchy.schema.json": read_schema("hierarchy")}


def load(name):
    schema = read_schema(name)
    resolver = jsonschema.RefResolver(f"{base}{name}.schema.json", schema, store=shared)
    return jsonschema.Draft202012Validator(schema, resolver=resolver)


validators = {name: load(name) for name in ("bake", "dump", "check", "query")}


def expect(condition, what):
    global failures
    if not condition:
        failures += 1
        print("FAILED", what)


def validate(what, name, text):
    document = json.loads(text)
    errors = [f"{'/'.join(map(str, e.absolute_path))}: {e.message}" for e in validators[name].iter_errors(document)]
    expect(not errors, f"{what}: " + "; ".join(errors))
    return document


def command(*words, exit_code=0, stdin=""):
    result = subprocess.run([espalier, *words, "--json"], input=stdin, capture_output=True, text=True, check=False)
    expect(result.returncode == exit_code, f"{words} exits with {result.returncode}: {result.stderr}")
    return validate(" ".join(words[:2]), words[0], result.stdout)


def expect_schemas_to_bite(name, document):
    """A schema that accepts anything proves nothing."""
    for field in document:
        without = {key: value for key, value in document.items() if key != field}
        expect(not validators[name].is_valid(without), f"{name} without '{field}' is accepted")
    extended = copy.deepcopy(document)
    extended["surprise"] = 1
    expect(not validators[name].is_valid(extended), f"{name} with an unknown field is accepted")


with tempfile.TemporaryDirectory() as folder_name:
    folder = pathlib.Path(folder_name)
    subprocess.run([corpus, "make", "gear", "-o", str(folder / "gear.off")], check=True)
    subprocess.run([corpus, "make", "torus", "--triangles", "1000", "-o", str(folder / "torus.off")], check=True)
    (folder / "open.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 5 5 5\nf 1 2 3\nf 3 2 1\nf 1 1 2\n")
    (folder / "bad.obj").write_text("v 0 0 0\nf 1 2 3\n")
    paths = [str(folder / name) for name in ("gear.off", "torus.off", "open.obj", "bad.obj", "absent.obj")]
    gear, torus = str(folder / "gear.espl"), str(folder / "torus.espl")

    report = command("bake", *paths, "--trees", "box,cell,aabb", exit_code=3)
    expect(len(report["results"]) == 5, "bake reports every input")
    expect(report["results"][2]["findings"], "bake reports findings")
    expect_schemas_to_bite("bake", report)
    command("bake", paths[0], "-o", str(folder / "absent" / "x.espl"), "--trees", "aabb", exit_code=2)
    command("bake", str(folder / "open.obj"), "--strict", "--trees", "aabb", exit_code=6)

    spheres = str(folder / "spheres.espl")
    report = command("bake", paths[1], "-o", spheres, "--trees", "sphere,aabb", "--levels", "2", "--effort", "fast")
    expect(report["results"][0]["trees"][0]["sphere"]["proved"], "bake reports the coverage of a sphere tree")
    expect(command("dump", spheres)["shapes"][0]["trees"][0]["sphere"]["levels"], "dump reports the levels of a sphere tree")
    command("check", spheres)

    dump = command("dump", gear)
    expect_schemas_to_bite("dump", dump)
    dump["shapes"][0]["trees"][0]["name"] = "oak"
    expect(not validators["dump"].is_valid(dump), "a tree with an unknown name is accepted")
    command("dump", torus, "--tree", "box")
    expect_schemas_to_bite("check", command("check", gear))
    broken = folder / "broken.espl"
    broken.write_bytes(pathlib.Path(gear).read_bytes()[:-9])
    command("check", str(broken), exit_code=3)

    poses = "1 0 0 0 0 0 0\n1 0 0 0 9 0 0\n"
    scene = str(folder / "scene.espl")
    report = command("bake", paths[0], paths[1], paths[0], "-o", scene, "--trees", "aabb,box")
    expect(report["results"][0]["parts"] == 3 and len(report["results"][0]["shapes"]) == 3, "bake counts parts and names shapes")
    expect(len(command("dump", scene)["parts"]) == 3, "dump lists parts")
    command("check", scene)
    expect(command("query", scene, "--tree", "aabb", "--mode", "self")["b"] is None, "mode self has one asset")
    command("query", scene, gear, "--poses", "-", "--tree", "box", "--mode", "within", "--limit", "1", stdin="1 0 0 0 0 0 0\n")
    for tree in ("aabb", "box", "cell"):
        for mode in ("first", "all", "distance"):
            words = ("query", gear, torus, "--poses", "-", "--tree", tree, "--mode", mode)
            expect_schemas_to_bite("query", command(*words, stdin=poses))
            command(*words, "--budget", "10", "--repeat", "2", stdin=poses)

    # Cancelled inputs have a form of their own: stop once the first output is there.
    names = [str(folder / f"{i}.off") for i in range(400)]
    for name in names:
        pathlib.Path(name).symlink_to("torus.off")
    process = subprocess.Popen([espalier, "bake", *names, "--json", "--trees", "aabb"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    while process.poll() is None and not (folder / "0.espl").exists():
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    report = validate("bake, interrupted", "bake", process.communicate()[0])
    expect(process.returncode == 130, f"interrupted bake exits with {process.returncode}")
    expect(any("cancelled" in result for result in report["results"]), "nothing was cancelled")

print("failures:", failures)
sys.exit(1 if failures else 0)
