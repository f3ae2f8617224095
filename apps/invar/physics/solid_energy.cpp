#include <algorithm>

#include "apps/invar/physics/solid_model.hpp"
#include "apps/invar/problem/case_model.hpp"
#include "libfem/solid/load_library.hpp"
#include "libfem/solid/material_stability.hpp"

namespace invar {
namespace {

using spec::Value;

bool moves(const Value& support) {
  for (const Value& v : support)
    if (v.key.starts_with("u_") && !(v.is_number() && v.number() == 0)) return true;
  return false;
}

}  // namespace

bool resists_rotation(const std::vector<MaterialPart>& parts, const std::string& material) {
  const auto part = std::ranges::find(parts, material, &MaterialPart::name);
  return part != parts.end() && !part->material->finite_strain();
}

std::string SolidModel::why_not_quadratic(const CaseModel&, const CaseSections& sections, int control) const {
  if (sections.find("time")) return "a process has several steps";
  if (!contacts.empty()) return "bodies touch";
  if (sections.has_ties()) return "nodes are tied to each other or to rigid parts";
  for (const MaterialPart& part : parts) {
    const auto designed = std::ranges::find(part.controls, control);
    const int at = designed == part.controls.end() ? -1 : static_cast<int>(designed - part.controls.begin());
    if (!has_linear_stress(*part.material, part.constants, -1)) return "material '" + part.name + "' is not linear elastic";
    if (at >= 0 && !has_linear_stress(*part.material, part.constants, at)) return "the stress of material '" + part.name + "' is not affine in the designed constant";
  }
  if (const Value* boundary = sections.find("boundary"))
    for (const Value& support : *boundary)
      if (moves(support)) return "the support '" + support.key + "' moves";
  if (const Value* loads = sections.find("loads"))
    for (const Value& load : *loads)
      if (!std::ranges::find(solid_loads(), load["type"].text(), &SolidLoad::name)->quadratic)
        return "load '" + load.key + "' is neither known to be dead nor a spring to the ground";
  return {};
}

}  // namespace invar
