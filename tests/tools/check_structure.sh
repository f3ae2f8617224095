#!/usr/bin/env bash
# Holds the tree against the rules of its architecture: what may stand at the top, who may include whom, folders that
# include each other, where foreign libraries may be seen, how long a file may be, names that a unity build would
# confuse, names on pages that the code does not have, and words that must not stay.
# Prints FILE:LINE: MESSAGE for each violation and ends with 1 when there is one.
#
#   tests/tools/check_structure.sh [ROOT]
set -euo pipefail
tools=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
cd -- "${1:-$(dirname -- "${BASH_SOURCE[0]}")/../..}"

top_level=(apps libfem libfluid libadjoint configs meshes tests
           CMakeLists.txt README.md LICENSE CMakePresets.json)
programs=(apps/setup apps/run tests/run .ci/run)

check_top_level() {
  local entry
  for entry in *; do
    case $entry in
      build* | results | compile_commands.json) ;;  # ignored by git
      *)
        [[ " ${top_level[*]} " == *" $entry "* ]] ||
          echo "$entry:1: nothing else may stand at the top"
        ;;
    esac
  done
  for entry in "${top_level[@]}"; do
    [ "$entry" = libfluid ] || [ -e "$entry" ] || echo "$entry:1: is missing"
  done
}

check_files() {
  local file
  for file in "${programs[@]}"; do
    [ -x "$file" ] || echo "$file:1: must be there and executable"
  done
  find meshes -name '*.msh*' | while read -r file; do
    grep -qF "$(basename "$file")" meshes/README.md || echo "$file:1: is not in meshes/README.md"
  done
  find configs -maxdepth 1 -name '*.yaml' | while read -r file; do
    grep -qF "($(basename "$file"))" configs/README.md || echo "$file:1: is not in configs/README.md"
  done
}

# Every file with text to check, except what git ignores.
sources() {
  local text='.*\.(cpp|hpp|ipp|cu|cuh|c|h|py|sh|cmake|txt|md|yaml|yml|json|geo)'
  find . \( -path ./.git -o -path './build*' -o -path ./results -o -path ./.cache \) -prune -o \
    -type f -regextype posix-extended \( -regex "$text" -o -path '*/run' -o -name setup \) -print |
    sed 's|^\./||' | LC_ALL=C sort
}

