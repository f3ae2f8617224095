#pragma once

namespace invar {

/// A form whose arrays of vectors may lie where the vectors are stored, also on a device. Those of other forms are on the host.
class InPlace {
 public:
  virtual ~InPlace() = default;
};

}  // namespace invar
