#pragma once
#include <array>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>

#include "libfem/solid/law/elastic_constants.hpp"
#include "libfem/solid/formulation.hpp"

namespace invar {

class Material;

/// A material law is a struct with the constants `name` and `doc`, the table `isochoric_parameters`, and the function template
/// `isochoric_energy(z, p)` of a deformation measure z (Invariants, GreenStrain or SmallStrain) and parameters p. z is the
/// measure of the volume-preserving part: of C̄ = J^(−2/3) C, or dev ε. The whole law is W(C̄) + κ/2 (J − 1)², unless the
/// struct also defines `compressible_parameters` and `compressible_energy(z, p)`. Measures vanish at rest and contain no
/// cancelling terms linear in H, so energy and stress are accurate to round-off at every size of H; laws must not introduce
/// such cancellation.
template <class Law>
concept CoupledLaw = requires { Law::compressible_parameters; };

/// A law that is a sum of 1 to `terms` equal terms has the parameters of all terms in its table, term by term, then `shared`
/// common ones. Its energy uses as many terms as p has parameters for.
template <class Law>
concept SumOfTerms = requires { Law::terms; };

template <class Law>
inline constexpr int max_terms = [] {
  if constexpr (SumOfTerms<Law>) return Law::terms;
  else return 1;
}();

template <class Law>
inline constexpr int shared_parameters = [] {
  if constexpr (requires { Law::shared; }) return Law::shared;
  else return 0;
}();

/// Parameter tables of a law with 1, 2, … terms; shared parameters follow the last term.
template <int terms, std::size_t size>
constexpr std::array<std::array<ParamSpec, size>, terms> tables_of_terms(const std::array<ParamSpec, size>& whole, int shared) {
  std::array<std::array<ParamSpec, size>, terms> all;
  const int per_term = (int(size) - shared) / terms;
  for (int n = 0; n < terms; ++n) {
    all[n] = whole;
    for (int k = 0; k < shared; ++k) all[n][(n + 1) * per_term + k] = whole[size - shared + k];
  }
  return all;
}

/// The volume-preserving part of a law, for the mixed displacement–pressure formulation.
template <class Law>
struct IsochoricForm {
  static constexpr std::string_view name = Law::name;
  static constexpr auto parameters = Law::isochoric_parameters;
  static constexpr int terms = max_terms<Law>, shared = shared_parameters<Law>;
  static constexpr int per_term = (int(parameters.size()) - shared) / terms;

  /// For the law with this number of terms.
  static std::span<const ParamSpec> parameters_of(int count) {
    return std::span(tables[count - 1]).first(count * per_term + shared);
  }

  template <class Measure, class S>
  INVAR_HD static auto energy(const Measure& z, std::span<const S> p) {
    return Law::isochoric_energy(z.isochoric(), p);
  }

 private:
  static constexpr auto tables = tables_of_terms<terms>(parameters, shared);
};

/// The whole law.
template <class Law>
struct CompressibleForm {
  static constexpr std::string_view name = Law::name;
  static constexpr auto parameters = [] {
    if constexpr (CoupledLaw<Law>) {
      return Law::compressible_parameters;
    } else {
      constexpr auto& isochoric = Law::isochoric_parameters;
      std::array<ParamSpec, isochoric.size() + 1> all;
      for (std::size_t k = 0; k < isochoric.size(); ++k) all[k] = isochoric[k];
      all.back() = elastic_constants::bulk;
      return all;
    }
  }();

  static constexpr int terms = max_terms<Law>;
  static constexpr int shared = CoupledLaw<Law> ? 0 : shared_parameters<Law> + 1;  // number of parameters after those of the terms
  static constexpr int per_term = (int(parameters.size()) - shared) / terms;

  /// For the law with this number of terms.
  static std::span<const ParamSpec> parameters_of(int count) {
    return std::span(tables[count - 1]).first(count * per_term + shared);
  }

  template <class Measure, class S>
  INVAR_HD static auto energy(const Measure& z, std::span<const S> p) {
    if constexpr (CoupledLaw<Law>) {
      return Law::compressible_energy(z, p);
    } else {
      const auto d = z.dilatation();
      return Law::isochoric_energy(z.isochoric(), p.first(p.size() - 1)) + 0.5 * p.back() * d * d;
    }
  }

 private:
  static constexpr auto tables = tables_of_terms<terms>(parameters, shared);
};

/// The law with this number of terms as a Material; instantiated in the law's own source file.
template <class Law>
std::unique_ptr<Material> make_material_model(Formulation formulation, int terms = 1);

}  // namespace invar
