
#include <algorithm>
#include <numeric>

#include "apps/invar/physics/solid_model.hpp"
#include "apps/invar/physics/term_table.hpp"
#include "apps/invar/problem/quantity_builder.hpp"
#include "apps/invar/spec/did_you_mean.hpp"
#include "libfem/objective/form_value.hpp"
#include "libfem/objective/number_value.hpp"
#include "libfem/objective/quotient.hpp"
#include "libfem/objective/reaction.hpp"
#include "libfem/objective/weighted_sum.hpp"
#include "libfem/solid/displacement_measures.hpp"
#include "libfem/solid/dynamic_forms.hpp"
#include "libfem/solid/integral_library.hpp"
#include "libfem/solid/mass_moment.hpp"

namespace invar {
namespace {

using spec::Value;

/// One in the cells of a region, else zero: an entry per cell of the rank's part.
std::vector<double> indicator(const Mesh& mesh, const std::string& name) {
  std::vector<double> inside;
  const Region* region = mesh.find_region(name);
  for (std::size_t b = 0; b < mesh.cells.size(); ++b) {
    const std::size_t first = inside.size();
    inside.resize(first + mesh.cells[b].count(), 0.0);
    if (region && b < region->members.size())
      for (const int cell : region->members[b]) inside[first + cell] = 1;
  }
  return inside;
}

class SolidScalarBuilder : QuantityBuilder {
 public:
  SolidScalarBuilder(const SolidModel& solid, CaseModel& model, const Value& record, Diagnostics& diagnostics)
      : QuantityBuilder(model, record, diagnostics), solid_(solid) {}

  std::optional<Scalar> build() {
    const std::string type = record_["type"].text();
    if (type == "reaction") return reaction();
    if (type == "centroid" && record_["of"].text() == "body") return centre_of_mass();
    if (type == "kinetic_energy") return kinetic_energy();
    if (type == "load") return load();
    if (type == "mean_displacement") return mean_displacement();
    if (type == "compliance") return compliance();
    if (type == "stored_energy") return value_of(solid_.stored_energy_forms());
    if (const SolidIntegral* term = find_term(solid_integrals(), type)) return integral_of(*term);
    return std::nullopt;
  }

 private:
  /// A number of the case that the spec does not name.
  ControlledValue fixed(double v) const { return {model_.residual->add_control({"", ""}, {v}), {}}; }

  ControlledValue share_of(const std::string& region) const {
    return {model_.residual->add_control({"", "", ControlLayout::cells}, indicator(*model_.mesh, region)), {}};
  }

  Scalar reaction() {
    if (!has_region(-1)) return nullptr;
    const std::string region = record_["region"].text();
    const double coefficient = record_["coefficient"].number();
    const auto of = record_["of"].text() == "surface" ? Reaction::Of::surface : Reaction::Of::supports;
    if (const Value* direction = record_.find("direction")) {
      const std::vector<double> scaled = direction_of(*direction, coefficient);
      return scaled.empty() ? nullptr : Reaction::force(model_.residual, region, scaled, of);
    }
    const auto p = record_["point"].numbers(), a = record_["axis"].numbers();
    return std::make_shared<WeightedSum>(Reaction::moment(model_.residual, region, {p[0], p[1], p[2]}, {a[0], a[1], a[2]}, of),
                                         std::vector<double>{coefficient});
  }

  /// A density and where it counts: the parts of the body in a region. Alike everywhere where there is none.
  struct Mass {
    CellBatches domain;
    int ref_dim;
    ControlledValue density, share;
  };
  /// Of the cells by their parts' densities; of facets by the area.
  std::vector<Mass> masses(bool facets) const {
    const std::string region = record_["region"].text();
    const auto cells = [&](const std::string& name) { return CellBatches::on_cells(model_.dofs, name, 6); };
    if (facets) return {{CellBatches::on_facets(model_.dofs, region, 6), dim_ - 1, fixed(1), fixed(1)}};
    const auto& parts = solid_.parts;
    const bool is_part = std::any_of(parts.begin(), parts.end(), [&](const MaterialPart& p) { return p.region == region; });
    std::vector<Mass> all;
    for (const MaterialPart& part : parts) {
      if (is_part && part.region != region) continue;
      const bool whole = is_part || region == "all" || part.region.empty();
      const ControlledValue density = part.density.control < 0 ? fixed(1) : part.density;
      all.push_back({cells(region == "all" ? part.region : region), dim_, density,
                     whole ? fixed(1) : share_of(part.region)});
    }
    return all;
  }
  Scalar centre_of_mass() {
    const Value& component = record_["component"];
    const int axis = axis_of(component);
    if (axis < 0) return nullptr;
    if (model_.axisymmetric() && axis == 0) {
      diagnostics_.error(component.position, component.yaml_path,
                         "the centre of mass of an axisymmetric body lies on its axis: only y can be asked for");
      return nullptr;
    }
    const std::string name = record_["region"].text();
    const bool facets = names_facets();
    if (name != "all" && !facets && !has_region(dim_)) return nullptr;
    std::vector<int> moments, totals;
    for (Mass& m : masses(facets)) {
      moments.push_back(model_.residual->add_functional(
          make_mass_moment(axis, m.ref_dim, model_.axisymmetric(), m.domain), {m.density, m.share}));
      totals.push_back(model_.residual->add_functional(
          make_mass_moment(-1, m.ref_dim, model_.axisymmetric(), std::move(m.domain)), {m.density, m.share}));
    }
    return std::make_shared<Quotient>(value_of(moments), value_of(totals));
  }

