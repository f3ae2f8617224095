#include <functional>

#include "libfem/form/q_function.hpp"
#include "libfem/solid/maxwell_branches.hpp"
#include "libfem/solid/mixed_form.hpp"
#include "libfem/solid/shared_material.hpp"
#include "tests/unit/solid/material_cases.hpp"
#include "tests/unit/solid/textbook_laws.hpp"

// Energy, stress and tangent of every law at strains of every size against textbook formulas of 80 digits.
namespace invar::test {
namespace {

/// A direction of H by name, of size 1.
struct Direction {
  const char* name;
  Matrix3 H;
};
const Direction directions[] = {
    {"any", {0.31, -0.62, 0.17, 0.45, 0.83, -0.29, -0.71, 0.38, -0.53}},
    {"pull", {1, 0, 0, 0, -0.4, 0, 0, 0, -0.4}},
    {"shear", {0, 1, 0, 0, 0, 0, 0, 0, 0}},
    {"equal stretches", {0.6, 0, 0, 0, 0.6, 0, 0, 0, -0.9}},
    {"turn", {0, 0.8, -0.3, -0.8, 0, 0.5, 0.3, -0.5, 0}},
};

using Energy = std::function<LongDual(const LongMatrix&)>;

struct Expected {
  Long energy;
  std::array<Long, 9> stress;
};

/// Energy and stress at H over the entries `free`; the others are 0 or follow.
Expected expected(const Energy& energy, const std::array<Long, 9>& H, std::span<const int> free) {
  Expected e{};
  for (const int r : free) {
    LongMatrix moving;
    for (const int k : free) moving[k] = {H[k], Long(k == r)};
    const LongDual W = energy(moving);
    e.energy = W.v;
    e.stress[r] = W.d;
  }
  return e;
}

constexpr int all_entries[] = {0, 1, 2, 3, 4, 5, 6, 7, 8}, plane_entries[] = {0, 1, 3, 4};

/// The energy at the thickness strain that solves P33 = 0; stationary there, so that this strain's derivatives do not
/// count.
Energy condensed(const Energy& solid) {
  return [solid](const LongMatrix& plane) {
    LongMatrix H;
    for (const int k : plane_entries) H[k] = plane[k].v;
    const auto P33 = [&](const Long& strain) {
      H[8] = {strain, Long(1)};
      return solid(H).d;
    };
    Long x = 0, other = Long(1e-3) * (plane[0].v + plane[4].v) + Long(1e-3) * (plane[1].v * plane[3].v) + Long(1e-30);
    Long f = P33(x), g = P33(other);
    for (int i = 0; i < 60 && f != g && abs(other - x) > Long(1e-70); ++i) {  // secants
      const Long next = other - g * (other - x) / (g - f);
      x = other, f = g, other = next, g = P33(other);
    }
    LongMatrix at = plane;
    at[8] = other;
    return solid(at);
  };
}

LongDual volume_ratio_of(const LongMatrix& H) {
  LongMatrix F = H;
  for (int k = 0; k < 9; k += 4) F[k] = F[k] + 1;
  return F[0] * (F[4] * F[8] - F[5] * F[7]) + F[1] * (F[5] * F[6] - F[3] * F[8]) + F[2] * (F[3] * F[7] - F[4] * F[6]);
}

/// U/κ of a volumetric law.
LongDual unit_volumetric_energy(VolumetricLaw law, const LongDual& J) {
  switch (law) {
    case VolumetricLaw::logarithmic: return log(J) * log(J) / 2;
    case VolumetricLaw::simo_taylor: return (J * J - 1 - 2 * log(J)) / 4;
    case VolumetricLaw::entropic: return J * log(J) - J + 1;
    default: return (J - 1) * (J - 1) / 2;
  }
}

/// Without swelling, in space.
Energy elastic_energy_of(const MaterialChoice& choice, const std::vector<double>& p) {
  const bool isochoric = choice.formulation == Formulation::isochoric;
  const std::string name(choice.name);
  const VolumetricLaw law = choice.volumetric;
  if (law == VolumetricLaw::quadratic) return [=](const LongMatrix& H) { return textbook_energy(name, isochoric, H, p); };
  return [=, shape = std::vector<double>(p.begin(), p.end() - 1)](const LongMatrix& H) {
    return textbook_energy(name, true, H, shape) + LongDual(p.back()) * unit_volumetric_energy(law, volume_ratio_of(H));
  };
}

Energy energy_of(const MaterialChoice& choice, const std::vector<double>& q) {
  const bool isochoric = choice.formulation == Formulation::isochoric, finite = make_material(choice)->finite_strain();
  const std::vector<double> p(q.begin(), q.end() - choice.swelling);
  const Energy elastic = elastic_energy_of(choice, p);
  const LongDual s = choice.swelling ? q.back() : 0.0, g = finite ? LongDual(1) + s : LongDual(1), volume = g * g * g;
  const Energy solid = !choice.swelling ? elastic : [=](const LongMatrix& H) {
    LongMatrix E;
    for (int k = 0; k < 9; ++k) E[k] = (k % 4 == 0 ? H[k] - s : H[k]) / g;
    return volume * elastic(E);
  };
  if (!choice.plane_stress) return solid;
  if (!isochoric) return condensed(solid);
  return [=](const LongMatrix& plane) {
    LongMatrix H = plane;
    if (finite) H[8] = volume / ((1 + H[0]) * (1 + H[4]) - H[1] * H[3]) - 1;
    else H[8] = 3 * s - (H[0] + H[4]);
    return solid(H);
  };
}

double as_double(const Long& x) { return x.convert_to<double>(); }

/// Largest difference from what is expected, relative to the largest number expected.
struct RelativeError {
  double difference = 0, size = 0;
  void see(double found, const Long& wanted) {
    const double d = std::abs(as_double(Long(found) - wanted));
    if (!(d <= difference)) difference = d;
    size = std::max(size, std::abs(as_double(wanted)));
  }
  double relative() const { return difference / size; }
};

std::vector<MaterialChoice> every_choice() {
  std::vector<MaterialChoice> all;
  for (const std::string_view name : material_names())
    for (int terms = 1; terms <= max_material_terms(name); ++terms)
      for (const Formulation formulation : {Formulation::compressible, Formulation::isochoric})
        for (const bool plane_stress : {false, true}) all.push_back({name, formulation, plane_stress, terms});
  for (const VolumetricLawName& v : volumetric_laws)
    if (v.law != VolumetricLaw::quadratic)
      for (const bool plane_stress : {false, true}) all.push_back({"yeoh", Formulation::compressible, plane_stress, 1, v.law});
  for (const char* name : {"linear_elastic", "neo_hookean", "transversely_isotropic"})
    for (const Formulation formulation : {Formulation::compressible, Formulation::isochoric})
      for (const bool plane_stress : {false, true})
        all.push_back({name, formulation, plane_stress, 1, VolumetricLaw::quadratic, true});
  return all;
}

class LawAtAnyStrain : public testing::TestWithParam<MaterialChoice> {};

/// The energy to 1e-14 of itself, the stress to 1e-14 and the tangent to 1e-13 of their largest entry.
TEST_P(LawAtAnyStrain, IsExactToRounding) {
  const MaterialChoice choice = GetParam();
  std::vector<double> p = stable_constants(choice.name, choice.formulation, choice.terms);
  if (choice.swelling) p.push_back(0.07);
  const auto material = make_material(choice);
  ASSERT_EQ(p.size(), material->parameters().size());
  const Energy energy = energy_of(choice, p);
  const std::span<const int> free = choice.plane_stress ? std::span<const int>(plane_entries) : all_entries;
  for (const Direction& direction : directions)
    for (const double size : {0.4, 1e-1, 1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
      SCOPED_TRACE(testing::Message() << "direction " << direction.name << ", size " << size);
      const bool feels_swelling = choice.swelling && (choice.plane_stress || choice.formulation == Formulation::compressible);
      const bool rigid = !feels_swelling && !material->finite_strain() && std::string_view(direction.name) == "turn";  // no energy at all
      // its series does not converge
      const bool no_reference = size > 0.3 && (choice.name == "ogden" || choice.name == "convex_network" || choice.name == "corotated" || choice.name == "hencky");
      if (rigid || no_reference) continue;
      Matrix3 H{};
      std::array<Long, 9> at{};
      for (const int k : free) at[k] = H.entries[k] = size * direction.H.entries[k];
      const PointResponse found = evaluate(*material, H, p);
      const Expected wanted = expected(energy, at, free);
      RelativeError W, P, A;
      W.see(found.energy, wanted.energy);
      for (int k = 0; k < 9; ++k) P.see(found.stress[k], wanted.stress[k]);
      EXPECT_LE(W.relative(), 1e-14);
      EXPECT_LE(P.relative(), 1e-14);
      // differences of 80 digits take their time
      if (&direction != directions || size > 1e-2 || size == 1e-4) continue;
      const Long step = Long(1e-20) * size;
      for (const int s : free) {
        auto ahead = at, behind = at;
        ahead[s] += step, behind[s] -= step;
        const Expected a = expected(energy, ahead, free), b = expected(energy, behind, free);
        for (const int r : free) A.see(found.tangent[r][s], (a.stress[r] - b.stress[r]) / (2 * step));
      }
      EXPECT_LE(A.relative(), 1e-13);
    }
}
INSTANTIATE_TEST_SUITE_P(Laws, LawAtAnyStrain, testing::ValuesIn(every_choice()), [](const auto& info) {
  const MaterialChoice& c = info.param;
  std::string name(c.name);
  if (max_material_terms(c.name) > 1) name += std::to_string(c.terms);
  return name + (c.formulation == Formulation::isochoric ? "_isochoric" : "_whole") + (c.plane_stress ? "_plane" : "") +
         (c.volumetric == VolumetricLaw::quadratic ? "" : "_" + std::string(volumetric_laws[int(c.volumetric)].name)) +
         (c.swelling ? "_swelling" : "");
});

constexpr double sizes[] = {1e-2, 1e-5, 1e-8, 1e-12};
using Spatial = PointGeometry<Pack, 3, 3>;
Spatial unit_geometry() {
  Spatial g{};
  for (int i = 0; i < 3; ++i) g.A(i, i) = 1.0;
  g.measure = 1.0;
  return g;
}
std::array<Long, 9> exact(const Matrix3& H) {
  std::array<Long, 9> at;
  for (int k = 0; k < 9; ++k) at[k] = H.entries[k];
  return at;
}
LongDual volume_change(const LongMatrix& H) { return volume_ratio_of(H) - 1; }

/// Energy, forces and volume equation of W_iso − p (J − 1) − p²/(2κ), the pressure being of the size of the stresses.
TEST(LawAtAnyStrain, MixedFormIsExactToRounding) {
  const MixedForm<SpatialKinematics, SharedMaterial> form{SharedMaterial(make_material({"neo_hookean", Formulation::isochoric}))};
  const std::vector<double> constants{2.4};
  const double bulk = 50;
  const Pack p[] = {2.4, bulk};
  for (const double size : sizes) {
    SCOPED_TRACE(size);
    const Matrix3 H = size * directions[0].H;
    const double pressure = 0.7 * size;
    std::array<Pack, 10> z;
    for (int k = 0; k < 9; ++k) z[k] = H.entries[k];
    z[9] = pressure;
    const Energy energy = [&](const LongMatrix& at) {
      const Long q = pressure;
      return textbook_energy("neo_hookean", true, at, constants) - LongDual(q) * volume_change(at) - LongDual(q * q / (2 * bulk));
    };
    const Expected wanted = expected(energy, exact(H), all_entries);
    LongMatrix at;
    for (int k = 0; k < 9; ++k) at[k] = Long(H.entries[k]);
    RelativeError W, P, volume;
    W.see(form.density(z, unit_geometry(), p)[0], wanted.energy);
    const auto flux = form.flux(z, unit_geometry(), p);
    for (int k = 0; k < 9; ++k) P.see(flux[k][0], wanted.stress[k]);
    volume.see(flux[9][0], -(volume_change(at).v + Long(pressure) / bulk));
    EXPECT_LE(W.relative(), 1e-14);
    EXPECT_LE(P.relative(), 1e-14);
    EXPECT_LE(volume.relative(), 1e-14);
  }
}

/// The stress of a step, and what it leaves behind: S = J^(−2/3) (I − ⅓ tr C C⁻¹), the derivative of the isochoric
/// neo-Hookean energy of unit modulus by E.
TEST(LawAtAnyStrain, MaxwellBranchesAreExactToRounding) {
  using Form = MaxwellBranches<SpatialKinematics>;
  using Components = SymmetricComponents<SpatialKinematics>;
  const Form form{1};
  const double modulus = 0.6, step = 0.3;
  const std::vector<double> unit{3.0};  // Young's modulus of μ = 1
  for (const double size : sizes) {
    SCOPED_TRACE(size);
    const Matrix3 H = size * directions[0].H;
    std::array<Pack, 9> z;
    for (int k = 0; k < 9; ++k) z[k] = H.entries[k];
    double history[12];  // Q, S
    for (int k = 0; k < 12; ++k) history[k] = size * (0.1 * k - 0.4);
    Pack p[2 + 12 + 1] = {modulus, 1.0};
    for (int k = 0; k < 12; ++k) p[2 + k] = history[k];
    p[14] = step;
    const Long decay = exp(Long(-step)), weight = Long(modulus) * (1 - decay) / Long(step);
    const Energy potential = [&](const LongMatrix& at) {
      LongMatrix F = at;
      for (int k = 0; k < 9; k += 4) F[k] = F[k] + 1;
      const LongMatrix C = product({F[0], F[3], F[6], F[1], F[4], F[7], F[2], F[5], F[8]}, F);
      LongDual W = LongDual(weight) * textbook_energy("neo_hookean", true, at, unit);
      for (int k = 0; k < 6; ++k)
        W = W + LongDual(Components::weight(k) * (decay * history[k] - weight * history[6 + k]) / 2) *
                    (C[3 * Components::row(k) + Components::column(k)] - (k < 3 ? 1 : 0));
      return W;
    };
    const Expected wanted = expected(potential, exact(H), all_entries);
    RelativeError W, P, S;
    W.see(form.density(z, unit_geometry(), p)[0], wanted.energy);
    const auto flux = point_flux<Form, Pack, Pack, Pack>(form, z, unit_geometry(), p);
    for (int k = 0; k < 9; ++k) P.see(flux[k][0], wanted.stress[k]);

    // ∂W/∂H = F S: S by Cramer's rule from the stress of the unit law.
    const Expected unit_law =
        expected([&](const LongMatrix& at) { return textbook_energy("neo_hookean", true, at, unit); }, exact(H), all_entries);
    Long F[9];
    for (int k = 0; k < 9; ++k) F[k] = Long(H.entries[k]) + (k % 4 == 0 ? 1 : 0);
    const Long J = F[0] * (F[4] * F[8] - F[5] * F[7]) + F[1] * (F[5] * F[6] - F[3] * F[8]) + F[2] * (F[3] * F[7] - F[4] * F[6]);
    Pack left[12];
    form.update_memory(z, unit_geometry(), p, left);
    for (int k = 0; k < 6; ++k) {
      const int i = Components::row(k), j = Components::column(k);
      Long s = 0;
      for (int l = 0; l < 3; ++l) {  // F⁻¹_il = cof F_li / J
        const int a = (l + 1) % 3, b = (l + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
        s += (F[3 * a + c] * F[3 * b + d] - F[3 * a + d] * F[3 * b + c]) / J * unit_law.stress[3 * l + j];
      }
      S.see(left[6 + k][0], s);
    }
    EXPECT_LE(W.relative(), 1e-14);
    EXPECT_LE(P.relative(), 1e-14);
    EXPECT_LE(S.relative(), 1e-14);
  }
}

}  // namespace
}  // namespace invar::test
