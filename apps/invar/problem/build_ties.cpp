#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "apps/invar/physics/physics.hpp"
#include "apps/invar/problem/case_builder.hpp"
#include "apps/invar/problem/mechanism_parts.hpp"
#include "apps/invar/problem/problem.hpp"
#include "apps/invar/problem/rigid_builder.hpp"
#include "apps/invar/problem/saved_state.hpp"
#include "apps/invar/problem/tie_spec.hpp"
#include "apps/invar/spec/did_you_mean.hpp"
#include "libadjoint/number_text.hpp"
#include "libfem/mechanism/mechanism.hpp"
#include "libfem/mechanism/mortar_tie.hpp"
#include "libfem/mechanism/region_ties.hpp"
#include "libfem/mechanism/shape_probe.hpp"
#include "libfem/mechanism/tied_equation.hpp"
#include "libfem/objective/weighted_sum.hpp"
#include "libfluid/flow/flow_scales.hpp"

namespace invar {
namespace {

using spec::Value;

class TieBuilder : CaseBuilder {
 public:
  TieBuilder(CaseModel& model, const CaseSections& sections, MechanismParts& parts, Diagnostics& diagnostics)
      : CaseBuilder(model, sections, model.numbers_grow, diagnostics), parts_(parts), mechanism_(parts.mechanism) {}

  void build(const Value& ties) {
    for (const Value& tie : ties) {
      const std::string type = tie["type"].text();
      source_ = parts_.begin(tie, type == "surfaces");
      if (type == "periodic") periodic(tie);
      else if (type == "surfaces") surfaces(tie);
      else region(tie, type);
    }
  }

 private:
  /// Adds an unknown NAME.KEY of the tie, prescribed unless it is free.
  PetscInt number(const Value& tie, const std::string& key, const std::string& unit) {
    const int unknown = mechanism_->add_unknown(tie.key + "." + key);
    parts_.numbers[tie.key + "." + key] = unknown;
    const Value* given = tie.find(key);
    if (!(given && given->is_text() && given->text() == "free")) {
      ControlledValue value = bind(tie, "ties." + tie.key, key.c_str(), unit.c_str());
      if (value.varies_in_space)
        diagnostics_.error(given->position, given->yaml_path, "a number of a tie depends on t only, not on the position");
      MechanismNumber held{value.control, {}};
      if (value.shape)
        held.shape = [shape = value.shape](double t) {
          const double nowhere[3] = {};
          return shape(nowhere, t);
        };
      mechanism_->hold(unknown, std::move(held));
      values_[tie.key + "." + key] = std::move(value);
    }
    return static_cast<PetscInt>(model_.dofs->n_global()) + unknown;
  }

  /// Visits the components of the space that have names in the spec.
  template <class Visit>
  void visit_components(const Value& tie, Visit visit) {
    for (const ComponentSpec& c : physics_of(model_.physics_word).components) {
      const int component = model_.component(c.word);
      if (component >= 0) visit(c, component);
    }
    for (const Value& v : tie)
      for (const ComponentSpec& c : components_of(all_physics()))
        if (const bool named = v.key == c.word || v.key == gradient_key(c, 0) || v.key == gradient_key(c, 1) || v.key == gradient_key(c, 2);
            named && model_.component(c.word) < 0)
          diagnostics_.error(v.key_position, v.yaml_path, "the unknown has no component '" + c.word + "'");
  }

  void periodic(const Value& tie) {
    const int dim = model_.mesh->dim;
    std::vector<std::array<RegionNodes, 2>> pairs;
    for (const Value& pair : tie["sides"]) {
      std::array<RegionNodes, 2> sides;
      for (int i = 0; i < 2; ++i) {
        if (!check_region(*model_.mesh, pair[i].text(), dim - 1, pair[i], diagnostics_)) return;
        sides[i] = gather_region(*model_.dofs, pair[i].text());
        model_.tied_facets.push_back(pair[i].text());
      }
      pairs.push_back(std::move(sides));
    }
    std::vector<MeanGradient> components;
    visit_components(tie, [&](const ComponentSpec& c, int component) {
      MeanGradient gradient{component, {}};
      for (int axis = 0; axis < 3; ++axis) {
        const std::string key = gradient_key(c, axis);
        gradient.keeps_period[axis] = c.is_pressure && tie.has(key);  // `push` acts along the undesigned period
        if (axis < dim) gradient.along[axis] = number(tie, key, c.axis >= 0 ? "1" : c.unit + "/m");
        else if (const Value* v = tie.find(key)) diagnostics_.error(v->key_position, v->yaml_path, "the mesh is two-dimensional: there is no z");
      }
      if (c.is_pressure) check_pressure_gradient(tie, c);
      components.push_back(gradient);
    });
    std::vector<bool> along(dim, false);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const Value& names = tie["sides"][k];
      if (const auto wrong = tie_periodic(pairs[k][0], pairs[k][1], components, source_, parts_.constraints, parts_.rest.get()))
        diagnostics_.error(names.position, names.yaml_path, "the sides '" + names[0].text() + "' and '" + names[1].text() + "' do not match: " + *wrong,
                           "the nodes of periodic sides must coincide after a shift by the period; mesh both sides alike");
      for (int axis = 0; axis < dim; ++axis)
        if (const double period = pairs[k][1].box()[0][axis] - pairs[k][0].box()[0][axis]; std::abs(period) > 1e-9 * pairs[k][0].extent()) {
          along[axis] = true;
          push(tie, axis, period, names[1]);
        }
    }
    for (const MeanGradient& gradient : components)
      for (int axis = 0; axis < dim; ++axis)
        if (!along[axis] && gradient.along[axis]) idle(tie, *gradient.along[axis]);
  }

