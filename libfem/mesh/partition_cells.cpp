#include "libfem/mesh/partition_cells.hpp"

#include <petscmat.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include <scotch.h>  // after <cstdio>, which it needs

#include "libadjoint/petsc.hpp"

namespace invar {
namespace {

using PartitioningHandle = PetscHandle<MatPartitioning, MatPartitioningDestroy>;

/// Cells that share a facet, as rows and columns of a sparse matrix.
std::pair<std::vector<PetscInt>, std::vector<PetscInt>> cell_graph(const Mesh& mesh,
                                                                   const NodeCells& incidence) {
  std::vector<PetscInt> rows{0}, neighbours;
  std::vector<int> shared(incidence.cell_total(), 0), touched;
  for (int cell = 0; cell < incidence.cell_total(); ++cell) {
    const Shape shape = mesh.cells[incidence.block_of(cell)].type.shape;
    for (int node : incidence.nodes_of(cell).first(vertex_count(shape)))
      for (int other : incidence.cells_of(node))
        if (shared[other]++ == 0) touched.push_back(other);
    std::ranges::sort(touched);
    for (int other : touched) {  // facets have at least as many vertices as the mesh has dimensions
      if (other != cell && shared[other] >= mesh.dim) neighbours.push_back(other);
      shared[other] = 0;
    }
    touched.clear();
    rows.push_back(static_cast<PetscInt>(neighbours.size()));
  }
  return {rows, neighbours};
}

/// While it lives, a partition depends on the graph only. Scotch runs on one thread, as results on several are not reproducible, and
/// its random numbers begin anew: they go on from call to call, so a second mesh would be parted in another way. Restores the threads.
class ReproducibleScotch {
 public:
  ReproducibleScotch() {
    if (const char* value = std::getenv(variable)) before_ = value;
    setenv(variable, "1", 1);
    SCOTCH_randomReset();
  }
  ~ReproducibleScotch() {
    if (before_) setenv(variable, before_->c_str(), 1);
    else unsetenv(variable);
  }
  ReproducibleScotch(const ReproducibleScotch&) = delete;
  ReproducibleScotch& operator=(const ReproducibleScotch&) = delete;

 private:
  static constexpr const char* variable = "SCOTCH_PTHREAD_NUMBER";
  std::optional<std::string> before_;
};

}  // namespace

std::vector<int> partition_cells(const Mesh& mesh, const NodeCells& incidence, MPI_Comm comm) {
  int rank = 0, size = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  std::vector<int> part(incidence.cell_total(), 0);
  if (size == 1) return part;
  if (rank == 0) {
    const ReproducibleScotch reproducible;
    const auto [rows, neighbours] = cell_graph(mesh, incidence);
    // PETSc frees the arrays of the graph itself.
    PetscInt *row_array = nullptr, *neighbour_array = nullptr;
    check(PetscMalloc1(rows.size(), &row_array));
    check(PetscMalloc1(neighbours.size(), &neighbour_array));
    std::ranges::copy(rows, row_array);
    std::ranges::copy(neighbours, neighbour_array);
    MatHandle graph;
    check(MatCreateMPIAdj(PETSC_COMM_SELF, incidence.cell_total(), incidence.cell_total(),
                          row_array, neighbour_array, nullptr, graph.out()));
    PartitioningHandle partitioning;
    check(MatPartitioningCreate(PETSC_COMM_SELF, partitioning.out()));
    check(MatPartitioningSetAdjacency(partitioning, graph));
    check(MatPartitioningSetType(partitioning, MATPARTITIONINGPTSCOTCH));
    check(MatPartitioningSetNParts(partitioning, size));
    IsHandle parts;
    check(MatPartitioningApply(partitioning, parts.out()));
    const PetscInt* indices = nullptr;
    check(ISGetIndices(parts, &indices));
    std::copy_n(indices, part.size(), part.begin());
    check(ISRestoreIndices(parts, &indices));
  }
  MPI_Bcast(part.data(), static_cast<int>(part.size()), MPI_INT, 0, comm);
  return part;
}

}  // namespace invar
