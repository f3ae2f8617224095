#pragma once

namespace invar {

/// Q-functions of forms that run on devices: what `device_kind.hpp` makes forms of, and what nvcc compiles.
template <class... Q>
struct FormList {};

}  // namespace invar
