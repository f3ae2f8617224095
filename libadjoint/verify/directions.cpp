#include "libadjoint/verify/directions.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "libadjoint/uniform_number.hpp"

namespace invar {
namespace {

/// Calls f for both parts (shared, local) of the vectors.
template <class F, class... V>
void for_parts(F f, V&... v) {
  f(v.shared...);
  f(v.local...);
}

}  // namespace

DesignVector moved(const DesignVector& theta, double h, const DesignVector& d) {
  DesignVector x = theta;
  x.axpy(h, d);
  return x;
}

Directions::Directions(const ReducedFunctional& functional, const DesignVector& theta,
                       double reach)
    : comm_(functional.comm()), reach_(reach), sizes_(theta), room_up_(functional.upper()),
      room_down_(functional.lower()) {
  for_parts(
      [&](const auto& t, auto& size, auto& up, auto& down) {
        for (std::size_t i = 0; i < t.size(); ++i) {
          size[i] = std::min(std::max(std::abs(t[i]), 1.0), 0.5 * (up[i] - down[i]));
          // The slack prevents round-off in θ + h·d from crossing the bound.
          const double slack = 1e-12 * std::abs(t[i]), shy = (1 - 1e-12) / reach_;
          up[i] = std::max(0.0, up[i] - t[i] - slack) * shy;
          down[i] = std::max(0.0, t[i] - down[i] - slack) * shy;
        }
      },
      theta, sizes_, room_up_, room_down_);
}

DesignVector Directions::random(std::uint64_t seed) const {
  int rank = 0;
  MPI_Comm_rank(comm_, &rank);
  std::mt19937_64 shared(seed), local(seed + 1000003u * static_cast<std::uint64_t>(rank + 1));
  DesignVector d = sizes_;
  const auto fill = [](std::mt19937_64& random, std::vector<double>& x, const auto& up,
                       const auto& down) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double length = x[i] * (0.5 + 0.5 * uniform_number(random));
      bool positive = uniform_number(random) < 0.5;
      if ((positive ? up : down)[i] < length) positive = up[i] > down[i];
      x[i] = positive ? std::min(length, up[i]) : -std::min(length, down[i]);
    }
  };
  fill(shared, d.shared, room_up_.shared, room_down_.shared);
  fill(local, d.local, room_up_.local, room_down_.local);
  return d;
}

DesignVector Directions::cut(const DesignVector& direction) const {
  DesignVector d = direction;
  for_parts(
      [](auto& x, const auto& up, const auto& down) {
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::clamp(x[i], -down[i], up[i]);
      },
      d, room_up_, room_down_);
  return d;
}

DesignVector Directions::along(const DesignVector& gradient) const {
  DesignVector d = gradient;
  double largest = 0;
  for_parts(
      [&](const auto& g, const auto& size) {
        for (std::size_t i = 0; i < g.size(); ++i)
          largest = std::max(largest, std::abs(g[i]) * size[i]);
      },
      gradient, sizes_);
  MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, comm_);
  if (largest == 0) return d;
  for_parts(
      [&](auto& x, const auto& size) {
        for (std::size_t i = 0; i < x.size(); ++i) x[i] *= size[i] * size[i] / largest;
      },
      d, sizes_);
  const DesignVector up = cut(d);
  d.scale(-1.0);
  const DesignVector down = cut(d);
  return dot(gradient, up, comm_) >= -dot(gradient, down, comm_) ? up : down;
}

}  // namespace invar
