#!/usr/bin/env python3
"""Seeds of the fuzz targets, cut small from what is in the repository.

  tests/fuzz/make_seeds.py FOLDER [INVAR]      writes FOLDER/spec, formula, mesh, surface, airfoil, csv and, with the program, checkpoint

corpus/ holds what libFuzzer made of them (README.md of this folder).
"""
import math
import os
import re
import struct
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")


def files(folder, ending):
    folder = os.path.join(ROOT, folder)
    return [os.path.join(folder, f) for f in sorted(os.listdir(folder)) if f.endswith(ending)]


def put(folder, reader, name, content):
    os.makedirs(os.path.join(folder, reader), exist_ok=True)
    with open(os.path.join(folder, reader, name), "wb") as out:
        out.write(content if isinstance(content, bytes) else content.encode())


def without_comments(text):
    lines = [re.sub(r"\s+#[^\"']*$", "", line) for line in text.splitlines() if not line.lstrip().startswith("#")]
    return "\n".join(line for line in lines if line.strip()) + "\n"


def specs():
    for file in files("configs", ".yaml") + files("apps/invar/starters", ".yaml"):
        yield os.path.basename(file), without_comments(open(file).read())


def sections(text):
    """A spec without one of its sections each: small, and mostly refused for what is missing."""
    parts = re.split(r"^(?=\S)", text, flags=re.M)
    return ["".join(parts[:k] + parts[k + 1:]) for k in range(1, len(parts)) if len(parts[k]) > 300]


def small_meshes():
    """Two triangles and an edge, in every form of Gmsh that is read."""
    nodes = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
    cells = [(1, (1, 2)), (2, (1, 2, 3)), (2, (1, 3, 4))]
    names = '$PhysicalNames\n2\n1 1 "bottom"\n2 2 "body"\n$EndPhysicalNames\n'
    head = lambda version, binary: b"$MeshFormat\n%s %d 8\n" % (version, binary) + (struct.pack("<i", 1) + b"\n" if binary else b"") + \
        b"$EndMeshFormat\n" + names.encode()
    text = "$Nodes\n4\n" + "".join("%d %g %g %g\n" % (k + 1, *x) for k, x in enumerate(nodes)) + "$EndNodes\n$Elements\n3\n"
    text += "".join("%d %d 2 %d 1 %s\n" % (k + 1, kind, kind, " ".join(map(str, n))) for k, (kind, n) in enumerate(cells))
    yield "triangles_22", head(b"2.2", 0) + text.encode() + b"$EndElements\n"
    for kind, count in ((7, 5), (16, 8), (17, 20)):  # of other kinds, which are not supported
        more = text.replace("$Elements\n3\n", "$Elements\n4\n") + "4 %d 2 2 1 %s\n" % (kind, " ".join(["1"] * count))
        yield "kind_%d" % kind, head(b"2.2", 0) + more.encode() + b"$EndElements\n"
    outline = text[:text.index("$Elements")] + "$Elements\n1\n1 1 2 1 1 1 2\n$EndElements\n"
    yield "outline", head(b"2.2", 0) + outline.encode()
    raw = b"$Nodes\n4\n" + b"".join(struct.pack("<i3d", k + 1, *x) for k, x in enumerate(nodes)) + b"\n$EndNodes\n$Elements\n3\n"
    for k, (kind, n) in enumerate(cells):
        raw += struct.pack("<3i", kind, 1, 2) + struct.pack("<3i", k + 1, kind, 1) + struct.pack("<%di" % len(n), *n)
    yield "triangles_22b", head(b"2.2", 1) + raw + b"\n$EndElements\n"
    box = "0 0 0 1 1 0"
    text = "$Entities\n0 1 1 0\n1 %s 1 1 0\n1 %s 1 2 0\n$EndEntities\n" % (box, box)
    text += "$Nodes\n1 4 1 4\n2 1 0 4\n1\n2\n3\n4\n" + "".join("%g %g %g\n" % x for x in nodes) + "$EndNodes\n"
    text += "$Elements\n2 3 1 3\n1 1 1 1\n1 1 2\n2 1 2 2\n2 1 2 3\n3 1 3 4\n$EndElements\n"
    yield "triangles_41", head(b"4.1", 0) + text.encode()
    raw = b"$Entities\n" + struct.pack("<4Q", 0, 1, 1, 0)
    for group in (1, 2):
        raw += struct.pack("<i6dQiQ", 1, 0, 0, 0, 1, 1, 0, 1, group, 0)
    raw += b"\n$EndEntities\n$Nodes\n" + struct.pack("<4Q3iQ", 1, 4, 1, 4, 2, 1, 0, 4) + struct.pack("<4Q", 1, 2, 3, 4)
    raw += b"".join(struct.pack("<3d", *x) for x in nodes) + b"\n$EndNodes\n$Elements\n" + struct.pack("<4Q", 2, 3, 1, 3)
    raw += struct.pack("<3iQ", 1, 1, 1, 1) + struct.pack("<3Q", 1, 1, 2)
    raw += struct.pack("<3iQ", 2, 1, 2, 2) + struct.pack("<4Q", 2, 1, 2, 3) + struct.pack("<4Q", 3, 1, 3, 4) + b"\n$EndElements\n"
    yield "triangles_41b", head(b"4.1", 1) + raw


