#!/usr/bin/env python3
"""Random specs, their gradient certificates, and differences of J between separate processes.

  tests/tools/random_specs.py make COUNT SEED FOLDER     writes FOLDER/000.yaml, ...
  tests/tools/random_specs.py check FOLDER [INVAR]       checks each and writes FOLDER/log.txt

`make` draws features from the tables of the program itself (`invar schema`): material laws with the bounds of their
parameters, kinds, elements, loads, time schemes, quantities, statistics, maps of the design. What no table says (which
region a load acts on, how large it may be so that the start converges) is written below.

`check` runs `invar check` and compares, for numbers that a spec names, dJ/dp by the adjoint with a central difference of
J between processes of their own, in which p is written into the spec and nothing is designed. It prints one line per
spec: ok, unsure (nothing failed, something could not be told), refused (the spec is invalid or its start does not
converge), FAILED. Exit code 1 where a certificate FAILED although the independent differences agree with the adjoint,
or passed although they do not.
"""
import json
import os
import random
import re
import subprocess
import sys

INVAR = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../build/release/apps/invar")

# Values that suit bodies of unit size and unit stiffness; other parameters of a law keep their default.
NOMINAL = {"young": 10, "poisson": 0.3, "mu": 3, "c10": 1, "c01": 0.4, "c1": 1.5, "c2": 0.1, "c3": 0.02, "jm": 30,
           "lambda_m": 3, "mu1": 3, "alpha1": 2.4, "E1": 12, "E2": 9, "E3": 8, "nu12": 0.25, "nu23": 0.2, "nu13": 0.3,
           "G12": 4, "G23": 3, "G13": 3.5, "viscosity": 0.1, "viscosity_zero": 0.2, "viscosity_inf": 0.02,
           "relaxation_time": 1.5, "exponent": 0.7, "consistency": 0.1, "rate_floor": 0.05, "density": 1.3}
NEARLY_INCOMPRESSIBLE = {"neo_hookean_isochoric", "mooney_rivlin", "yeoh", "ogden", "gent", "arruda_boyce"}


def alternatives(schema, section):
    items = schema["properties"][section]
    items = items.get("items", items.get("additionalProperties"))
    return {o["properties"].get("model", o["properties"].get("type", o["properties"].get("kind")))["const"]: o["properties"]
            for o in items["oneOf"] if any("const" in o["properties"].get(k, {}) for k in ("model", "type", "kind"))}


def choices(properties, key):
    p = properties[key]
    return p.get("enum") or [o["const"] for o in p.get("oneOf", p.get("anyOf", [])) if "const" in o]


