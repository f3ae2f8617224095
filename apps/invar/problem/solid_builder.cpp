#include "apps/invar/problem/solid_builder.hpp"

#include <algorithm>
#include <limits>

#include "apps/invar/problem/material_stability.hpp"
#include "apps/invar/spec/did_you_mean.hpp"
#include "apps/invar/spec/number_text.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/rigid_body_modes.hpp"

namespace invar {
namespace {

using spec::Value;

constexpr const char* axes[] = {"x", "y", "z"};

SolidKind kind_of(const std::string& word) {
  if (word == "plane_strain") return SolidKind::plane_strain;
  if (word == "plane_stress") return SolidKind::plane_stress;
  return word == "axisymmetric" ? SolidKind::axisymmetric : SolidKind::spatial;
}

/// Degree that integrates the tangent of straight cells well: exact for linear elasticity.
int quadrature_degree(const Mesh& mesh, int order, SolidKind kind) {
  bool tensor = false;
  for (const CellBlock& b : mesh.cells)
    tensor |= b.type.shape == Shape::quadrilateral || b.type.shape == Shape::hexahedron;
  const int degree = order == 1 ? (tensor ? 2 : 1) : 4;
  return degree + (kind == SolidKind::axisymmetric ? 1 : 0);
}

class SolidBuilder {
 public:
  SolidBuilder(CaseModel& model, const CaseSections& sections, int order, Diagnostics& diagnostics)
      : model_(model), sections_(sections), diagnostics_(diagnostics), residual_(*model.residual),
        binder_(residual_, model.start, model.times.empty() ? 1.0 : model.times.back(), diagnostics),
        degree_(quadrature_degree(*model.mesh, order, model.kind)) {}

  void materials();
  void supports();
  void loads();

 private:
  void material(const Value& m);
  void check_used(const Value& m, const MaterialChoice& choice);
  void check_stable(const Value& m, MaterialChoice choice, const std::vector<double>& constants);
  void check_covered();

