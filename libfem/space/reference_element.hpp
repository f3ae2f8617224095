#pragma once
// The elements of a space are those of the mesh: Lagrange of order 0, 1 and 2.
#include "libfem/mesh/reference_element.hpp"
