#include "libfem/mechanism/rigid_body.hpp"

#include <algorithm>
#include <cmath>

#include "libfem/mechanism/mechanism.hpp"
#include "libfem/mechanism/mechanism_laws.hpp"
#include "libfem/mechanism/region_ties.hpp"
#include "libfem/mechanism/rest_numbers.hpp"
#include "libfem/mechanism/twist.hpp"

namespace invar {
namespace {

/// a·b − (a·b at rest) for two directors.
struct DirectorProduct {
  int dim;
  double at_rest;
  template <class T>
  T operator()(const std::vector<T>& z, const std::vector<T>&) const {
    T sum(-at_rest);
    for (int i = 0; i < dim; ++i) sum += z[i] * z[dim + i];
    return sum;
  }
};

/// z: the centre, then the entries of A by rows, or their velocities.
struct DirectorInertia {
  int dim;
  bool of_velocities;
  template <class T>
  void operator()(const std::vector<T>&, const std::vector<T>& rate, const std::vector<T>& second_rate, const std::vector<T>& numbers,
                  std::vector<T>& Q) const {
    const std::vector<T>& acceleration = of_velocities ? rate : second_rate;
    // E = ∫ ρ Y Yᵀ: in space ½ tr I − I along principal axes, in the plane half the polar moment
    T E[3];
    if (dim == 2) E[0] = E[1] = 0.5 * numbers[1];
    else
      for (int j = 0; j < 3; ++j) E[j] = 0.5 * (numbers[1] + numbers[2] + numbers[3]) - numbers[1 + j];
    for (int i = 0; i < dim; ++i) {
      Q[i] += numbers[0] * acceleration[i];
      for (int j = 0; j < dim; ++j) Q[dim + i * dim + j] += E[j] * acceleration[dim + i * dim + j];
    }
  }
};

/// Unknowns: c and A, then their velocities.
struct DirectorMotion {
  template <class T>
  void operator()(const MechanismPoint<T>& at, T* r) const {
    const std::size_t n = at.value.size() / 2;
    for (std::size_t k = 0; k < n; ++k) r[k] += at.rate[k] - at.value[n + k];
  }
};

struct DeadForce {
  template <class T>
  void operator()(const std::vector<T>& z, const std::vector<T>&, const std::vector<T>&, const std::vector<T>& numbers, std::vector<T>& Q) const {
    for (std::size_t i = 0; i < z.size(); ++i) Q[i] -= numbers[i];
  }
};

struct CentreSpring {
  template <class T>
  void operator()(const std::vector<T>& z, const std::vector<T>& rate, const std::vector<T>&, const std::vector<T>& numbers, std::vector<T>& Q) const {
    for (std::size_t i = 0; i < z.size(); ++i) Q[i] += numbers[0] * z[i] + numbers[1] * rate[i];
  }
};

constexpr const char* axis_names[] = {"x", "y", "z"};

}  // namespace

RigidBody::RigidBody(Mechanism& mechanism, std::string name, int dim, const RestPlace& centre, bool with_velocities)
    : name_(std::move(name)), dim_(dim), has_velocities_(with_velocities), centre_(centre) {
  std::vector<int> added;
  const auto add = [&](const std::string& of) { return added.emplace_back(mechanism.add_unknown(name_ + "." + of)); };
  for (int i = 0; i < dim; ++i) shift_[i] = add(axis_names[i]);
  for (int i = 0; i < dim; ++i)
    for (int j = 0; j < dim; ++j) turn_[i][j] = add(std::string(axis_names[i]) + axis_names[j]);
  if (!with_velocities) return;
  const std::vector<int> places = added;
  for (const int k : places) mechanism.test_with(k, add("v_" + mechanism.name(k).substr(name_.size() + 1)));
}

AffineNumber RigidBody::place(const RestPlace& X, int axis) const {
  AffineNumber x{X[axis], {{shift_[axis], 1.0}}};
  for (int j = 0; j < dim_; ++j)
    if (const RestCoefficient lever = X[j] - centre_[j]; !lever.vanishes()) x.terms.push_back({turn_[axis][j], lever});
  return x;
}

AffineNumber RigidBody::turned(const std::array<double, 3>& vector, int axis) const {
  AffineNumber a{vector[axis], {}};
  for (int j = 0; j < dim_; ++j)
    if (vector[j] != 0) a.terms.push_back({turn_[axis][j], vector[j]});
  return a;
}

std::unique_ptr<MechanismTerm> RigidBody::orthogonality(int k, int multiplier) const {
  int a = 0, b = k;
  while (b >= dim_ - a) b -= dim_ - a++;
  b += a;
  std::array<double, 3> first{}, second{};
  first[a] = second[b] = 1;
  std::vector<AffineNumber> z;
  for (int i = 0; i < dim_; ++i) z.push_back(turned(first, i));
  for (int i = 0; i < dim_; ++i) z.push_back(turned(second, i));
  return make_constraint(DirectorProduct{dim_, a == b ? 1.0 : 0.0}, AffineMap(std::move(z)), multiplier, {});
}

bool RigidBody::may_turn(const std::map<int, double>& known) const {
  constexpr double few_digits = 1e-6;  // of formulas that users write
  for (const bool rows : {true, false})
    for (int a = 0; a < dim_; ++a)
      for (int b = 0; b <= a; ++b) {
        double product = a == b ? -1.0 : 0.0;
        bool complete = true;
        for (int k = 0; k < dim_; ++k) {
          double factors[2];
          for (const int i : {0, 1}) {
            const int j = i ? b : a;
            const auto q = known.find(rows ? turn_[j][k] : turn_[k][j]);
            complete = complete && q != known.end();
            factors[i] = (j == k ? 1.0 : 0.0) + (complete ? q->second : 0.0);
          }
          product += factors[0] * factors[1];
        }
        if (complete && std::abs(product) > few_digits) return false;
      }
  return true;
}

std::vector<int> RigidBody::places() const {
  std::vector<int> all(shift_.begin(), shift_.begin() + dim_);
  for (int i = 0; i < dim_; ++i) all.insert(all.end(), turn_[i].begin(), turn_[i].begin() + dim_);
  return all;
}

std::unique_ptr<MechanismTerm> RigidBody::motion() const {
  std::vector<int> unknowns = places();
  for (const int k : places()) unknowns.push_back(velocity_of(k));
  return std::make_unique<LawTerm<DirectorMotion>>(DirectorMotion{}, std::move(unknowns), std::vector<MechanismNumber>(), true);
}

std::unique_ptr<MechanismTerm> RigidBody::inertia(std::vector<MechanismNumber> numbers) const {
  std::vector<AffineNumber> z;
  for (const int k : places()) z.push_back({0, {{has_velocities_ ? velocity_of(k) : k, 1.0}}});
  return make_force(DirectorInertia{dim_, has_velocities_}, AffineMap(std::move(z)), std::move(numbers));
}

AffineMap RigidBody::centre() const {
  std::vector<AffineNumber> z;
  for (int i = 0; i < dim_; ++i) z.push_back({0, {{shift_[i], 1.0}}});
  return AffineMap(std::move(z));
}

std::unique_ptr<MechanismTerm> RigidBody::dead_force(std::vector<MechanismNumber> numbers) const {
  return make_force(DeadForce{}, centre(), std::move(numbers));
}

std::unique_ptr<MechanismTerm> RigidBody::spring(std::vector<MechanismNumber> numbers) const {
  return make_force(CentreSpring{}, centre(), std::move(numbers));
}

std::string RigidBody::described(const std::vector<std::vector<double>>& motions) const {
  std::vector<Twist> all;
  for (const std::vector<double>& motion : motions) {
    Twist t;
    for (int i = 0; i < dim_; ++i) t.velocity[i] = motion[shift_[i]];
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      if (j < dim_ && k < dim_) t.spin[i] = 0.5 * (motion[turn_[k][j]] - motion[turn_[j][k]]);
    }
    double size = 0;
    for (const double x : motion) size = std::max(size, std::abs(x));
    if (t.largest() > 1e-9 * size) all.push_back(t);
  }
  return motions_text(std::move(all), centre_.start(), dim_);
}

void RigidBody::tie_nodes(const RegionNodes& nodes, const std::vector<int>& displacement, const std::vector<int>& velocity, PetscInt first, int source,
                          std::vector<LinearConstraint>& out, RestNumbers* rest) {
  for (const RegionNodes::Node& node : nodes.nodes) {
    nodes_.insert(node.original);
    const RestPlace X = rest ? place_in_shape(node, dim_, *rest) : RestPlace(node.x);
    for (int i = 0; i < dim_; ++i)
      for (const bool moves : {false, true}) {
        if (moves && velocity.empty()) continue;
        const PetscInt dof = node.dofs[moves ? velocity[i] : displacement[i]];
        if (dof < 0) continue;
        LinearConstraint row{.terms = {{dof, 1.0}}, .follower = dof, .source = source};
        for (const auto& [unknown, coefficient] : place(X, i).terms) add_term(row, first + (moves ? velocity_of(unknown) : unknown), -coefficient);
        out.push_back(std::move(row));
      }
  }
}

bool RigidBody::has_nodes(const std::vector<long long>& originals) const {
  return std::ranges::all_of(originals, [&](long long node) { return nodes_.contains(node); });
}

}  // namespace invar