  /// The mean gradient of a pressure drives a flow, and is prescribed.
  void check_pressure_gradient(const Value& tie, const ComponentSpec& pressure) {
    for (int axis = 0; axis < 3; ++axis) {
      const Value* given = tie.find(gradient_key(pressure, axis));
      if (!given) continue;
      if (!physics_of(model_.physics_word).push_periodic)
        diagnostics_.error(given->key_position, given->yaml_path, "the pressure of a periodic solid has no mean gradient", "leave it out");
      else if (model_.march && model_.march->scheme.corrects_pressure())
        diagnostics_.error(given->key_position, given->yaml_path, "pressure_correction has no mean gradient of the pressure",
                           "drive the flow by a body_force of minus that gradient, or use bdf2");
      else if (given->is_text() && given->text() == "free")
        diagnostics_.error(given->position, given->yaml_path, "the mean gradient of the pressure drives the flow, and cannot be free",
                           "give its value; for a given mean velocity use {type: mean, region: CELLS, u_x: …}, whose force over the volume is minus that gradient");
    }
  }

  /// Lets the mean gradient of the pressure along an axis act on the second side of a pair.
  void push(const Value& tie, int axis, double period, const Value& side) {
    const Physics& physics = physics_of(model_.physics_word);
    for (const ComponentSpec& c : physics.components) {
      const auto held = values_.find(tie.key + "." + gradient_key(c, axis));
      if (!c.is_pressure || !physics.push_periodic || held == values_.end() || !tie.has(gradient_key(c, axis))) continue;
      ControlledValue more = held->second;
      more.shape = [period, shape = more.shape](const double* x, double t) { return shape ? period * shape(x, t) : period; };
      if (const std::string wrong = physics.push_periodic(model_, side.text(), std::move(more)); !wrong.empty())
        diagnostics_.error(side.position, side.yaml_path, "'" + side.text() + "' " + wrong, "give the fluid's part of this side, and that of bodies, pairs of their own");
    }
  }

  /// Reports a mean gradient along an axis in which the cell is not periodic.
  void idle(const Value& tie, PetscInt unknown) {
    const std::string name = mechanism_->name(static_cast<int>(unknown - model_.dofs->n_global()));
    const std::string key = name.substr(tie.key.size() + 1);
    parts_.numbers.erase(name);
    if (const Value* v = tie.find(key)) {
      diagnostics_.error(v->key_position, v->yaml_path, "no two sides of '" + tie.key + "' are apart along " + key.substr(key.size() - 1), "leave it out, or add their pair to 'sides'");
      return;
    }
    if (!mechanism_->is_held(static_cast<int>(unknown - model_.dofs->n_global())))
      mechanism_->hold(static_cast<int>(unknown - model_.dofs->n_global()), {binder_.zero().control, {}});
  }

  /// The node that a mean determines follows all others, whose equations are all coupled through it.
  void warn_of_dense_rows(const Value& tie, const RegionNodes& nodes, int component) {
    constexpr double bytes = 12, entries_per_gigabyte = 1e9 / bytes;  // of a value and its column
    constexpr double many = 3000;                                     // 0.1 GB
    const auto n = static_cast<double>(std::ranges::count_if(nodes.nodes, [&](const RegionNodes::Node& node) { return node.dofs[component] >= 0; }));
    if (n < many) return;
    diagnostics_.warning(tie["region"].position, "the mean over the " + std::to_string(static_cast<long long>(n)) + " nodes of '" + tie["region"].text() + "' couples each with every other one: the matrix has " +
                                                     number_text(std::round(100 * n * n / entries_per_gigabyte) / 100) + " GB more, and factors take longer; a mean over fewer nodes, of facets for example, or a fixed node "
                                                     "costs less");
  }

