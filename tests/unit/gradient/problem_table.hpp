#pragma once
#include <array>
#include <vector>

#include "tests/unit/gradient/gradient_checks.hpp"
#include "tests/unit/gradient/solid_problem.hpp"

namespace invar::gradient_test {

/// Every law of the library with every number of terms × every kind of solid × every treatment of the
/// volume that exists for it. Cells, load steps and symmetry rotate through these, each against each of
/// the others' values; a law that is new in the library is in the table by itself.
inline std::vector<ProblemSpec> all_problems() {
  constexpr std::array<CellType, 4> planar{{{Shape::triangle, 2}, {Shape::quadrilateral, 2},
                                            {Shape::triangle, 1}, {Shape::quadrilateral, 1}}};
  constexpr std::array<CellType, 4> spatial{{{Shape::tetrahedron, 2}, {Shape::hexahedron, 2},
                                             {Shape::tetrahedron, 1}, {Shape::hexahedron, 1}}};
  std::vector<ProblemSpec> table;
  int law = 0;
  for (const std::string_view material : material_names())
    for (int terms = 1; terms <= max_material_terms(material); ++terms, ++law) {
      int combination = 0;
      for (const SolidKind kind : {SolidKind::spatial, SolidKind::plane_strain, SolidKind::plane_stress,
                                   SolidKind::axisymmetric})
        for (const Volume volume : {Volume::compressible, Volume::incompressible, Volume::nearly_incompressible}) {
          if (kind == SolidKind::plane_stress && volume == Volume::nearly_incompressible) continue;
          ProblemSpec s;
          s.kind = kind;
          s.volume = volume;
          s.material = material;
          s.terms = terms;
          const bool mixed = is_mixed(s);  // Taylor–Hood: second order only
          const int turn = law + combination;
          s.cell = (kind == SolidKind::spatial ? spatial : planar)[mixed ? turn % 2 : turn % 4];
          s.follower_pressure = (law + 2 * combination) % 5 != 0;
          if (turn % 3 == 0) s.times = {0.6, 1.0};
          s.index = static_cast<int>(table.size());
          table.push_back(s);
          ++combination;
        }
    }
  // Bodies whose material is there in part, in every kind of solid with as much volume as without a pressure; bodies that swell, in every kind of solid with every treatment of the volume; volumetric laws, one a kind.
  const std::size_t plain = table.size();
  for (std::size_t i = 0; i < plain; ++i) {
    ProblemSpec s = table[i];
    if (s.material != "neo_hookean_isochoric") continue;
    s.swelling = true;
    if (s.volume == Volume::compressible) s.volumetric = volumetric_laws[(static_cast<int>(s.kind) + 1) % 4].law;
    s.index = static_cast<int>(table.size());
    table.push_back(s);
    if (is_mixed(s)) continue;
    s.swelling = s.kind == SolidKind::plane_strain;
    s.volumetric = VolumetricLaw::quadratic;
    s.distributed = true;
    s.index = static_cast<int>(table.size());
    table.push_back(s);
  }
  // Bodies that grow by a tensor: every kind of solid, in space and in a plane on cells of both orders, at finite and small strains.
  const auto add_growth = [&](const char* material, SolidKind kind, Volume volume, CellType cell, bool follower_pressure) {
    ProblemSpec s;
    s.growth = true;
    s.material = material, s.kind = kind, s.volume = volume, s.cell = cell, s.follower_pressure = follower_pressure;
    s.index = static_cast<int>(table.size());
    if (s.index % 3 == 0) s.times = {0.6, 1.0};
    table.push_back(s);
  };
  add_growth("neo_hookean", SolidKind::spatial, Volume::compressible, {Shape::tetrahedron, 2}, true);
  add_growth("neo_hookean", SolidKind::spatial, Volume::compressible, {Shape::hexahedron, 1}, false);
  add_growth("neo_hookean", SolidKind::plane_strain, Volume::compressible, {Shape::triangle, 1}, true);
  add_growth("linear_elastic", SolidKind::plane_strain, Volume::compressible, {Shape::quadrilateral, 2}, false);
  add_growth("neo_hookean", SolidKind::plane_stress, Volume::compressible, {Shape::quadrilateral, 2}, true);
  add_growth("neo_hookean", SolidKind::plane_stress, Volume::incompressible, {Shape::triangle, 1}, true);
  add_growth("neo_hookean", SolidKind::axisymmetric, Volume::compressible, {Shape::quadrilateral, 1}, false);
  return table;
}

/// Solids whose places without load are designed: most of them grow, too.
inline std::vector<ProblemSpec> shaped_solids() {
  std::vector<ProblemSpec> specs(6);
  specs[1].kind = SolidKind::plane_stress;
  specs[1].material = "linear_elastic";
  specs[1].cell = {Shape::quadrilateral, 2};
  specs[2].kind = SolidKind::axisymmetric;
  specs[2].volume = Volume::nearly_incompressible;
  specs[3].kind = SolidKind::spatial;
  specs[3].cell = {Shape::tetrahedron, 1};
  specs[4].cell = {Shape::quadrilateral, 1};
  specs[5].kind = SolidKind::spatial;
  specs[5].cell = {Shape::tetrahedron, 2};
  for (std::size_t k = 0; k < specs.size(); ++k) {
    specs[k].shape = true;
    specs[k].growth = specs[k].volume == Volume::compressible && k != 4;
    specs[k].index = static_cast<int>(k);
  }
  return specs;
}

/// Solids whose first constant is a field in cells, with something to do for every rank.
inline std::vector<ProblemSpec> solids_of_fields() {
  std::vector<ProblemSpec> specs(5);
  specs[1].cell = {Shape::quadrilateral, 1};
  specs[1].kind = SolidKind::plane_stress;
  specs[2].kind = SolidKind::axisymmetric;
  specs[2].times = {0.6, 1.0};
  specs[3].volume = Volume::nearly_incompressible;
  specs[3].cell = {Shape::quadrilateral, 2};
  specs[4].kind = SolidKind::spatial;
  specs[4].cell = {Shape::tetrahedron, 2};
  for (ProblemSpec& s : specs) {
    s.young_is_field = true;
    s.refinement = rank_count() > 1 ? 4 : 2;
  }
  return specs;
}

}  // namespace invar::gradient_test
