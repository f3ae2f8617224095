#include "libfluid/objective/aerodynamic_coefficients.hpp"

#include "libfem/objective/function_of.hpp"

namespace invar {
namespace {

using Number = std::shared_ptr<Observable>;

/// Force, free stream, density: the arguments of drag and lift.
template <int Dim>
std::array<Number, 2 * Dim + 1> arguments_of(const std::vector<Number>& force, const FreeStream& stream) {
  std::array<Number, 2 * Dim + 1> all;
  for (int i = 0; i < Dim; ++i) all[i] = force[i], all[Dim + i] = stream.velocity[i];
  all[2 * Dim] = stream.density;
  return all;
}

template <int Dim, class T>
T speed_squared(const T* velocity) {
  T s(0.0);
  for (int i = 0; i < Dim; ++i) s += velocity[i] * velocity[i];
  return s;
}

template <int Dim>
Number drag(const std::vector<Number>& force, const FreeStream& stream, double area) {
  return FunctionOf::make<2 * Dim + 1>(arguments_of<Dim>(force, stream), [area](const auto& a) {
    using T = std::remove_cvref_t<decltype(a[0])>;
    const T squared = speed_squared<Dim>(&a[Dim]);
    T along(0.0);
    for (int i = 0; i < Dim; ++i) along += a[i] * a[Dim + i];
    return T((2.0 / area) * along / (a[2 * Dim] * squared * sqrt(squared)));
  });
}

template <int Dim>
Number lift(const std::vector<Number>& force, const FreeStream& stream, double area, const std::array<double, 3>& s) {
  return FunctionOf::make<2 * Dim + 1>(arguments_of<Dim>(force, stream), [area, s](const auto& a) {
    using T = std::remove_cvref_t<decltype(a[0])>;
    std::array<T, 3> u{T(0.0), T(0.0), T(0.0)};
    for (int i = 0; i < Dim; ++i) u[i] = a[Dim + i];
    const std::array<T, 3> across{s[1] * u[2] - s[2] * u[1], s[2] * u[0] - s[0] * u[2], s[0] * u[1] - s[1] * u[0]};
    T along(0.0), length(0.0);
    for (int i = 0; i < 3; ++i) length += across[i] * across[i];
    for (int i = 0; i < Dim; ++i) along += a[i] * across[i];
    return T((2.0 / area) * along / (a[2 * Dim] * speed_squared<Dim>(&a[Dim]) * sqrt(length)));
  });
}

template <int Dim>
Number moment(const Number& of, const FreeStream& stream, double volume) {
  std::array<Number, Dim + 2> arguments;
  arguments[0] = of;
  for (int i = 0; i < Dim; ++i) arguments[1 + i] = stream.velocity[i];
  arguments[Dim + 1] = stream.density;
  return FunctionOf::make<Dim + 2>(arguments, [volume](const auto& a) {
    using T = std::remove_cvref_t<decltype(a[0])>;
    return T((-2.0 / volume) * a[0] / (a[Dim + 1] * speed_squared<Dim>(&a[1])));
  });
}

}  // namespace

Number make_drag_coefficient(const std::vector<Number>& force, const FreeStream& stream, double area) {
  return force.size() == 3 ? drag<3>(force, stream, area) : drag<2>(force, stream, area);
}

Number make_lift_coefficient(const std::vector<Number>& force, const FreeStream& stream, double area, const std::array<double, 3>& span) {
  return force.size() == 3 ? lift<3>(force, stream, area, span) : lift<2>(force, stream, area, {0, 0, 1});
}

Number make_moment_coefficient(const Number& of, const FreeStream& stream, double area, double length) {
  return stream.velocity.size() == 3 ? moment<3>(of, stream, area * length) : moment<2>(of, stream, area * length);
}

}  // namespace invar
