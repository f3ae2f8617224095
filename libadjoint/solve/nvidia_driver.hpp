#pragma once
#include <string>

namespace invar {

/// Number of NVIDIA's driver of this machine, "580.95.05", as its management library says; empty where there is none. CUDA's own functions only
/// know which version of CUDA the driver is for. library: its file.
std::string nvidia_driver(const char* library = "libnvidia-ml.so.1");

}  // namespace invar