  void region(const Value& tie, const std::string& type) {
    const std::string name = tie["region"].text();
    const Region* found = check_region(*model_.mesh, name, -1, tie["region"], diagnostics_) ? model_.mesh->find_region(name) : nullptr;
    if (!found) return;
    if (type == "mean" && found->dim < model_.mesh->dim - 1) {
      diagnostics_.error(tie["region"].position, tie["region"].yaml_path, "a mean is taken over cells or facets, and '" + name + "' has neither");
      return;
    }
    RegionNodes nodes = gather_region(*model_.dofs, name);
    // Weights of the full circle vanish on the axis, where the mean is that along the axis.
    if (type == "mean" && model_.axisymmetric() && nodes.box()[1][0] > 1e-9 * nodes.extent()) nodes = gather_region(*model_.dofs, name, true);
    if (type != "mean") model_.tied_facets.push_back(name);
    visit_components(tie, [&](const ComponentSpec& c, int component) {
      if (!tie.has(c.word)) return;
      const PetscInt shift = number(tie, c.word, c.unit);
      if (type == "mean") warn_of_dense_rows(tie, nodes, component);
      if (type == "mean") return tie_mean(nodes, component, shift, source_, parts_.constraints, parts_.rest.get());
      RegionMotion motion{component, shift, {}};
      if (type == "plane")
        for (const int axis : extended_axes(nodes)) {
          const int unknown = mechanism_->add_unknown(tie.key + "." + c.word + "_" + axes[axis]);
          parts_.numbers[mechanism_->name(unknown)] = unknown;
          motion.slope[axis] = static_cast<PetscInt>(model_.dofs->n_global()) + unknown;
        }
      tie_motion(nodes, motion, source_, parts_.constraints, parts_.rest.get());
    });
  }

  void surfaces(const Value& tie) {
    const int dim = model_.mesh->dim;
    for (const char* key : {"follows", "to"})
      if (!check_region(*model_.mesh, tie[key].text(), dim - 1, tie[key], diagnostics_)) return;
    std::vector<int> components;
    for (int c = 0; c < model_.dofs->n_components(); ++c)
      if (!model_.dofs->components()[c].in_cells) components.push_back(c);  // the pressure of a solid jumps where materials meet
    for (const char* key : {"follows", "to"}) model_.tied_facets.push_back(tie[key].text());
    const RegionNodes side = gather_region(*model_.dofs, tie["follows"].text()), other = gather_region(*model_.dofs, tie["to"].text());
    const auto how = tie["by"].text() == "mortar" ? SurfaceTie::mortar : SurfaceTie::collocation;
    if (const auto wrong = tie_surfaces(side, other, components, how, model_.axisymmetric(), source_, parts_.constraints))
      diagnostics_.error(tie.key_position, tie.yaml_path, "'" + tie["follows"].text() + "' and '" + tie["to"].text() + "' cannot be tied: " + *wrong);
  }

  MechanismParts& parts_;
  std::shared_ptr<Mechanism> mechanism_;
  std::map<std::string, ControlledValue> values_;  // of prescribed numbers, by name
  int source_ = 0;
};

}  // namespace

