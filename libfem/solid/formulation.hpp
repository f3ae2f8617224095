#pragma once

namespace invar {

/// Which part of a material law is the energy.
enum class Formulation {
  compressible,  ///< W(H), the whole law
  /// The volume-preserving part alone, for W + p·(J − 1) − p²/(2κ); small-strain laws: p·tr H.
  isochoric,
};

}  // namespace invar
