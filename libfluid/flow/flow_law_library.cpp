#include "libfluid/flow/flow_law_library.hpp"

#include <stdexcept>
#include <string>

namespace invar {
namespace {

template <std::size_t N>
constexpr std::array<ParamSpec, N + 1> after_density(const std::array<ParamSpec, N>& law) {
  std::array<ParamSpec, N + 1> all{};
  all[0] = density_parameter;
  for (std::size_t i = 0; i < N; ++i) all[i + 1] = law[i];
  return all;
}
constexpr auto newtonian = after_density(ViscosityLaw::newtonian_parameters);
constexpr auto carreau = after_density(ViscosityLaw::carreau_parameters);
constexpr auto power_law = after_density(ViscosityLaw::power_law_parameters);

struct Entry {
  std::string_view name, doc;
  ViscosityLaw law;
  std::span<const ParamSpec> parameters;
};
constexpr Entry entries[] = {
    {"newtonian", "Newtonian: μ constant", {ViscosityLaw::Kind::newtonian}, newtonian},
    {"carreau", "Carreau: μ = μ_∞ + (μ_0 − μ_∞) (1 + (λ γ̇)²)^((n−1)/2)", {ViscosityLaw::Kind::carreau}, carreau},
    {"power_law", "Power law, regularised: μ = K (γ̇² + γ̇_0²)^((n−1)/2)", {ViscosityLaw::Kind::power_law}, power_law},
};

const Entry& find(std::string_view name) {
  for (const Entry& e : entries)
    if (e.name == name) return e;
  std::string message = "unknown fluid '" + std::string(name) + "'; use one of";
  for (const Entry& e : entries) message.append(" ").append(e.name);
  throw std::invalid_argument(message);
}

}  // namespace

std::vector<std::string_view> flow_law_names() {
  std::vector<std::string_view> names;
  for (const Entry& e : entries) names.push_back(e.name);
  return names;
}

std::string_view flow_law_doc(std::string_view name) { return find(name).doc; }

std::span<const ParamSpec> flow_law_parameters(std::string_view name) { return find(name).parameters; }

ViscosityLaw make_viscosity_law(std::string_view name) { return find(name).law; }

}  // namespace invar