# A link in a page to a file of the tree must lead somewhere; places within a page are not followed.
check_links() {
  find . \( -path ./.git -o -path './build*' -o -path ./results -o -path ./.cache \) -prune -o -name '*.md' -print |
    sed 's|^\./||' | while read -r page; do
    { grep -noE '\]\([^)# ]+' "$page" || true; } | while IFS=: read -r line link; do
      target=${link#*](}
      case $target in *://*) continue ;; esac
      [ -e "$(dirname "$page")/$target" ] || echo "$page:$line: leads to $target, which is not there"
    done
  done
}

# shellcheck disable=SC2016  # the program is awk's
check_text() {
  sources | tr '\n' '\0' | LC_ALL=C xargs -0 awk '
    BEGIN {
      # What each room may include besides itself: libfem from the bottom up, then its peers.
      allow("libadjoint", "")
      allow("libfem/math", "")
      below = "libadjoint libfem/math"
      allow("libfem/mesh", below);  below = below " libfem/mesh"
      allow("libfem/space", below); below = below " libfem/space"
      allow("libfem/form", below);  below = below " libfem/form"
      allow("libfem/device", below); below = below " libfem/device"
      allow("libfem/objective", below); below = below " libfem/objective"
      allow("libfem/contact", below); below = below " libfem/contact"
      n = split("solid design io mechanism", peer)
      for (i = 1; i <= n; ++i) allow("libfem/" peer[i], below)
      below = below " libfem/design libfem/io libfem/mechanism"
      allow("libfluid", below)
      allow("libfluid/fsi", below " libfem/solid libfluid")
      libraries = "libadjoint libfem libfluid"
      allow("apps", libraries " apps")
      allow("apps/invar/spec", libraries)
      allow("apps/invar/report", libraries " apps/invar/spec")
      allow("apps/invar/picture", libraries " apps/invar/report")
      allow("apps/invar/drawing", libraries " apps/invar/picture")
      # A physics builds its cases; the problem asks its cases for their physics.
      allow("apps/invar/physics", libraries " apps/invar/spec apps/invar/problem")
      allow("apps/invar/problem", libraries " apps/invar/spec apps/invar/physics")
      allow("apps/invar/batch", libraries " apps/invar/spec apps/invar/report apps/invar/problem")
      allow("apps/invar/chart", "")
      allow("apps/invar/page", libraries " apps/invar/spec apps/invar/report apps/invar/batch apps/invar/chart")
      allow("apps/invar/verbs", libraries " apps")
      allow("tests", "libadjoint libfem libfluid apps")
      # Where the headers of a library may be seen; tests may see all but CUDA.
      foreign("yaml-cpp", "<yaml-cpp/", "^apps/")
      foreign("VTK", "<vtk", "^(libfem/io|apps/invar/drawing)/")
      foreign("Ceres", "<(ceres|glog)/", "^libadjoint/(optimize/|maps/gradient_by_jets)")
      foreign("TAO", "<petsctao", "^libadjoint/optimize/")
      foreign("CUDA", "<(cuda|cu(blas|solver|sparse|rand|fft)|nvrtc|cooperative_|thrust/|cub/)",
              "(\\.cu|\\.cuh|^libfem/math/host_device\\.hpp)$")
      longest = 600
      unfinished = "(^|[^A-Za-z0-9_])(TO" "DO|FIX" "ME|XX" "X)([^A-Za-z0-9_]|$)"
      machine = "(^|[^A-Za-z0-9_.<}])/(home|root|tmp|work|Users|scratch)/[A-Za-z0-9_]"
    }
    function allow(room, others) { rooms[room] = " " room " " others " " }
    function foreign(library, header, where) {
      header_of[library] = header
      where_of[library] = where
    }
    function complain(line, message) { print FILENAME ":" line ": " message }

    # The room that a path belongs to: "apps/invar/spec", "libfem/mesh", "libfluid/fsi", ...
    function room_of(path,   part, n) {
      n = split(path, part, "/")
      if (part[1] == "libfem") return n > 2 ? part[1] "/" part[2] : part[1]
      if (part[1] == "apps") return n > 3 ? part[1] "/" part[2] "/" part[3] : part[1]
      if (part[1] == "libfluid") return n > 2 && part[2] == "fsi" ? "libfluid/fsi" : "libfluid"
      return part[1]
    }
    function may_include(from, to,   top) {
      top = to
      sub("/.*", "", top)
      return index(rooms[from], " " to " ") || index(rooms[from], " " top " ")
    }
    function finish() {
      if (lines > longest) print file ":" lines ": " lines " lines; at most " longest " are allowed"
      if (file ~ /\.(hpp|ipp|h|cuh)$/ && !once) print file ":1: a header begins with #pragma once"
    }

    FNR == 1 {
      if (file != "") finish()
      file = FILENAME
      once = 0
      room = room_of(file)
      code = file ~ /\.([chi]pp|cu|cuh|c|h)$/
      limited = file ~ /\.([chi]pp|cu|cuh|c|h|py|sh)$/
      if (code && !(room in rooms)) complain(1, "no source file belongs into " room)
    }
    { lines = limited ? FNR : 0 }
    $0 ~ unfinished { complain(FNR, "unfinished work is an issue, not a comment") }
    $0 ~ machine { complain(FNR, "the path of a machine") }
    code && /^#pragma once/ { once = 1 }
    code && /^[ \t]*#[ \t]*include[ \t]*"/ {
      split($0, quoted, "\"")
      target = room_of(quoted[2])
      if (quoted[2] !~ /^(apps|libfem|libfluid|libadjoint|tests)\//)
        complain(FNR, "an include is a path from the root of the repository")
      else if (room in rooms && !may_include(room, target))
        complain(FNR, room " may not include " target)
    }
    code && /^[ \t]*#[ \t]*include[ \t]*</ {
      for (library in header_of)
        if (substr($0, index($0, "<")) ~ ("^" header_of[library]) && file !~ where_of[library] &&
            (room != "tests" || library == "CUDA"))
          complain(FNR, library " may not be seen here")
    }
    END { if (file != "") finish() }'
}

# What runs on a device too (marked INVAR_HD) compiles where there is no PETSc.
check_device_headers() {
  local headers
  mapfile -t headers < <(find libadjoint libfem libfluid -name '*.hpp' -o -name '*.ipp')
  LC_ALL=C awk '
    /INVAR_HD/ { device[FILENAME] = 1 }
    /^#[ \t]*include/ {
      if ($2 ~ /^<petsc/) petsc[FILENAME] = FNR
      split($0, quoted, "\"")
      if (quoted[2] != "") included[FILENAME] = included[FILENAME] " " quoted[2]
    }
    # The first header on the way from `file` that includes PETSc; empty: none.
    function leak(file,   n, i, next_files, found) {
      if (file in petsc) return file
      if (file in seen) return ""
      seen[file] = 1
      n = split(included[file], next_files, " ")
      for (i = 1; i <= n; ++i)
        if ((found = leak(next_files[i])) != "") return found
      return ""
    }
    END {
      for (file in device) {
        split("", seen)
        if ((found = leak(file)) != "") print file ":1: runs on a device, but includes PETSc by way of " found
      }
    }' "${headers[@]}"
}

