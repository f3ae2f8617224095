#include "libfem/form/lattice_hierarchy.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "libfem/mesh/exchange_lists.hpp"

namespace invar {

namespace {

constexpr double few = 2000;  // unknowns that are cheap to solve for directly

/// Calls visit(coarse node, weight) for the coarse nodes from which a node is interpolated.
template <class Visit>
void visit_parents(const std::array<int, 3>& node, const std::array<bool, 3>& halved, const Visit& visit) {
  std::array<int, 3> low{}, count{1, 1, 1};
  for (int k = 0; k < 3; ++k) {
    low[k] = halved[k] ? node[k] / 2 : node[k];
    if (halved[k] && node[k] % 2) count[k] = 2;
  }
  const double weight = 1.0 / (count[0] * count[1] * count[2]);
  for (int z = 0; z < count[2]; ++z)
    for (int y = 0; y < count[1]; ++y)
      for (int x = 0; x < count[0]; ++x) visit(std::array<int, 3>{low[0] + x, low[1] + y, low[2] + z}, weight);
}

std::array<int, 3> corner_of(const std::array<int, 3>& cell, int bits, int dim) {
  std::array<int, 3> node = cell;
  for (int k = 0; k < dim; ++k) node[k] += (bits >> k) & 1;
  return node;
}

}  // namespace

std::int64_t LatticeHierarchy::Level::id_of(const Place& node) const {
  return node[0] + (cells[0] + 1) * (node[1] + (cells[1] + std::int64_t(1)) * node[2]);
}

int LatticeHierarchy::Level::position(const Place& node) const {
  const auto at = std::ranges::lower_bound(id, id_of(node));
  if (at == id.end() || *at != id_of(node)) throw std::logic_error("a node of a coarse level is missing");
  return int(at - id.begin());
}

LatticeHierarchy::LatticeHierarchy(const DofMap& dofs, const std::vector<char>& constrained, const CellLattice& lattice)
    : dim_(lattice.dim), nc_(dofs.n_components()), comm_(dofs.comm()) {
  Place cells = lattice.cells;
  const auto may_halve = [&] { return std::ranges::any_of(cells, [](int n) { return n > 1; }); };
  const auto estimate = [&] {
    double n = nc_;
    for (int k = 0; k < dim_; ++k) n *= cells[k] + 1;
    return n;
  };
  while (may_halve() && (levels_.empty() || estimate() > few)) {
    Level level;
    for (int k = 0; k < 3; ++k) {
      level.halved[k] = cells[k] > 1;
      level.cells[k] = cells[k] = level.halved[k] ? (cells[k] + 1) / 2 : cells[k];
    }
    levels_.push_back(std::move(level));
  }
  if (levels_.empty()) throw std::invalid_argument("a mesh of one cell has no coarser levels");
  order_cells(dofs, constrained, lattice);

  const Mesh& mesh = dofs.mesh();
  OwnedNodes nodes;
  for (int node = 0; node < mesh.n_owned_nodes; ++node) nodes.place.push_back(lattice.node[node]);
  nodes.fixed.assign(constrained.begin(), constrained.begin() + dofs.n_owned());
  const OwnedNodes* finer = &nodes;
  for (Level& level : levels_) {
    find_fixed(level, *finer);
    find_parents(level, *finer);
    finer = &level.owned;
  }
}

/// Orders own cells such that those of any coarse cell are consecutive, and collects the coarse cells and their nodes.
void LatticeHierarchy::order_cells(const DofMap& dofs, const std::vector<char>& constrained, const CellLattice& lattice) {
  const Mesh& mesh = dofs.mesh();
  std::vector<std::pair<int, bool>> all;  // position among the rank's cells, owned
  for (const CellBlock& block : mesh.cells)
    for (int c = 0; c < block.count(); ++c) all.emplace_back(int(all.size()), c < block.n_owned);

  // Sorting keys: the coarsest cell, then which part of it, which part of that, …
  const auto ancestor = [&](Place place, std::size_t up) {  // on levels_[up − 1]; 0: the cell itself
    for (std::size_t t = 0; t < up; ++t)
      for (int k = 0; k < 3; ++k)
        if (levels_[t].halved[k]) place[k] /= 2;
    return place;
  };
  const auto part = [&](const Place& place, std::size_t t) {  // of its cell on levels_[t]
    int bits = 0;
    for (int k = 0; k < 3; ++k) bits |= levels_[t].halved[k] ? (place[k] & 1) << k : 0;
    return bits;
  };
  std::vector<std::pair<std::int64_t, int>> order;
  for (const auto& [cell, owned] : all) {
    if (!owned) continue;
    std::int64_t key = levels_.back().id_of(ancestor(lattice.cell[cell], levels_.size()));
    for (std::size_t t = levels_.size(); t-- > 0;) key = 8 * key + part(ancestor(lattice.cell[cell], t), t);
    order.emplace_back(key, cell);
  }
  std::ranges::sort(order);

  const int n = 1 << dim_;
  const auto nodes_of = [&](int cell) {
    for (const CellBlock& block : mesh.cells) {
      if (cell < block.count()) return &block.nodes[std::size_t(cell) * n];
      cell -= block.count();
    }
    throw std::logic_error("no such cell");
  };
  std::vector<Place> below;  // cells of the level before
  for (const auto& [key, cell] : order) {
    const std::array<signed char, 8>& corners = lattice.corner[cell];
    const auto known = std::ranges::find(orders_, corners);
    FineCell fine{.cell = cell, .order = static_cast<unsigned short>(known - orders_.begin())};
    if (known == orders_.end()) orders_.push_back(corners);
    const int* nodes = nodes_of(cell);
    Corners by_corner{};
    bool fixed = false;
    for (int a = 0; a < n; ++a) {
      by_corner[corners[a]] = nodes[a];
      for (int i = 0; i < nc_; ++i) fixed |= constrained[dofs.first_dof(nodes[a]) + i] != 0;
    }
    if (fixed) {
      fine.nodes = int(fine_nodes_.size());
      fine_nodes_.push_back(by_corner);
    }
    cells_.push_back(fine);
    below.push_back(lattice.cell[cell]);
  }
  for (std::size_t t = 0; t < levels_.size(); ++t) {
    Level& level = levels_[t];
    std::vector<Place> here;
    child_.emplace_back();
    for (std::size_t c = 0; c < below.size(); ++c) {
      child_[t].push_back(static_cast<unsigned char>(part(below[c], t)));
      Place parent = below[c];
      for (int k = 0; k < 3; ++k)
        if (level.halved[k]) parent[k] /= 2;
      if (here.empty() || here.back() != parent) {
        here.push_back(parent);
        level.end.push_back(0);
      }
      level.end.back() = int(c) + 1;
    }
    const auto sorted_nodes = [&](const std::vector<Place>& of) {
      std::vector<std::int64_t> ids;
      for (const Place& cell : of)
        for (int bits = 0; bits < n; ++bits) ids.push_back(level.id_of(corner_of(cell, bits, dim_)));
      std::ranges::sort(ids);
      ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
      ids.shrink_to_fit();  // each came up to eight times
      return ids;
    };
    const std::vector<std::int64_t> touched = sorted_nodes(here);
    level.id = touched;
    if (t == 0) {  // own nodes of the mesh may be in ghost cells only
      std::vector<Place> with_ghosts;
      for (const auto& [cell, owned] : all) with_ghosts.push_back(ancestor(lattice.cell[cell], 1));
      level.id = sorted_nodes(with_ghosts);
    }
    number_nodes(level, touched);
    for (const Place& cell : here) {
      Corners corners{};
      for (int bits = 0; bits < n; ++bits) corners[bits] = level.position(corner_of(cell, bits, dim_));
      level.corners.push_back(corners);
    }
    below = std::move(here);
  }
}

/// Gives every node an owner, the lowest rank with an adjacent own cell, and a number. Ranks exchange data on a node through the
/// rank that is determined by its id.
void LatticeHierarchy::number_nodes(Level& level, const std::vector<std::int64_t>& touched) {
  using Lists = std::vector<std::vector<std::int64_t>>;  // [rank]
  int ranks, rank;
  MPI_Comm_size(comm_, &ranks);
  MPI_Comm_rank(comm_, &rank);
  const auto by_rank = [&](const std::vector<std::int64_t>& ids, const auto& rank_of) {
    Lists lists(ranks);
    for (std::size_t i = 0; i < ids.size(); ++i) lists[rank_of(i)].push_back(ids[i]);
    return lists;
  };
  /// The result of `answer` for each id on the rank to which it is sent, in the order of `ids`.
  const auto ask = [&](const std::vector<std::int64_t>& ids, const auto& rank_of, const auto& answer) {
    Lists asked = exchange_lists(by_rank(ids, rank_of), comm_);
    for (std::vector<std::int64_t>& list : asked)
      for (std::int64_t& entry : list) entry = answer(entry);
    const Lists answers = exchange_lists(asked, comm_);
    std::vector<std::size_t> next(ranks, 0);
    std::vector<std::int64_t> result(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) result[i] = answers[rank_of(i)][next[rank_of(i)]++];
    return result;
  };
  std::map<std::int64_t, int> owner_of;  // nodes whose exchange is on this rank
  const Lists met = exchange_lists(by_rank(touched, [&](std::size_t i) { return touched[i] % ranks; }), comm_);
  for (int r = 0; r < ranks; ++r)
    for (const std::int64_t id : met[r]) owner_of.emplace(id, r);
  const std::vector<std::int64_t> owner =
      ask(level.id, [&](std::size_t i) { return level.id[i] % ranks; }, [&](std::int64_t id) { return owner_of.at(id); });

  std::vector<std::int64_t> own;
  for (std::size_t i = 0; i < level.id.size(); ++i)
    if (owner[i] == rank) own.push_back(level.id[i]);
  long long first = 0;
  const long long count = static_cast<long long>(own.size());
  MPI_Exscan(&count, &first, 1, MPI_LONG_LONG, MPI_SUM, comm_);
  const std::vector<std::int64_t> numbers = ask(level.id, [&](std::size_t i) { return owner[i]; }, [&](std::int64_t id) {
    return std::int64_t(first + (std::ranges::lower_bound(own, id) - own.begin()));
  });
  level.global.assign(numbers.begin(), numbers.end());
  for (const std::int64_t id : own) {
    const std::int64_t nx = level.cells[0] + 1, ny = level.cells[1] + 1;
    level.owned.place.push_back({int(id % nx), int(id / nx % ny), int(id / nx / ny)});
  }
}

/// An unknown is constrained if that of the finer node at the same position is.
void LatticeHierarchy::find_fixed(Level& level, const OwnedNodes& finer) {
  const auto n_owned = static_cast<PetscInt>(level.owned.place.size());
  VecHandle flags;
  check(VecCreateMPI(comm_, n_owned * nc_, PETSC_DETERMINE, flags.out()));
  check(VecSet(flags, 0.0));
  for (std::size_t node = 0; node < finer.place.size(); ++node)
    for (int i = 0; i < nc_; ++i)
      if (finer.fixed[node * nc_ + i])
        visit_parents(finer.place[node], level.halved, [&](const Place& parent, double weight) {
          if (weight == 1) check(VecSetValue(flags, level.global[level.position(parent)] * nc_ + i, 1.0, INSERT_VALUES));
        });
  check(VecAssemblyBegin(flags));
  check(VecAssemblyEnd(flags));

  std::vector<PetscInt> wanted;
  for (const PetscInt node : level.global)
    for (int i = 0; i < nc_; ++i) wanted.push_back(node * nc_ + i);
  IsHandle from;
  VecHandle here;
  ScatterHandle scatter;
  check(ISCreateGeneral(PETSC_COMM_SELF, PetscInt(wanted.size()), wanted.data(), PETSC_USE_POINTER, from.out()));
  check(VecCreateSeq(PETSC_COMM_SELF, PetscInt(wanted.size()), here.out()));
  check(VecScatterCreate(flags, from, here, nullptr, scatter.out()));
  check(VecScatterBegin(scatter, flags, here, INSERT_VALUES, SCATTER_FORWARD));
  check(VecScatterEnd(scatter, flags, here, INSERT_VALUES, SCATTER_FORWARD));
  const auto read = [](Vec v, std::size_t n) {
    const double* a = nullptr;
    check(VecGetArrayRead(v, &a));
    std::vector<char> out(n);
    std::transform(a, a + n, out.begin(), [](double x) { return char(x != 0); });
    check(VecRestoreArrayRead(v, &a));
    return out;
  };
  level.fixed = read(here, wanted.size());
  level.owned.fixed = read(flags, std::size_t(n_owned) * nc_);
}

void LatticeHierarchy::find_parents(Level& level, const OwnedNodes& finer) {
  const auto count = static_cast<PetscInt>(level.owned.place.size());
  PetscInt first = 0;
  MPI_Exscan(&count, &first, 1, MPIU_INT, MPI_SUM, comm_);
  LatticeInterpolation::Nodes nodes{.components = nc_, .end = {}, .parents = {}, .fixed = finer.fixed, .coarse_fixed = level.owned.fixed, .others = {}};
  std::map<PetscInt, int> others;
  for (const Place& place : finer.place) {
    visit_parents(place, level.halved, [&](const Place& parent, double) {
      const PetscInt number = level.global[level.position(parent)];
      if (number >= first && number < first + count) {
        nodes.parents.push_back(static_cast<int>(number - first));
        return;
      }
      const auto [known, is_new] = others.try_emplace(number, static_cast<int>(count + others.size()));
      if (is_new) nodes.others.push_back(number);
      nodes.parents.push_back(known->second);
    });
    nodes.end.push_back(static_cast<int>(nodes.parents.size()));
  }
  nodes.parents.shrink_to_fit();
  level.interpolation = std::move(nodes);
}

}  // namespace invar
