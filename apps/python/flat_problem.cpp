#include "apps/python/flat_problem.hpp"

#include <algorithm>

#include "apps/invar/verbs/quantity_value.hpp"

namespace invar {
namespace {

void require(const Evaluation& e) {
  if (!e.ok) throw SolveError(e.reason);
}

}  // namespace

FlatProblem::FlatProblem(const std::filesystem::path& spec, const std::vector<std::string>& sets)
    : problem_(build_problem(spec, sets, PETSC_COMM_WORLD)) {
  const DesignVector start = problem_.functional->start();
  shared_ = start.shared.size();
  start_ = flat(start);
  for (const DesignVariable& v : problem_.functional->variables()) transforms_.push_back(v.transform);
  std::size_t shared = 0, local = shared_;
  const auto& design = problem_.functional->design();
  for (std::size_t b = 0; b < design.size(); ++b) {
    const DesignVector part = design[b]->start();
    const std::string& name = problem_.blocks[b].name;
    if (!part.shared.empty())
      blocks_.push_back({name, "numbers", 1, static_cast<int>(shared), static_cast<int>(part.shared.size()), {}});
    shared += part.shared.size();
    if (part.local.empty()) continue;
    const LocalEntries of = design[b]->local_entries();
    blocks_.push_back({name, of.of == ControlLayout::cells ? "cells" : "nodes", of.components, static_cast<int>(local),
                       static_cast<int>(part.local.size()), of.positions});
    local += part.local.size();
    transforms_.insert(transforms_.end(), part.local.size(), of.transform);
  }
}

DesignVector FlatProblem::point(const Eigen::VectorXd& theta) const {
  if (theta.size() != start_.size())
    throw std::invalid_argument("a design has " + std::to_string(start_.size()) + " entries here, not " +
                                std::to_string(theta.size()));
  return {{theta.data(), theta.data() + shared_}, {theta.data() + shared_, theta.data() + theta.size()}};
}

Eigen::VectorXd FlatProblem::flat(const DesignVector& x) const {
  Eigen::VectorXd all(static_cast<Eigen::Index>(x.shared.size() + x.local.size()));
  std::ranges::copy(x.local, std::ranges::copy(x.shared, all.data()).out);
  return all;
}

template <class Function>
Eigen::VectorXd FlatProblem::by_entry(const Eigen::VectorXd& x, Function&& function) const {
  point(x);  // has the right size
  Eigen::VectorXd y(x.size());
  for (Eigen::Index k = 0; k < x.size(); ++k) y[k] = function(transforms_[k], x[k]);
  return y;
}

Eigen::VectorXd FlatProblem::physical(const Eigen::VectorXd& theta) const {
  return by_entry(theta, [](const VariableTransform& t, double x) { return t.physical(x); });
}
Eigen::VectorXd FlatProblem::slope(const Eigen::VectorXd& theta) const {
  return by_entry(theta, [](const VariableTransform& t, double x) { return t.derivative(x); });
}
Eigen::VectorXd FlatProblem::curvature(const Eigen::VectorXd& theta) const {
  return by_entry(theta, [](const VariableTransform& t, double x) { return t.second_derivative(x); });
}
Eigen::VectorXd FlatProblem::coordinate(const Eigen::VectorXd& p) const {
  return by_entry(p, [](const VariableTransform& t, double x) { return t.coordinate(x); });
}

void FlatProblem::set_stage(int stage) {
  problem_.staged->begin_stage(stage);
  problem_.functional->forget();
}

double FlatProblem::value(const Eigen::VectorXd& theta) {
  const Evaluation e = problem_.functional->value(point(theta));
  require(e);
  return e.value;
}

std::pair<double, Eigen::VectorXd> FlatProblem::value_and_gradient(const Eigen::VectorXd& theta) {
  DesignVector g;
  const Evaluation e = problem_.functional->gradient(point(theta), g);
  require(e);
  return {e.value, flat(g)};
}

double FlatProblem::directional_derivative(const Eigen::VectorXd& theta, const Eigen::VectorXd& direction) {
  double derivative = 0;
  require(problem_.functional->directional(point(theta), point(direction), derivative));
  return derivative;
}

Eigen::VectorXd FlatProblem::hessian_product(const Eigen::VectorXd& theta, const Eigen::VectorXd& direction) {
  DesignVector out;
  require(problem_.functional->hessian_action(point(theta), point(direction), out));
  return flat(out);
}

Eigen::VectorXd FlatProblem::constraint_values(const Eigen::VectorXd& theta) {
  std::vector<double> c;
  const DesignVector x = point(theta);
  require(problem_.functional->solve(x));
  require(problem_.functional->constraint_values(x, c));
  return Eigen::Map<Eigen::VectorXd>(c.data(), static_cast<Eigen::Index>(c.size()));
}

Eigen::MatrixXd FlatProblem::constraint_jacobian(const Eigen::VectorXd& theta) {
  std::vector<double> c;
  std::vector<DesignVector> gradients;
  DesignVector g;
  require(problem_.functional->gradients(point(theta), g, c, gradients));
  Eigen::MatrixXd jacobian(static_cast<Eigen::Index>(gradients.size()), size());
  for (std::size_t k = 0; k < gradients.size(); ++k) jacobian.row(static_cast<Eigen::Index>(k)) = flat(gradients[k]);
  return jacobian;
}

Eigen::VectorXd FlatProblem::residuals(const Eigen::VectorXd& theta) {
  Eigen::VectorXd rho;
  require(problem_.functional->residuals(point(theta), rho));
  return rho;
}

Eigen::MatrixXd FlatProblem::residual_jacobian(const Eigen::VectorXd& theta) {
  if (start_.size() != static_cast<Eigen::Index>(shared_))
    throw std::invalid_argument("the Jacobian of the residuals is available for designs without fields only");
  Eigen::VectorXd rho;
  Eigen::MatrixXd jacobian;
  require(problem_.functional->jacobian(point(theta), rho, jacobian));
  return jacobian;
}

void FlatProblem::solve(const Eigen::VectorXd& theta) { require(problem_.functional->solve(point(theta))); }

std::map<std::string, double> FlatProblem::quantities(const Eigen::VectorXd& theta) {
  solve(theta);
  std::map<std::string, double> all;
  for (const Quantity& q : problem_.probes) all[q.name] = value_of(problem_, q);
  for (const Quantity& q : problem_.quantities) all[q.name] = value_of(problem_, q);
  return all;
}

std::vector<std::string> FlatProblem::cases() const {
  std::vector<std::string> names;
  for (const CaseModel& c : problem_.cases) names.push_back(c.name);
  return names;
}

const CaseModel& FlatProblem::case_named(const std::string& name) const {
  const auto found = std::ranges::find(problem_.cases, name, &CaseModel::name);
  if (found != problem_.cases.end()) return *found;
  if (name.empty() && problem_.cases.size() == 1) return problem_.cases.front();
  std::string known;
  for (const CaseModel& c : problem_.cases) known += (known.empty() ? "" : ", ") + c.name;
  throw std::out_of_range("there is no case '" + name + "'; there are: " + known);
}

FlatProblem::MeshArrays FlatProblem::mesh(const Eigen::VectorXd& theta, const std::string& name) {
  solve(theta);
  const CaseModel& model = case_named(name);
  const Mesh& mesh = *model.mesh;
  const std::vector<double> x = model.residual->coordinates_control() < 0
                                    ? mesh.coordinates
                                    : std::vector<double>(model.residual->coordinates({model.process->controls()}));
  MeshArrays arrays;
  using Points = decltype(arrays.points);
  arrays.points = Eigen::Map<const Points>(x.data(), mesh.node_total(), mesh.dim);
  for (const CellBlock& block : mesh.cells) {
    using Cells = Eigen::Matrix<int, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    arrays.cells.emplace_back(std::string(name_of(block.type.shape)) + std::to_string(node_count(block.type)),
                              Eigen::Map<const Cells>(block.nodes.data(), block.count(), node_count(block.type)));
  }
  return arrays;
}

std::map<std::string, FlatProblem::FieldValues> FlatProblem::fields(const Eigen::VectorXd& theta, const std::string& name,
                                                                    int step) {
  solve(theta);
  const CaseModel& model = case_named(name);
  const int steps = static_cast<int>(model.times.size());
  if (step < -steps || step >= steps)
    throw std::out_of_range("there is no step " + std::to_string(step) + "; the case has " + std::to_string(steps));
  std::map<std::string, FieldValues> all;
  model.process->with_state(step < 0 ? step + steps : step, [&](const EvaluationPoint& u) {
    for (const VtkField& f : model.physics->fields(model, u)) {
      FieldValues& values = all[f.name];
      values.on_nodes = f.on == VtkField::On::nodes;
      values.values = Eigen::Map<const decltype(values.values)>(
          f.values.data(), static_cast<Eigen::Index>(f.values.size()) / f.components, f.components);
    }
  });
  return all;
}

}  // namespace invar
