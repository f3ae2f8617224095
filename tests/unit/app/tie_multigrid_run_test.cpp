// Multigrid of tied unknowns, through the program.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/app/gradient_answer.hpp"
#include "tests/unit/app/solved_spec.hpp"

namespace invar::test {
namespace {

/// A cell in space with a stiff grain, of quadratic elements.
std::string cell_in_space(const std::string& linear, const std::string& ties, int cells) {
  return R"(title: a cell in space
mesh: {box: {to: [1, 1, 1], cells: [)" + std::to_string(cells) + ", " + std::to_string(cells) + ", " + std::to_string(cells) + R"(]}, parts: {soft: x + y + z < 1.4, stiff: x + y + z > 1.4}}
physics: {type: solid, kind: spatial, order: 2}
materials:
  soft: {region: soft, model: neo_hookean, young: 100, poisson: 0.3}
  stiff: {region: stiff, model: neo_hookean, young: 400, poisson: 0.2}
solver: {linear: )" + linear + R"(, rtol: 1e-12, linear_rtol: 1e-12}
ties:
)" + ties + R"(design:
  - {variable: materials.soft.young, scale: log}
  - {variable: materials.stiff.poisson}
)";
}
const std::string grain = R"(  cell: {type: periodic, sides: [[left, right], [bottom, top], [back, front]], xx: 0.1, yy: free, zz: free, xy: 0.05}
boundary:
  left_bottom_back: {u_x: 0, u_y: 0, u_z: 0}
objective:
  - {type: tie, tie: cell.xx, of: force}
  - {type: tie, tie: cell.yy, target: 0.1}
)";
/// Ties of single components, which divide the blocks of nodes, and numbers that make no whole block.
const std::string plate = R"(  plate: {type: plane, region: right, u_x: free}
  side: {type: mean, region: top, u_y: 0.1}
boundary:
  left: {u_x: 0}
  left_bottom: {u_y: 0}
  left_bottom_back: {u_z: 0}
  right_bottom: {u_y: 0}
loads:
  pull: {type: traction, region: right, x: 20*y}
objective:
  - {type: tie, tie: side.u_y, of: force}
  - {type: tie, tie: plate.u_x_y, weight: 10}
)";

TEST(Ties, MultigridOfTiedUnknownsFindsWhatFactorsFind) {
  for (const auto& [ties, ranks] : {std::pair{grain, 2}, std::pair{plate, 3}}) {
    const Workplace here;
    here.write("spec.yaml", cell_in_space("mumps_cholesky", ties, 3));
    const Answer direct = gradient_in(here, 1);
    here.write("spec.yaml", cell_in_space("cg_two_level", ties, 3));
    expect_same_gradient(here, direct, 1);
    if (has_mpirun()) expect_same_gradient(here, direct, ranks);
  }
}

/// No more iterations than where nothing is tied, the block is held at points and is pulled by forces: the coarse functions meet the ties.
TEST(Ties, MultigridNeedsNoMoreIterationsWithTies) {
  const auto iterations = [](const std::string& ties) {
    const Workplace here;
    here.write("spec.yaml", cell_in_space("cg_two_level", ties, 4));
    const Ended end = here.invar({"run", "spec.yaml", "-v", "--set", "optimizer.max_iterations=0"});
    EXPECT_EQ(end.code, 0) << end.said();
    const std::string wanted = "cg_two_level, ", said = end.said();
    int most = 0;
    for (std::size_t at = said.find(wanted); at != std::string::npos; at = said.find(wanted, at + 1))
      most = std::max(most, std::stoi(said.substr(at + wanted.size())));
    EXPECT_GT(most, 0) << said;
    return most;
  };
  const int free = iterations(R"(  corner: {type: translation, region: right_top_front, u_x: free}
boundary:
  left_bottom_back: {u_x: 0, u_y: 0, u_z: 0}
  right_bottom_back: {u_y: 0, u_z: 0}
  left_top_back: {u_z: 0}
loads:
  pull: {type: traction, region: right, x: 20}
  back: {type: traction, region: left, x: -20}
objective: [{type: tie, tie: corner.u_x}]
)");
  EXPECT_LE(iterations(grain), free);
  EXPECT_LE(iterations(R"(  plate: {type: plane, region: right, u_x: free}
boundary:
  left: {u_x: 0}
  bottom: {u_y: 0}
  left_bottom_back: {u_z: 0}
loads:
  pull: {type: traction, region: right, x: 20*y}
objective: [{type: tie, tie: plate.u_x_y}]
)"), free);
}

}  // namespace
}  // namespace invar::test
