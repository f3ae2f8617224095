#pragma once
#include <cmath>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "libadjoint/static_case.hpp"
#include "libfem/form/form_residual.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/solid/centrifugal_form.hpp"
#include "libfem/solid/mass_moment.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/solid_forms.hpp"

namespace invar::gradient_test {

enum class Volume { compressible, incompressible, nearly_incompressible };

/// One solid of the matrix: what it is made of and how it is discretised.
struct ProblemSpec {
  SolidKind kind = SolidKind::plane_strain;
  Volume volume = Volume::compressible;
  std::string material = "neo_hookean";
  int terms = 1;
  VolumetricLaw volumetric = VolumetricLaw::quadratic;
  bool swelling = false, distributed = false, growth = false;
  CellType cell{Shape::triangle, 2};
  int refinement = 1;           // cells along x
  bool follower_pressure = true;  // false: conservative loads, symmetric tangent
  std::vector<double> times{1.0};
  bool young_is_field = false;  // the first material constant is given per cell
  bool loads_at_points = true;
  bool shape = false;           // coordinates are designed
  std::string solver;           // of the linear systems; empty: a direct one
  int index = 0;                // in the table; rotates what is done with it
};

inline const char* word(SolidKind kind) {
  switch (kind) {
    case SolidKind::spatial: return "spatial";
    case SolidKind::plane_strain: return "plane_strain";
    case SolidKind::plane_stress: return "plane_stress";
    default: return "axisymmetric";
  }
}

inline std::string name_of(const ProblemSpec& s) {
  const char* volumes[] = {"compressible", "incompressible", "nearly_incompressible"};
  return s.material + (s.terms > 1 ? std::to_string(s.terms) : "") +
         (s.volumetric == VolumetricLaw::quadratic ? "" : "_" + std::string(volumetric_laws[static_cast<int>(s.volumetric)].name)) +
         (s.swelling ? "_swelling" : "") + (s.growth ? "_growth" : "") + (s.distributed ? "_distributed" : "") + "_" + word(s.kind) + "_" +
         volumes[static_cast<int>(s.volume)] + "_" + std::string(name_of(s.cell.shape)) + std::to_string(s.cell.order) +
         (s.follower_pressure ? "" : "_conservative");
}

/// Plane stress needs no pressure: there the incompressible law is condensed at the point.
inline bool is_mixed(const ProblemSpec& s) {
  return s.volume != Volume::compressible && s.kind != SolidKind::plane_stress;
}

/// A value for a material constant. An unknown constant is an error: the tests below could not be run
/// with the law that asks for it.
inline double typical_constant(const std::string& key) {
  static const std::map<std::string, double> table{
      {"young", 10},   {"poisson", 0.3}, {"bulk", 40},    {"mu", 4},      {"c10", 1.4},    {"c01", 0.6},
      {"c1", 2},       {"c2", -0.3},     {"c3", 0.5},     {"jm", 12},     {"lambda_m", 2}, {"E1", 11},
      {"E2", 9},       {"E3", 13},       {"nu12", 0.25},  {"nu23", 0.2},  {"nu13", 0.3},   {"G12", 4},
      {"G23", 3},      {"G13", 5},       {"mu1", 2},      {"alpha1", 1.7}, {"mu2", -0.8},  {"alpha2", -1.4},
      {"mu3", 0.1},    {"alpha3", 4.5},
      {"swelling", 0.04}, {"material_share", 0.8}, {"finite_share", 0.7}, {"E_along", 14}, {"E_across", 9}, {"nu_along", 0.3}, {"nu_across", 0.25}, {"G_along", 4}, {"angle", 35}, {"elevation", 20},
      {"growth_xx", 0.06}, {"growth_yy", -0.04}, {"growth_zz", 0.05}, {"growth_xy", 0.03}, {"growth_xz", 0.02}, {"growth_yz", -0.03}};
  if (key.starts_with("fibre")) {  // of soft tissue: two families that cross
    const double sign = key[5] == '1' ? 1 : -1;
    if (key.ends_with("stiffness")) return 3.0 + sign;
    if (key.ends_with("exponent")) return 0.8;
    if (key.ends_with("dispersion")) return 0.12;
    return key.ends_with("angle") ? 30.0 + 25 * sign : 10 * sign;
  }
  if (const std::size_t at = key.find('_'); at != std::string::npos && (key.starts_with("stretch") || key.starts_with("inverse"))) {
    const int neuron = key[at - 1] - '0';  // of a convex network
    if (key.ends_with("stress")) return (key[0] == 's' ? 4.0 : 2.0) / neuron;
    if (key.ends_with("sharpness")) return 1.0 + 0.5 * neuron;
    return 0.7 + 0.3 * neuron;
  }
  const auto it = table.find(key);
  if (it == table.end())
    throw std::logic_error("material constant '" + key + "' has no value in the gradient tests: add one");
  return it->second;
}

/// A smooth map that bends every edge; keeps x > 0.
inline void bend(double* x, int dim) {
  const double X = x[0], Y = x[1], Z = dim == 3 ? x[2] : 0.4;
  x[0] += 0.05 * std::sin(2.3 * Y + 0.4) + 0.03 * Z * Z;
  x[1] += 0.06 * std::cos(1.7 * X) * (1 + 0.5 * Z) + 0.04 * Y * Y;
  if (dim == 3) x[2] += 0.05 * std::sin(1.9 * X + 1.1 * Y);
}

/// The body fills [0.5, 1.7] × [0, 1] (× [0, 0.9]) before it is bent.
inline Mesh bent_mesh(const ProblemSpec& s) {
  Mesh mesh = s.kind == SolidKind::spatial
                  ? make_box({0.5, 0, 0}, {1.7, 1, 0.9}, {s.refinement, 1, 1}, s.cell.shape, s.cell.order)
                  : make_rectangle(0.5, 0, 1.7, 1, s.refinement, 1, s.cell.shape, s.cell.order);
  for (int n = 0; n < mesh.node_total(); ++n) bend(&mesh.coordinates[std::size_t(n) * mesh.dim], mesh.dim);
  return mesh;
}

/// A load of the matrix: the factory of its form, where it acts, its coefficients.
struct LoadCase {
  std::string name, factory;
  std::unique_ptr<WeakForm> (*make)(SolidKind, CellBatches);
  std::string region;      // empty: all cells
  bool dead = false;       // part of the compliance
  double size = 0;         // of the first component
  bool at_points = false;
};

inline const std::vector<LoadCase>& all_loads() {
  static const std::vector<LoadCase> loads{
      {"body_force", "make_body_force", &make_body_force, "", true, 0.4},
      {"traction", "make_traction", &make_traction, "top", true, 0.3},
      {"pressure", "make_follower_pressure", &make_follower_pressure, "bottom", false, 0.25},
      {"foundation", "make_elastic_foundation", &make_elastic_foundation, "top", false, 0.6},
      {"point_force", "make_point_force", &make_point_force, "right_bottom", true, 0.04, true},
      {"spring", "make_point_spring", &make_point_spring, "right_top", false, 0.5, true},
      {"centrifugal", "make_centrifugal", [](SolidKind kind, CellBatches cells) { return make_centrifugal(kind, true, std::move(cells)); }, "", true, 0.3}};
  return loads;
}

/// The discrete problem with everything that it owns.
struct SolidProblem {
  ProblemSpec spec;
  std::shared_ptr<const Mesh> mesh;
  std::shared_ptr<const DofMap> dofs;
  std::shared_ptr<const Material> material;
  std::shared_ptr<FormResidual> residual;
  std::vector<int> designed;          // controls that are designed: all shared finite ones, but what leaves a plane
  std::vector<int> dead_load_forms;   // whose value is −(work of the loads)
  int mass_moment_form = -1;

