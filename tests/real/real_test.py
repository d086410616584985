# SPDX-License-Identifier: GPL-3.0-or-later
"""Real files: every one bakes, and a file of several parts answers at rest as its --merge does.

usage: real_test.py ESPALIER FOLDER

FOLDER holds files of other people (glTF samples, open meshes, robots), which are no part of the project: where it is not there,
the test says so and passes. Positions are rounded in other frames when they are merged, so answers may differ where a gap or a
penetration is below 1e-6 of the diagonal; such differences are counted and printed.
"""
import json
import math
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MESHES = {".gltf", ".glb", ".obj", ".off", ".ply", ".stl", ".dae", ".fbx", ".3ds"}
TREES = {"aabb": [], "box": [], "cell": [], "sphere": ["--effort", "fast", "--levels", "2"]}
POSES = 24
NUDGES = 8
TOLERANCE = 1e-6  # of the diagonal
QUANTIZATION = 1e-3  # of the diagonal: positions of 11 bits
LARGEST_FOR_SPHERES = 20_000  # triangles: spheres of more take longer than a test may


class Failure(Exception):
    pass


def run(command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300, check=False)
    if done.returncode != 0:
        raise Failure(f"{' '.join(str(word) for word in command)}: exit {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def bake(espalier, source, target, trees, *options):
    words = [word for tree in trees for word in TREES[tree]]
    run([espalier, "bake", "--quiet", "--trees", ",".join(trees), *words, *options, source, "-o", target])


def described(espalier, asset):
    return json.loads(run([espalier, "dump", "--json", asset]))


def placed_triangles(dump):
    return sum(dump["shapes"][part["shape"]]["triangles"] for part in dump["parts"] if part["shape"] is not None)


def expected_parts(source):
    """Meshes that the nodes of the default scene place, by the document alone."""
    document = json.loads(source.read_text(encoding="utf-8-sig"))
    nodes, count = document["nodes"], 0
    open_nodes = list(document["scenes"][document.get("scene", 0)]["nodes"])
    while open_nodes:
        node = nodes[open_nodes.pop()]
        open_nodes += node.get("children", [])
        if "mesh" not in node:
            continue
        instances = node.get("extensions", {}).get("EXT_mesh_gpu_instancing")
        accessor = next(iter(instances["attributes"].values())) if instances else None
        count += 1 if accessor is None else document["accessors"][accessor]["count"]
    return count


def bakes_whole(espalier, source, target):
    """Its description once it is baked, with as many parts as the file's nodes place."""
    bake(espalier, source, target, ["aabb"])
    dump = described(espalier, target)
    parts = sum(part["shape"] is not None for part in dump["parts"])
    if source.suffix == ".gltf" and parts != expected_parts(source):
        raise Failure(f"{source}: {parts} parts, not {expected_parts(source)}")
    return dump


def unit_quaternion(draws):
    while True:
        q = [draws.uniform(-1, 1) for _ in range(4)]
        length = math.sqrt(sum(x * x for x in q))
        if 0.01 < length <= 1:
            return [x / length for x in q]


def direction(draws):
    while True:
        v = [draws.uniform(-1, 1) for _ in range(3)]
        length = math.sqrt(sum(x * x for x in v))
        if 0.01 < length <= 1:
            return [x / length for x in v]


def rotated(q, v):
    w, x, y, z = q
    t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])]
    return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2],
            v[2] + w * t[2] + x * t[1] - y * t[0]]


def poses_around(bounds, draws):
    """Copies turned about their middles, from one into the other to well apart."""
    low, high = bounds["lo"], bounds["hi"]
    middle = [(a + b) / 2 for a, b in zip(low, high)]
    diagonal = math.dist(low, high)
    result = []
    for i in range(POSES):
        q = unit_quaternion(draws)
        away = [diagonal * 1.3 * i / POSES * x for x in direction(draws)]
        result.append((q, [m + d - r for m, d, r in zip(middle, away, rotated(q, middle))]))
    return result, diagonal


def ask(espalier, asset, poses, tree, mode, folder):
    lines = "".join(" ".join(repr(x) for x in [*q, *t]) + "\n" for q, t in poses)
    (folder / "poses.txt").write_text(lines)
    answers = run([espalier, "query", asset, asset, "--poses", folder / "poses.txt", "--tree", tree, "--mode", mode])
    return [float(line.split()[0]) for line in answers.splitlines()]


def nudged(pose, step, draws):
    q, t = pose
    return q, [a + step * b for a, b in zip(t, direction(draws))]


