// Extrapolation of earlier solutions to the next one.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "libadjoint/time/solution_extrapolation.hpp"

namespace invar {
namespace {

using TimeFunction = std::function<double(int kind, double t)>;

double nothing(int, double) { return 0; }

/// Unknowns of kind 0 and 1 in turn, the same on every rank.
struct ForetoldProcess {
  static constexpr int n = 6;
  SolutionExtrapolation forecast{PETSC_COMM_WORLD, {0, 1, 0, 1, 0, 1}};
  VecHandle x;

  ForetoldProcess() { check(VecCreateMPI(PETSC_COMM_WORLD, n, PETSC_DETERMINE, x.out())); }
  void set(double t, const TimeFunction& f) {
    double* a = nullptr;
    check(VecGetArray(x, &a));
    for (int i = 0; i < n; ++i) a[i] = (1 + i / 2) * f(i % 2, t);
    check(VecRestoreArray(x, &a));
  }
  void note(double t, const TimeFunction& f) {
    set(t, f);
    forecast.note(t, x);
  }
  bool improves(double t) {
    set(t, nothing);
    forecast.improve(t, x);
    return forecast.improved();
  }
  /// Foretold entries of a kind at t less those of f, the largest; `other`: what the caller has_extrapolation.
  double error(int kind, double t, const TimeFunction& f, const TimeFunction& other) {
    set(t, other);
    forecast.improve(t, x);
    double worst = 0;
    const double* a = nullptr;
    check(VecGetArrayRead(x, &a));
    for (int i = kind; i < n; i += 2) worst = std::max(worst, std::abs(a[i] - (1 + i / 2) * f(kind, t)));
    check(VecRestoreArrayRead(x, &a));
    return worst;
  }
};


TEST(SolutionExtrapolation, EachKindHasADegreeOfItsOwn) {
  // A cubic, and a number that jumps to and fro, of which the mean of neighbours says more than any polynomial through them.
  const TimeFunction f = [](int kind, double t) { return kind == 0 ? 1 - 2 * t + t * t * t : (std::lround(10 * t) % 2 ? 1.0 : 1.1); };
  ForetoldProcess process;
  for (const double t : {0.0, 0.1, 0.25, 0.3, 0.4, 0.5}) process.note(t, f);
  EXPECT_LT(process.error(0, 0.7, f, nothing), 1e-12);
  EXPECT_LT(process.error(1, 0.6, f, nothing), 0.31);  // not the 3 % · 2⁴ of the highest degree
}

TEST(SolutionExtrapolation, WhatTheCallerForetellsBetterStays) {
  const TimeFunction f = [](int kind, double t) { return std::sin(20 * t + kind); };
  const TimeFunction close = [&](int kind, double t) { return f(kind, t) + 1e-9; };
  ForetoldProcess process;
  for (double t = 0; t < 0.65; t += 0.1) {
    process.error(0, t, f, close);
    process.note(t, f);
  }
  EXPECT_NEAR(process.error(0, 0.7, f, close), 3e-9, 1e-12);
  EXPECT_GT(process.error(0, 0.7, f, nothing), 1e-2);  // as it is for what the caller says, whatever it says now
}

TEST(SolutionExtrapolation, NothingIsSaidBeforeAnythingIsKnown) {
  const TimeFunction f = [](int, double t) { return 2 + t; };
  ForetoldProcess process;
  EXPECT_FALSE(process.improves(0));
  process.note(0, f);
  EXPECT_FALSE(process.improves(0.1));  // one solution has not been compared with anything
  process.note(0.1, f);
  EXPECT_LT(process.error(0, 0.2, f, nothing), 0.31);      // the last value
  process.note(0.2, f);
  EXPECT_LT(process.error(0, 0.3, f, nothing), 1e-14);
  process.forecast.forget();
  EXPECT_FALSE(process.improves(0.3));
}

TEST(SolutionExtrapolation, TimeMayRunBackwards) {
  const TimeFunction f = [](int kind, double t) { return kind == 0 ? t * t : 3 * t; };
  ForetoldProcess process;
  for (const double t : {1.0, 0.9, 0.75, 0.6, 0.5}) process.note(t, f);
  EXPECT_LT(process.error(0, 0.4, f, nothing), 1e-13);
  EXPECT_LT(process.error(1, 0.4, f, nothing), 1e-13);
}

}  // namespace
}  // namespace invar
