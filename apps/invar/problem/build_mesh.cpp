#include <algorithm>
#include <array>
#include <cmath>

#include "apps/invar/physics/physics.hpp"
#include "apps/invar/problem/case_model.hpp"
#include "libadjoint/number_text.hpp"
#include "libfem/form/term_spec.hpp"
#include "libfem/mesh/airfoil_mesh.hpp"
#include "libfem/mesh/boxes.hpp"
#include "libfem/mesh/carve_box.hpp"
#include "libfem/mesh/distribute.hpp"
#include "libfem/mesh/grid.hpp"
#include "libfem/mesh/grid_spacing.hpp"
#include "libfem/mesh/join_bodies.hpp"
#include "libfem/mesh/mark_cells.hpp"
#include "libfem/mesh/mark_interface.hpp"
#include "libfem/mesh/mesh_error.hpp"
#include "libfem/mesh/open_seam.hpp"
#include "libfem/mesh/overlapping_bodies.hpp"
#include "libfem/mesh/place_text.hpp"
#include "libfem/mesh/read_gmsh.hpp"
#include "libfem/mesh/read_surface.hpp"
#include "libfem/mesh/refine.hpp"
#include "libfem/mesh/mapped_boxes.hpp"
#include "libfem/mesh/second_order.hpp"
#include "libfem/mesh/unite_regions.hpp"
#include "libfem/space/expression.hpp"

