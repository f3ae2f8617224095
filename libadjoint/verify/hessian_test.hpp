#pragma once
#include "libadjoint/reduced_functional.hpp"
#include "libadjoint/verify/taylor_test.hpp"

namespace invar {

/// Symmetry of the Hessian: v·(H w) against w·(H v), relative to the larger or to 1e-6 ‖Hv‖‖w‖.
CertificateEntry hessian_symmetry_test(ReducedFunctional& functional, const DesignVector& theta,
                                       const DesignVector& v, const DesignVector& w,
                                       std::string subject, double tolerance = 1e-8);

/// |J(θ + h d) − J(θ) − h g·d − ½ h² d·H d| must be O(h³).
CertificateEntry hessian_taylor_test(ReducedFunctional& functional, const DesignVector& theta,
                                     const DesignVector& direction, std::string subject,
                                     const TaylorOptions& options = {});

/// ‖g(θ + h d) − g(θ) − h H d‖ must be O(h²). Tests every entry of H d.
CertificateEntry hessian_gradient_test(ReducedFunctional& functional, const DesignVector& theta,
                                       const DesignVector& direction, std::string subject,
                                       const TaylorOptions& options = {});

}  // namespace invar
