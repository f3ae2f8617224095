#pragma once
#include <memory>
#include <string>

#include "libadjoint/solve/block_preconditioner.hpp"
#include "libadjoint/solve/coupled_fields.hpp"
#include "libadjoint/solve/matrix_block.hpp"
#include "libadjoint/solve/saddle_preconditioner.hpp"

namespace invar {

/// Block Gauss–Seidel on CoupledFields: Failer, Richter, J. Sci. Comput. 82 (2020), of fluid–structure interaction. Rows of the integral say
/// s = w + G v with w = (αM)⁻¹ r_s and the diagonal G = β/α, so that s is eliminated from the rows of v and p; then
///   the saddle point of v and p, with the columns of s times G added to those of v,
///   the integral s = w + G v, and the follower m from its own rows.
/// Only the dependence of v and p on m is omitted. The transposed equation is solved in reverse order: m, then v and p, then s.
class GaussSeidelPreconditioner final : public BlockPreconditioner {
 public:
  /// Options of the solvers have this prefix and "primal_", "schur_", "integral_", "follower_".
  GaussSeidelPreconditioner(std::shared_ptr<CoupledFields> fields, std::string prefix);

  std::string set_up(Mat K) override;
  void apply(Vec b, Vec x, bool transpose) override;

 private:
  std::string find_ratio(Mat K);
  void eliminate(Mat K);
  std::string set_up_solver(KspHandle& solver, Mat A, const char* name);
  void add_integrand(Vec v, Vec s) const;
  void add_to_integrand(Vec s, Vec v) const;
  void forward(Vec b, Vec x);
  void backward(Vec b, Vec x);

  std::shared_ptr<CoupledFields> fields_;
  std::string prefix_;
  SaddlePreconditioner saddle_;
  KnownPattern pattern_;
  std::vector<double> ratio_;          // G, of own rows of the integral
  MatHandle columns_, mass_, follower_;  // K[:, s], αM, E
  MatHandle substitution_, eliminated_;  // v, p ↦ (v, p, G v, 0), and K times it
  KspHandle solve_mass_, solve_follower_;
  VecHandle r_, w_, t_;                // work: all, integral, integral
};

}  // namespace invar