namespace invar {
namespace {

/// Numbers of nodes must fit their type.
void require_countable(const std::vector<double>& cells, int order) {
  double nodes = 1;
  for (double n : cells) nodes *= order * n + 1;
  if (nodes > 2e9 / static_cast<double>(cells.size()))
    throw std::invalid_argument("the mesh has too many cells: their unknowns exceed the range of integers");
}

/// A rectangle or box of first order, graded along every axis.
Mesh graded(Mesh mesh, const std::vector<double>& from, const std::vector<double>& to, const std::vector<double>& ratios) {
  for (int i = 0; i < mesh.dim; ++i) grade_box(mesh, i, from[i], to[i], ratios[i]);
  return mesh;
}

Shape shape_of(const std::string& word) {
  if (word == "triangle") return Shape::triangle;
  if (word == "quadrilateral") return Shape::quadrilateral;
  return word == "tetrahedron" ? Shape::tetrahedron : Shape::hexahedron;
}

/// The lines of one axis, with regions for the parts of the sides `low` and `high` that its sections name.
GridAxis grid_axis(double from, const spec::Value& sections) {
  GridAxis axis(from);
  for (const spec::Value& s : sections) {
    const auto length = [&](const char* key) { return s.has(key) ? s[key].number() : 0.0; };
    axis.add(s["to"].number(), static_cast<int>(s["cells"].integer()), length("first"), length("last"));
  }
  return axis;
}

void name_side_parts(Mesh& lattice, const spec::Value& sections, const char* low, const char* high) {
  int line = 0;
  for (const spec::Value& s : sections) {
    const int begin = line;
    line += static_cast<int>(s["cells"].integer());
    for (const char* side : {low, high})
      if (const spec::Value* name = s.find(side)) add_side_part(lattice, name->text(), side, begin, line);
  }
}

void deform(Mesh& mesh, const spec::Value& grid) {
  std::array<std::unique_ptr<Expression>, 2> formula;
  for (int i = 0; i < 2; ++i)
    if (const spec::Value* f = grid.find(i ? "y" : "x")) formula[i] = std::make_unique<Expression>(f->text());
  for (std::size_t n = 0; n < mesh.coordinates.size(); n += 2) {
    const double x = mesh.coordinates[n], y = mesh.coordinates[n + 1];
    for (int i = 0; i < 2; ++i)
      if (formula[i] && !std::isfinite(mesh.coordinates[n + i] = (*formula[i])(x, y, 0, 0)))
        throw std::invalid_argument("the formula '" + formula[i]->formula() + "' has no finite value at (" + number_text(x) + ", " + number_text(y) + ")");
  }
}

Mesh refined(Mesh mesh, int levels) {
  for (int level = 0; level < levels; ++level) mesh = refine(mesh);
  return mesh;
}

/// New lines of a refined grid, and nodes between vertices, are placed by its stretching functions and formulas.
Mesh grid_mesh(const spec::Value& grid, int levels, int order) {
  const auto from = grid["from"].numbers();
  const GridAxis x = grid_axis(from[0], grid["columns"]), y = grid_axis(from[1], grid["rows"]);
  Mesh mesh = make_lattice(x.cells(), y.cells(), shape_of(grid["shape"].text()));
  name_side_parts(mesh, grid["columns"], "bottom", "top");
  name_side_parts(mesh, grid["rows"], "left", "right");
  mesh = refined(std::move(mesh), levels);
  place_lines(mesh, x, y);
  if (order == 2) mesh = to_second_order(mesh);
  deform(mesh, grid);
  require_upright_cells(mesh, "a formula of the grid");
  return mesh;
}

Mesh airfoil_mesh(const spec::Value& a, int levels) {
  using Topology = AirfoilMeshOptions::Topology;
  const AirfoilProfile profile = a.has("naca") ? AirfoilProfile::naca(a["naca"].text()) : AirfoilProfile::read(a["profile"].file().string());
  const auto count = [&](const char* key) { return static_cast<int>(a[key].integer()); };
  return make_airfoil_mesh(profile, {.topology = a["topology"].text() == "c" ? Topology::c : Topology::o,
                                     .chord = a["chord"].number(),
                                     .radius = a["radius"].number(),
                                     .around = count("around"),
                                     .wake = count("wake"),
                                     .normal = count("normal"),
                                     .first = a["first"].number(),
                                     .leading = a["leading"].number(),
                                     .trailing = a["trailing"].number(),
                                     .refine = levels,
                                     .shape = shape_of(a["shape"].text())});
}

/// Translates a mesh by `at` of its section, if that is given. what: the mesh in words.
void move_to(Mesh& mesh, const spec::Value& section, const std::string& what) {
  if (!section.has("at")) return;
  const std::vector<double> at = section["at"].numbers();
  if (static_cast<int>(at.size()) != mesh.dim)
    throw std::invalid_argument(what + " has " + std::to_string(mesh.dim) + " coordinates; give as many numbers in 'at'");
  for (std::size_t i = 0; i < mesh.coordinates.size(); ++i) mesh.coordinates[i] += at[i % mesh.dim];
}

Mesh surface_mesh(const spec::Value& s) {
  Mesh mesh = read_surface(s["file"].file().string());
  const double scale = s["scale"].number();
  for (double& x : mesh.coordinates) x *= scale;
  move_to(mesh, s, "the surface");
  return mesh;
}

/// A mesh of a single node.
Mesh point_mesh(const spec::Value& at) {
  Mesh mesh;
  mesh.coordinates = at.numbers();
  mesh.dim = static_cast<int>(mesh.coordinates.size());
  if (mesh.dim != 2 && mesh.dim != 3) throw std::invalid_argument("a point has two or three coordinates");
  return mesh;
}

/// How many cells a built-in mesh has along each of its directions.
std::vector<double> cells_along(const spec::Value& section) {
  if (const spec::Value* grid = section.find("grid")) {
    std::vector<double> n;
    for (const char* key : {"columns", "rows"}) {
      n.push_back(0);
      for (const spec::Value& part : (*grid)[key]) n.back() += part["cells"].number();
    }
    return n;
  }
  if (const spec::Value* a = section.find("airfoil"))
    return {(*a)["around"].number() + 2 * (*a)["wake"].number(), (*a)["normal"].number()};
  for (const char* kind : {"rectangle", "patch", "box"})
    if (const spec::Value* mesh = section.find(kind)) return (*mesh)["cells"].numbers();
  return {};
}

/// A mesh of the user's mesher, whose cells may touch without being connected.
Mesh mesh_of_file(const spec::Value& file, Diagnostics& diagnostics) {
  Mesh mesh = read_gmsh(file.file().string());
  if (const OpenSeam seam = find_open_seam(mesh); seam.facets > 0)
    diagnostics.warning(file.position, "cells touch without being connected: " + std::to_string(seam.facets) + " facets of the boundary lie on others without common nodes, the first at " +
                                           place_in_words(seam.place, mesh.dim) + "; merge coincident nodes in the mesher (Gmsh: 'Coherence Mesh'), avoid nodes that hang in the edge or "
                                           "face of another cell, or, if a crack is meant, name its faces as a region");
  return mesh;
}

/// The mesh as it is given, refined; built-in meshes are of first order, grids of the order of the elements.
Mesh serial_mesh(const spec::Value& section, int levels, int order, Diagnostics& diagnostics) {
  if (const spec::Value* bodies = section.find("bodies")) {
    std::vector<std::pair<std::string, Mesh>> all;
    for (const spec::Value& body : *bodies) {
      Mesh mesh = serial_mesh(body, levels, order, diagnostics);
      move_to(mesh, body, "the body '" + body.key + "'");
      if (order == 2 && !body.has("point")) mesh = to_second_order(mesh);  // as grids are
      all.emplace_back(body.key, std::move(mesh));
    }
    return join_bodies(all);
  }
  if (const spec::Value* surface = section.find("surface")) return refined(surface_mesh(*surface), levels);
  if (const spec::Value* at = section.find("point")) return point_mesh(*at);
  if (const spec::Value* file = section.find("file")) return refined(mesh_of_file(*file, diagnostics), levels);
  std::vector<double> n = cells_along(section);
  for (double& cells : n) cells = std::ldexp(cells, levels);
  require_countable(n, order);
  if (const spec::Value* grid = section.find("grid")) return grid_mesh(*grid, levels, order);
  if (const spec::Value* a = section.find("airfoil")) return airfoil_mesh(*a, levels);
  if (const spec::Value* r = section.find("rectangle")) {
    const auto from = (*r)["from"].numbers(), to = (*r)["to"].numbers(), cells = (*r)["cells"].numbers();
    Mesh mesh = make_rectangle(from[0], from[1], to[0], to[1], int(cells[0]), int(cells[1]), shape_of((*r)["shape"].text()));
    return refined(graded(std::move(mesh), from, to, (*r)["grading"].numbers()), levels);
  }
  if (const spec::Value* p = section.find("patch")) {
    const auto cells = (*p)["cells"].numbers();
    std::vector<std::array<double, 2>> corners;
    for (const spec::Value& corner : (*p)["corners"]) corners.push_back({corner.numbers()[0], corner.numbers()[1]});
    Mesh mesh = make_rectangle(0, 0, 1, 1, int(cells[0]), int(cells[1]), shape_of((*p)["shape"].text()));
    mesh = graded(std::move(mesh), {0, 0}, {1, 1}, (*p)["grading"].numbers());
    map_square(mesh, corners);
    return refined(std::move(mesh), levels);
  }
  const spec::Value& b = section["box"];
  const auto from = b["from"].numbers(), to = b["to"].numbers(), cells = b["cells"].numbers();
  Mesh mesh = make_box({from[0], from[1], from[2]}, {to[0], to[1], to[2]}, {int(cells[0]), int(cells[1]), int(cells[2])},
                       shape_of(b["shape"].text()));
  return refined(graded(std::move(mesh), from, to, b["grading"].numbers()), levels);
}

/// Cells that the spec takes away.
void carve(Mesh& mesh, const spec::Value& hole, Diagnostics& diagnostics) {
  const auto from = hole["from"].numbers(), to = hole["to"].numbers();
  try {
    if (int(from.size()) != mesh.dim || int(to.size()) != mesh.dim)
      throw std::invalid_argument("the mesh has " + std::to_string(mesh.dim) + " coordinates; give as many numbers in 'from' and 'to'");
    carve_box(mesh, hole.key, from, to);
  } catch (const std::invalid_argument& e) {
    diagnostics.error(hole.position, hole.yaml_path, e.what());
  }
}

/// A region that the spec makes of others.
void add_union(Mesh& mesh, const spec::Value& parts, Diagnostics& diagnostics) {
  try {
    unite_regions(mesh, parts.key, parts.texts());
  } catch (const std::invalid_argument& e) {
    diagnostics.error(parts.position, parts.yaml_path, e.what());
  }
}

/// A region of the cells where a formula holds.
void add_part(Mesh& mesh, const spec::Value& part, Diagnostics& diagnostics) {
  try {
    const Expression formula(part.text());
    mark_cells(mesh, part.key, [&](double x, double y, double z) { return formula(x, y, z, 0) > 0; });
  } catch (const ExpressionError& e) {
    diagnostics.error(part.position, part.yaml_path, e.what());
  } catch (const std::invalid_argument& e) {
    diagnostics.error(part.position, part.yaml_path, e.what());
  }
}

/// Groups of regions in contact, or of obstacles with the regions that move them, over all cases, because cases share meshes.
std::vector<std::vector<std::string>> touching_regions(const spec::Value& spec) {
  std::vector<std::vector<std::string>> groups;
  const auto add_pairs = [&](const spec::Value& sections) {
    if (const spec::Value* contact = sections.find("contact"))
      for (const spec::Value& pair : *contact) {
        if (const spec::Value* self = pair.find("self")) groups.push_back({self->text()});
        else if (const spec::Value* between = pair.find("between")) groups.push_back(between->texts());
      }
    if (const spec::Value* loads = sections.find("loads"))
      for (const spec::Value& load : *loads)
        if (const spec::Value *carrier = load.find(carrier_key), *region = load.find("region"); carrier && region)
          groups.push_back({region->text(), carrier->text()});
  };
  add_pairs(spec);
  if (const spec::Value* cases = spec.find("cases"))
    for (const spec::Value& own : *cases) add_pairs(own);
  return groups;
}

/// Adds the interfaces that cases on this mesh need, and returns the regions that every rank must hold; of all cases, because they share meshes.
std::vector<std::string> held_everywhere(Mesh& serial, const spec::Value& mesh, const spec::Value& spec) {
  std::vector<std::string> regions;
  const auto add = [&](const CaseSections& sections) {
    const spec::Value *options = sections.find("physics"), *type = options ? options->find("type") : nullptr;
    if (sections.find("mesh") != &mesh || !type || !type->is_text()) return;
    const auto physics = std::ranges::find(all_physics(), type->text(), [](const Physics& p) { return p.word(); });
    const auto felt = physics != all_physics().end() && physics->felt_everywhere ? physics->felt_everywhere(sections) : std::nullopt;
    if (!felt) return;
    regions.insert(regions.end(), felt->regions.begin(), felt->regions.end());
    const std::string interface = interface_name(felt->interface_of);
    if (const Region* part = serial.find_region(felt->interface_of); !part || part->dim != serial.dim || std::ranges::count(regions, interface) > 0) return;
    mark_interface(serial, interface, felt->interface_of);
    regions.push_back(interface);
  };
  const spec::Value* cases = spec.find("cases");
  if (!cases) add({{}, &spec, nullptr});
  else
    for (const spec::Value& own : *cases) add({own.key, &spec, &own});
  return regions;
}

/// Warns of bodies that are drawn within each other. Those of a contact pair are left to `check_start`.
void warn_of_overlaps(const Mesh& serial, const spec::Value& bodies, const std::vector<std::vector<std::string>>& touching, Diagnostics& diagnostics) {
  std::vector<std::string> names;
  for (const spec::Value& body : bodies) names.push_back(body.key);
  const auto touches = [](const std::vector<std::string>& group, const std::string& body) {
    return std::ranges::any_of(group, [&](const std::string& region) { return region == body || region.starts_with(body + "_"); });
  };
  for (const auto& [both, place] : find_overlapping_bodies(serial, names))
    if (std::ranges::none_of(touching, [&](const auto& group) { return touches(group, both[0]) && touches(group, both[1]); }))
      diagnostics.warning(bodies[both[1].c_str()].key_position, "the bodies '" + both[0] + "' and '" + both[1] + "' are drawn within each other, at " +
                                                                    place_in_words(place, serial.dim) + ", and no contact pair keeps them apart");
}

}  // namespace

Mesh build_serial_mesh(const spec::Value& section, int order, Diagnostics& diagnostics) {
  Mesh serial = serial_mesh(section, static_cast<int>(section["refine"].integer()), order, diagnostics);
  if (const spec::Value* holes = section.find("holes"))
    for (const spec::Value& h : *holes) carve(serial, h, diagnostics);
  if (const spec::Value* parts = section.find("parts"))
    for (const spec::Value& p : *parts) add_part(serial, p, diagnostics);
  if (const spec::Value* regions = section.find("regions"))
    for (const spec::Value& r : *regions) add_union(serial, r, diagnostics);
  return serial;
}

std::shared_ptr<const Mesh> build_mesh(const CaseSections& sections, const Physics& physics, MPI_Comm comm, MeshCache& cache,
                                       Diagnostics& diagnostics) {
  const spec::Value& section = *sections.find("mesh");
  const int order = physics.order(*sections.find("physics"));
  const bool straight = order == 1 && physics.unknowns_at_all_nodes;
  const std::string key = section.yaml_path + " order " + std::to_string(order) + (straight ? " straight" : "");
  if (const auto known = cache.known.find(key); known != cache.known.end()) return known->second;
  std::shared_ptr<const Mesh> mesh;
  const spec::Value* file = section.find("file");
  const spec::Value& place = file ? *file : section;
  try {
    const auto given = cache.given.find(section.yaml_path);
    Mesh serial = given != cache.given.end() ? given->second : build_serial_mesh(section, order, diagnostics);
    if (order == 2) serial = to_second_order(serial);
    if (straight) serial = to_first_order(serial);
    const std::vector<std::vector<std::string>> touching = touching_regions(*sections.top);
    if (const spec::Value* bodies = section.find("bodies"); bodies && given == cache.given.end()) warn_of_overlaps(serial, *bodies, touching, diagnostics);
    const std::vector<std::string> everywhere = straight ? held_everywhere(serial, section, *sections.top) : std::vector<std::string>();
    mesh = std::make_shared<const Mesh>(distribute(serial, comm, touching, everywhere));
  } catch (const MeshError& e) {
    diagnostics.error(place.position, place.yaml_path, e.what());
  } catch (const ExpressionError& e) {
    diagnostics.error(place.position, place.yaml_path, e.what());
  } catch (const std::invalid_argument& e) {
    diagnostics.error(place.position, place.yaml_path, e.what());
  }
  return cache.known[key] = mesh;
}

}  // namespace invar
