#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the collision meshes of a robot as a neutral list of shapes, parts with joints, and pairs that need no test.

usage: urdf_parts.py ROBOT.urdf [--srdf FILE] -o LIST

A line is one of
  shape FILE SX SY SZ
  part NAME PARENT SHAPE  JOINT AX AY AZ LOWER UPPER  TX TY TZ  QW QX QY QZ    (numbers of lines from 0; -1: none)
  pair A B
Collision geometry that is no mesh is left out. Parts of one link, of neighbouring links and of links that the SRDF disables
need no test.
"""
import argparse
import itertools
import math
import pathlib
import sys
import xml.etree.ElementTree as xml

JOINTS = {"fixed", "revolute", "continuous", "prismatic"}


def numbers(text, default):
    return [float(x) for x in text.split()] if text else list(default)


def placed(element):
    """Translation and rotation (w x y z) of an <origin>."""
    origin = element.find("origin")
    xyz = numbers(origin.get("xyz") if origin is not None else None, (0, 0, 0))
    roll, pitch, yaw = numbers(origin.get("rpy") if origin is not None else None, (0, 0, 0))
    cr, sr, cp, sp = math.cos(roll / 2), math.sin(roll / 2), math.cos(pitch / 2), math.sin(pitch / 2)
    cy, sy = math.cos(yaw / 2), math.sin(yaw / 2)
    return [*xyz, cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy,
            cr * cp * sy - sr * sp * cy]


def mesh_file(name, urdf):
    """The file beside the URDF, or in a folder above it, that a mesh name means."""
    tail = pathlib.PurePosixPath(name.split("://")[-1]).parts
    for folder in urdf.resolve().parents:
        for start in range(len(tail)):
            path = folder.joinpath(*tail[start:])
            if path.is_file():
                return path
    sys.exit(f"urdf_parts.py: {urdf}: no file for the mesh '{name}'; put it beside the URDF")


class Robot:
    def __init__(self, urdf):
        self.urdf, self.shapes, self.parts, self.pairs = urdf, [], [], set()
        self.links, self.geometry, self.near = {}, {}, set()
        root = xml.parse(urdf).getroot()
        links = {link.get("name"): link for link in root.findall("link")}
        joints = root.findall("joint")
        below = {joint.find("child").get("link") for joint in joints}
        for name in links.keys() - below:
            self.add_link(name, links, -1, "fixed 0 0 0 0 0", [0, 0, 0, 1, 0, 0, 0])
        self.add_joints(joints, links)

    def add_joints(self, joints, links):
        waiting = list(joints)
        while waiting:
            ready = [joint for joint in waiting if joint.find("parent").get("link") in self.links]
            if not ready:
                sys.exit(f"urdf_parts.py: {self.urdf}: links that hang on no root; make them one tree")
            for joint in ready:
                waiting.remove(joint)
                parent, child = joint.find("parent").get("link"), joint.find("child").get("link")
                self.near.add((parent, child))
                self.add_link(child, links, self.links[parent], self.joint(joint), placed(joint))

    @staticmethod
    def joint(element):
        kind = element.get("type") if element.get("type") in JOINTS else "fixed"
        if kind == "fixed":
            return "fixed 0 0 0 0 0"
        axis = numbers(element.find("axis").get("xyz") if element.find("axis") is not None else None, (1, 0, 0))
        length = math.sqrt(sum(x * x for x in axis))
        limit = element.find("limit")
        lower, upper = (limit.get("lower", "0"), limit.get("upper", "0")) if limit is not None else ("0", "0")
        if kind == "continuous":
            lower, upper = "-3.14", "3.14"
        return " ".join([kind, *(repr(x / length) for x in axis), lower, upper])

    def add_part(self, name, parent, shape, joint, place):
        self.parts.append(f"part {name} {parent} {shape} {joint} " + " ".join(map(repr, place)))
        return len(self.parts) - 1

    def add_link(self, name, links, parent, joint, place):
        self.links[name] = self.add_part(name, parent, -1, joint, place)
        self.geometry[name] = []
        for number, collision in enumerate(links[name].findall("collision")):
            mesh = collision.find("geometry/mesh")
            if mesh is None:
                continue
            scale = numbers(mesh.get("scale"), (1, 1, 1))
            shape = f"shape {mesh_file(mesh.get('filename'), self.urdf)} " + " ".join(map(repr, scale))
            if shape not in self.shapes:
                self.shapes.append(shape)
            self.geometry[name].append(self.add_part(f"{name}/{number}", self.links[name], self.shapes.index(shape),
                                                     "fixed 0 0 0 0 0", placed(collision)))
        self.pairs.update(itertools.combinations(self.geometry[name], 2))

    def spare(self, pairs):
        for a, b in pairs:
            for i, j in itertools.product(self.geometry.get(a, []), self.geometry.get(b, [])):
                self.pairs.add((min(i, j), max(i, j)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("urdf", type=pathlib.Path)
    parser.add_argument("--srdf", type=pathlib.Path)
    parser.add_argument("-o", dest="out", type=pathlib.Path, required=True)
    options = parser.parse_args()
    robot = Robot(options.urdf)
    robot.spare(robot.near)
    if options.srdf:
        robot.spare((d.get("link1"), d.get("link2")) for d in xml.parse(options.srdf).getroot().iter("disable_collisions"))
    lines = [*robot.shapes, *robot.parts, *(f"pair {a} {b}" for a, b in sorted(robot.pairs))]
    options.out.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