  std::shared_ptr<LinearSolver> make_solver() const;
  std::shared_ptr<StaticCase> make_case(std::shared_ptr<LinearSolver> solver) const;
  std::shared_ptr<StaticCase> make_case() const { return make_case(make_solver()); }
};

/// Growth that would shear a plane body out of its plane is zero, and not designed.
inline bool leaves_the_plane(const ProblemSpec& s, std::string_view constant) {
  return s.kind != SolidKind::spatial && (constant == "growth_xz" || constant == "growth_yz");
}

inline std::vector<Component> components_of(const ProblemSpec& s) {
  std::vector<Component> c{{"u_x", s.cell.order}, {"u_y", s.cell.order}};
  if (s.kind == SolidKind::spatial) c.push_back({"u_z", s.cell.order});
  if (is_mixed(s)) c.push_back({"p", 1});
  return c;
}

inline std::unique_ptr<Material> material_of(const ProblemSpec& s) {
  MaterialChoice choice;
  choice.name = s.material;
  choice.formulation = s.volume == Volume::compressible ? Formulation::compressible : Formulation::isochoric;
  choice.plane_stress = s.kind == SolidKind::plane_stress;
  choice.terms = s.terms;
  choice.volumetric = s.volumetric;
  choice.swelling = s.swelling;
  choice.distributed = s.distributed;
  choice.growth = s.growth;
  if (s.distributed)
    for (const ParamSpec& k : make_material({.name = s.material, .formulation = choice.formulation, .terms = s.terms})->parameters())
      choice.rest_constants.push_back(typical_constant(std::string(k.key)));
  return make_material(choice);
}

inline SolidProblem make_problem(const ProblemSpec& s, MPI_Comm comm) {
  SolidProblem p;
  p.spec = s;
  p.mesh = std::make_shared<const Mesh>(distribute(bent_mesh(s), comm));
  p.dofs = std::make_shared<const DofMap>(p.mesh, components_of(s), comm);
  p.material = material_of(s);
  p.residual = std::make_shared<FormResidual>(p.dofs);
  FormResidual& r = *p.residual;
  if (s.shape) r.add_coordinates();
  const int dim = p.mesh->dim, degree = s.cell.order == 2 ? 4 : 2;
  const auto control = [&](const std::string& name, double v, double lower, double upper) {
    p.designed.push_back(r.add_control({name, "", ControlLayout::number, lower, upper}, {v}));
    return p.designed.back();
  };
  constexpr double infinity = std::numeric_limits<double>::infinity();

  std::vector<ControlledValue> values;
  for (const ParamSpec& k : p.material->parameters()) {
    const double v = leaves_the_plane(s, k.key) ? 0 : typical_constant(std::string(k.key));
    if (s.young_is_field && values.empty()) {
      std::vector<double> field;  // by the cell's number in the serial mesh: the same on any number of ranks
      for (const auto& block : p.mesh->original_cell)
        for (long long c : block) field.push_back(v * (1 + 0.3 * std::sin(1.3 * static_cast<double>(c))));
      values.push_back({r.add_control({"material." + std::string(k.key), "", ControlLayout::cells, k.lower, k.upper}, field), {}});
    } else if (leaves_the_plane(s, k.key)) {
      values.push_back({r.add_control({"material." + std::string(k.key), ""}, {v}), {}});
    } else {
      values.push_back({control("material." + std::string(k.key), v, k.lower, k.upper), {}});
    }
  }
  if (is_mixed(s)) {
    const bool exact = s.volume == Volume::incompressible;
    values.push_back({exact ? r.add_control({"", ""}, {infinity}) : control("material.kappa", 150, 0, infinity), {}});
  }
  CellBatches cells = CellBatches::on_cells(p.dofs, "", degree);
  r.add_form(is_mixed(s) ? make_mixed_form(s.kind, p.material, std::move(cells))
                         : make_displacement_form(s.kind, p.material, std::move(cells)),
             std::move(values));

  // Loads: the last component of each vary in space and time.
  for (const LoadCase& load : all_loads()) {
    if (load.name == "pressure" && !s.follower_pressure) continue;
    if (load.at_points && !s.loads_at_points) continue;
    auto form = load.make(s.kind, load.at_points        ? CellBatches::on_points(p.dofs, load.region + (dim == 3 ? "_back" : ""))
                                  : load.region.empty() ? CellBatches::on_cells(p.dofs, "", degree)
                                                        : CellBatches::on_facets(p.dofs, load.region, degree));
    const int count = static_cast<int>(form->coefficients().size());
    std::vector<ControlledValue> v;
    for (int i = 0; i < count; ++i) {
      ControlledValue c{control(load.name + "." + std::to_string(i), load.size * (1 - 0.3 * i), -infinity, infinity), {}};
      if (load.name == "pressure") {
        c.shape = [](const double*, double t) { return t; };
        c.varies_in_time = true;
      } else if (load.dead && i == count - 1) {
        c.shape = [](const double* x, double t) { return t * (0.6 + 0.5 * x[0] * x[1]); };
        c.varies_in_space = c.varies_in_time = true;
      }
      v.push_back(std::move(c));
    }
    if (load.dead) p.dead_load_forms.push_back(r.form_count());
    r.add_form(std::move(form), std::move(v));
  }

  // A moment of mass, of the cells or of facets: its density and share are numbers that something else reads too.
  const ControlledValue density{p.designed.back(), [](const double* x, double) { return 1 + 0.5 * x[0] * x[1]; }, true, false},
      share{p.designed[p.designed.size() - 2], {}};
  const bool cells_have_mass = s.index % 2 == 0;
  p.mass_moment_form = r.add_functional(
      make_mass_moment(1, cells_have_mass ? dim : dim - 1, s.kind == SolidKind::axisymmetric,
                       cells_have_mass ? CellBatches::on_cells(p.dofs, "", degree) : CellBatches::on_facets(p.dofs, "top", degree)),
      {density, share});

  // Supports: the left side follows a smooth motion, the right side is pulled, both non-uniformly; so is the top, whose
  // force where it meets the left side is told from that one's.
  for (int i = 0; i < dim; ++i) {
    const int c = control("left." + std::to_string(i), 0.02 * (1 + i), -infinity, infinity);
    r.add_dirichlet({"left", i, {c, [i](const double* x, double t) { return t * (x[1 - i % 2] + 0.2 * i); }, true, true}});
  }
  const int pull = control("right.0", 0.12, -infinity, infinity);
  r.add_dirichlet({"right", 0, {pull, [](const double* x, double t) { return t * (1 + 0.3 * x[1] * x[1]); }, true, true}});
  const int lift = control("top.1", 0.04, -infinity, infinity);
  r.add_dirichlet({"top", 1, {lift, [](const double* x, double t) { return t * (1 + 0.3 * x[0]); }, true, true}});
  r.finish();
  return p;
}

/// Tight solves: what is left is round-off, so that differences can be trusted to about 1e-13.
inline std::shared_ptr<LinearSolver> SolidProblem::make_solver() const {
  int ranks = 1;
  MPI_Comm_size(dofs->comm(), &ranks);
  LinearSolverOptions linear;
  linear.method = residual->symmetric() ? "mumps_cholesky" : "mumps";
#ifdef INVAR_SUITESPARSE  // quicker for small matrices; MUMPS has its share of every combination
  if (spec.index % 4 != 0 && ranks != 2) linear.method = ranks == 1 ? "umfpack" : "redundant";
#endif
  linear.rtol = 1e-15;
  if (!spec.solver.empty()) {
    linear.method = spec.solver;
    linear.rtol = 1e-13;
  }
  return std::make_shared<LinearSolver>(dofs->comm(), linear);
}

inline std::shared_ptr<StaticCase> SolidProblem::make_case(std::shared_ptr<LinearSolver> solver) const {
  LoadSteppingOptions stepping;
  stepping.newton.rtol = 1e-13;
  return std::make_shared<StaticCase>(name_of(spec), residual, std::move(solver), spec.times, 0.0, stepping);
}

}  // namespace invar::gradient_test
