// A scalar in a flow against closed forms: profiles, decaying modes, a cloud that is carried and spreads; what is
// conserved.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "libfem/objective/geometry_forms.hpp"
#include "tests/support/full_load.hpp"
#include "tests/unit/flow/scalar_problem.hpp"

namespace invar {
namespace {

using test::ScalarProblem;
using Kind = TimeScheme::Kind;
using std::numbers::pi;

/// A stream of speed 1 along a strip or bar of length 1, along the radius-free direction: y in axisymmetric flow.
struct Stream {
  const char* name;
  FlowKind kind;
  Shape shape;
  int along() const { return kind == FlowKind::axisymmetric ? 1 : 0; }
  /// Two cells across.
  Mesh mesh(double length, int n, double width = 0.2) const {
    if (kind == FlowKind::spatial) return make_box({0, 0, 0}, {length, width, width}, {n, 2, 2}, shape, 2);
    if (kind == FlowKind::axisymmetric) return make_rectangle(0, 0, width, length, 2, n, shape, 2);
    return make_rectangle(0, 0, length, width, n, 2, shape, 2);
  }
  const char* begin() const { return kind == FlowKind::axisymmetric ? "bottom" : "left"; }
  const char* end() const { return kind == FlowKind::axisymmetric ? "top" : "right"; }
  /// The same velocity everywhere: walls let it slip, the end is open.
  void hold_velocity(ScalarProblem& f, double speed) const {
    for (int i = 0; i < f.dim(); ++i)
      f.hold(begin(), i, [=, this](const double*, double) { return i == along() ? speed : 0.0; });
    if (kind == FlowKind::axisymmetric) {
      for (const char* side : {"left", "right"}) f.hold(side, 0);
    } else {
      for (const char* side : {"bottom", "top"}) f.hold(side, 1);
      if (kind == FlowKind::spatial)
        for (const char* side : {"back", "front"}) f.hold(side, 2);
    }
  }
};
constexpr Stream streams[] = {{"triangles", FlowKind::planar, Shape::triangle},
                              {"quadrilaterals", FlowKind::planar, Shape::quadrilateral},
                              {"axisymmetric triangles", FlowKind::axisymmetric, Shape::triangle},
                              {"axisymmetric quadrilaterals", FlowKind::axisymmetric, Shape::quadrilateral},
                              {"tetrahedra", FlowKind::spatial, Shape::tetrahedron},
                              {"hexahedra", FlowKind::spatial, Shape::hexahedron}};

/// c = (exp(U x/D) − 1)/(exp(U/D) − 1) between c = 0 and c = 1 downstream. Returns the error on n cells.
double profile_error(const Stream& s, int n) {
  constexpr double D = 0.15;
  ScalarProblem f(s.mesh(1, n, 2.0 / n), s.kind, ScalarTransport::steady, 0.3, D);
  s.hold_velocity(f, 1);
  f.hold(s.begin(), f.scalar());
  f.hold(s.end(), f.scalar(), [](const double*, double) { return 1.0; });
  return f.error(f.solve(), [&](const double* x) { return std::expm1(x[s.along()] / D) / std::expm1(1 / D); });
}

TEST(PassiveScalar, ProfileOfConvectionAndDiffusionConvergesWithSecondOrder) {
  for (const Stream& s : streams) {
    SCOPED_TRACE(s.name);
    const int n = s.kind == FlowKind::spatial ? 8 : 16;
    const double coarse = profile_error(s, n), fine = profile_error(s, 2 * n);
    EXPECT_LT(fine, s.kind == FlowKind::spatial ? 8e-3 : 2e-3);
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.15);
  }
}

// A source s in a stream of speed U makes c grow along it by s/U per metre, which the space holds.
TEST(PassiveScalar, SourceInAStreamIsHeldExactly) {
  constexpr double source = 0.7, speed = 1.4;
  for (const Stream& s : streams) {
    SCOPED_TRACE(s.name);
    ScalarProblem f(s.mesh(1, 4), s.kind, ScalarTransport::steady, 0.3, 0.05, source);
    s.hold_velocity(f, speed);
    const auto exact = [&](const double* x, double) { return source / speed * x[s.along()]; };
    for (const char* side : {s.begin(), s.end()}) f.hold(side, f.scalar(), exact);
    EXPECT_LT(f.error(f.solve(), [&](const double* x) { return exact(x, 0); }), 1e-12);
  }
}

// A layer much thinner than a cell (cell Péclet number 31): Galerkin's method would swing between ±1 over the whole
// stream. With SUPG the layer is felt over a few cells before it (Johnson, Schatz, Wahlbin, Math. Comp. 49, 1987).
TEST(PassiveScalar, ThinLayersDoNotMakeItSwing) {
  for (const Stream& s : streams) {
    SCOPED_TRACE(s.name);
    constexpr int n = 16;
    ScalarProblem f(s.mesh(1, n, 2.0 / n), s.kind, ScalarTransport::steady, 0.3, 1e-3);
    s.hold_velocity(f, 1);
    f.hold(s.begin(), f.scalar());
    f.hold(s.end(), f.scalar(), [](const double*, double) { return 1.0; });
    f.visit_scalar(f.solve(), [&](const double* x, double c) {
      if (x[s.along()] < 0.5) {
        EXPECT_NEAR(c, 0, 1e-2) << x[s.along()];
      }
    });
  }
}

// ---- in time --------------------------------------------------------------------------------------

struct March {
  const char* name;
  Kind scheme;
  ScalarTransport transport;
  double order;
};
constexpr March marches[] = {{"bdf2", Kind::bdf2, ScalarTransport::implicit, 2},
                             {"bdf2 linearised", Kind::bdf2, ScalarTransport::linearised, 2},
                             {"midpoint", Kind::midpoint, ScalarTransport::implicit, 2},
                             {"midpoint linearised", Kind::midpoint, ScalarTransport::linearised, 2},
                             {"generalised alpha", Kind::generalised_alpha, ScalarTransport::implicit, 2},
                             {"sdirk2", Kind::sdirk2, ScalarTransport::implicit, 2},
                             {"backward Euler", Kind::backward_euler, ScalarTransport::implicit, 1}};

/// A cloud c = s₀/s exp(−(x − x₀ − U t)²/2s²), s² = s₀² + 2 D t, while the stream carries it by its own width
/// twice; n cells and n steps.
double cloud_error(const March& m, int n) {
  constexpr double D = 0.02, start = 0.8, width = 0.2, end = 0.5;
  const Stream s{"", FlowKind::planar, Shape::quadrilateral};
  const auto exact = [=](double x, double t) {
    const double square = width * width + 2 * D * t;
    return width / std::sqrt(square) * std::exp(-std::pow(x - start - t, 2) / (2 * square));
  };
  ScalarProblem f(s.mesh(2, n), s.kind, m.transport, 0.3, D);
  s.hold_velocity(f, 1);
  f.begin(0, [](const double*, double) { return 1.0; });
  f.begin(f.scalar(), [=](const double* x, double) { return exact(x[0], 0); });
  for (const char* side : {s.begin(), s.end()}) f.hold(side, f.scalar(), [=](const double* x, double t) { return exact(x[0], t); });
  double error = 0;
  f.march(m.scheme, end, n, [&](int k, const State& u) {
    if (k == n) error = f.error(u, [=](const double* x) { return exact(x[0], end); });
  });
  return error;
}

/// On several ranks only a multi-level and a multi-stage scheme, as schemes do not depend on ranks.
bool runs(const March& m) {
  int ranks = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  return ranks == 1 || m.scheme == Kind::sdirk2 || (m.scheme == Kind::bdf2 && m.transport == ScalarTransport::linearised);
}

TEST(PassiveScalar, CloudIsCarriedAndSpreads) {
  for (const March& m : marches) {
    SCOPED_TRACE(m.name);
    if (!runs(m)) continue;
    const double coarse = cloud_error(m, 32), fine = cloud_error(m, 64);
    EXPECT_LT(fine, m.order == 2 ? 2e-3 : 3e-2);
    EXPECT_NEAR(std::log2(coarse / fine), m.order, 0.25);
  }
}

// J₀(k r) exp(−D k² t) with J₁(k R) = 0, also in a stream along the axis: the hoop term of the diffusion.
TEST(PassiveScalar, ModeInAPipeDecays) {
  constexpr double R = 0.5, D = 0.3, k = 3.8317059702075123 / R, end = 0.05;
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) {
    SCOPED_TRACE(name_of(shape));
    double errors[2];
    for (int level = 0; level < 2; ++level) {
      const int n = 12 << level;
      ScalarProblem f(make_rectangle(0, 0, R, 0.1, n, 2, shape, 2), FlowKind::axisymmetric, ScalarTransport::implicit, 1, D);
      const Stream s{"", FlowKind::axisymmetric, shape};
      s.hold_velocity(f, 0.4);
      f.begin(1, [](const double*, double) { return 0.4; });
      f.begin(f.scalar(), [=](const double* x, double) { return std::cyl_bessel_j(0, k * x[0]); });
      f.march(Kind::bdf2, end, 2 * n, [&](int step, const State& u) {
        if (step == 2 * n)
          errors[level] = f.error(u, [=](const double* x) { return std::exp(-D * k * k * end) * std::cyl_bessel_j(0, k * x[0]); });
      });
    }
    EXPECT_LT(errors[1], 2e-3);
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.25);
  }
}

