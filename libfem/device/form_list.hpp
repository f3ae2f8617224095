#pragma once

namespace invar {

/// List of q-functions of forms that run on devices: for `device_kind.hpp`, and for compilation by nvcc.
template <class... Q>
struct FormList {};

}  // namespace invar
