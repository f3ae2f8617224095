#pragma once
#include "apps/invar/picture/setup_picture.hpp"
#include "apps/invar/problem/problem.hpp"

namespace invar {

/// Nodal forces of a load on the undeformed body at the end of the process, and their sum.
struct ShownLoad {
  std::string name, text;                  // "tip", "traction on right"
  std::array<double, 3> total{};           // N, per metre of depth in the plane
  std::vector<SetupPicture::Arrow> arrows; // at some of the nodes
};

/// "u_x = 0, u_y = t - 1" of every entry of `boundary` of a case, by its region.
std::vector<std::pair<std::string, std::string>> shown_conditions(const Problem& problem, const CaseModel& model);
/// Those of `loads`. On one process.
std::vector<ShownLoad> shown_loads(const Problem& problem, const CaseModel& model);
/// Points that the spec names: of probes, quantities, data, markers.
std::vector<std::pair<std::string, std::vector<SetupPicture::Point>>> shown_points(const Problem& problem, const CaseModel& model);
/// The picture of a case. On one process.
SetupPicture setup_scene(const Problem& problem, const CaseModel& model);

}  // namespace invar
