#include "apps/invar/physics/material_fields.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace invar {
namespace {

/// visit(position among all cells of the rank) for the cells of a region; empty: all.
void for_cells(const Mesh& mesh, const std::string& region, const std::function<void(int)>& visit) {
  const Region* r = region.empty() ? nullptr : mesh.find_region(region);
  int first = 0;
  for (std::size_t b = 0; b < mesh.cells.size(); ++b) {
    if (region.empty())
      for (int c = 0; c < mesh.cells[b].count(); ++c) visit(first + c);
    else if (r && b < r->members.size())
      for (int c : r->members[b]) visit(first + c);
    first += mesh.cells[b].count();
  }
}

}  // namespace

void add_material_fields(const CaseModel& model, const Controls& controls, const std::vector<RegionConstant>& constants,
                         std::vector<VtkField>& fields) {
  int n_cells = 0;
  for (const CellBlock& block : model.mesh->cells) n_cells += block.count();
  for (const RegionConstant& constant : constants) {
    const std::string name = "material_" + constant.key;
    const std::vector<double>& values = controls[constant.control];
    const ControlLayout layout = model.residual->controls()[constant.control].layout;
    if (layout == ControlLayout::nodes) {
      fields.push_back({name, 1, VtkField::On::nodes, values});
      continue;
    }
    auto field = std::find_if(fields.begin(), fields.end(), [&](const VtkField& f) { return f.name == name; });
    if (field == fields.end()) {
      fields.push_back({name, 1, VtkField::On::cells, std::vector<double>(n_cells, std::nan(""))});
      field = fields.end() - 1;
    }
    for_cells(*model.mesh, constant.region, [&](int cell) {
      field->values[cell] = values[layout == ControlLayout::cells ? cell : 0];
    });
  }
}

}  // namespace invar
