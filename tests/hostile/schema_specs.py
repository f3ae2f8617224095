#!/usr/bin/env python3
"""Specs drawn from the program's own JSON Schema.

  tests/hostile/schema_specs.py make COUNT SEED FILE INVAR     COUNT specs, one behind the other with an empty line between
  tests/hostile/schema_specs.py run COUNT FILE INVAR [KEEP]    runs COUNT of those in FILE: each must end with a documented exit code;
                                                               KEEP receives those that end with 4 or more, and what they said

`make` draws half of them from the schema alone; the others are specs of random_specs.py, most of which are valid, in which up to six
values are replaced, added or taken away as the schema allows. A few numbers are hostile. `validate_specs` reads FILE: every spec is
accepted or refused with file:line:column.
"""
import json
import os
import random
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tools"))
import random_specs  # noqa: E402

HOSTILE = [float("nan"), float("inf"), -float("inf"), 1e308, -1e308, 5e-324, -5e-324, 0, -1, 1e-300, 2**31, 2**53, -2**63, "", "x" * 5000, True,
           None, [], {}, "0x10", "../../../etc/passwd", "/dev/zero", "a/b", ".", "..", "\n", "spec", "$(id)", "`id`", "%s%n"]
SIDES = ["left", "right", "bottom", "top", "body", "all"]
WORDS = {"region": SIDES, "regions": SIDES, "component": ["u_x", "u_y", "u_z", "p", "c"], "case": ["a", "b"], "base": ["a", "b"],
         "file": ["data.csv", "missing.csv", "../data.csv", "."], "from": ["run", "."], "region_of": SIDES,
         "t": ["t", "tip"], "value": ["value", "force"], "name": ["one", "two", "three"]}
KEYS = {"materials": ["body", "rubber"], "boundary": SIDES, "initial": SIDES, "cases": ["a", "b"], "regions": ["walls"]}
FORMULAS = ["x", "t", "x*y + 0.1", "sin(pi*t)", "4*y*(1 - y)", "t < 0.5 ? 1 : 0", "1/x", "sqrt(-1)", "x +", "e^e^e^e^e", "0.1*t", 0, 1, -0.3]
PATIENCE = 30  # seconds of a run, after which it is told to end, as by a batch system, and again until it has
DATA = "t,value,x,y,u_x\n0.5,0.1,0.5,0.5,0\n1,0.2,0.7,0.5,0\n"  # data.csv beside every spec
DOCUMENTED = {0, 2, 3, 4, 5, 6, 7, 74, 75}  # 70 is a bug of the program


class Schema:
    def __init__(self, schema, number):
        self.r = random.Random(number)
        self.schema = schema

    def number(self, node, whole):
        r = self.r
        if r.random() < 0.01:
            return r.choice(HOSTILE)
        low = node.get("minimum", node.get("exclusiveMinimum"))
        high = node.get("maximum", node.get("exclusiveMaximum"))
        for _ in range(20):
            v = r.choice([1, 2, 3]) if whole else r.choice([1, 0.5, 0.3, 2, 10, 0.1, 1e-3, 100, round(r.uniform(-1, 1), 3)])
            if (low is None or v > low or (v == low and "minimum" in node)) and (high is None or v < high or (v == high and "maximum" in node)):
                return v
        return low if low is not None else high

    def text(self, key):
        r = self.r
        if r.random() < 0.02:
            return r.choice([h for h in HOSTILE if isinstance(h, str)])
        return r.choice(WORDS.get(key, WORDS["name"]))

    def value(self, node, key="", depth=0):
        r = self.r
        if "const" in node:
            return node["const"]
        if "enum" in node:
            return r.choice(node["enum"])
        for several in ("oneOf", "anyOf"):
            if several in node and "properties" not in node:
                return self.value(r.choice(node[several]), key, depth)
        kind = node.get("type", "object" if "properties" in node else None)
        if kind in ("number", "integer"):
            return self.number(node, kind == "integer")
        if kind == "boolean":
            return r.random() < 0.5
        if kind == ["string", "number"]:
            return r.choice(FORMULAS)
        if isinstance(kind, list):
            return self.text(key)
        if kind == "array":
            least = node.get("minItems", 0)
            size = min(node.get("maxItems", 9), least + r.choice([0, 0, 0, 1]))
            items = [self.value(node["items"], key, depth + 1) for _ in range(size)]
            return [abs(v) + 1 if key == "to" and type(v) in (int, float) else 0 if key == "from" and type(v) in (int, float) else v for v in items]
        if kind == "object" and "properties" in node:
            return self.record(node, depth)
        if kind == "object":
            keys = KEYS.get(key, ["one", "two"])
            return {k: self.value(node.get("additionalProperties", {}), key, depth + 1) for k in r.sample(keys, r.choice([1, 1, 2]) if len(keys) > 1 else 1)}
        return r.choice([1, "x", True])

    def record(self, node, depth):
        r = self.r
        likely = r.choice([0, 0.05, 0.15, 0.4]) if depth else r.choice([0.1, 0.3, 0.6])
        properties, chosen = node["properties"], set(node.get("required", []))
        chosen |= {k for k in properties if r.random() < likely}
        for rule in node.get("allOf", []):
            if "anyOf" in rule and not any(set(a["required"]) <= chosen for a in rule["anyOf"]):
                chosen |= set(r.choice(rule["anyOf"])["required"])
            for pair in rule.get("not", {}).get("anyOf", []):
                if set(pair["required"]) <= chosen and r.random() < 0.98:
                    chosen.discard(r.choice(pair["required"]))
        if r.random() < 0.01:
            chosen.add("unheard_of")
        return {k: self.value(properties.get(k, {}), k, depth + 1) for k in properties if k in chosen} | {k: 1 for k in chosen if k not in properties}

    def sub_schema(self, node, value):
        """The schema of `value` among alternatives."""
        for option in node.get("oneOf", node.get("anyOf", [])):
            tags = {k: p["const"] for k, p in option.get("properties", {}).items() if "const" in p}
            if not tags or (isinstance(value, dict) and all(value.get(k) == v for k, v in tags.items())):
                return self.sub_schema(option, value)
        return node

    def edit(self, spec):
        """One value, somewhere, is replaced, added or taken away."""
        r, node, at, key = self.r, self.schema, spec, ""
        while True:
            node = self.sub_schema(node, at)
            inside = [k for k, v in (at.items() if isinstance(at, dict) else enumerate(at)) if isinstance(v, (dict, list)) and v]
            if not inside or r.random() < 0.3:
                break
            step = r.choice(inside)
            below = node.get("properties", {}).get(step, node.get("additionalProperties")) if isinstance(at, dict) else node.get("items")
            if not isinstance(below, dict):
                break
            key, node, at = step if isinstance(step, str) else key, below, at[step]
        if isinstance(at, list):
            if at:
                at[r.randrange(len(at))] = self.value(node.get("items", {}), key)
            return
        properties = node.get("properties", {})
        choice = r.random()
        if choice < 0.15 and at:
            del at[r.choice(list(at))]
        elif properties:
            chosen = r.choice(list(properties) if choice < 0.6 else [k for k in at if k in properties] or list(properties))
            at[chosen] = self.value(properties[chosen], chosen, 2)
        elif at:
            chosen = r.choice(list(at))
            at[chosen] = self.value(node.get("additionalProperties", {}), key, 2)

    def paths(self, value, path=""):
        if isinstance(value, dict):
            for k, v in value.items():
                yield from self.paths(v, path + "." + k if path else k)
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            yield path

    def spec(self):
        r = self.r
        if r.random() < 0.5:
            spec = random_specs.Draw(self.schema, r.randrange(1 << 30)).spec()
            for _ in range(r.choice([0, 1, 1, 2, 3, 6])):
                self.edit(spec)
        else:
            spec = self.value(self.schema)
        designs = spec.get("design")
        for d in designs if isinstance(designs, list) else []:  # numbers that there are
            numbers = list(self.paths({k: spec[k] for k in ("materials", "loads", "boundary") if k in spec}))
            if isinstance(d, dict) and "variable" in d and numbers and d["variable"] not in numbers:
                d["variable"] = r.choice(numbers)
        return spec


