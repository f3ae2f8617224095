#pragma once
#include <string>
#include <utility>
#include <vector>

#include "libfluid/flow/flow_device_list.hpp"
#include "libfluid/flow/flow_forms.hpp"
#include "libfluid/flow/unsteady_forms.hpp"
#include "tests/unit/device/listed_forms.hpp"

namespace invar::device_test {

template <class K>
inline constexpr FlowKind flow_kind_of = K::dim == 3 ? FlowKind::spatial : K::axisymmetric ? FlowKind::axisymmetric : FlowKind::planar;
template <class K>
std::string named(const char* name) { return name + std::string(K::dim == 3 ? "_spatial" : K::axisymmetric ? "_axisymmetric" : "_planar"); }

inline std::vector<Component> taylor_hood(int dim) {
  std::vector<Component> all{{"u_x", 2}, {"u_y", 2}};
  if (dim == 3) all.push_back({"u_z", 2});
  all.push_back({"p", 1});
  return all;
}

/// Constants of a density, a law, a body force and a resistance.
inline Array flow_constants(Array law, int dim) {
  Array all{1.2};
  all.insert(all.end(), law.begin(), law.end());
  for (const double force : {0.3, -0.4, 0.5}) all.push_back(force);
  all.resize(1 + law.size() + dim);
  all.push_back(0.2);
  return all;
}

/// Laws of viscosity and terms that members of the form select.
template <class K>
struct ListedForm<NavierStokes<K, false>> {
  static std::vector<FormCase> cases() {
    std::vector<FormCase> all;
    const auto add = [&](const char* name, ViscosityLaw::Kind law, Array parameters, bool stress_form, double grad_div, bool convection = true) {
      const FlowModel model{.law = {.kind = law}, .convection = convection, .stress_form = stress_form, .grad_div = grad_div};
      all.push_back(listed_case<NavierStokes<K, false>>(named<K>(name), Domain::cells, taylor_hood(K::dim), flow_constants(std::move(parameters), K::dim), [=](CellBatches on) {
        return make_navier_stokes(flow_kind_of<K>, FlowDiscretisation::taylor_hood, model, std::move(on));
      }));
    };
    add("newtonian_flow", ViscosityLaw::Kind::newtonian, {0.5}, false, 0);
    add("carreau_flow", ViscosityLaw::Kind::carreau, {0.5, 0.1, 0.7, 0.6}, true, 0.3);
    if (K::dim == 3) return all;  // seconds each
    add("creeping_flow", ViscosityLaw::Kind::newtonian, {0.5}, true, 0, false);
    add("power_law_flow", ViscosityLaw::Kind::power_law, {0.5, 0.6, 0.4}, true, 0.3);
    return all;
  }
};
template <class K>
struct ListedForm<FlowTraction<K>> {
  static std::vector<FormCase> cases() {
    Array traction{1, 2, -1};
    traction.resize(K::dim);
    return {listed_case<FlowTraction<K>>(named<K>("flow_traction"), Domain::facets, taylor_hood(K::dim), traction,
                                         [](CellBatches on) { return make_flow_traction(flow_kind_of<K>, std::move(on)); })};
  }
};
template <class K>
struct ListedForm<PressureOutlet<K>> {
  static std::vector<FormCase> cases() {
    return {listed_case<PressureOutlet<K>>(named<K>("outlet"), Domain::facets, taylor_hood(K::dim), {2},
                                           [](CellBatches on) { return make_pressure_outlet(flow_kind_of<K>, std::move(on)); })};
  }
};
template <class K>
struct ListedForm<FlowInertia<K>> {
  static std::vector<FormCase> cases() {
    return {listed_case<FlowInertia<K>>(named<K>("flow_inertia"), Domain::cells, taylor_hood(K::dim), {1.2},
                                        [](CellBatches on) { return make_flow_inertia(flow_kind_of<K>, std::move(on)); })};
  }
};
template <class K>
struct ListedForm<LinearisedConvection<K>> {
  static std::vector<FormCase> cases() {
    return {listed_case<LinearisedConvection<K>>(named<K>("linearised_convection"), Domain::cells, taylor_hood(K::dim), {1.2},
                                                 [](CellBatches on) { return make_linearised_convection(flow_kind_of<K>, std::move(on)); })};
  }
};

}  // namespace invar::device_test
