#pragma once
#include <string>
#include <vector>

namespace invar {

/// Nodal or cell values of one rank's part of a mesh. A field with two components is written as a plane vector with a
/// zero third component; others are written as they are: 6 components for a symmetric tensor (xx, yy, zz, xy, yz, xz in
/// ParaView), 9 for a full one, by rows.
struct VtkField {
  enum class On { nodes, cells };

  std::string name;
  int components = 1;
  On on = On::nodes;
  std::vector<double> values;  // [n × components]; n: local nodes, or cells of all blocks in turn,
                               // ghosts included
};

}  // namespace invar
