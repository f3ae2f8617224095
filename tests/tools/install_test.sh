#!/usr/bin/env bash
# Installs a build into a folder, moves that folder, builds a project against it and runs it; then the program, its man
# page and completions.
#
#   tests/tools/install_test.sh BUILD
set -euo pipefail
source=$(readlink -f -- "$(dirname -- "${BASH_SOURCE[0]}")/../..")
build=$(readlink -f -- "$1")
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
fail() { echo "install_test: $*" >&2; exit 1; }

cmake --install "$build" --prefix "$work/first" > "$work/log" || { cat "$work/log"; fail "installation"; }
mv "$work/first" "$work/moved"
prefix=$work/moved
if grep -rlF "$work/first" "$prefix" --include='*.cmake'; then fail "the prefix is written into these files"; fi
if grep -rlF "$source/lib" "$prefix" --include='*.cmake'; then fail "the sources are written into these files"; fi

"$prefix/bin/invar" --version | grep -q '^invar [0-9]' || fail "the installed program does not run"
(cd "$work" && "$prefix/bin/invar" init solid && "$prefix/bin/invar" run solid/solid.yaml --expect -q) || fail "the starter does not run"
for file in share/man/man1/invar.1 share/bash-completion/completions/invar share/zsh/site-functions/_invar \
            share/fish/vendor_completions.d/invar.fish; do
  [ -s "$prefix/$file" ] || fail "$file is missing"
done

cmake -S "$source/tests/consumer" -B "$work/consumer" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release > "$work/log" ||
  { cat "$work/log"; fail "configuration of the consumer"; }
cmake --build "$work/consumer" > "$work/log" 2>&1 || { cat "$work/log"; fail "build of the consumer"; }
"$work/consumer/consumer" || fail "the consumer ends with $?"
