// Flows with a known solution: Poiseuille, Brinkman, Kovasznay.
#include <gtest/gtest.h>

#include "tests/unit/flow/flow_problem.hpp"

namespace invar {
namespace {

using test::FlowOptions, test::FlowProblem, test::VectorField;
using std::numbers::pi;

struct Element {
  const char* name;
  Shape shape;
  FlowDiscretisation discretisation;
  int order() const { return discretisation == FlowDiscretisation::taylor_hood ? 2 : 1; }
};
constexpr Element elements[] = {{"P2/P1", Shape::triangle, FlowDiscretisation::taylor_hood},
                                {"Q2/Q1", Shape::quadrilateral, FlowDiscretisation::taylor_hood},
                                {"P1/P1", Shape::triangle, FlowDiscretisation::equal_order},
                                {"Q1/Q1", Shape::quadrilateral, FlowDiscretisation::equal_order}};

/// ‖u − u_h‖ and ‖p − p_h‖
struct FlowError {
  double u, p;
};
FlowError flow_error(const FlowProblem& problem, Vec u, const VectorField& exact) {
  const int dim = problem.dim();
  const auto no_gradient = [](int, int, const double*) { return 0.0; };
  return {test::error_norms(*problem.dofs(), u, 0, dim, exact, no_gradient).l2,
          test::error_norms(*problem.dofs(), u, dim, dim + 1, exact, no_gradient).l2};
}

// Kovasznay (1948), Re 40: the flow behind a grid. Values of the reference sheet.
constexpr double reynolds = 40;
const double decay = reynolds / 2 - std::sqrt(reynolds * reynolds / 4 + 4 * pi * pi);
double kovasznay(int c, const double* x) {
  const double e = std::exp(decay * x[0]);
  return c == 0   ? 1 - e * std::cos(2 * pi * x[1])
         : c == 1 ? decay / (2 * pi) * e * std::sin(2 * pi * x[1])
                  : 0.5 * (1 - e * e);
}
/// Its traction on a boundary x = const of normal (1, 0).
double kovasznay_traction(int i, const double* x, bool stress_form) {
  const double e = std::exp(decay * x[0]), c = std::cos(2 * pi * x[1]), s = std::sin(2 * pi * x[1]);
  if (i == 0) return -(stress_form ? 2 : 1) * decay * e * c / reynolds - kovasznay(2, x);
  return (decay * decay / (2 * pi) + (stress_form ? 2 * pi : 0)) * e * s / reynolds;
}

FlowError kovasznay_error(const Element& element, bool stress_form, int n) {
  FlowOptions o;
  o.discretisation = element.discretisation;
  o.parameters = {1, 1 / reynolds};
  o.stress_form = stress_form;
  FlowProblem problem(make_rectangle(-0.5, -0.5, 1, 0.5, 3 * n / 2, n, element.shape, element.order()), o);
  problem.hold({"left", "bottom", "top"}, kovasznay);
  problem.traction("right", [=](int i, const double* x) { return kovasznay_traction(i, x, stress_form); });
  return flow_error(problem, problem.solve(), kovasznay);
}

TEST(FlowBenchmarks, Kovasznay) {
  for (const Element& element : elements)
    for (const bool stress_form : {false, true}) {
      SCOPED_TRACE(std::string(element.name) + (stress_form ? ", stress form" : ""));
      const bool taylor_hood = element.order() == 2;
      const int n = taylor_hood ? 8 : 16;
      const FlowError coarse = kovasznay_error(element, stress_form, n),
                      fine = kovasznay_error(element, stress_form, 2 * n);
      const double order_u = std::log2(coarse.u / fine.u), order_p = std::log2(coarse.p / fine.p);
      EXPECT_GT(order_u, taylor_hood ? 2.9 : 1.9);
      EXPECT_GT(order_p, taylor_hood ? 1.9 : 1.5);
    }
}

}  // namespace
}  // namespace invar