def surfaces():
    """Four triangles around a corner, a quadrilateral, a polyline, in the formats of surfaces."""
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    text = "# a corner\no corner\n" + "".join("v %g %g %g\n" % x for x in corners) + "vn 0 0 1\ng low side\n"
    yield "corner.obj", text + "f 1 3/1 2/2/1\ng\n" + "".join("f %d//1 %d %d\n" % tuple(-4 + k for k in f) for f in faces[1:])
    yield "quadrilateral.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0.1 1\nv 0 1 0\nf 1 2 3 4\nf 1 2 3 4 4\n"
    yield "line.obj", "v 0 0 0\r\nv 1 0 0\r\nv 1 1 0\r\nl 1 2 3\r\n"
    facet = lambda f: "facet normal 0 0 1\nouter loop\n" + "".join("vertex %g %g %g\n" % corners[k] for k in f) + "endloop\nendfacet\n"
    yield "corner.stl", "solid a corner\n" + "".join(map(facet, faces)) + "endsolid\n"
    yield "binary.stl", b"solid".ljust(80) + struct.pack("<I", len(faces)) + b"".join(
        struct.pack("<12fH", 0, 0, 1, *(x for k in f for x in corners[k]), 0) for f in faces)


def airfoils():
    """Sections of 13 points in both orders of their collections, and one that goes round the other way."""
    ordinate = lambda x: 0.6 * (0.2969 * x ** 0.5 - 0.126 * x - 0.3516 * x ** 2 + 0.2843 * x ** 3 - 0.1036 * x ** 4)
    places = [0.5 * (1 - math.cos(math.pi * k / 6)) for k in range(7)]
    upper, lower = (["%.5g %.4g" % (x, side * ordinate(x) + 0.0) for x in places] for side in (1, -1))
    lines = lambda *parts: "\n".join(line for part in parts for line in part) + "\n"
    yield "selig", lines(["NACA 0012"], upper[::-1], lower[1:])
    yield "lednicer", lines(["NACA 0012", " 7. 7.", ""], upper, [""], lower)
    yield "other_way", lines(["NACA 0012"], lower[::-1], upper[1:])
    yield "nine", "1 0\n0.7 0.05\n0.4 0.06\n0.1 0.04\n0 0\n0.1 -0.03\n0.4 -0.02\n0.7 -0.01\n1 -0.001\r\n"
    yield "few", "t\n1 0\n0.5 0.1\n0 0\n0.5 -0.1\n1 0\n"
    yield "word", "t\n1 0\n0.5 upper\n"


CHECKPOINTED = """title: a spring of few cells
mesh: {rectangle: {to: [1, 1], cells: [2, 2]}}
physics: {type: solid, kind: plane_strain}
materials:
  body: {model: linear_elastic, young: 3, poisson: 0.3}
boundary:
  left: {u_x: 0, u_y: 0}
  right: {u_x: 0.1}
design:
  - {variable: materials.body.young, lower: 0.5, upper: 9}
objective:
  - {type: reaction, region: right, direction: [1, 0], target: 0.5}
optimizer: {max_iterations: 3}
output: {fields: none}
"""


def checkpoints(invar):
    for name, more in (("lm", []), ("quasi_newton", ["--set", "optimizer.method=quasi_newton"]),
                       ("starts", ["--set", "optimizer.starts=2"])):
        with tempfile.TemporaryDirectory() as folder:
            open(os.path.join(folder, "spec.yaml"), "w").write(CHECKPOINTED)
            subprocess.run([invar, "run", "spec.yaml", "-q", "--out", "run", *more], cwd=folder, capture_output=True)
            place = os.path.join(folder, "run/checkpoints")
            for file in sorted(os.listdir(place)) if os.path.isdir(place) else []:
                content = open(os.path.join(place, file), "rb").read()
                yield name + "_" + file, content
                # A part alone, with one number instead of two, as no program writes it. CBOR: a list of one string of bytes (its
                # length in 1, 2 or 4 bytes); in it a key, then a string of sixteen bytes.
                payload = content[content.index(b"\n") + 1:]
                part = payload[2 + {0x58: 1, 0x59: 2, 0x5a: 4}.get(payload[1], 0):]
                at = part.find(b"gnumbersP")
                if at >= 0:
                    yield name + "_short_" + file, part[:at] + b"gnumbersH" + part[at + 9:at + 17] + part[at + 25:]