  CaseModel& model_;
  const CaseSections& sections_;
  Diagnostics& diagnostics_;
  FormResidual& residual_;
  ValueBinder binder_;
  int degree_;
};

void SolidBuilder::material(const Value& m) {
  const std::string path = "materials." + m.key, region = m["region"].text();
  const bool everywhere = region == "all", incompressible = m["incompressible"].boolean();
  if (!everywhere && !check_region(*model_.mesh, region, model_.mesh->dim, m["region"], diagnostics_)) return;
  const bool plane_stress = model_.kind == SolidKind::plane_stress;
  if (incompressible && !model_.mixed && !plane_stress) {
    diagnostics_.error(m["incompressible"].position, m.yaml_path,
                       "an incompressible material needs 'formulation: mixed' in 'physics'");
    return;
  }
  MaterialChoice choice;
  choice.name = m["model"].text();
  choice.formulation = model_.mixed || incompressible ? Formulation::isochoric : Formulation::compressible;
  choice.plane_stress = plane_stress;
  choice.terms = m.has("terms") ? static_cast<int>(m["terms"].integer()) : 1;
  MaterialPart part{m.key, everywhere ? "" : region, make_material(choice), nullptr, {}};
  if (plane_stress && choice.formulation == Formulation::compressible) {
    MaterialChoice in_space = choice;
    in_space.plane_stress = false;
    part.unreduced = make_material(in_space);
  }
  check_used(m, choice);
  const std::size_t before = diagnostics_.size();
  std::vector<double> constants;
  std::vector<ControlledValue> values;
  const auto parameter = [&](const ParamSpec& p, double fallback, bool required) {
    const Value* given = m.find(p.key);
    if (!given && required)
      diagnostics_.error(m.position, m.yaml_path,
                         "'" + std::string(p.key) + "' is missing: " + std::string(p.doc) + " [" + std::string(p.unit) + "]");
    const double value = given ? given->number() : fallback;
    const int control = residual_.add_control({path + "." + std::string(p.key), std::string(p.unit), ControlLayout::number, p.lower, p.upper},
                                              {value});
    values.push_back({control, {}});
    constants.push_back(value);
    return control;
  };
  for (const ParamSpec& p : material_parameters(choice))
    part.controls.push_back(parameter(p, p.default_value.value_or(1.0), !p.default_value));
  if (diagnostics_.size() == before) check_stable(m, choice, constants);
  if (model_.mixed) {
    const ParamSpec bulk{.key = "bulk", .unit = "Pa", .doc = "bulk modulus; or set 'incompressible: true'",
                         .lower = 0, .lower_open = true};
    if (incompressible) {
      if (m.has("bulk"))
        diagnostics_.error(m["bulk"].position, m["bulk"].yaml_path,
                           "an incompressible material has no bulk modulus; remove one of the two");
      values.push_back({residual_.add_control({"", ""}, {std::numeric_limits<double>::infinity()}), {}});
    } else {
      parameter(bulk, 1.0, true);
    }
  }
  CellBatches cells = CellBatches::on_cells(model_.dofs, part.region, degree_);
  residual_.add_form(model_.mixed ? make_mixed_form(model_.kind, *part.material, std::move(cells))
                                  : make_displacement_form(model_.kind, *part.material, std::move(cells)),
                     std::move(values));
  model_.parts.push_back(std::move(part));
}

/// A constant that the chosen form does not know would be ignored without a word.
void SolidBuilder::check_used(const Value& m, const MaterialChoice& choice) {
  std::vector<std::string> known = {"region", "incompressible", "model", "terms"};
  std::string constants;
  const auto add = [&](std::string_view key) {
    known.emplace_back(key);
    constants += (constants.empty() ? "" : ", ") + std::string(key);
  };
  for (const ParamSpec& p : material_parameters(choice)) add(p.key);
  if (model_.mixed) add("bulk");  // with 'incompressible' it has a message of its own
  const bool isochoric = choice.formulation == Formulation::isochoric;
  for (const Value& v : m)
    if (!v.defaulted && std::find(known.begin(), known.end(), v.key) == known.end())
      diagnostics_.error(v.key_position, v.yaml_path,
                         "'" + v.key + "' is not a constant of '" + std::string(choice.name) + "' " +
                             (model_.mixed ? "in the mixed formulation"
                              : isochoric  ? "when incompressible"
                                           : "in the displacement formulation"),
                         "its constants: " + constants);
}

void SolidBuilder::check_stable(const Value& m, MaterialChoice choice, const std::vector<double>& constants) {
  choice.plane_stress = false;
  const double stiffness = smallest_stiffness(*make_material(choice), constants,
                                              choice.formulation == Formulation::isochoric);
  if (stiffness > 0) return;
  diagnostics_.error(m.position, m.yaml_path,
                     "with these constants '" + m.key + "' is unstable at rest: its smallest stiffness is " +
                         number_text(stiffness) + " Pa and must be positive");
}

/// Every cell must have exactly one material.
void SolidBuilder::check_covered() {
  const Mesh& mesh = *model_.mesh;
  std::vector<long long> bad(2, 0);  // cells without, cells with several
  for (std::size_t b = 0; b < mesh.cells.size(); ++b) {
    std::vector<int> count(mesh.cells[b].count(), 0);
    for (const MaterialPart& part : model_.parts) {
      if (part.region.empty()) {
        for (int& c : count) ++c;
      } else if (const Region* r = mesh.find_region(part.region); r && b < r->members.size()) {
        for (int cell : r->members[b]) ++count[cell];
      }
    }
    for (int c = 0; c < mesh.cells[b].n_owned; ++c) {
      bad[0] += count[c] == 0;
      bad[1] += count[c] > 1;
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, bad.data(), 2, MPI_LONG_LONG, MPI_SUM, model_.dofs->comm());
  const Value& materials = *sections_.find("materials");
  if (bad[0]) diagnostics_.error(materials.key_position, "materials", std::to_string(bad[0]) + " cells have no material");
  if (bad[1])
    diagnostics_.error(materials.key_position, "materials", std::to_string(bad[1]) + " cells have more than one material");
}

void SolidBuilder::materials() {
  const std::size_t before = diagnostics_.size();
  for (const Value& m : *sections_.find("materials")) material(m);
  if (diagnostics_.size() == before) check_covered();
}

void SolidBuilder::supports() {
  const Value* boundary = sections_.find("boundary");
  if (!boundary) return;
  for (const Value& s : *boundary) {
    if (!check_region(*model_.mesh, s.key, -1, s, diagnostics_, true)) continue;
    for (int i = 0; i < 3; ++i) {
      const std::string key = std::string("u_") + axes[i];
      const Value* v = s.find(key);
      if (!v) continue;
      if (i >= model_.mesh->dim) {
        diagnostics_.error(v->key_position, v->yaml_path, "the mesh is two-dimensional; use u_x and u_y");
        continue;
      }
      residual_.add_dirichlet({s.key, i, binder_.bind(s, "boundary." + s.key, key.c_str(), "m", true)});
    }
  }
}

void SolidBuilder::loads() {
  const Value* loads = sections_.find("loads");
  if (!loads) return;
  const int dim = model_.mesh->dim;
  for (const Value& l : *loads) {
    const std::string type = l["type"].text(), path = "loads." + l.key, region = l["region"].text();
    const bool volume = type == "body_force";
    if (region != "all" && !check_region(*model_.mesh, region, volume ? dim : dim - 1, l["region"], diagnostics_)) continue;
    if (dim == 2 && l.has("z") && !l["z"].defaulted) {
      diagnostics_.error(l["z"].key_position, l["z"].yaml_path, "the mesh is two-dimensional; use x and y");
      continue;
    }
    const std::string where = region == "all" ? "" : region;
    std::vector<ControlledValue> values;
    if (type == "pressure") {
      values.push_back(binder_.bind(l, path, "p", "Pa", true));
      residual_.add_form(make_follower_pressure(model_.kind,
                                                CellBatches::on_facets(model_.dofs, where, degree_)), values);
      continue;
    }
    const bool foundation = type == "foundation";
    const char* unit = type == "traction" ? "Pa" : "N/m^3";
    for (int i = 0; i < dim; ++i) values.push_back(binder_.bind(l, path, axes[i], unit, !foundation));
    if (foundation) {
      residual_.add_form(make_elastic_foundation(model_.kind,
                                                 CellBatches::on_facets(model_.dofs, where, degree_)), values);
    } else {
      model_.dead_load_forms.push_back(residual_.form_count());
      residual_.add_form(volume ? make_body_force(model_.kind,
                                                  CellBatches::on_cells(model_.dofs, where, degree_))
                                : make_traction(model_.kind,
                                                CellBatches::on_facets(model_.dofs, where, degree_)),
                         values);
    }
  }
}

}  // namespace

bool check_region(const Mesh& mesh, const std::string& region, int dim, const Value& value, Diagnostics& diagnostics,
                  bool key_is_name) {
  std::vector<std::string> names;
  for (const Region& r : mesh.regions) {
    if (dim >= 0 && r.dim != dim) continue;
    if (r.name == region) return true;
    names.push_back(r.name);
  }
  std::string kind = dim < 0 ? "" : dim == mesh.dim ? "cell " : "facet ", known;
  for (const std::string& n : names) known += (known.empty() ? "" : ", ") + n;
  diagnostics.error(key_is_name ? value.key_position : value.position, value.yaml_path,
                    "the mesh has no " + kind + "region '" + region + "'" + did_you_mean(region, names),
                    "its " + kind + "regions: " + known);
  return false;
}

void build_solid(CaseModel& model, const CaseSections& sections, int order, MPI_Comm comm, Diagnostics& diagnostics) {
  const Value& physics = *sections.find("physics");
  const int dim = model.mesh->dim;
  model.kind = kind_of(physics["kind"].text());
  model.mixed = physics["formulation"].text() == "mixed";
  const std::size_t before = diagnostics.size();
  if ((model.kind == SolidKind::spatial) != (dim == 3))
    diagnostics.error(physics.position, physics.yaml_path,
                      "the mesh has dimension " + std::to_string(dim) + " and the kind is '" + physics["kind"].text() +
                          "'; use " + (dim == 3 ? "spatial" : "plane_strain, plane_stress or axisymmetric"));
  if (model.mixed && order != 2)
    diagnostics.error(physics["order"].position, physics["order"].yaml_path,
                      "the mixed formulation needs order 2 (Taylor-Hood) to be stable");
  if (model.mixed && model.kind == SolidKind::plane_stress)
    diagnostics.error(physics["formulation"].position, physics["formulation"].yaml_path,
                      "plane stress needs no pressure: use the displacement formulation, also for incompressible materials");
  if (diagnostics.size() != before) return;

  std::vector<Component> components;
  for (int i = 0; i < dim; ++i) components.push_back({std::string("u_") + axes[i], order});
  if (model.mixed) components.push_back({"p", 1});
  model.dofs = std::make_shared<const DofMap>(model.mesh, components, comm);
  const Value* loads = sections.find("loads");
  bool symmetric = true;
  if (loads)
    for (const Value& l : *loads) symmetric &= l["type"].text() != "pressure";
  model.residual = std::make_shared<FormResidual>(model.dofs, symmetric, !model.mixed);
  SolidBuilder builder(model, sections, order, diagnostics);
  builder.materials();
  builder.supports();
  builder.loads();
  if (diagnostics.size() != before) return;
  model.residual->finish();
  if (!model.mixed) model.residual->set_near_null_space(rigid_body_modes(*model.dofs));
}

}  // namespace invar