// ---- what is conserved ----------------------------------------------------------------------------

// In a closed vessel stirred by a lid ∫ c is conserved, because ∇·u is orthogonal to the space of the pressure, which contains c.
// For any mesh, scheme and resolution; on several ranks two schemes.
TEST(PassiveScalar, StirringConservesIt) {
  for (const FlowKind kind : {FlowKind::planar, FlowKind::axisymmetric})
    for (const Shape shape : {Shape::triangle, Shape::quadrilateral})
      for (const March& m : marches) {
        SCOPED_TRACE(std::string(m.name) + " " + std::string(name_of(shape)));
        if (!runs(m)) continue;
        ScalarProblem f(test::warped(make_rectangle(0, 0, 1, 1, 4, 4, shape, 2), [](double* x) {
                          x[1] += 0.1 * std::sin(3 * x[0]) * x[1];
                          x[0] += 0.05 * x[0] * x[1];
                        }),
                        kind, m.transport, 0.01, 2e-3);
        const bool axis = kind == FlowKind::axisymmetric;
        for (const char* wall : {"left", "right", "bottom"}) f.hold(wall, 0);
        for (const char* wall : {"right", "bottom"}) f.hold(wall, 1);
        if (!axis) f.hold("left", 1);
        for (int i = 0; i < 2; ++i) f.hold("top", i);
        f.hold("bottom", 0, [](const double* x, double t) { return 6 * t * x[0] * x[0] * (1 - x[0]); });
        f.hold("left_bottom", f.dim());  // the pressure's constant
        const auto initial = [](const double* x, double) { return std::exp(-3 * x[0]) + 0.3 * std::cos(5 * x[1]); };
        f.begin(f.scalar(), initial);
        const auto content = make_scalar_content(kind, f.cells());
        double first = 0, changed = 0;
        f.march(m.scheme, 1.5, 9, [&](int k, const State& u) {
          const double now = f.integral(*content, u);
          if (k == 0) first = now;
          EXPECT_NEAR(now, first, 1e-11 * first) << k;
          changed = f.error(u, [&](const double* x) { return initial(x, 0); });
        });
        EXPECT_GT(changed, 0.05);
      }
}

