#include <stdexcept>
#include <string>

#include "apps/invar/report/checkpoint_folder.hpp"
#include "apps/invar/verbs/checkpoint_bytes.hpp"
#include "tests/fuzz/readers.hpp"

namespace invar::fuzz {
namespace {

bool read_part(const std::string& bytes) {
  try {
    const Checkpoint read = checkpoint_in(bytes);
    if (checkpoint_bytes(checkpoint_in(checkpoint_bytes(read))) != checkpoint_bytes(read))
      throw std::logic_error("a checkpoint that is written reads otherwise");
    return true;
  } catch (const std::runtime_error&) {
    return false;
  }
}

}  // namespace

/// Bytes that a checksum does not fit are looked at without it: it guards against damage, not against intent.
bool read_checkpoint(std::string_view bytes) {
  const std::string_view content = checked_content(bytes).value_or(bytes);
  bool any = false;
  for (const int ranks : {1, 2}) {
    std::string complaint;
    const std::vector<std::string> parts = checkpoint_parts(std::string(content), ranks, complaint);
    if (parts.empty() == complaint.empty()) throw std::logic_error("no parts and no complaint");
    for (const std::string& part : parts) any |= read_part(part);
  }
  return read_part(std::string(content)) || any;
}

}  // namespace invar::fuzz
