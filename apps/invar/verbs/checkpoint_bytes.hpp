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
/// The parts in a file's content. None, and a complaint, where it is no checkpoint or not one of so many ranks.
std::vector<std::string> checkpoint_parts(const std::string& content, int ranks, std::string& complaint);

}  // namespace invar
