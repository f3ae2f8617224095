#include "apps/invar/verbs/setup_scene.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "apps/invar/picture/layout.hpp"
#include "apps/invar/problem/case_builder.hpp"
#include "apps/invar/spec/diagnostics.hpp"
#include "libfem/mesh/reference_element.hpp"

namespace invar {
namespace {

using Place = SetupPicture::Point;
using Entry = SetupPicture::Entry;

constexpr std::size_t longest_value = 44, most_arrows = 14;

/// A section of the case's own, or that at the top; null: there is none.
const spec::Value* section_of(const Problem& problem, const CaseModel& model, const char* name) {
  if (const spec::Value* cases = problem.spec.find("cases"))
    if (const spec::Value* own = cases->find(model.name))
      if (const spec::Value* section = own->find(name)) return section;
  return problem.spec.find(name);
}

std::string value_in_words(const spec::Value& v) {
  if (v.is_number()) return label_number(v.scalar, 6);
  if (v.is_list()) {
    std::string text;
    for (const spec::Value& child : v) text += (text.empty() ? "" : ", ") + value_in_words(child);
    return '[' + text + ']';
  }
  if (v.kind == spec::Value::Kind::boolean) return v.boolean() ? "true" : "false";
  if (v.is_map() || v.kind == spec::Value::Kind::invalid) return "…";
  std::string text = v.text();
  if (text.size() > longest_value) text = text.substr(0, longest_value) + "…";
  return text;
}

Place node_at(const Mesh& mesh, int node) {
  Place x{};
  for (int d = 0; d < mesh.dim; ++d) x[d] = mesh.coordinates[node * mesh.dim + d];
  return x;
}

/// Of the box around the mesh, m.
double diagonal_of(const Mesh& mesh) {
  double square = 0;
  for (int d = 0; d < mesh.dim; ++d) {
    double low = INFINITY, high = -INFINITY;
    for (int node = 0; node < mesh.node_total(); ++node) {
      low = std::min(low, mesh.coordinates[node * mesh.dim + d]);
      high = std::max(high, mesh.coordinates[node * mesh.dim + d]);
    }
    square += (high - low) * (high - low);
  }
  return std::sqrt(square);
}

/// Nodes around a side of a cell with these vertices, those in the middle of edges included.
std::vector<int> ring(const CellType& type, const int* nodes, std::span<const int> vertices, bool closed) {
  std::vector<int> around;
  const auto edges = edges_of(type.shape);
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    const int a = vertices[k], b = vertices[(k + 1) % vertices.size()];
    around.push_back(nodes[a]);
    if (type.order < 2 || (!closed && k + 1 == vertices.size())) continue;
    for (std::size_t e = 0; e < edges.size(); ++e)
      if (std::minmax(edges[e][0], edges[e][1]) == std::minmax(a, b))
        around.push_back(nodes[vertex_count(type.shape) + static_cast<int>(e)]);
  }
  return around;
}

std::vector<int> whole(const CellType& type, const int* nodes) {
  const int all[] = {0, 1, 2, 3};
  const auto n = static_cast<std::size_t>(vertex_count(type.shape));
  return ring(type, nodes, std::span(all, n), n > 2);
}

/// Cells of a plane mesh; of a body its outer sides, of the cells that are wanted (null: all).
std::vector<std::vector<int>> seen_sides(const Mesh& mesh, const Region* region) {
  std::vector<std::vector<int>> sides;
  for (std::size_t b = 0; b < mesh.cells.size(); ++b) {
    const CellBlock& block = mesh.cells[b];
    const auto add = [&](int cell) {
      const int* nodes = &block.nodes[cell * node_count(block.type)];
      if (mesh.dim == 2) {
        sides.push_back(whole(block.type, nodes));
        return;
      }
      const auto facets = facets_of(block.type.shape);
      for (std::size_t f = 0; f < facets.size(); ++f)
        if (mesh.exterior[b][cell] >> f & 1)
          sides.push_back(ring(block.type, nodes, {facets[f].vertices.data(), static_cast<std::size_t>(vertex_count(facets[f].shape))}, true));
    };
    if (region)
      for (const int cell : region->members[b]) add(cell);
    else
      for (int cell = 0; cell < block.count(); ++cell) add(cell);
  }
  return sides;
}

/// A region of sides, lines in the plane, or else of points.
Entry region_entry(const Mesh& mesh, const Region& region, std::string text) {
  Entry entry{Entry::Kind::facets, std::move(text)};
  if (region.dim == mesh.dim - 1) {
    for (std::size_t b = 0; b < mesh.facets.size(); ++b)
      for (const int facet : region.members[b]) {
        const CellBlock& block = mesh.facets[b];
        auto side = whole(block.type, &block.nodes[facet * node_count(block.type)]);
        (mesh.dim == 2 ? entry.lines : entry.polygons).push_back(std::move(side));
      }
  } else {
    for (const int node : region.nodes) entry.points.push_back(node_at(mesh, node));
  }
  return entry;
}

/// A few nodes with forces, spread evenly: none is nearer to another than `apart`.
std::vector<SetupPicture::Arrow> some_of(std::vector<SetupPicture::Arrow> arrows, double apart) {
  double longest = 0;
  for (const auto& a : arrows) longest = std::max(longest, std::hypot(a.along[0], a.along[1], a.along[2]));
  std::erase_if(arrows, [&](const auto& a) { return std::hypot(a.along[0], a.along[1], a.along[2]) <= 0.02 * longest; });
  if (arrows.empty()) return arrows;
  std::vector<SetupPicture::Arrow> chosen = {arrows.front()};
  std::vector<double> free(arrows.size(), INFINITY);
  while (chosen.size() < most_arrows) {
    for (std::size_t i = 0; i < arrows.size(); ++i) {
      const Place &x = arrows[i].foot, &y = chosen.back().foot;
      free[i] = std::min(free[i], std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]));
    }
    const auto farthest = std::ranges::max_element(free);
    if (*farthest < apart) break;
    chosen.push_back(arrows[farthest - free.begin()]);
  }
  return chosen;
}

