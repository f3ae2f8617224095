#include "apps/invar/problem/design_parts.hpp"

namespace invar {

std::vector<DesignPart> parts_of(const CaseFunctional& functional) {
  std::vector<DesignPart> parts;
  DesignPart next;
  for (const auto& block : functional.design()) {
    const DesignVector start = block->start();
    parts.push_back({next.shared, next.local, block->local_entries(), block->variables()});
    next.shared += start.shared.size();
    next.local += start.local.size();
  }
  return parts;
}

std::vector<long long> numbers_of(const Mesh& mesh, ControlLayout of) {
  constexpr long long kind_stride = 1LL << 40;  // between numbers of cells of one kind and of the next
  if (of == ControlLayout::nodes) return mesh.original_node;
  std::vector<long long> numbers;
  for (std::size_t b = 0; b < mesh.original_cell.size(); ++b)
    for (const long long cell : mesh.original_cell[b]) numbers.push_back(static_cast<long long>(b) * kind_stride + cell);
  return numbers;
}

const Mesh& mesh_of(const Problem& problem, std::size_t block) { return *problem.cases[problem.blocks[block].case_index].mesh; }

}  // namespace invar