  Scalar kinetic_energy() {
    if (!model_.march) {
      diagnostics_.error(record_.position, record_.yaml_path, "a solid has kinetic energy in processes in time only",
                         "give 'time' a 'scheme'");
      return nullptr;
    }
    std::vector<int> forms;
    for (const MaterialPart& part : solid_.parts)
      forms.push_back(model_.residual->add_functional(
          make_kinetic_energy(solid_.kind, CellBatches::on_cells(model_.dofs, part.region, 4)), {part.density}));
    return value_of(forms);
  }
  Scalar load() {
    const Value& variable = record_["variable"];
    const std::string path = model_.path_here(variable.text()).value_or("");
    const auto& controls = model_.residual->controls();
    std::vector<std::string> names;
    std::string known;
    if (model_.path)
      for (const int k : model_.path->scaled) {
        if (controls[k].name == path) return std::make_shared<NumberValue>(model_.residual, k);
        names.push_back(controls[k].name);
        known += (known.empty() ? "" : ", ") + controls[k].name;
      }
    if (!model_.path)
      diagnostics_.error(record_.position, record_.yaml_path, "'load' is what is found along a path, and here all loads are given",
                         "give 'time' a 'control': a quantity, or arc_length");
    else
      diagnostics_.error(variable.position, variable.yaml_path,
                         "no load that is to be found is called '" + variable.text() + "'" + did_you_mean(path, names), "what is found: " + known);
    return nullptr;
  }
  Scalar integral_of(const SolidIntegral& term) {
    const std::optional<std::vector<ControlledValue>> values = fixed_coefficients(term);
    if (!values || !has_domain(term)) return nullptr;
    const bool volume = term.domain == TermSpec::Domain::cells;
    return integral(term.make(solid_.kind, volume ? cells() : CellBatches::on_facets(model_.dofs, record_["region"].text(), 6)), *values);
  }
  Scalar mean_displacement() {
    const int axis = axis_of(record_["component"]);
    if (axis < 0) return nullptr;
    const std::string name = record_["region"].text();
    const bool facets = names_facets();
    if (name != "all" && !facets && !has_region(dim_)) return nullptr;
    const auto domain = [&] {
      return facets ? CellBatches::on_facets(model_.dofs, name, 6) : CellBatches::on_cells(model_.dofs, name == "all" ? "" : name, 6);
    };
    std::vector<ControlledValue> along;  // a dead load of one does the work that is looked for
    for (int i = 0; i < dim_; ++i) along.push_back(fixed(i == axis ? 1 : 0));
    const int moment = model_.residual->add_functional(
                  facets ? make_traction(solid_.kind, domain()) : make_body_force(solid_.kind, domain()), along),
              size = model_.residual->add_functional(
                  make_mass_moment(-1, facets ? dim_ - 1 : dim_, model_.axisymmetric(), domain()), {fixed(1), fixed(1)});
    return std::make_shared<Quotient>(value_of({moment}, -1), value_of({size}));
  }
  Scalar compliance() {
    if (solid_.dead_load_forms.empty())
      diagnostics_.error(record_.position, record_.yaml_path, "the case has no dead loads whose work could be minimised");
    return value_of(solid_.dead_load_forms, -1);  // the potential of the loads is −work
  }

  const SolidModel& solid_;
};

}  // namespace

std::vector<int> SolidModel::stored_energy_forms() const {
  std::vector<int> forms(parts.size());
  std::iota(forms.begin(), forms.end(), 0);
  return forms;
}

std::optional<std::shared_ptr<Observable>> SolidModel::quantity(CaseModel& model, const Value& record,
                                                                Diagnostics& diagnostics) const {
  return SolidScalarBuilder(*this, model, record, diagnostics).build();
}

std::shared_ptr<Observable> SolidModel::mean_square(CaseModel& model) const {
  FormResidual& residual = *model.residual;
  const ControlledValue one{residual.add_control({"", ""}, {1.0}), {}};
  const auto cells = [&] { return CellBatches::on_cells(model.dofs, "", 4); };
  const int square = residual.add_functional(make_squared_displacement(kind, cells()), {}),
            volume = residual.add_functional(make_mass_moment(-1, model.mesh->dim, model.axisymmetric(), cells()), {one, one});
  const auto value_of = [&](int form) {
    std::vector<double> factors(residual.form_count(), 0.0);
    factors[form] = 1;
    return std::make_shared<FormValue>(model.residual, std::move(factors));
  };
  return std::make_shared<Quotient>(value_of(square), value_of(volume));
}

}  // namespace invar