/// Text of the keys of an entry that are none of these.
std::string keys_of(const spec::Value& entry, const std::set<std::string>& but) {
  std::string text;
  for (const spec::Value& v : entry)
    if (!but.contains(v.key) && !v.defaulted) text += (text.empty() ? "" : ", ") + v.key + " = " + value_in_words(v);
  return text;
}

Place point_of(const std::vector<double>& x) {
  Place p{};
  std::copy_n(x.begin(), std::min<std::size_t>(3, x.size()), p.begin());
  return p;
}

/// The points that the rows of a table of data are about; none where it has no columns x and y.
std::vector<Place> places_in(const CsvTable& table) {
  std::vector<Place> all(table.row_count(), Place{});
  for (int axis = 0; axis < 3; ++axis) {
    const auto column = std::ranges::find(table.columns, std::string(1, "xyz"[axis]));
    if (column == table.columns.end()) {
      if (axis < 2) return {};
      continue;
    }
    const std::vector<double>& x = table.data[column - table.columns.begin()];
    for (std::size_t row = 0; row < x.size(); ++row) all[row][axis] = x[row];
  }
  return all;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> shown_conditions(const Problem& problem, const CaseModel& model) {
  std::vector<std::pair<std::string, std::string>> conditions;
  if (const spec::Value* boundary = section_of(problem, model, "boundary"))
    for (const spec::Value& entry : *boundary) conditions.emplace_back(entry.key, keys_of(entry, {}));
  return conditions;
}

std::vector<ShownLoad> shown_loads(const Problem& problem, const CaseModel& model) {
  std::vector<ShownLoad> shown;
  const spec::Value* loads = section_of(problem, model, "loads");
  if (!loads) return shown;
  FormResidual& residual = *model.residual;
  const double diagonal = diagonal_of(*model.mesh);
  const VecHandle zero = residual.create_vector(), r = residual.create_vector();
  const Setting end = Setting{std::make_shared<const Controls>(residual.control_values())}.at(model.times.back());
  for (const spec::Value& l : *loads) {
    ShownLoad load{l.key, l["type"].text(), {}, {}};
    if (const spec::Value* region = l.find("region")) load.text += " on " + region->text();
    if (const std::string keys = keys_of(l, {"type", "region"}); !keys.empty()) load.text += ": " + keys;
    for (int f = 0; f < residual.form_count(); ++f) {
      if (residual.form_name(f) != CaseBuilder::used_as(l).name) continue;
      check(VecZeroEntries(r.get()));
      residual.form_residual(f, EvaluationPoint(zero, end), r.get());
      const LocalArray forces(r.get());
      for (int node = 0; node < model.mesh->n_owned_nodes; ++node) {
        SetupPicture::Arrow arrow{node_at(*model.mesh, node), {}};
        for (int d = 0; d < 3; ++d) {
          const int c = model.component(std::string("u_") + "xyz"[d]), dof = c < 0 ? -1 : model.dofs->dof(node, c);
          // the residual is what the body bears less what acts on it
          if (dof >= 0) arrow.along[d] = -forces.data()[dof];
          load.total[d] += arrow.along[d];
        }
        load.arrows.push_back(arrow);
      }
    }
    load.arrows = some_of(std::move(load.arrows), 0.07 * diagonal);
    shown.push_back(std::move(load));
  }
  return shown;
}

std::vector<std::pair<std::string, std::vector<Place>>> shown_points(const Problem& problem, const CaseModel& model) {
  std::vector<std::pair<std::string, std::vector<Place>>> shown;
  const auto add = [&](const spec::Value& v, const std::string& what, const std::string& name) {
    if (const spec::Value* c = v.find("case"); c && c->text() != model.name) return;
    std::vector<Place> points;
    for (const char* key : {"point", "from", "to"})
      if (const spec::Value* x = v.find(key); x && !x->defaulted && x->is_list() && x->size() >= 2 && (*x)[0].is_number()) points.push_back(point_of(x->numbers()));
    std::string text = what + name;
    if (v.has("type")) text += (name.empty() ? " " : ", ") + v["type"].text();
    if (const spec::Value* c = v.find("component")) text += ' ' + c->text();
    Diagnostics said;  // the problem was built, so that there is nothing to say
    for (const TermData& data : what == "objective" ? read_term_data({&v}, said) : std::vector<TermData>())
      for (const auto& [key, table] : data.tables) {
        std::vector<Place> rows = places_in(table);
        if (rows.empty()) continue;
        text += " of " + v[key].text() + " (" + std::to_string(rows.size()) + " points)";
        points.insert(points.end(), rows.begin(), rows.end());
      }
    if (points.empty()) return;
    const auto same = std::ranges::find(shown, points, &std::pair<std::string, std::vector<Place>>::second);
    if (same == shown.end()) shown.emplace_back(text, points);
    else same->first += "; " + text;
  };
  if (const spec::Value* terms = problem.spec.find("objective"))
    for (const spec::Value& t : *terms) add(t, "objective", t.has("name") && !t["name"].text().empty() ? ' ' + t["name"].text() : "");
  for (const char* section : {"probes", "quantities"})
    if (const spec::Value* of = problem.spec["output"].find(section))
      for (const spec::Value& v : *of) add(v, std::string(section) == "probes" ? "probe " : "quantity ", v.key);
  return shown;
}

SetupPicture setup_scene(const Problem& problem, const CaseModel& model) {
  const Mesh& mesh = *model.mesh;
  SetupPicture scene;
  scene.planar = mesh.dim == 2;
  scene.title = problem.title + (problem.cases.size() > 1 ? ", case " + model.name : "");
  for (int node = 0; node < mesh.node_total(); ++node) scene.nodes.push_back(node_at(mesh, node));
  for (std::vector<int> side : seen_sides(mesh, nullptr)) {
    side.push_back(side.front());
    scene.edges.push_back(std::move(side));
  }
  // Cells: one material or region where there is one, else each.
  const spec::Value* materials = section_of(problem, model, "materials");
  for (const spec::Value& m : *materials) {
    const std::string where = model.physics->region_of_material(m.key);
    const std::string law = m.has("model") ? ": " + m["model"].text() : "";
    scene.entries.push_back({Entry::Kind::cells, m.key + law + (where.empty() ? "" : ", in " + where),
                             seen_sides(mesh, where.empty() ? nullptr : mesh.find_region(where))});
  }
  for (const auto& [region, text] : shown_conditions(problem, model))
    if (const Region* r = mesh.find_region(region); r && r->dim < mesh.dim)
      scene.entries.push_back(region_entry(mesh, *r, region + ": " + text));
  if (const spec::Value* design = problem.spec.find("design"))
    for (const spec::Value& d : *design)
      if (const spec::Value* region = d.find("region"); region && !region->is_list())
        if (const Region* r = mesh.find_region(region->text()); r && r->dim == mesh.dim - 1) {
          const std::string designed = "designed shape";
          const auto there = std::ranges::find_if(scene.entries, [&](const Entry& e) { return e.text.starts_with(r->name + ": "); });
          if (there == scene.entries.end()) scene.entries.push_back(region_entry(mesh, *r, r->name + ": " + designed));
          else there->text += "; " + designed;
        }
  for (const ShownLoad& load : shown_loads(problem, model))
    scene.entries.push_back({Entry::Kind::arrows, load.name + ": " + load.text, {}, {}, load.arrows});
  std::size_t numbered = 0;
  for (const auto& [text, points] : shown_points(problem, model)) {
    const bool few = points.size() <= 2 && ++numbered;
    scene.entries.push_back({Entry::Kind::points, text, {}, {}, {}, points, few});
  }
  return scene;
}

}  // namespace invar
