#pragma once
#include <array>
#include <string_view>

namespace invar {

/// Volumetric energies U(J), added to a law's volume-preserving part; κ is the bulk modulus.
enum class VolumetricLaw {
  quadratic,    ///< κ/2 (J − 1)²: the only one whose energy stays finite as J goes to 0
  logarithmic,  ///< κ/2 (ln J)²: convex below J = e only (Hencky)
  simo_taylor,  ///< κ/4 (J² − 1 − 2 ln J): convex; Simo, Taylor, Comput. Methods Appl. Mech. Eng. 85 (1991)
  entropic,     ///< κ (J ln J − J + 1): convex; Liu, Hofstetter, Mang, Eng. Comput. 11 (1994)
};

struct VolumetricLawName {
  VolumetricLaw law;
  std::string_view name, doc;
};

inline constexpr std::array<VolumetricLawName, 4> volumetric_laws{{
    {VolumetricLaw::quadratic, "quadratic", "U = κ/2 (J − 1)²"},
    {VolumetricLaw::logarithmic, "logarithmic", "U = κ/2 (ln J)²; not convex where J > e"},
    {VolumetricLaw::simo_taylor, "simo_taylor", "U = κ/4 (J² − 1 − 2 ln J)"},
    {VolumetricLaw::entropic, "entropic", "U = κ (J ln J − J + 1)"},
}};

}  // namespace invar
