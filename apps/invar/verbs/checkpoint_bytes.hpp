#pragma once
#include <string>
#include <vector>

#include "apps/invar/verbs/checkpoint.hpp"

namespace invar {

/// The checkpoint of one rank in CBOR. Arrays are stored as bytes in the machine's order.
std::string checkpoint_bytes(const Checkpoint& checkpoint);
/// Throws std::runtime_error for bytes that are no checkpoint.
Checkpoint checkpoint_in(const std::string& bytes);

/// The ranks' parts as the content of one file.
std::string joined_parts(const std::vector<std::string>& parts);
/// The ranks' parts in the content of a file. Empty, with the reason in `complaint`, if it is not a checkpoint of this number of ranks.
std::vector<std::string> checkpoint_parts(const std::string& content, int ranks, std::string& complaint);

}  // namespace invar
