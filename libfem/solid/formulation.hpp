#pragma once

namespace invar {

/// The part of a material law used as energy.
enum class Formulation {
  compressible,  ///< W(H), the whole law
  /// The volume-preserving part alone, for W + p·(J − 1) − p²/(2κ); small-strain laws: p·tr H.
  isochoric,
};

}  // namespace invar
