#include "libadjoint/time/time_scheme_doc.hpp"

#include <stdexcept>
#include <string>

namespace invar {

std::string_view time_scheme_doc(std::string_view name) {
  if (name == "backward_euler") return "first order, L-stable: damps everything fast; for processes that come to rest";
  if (name == "bdf2") return "second order, L-stable, two steps back; begins with backward Euler, and steps may vary";
  if (name == "midpoint") return "implicit midpoint rule, second order: damps nothing and keeps the energy of linear problems";
  if (name == "newmark") return "average acceleration (beta 1/4, gamma 1/2), second order, damps nothing; solids with inertia";
  if (name == "generalised_alpha") return "second order, damps what steps do not resolve as 'rho_infinity' says (Chung and Hulbert 1993; first order in time: Jansen, Whiting and Hulbert 2000)";
  if (name == "central_differences") return "explicit (Störmer-Verlet, leapfrog), second order, damps nothing: every step is one linear system with the matrix of the mass (and viscosity). Accelerations, and forces that inertia has a part in, are reported as they are where a step begins, which is of first order. Steps must be shorter than 2 over the highest frequency of the mesh, about the time that a wave takes through the smallest cell; solids with inertia, displacement formulation, without contact of surfaces";
  if (name == "sdirk2") return "two stages a step, second order, L-stable (Alexander 1977)";
  if (name == "pressure_correction") return "incompressible flow with Taylor-Hood elements: bdf2 with velocity, then pressure, each by a small linear system (rotational incremental pressure correction, Guermond, Minev and Shen 2006). A step costs a fraction of bdf2's, its error is some three times larger: half the step for the same error. Second order in the velocity (3/2 near open boundaries), a half less in the pressure; both components by one scalar matrix with viscous_term: gradient and a newtonian fluid. Steady limits depend on the step a little: not for steady flow";
  throw std::invalid_argument("there is no time scheme '" + std::string(name) + "'");
}

}  // namespace invar