void build_ties(CaseModel& model, const CaseSections& sections, Diagnostics& diagnostics) {
  if (!sections.has_ties()) return;
  const Value *ties = sections.find("ties"), *rigid = sections.find("rigid"), *joints = sections.find("joints"), *tendons = sections.find("tendons");
  const std::size_t before = diagnostics.size();
  MechanismParts parts{.mechanism = std::make_shared<Mechanism>(model.residual), .rest = std::make_shared<RestNumbers>(model.residual), .first = static_cast<PetscInt>(model.dofs->n_global())};
  if (ties) TieBuilder(model, sections, parts, diagnostics).build(*ties);
  RigidBuilder bodies(model, sections, parts, diagnostics);
  bodies.build(rigid, joints, tendons);
  if (diagnostics.size() != before) return;
  auto tied = std::make_shared<TiedEquation>(model.residual, parts.mechanism);
  if (parts.rest->size() > 0) {
    parts.mechanism->read_rest(parts.rest);
    tied->set_rest(parts.rest);
  }
  std::erase_if(parts.constraints, [&](const LinearConstraint& c) { return parts.yields[c.source] && tied->is_held(c.follower); });
  const Elimination& solved = tied->solve(parts.constraints);
  for (const int k : solved.contradicted)
    diagnostics.error(parts.sources[k]->key_position, parts.sources[k]->yaml_path,
                      "'" + parts.sources[k]->yaml_path + "' contradicts values that 'boundary' or earlier entries prescribe at its nodes",
                      "give values that satisfy it, or remove the common nodes from one of them");
  for (const int k : solved.idle)
    diagnostics.error(parts.sources[k]->key_position, parts.sources[k]->yaml_path, "'" + parts.sources[k]->yaml_path + "' is implied by 'boundary' and earlier ties", "leave it out");
  if (diagnostics.size() != before) return;
  bodies.constrain(*tied, solved);
  std::set<int> follows;
  for (const Tie& tie : solved.ties)
    if (tie.row >= parts.first) follows.insert(static_cast<int>(tie.row - parts.first));
  begin_numbers_from_state(model, sections, *parts.mechanism, follows, diagnostics);
  if (diagnostics.size() != before) return;
  std::vector<std::string> sources;
  for (const Value* source : parts.sources) sources.push_back(source->yaml_path);
  tied->set_names(std::move(parts.numbers), std::move(sources));
  tied->finish();
  bodies.check_free_motions(*tied);
  model.ties = std::move(tied);
  if (const auto& check_tied = physics_of(model.physics_word).check_tied) check_tied(model, sections, diagnostics);
}

void check_shape_against_ties(const Problem& problem, Diagnostics& diagnostics) {
  if (!problem.shape || std::ranges::none_of(problem.cases, [](const CaseModel& c) { return c.ties != nullptr; })) return;
  std::vector<ProbedCase> cases;
  for (const CaseModel& model : problem.cases) cases.push_back({model.residual.get(), model.ties.get(), smallest_extent(*model.residual)});
  const ShapeProbe probe = probe_shape(*problem.shape, cases, problem.cases.front().dofs->comm());
  const Value& design = problem.spec["design"];
  if (probe.moves_fixed_nodes)
    return diagnostics.error(design.key_position, design.yaml_path, "the designed shape moves nodes of surfaces that are tied in 'ties', whose weights hold in the undesigned mesh only",
                             "keep these on boundaries that the design does not move, nor the nodes within the mesh that follow it; other ties, rigid parts and tendons may move");
  for (const std::string& name : probe.broken)
    diagnostics.error(design.key_position, design.yaml_path, "'" + name + "' agrees with values of 'boundary', or with other ties, in the undesigned shape only; or a mean gradient of the pressure in it acts along a period that the designed shape changes",
                      "prescribe values with which it agrees in any shape, or keep its nodes on boundaries that the design does not move");
}

std::shared_ptr<Observable> tie_quantity(const CaseModel& model, const Value& record, Diagnostics& diagnostics) {
  const Value& name = record["tie"];
  const int unknown = model.ties ? model.ties->unknown(name.text()) : -1;
  if (unknown < 0) {
    const std::vector<std::string> names = model.ties ? model.ties->names() : std::vector<std::string>();
    std::string known;
    for (const std::string& n : names) known += (known.empty() ? "" : ", ") + n;
    diagnostics.error(name.position, name.yaml_path, "the case has no number '" + name.text() + "' of a tie" + did_you_mean(name.text(), names),
                      known.empty() ? "give it a section 'ties'" : "its numbers: " + known);
    return nullptr;
  }
  const std::string of = record["of"].text();
  const std::string key = name.text().substr(name.text().rfind('.') + 1);
  for (const ComponentSpec& c : physics_of(model.physics_word).components)
    for (int axis = 0; axis < 3; ++axis)
      if (of == "force" && c.is_pressure && key == gradient_key(c, axis)) {
        diagnostics.error(record["of"].position, record["of"].yaml_path, "the mean gradient of a pressure has no conjugate force", "use the flow rate through one of the sides");
        return nullptr;
      }
  std::shared_ptr<Observable> observable = of == "force" ? model.ties->force_of(unknown) : model.ties->value_of(unknown, of == "rate" ? Level::rate : Level::value);
  if (!observable) {
    diagnostics.error(name.position, name.yaml_path, "'" + name.text() + "' is determined by values of 'boundary', so it has no force", "use the quantity 'reaction' there");
    return nullptr;
  }
  if (of == "rate" && !model.march) diagnostics.error(record["of"].position, record["of"].yaml_path, "rates exist in processes in time only", "give 'time' a 'scheme'");
  return std::make_shared<WeightedSum>(std::move(observable), std::vector<double>{record["factor"].number()});
}

}  // namespace invar
