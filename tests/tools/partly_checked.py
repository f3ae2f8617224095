#!/usr/bin/env python3
"""Links programs of a build with sanitizers whose libraries are compiled in part: the rest comes from a finished build.

  tests/tools/partly_checked.py CHECKED FINISHED TARGET...      e.g. build/asan build/release test_mesh invar

CHECKED is configured by the preset asan. What has been compiled of the libraries there (ninja OBJECT...) is linked first, so
that it stands in for its like in the libraries of FINISHED, a build of the same source without sanitizers. What TARGET itself
is made of comes from FINISHED, too, where it has not been compiled. Prints how many objects of each library were checked.
"""
import os
import re
import shlex
import subprocess
import sys


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def objects_by_library(checked):
    """Of CHECKED's libraries: {"libfem/libinvar_fem.a": [objects]}; kernels belong to the library that holds them."""
    out = {}
    for line in output_of("ninja", "-C", checked, "-t", "targets", "all").splitlines():
        found = re.match(r"((lib\w+|apps)/CMakeFiles/(invar_\w+?)(_kernels)?\.dir/.*\.o):", line)
        if found and found[3] != "invar_python":
            out.setdefault("%s/lib%s.a" % (found[2], found[3]), []).append(found[1])
    return out


def link(checked, finished, target, libraries):
    command = [c for c in output_of("ninja", "-C", checked, "-t", "commands", target).splitlines() if c.strip()][-1]
    words = shlex.split(command.removeprefix(": && ").removesuffix(" && :"))
    linked, first, counts, unchecked = [], [], [], 0
    for word in words:
        if word not in libraries:
            own = word.endswith(".o")
            linked.append(os.path.abspath(os.path.join(finished, word)) if own and not os.path.exists(os.path.join(checked, word)) else word)
            unchecked += own and linked[-1] != word
            continue
        there = [o for o in libraries[word] if os.path.exists(os.path.join(checked, o))]
        counts.append("%d of %d of %s" % (len(there), len(libraries[word]), os.path.basename(word)))
        first += there
        linked.append(os.path.abspath(os.path.join(finished, word)))
    at = linked.index("-o")
    subprocess.run(linked[:at] + first + ["-Wl,-z,muldefs"] + linked[at:], cwd=checked, check=True)
    print("%s: checked are %s; %d of its own objects are not" % (target, ", ".join(counts), unchecked))


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    checked, finished, targets = sys.argv[1], sys.argv[2], sys.argv[3:]
    libraries = objects_by_library(checked)
    for target in targets:
        link(checked, finished, target, libraries)


if __name__ == "__main__":
    main()
