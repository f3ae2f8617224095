#pragma once
#include "libfem/mesh/airfoil_profile.hpp"
#include "libfem/mesh/mesh.hpp"

namespace invar {

struct AirfoilMeshOptions {
  enum class Topology { c, o } topology = Topology::c;
  double chord = 1;        // m
  double radius = 500;     // distance of the far boundary from the nose, chords
  int around = 128;        // cells on the airfoil; even
  int wake = 48;           // C: cells along the wake
  int normal = 64;         // cells from the wall to the far boundary
  double first = 0;        // m, height of the cells at the wall
  double leading = 2e-3;   // length of the cells at the nose and at the trailing edge, chords
  double trailing = 1e-3;
  int refine = 0;          // number of regular refinements; new nodes are placed by the map of the mesh
  Shape shape = Shape::quadrilateral;
};

/// A structured mesh around an airfoil with its nose at the origin and its chord along x. Cell heights increase from
/// the wall in geometric progression.
/// C topology: mesh lines go round the nose and along the wake, where the upper and lower sides are joined. The plane
/// is unrolled by z = z₀ + w² about the focus z₀ of the nose's parabola (A. Jameson's C meshes); there the airfoil is a
/// shallow bump and the mesh a sheared rectangle. It is bounded by two parabolas that meet at right angles; the front
/// one is an inflow and the rear one an outflow boundary for streams within 45° of the chord. The wake line leaves
/// along the bisector of the trailing edge and bends to the chord's direction within a chord; at a distance of s chords
/// its cells are 1 + s² times as high as at the wall.
/// O topology: closed mesh lines. The exterior of the airfoil is mapped to that of nearly a circle by the
/// Kármán–Trefftz function with the angle of the trailing edge. The far boundary is nearly a circle; its front half is
/// the inlet.
/// Regions: facets airfoil, inlet, outlet and far (both); cells fluid; points leading_edge and trailing_edge. Throws
/// std::invalid_argument for options without a mesh, and if cells are inverted.
Mesh make_airfoil_mesh(const AirfoilProfile& profile, const AirfoilMeshOptions& options);

}  // namespace invar
