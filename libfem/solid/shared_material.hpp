#pragma once
#include <memory>
#include <utility>

#include "libfem/solid/material_point.hpp"

namespace invar {

/// A law as the member `material` of a q-function: any law through its virtual interface.
struct SharedMaterial {
  static constexpr int most_parameters = max_material_parameters;
  std::shared_ptr<const Material> law;

  SharedMaterial() = default;
  SharedMaterial(std::shared_ptr<const Material> of) : law(std::move(of)) {}

  int parameter_count() const { return static_cast<int>(law->parameters().size()); }
  bool finite_strain() const { return law->finite_strain(); }
  bool keeps_orientation() const { return law->keeps_orientation(); }

  template <int Order, class T, class Tp>
  MaterialPoint<T> at(const Matrix<T, 3, 3>& H, const Tp* p) const {
    return material_point<Order, T, Tp>(*law, H, p);
  }
  void tangent(const Matrix<Pack, 3, 3>& H, const Pack* p, Pack (&A)[9][9]) const {
    MaterialResponse<Pack> r;
    law->evaluate(H, std::span<const Pack>(p, law->parameters().size()), {false, false, true, false}, r);
    for (int k = 0; k < 9; ++k)
      for (int l = 0; l < 9; ++l) A[k][l] = r.tangent[k][l];
  }
};

}  // namespace invar
