#include "apps/invar/problem/build_shape.hpp"

#include <algorithm>
#include <stdexcept>

#include "apps/invar/problem/case_builder.hpp"
#include "apps/invar/problem/shape_table.hpp"
#include "apps/invar/problem/spec_sections.hpp"
#include "libfluid/mesh_motion/shape_design.hpp"

namespace invar {
namespace {

using namespace spec;

const ShapeEntry* find_shape(const std::string& kind) {
  const auto library = shape_library();
  const auto found = std::ranges::find(library, kind, &ShapeEntry::name);
  return found == library.end() ? nullptr : &*found;
}

std::shared_ptr<BoundarySource> make_source(const Value& e, std::shared_ptr<const Mesh> mesh, MPI_Comm comm) {
  const ShapeEntry& shape = *find_shape(e["kind"].text());
  return make_boundary_source(shape, std::move(mesh), comm, e["region"].text(), shape_values(shape, e));
}

MeshMotionOptions motion_options(const Value& spec, const std::string& region) {
  MeshMotionOptions options;
  options.moving = {region};
  if (const Value* m = spec.find("mesh_motion")) {
    if ((*m)["method"].text() == "inverse_distance") options.method = MeshMotionOptions::Method::inverse_distance;
    options.stiffening = (*m)["stiffening"].number();
    options.least_quality = (*m)["least_quality"].number();
    if (const Value* list = m->find("sliding"))
      for (const Value& s : *list) options.sliding.push_back({s["region"].text(), s["keeps"].text()[0] - 'x'});
  }
  return options;
}

}  // namespace

std::vector<Table> shape_tables() {
  std::vector<Table> tables;
  for (const ShapeEntry& shape : shape_library()) tables.push_back(shape_table(shape));
  return tables;
}

Table mesh_motion_table() {
  const Table sliding = Table("sliding", "A boundary along which nodes may slide.")
                            .required("region", text(), "facet region")
                            .required("keeps", choice({{"x", ""}, {"y", ""}, {"z", ""}}), "the fixed coordinate");
  return Table("mesh_motion", "How the mesh follows a designed boundary.")
      .defaulted("method",
                 choice({{"elastic", "an elastic body in equilibrium"},
                         {"inverse_distance", "every node moves rigidly with the nearby boundary (inverse-distance weights), which preserves thin boundary layers; no system is solved, and the cost is nodes times boundary nodes"}}),
                 "elastic", "displacement of the other nodes")
      .defaulted("stiffening", number().at_least(0), "1", "elastic: cells have the stiffness volume^(−p), p this exponent")
      .defaulted("least_quality", number().above(0).below(1), "0.05", "worst scaled Jacobian of the cells below which a trial shape is rejected")
      .optional("sliding", list_of(record(sliding)), "e.g. planes of symmetry");
}

bool is_shape(const std::string& kind) { return find_shape(kind); }

bool designs_shape(const Value& spec) {
  const Value* design = spec.find("design");
  return design && std::any_of(design->begin(), design->end(), [](const Value& e) { return is_shape(e["kind"].text()); });
}

std::shared_ptr<Parameterization> build_shape(const Value& entry, Problem& problem, Diagnostics& diagnostics) {
  const std::shared_ptr<const Mesh> mesh = problem.cases.front().mesh;
  std::vector<ShapeDesign::Target> targets;
  for (std::size_t c = 0; c < problem.cases.size(); ++c) {
    const CaseModel& model = problem.cases[c];
    if (!model.residual) return nullptr;
    if (model.mesh != mesh) {
      diagnostics.error(entry.position, entry.yaml_path, "a shape is common to all cases, and their meshes differ",
                        "give the mesh once, at the top of the spec");
      return nullptr;
    }
    targets.push_back({static_cast<int>(c), model.residual->coordinates_control()});
  }
  const MeshMotionOptions options = motion_options(problem.spec, entry["region"].text());
  bool known = check_region(*mesh, entry["region"].text(), mesh->dim - 1, entry["region"], diagnostics);
  if (const Value* m = problem.spec.find("mesh_motion"))
    if (const Value* list = m->find("sliding"))
      for (const Value& s : *list) known &= check_region(*mesh, s["region"].text(), mesh->dim - 1, s["region"], diagnostics);
  if (!known) return nullptr;
  try {
    const MPI_Comm comm = problem.cases.front().dofs->comm();
    problem.shape = std::make_shared<ShapeDesign>(make_source(entry, mesh, comm),
                                                  make_mesh_motion(mesh, comm, options), std::move(targets));
    return problem.shape;
  } catch (const std::invalid_argument& e) {
    diagnostics.error(entry.position, entry.yaml_path, e.what());
    return nullptr;
  }
}

}  // namespace invar