def main():
    folder, invar = sys.argv[1], os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None
    formulas = set()
    for name, text in specs():
        put(folder, "spec", name, text)
        for k, part in enumerate(sections(text)):
            put(folder, "spec", "%s_%d" % (name, k), part)
        formulas.update(f for f in re.findall(r"\"([^\"\n]+)\"|'([^'\n]+)'", text) for f in f if re.search(r"[xyzt][*+/ ()^<-]|[*+/(-][xyzt]", f))
    put(folder, "spec", "overridden", "title: x\nmesh: {rectangle: {to: [1, 1], cells: [1, 1]}}\nphysics: {type: flow}\n#set solver.rtol=1e-3\n"
        "#set materials.water={model: newtonian, viscosity: 1}\n#set mesh.rectangle.cells=[2, 2]\n")
    put(folder, "spec", "anchors", "title: &t x\nmesh: {rectangle: &r {to: [1, 1], cells: [1, 1]}}\nphysics: {type: solid, kind: plane_strain}\n"
        "materials: {body: &m {model: linear_elastic, young: 1, poisson: 0.3}, other: *m}\ncases:\n  a: {boundary: {left: {u_x: 0}}}\n"
        "  b: {base: a, mesh.rectangle.cells: [2, 2]}\n")
    types = "number: 0.5\nmany: -.inf\nwhole: 12\ntruth: true\ntext: words\nword: two\nformula: x + 1\nfile: a/b.csv\nlist: [[1, 2], [3, 4]]\n" \
        "map: {a: {b: true}}\nlists: [false, {a: b}, [c]]\nrecord: {x: 1e3}\nany: {a: [1, 1.5, true, text, .inf]}\nanys: [1, a]\n"
    put(folder, "spec", "types", types + "either: auto\nnested: false\n")
    for k, more in enumerate(("either: {a: 1}\nnested: [x]\n", "either: [a, b]\nnested: {a: b}\n", "either: 1e-200\nnested: 7\n", "number: .inf\nmany: .nan\n",
                              "truth: yes\nwhole: 1.5\nlist: 7\ntruths: 1\nformulas: {}\nfiles: {}\nmaps: 1\nmap: 3\nlists: 4\nrecord: [1]\nany:\nword: three\n", "text: \"a\\0b\"\n",
                              "many: [1]\n#set record.x=2\n#set record=\n#set either.a.b=3\n#set map.a.b=false\n#set any.q.r=1\n")):
        put(folder, "spec", "types_%d" % k, more if k > 2 else types + more)
    based = "title: x\nmesh: {rectangle: {to: [1, 1], cells: [1, 1]}}\nphysics: {type: solid, kind: plane_strain}\nmaterials:\n  m: {model: linear_elastic, young: 1, poisson: 0.3}\n" \
        "boundary: {left: {u_x: 0, u_y: 0}}\ncases:\n  a: {}\n  b: {base: a, materials.m.young: 2}\n  c: {base: b, loads: {l: {type: traction, region: right, x: 1}}}\n"
    put(folder, "spec", "based", based + "#set cases.a.materials.m.young=3\n#set cases.c.boundary.left.u_x=1\n#set cases.b.materials.m.poisson=\n")
    for k, wrong in enumerate(("  d: {base: d}\n", "  d: {base: e}\n  e: {base: d}\n", "  d: {base: [a]}\n", "  d: {base: nobody}\n  e: 3\n", "  d:\n#set cases.d.materials.m.young=3\n")):
        put(folder, "spec", "based_%d" % k, based + wrong)
    for k, formula in enumerate(sorted(formulas)):
        put(folder, "formula", "%03d" % k, formula)
    for k, formula in enumerate(("1e308*x^2 - .5e-3", "t < 0.5 ? sin(pi*x) : cos(e*y)", "min(x, y, z) + max(1, t) && (x != y || t >= 2)",
                                 "sqrt(abs(x)) + exp(-t)*log(2) + atan2(y, x)", "rint(x) + sign(y) + sum(x, y, z) + avg(1, 2)")):
        put(folder, "formula", "f%d" % k, formula)
    for file in files("configs/data", ".csv"):
        put(folder, "csv", os.path.basename(file), "".join(open(file).readlines()[:12]))
    put(folder, "csv", "quoted", '# of a camera\n"t","u, x";force\r\n')
    put(folder, "csv", "semicolons", "t;force\n0,5;1,25\n1;2\n")
    put(folder, "csv", "tabs", b"\xEF\xBB\xBFt\tforce\n0\t1e3\n1\t-.5\n")
    for file in files("tests/unit/mesh/data", ".msh"):
        put(folder, "mesh", os.path.basename(file), open(file, "rb").read())
    for name, content in small_meshes():
        put(folder, "mesh", name, content)
        put(folder, "surface", name, content)
    for name, content in surfaces():
        put(folder, "surface", name, content)
    for name, content in airfoils():
        put(folder, "airfoil", name, content)
    for name, content in checkpoints(invar) if invar else []:
        put(folder, "checkpoint", name, content)


if __name__ == "__main__":
    main()
