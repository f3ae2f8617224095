#pragma once
#include <string>

#include "apps/invar/spec/node.hpp"

namespace invar::spec {

/// A value for one key of a spec, by its dotted path: "cases.uniaxial.steps", "design.0.lower". Mistakes are shown at
/// the positions of `value` and of its key.
struct Assignment {
  std::string path;
  Node value;
  bool leaves_out = false;  // the key, in place of a value
};

}  // namespace invar::spec
