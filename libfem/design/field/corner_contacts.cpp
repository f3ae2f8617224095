#include "libfem/design/field/corner_contacts.hpp"

#include <algorithm>
#include <span>

#include "libadjoint/petsc.hpp"
#include "libfem/mesh/node_cells.hpp"

namespace invar {
namespace {

/// Sends flags of owned nodes to the ranks where these are ghosts.
class NodeFlags {
 public:
  explicit NodeFlags(const Mesh& mesh) {
    const std::vector<PetscInt> ghosts(mesh.ghost_nodes.begin(), mesh.ghost_nodes.end());
    check(VecCreateGhost(mesh.comm, mesh.n_owned_nodes, PETSC_DETERMINE, static_cast<PetscInt>(ghosts.size()), ghosts.data(), values_.out()));
  }
  /// flags: [node of the rank], valid at own nodes.
  void share(std::vector<char>& flags) {
    Vec local = nullptr;
    double* a = nullptr;
    check(VecGhostGetLocalForm(values_, &local));
    check(VecGetArray(local, &a));
    std::ranges::copy(flags, a);
    check(VecRestoreArray(local, &a));
    check(VecGhostUpdateBegin(values_, INSERT_VALUES, SCATTER_FORWARD));
    check(VecGhostUpdateEnd(values_, INSERT_VALUES, SCATTER_FORWARD));
    check(VecGetArray(local, &a));
    for (std::size_t k = 0; k < flags.size(); ++k) flags[k] = a[k] != 0;
    check(VecRestoreArray(local, &a));
    check(VecGhostRestoreLocalForm(values_, &local));
  }

 private:
  VecHandle values_;
};

class Stars {
 public:
  explicit Stars(const Mesh& mesh) : mesh_(mesh), cells_(mesh) {}

  std::span<const int> vertices(int cell) const {
    return cells_.nodes_of(cell).first(static_cast<std::size_t>(vertex_count(mesh_.cells[cells_.block_of(cell)].type.shape)));
  }
  /// Whether the body's cells at this node are not all connected through facets that contain the node.
  bool is_contact(int node, const std::vector<char>& body) const {
    std::vector<int> rest;
    for (const int c : cells_.cells_of(node))
      if (body[c] && std::ranges::count(vertices(c), node)) rest.push_back(c);
    if (rest.size() < 2) return false;
    std::vector<int> reached{rest.back()};
    rest.pop_back();
    for (std::size_t k = 0; k < reached.size(); ++k)
      std::erase_if(rest, [&, at = reached[k]](int c) {
        const bool next = share_facet(at, c);
        if (next) reached.push_back(c);
        return next;
      });
    return !rest.empty();
  }
  int cell_total() const { return cells_.cell_total(); }

 private:
  bool share_facet(int a, int b) const {
    return std::ranges::count_if(vertices(a), [&](int node) { return std::ranges::count(vertices(b), node) > 0; }) >= mesh_.dim;
  }

  const Mesh& mesh_;
  NodeCells cells_;
};

}  // namespace

std::vector<char> without_corner_contacts(const Mesh& mesh, std::vector<char> body, const std::vector<char>& may_go) {
  const Stars stars(mesh);
  NodeFlags nodes(mesh);
  for (int gone = 1; gone;) {
    gone = 0;
    std::vector<char> contact(mesh.node_total(), 0);
    for (int node = 0; node < mesh.n_owned_nodes; ++node) contact[node] = stars.is_contact(node, body);
    nodes.share(contact);
    for (int c = 0; c < stars.cell_total(); ++c)
      if (body[c] && may_go[c] && std::ranges::any_of(stars.vertices(c), [&](int node) { return contact[node] != 0; })) body[c] = 0, gone = 1;
    MPI_Allreduce(MPI_IN_PLACE, &gone, 1, MPI_INT, MPI_MAX, mesh.comm);
  }
  return body;
}

}  // namespace invar