def yaml(value):
    """JSON, which is YAML, with the words that YAML has for what is not a number in JSON."""
    text = json.dumps(value, indent=1)
    return text.replace("-Infinity", "-.inf").replace("Infinity", ".inf").replace("NaN", ".nan")


def make(count, seed, file, invar):
    schema = json.loads(subprocess.run([invar, "schema"], capture_output=True, text=True, check=True).stdout)
    with open(file, "w") as out:
        for k in range(count):
            out.write(yaml(Schema(schema, seed * 1000003 + k).spec()) + "\n\n")


def run_one(spec, invar):
    """Exit code, seconds, what was said, and what went wrong in the test's eyes."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as place:
        open(os.path.join(place, "spec.yaml"), "w").write(spec)
        open(os.path.join(place, "data.csv"), "w").write(DATA)
        more, begun = ["--set", "optimizer.max_iterations=2"], time.monotonic()
        done = subprocess.Popen([os.path.abspath(invar), "run", "spec.yaml", "-v", *more], cwd=place, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, errors="replace", env=environment)
        stubborn = ""
        try:
            said = done.communicate(timeout=PATIENCE)[0]
        except subprocess.TimeoutExpired:
            done.terminate()
            try:
                said = done.communicate(timeout=PATIENCE)[0]
            except subprocess.TimeoutExpired:
                done.kill()
                stubborn = "SIGTERM did not end it\n"
                said = done.communicate()[0]
    return done.returncode, time.monotonic() - begun, stubborn + said


def run(count, file, invar, keep):
    specs, ended, wrong = [s for s in open(file).read().split("\n\n") if s.strip()], {}, 0
    chosen = list(range(0, len(specs), max(1, len(specs) // count)))[:count]
    os.makedirs(keep, exist_ok=True)
    for n, k in enumerate(chosen, 1):
        code, seconds, said = run_one(specs[k], invar)
        ended[code] = ended.get(code, 0) + 1
        last = said.strip().splitlines()[-1] if said.strip() else ""
        print("%d of %d: spec %d ended with %s after %.1f s: %s" % (n, len(chosen), k, code, seconds, last[:200]), flush=True)
        wrong += code not in DOCUMENTED
        if code not in DOCUMENTED or code >= 4:
            name = os.path.join(keep, "exit_%s_spec_%d" % (code, k))
            open(name + ".yaml", "w").write(specs[k])
            open(name + ".txt", "w").write(said)
    print("exit codes: " + ", ".join("%s: %d" % item for item in sorted(ended.items(), key=str)))
    return 1 if wrong or len(ended) < 2 else 0


def main():
    if len(sys.argv) == 6 and sys.argv[1] == "make":
        make(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], sys.argv[5])
        return 0
    if len(sys.argv) in (5, 6) and sys.argv[1] == "run":
        return run(int(sys.argv[2]), sys.argv[3], sys.argv[4], sys.argv[5] if len(sys.argv) == 6 else "schema_specs_kept")
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main())
