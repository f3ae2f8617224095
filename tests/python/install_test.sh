#!/usr/bin/env bash
# install_test.sh PYTHON BUILD: installs the package by pip into a folder of its own, and runs its tests there.
set -euo pipefail
python=$1
build=$2
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
if ! "$python" -c 'import setuptools, pip' 2>/dev/null; then
  echo "skipped: pip or setuptools is not installed"
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# pip builds in a copy: the source tree keeps no files of it.
cp -r "$root/apps/python" "$folder/python"
sed -i "s#^ROOT = .*#ROOT = pathlib.Path(\"$root\")#" "$folder/python/setup.py"
INVAR_BUILD=$build "$python" -m pip install --quiet --no-build-isolation --no-deps --target "$folder/site" "$folder/python"
cd "$folder"
env -u INVAR PYTHONPATH="$folder/site" "$python" -c '
import invar, pathlib
assert pathlib.Path(invar.__file__).is_relative_to("'"$folder"'"), invar.__file__'
env -u INVAR PYTHONPATH="$folder/site" "$python" "$root/tests/python/test_invar.py" Functions Runs
