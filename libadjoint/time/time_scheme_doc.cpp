#include "libadjoint/time/time_scheme_doc.hpp"

#include <stdexcept>
#include <string>

namespace invar {

std::string_view time_scheme_doc(std::string_view name) {
  if (name == "backward_euler") return "first order, L-stable, strongly damping; for processes that approach a steady state";
  if (name == "bdf2") return "second order, L-stable, two-step; starts with backward Euler; variable steps";
  if (name == "midpoint") return "implicit midpoint rule, second order, without damping; preserves the energy of linear problems. Forces act in the middle of a step only: with contact, choose a `distance` that "
                                "surfaces need at least four steps to cross; otherwise the energy of their nodes grows, and steps are divided or fail";
  if (name == "newmark") return "average acceleration (beta 1/4, gamma 1/2), second order, without damping; solids with inertia";
  if (name == "generalised_alpha") return "second order, damps unresolved frequencies as given by 'rho_infinity' (Chung and Hulbert 1993; first order in time: Jansen, Whiting and Hulbert 2000)";
  if (name == "central_differences") return "explicit (Störmer-Verlet, leapfrog), second order, without damping: every step is one linear system with the matrix of mass (and viscosity), or with `mass: lumped` a division. Reported accelerations, and forces with an inertial part, are those at the beginning of a step, which is first-order accurate. Steps must be shorter than 2 divided by the highest angular frequency of the mesh, about the travel time of a wave through the smallest cell; longer steps are refused, with an estimate of this bound; solids with inertia, displacement formulation, without contact of surfaces";
  if (name == "sdirk2") return "two stages per step, second order, L-stable (Alexander 1977). In flow and fluid-structure interaction rates, pressures and forces at the end of a step follow from the stages of two steps: those of the stages are of first order where inflow or mesh move";
  if (name == "pressure_correction") return "incompressible flow with Taylor-Hood elements: bdf2 with separate linear systems for velocity and pressure (rotational incremental pressure correction, Guermond, Minev and Shen 2006). A step costs a fraction of one of bdf2, but its error is about three times larger: the same error needs about half the step. The order is 2 in the velocity (3/2 near open boundaries), and lower by 1/2 in the pressure; with viscous_term: gradient and a newtonian fluid all velocity components use one scalar matrix. Steady limits depend slightly on the step: not for steady flow";
  throw std::invalid_argument("there is no time scheme '" + std::string(name) + "'");
}

}  // namespace invar