class Draw:
    def __init__(self, schema, seed):
        self.r = random.Random(seed)
        self.schema = schema
        self.materials = alternatives(schema, "materials")
        self.quantities = alternatives(schema, "objective")
        self.time = schema["properties"]["time"]["properties"]
        self.s = {}

    def near(self, v):
        return float("%.4g" % (v * self.r.uniform(0.8, 1.2)))

    def maybe(self, p):
        return self.r.random() < p

    def spec(self):
        return self.flow() if self.maybe(0.4) else self.solid()

    def mesh(self, dim):
        r = self.r
        if dim == 3:
            return {"box": {"to": [1.2, 1, 0.8], "cells": [2, r.choice([1, 2]), 1],
                            "shape": r.choice(["tetrahedron", "hexahedron"])}}
        grading = [r.choice([1, 2]), 1]
        return {"rectangle": {"to": [1.5, 1], "cells": [r.choice([3, 4]), r.choice([2, 3])], "grading": grading,
                              "shape": r.choice(["triangle", "quadrilateral"])}}

    def material(self, names):
        model = self.r.choice([m for m in names if m in self.materials])
        law = {"model": model}
        for key, table in self.materials[model].items():
            if key not in NOMINAL:
                continue
            value = self.near(NOMINAL[key])
            if "exclusiveMaximum" in table:
                value = min(value, 0.95 * table["exclusiveMaximum"])
            law[key] = value
        return law

    def statistic(self, q, transient):
        table = self.quantities[q["type"]]
        if "statistic" in table and transient and self.maybe(0.4):
            q["statistic"] = self.r.choice([s for s in choices(table, "statistic") if s != "value"])
            if "sharpness" in table:
                q["sharpness"] = self.r.choice([5, 20])
        elif self.maybe(0.5):
            q["target"] = self.r.uniform(-0.2, 0.2)
            q["noise"] = self.near(0.1)
        return q

    def scheme(self, names, end):
        t = {"scheme": self.r.choice([n for n in choices(self.time, "scheme") if n in names]), "end": end,
             "steps": self.r.choice([3, 5, 8])}
        if self.maybe(0.3):
            t["factor_interval"] = 2
        if self.maybe(0.25):
            t["tolerance"] = self.r.choice([0.3, 0.1])
        return t

    def solid(self):
        r = self.r
        kind = r.choice(choices(self.schema_of("physics", "solid"), "kind"))
        dim = 3 if kind == "spatial" else 2
        mixed = kind != "plane_stress" and self.maybe(0.3)
        physics = {"type": "solid", "kind": kind, "formulation": "mixed" if mixed else "displacement",
                   "order": 2 if mixed else r.choice([1, 2])}
        law = self.material([m for m in self.materials if "viscosity" not in self.materials[m] and m not in ("carreau", "power_law", "newtonian")])
        model = law["model"]
        law.pop("density", None)
        if mixed:
            for key in ("poisson", "nu23", "nu13", "nu12"):
                law.pop(key, None)
        if mixed or model in NEARLY_INCOMPRESSIBLE:
            law["bulk"] = self.near(20)
        plastic = model == "linear_elastic" and not mixed and kind != "plane_stress" and self.maybe(0.5)
        transient = plastic or self.maybe(0.4)
        spec = {"title": "random solid", "mesh": self.mesh(dim), "physics": physics, "materials": {"body": law},
                "boundary": {"left": {"u_x": 0, "u_y": 0, **({"u_z": 0} if dim == 3 else {})}}, "loads": {}}
        if kind == "axisymmetric":
            spec["boundary"] = {"left": {"u_x": 0}, "bottom": {"u_y": 0}}
        numbers = ["materials.body." + k for k in law if isinstance(law[k], float) and k not in ("nu12", "nu23", "nu13")]
        if transient:
            law["density"] = self.near(1.3)
            schemes = ["backward_euler", "bdf2", "newmark"] if plastic else ["backward_euler", "bdf2", "midpoint", "newmark",
                                                                             "generalised_alpha", "sdirk2"]
            if mixed:
                schemes = ["backward_euler", "bdf2"]
            spec["time"] = self.scheme(schemes, r.choice([0.5, 1.5]))
            if plastic:
                law["plasticity"] = {"yield_stress": self.near(0.25), "hardening": self.near(1)}
                numbers.append("materials.body.plasticity.yield_stress")
            elif self.maybe(0.4):
                law["shear_viscosity"] = self.near(0.3)
                numbers.append("materials.body.shear_viscosity")
            if self.maybe(0.3):
                spec["initial"] = {"all": {"v_y": "0.2*x"}}
        else:
            spec["time"] = {"steps": r.choice([1, 2, 4])}
        for load in r.sample(["traction", "body_force", "pressure", "foundation", "contact"], r.choice([1, 2, 3])):
            name = "q_" + load
            if load == "traction":
                spec["loads"][name] = {"type": load, "region": "right", "x": self.near(0.3), "y": self.near(-0.2)}
                numbers += ["loads.%s.x" % name, "loads.%s.y" % name]
            elif load == "body_force":
                spec["loads"][name] = {"type": load, "y": self.near(-0.3)}
                numbers.append("loads.%s.y" % name)
            elif load == "pressure":
                spec["loads"][name] = {"type": load, "region": "top", "p": self.near(0.2)}
                numbers.append("loads.%s.p" % name)
            elif load == "foundation":
                spec["loads"][name] = {"type": load, "region": "bottom", "y": self.near(2)}
                numbers.append("loads.%s.y" % name)
            elif transient and not plastic and kind != "axisymmetric":
                spec["loads"][name] = {"type": load, "region": "right", "obstacle": "plane", "stiffness": self.near(20),
                                       "width": 0.05, "y": -0.02, "n_y": 1, "friction": self.near(0.2), "slip_speed": 0.05}
                numbers.append("loads.%s.stiffness" % name)
        if not spec["loads"]:
            spec["loads"] = {"q": {"type": "body_force", "x": self.near(0.3)}}
            numbers.append("loads.q.x")
        point = [1.5, 1] if dim == 2 else [1.2, 1, 0.8]
        terms = [self.statistic({"type": "point", "point": point, "component": r.choice(["u_x", "u_y"])}, transient),
                 self.statistic({"type": "reaction", "region": "left", "direction": [1, 0.3] + [0] * (dim - 2)}, transient)]
        if not plastic and "shear_viscosity" not in law:
            terms.append({"type": "stored_energy"})
        return self.finish(spec, numbers, terms, shape=not transient or self.maybe(0.3), dim=dim)

    def flow(self):
        r = self.r
        kind = r.choice(["planar", "planar", "axisymmetric"])
        stokes = self.maybe(0.4)
        elements = r.choice(choices(self.schema_of("physics", "flow"), "elements"))
        physics = {"type": "flow", "kind": kind, "equations": "stokes" if stokes else "navier_stokes", "elements": elements}
        law = self.material(["newtonian", "carreau", "power_law"])
        spec = {"title": "random flow", "mesh": self.mesh(2), "physics": physics, "materials": {"fluid": law},
                "boundary": {"left": {"u_x": "4*y*(1-y)" if kind == "planar" else "0", "u_y": 0}, "top": {"no_slip": True},
                             "bottom": {"no_slip": True}}, "loads": {}}
        if kind == "axisymmetric":  # x is the radius
            spec["boundary"] = {"bottom": {"u_x": 0, "u_y": "1-(x/1.5)^2"}, "left": {"u_x": 0}, "right": {"no_slip": True}}
        outlet = "right" if kind == "planar" else "top"
        numbers = ["materials.fluid." + k for k in law if isinstance(law[k], float)]
        if stokes:
            numbers = [n for n in numbers if not n.endswith("density")]
        transient = elements == "taylor_hood" and self.maybe(0.5)
        if transient:
            spec["time"] = self.scheme(["backward_euler", "bdf2", "midpoint", "sdirk2"], 0.5)
            if not stokes and spec["time"]["scheme"] != "sdirk2" and self.maybe(0.4):
                spec["time"]["convection"] = "linearised"
                spec["time"].pop("tolerance", None)
        if self.maybe(0.5):
            spec["loads"]["out"] = {"type": "pressure", "region": outlet, "p": self.near(0.1)}
            numbers.append("loads.out.p")
        if kind == "planar" and self.maybe(0.4):
            spec["boundary"].pop("top")
            spec["loads"]["wall"] = {"type": "slip", "region": "top", "penalty": 100, "friction": self.near(0.5)}
            numbers.append("loads.wall.friction")
        wall = "bottom" if kind == "planar" else "right"
        terms = [self.statistic({"type": "force", "region": wall, "direction": [1, 0.2] if kind == "planar" else [0, 1]}, transient),
                 self.statistic({"type": "dissipation"}, transient),
                 self.statistic({"type": "point", "point": [0.9, 0.45], "component": r.choice(["u_x", "u_y", "p"])}, transient),
                 self.statistic({"type": "kinetic_energy"}, transient),
                 self.statistic({"type": "flow_rate", "region": outlet}, transient)]
        return self.finish(spec, numbers, terms, shape=kind == "planar" and self.maybe(0.3), dim=2)

    def finish(self, spec, numbers, terms, shape, dim):
        r = self.r
        spec["design"] = [{"variable": v} for v in r.sample(sorted(set(numbers)), min(len(numbers), r.choice([1, 2, 3])))]
        if shape and self.maybe(0.4) and dim == 2:
            spec["design"].append({"kind": "ffd", "region": "top", "from": [-0.1, -0.1], "to": [1.6, 1.1], "points": [3, 2],
                                   "largest": 0.2})
        spec["objective"] = r.sample(terms, r.choice([1, 1, 2]))
        for k, term in enumerate(spec["objective"]):
            term["name"] = "term%d" % k
        if not spec["loads"]:
            del spec["loads"]
        spec["output"] = {"fields": "none"}
        spec["verify"] = {"directions": 1, "seed": r.randrange(100)}
        return spec

    def schema_of(self, section, name):
        for o in self.schema["properties"][section]["oneOf"]:
            if o["properties"]["type"]["const"] == name:
                return o["properties"]
        raise KeyError(name)


