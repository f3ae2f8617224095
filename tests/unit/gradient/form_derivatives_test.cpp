// Every weak form by itself, on bent cells and facets: ∂r/∂u, ∂r/∂X, ∂r/∂p forward against finite
// differences, reverse against forward, second order against differences of the reverse.
#include <gtest/gtest.h>

#include "tests/unit/gradient/form_probe.hpp"
#include "tests/unit/gradient/problem_table.hpp"

namespace invar::gradient_test {
namespace {

/// Every kind of solid with every law, and every load with every kind, cell and unknown.
TEST(FormDerivatives, LawsAreExactOnBentCells) {
  for (const ProblemSpec& s : all_problems()) {
    SCOPED_TRACE(name_of(s));
    const auto mesh = std::make_shared<const Mesh>(distribute(bent_mesh(s), PETSC_COMM_SELF));
    const auto dofs = std::make_shared<const DofMap>(mesh, components_of(s), PETSC_COMM_SELF);
    const std::shared_ptr<const Material> material = material_of(s);
    Array constants;
    for (const ParamSpec& k : material->parameters()) constants.push_back(typical_constant(std::string(k.key)));
    if (is_mixed(s)) constants.push_back(150);
    CellBatches cells = CellBatches::on_cells(dofs, "", 2);
    const auto form = is_mixed(s) ? make_mixed_form(s.kind, material, std::move(cells))
                                  : make_displacement_form(s.kind, material, std::move(cells));
    check_form(dofs, *form, constants, mesh->cells[0].count(), true, true);
  }
}

TEST(FormDerivatives, LoadsAreExactOnBentCellsAndFacets) {
  for (const LoadCase& load : all_loads())
    for (const SolidKind kind : {SolidKind::spatial, SolidKind::plane_strain, SolidKind::plane_stress, SolidKind::axisymmetric})
      for (const Volume volume : {Volume::compressible, Volume::nearly_incompressible})
        for (const bool simplex : {true, false})
          for (const int order : {1, 2}) {
            ProblemSpec s;
            s.kind = kind;
            s.volume = volume;
            s.cell.shape = kind == SolidKind::spatial ? (simplex ? Shape::tetrahedron : Shape::hexahedron)
                                                      : (simplex ? Shape::triangle : Shape::quadrilateral);
            s.cell.order = order;
            if (is_mixed(s) && order == 1) continue;
            SCOPED_TRACE(load.name + " " + name_of(s));
            const auto mesh = std::make_shared<const Mesh>(distribute(bent_mesh(s), PETSC_COMM_SELF));
            const auto dofs = std::make_shared<const DofMap>(mesh, components_of(s), PETSC_COMM_SELF);
            const bool cells = load.region.empty();
            const auto form = load.make(kind, load.at_points ? CellBatches::on_points(dofs, load.region + (mesh->dim == 3 ? "_back" : ""))
                                              : cells        ? CellBatches::on_cells(dofs, "", 3)
                                                             : CellBatches::on_facets(dofs, load.region, 3));
            const Array constants(form->coefficients().size(), load.size);
            const bool conservative = load.name != "pressure";
            check_form(dofs, *form, constants, load.at_points ? 1 : cells ? mesh->cells[0].count() : mesh->facets[0].count(), conservative,
                       conservative);
          }
}

}  // namespace
}  // namespace invar::gradient_test
