#pragma once
#include "libfem/solid/integral_library.hpp"
#include "libfem/solid/load_library.hpp"
#include "libfluid/flow/flow_load_library.hpp"
#include "libfluid/objective/flow_integral_library.hpp"
#include "tests/unit/gradient/dynamic_form_table.hpp"

namespace invar::gradient_test {

/// A value at which a coefficient is probed: its default, where that is neither zero nor a small width.
inline double probed(const ParamSpec& p) { return std::abs(p.default_value.value_or(0)) >= 0.1 ? *p.default_value : 0.8; }

/// A term of a library as a form to be probed; its setting may be changed before `make` is set.
inline DynamicForm probe_of(const TermSpec& term, const char* kind, int dim) {
  DynamicForm form{.name = std::string(term.name) + " " + kind, .dim = dim, .may_vanish = true};
  if (term.domain != TermSpec::Domain::cells) form.region = "top";
  form.points = term.domain == TermSpec::Domain::points;
  for (const TermParameter& p : term.parameters) form.coefficients.insert(form.coefficients.end(), p.per_axis ? dim : 1, probed(p.spec));
  return form;
}

/// Numbers of an obstacle that the region `top` touches but does not enter.
inline std::vector<double> outside_of_obstacle(int dim, std::string_view shape) {
  std::vector<double> p{0.8, 0.9, 0.4, 0.2};
  for (const double centre : {1.1, 2.0, 0.5}) p.push_back(centre);
  p.resize(4 + dim);
  using Direction = std::array<double, 3>;
  for (const double direction : shape == "plane" ? Direction{0.1, -0.6, 0.05} : shape == "box" ? Direction{0.4, 0.6, 0.5} : Direction{0.1, 0.05, 0.9})
    p.push_back(direction);
  p.resize(4 + 2 * dim);
  p.push_back(0.6);
  return p;
}

/// What the form says it is: it must hold.
inline void take_traits(DynamicForm& form, const FormTraits& traits, bool functional) {
  for (const Level level : all_levels)
    if (traits.reads[level]) form.levels.push_back(level);
  form.symmetric = traits.symmetric;
  form.density = functional || traits.potential;
  form.functional = functional;
}

/// Cells of the region that the form is made on, to ask it for its traits.
inline CellBatches sample_domain(const DynamicForm& form) {
  ProblemSpec s;
  if (form.dim == 3) s.kind = SolidKind::spatial, s.cell.shape = Shape::tetrahedron;
  s.cell.order = 2;
  const auto mesh = std::make_shared<const Mesh>(distribute(bent_mesh(s), PETSC_COMM_SELF));
  std::vector<Component> components(form.dim, {"u", 2});
  components.push_back({"p", 1});
  components.push_back({"c", 1});
  const auto dofs = std::make_shared<const DofMap>(mesh, components, PETSC_COMM_SELF);
  if (form.points) return CellBatches::on_points(dofs, form.region);
  return form.region.empty() ? CellBatches::on_cells(dofs, "", 3) : CellBatches::on_facets(dofs, form.region, 3);
}

/// Every load and every integral of the libraries, of every kind and with each of its words.
inline std::vector<DynamicForm> terms_of_libraries() {
  std::vector<DynamicForm> all;
  const auto add = [&](DynamicForm form, bool functional, auto make) {
    form.make = std::move(make);
    take_traits(form, form.make(sample_domain(form))->traits(), functional);
    all.push_back(std::move(form));
  };
  for (const SolidKind kind : {SolidKind::spatial, SolidKind::plane_strain, SolidKind::plane_stress, SolidKind::axisymmetric}) {
    const int dim = kind == SolidKind::spatial ? 3 : 2;
    for (const SolidLoad& load : solid_loads()) {
      const auto words = load.choice ? load.choice->words : std::vector<TermChoice::Word>{{"", ""}};
      for (const TermChoice::Word& choice : words) {
        DynamicForm form = probe_of(load, word(kind), dim);
        form.name += " " + std::string(choice.word);
        if (load.name == "obstacle") form.coefficients = outside_of_obstacle(dim, choice.word);
        const TermSetting setting{.dim = dim,
                                  .axisymmetric = kind == SolidKind::axisymmetric,
                                  .in_time = true,
                                  .choice = std::string(choice.word),
                                  .numbers = form.coefficients};
        if (load.refuses && load.refuses(setting)) continue;
        add(std::move(form), false, [make = load.make, kind, setting](CellBatches d) { return make(kind, setting, std::move(d)); });
      }
    }
    for (const SolidIntegral& integral : solid_integrals())
      add(probe_of(integral, word(kind), dim), true, [make = integral.make, kind](CellBatches d) { return make(kind, {}, std::move(d)); });
  }
  for (const FlowKind kind : {FlowKind::planar, FlowKind::axisymmetric, FlowKind::spatial}) {
    constexpr const char* words[] = {"planar", "axisymmetric", "spatial"};
    const int dim = kind == FlowKind::spatial ? 3 : 2;
    const char* name = words[static_cast<int>(kind)];
    for (const FlowLoad& load : flow_loads()) {
      if (!load.make) continue;  // a part of the equations: flow_table.hpp
      DynamicForm form = probe_of(load, name, dim);
      if (load.reads_density) form.coefficients.insert(form.coefficients.begin(), 1.3);
      form.flow = true;
      add(std::move(form), false,
          [make = load.make, kind, setting = TermSetting{.dim = dim, .choice = {}, .numbers = {}}](CellBatches d) { return make(kind, setting, std::move(d)); });
    }
    for (const FlowIntegral& integral : flow_integrals()) {
      DynamicForm form = probe_of(integral, name, dim);
      form.flow = true;
      form.scalar = integral.of_scalar;
      add(std::move(form), true, [make = integral.make, kind](CellBatches d) {
        return make(kind, FlowDiscretisation::taylor_hood, std::move(d));
      });
    }
  }
  return all;
}

}  // namespace invar::gradient_test