# The files of a library that are compiled alone, as its CMakeLists.txt says: the kernels (a glob, less the names that a
# filter excludes), those with SKIP_UNITY_BUILD_INCLUSION, and of those given to invar_forms_alone what includes q_form.hpp.
alone_in() (
  [ -s "$1/CMakeLists.txt" ] || return 0
  cd "$1"
  shopt -s nullglob globstar
  text=$(sed 's/#.*//' CMakeLists.txt | tr '\n' ' ')
  globbed() {  # the files of the glob of this name
    local patterns
    patterns=$(grep -oE "file\(GLOB(_RECURSE)? $1 CONFIGURE_DEPENDS [^)]*" <<<"$text" | sed 's|_RECURSE .*CONFIGURE_DEPENDS |&**/|; s|.*CONFIGURE_DEPENDS ||')
    # shellcheck disable=SC2086  # a list of patterns
    printf '%s\n' $patterns
  }
  {
    excluded=$(sed -nE 's/.*list\(FILTER kernels EXCLUDE REGEX "([^"]*)".*/\1/p' <<<"$text")
    globbed kernels | grep -vE "${excluded:-^$}"
    grep -oE 'set_source_files_properties\([^)]*SKIP_UNITY_BUILD_INCLUSION' <<<"$text" | grep -oE '[^ (]+\.cpp'
    for name in $(grep -oE 'invar_forms_alone\(\$\{[a-z_]+' <<<"$text" | sed 's/.*{//'); do
      globbed "$name" | xargs -r grep -l '#include "libfem/form/q_form.hpp"'
    done
  } | sed "s|^|$1/|" || true  # any of them may be empty
)

# Names that the unity build would confuse, within a target and from the headers that it may read; headers are read first.
check_unity_names() {
  alone=$(for library in libadjoint libfem libfluid; do alone_in $library; done | tr '\n' ' ')
  export alone
  { sources | grep '\.hpp$'; sources | grep '\.cpp$'; } | tr '\n' '\0' | LC_ALL=C xargs -0 awk -f "$tools/unity_names.awk"
}

# Types of one name in two headers: a program that has both takes the functions of one for the other's. A test that
# calls a type of its own like one of the libraries' is ambiguous where a unity build puts both together.
check_type_names() {
  { sources | grep '\.hpp$' || true; sources | grep -E '^tests/unit/.*\.cpp$' || true; } | tr '\n' '\0' | LC_ALL=C xargs -0 awk '
    FNR == 1 { space = "" }
    /^namespace [^=]*\{/ { if ($2 != "{") space = $2 }
    /^(class|struct|enum class) [A-Za-z0-9_]+( final)?( : [^;]*)? \{/ || /^using [A-Za-z0-9_]+ = / {
      name = $1 == "enum" ? $3 : $2
      key = space "::" name
      if (FILENAME ~ /\.cpp$/) {
        if (first[key] ~ /^lib/) print FILENAME ":" FNR ": " key " is a type of " first[key]
      } else if ($1 != "using") {
        if (key in first && first[key] != FILENAME) print FILENAME ":" FNR ": " key " is another type in " first[key]
        else first[key] = FILENAME
      }
    }'
}

# An identifier in backquotes on the page of a room (of several words, a_b or aB) is a word of the code, a file without its ending or a test
# program. NAME stands for any name; x* and x… begin with x, …x ends with it.
check_identifiers() {
  local pages=()
  for page in {apps,libadjoint,libfem,libfluid,tests}/README.md; do [ ! -e "$page" ] || pages+=("$page"); done
  [ ${#pages[@]} -gt 0 ] || return 0
  {
    sources | sed 's|.*/||; s|\.[a-z]*$||'
    sources | grep -v '\.md$' | tr '\n' '\0' | LC_ALL=C xargs -0 grep -ohE '[A-Za-z_][A-Za-z0-9_]*' || true
    find tests/unit -mindepth 1 -maxdepth 1 -type d | sed 's|.*/|test_|'
  } | LC_ALL=C sort -u | LC_ALL=C awk '
    FILENAME == "-" {
      known[$0] = 1
      all = all $0 "\n"
      next
    }
    {
      n = split($0, part, "`")
      for (i = 2; i <= n; i += 2) {
        text = part[i]
        while (match(text, /(…|\.\.\.)?[A-Za-z_][A-Za-z0-9_]*(\*|…)?/)) {
          word = substr(text, RSTART, RLENGTH)
          text = substr(text, RSTART + RLENGTH)
          name = word
          gsub(/[^A-Za-z0-9_]/, "", name)
          if (name !~ /[a-z0-9]_[A-Za-z0-9]|[a-z][A-Z]/ || name ~ /NAME/ || name in known || (name ~ /^lib/ && substr(name, 4) in known)) continue
          if (word !~ /^[A-Za-z_]/ && index(all, name "\n")) continue
          if (word !~ /[A-Za-z0-9_]$/ && index("\n" all, "\n" name)) continue
          print FILENAME ":" FNR ": `" name "` is not in the code"
        }
      }
    }' - "${pages[@]}"
}

# Folders of a library that include each other.
check_folder_cycles() {
  { sources | grep -E '\.[chi]pp$' || true; } | tr '\n' '\0' | LC_ALL=C xargs -0 awk -f "$tools/folder_cycles.awk"
}

violations=$({
  check_top_level
  check_files
  check_links
  check_text
  check_device_headers
  check_unity_names
  check_type_names
  check_identifiers
  check_folder_cycles
} | LC_ALL=C sort -u)
if [ -n "$violations" ]; then
  echo "$violations"
  echo "structure: $(wc -l <<<"$violations") violations"
  exit 1
fi
echo "structure: $(sources | wc -l) files, no violation"
