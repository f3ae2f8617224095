#include <algorithm>
#include <array>
#include <numeric>

#include "libfem/form/work_on_field.hpp"
#include "libfem/objective/quotient.hpp"
#include "libfem/solid/solid_quantities.hpp"
#include "libfluid/fsi/fluid_share.hpp"
#include "libfluid/fsi/fsi_forms.hpp"
#include "libfluid/fsi/fsi_quantity_entry.hpp"
#include "libfluid/fsi/interface.hpp"
#include "libfluid/objective/flow_integral_library.hpp"
#include "libfluid/objective/flow_quantity_entry.hpp"

namespace invar {
namespace {

/// Minus the work of the fluid's part in the force on a region on a test function in the rows of v. At the interface the equation of the body
/// balances it. at(node, share, w): adds the test function at a node, [axis] of it times share.
template <class At>
std::shared_ptr<Observable> make_work(const FsiQuantityCase& c, const std::string& region, double factor, const At& at) {
  std::vector<int> forms;
  for (const FluidShare& share : fluid_shares(*c.residual, c.fluid, region, c.tied)) {
    TestFunction w{std::vector<double>(c.dofs->n_local(), 0.0)};
    for (const int node : c.mesh().find_region(region)->nodes) at(node, &share.factor[std::size_t(node) * c.dim()], w);
    const auto add = [&](const FsiQuantityCase::Form& form) {
      std::unique_ptr<WeakForm> part = form.make();
      if (share.where) part = part->on_boundary(*share.where);
      if (part) forms.push_back(c.residual->add_functional(std::make_unique<WorkOnField>(std::move(part), *c.dofs, w), form.values));
    };
    for (const auto* group : {&c.forms.fluid, &c.forms.loads})
      for (const FsiQuantityCase::Form& form : *group) add(form);
  }
  return c.sum_of(forms, -factor);
}

bool is_total(const EntryValues& v, EntryMistakes& mistakes) {
  if (v.text("part") == "total") return true;
  mistakes.add("part", "with a moving body only the total force of the fluid is available", "leave 'part' out");
  return false;
}

std::shared_ptr<Observable> make_force_on_body(const FsiQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  if (!is_total(v, mistakes)) return nullptr;
  const std::vector<double>& direction = v.numbers("direction");
  return make_work(c, v.text("region"), v.number("coefficient"), [&](int node, const double* share, TestFunction& w) {
    for (int i = 0; i < c.dim(); ++i) w.given[c.dofs->dof(node, i)] = share[i] * direction[i];
  });
}

/// With the test function of a rotation, a × (X + d − point), at deformed positions.
std::shared_ptr<Observable> make_moment_on_body(const FsiQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  if (c.axisymmetric) mistakes.add("type", "an axisymmetric flow exerts no moment");
  if (c.axisymmetric || !is_total(v, mistakes)) return nullptr;
  const int dim = c.dim();
  const std::array<double, 3> point = v.vector("point");
  const std::array<double, 3> axis = dim == 3 ? v.vector("axis") : std::array{0.0, 0.0, 1.0};
  return make_work(c, v.text("region"), v.number("coefficient"), [&](int node, const double* share, TestFunction& w) {
    for (int i = 0; i < dim; ++i)
      for (int k = 0; k < dim; ++k) {
        if (k == i) continue;
        const double factor = share[i] * ((k - i + 3) % 3 == 1 ? -axis[3 - i - k] : axis[3 - i - k]);  // (a × r)_i = a_j r_k − a_k r_j
        const int row = c.dofs->dof(node, i);
        w.given[row] -= factor * point[k];
        w.of_coordinates.push_back({row, node * dim + k, factor});
        w.of_unknown.push_back({row, c.dofs->dof(node, dim + k), factor});
      }
  });
}

std::shared_ptr<Observable> make_power(const FsiQuantityCase& c, const EntryValues& v, EntryMistakes&) {
  return make_work(c, v.text("region"), 1, [&](int node, const double* share, TestFunction& w) {
    for (int i = 0; i < c.dim(); ++i) w.of_unknown.push_back({c.dofs->dof(node, i), c.dofs->dof(node, i), share[i]});
  });
}

std::shared_ptr<Observable> make_outflow(const FsiQuantityCase& c, const EntryValues& v, EntryMistakes&) {
  std::vector<int> v_d(2 * c.dim());
  std::iota(v_d.begin(), v_d.end(), 0);
  return c.integral(make_moving_flow_rate(c.kind, CellBatches::on_facets(c.dofs, v.text("region"), c.degree, std::move(v_d))));
}

/// v, p, c, d; empty, with a mistake, where there is no scalar.
std::vector<int> with_scalar(const FsiQuantityCase& c, EntryMistakes& mistakes) {
  if (c.scalar < 0) {
    mistakes.add("", "this flow has no passive scalar", "set 'scalar: true' in 'physics'");
    return {};
  }
  std::vector<int> all(2 * c.dim());
  std::iota(all.begin(), all.end(), 0);
  const int both[] = {2 * c.dim(), c.scalar};
  all.insert(all.begin() + c.dim(), both, both + 2);
  return all;
}

/// Whether a region lies in the fluid or bounds it; otherwise records a mistake. Collective.
bool carries_scalar(const FsiQuantityCase& c, const std::string& region, EntryMistakes& mistakes) {
  const bool carries = lies_in(c.mesh(), c.fluid, *c.mesh().find_region(region));
  if (!carries) mistakes.add("region", "'" + region + "' reaches beyond the fluid, which carries the scalar", "name a part of the fluid or of its boundary");
  return carries;
}

std::shared_ptr<Observable> make_mean_scalar(const FsiQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  const std::vector<int> of = with_scalar(c, mistakes);
  if (of.empty()) return nullptr;
  const std::string& region = v.text("region") == "all" ? c.fluid : v.text("region");
  if (!carries_scalar(c, region, mistakes)) return nullptr;
  const auto on = [&](std::vector<int> components) { return CellBatches::on_cells(c.dofs, region, c.degree, std::move(components)); };
  return make_quotient(c.integral(make_moving_scalar_content(c.kind, on(of))), c.integral(make_moving_volume(c.kind, on({of.end() - c.dim(), of.end()}))));
}

std::shared_ptr<Observable> make_scalar_flow(const FsiQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  const std::vector<int> of = with_scalar(c, mistakes);
  if (of.empty() || !carries_scalar(c, v.text("region"), mistakes)) return nullptr;
  return c.integral(make_moving_scalar_outflow(c.kind, CellBatches::on_facets(c.dofs, v.text("region"), c.degree, of)));
}

/// The integral of densities over one part, or over all ("all").
std::shared_ptr<Observable> integral_of(const FsiQuantityCase& c, const std::vector<FsiQuantityCase::Form>& densities, const std::string& region,
                                        EntryMistakes& mistakes) {
  std::vector<int> forms;
  std::string known;
  for (const FsiQuantityCase::Form& form : densities) {
    known += (known.empty() ? "" : ", ") + form.region;
    if (region != "all" && region != form.region) continue;
    if (form.has_history) refuse_history(mistakes, "elastic energy");
    forms.push_back(form.of_equation >= 0 ? form.of_equation : c.residual->add_functional(form.make(), form.values));
  }
  if (!forms.empty()) return c.sum_of(forms);
  mistakes.add("region", "no part with region '" + region + "' has this energy", "those that have: " + known);
  return nullptr;
}

template <std::vector<FsiQuantityCase::Form> FsiQuantityCase::Forms::*densities>
std::shared_ptr<Observable> make_integral(const FsiQuantityCase& c, const EntryValues&, EntryMistakes& mistakes) {
  return integral_of(c, c.forms.*densities, "all", mistakes);
}

std::shared_ptr<Observable> make_part_energy(const FsiQuantityCase& c, const EntryValues& v, EntryMistakes& mistakes) {
  return integral_of(c, v.text("energy") == "kinetic" ? c.forms.kinetic : c.forms.stored, v.text("region"), mistakes);
}

QuantityEntry<FsiQuantityCase> part_energy_quantity() {
  using enum EntryParameter::Kind;
  return {.name = "part_energy",
          .doc = "Fluid-structure interaction: energy of the fluid or of one body.",
          .parameters = {{.key = "region", .kind = cell_region, .doc = "of the material"},
                         {.key = "energy", .kind = word, .doc = "which", .default_text = "kinetic", .words = {{"kinetic", "∫ ρ/2 |v|²"}, {"stored", "elastic"}}}},
          .make = &make_part_energy};
}

std::string_view doc_of_flow(std::string_view integral) { return std::ranges::find(flow_integrals(), integral, &FlowIntegral::name)->doc; }

/// A quantity with the name and parameters of one of flows.
QuantityEntry<FsiQuantityCase> as_of_flow(FlowQuantity of_flow, decltype(QuantityEntry<FsiQuantityCase>::make) make) {
  return {.name = of_flow.name, .doc = of_flow.doc, .parameters = std::move(of_flow.parameters), .make = make};
}

}  // namespace

std::span<const QuantityEntry<FsiQuantityCase>> fsi_quantities() {
  using Forms = FsiQuantityCase::Forms;
  // Names and parameters as for flows and solids.
  static const QuantityEntry<FsiQuantityCase> entries[] = {
      as_of_flow(force_quantity(), &make_force_on_body),
      as_of_flow(moment_quantity(), &make_moment_on_body),
      {.name = "power",
       .doc = "Fluid-structure interaction: power of the fluid on a body or a wall, its consistent nodal forces times the velocity.",
       .parameters = {{.key = "region", .kind = EntryParameter::Kind::any_region, .doc = "region of facets, or of a body's cells"}},
       .make = &make_power},
      {.name = "flow_rate",
       .doc = "Flow: volume flow rate out of facets; inflow is negative.",
       .parameters = {{.key = "region", .kind = EntryParameter::Kind::facet_region, .doc = "facet region"}},
       .make = &make_outflow},
      {.name = "mean_scalar",
       .doc = doc_of_flow("mean_scalar"),
       .parameters = {{.key = "region", .kind = EntryParameter::Kind::cell_region, .doc = "cell region, or 'all'", .default_text = "all"}},
       .make = &make_mean_scalar},
      {.name = "scalar_flow",
       .doc = doc_of_flow("scalar_flow"),
       .parameters = {{.key = "region", .kind = EntryParameter::Kind::facet_region, .doc = "facet region"}},
       .make = &make_scalar_flow},
      part_energy_quantity(),
      {.name = "kinetic_energy", .doc = "∫ ρ/2 |v|², v the velocity, with the densities of materials (not with the load `mass` or masses of `rigid` parts); of solids in time.", .make = &make_integral<&Forms::kinetic>},
      {.name = "stored_energy", .doc = "Solid: elastic energy.", .make = &make_integral<&Forms::stored>},
      {.name = "dissipation", .doc = "Flow: power dissipated in the fluid and in porous bodies; of turbulent flow what the mean flow loses, with the eddy viscosity.", .make = &make_integral<&Forms::dissipation>},
  };
  return entries;
}

}  // namespace invar
