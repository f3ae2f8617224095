#pragma once
#include <string>
#include <utility>
#include <vector>

#include "libfem/form/at_nodes.hpp"
#include "libfem/solid/dynamic_forms.hpp"
#include "libfem/solid/material_library.hpp"
#include "libfem/solid/solid_device_list.hpp"
#include "libfem/solid/solid_forms.hpp"
#include "tests/unit/device/listed_forms.hpp"

namespace invar::device_test {

/// The kind of solid and its name, by kinematics.
template <class K>
inline constexpr SolidKind solid_kind_of = SolidKind::spatial;
template <>
inline constexpr SolidKind solid_kind_of<PlanarKinematics> = SolidKind::plane_strain;
template <>
inline constexpr SolidKind solid_kind_of<AxisymmetricKinematics> = SolidKind::axisymmetric;
inline std::string name_of(SolidKind kind) {
  return kind == SolidKind::spatial ? "_spatial" : kind == SolidKind::axisymmetric ? "_axisymmetric" : "_planar";
}
template <int Dim, bool Axisymmetric>
inline constexpr SolidKind load_kind = Dim == 3 ? SolidKind::spatial : Axisymmetric ? SolidKind::axisymmetric : SolidKind::plane_strain;

inline std::vector<Component> displacement(int dim) {
  std::vector<Component> all{{"u_x", 2}, {"u_y", 2}};
  if (dim == 3) all.push_back({"u_z", 2});
  return all;
}

/// Typical constants of a law.
template <class Law>
Array constants_of();
template <>
inline Array constants_of<LinearElastic>() { return {10, 0.3}; }
template <>
inline Array constants_of<NeoHookean>() { return {10, 0.3}; }
template <>
inline Array constants_of<NeoHookeanIsochoric>() { return {10, 300}; }

/// A form of solids on the host by its factory.
inline auto solid_form(std::unique_ptr<WeakForm> (*make)(SolidKind, CellBatches), SolidKind kind) {
  return [=](CellBatches on) { return make(kind, std::move(on)); };
}

template <class K, class Law>
struct ListedForm<DisplacementForm<K, LawMaterial<Law, CompressibleForm>>> {
  using Q = DeviceDisplacement<K, Law>;
  static std::vector<FormCase> cases() {
    return {listed_case<Q>(std::string(Law::name) + name_of(solid_kind_of<K>), Domain::cells, displacement(K::dim), constants_of<Law>(),
                           [](CellBatches cells) { return make_displacement_form(solid_kind_of<K>, make_material({.name = Law::name}), std::move(cells)); })};
  }
};
template <class K, class Law>
struct ListedForm<MixedForm<K, LawMaterial<Law, IsochoricForm>>> {
  using Q = DeviceMixed<K, Law>;
  static std::vector<FormCase> cases() {
    auto components = displacement(K::dim);
    components.push_back({"p", 1});
    const MaterialChoice choice{.name = Law::name, .formulation = Formulation::isochoric};
    return {listed_case<Q>("mixed_" + std::string(Law::name) + name_of(solid_kind_of<K>), Domain::cells, components, constants_of<Law>(),
                           [=](CellBatches cells) { return make_mixed_form(solid_kind_of<K>, make_material(choice), std::move(cells)); })};
  }
};

/// One form, which loads or holds: both.
template <int Dim, int RefDim, bool Axisymmetric>
struct ListedForm<LoadOrFoundation<Dim, RefDim, Axisymmetric>> {
  static std::vector<FormCase> cases() {
    constexpr SolidKind kind = load_kind<Dim, Axisymmetric>;
    Array load{1, -2, 3};
    load.resize(Dim);
    const auto of = [&](const char* name, Domain domain, auto make) {
      return listed_case<LoadOrFoundation<Dim, RefDim, Axisymmetric>>(name + name_of(kind), domain, displacement(Dim), load, solid_form(make, kind));
    };
    if (RefDim == Dim) return {of("body_force", Domain::cells, make_body_force)};
    if (RefDim == 0) return {of("point_force", Domain::points, make_point_force), of("spring", Domain::points, make_point_spring)};
    return {of("traction", Domain::facets, make_traction), of("foundation", Domain::facets, make_elastic_foundation)};
  }
};
template <int Dim, bool Axisymmetric>
struct ListedForm<FollowerPressure<Dim, Axisymmetric>> {
  static std::vector<FormCase> cases() {
    constexpr SolidKind kind = load_kind<Dim, Axisymmetric>;
    return {listed_case<FollowerPressure<Dim, Axisymmetric>>("pressure" + name_of(kind), Domain::facets, displacement(Dim), {2},
                                                             solid_form(make_follower_pressure, kind))};
  }
};

template <int Dim, int RefDim, bool Axisymmetric>
struct ListedForm<Inertia<Dim, RefDim, Axisymmetric>> {
  static std::vector<FormCase> cases() {
    constexpr SolidKind kind = load_kind<Dim, Axisymmetric>;
    const auto of = [&](const char* name, Domain domain, auto host) {
      return listed_case<Inertia<Dim, RefDim, Axisymmetric>>(name + name_of(kind), domain, displacement(Dim), {3}, host);
    };
    if (RefDim < Dim) return {of("inertia_of_a_coat", Domain::facets, solid_form(make_coat_inertia, kind))};
    return {of("inertia", Domain::cells, solid_form(make_inertia, kind)),
            of("lumped_inertia", Domain::cells, [](CellBatches on) { return make_inertia(kind, at_nodes(std::move(on))); })};
  }
};
template <class K>
struct ListedForm<KelvinVoigt<K>> {
  static std::vector<FormCase> cases() {
    return {listed_case<KelvinVoigt<K>>("damping" + name_of(solid_kind_of<K>), Domain::cells, displacement(K::dim), {3, 2},
                                        solid_form(make_kelvin_voigt, solid_kind_of<K>))};
  }
};

}  // namespace invar::device_test
