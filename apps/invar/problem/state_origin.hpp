#pragma once
#include <string>

namespace invar {

/// The state of another run that a process begins with.
struct StateOrigin {
  std::string file;
  bool interpolated = false;  // the run had another mesh
  long long nodes = 0;        // of its mesh
  long long outside = 0;      // nodes of this mesh outside that one, or outside the domain of a component there
  double farthest = 0;        // m, of these
};

}  // namespace invar
