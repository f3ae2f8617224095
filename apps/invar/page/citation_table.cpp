#include "apps/invar/page/citation_table.hpp"

namespace invar {

std::span<const CitedWord> cited_words() {
  static const std::vector<CitedWord> table = {
      {"physics", "type", "solid", "finite elements", {"zienkiewicz2013"}},
      {"physics", "type", "flow", "finite elements for incompressible flow", {"elman2014"}},
      {"physics", "elements", "taylor_hood", "Taylor–Hood elements", {"taylor1973"}},
      {"physics", "elements", "equal_order", "stabilised elements of equal order", {"bazilevs2007"}},
      {"physics", "turbulence", "none"},
      {"physics", "turbulence", "spalart_allmaras", "the turbulence model of Spalart and Allmaras", {"spalart1994", "allmaras2012", "brooks1982"}},
      {"physics", "scalar", "true", "transport of a scalar, stabilised", {"brooks1982", "shakib1991"}},

      {"materials", "model", "linear_elastic", "linear elasticity", {"gurtin2010"}},
      {"materials", "model", "orthotropic", "orthotropic elasticity", {"jones1999"}},
      {"materials", "model", "saint_venant_kirchhoff", "the law of Saint-Venant and Kirchhoff", {"ciarlet1988"}},
      {"materials", "model", "neo_hookean", "neo-Hookean law", {"bonet2008"}},
      {"materials", "model", "neo_hookean_isochoric", "neo-Hookean law with isochoric strains", {"treloar1975"}},
      {"materials", "model", "mooney_rivlin", "the law of Mooney and Rivlin", {"mooney1940", "rivlin1948"}},
      {"materials", "model", "yeoh", "the law of Yeoh", {"yeoh1993"}},
      {"materials", "model", "ogden", "the law of Ogden", {"ogden1972"}},
      {"materials", "model", "gent", "the law of Gent", {"gent1996"}},
      {"materials", "model", "arruda_boyce", "the law of Arruda and Boyce", {"arruda1993"}},
      {"materials", "model", "convex_network", "a law of convex networks of the stretches", {"stpierre2023", "amos2017"}},
      {"materials", "model", "newtonian"},
      {"materials", "model", "carreau", "the viscosity of Carreau", {"bird1987"}},
      {"materials", "model", "power_law", "viscosity by a power law", {"bird1987"}},
      {"materials", "relaxation", "", "Maxwell elements at finite strain", {"simo1987"}},
      {"materials", "plasticity", "", "von Mises plasticity", {"simo1998"}},
      {"loads", "type", "backflow", "stabilisation against flow that comes back at outlets", {"bazilevs2009"}},

      {"time", "scheme", "static"},
      {"time", "scheme", "backward_euler", "the backward Euler scheme", {"hairer1996"}},
      {"time", "scheme", "bdf2", "the scheme BDF2", {"hairer1996"}},
      {"time", "scheme", "midpoint", "the implicit midpoint rule", {"hairer1996"}},
      {"time", "scheme", "newmark", "Newmark's scheme", {"newmark1959"}},
      {"time", "scheme", "generalised_alpha", "the generalised-α scheme", {"chung1993", "jansen2000"}},
      {"time", "scheme", "sdirk2", "a singly diagonally implicit Runge–Kutta scheme", {"alexander1977"}},
      {"time", "scheme", "pressure_correction", "rotational pressure correction", {"guermond2006"}},
      {"time", "control", "arc_length", "equilibrium paths by arc length", {"riks1979", "crisfield1981"}},

      {"design", "kind", "number"},
      {"design", "kind", "rigid"},
      {"design", "kind", "initial_field"},
      {"design", "kind", "ffd", "free-form deformation", {"sederberg1986"}},
      {"design", "kind", "bspline", "B-splines", {"deboor2001"}},
      {"design", "kind", "signal", "signals of splines or of Fourier's functions", {"deboor2001"}},
      {"design", "kind", "hicks_henne", "bumps of Hicks and Henne", {"hicks1978"}},
      {"design", "kind", "cst", "class and shape functions", {"kulfan2008"}},
      {"design", "kind", "free_boundary", "free boundaries with smoothed gradients", {"mohammadi2010"}},
      {"design", "kind", "density", "topology optimisation of flow by resistance", {"borrvall2003", "lazarov2011"}},
      {"design", "kind", "solid_density", "topology optimisation by densities and a filter", {"bendsoe1999", "lazarov2011"}},
      {"design", "kind", "field", "filtered fields of constants", {"lazarov2011"}},
      {"design", "law", "simp", "stiffness by a power of the density (SIMP)", {"bendsoe1999"}},
      {"design", "law", "ramp", "stiffness by a rational function of the density (RAMP)", {"stolpe2001"}},
      {"objective", "type", "roughness", "regularisation by roughness", {"vogel2002"}},

      {"mesh_motion", "method", "elastic", "elastic motion of the mesh", {"stein2003"}},
      {"mesh_motion", "method", "inverse_distance", "motion of the mesh by inverse distance", {"luke2012"}},

      {"optimizer", "method", "quasi_newton", "limited-memory quasi-Newton method of TAO", {"nocedal2006", "balay2022"}},
      {"optimizer", "method", "conjugate_gradient", "nonlinear conjugate gradients of TAO", {"nocedal2006", "balay2022"}},
      {"optimizer", "method", "levenberg_marquardt", "the method of Levenberg and Marquardt", {"more1978", "ceres"}},
      {"optimizer", "method", "mma", "the method of moving asymptotes", {"svanberg1987", "svanberg2002"}},
      {"optimizer", "method", "sqp", "sequential quadratic programming", {"powell1978", "goldfarb1983"}},

      {"solver", "linear", "mumps", "sparse factors by MUMPS", {"amestoy2001"}},
      {"solver", "linear", "mumps_cholesky", "sparse factors by MUMPS", {"amestoy2001"}},
      {"solver", "linear", "cholmod", "sparse factors by CHOLMOD", {"chen2008"}},
      {"solver", "linear", "umfpack", "sparse factors by UMFPACK", {"davis2004"}},
      {"solver", "linear", "redundant", "sparse factors by UMFPACK", {"davis2004"}},
      {"solver", "linear", "cg_gamg", "smoothed aggregation", {"vanek1996"}},
      {"solver", "linear", "cg_hypre", "BoomerAMG", {"henson2002", "falgout2002"}},
      {"solver", "linear", "cg_two_level", "BoomerAMG", {"henson2002", "falgout2002"}},
      {"solver", "linear", "cg_jacobi"},
      {"solver", "linear", "gmres_ilu", "GMRES", {"saad1986"}},
      {"solver", "linear", "field_split", "the augmented Lagrangian as a preconditioner", {"benzi2006", "saad1986"}},
      {"solver", "linear", "field_split_amg", "preconditioners by blocks", {"elman2014", "saad1986"}},
      {"solver", "linear", "block_triangular", "preconditioners by blocks", {"elman2014", "saad1986"}},
      {"solver", "linear", "coupled_amg", "GMRES", {"saad1986"}},
      {"solver", "linear", "auto"},

      {"sweep", "design", "grid"},
      {"sweep", "design", "zip"},
      {"sweep", "design", "starts"},
      {"sweep", "design", "latin_hypercube", "Latin hypercubes", {"mckay1979"}},
      {"sweep", "design", "sobol", "Sobol's sequence, scrambled", {"joe2008", "owen1995", "burley2020"}},
      {"sweep", "design", "sobol_indices", "Sobol's indices on his sequence, scrambled", {"saltelli2010", "jansen1999", "joe2008", "owen1995", "burley2020"}},
  };
  return table;
}

}  // namespace invar
