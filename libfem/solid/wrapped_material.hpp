#pragma once
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

#include "libfem/solid/material.hpp"

namespace invar {

/// A law that wraps another one and keeps its name and strain measure: swelling, plane stress, another volumetric law. Derived has a
/// template `respond<B>(H, p, request, out)`, the implementation of `evaluate` for both lane types, declares this class a friend, and
/// instantiates it explicitly in its own source file.
template <class Derived>
class WrappedMaterial : public Material {
 public:
  std::string_view name() const final { return wrapped_->name(); }
  std::span<const ParamSpec> parameters() const final { return parameters_; }
  bool finite_strain() const final { return wrapped_->finite_strain(); }
  bool keeps_orientation() const override { return wrapped_->keeps_orientation(); }
  void evaluate(const Matrix<Pack, 3, 3>& H, std::span<const Pack> p, MaterialRequest request, MaterialResponse<Pack>& out) const final {
    static_cast<const Derived&>(*this).template respond<Pack>(H, p, request, out);
  }
  void evaluate(const Matrix<Dual<Pack, 1>, 3, 3>& H, std::span<const Dual<Pack, 1>> p, MaterialRequest request,
                MaterialResponse<Dual<Pack, 1>>& out) const final {
    static_cast<const Derived&>(*this).template respond<Dual<Pack, 1>>(H, p, request, out);
  }

 protected:
  /// Parameters: those of the wrapped law, then further ones.
  explicit WrappedMaterial(std::unique_ptr<Material> wrapped, std::initializer_list<ParamSpec> further = {})
      : wrapped_(std::move(wrapped)), parameters_(wrapped_->parameters().begin(), wrapped_->parameters().end()) {
    parameters_.insert(parameters_.end(), further);
  }
  const Material& wrapped() const { return *wrapped_; }

 private:
  std::unique_ptr<Material> wrapped_;
  std::vector<ParamSpec> parameters_;
};

}  // namespace invar