// In a bent channel the convective outflow minus inflow equals the diffusive flux at prescribed c (by the consistent residual) plus
// the source.
TEST(PassiveScalar, WhatLeavesIsWhatEnters) {
  constexpr double source = 0.4;
  for (const Shape shape : {Shape::triangle, Shape::quadrilateral}) {
    ScalarProblem f(test::warped(make_rectangle(0, 0, 2, 1, 8, 4, shape, 2), [](double* x) { x[1] += 0.2 * std::sin(2 * x[0]); }),
                    FlowKind::planar, ScalarTransport::steady, 0.05, 0.01, source);
    for (const char* wall : {"bottom", "top"})
      for (int i = 0; i < 2; ++i) f.hold(wall, i);
    f.hold("left", 0, [](const double* x, double) { return 4 * x[1] * (1 - x[1]); });
    f.hold("left", 1);
    f.hold("left", f.scalar(), [](const double* x, double) { return 1 + x[1]; });
    Vec u = f.solve();
    const auto out = make_scalar_outflow(FlowKind::planar, f.facets("right")),
               in = make_scalar_outflow(FlowKind::planar, f.facets("left")),
               volume = make_volume(false, f.cells());
    VecHandle r = f.residual()->create_vector();
    f.residual()->raw_residual(test::at_full_load(*f.residual(), u), r);
    double diffused = 0;  // only where c is held is the residual not zero
    f.visit_scalar(r, [&](const double*, double flux) { diffused += flux; });
    MPI_Allreduce(MPI_IN_PLACE, &diffused, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
    const double leaves = f.integral(*out, u), enters = -f.integral(*in, u), made = source * f.integral(*volume, u);
    EXPECT_GT(enters, 0.5);
    EXPECT_NEAR(leaves - enters, diffused + made, 1e-11 * leaves);
  }
}

// ---- mixing -----------------------------------------------------------------------------------------

// A vortex u = (sin πx cos πy, −cos πx sin πy) winds up two layers. Diffusion is negligible: the variance is constant and the norm
// decreases; for rings around the vortex, which are steady, neither changes.
TEST(PassiveScalar, StirringLowersItAndLeavesTheVariance) {
  constexpr double length = 0.3;
  constexpr int steps = 72;
  const auto layers = [](const double* x) { return std::cos(pi * x[1]); };
  const auto rings = [](const double* x) { return std::sin(pi * x[0]) * std::sin(pi * x[1]); };
  for (const bool stirs : {true, false}) {
    ScalarProblem p(make_rectangle(0, 0, 1, 1, 24, 24, Shape::quadrilateral, 2), FlowKind::planar, ScalarTransport::linearised,
                    1e-4, 1e-6);
    for (const char* wall : {"left", "right"}) p.hold(wall, 0);
    for (const char* wall : {"bottom", "top"}) p.hold(wall, 1);
    p.hold("left_bottom", 2);
    p.begin(0, [](const double* x, double) { return std::sin(pi * x[0]) * std::cos(pi * x[1]); });
    p.begin(1, [](const double* x, double) { return -std::cos(pi * x[0]) * std::sin(pi * x[1]); });
    p.begin(p.scalar(), [&](const double* x, double) { return stirs ? layers(x) : rings(x); });
    double first[2] = {0, 0}, last[2] = {0, 0};
    p.march(TimeScheme::Kind::midpoint, 1.8, steps, [&](int k, const State& u) {
      if (k != 0 && k != steps) return;
      for (const int of : {0, 1}) (k == 0 ? first : last)[of] = p.mixing_norm(of ? length : 0, u);
    });
    EXPECT_NEAR(last[0] / first[0], 1, 0.02);
    if (stirs) {
      EXPECT_LT(last[1], 0.5 * first[1]);
    }
    else EXPECT_NEAR(last[1] / first[1], 1, 0.01);
  }
}

}  // namespace
}  // namespace invar