def run(invar, *args):
    done = subprocess.run([invar, *args], capture_output=True, text=True, timeout=900)
    return done.returncode, done.stdout + done.stderr


def number_at(spec, path):
    for key in path.split("."):
        spec = spec[key]
    return spec


def put(spec, path, value):
    *way, last = path.split(".")
    for key in way:
        spec = spec[key]
    spec[last] = value


def objective_alone(invar, folder, name, spec):
    alone = {k: v for k, v in spec.items() if k not in ("design", "verify", "objective")}
    alone["output"] = {"fields": "none", "quantities": {t["name"]: {k: v for k, v in t.items() if k not in ("name", "target", "noise")}
                                                        for t in spec["objective"]}}
    file, out = os.path.join(folder, name + ".alone.yaml"), os.path.join(folder, name + ".alone")
    json.dump(alone, open(file, "w"))
    code, _ = run(invar, "run", file, "-q", "--out", out, "--set", "solver.rtol=1e-13")
    if code != 0:
        return None
    quantities = json.load(open(os.path.join(out, "results.json")))["quantities"]
    total = 0
    for t in spec["objective"]:
        value = quantities[t["name"]]
        value = value["value"] if isinstance(value, dict) else value
        total += 0.5 * ((value - t["target"]) / t["noise"]) ** 2 if "target" in t else value
    return total


