#pragma once
#include "libfem/mesh/airfoil_profile.hpp"
#include "libfem/mesh/mesh.hpp"

namespace invar {

struct AirfoilMeshOptions {
  enum class Topology { c, o } topology = Topology::c;
  double chord = 1;        // m
  double radius = 500;     // from the nose to the far boundary, chords
  int around = 128;        // cells on the airfoil; even
  int wake = 48;           // C: cells along the wake
  int normal = 64;         // cells from the wall to the far boundary
  double first = 0;        // m, height of the cells at the wall
  double leading = 2e-3;   // length of the cells at the nose and at the trailing edge, chords
  double trailing = 1e-3;
  int refine = 0;          // how often every cell is divided, with new nodes where the map of the mesh puts them
  Shape shape = Shape::quadrilateral;
};

/// A structured mesh around an airfoil with its nose in the origin and its chord along x. Cell heights grow from the
/// wall in geometric progression.
///
/// C: lines that go round the nose and along the wake, above and below of which the mesh is joined. The plane is
/// unrolled by z = z₀ + w² about the focus z₀ of the nose's parabola (A. Jameson's C meshes), where the airfoil is a
/// shallow bump and the mesh a sheared rectangle; it ends in two parabolas that meet at right angles, of which the
/// front one is inflow and the rear one outflow wherever the stream is less than 45° from the chord. The wake leaves
/// along the bisector of the trailing edge and bends to the chord's direction within a chord; at a distance of s chords
/// cells are 1 + s² times as high there as at the wall.
///
/// O: closed lines. The outside of the airfoil is mapped to that of nearly a circle by the function of Kármán and
/// Trefftz with the angle of the trailing edge. The far boundary is nearly a circle, whose front half is the inlet.
///
/// Regions: facets airfoil, inlet, outlet and far (both); cells fluid; points leading_edge and trailing_edge. Throws
/// std::invalid_argument for options that make no mesh, and where cells turn inside out.
Mesh make_airfoil_mesh(const AirfoilProfile& profile, const AirfoilMeshOptions& options);

}  // namespace invar
