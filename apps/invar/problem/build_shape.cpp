#include "apps/invar/problem/build_shape.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <stdexcept>

#include "apps/invar/problem/case_builder.hpp"
#include "apps/invar/physics/shared_tables.hpp"
#include "apps/invar/problem/spec_sections.hpp"
#include "apps/invar/spec/number_text.hpp"
#include "libfem/design/boundary/shape_library.hpp"
#include "libfluid/mesh_motion/shape_design.hpp"

namespace invar {
namespace {

using namespace spec;

std::string text_of(const ShapeParameter& p) {
  const std::vector<double>& given = *p.default_value;
  using enum ShapeParameter::Kind;
  if (p.kind == flag) return given[0] != 0 ? "true" : "false";
  const auto word = [&](double v) { return p.kind == axis || p.kind == axes ? std::string(1, "xyz"[static_cast<int>(v)]) : number_text(v); };
  if (p.kind == number || p.kind == integer || p.kind == axis) return word(given[0]);
  std::string list;
  for (const double v : given) list += (list.empty() ? "" : ", ") + word(v);
  return "[" + list + "]";
}

Table& add_parameters(Table& table, const std::vector<ShapeParameter>& parameters);

Type type_of(const ShapeParameter& p) {
  using enum ShapeParameter::Kind;
  const auto bounded = [&](Type t) { return !std::isfinite(p.lower) ? t : p.lower_open ? t.above(p.lower) : t.at_least(p.lower); };
  const Type of_axis = choice({{"x", ""}, {"y", ""}, {"z", ""}});
  switch (p.kind) {
    case number: return bounded(spec::number(std::string(p.unit)));
    case integer: return bounded(spec::integer());
    case flag: return boolean();
    case axis: return of_axis;
    case numbers: return list_of(bounded(spec::number(std::string(p.unit)))).sized(p.least, p.most);
    case integers: return list_of(bounded(spec::integer())).sized(p.least, p.most);
    case axes: return list_of(of_axis).sized(p.least, p.most);
    case group: break;
  }
  std::string sentence = std::string(p.doc) + ".";
  sentence[0] = static_cast<char>(std::toupper(sentence[0]));
  Table inner{std::string(p.key), std::move(sentence)};
  return record(add_parameters(inner, p.inner));
}

Table& add_parameters(Table& table, const std::vector<ShapeParameter>& parameters) {
  for (const ShapeParameter& p : parameters) {
    const std::string key(p.key), doc(p.doc);
    if (p.may_be_left_out) table.optional(key, type_of(p), doc);
    else if (p.default_value) table.defaulted(key, type_of(p), text_of(p), doc);
    else table.required(key, type_of(p), doc);
  }
  return table;
}

std::vector<double> numbers_of(const Value& v, const ShapeParameter& p) {
  using enum ShapeParameter::Kind;
  const auto place = [](const Value& word) { return static_cast<double>(word.text()[0] - 'x'); };
  if (p.kind == flag) return {v.boolean() ? 1.0 : 0.0};
  if (p.kind == axis) return {place(v)};
  if (p.kind == number || p.kind == integer) return {v.number()};
  if (p.kind != axes) return v.numbers();
  std::vector<double> places;
  for (const Value& word : v) places.push_back(place(word));
  return places;
}

void read_values(const Value& record, const std::vector<ShapeParameter>& parameters, const std::string& group, ShapeValues& values) {
  for (const ShapeParameter& p : parameters) {
    const Value* given = record.find(p.key);
    if (!given) continue;
    const std::string key = group + std::string(p.key);
    if (p.kind == ShapeParameter::Kind::group) {
      values.set(key, {});
      read_values(*given, p.inner, key + ".", values);
    } else {
      values.set(key, numbers_of(*given, p));
    }
  }
}

const ShapeEntry* find_shape(const std::string& kind) {
  const auto library = shape_library();
  const auto found = std::ranges::find(library, kind, &ShapeEntry::name);
  return found == library.end() ? nullptr : &*found;
}

std::shared_ptr<BoundarySource> make_source(const Value& e, std::shared_ptr<const Mesh> mesh, MPI_Comm comm) {
  const ShapeEntry& shape = *find_shape(e["kind"].text());
  ShapeValues values;
  read_values(e, shape_parameters(shape), "", values);
  return make_boundary_source(shape, std::move(mesh), comm, e["region"].text(), values);
}

MeshMotionOptions motion_options(const Value& spec, const std::string& region) {
  MeshMotionOptions options;
  options.moving = {region};
  if (const Value* m = spec.find("mesh_motion")) {
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
  for (const ShapeEntry& shape : shape_library()) {
    Table t{std::string(shape.name), std::string(shape.doc)};
    t.required("region", text(), "facet region that moves; the rest of the boundary stays");
    add_parameters(t, shape_parameters(shape));
    if (shape.by_numbers())
      t.optional("start", list_of(number()), "the numbers at the start, in the order of history.csv; default: zero, the shape as it is");
    else
      t.optional("start", value_or_formula(std::string(shape.unit)),
                 "the design field at the start, before it is smoothed: a number, or a formula in x, y, z; default: zero");
    tables.push_back(std::move(t));
  }
  return tables;
}

Table mesh_motion_table() {
  const Table sliding = Table("sliding", "A boundary along which nodes may move.")
                            .required("region", text(), "facet region")
                            .required("keeps", choice({{"x", ""}, {"y", ""}, {"z", ""}}), "the coordinate that stays");
  return Table("mesh_motion", "How the mesh follows a boundary that is designed.")
      .defaulted("stiffening", number().at_least(0), "1", "stiffness of a cell: its volume to minus this power")
      .defaulted("least_quality", number().above(0).below(1), "0.05", "scaled Jacobian below which a trial shape is refused")
      .optional("sliding", list_of(record(sliding)), "planes of symmetry and the like");
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
      diagnostics.error(entry.position, entry.yaml_path, "a shape is designed for all cases together, and they have different meshes",
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
                                                  std::make_shared<MeshMotion>(mesh, comm, options), std::move(targets));
    return problem.shape;
  } catch (const std::invalid_argument& e) {
    diagnostics.error(entry.position, entry.yaml_path, e.what());
    return nullptr;
  }
}

}  // namespace invar
