#!/usr/bin/env bash
# check_structure.sh finds each kind of violation in a tree made for it, and none in a clean one.
set -euo pipefail
check=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/check_structure.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
cd "$tree"
failures=0

clean_tree() {
  rm -rf -- "${tree:?}"/* .ci
  mkdir -p apps/invar/{spec,report,problem} libfem/{math,mesh,form,solid,io} libadjoint/optimize libfluid configs \
    meshes tests/unit/mesh .ci
  touch CMakeLists.txt README.md LICENSE CMakePresets.json configs/README.md meshes/README.md
  for program in apps/setup apps/run tests/run .ci/run; do
    echo '#!/usr/bin/env bash' >"$program"
    chmod +x "$program"
  done
  write libfem/form/form.hpp '#pragma once' '#include "libfem/mesh/mesh.hpp"' \
    '#include "libadjoint/residual.hpp"'
  write libfem/io/vtk.cpp '#include <vtkPoints.h>'
  write tests/unit/form_test.cpp '#include "apps/invar/main.hpp"' '#include <yaml-cpp/yaml.h>'
}
write() { printf '%s\n' "${@:2}" >"$1"; }

# expect MESSAGE: that one violation and no other.
expect() {
  local found
  found=$("$check" "$tree" | sed '$d') || true
  if [ "$found" != "$1" ]; then
    printf 'expected: %s\nfound:    %s\n' "$1" "$found"
    failures=$((failures + 1))
  fi
  clean_tree
}

# include FILE HEADER MESSAGE: an #include as the first line of a source file.
include() {
  write "$1" "#include $2"
  expect "$1:1: $3"
}

clean_tree
expect ''
for file in libadjoint/a.hpp libfem/mesh/b.hpp; do write "$file" '#pragma once' 'namespace invar {' 'struct Sample {' '};' '}  // namespace invar'; done
expect 'libfem/mesh/b.hpp:3: invar::Sample is another type in libadjoint/a.hpp'
write libadjoint/a.hpp '#pragma once' 'namespace invar {' 'struct Sample {' '};' '}  // namespace invar'
write tests/unit/mesh/a_test.cpp 'namespace invar {' 'namespace {' 'using Sample = int;' '}  // namespace' '}  // namespace invar'
expect "tests/unit/mesh/a_test.cpp:3: 'Sample' is also declared in libadjoint/a.hpp:3, which may be read before this file
tests/unit/mesh/a_test.cpp:3: invar::Sample is a type of libadjoint/a.hpp"
include libadjoint/a.cpp '"libfem/mesh/mesh.hpp"' 'libadjoint may not include libfem/mesh'
include libfem/math/a.cpp '"libadjoint/residual.hpp"' 'libfem/math may not include libadjoint'
include libfem/mesh/a.cpp '"libfem/form/form.hpp"' 'libfem/mesh may not include libfem/form'
include libfem/solid/a.cpp '"libfem/design/a.hpp"' 'libfem/solid may not include libfem/design'
include libfem/form/a.cpp '"apps/invar/main.hpp"' 'libfem/form may not include apps'
include libfluid/a.cpp '"libfem/solid/a.hpp"' 'libfluid may not include libfem/solid'
include apps/a.cpp '"tests/unit/a.hpp"' 'apps may not include tests'
include apps/invar/spec/a.cpp '"apps/invar/report/a.hpp"' 'apps/invar/spec may not include apps/invar/report'
include apps/invar/problem/a.cpp '"apps/invar/verbs/a.hpp"' 'apps/invar/problem may not include apps/invar/verbs'
include libfem/form/a.cpp '"form.hpp"' 'an include is a path from the root of the repository'
include libfem/form/a.cpp '<yaml-cpp/yaml.h>' 'yaml-cpp may not be seen here'
include apps/invar/report/a.cpp '<vtkPoints.h>' 'VTK may not be seen here'
include libadjoint/a.cpp '<ceres/ceres.h>' 'Ceres may not be seen here'
include libfem/form/a.cpp '<petsctao.h>' 'TAO may not be seen here'
include tests/unit/a.cpp '<cuda_runtime.h>' 'CUDA may not be seen here'

write libfem/form/a.hpp '// no guard'
expect 'libfem/form/a.hpp:1: a header begins with #pragma once'
seq 601 | sed 's|^|// |' >libfem/form/a.cpp
expect 'libfem/form/a.cpp:601: 601 lines; at most 600 are allowed'
write libfem/form/a.cpp '' "// TO""DO: more"
expect 'libfem/form/a.cpp:2: unfinished work is an issue, not a comment'
write configs/a.yaml "mesh: /ho""me/someone/a.msh"
write configs/README.md '[a](a.yaml)'
expect 'configs/a.yaml:1: the path of a machine'
# Folders that include each other; the header of a root stands for itself.
mkdir libfluid/{flow,objective}
write libfluid/flow/fields.cpp '#include "libfluid/objective/volume.hpp"'
expect ''
mkdir libfluid/{flow,objective}
write libfluid/flow/fields.cpp '#include "libfluid/objective/volume.hpp"'
write libfluid/objective/volume.cpp '' '#include "libfluid/flow/kind.hpp"'
expect 'libfluid/flow/fields.cpp:1: libfluid/flow may not include libfluid/objective, which includes it, directly or through others
libfluid/objective/volume.cpp:2: libfluid/objective may not include libfluid/flow, which includes it, directly or through others'
mkdir libadjoint/solve
write libadjoint/case.cpp '#include "libadjoint/solve/newton.hpp"'
write libadjoint/solve/newton.cpp '#include "libadjoint/residual.hpp"'
expect ''

# twins FILE FILE: the same name in anonymous namespaces of both.
twins() {
  local file
  for file in "$@"; do write "$file" 'namespace invar {' 'namespace {' 'template <class T>' \
    'std::vector<int> twin(const T& a,' '                      int b) {' '  return f(a);' '}' '}  // namespace' '}  // namespace invar'; done
}
twins libadjoint/{a,optimize/b}.cpp
expect "libadjoint/optimize/b.cpp:3: 'twin' is also defined in libadjoint/a.cpp:3, which may be compiled as one with this file"
# What CMake compiles alone: kernels but for those filtered out, what makes weak forms, what is set so.
lists() {
  write libfem/CMakeLists.txt 'file(GLOB kernels CONFIGURE_DEPENDS form/*.cpp solid/*.cpp)' 'list(FILTER kernels EXCLUDE REGEX "solid/(loads|other_)")' \
    'file(GLOB solids CONFIGURE_DEPENDS solid/*.cpp) # all' 'invar_forms_alone(${solids})' \
    'set_source_files_properties(mesh/c.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)'
}
twins libfem/form/{a,b}.cpp libfem/solid/a.cpp libfem/mesh/a.cpp libfem/mesh/c.cpp
lists
expect ''
twins libfem/mesh/a.cpp libfem/solid/other_a.cpp
lists
expect "libfem/solid/other_a.cpp:3: 'twin' is also defined in libfem/mesh/a.cpp:3, which may be compiled as one with this file"
twins libfem/mesh/a.cpp libfem/solid/loads.cpp
echo '#include "libfem/form/q_form.hpp"' >>libfem/solid/loads.cpp
lists
expect ''
mkdir libfluid/flow
twins libfluid/{a,flow/b}.cpp
write libfluid/CMakeLists.txt 'file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp)' 'invar_forms_alone(${sources})'
expect "libfluid/flow/b.cpp:3: 'twin' is also defined in libfluid/a.cpp:3, which may be compiled as one with this file"
mkdir libfluid/flow
twins libfluid/{a,flow/b}.cpp
echo '#include "libfem/form/q_form.hpp"' >>libfluid/flow/b.cpp
write libfluid/CMakeLists.txt 'file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp)' 'invar_forms_alone(${sources})'
expect ''
twins libadjoint/a.cpp libfem/mesh/a.cpp
expect ''
write libadjoint/a.cpp 'static constexpr double limit = 1;'
write libadjoint/b.cpp 'static bool limit(double x) { return x > 1; }'
expect "libadjoint/b.cpp:1: 'limit' is also defined in libadjoint/a.cpp:1, which may be compiled as one with this file"
write libadjoint/a.cpp 'static constexpr double low[] = {1, 2}, limit = 1, *high = nullptr;'
write libadjoint/b.cpp 'static bool limit(double x) { return x > 1; }' 'static int high;'
expect "libadjoint/b.cpp:1: 'limit' is also defined in libadjoint/a.cpp:1, which may be compiled as one with this file
libadjoint/b.cpp:2: 'high' is also defined in libadjoint/a.cpp:1, which may be compiled as one with this file"
write libadjoint/a.hpp '#pragma once' 'double size_of(double x, int n = 3);'
write libadjoint/b.cpp 'namespace {' 'double size_of(double y) { return y; }' '}  // namespace'
expect "libadjoint/b.cpp:2: 'size_of' is also declared in libadjoint/a.hpp:2, which may be read before this file"
# Headers of libraries below are read, too; those of libraries above are not.
write libadjoint/a.hpp '#pragma once' 'double size_of(double x, int n = 3);'
write libfem/mesh/b.cpp 'namespace {' 'double size_of(double y) { return y; }' '}  // namespace'
expect "libfem/mesh/b.cpp:2: 'size_of' is also declared in libadjoint/a.hpp:2, which may be read before this file"
write libfem/mesh/a.hpp '#pragma once' 'double size_of(double x, int n = 3);'
write libadjoint/b.cpp 'namespace {' 'double size_of(double y) { return y; }' '}  // namespace'
expect ''
write libadjoint/a.hpp '#pragma once' 'int keys_of(int);'
write libadjoint/b.cpp 'namespace {' 'constexpr int keys_of[] = {1};' '}  // namespace'
expect "libadjoint/b.cpp:2: 'keys_of' is also declared in libadjoint/a.hpp:2, which may be read before this file"
write libadjoint/b.cpp 'namespace {' 'using enum Kind;' '}  // namespace'
expect "libadjoint/b.cpp:2: 'using enum' in a namespace gives its names to every file of the unit: write it in functions"
write libadjoint/a.hpp '#pragma once' 'double size_of(Vec x);'
write libadjoint/b.cpp 'namespace {' 'double size_of(double y) { return y; }' '}  // namespace'
expect ''
write tests/unit/a_test.cpp 'const char* text = R"(' 'static int text;' ')";' 'using invar::Text;'
expect ''
mkdir tests/unit/io
write tests/unit/io/a_test.cpp 'TEST(Io, Twice) {' '}'
write tests/unit/io/b_test.cpp 'TEST(Io, Twice) {' '}'
expect "tests/unit/io/b_test.cpp:1: 'TEST(Io, Twice)' is also defined in tests/unit/io/a_test.cpp:1, which may be compiled as one with this file"
touch notes.txt
expect 'notes.txt:1: nothing else may stand at the top'
rm LICENSE
expect 'LICENSE:1: is missing'
chmod -x apps/run
expect 'apps/run:1: must be there and executable'
touch meshes/a.msh
expect 'meshes/a.msh:1: is not in meshes/README.md'
touch configs/a.yaml
expect 'configs/a.yaml:1: is not in configs/README.md'
write README.md 'See [here](meshes/README.md#top), [there](https://example.org/a) and [nowhere](meshes/b.md).'
expect 'README.md:1: leads to meshes/b.md, which is not there'
# Identifiers on the page of a room: of the code, of files and of test programs, by their begin or their end too; plain words are none.
write libadjoint/a.cpp 'int solve_it(int firstStep);'
write libadjoint/README.md '`solve_it(firstStep)` in `libadjoint/linear_thing.cpp`, `A::firstSt*`, `…ve_it`, `test_mesh`, `make_NAME`, `solver: plain`' '| `gone_away` | is not_code |'
write libadjoint/linear_thing.cpp ''
expect 'libadjoint/README.md:2: `gone_away` is not in the code'
write tests/README.md 'See `solveAll*`.'
expect 'tests/README.md:1: `solveAll` is not in the code'
mkdir apps/invar/other
write apps/invar/other/a.cpp '// lost'
expect 'apps/invar/other/a.cpp:1: no source file belongs into apps/invar/other'
mkdir libfem/other
write libfem/other/a.cpp '// lost'
expect 'libfem/other/a.cpp:1: no source file belongs into libfem/other'

echo "check_structure: $failures failures"
[ "$failures" -eq 0 ]