def difference(invar, folder, name, spec, path):
    """Central difference of J by p with its error, over processes of their own; None where one fails."""
    p, best = number_at(spec, path), None
    for h in (1e-3, 2.5e-4):
        values = []
        for sign in (1, -1):
            other = json.loads(json.dumps(spec))
            put(other, path, p + sign * h * abs(p))
            values.append(objective_alone(invar, folder, name, other))
        if None in values:
            return None
        now = (values[0] - values[1]) / (2 * h * abs(p))
        if best is not None:
            better = now + (now - best) / 15
            return better, abs(now - best) + 1e-9 * max(map(abs, values)) / (h * abs(p))
        best = now


def check(folder, invar):
    wrong = 0
    log = open(os.path.join(folder, "log.txt"), "w")
    for file in sorted(f for f in os.listdir(folder) if re.fullmatch(r"\d+\.yaml", f)):
        path, name = os.path.join(folder, file), file[:-5]
        spec = json.load(open(path))
        code, said = run(invar, "check", path)
        rows = [line for line in said.splitlines() if re.match(r"(taylor|dot product|finite difference|hessian|steps)", line)]
        verdict = ("refused" if not rows else "FAILED" if any("FAILED" in row for row in rows)
                   else "unsure" if any(" unsure" in row for row in rows) else "ok")
        lines = []
        if rows and os.path.isdir(os.path.join(folder, name + ".gradient")) is False:
            gradient_code, _ = run(invar, "gradient", path, "-q", "--out", os.path.join(folder, name + ".gradient"))
            if gradient_code == 0:
                found = json.load(open(os.path.join(folder, name + ".gradient", "gradient.json")))
                by_name = {name: v["derivative"] for name, v in found["variables"].items()}
                for d in spec["design"]:
                    variable = d.get("variable")
                    if variable not in by_name or spec.get("time", {}).get("tolerance"):
                        continue
                    outside = difference(invar, folder, name, spec, variable)
                    if outside is None:
                        continue
                    value, error = outside
                    apart = abs(value - by_name[variable])
                    agrees = apart <= max(10 * error, 1e-5 * abs(value))
                    lines.append("    outside  %-40s adjoint %.8e difference %.8e ± %.0e %s" %
                                 (variable, by_name[variable], value, error, "agree" if agrees else "DISAGREE"))
                    wrong += agrees and verdict == "FAILED"
                    wrong += not agrees and verdict == "ok"
        text = "%s %-8s exit %d\n%s\n" % (file, verdict, code, "\n".join(lines + ["    " + row for row in rows if " ok" not in row] or
                                                                         ["    " + (said.strip().splitlines() or [""])[-1]] * (not rows)))
        log.write(text)
        log.flush()
        print(text, end="", flush=True)
    return 1 if wrong else 0


def main():
    if len(sys.argv) == 5 and sys.argv[1] == "make":
        count, seed, folder = int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
        os.makedirs(folder, exist_ok=True)
        schema = json.loads(subprocess.run([INVAR, "schema"], capture_output=True, text=True, check=True).stdout)
        for k in range(count):
            spec = Draw(schema, seed * 1000 + k).spec()
            json.dump(spec, open(os.path.join(folder, "%03d.yaml" % k), "w"), indent=1)
        return 0
    if len(sys.argv) in (3, 4) and sys.argv[1] == "check":
        return check(sys.argv[2], sys.argv[3] if len(sys.argv) == 4 else INVAR)
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main())