class Comparison:
    def __init__(self, espalier, merged, folder, diagonal, draws):
        self.espalier, self.merged, self.folder, self.diagonal, self.draws = espalier, merged, folder, diagonal, draws
        self.answers = self.differences = self.touching = 0

    def compare(self, parts_asset, poses, tree, mode):
        apart = ask(self.espalier, parts_asset, poses, tree, mode, self.folder)
        whole = ask(self.espalier, self.merged, poses, tree, mode, self.folder)
        if len(apart) != len(poses) or len(whole) != len(poses):
            raise Failure(f"{parts_asset.name}: {tree} {mode}: {len(apart)} and {len(whole)} answers for {len(poses)} poses")
        if mode == "first":
            self.touching += sum(apart)
        for pose, a, b in zip(poses, apart, whole):
            self.answers += 1
            if a == b or (mode == "distance" and abs(a - b) <= TOLERANCE * self.diagonal):
                continue
            self.differences += 1
            if mode == "distance" or not self.explained(pose, a, b, tree, mode):
                raise Failure(f"{parts_asset.name}: {tree} {mode}: parts {a}, merged {b} at {pose}")

    def explained(self, pose, a, b, tree, mode):
        """Whether moving the merged one by the tolerance makes the difference: then no more than it separates the two."""
        moved = [nudged(pose, TOLERANCE * self.diagonal, self.draws) for _ in range(NUDGES)]
        answers = ask(self.espalier, self.merged, moved, tree, mode, self.folder) + [b]
        return min(answers) <= a <= max(answers)


def compare_with_merged(espalier, source, folder, draws):
    parts_asset, merged = folder / f"{source.stem}-parts.espl", folder / f"{source.stem}-merged.espl"
    # By a first bake of boxes, whether there are too many triangles for spheres.
    bake(espalier, source, merged, ["aabb"], "--merge")
    shape = described(espalier, merged)["shapes"][0]
    trees = [tree for tree in TREES if tree != "sphere" or shape["triangles"] <= LARGEST_FOR_SPHERES]
    bake(espalier, source, parts_asset, trees)
    bake(espalier, source, merged, trees, "--merge")
    poses, diagonal = poses_around(shape["bounds"], draws)
    comparison = Comparison(espalier, merged, folder, diagonal, draws)
    # Merged, triangles of two parts at one place are one: then counts differ for good.
    same_triangles = placed_triangles(described(espalier, parts_asset)) == shape["triangles"]
    for tree in trees:
        for mode in ["first", "distance"] + (["all"] if same_triangles and tree != "sphere" else []):
            comparison.compare(parts_asset, poses, tree, mode)
    print(f"  {source.name} ({source.parent.name}): {', '.join(trees)}: {comparison.answers} answers ({comparison.touching:.0f} poses touch), {comparison.differences} differ "
          f"within {TOLERANCE:g} of the diagonal" + ("" if same_triangles else "; counts not compared: merged triangles repeat"))


def merged_shape(espalier, source, folder):
    bake(espalier, source, folder / "merged.espl", ["aabb"], "--merge")
    return described(espalier, folder / "merged.espl")["shapes"][0]


def compare_variants(espalier, sources, folder):
    """One model in several encodings: as many triangles, and the same box but for the rounding."""
    first, *others = [merged_shape(espalier, source, folder) for source in sources]
    low, high = first["bounds"]["lo"], first["bounds"]["hi"]
    for source, other in zip(sources[1:], others):
        if other["triangles"] != first["triangles"]:
            raise Failure(f"{source}: {other['triangles']} triangles, not {first['triangles']}")
        moved = max(math.dist(low, other["bounds"]["lo"]), math.dist(high, other["bounds"]["hi"]))
        if moved > QUANTIZATION * math.dist(low, high):
            raise Failure(f"{source}: its box is {moved} from that of {sources[0]}")


def variants(sources):
    """glTF files of one name, in folders beside each other."""
    models = {}
    for source in sources:
        if source.suffix in (".gltf", ".glb"):
            models.setdefault((source.parent.parent, source.stem), []).append(source)
    return [group for group in models.values() if len(group) > 1]


def main():
    espalier, root = sys.argv[1], Path(sys.argv[2])
    if not root.is_dir():
        print(f"{root} is not there: nothing to check")
        return 0
    start, draws = time.monotonic(), random.Random(20250101)
    sources = sorted(path for path in root.rglob("*") if path.suffix.lower() in MESHES)
    failures, several = [], []
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for source in sources:
            try:
                dump = bakes_whole(espalier, source, folder / "a.espl")
                if len(dump["parts"]) > 1:
                    several.append(source)
            except Failure as failure:
                failures.append(str(failure))
        print(f"{len(sources) - len(failures)} of {len(sources)} files bake, {len(several)} of several parts "
              f"({time.monotonic() - start:.0f} s)")
        groups = variants(sources)
        for group in groups:
            try:
                compare_variants(espalier, group, folder)
            except Failure as failure:
                failures.append(str(failure))
        print(f"{len(groups)} models in {sum(len(group) for group in groups)} encodings")
        for source in several:
            try:
                compare_with_merged(espalier, source, folder, draws)
            except Failure as failure:
                failures.append(str(failure))
    for failure in failures:
        print(f"real_test: {failure}", file=sys.stderr)
    print(f"{time.monotonic() - start:.0f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
