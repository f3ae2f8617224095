#include <stdexcept>
#include <string>

#include "apps/invar/report/checkpoint_folder.hpp"
#include "apps/invar/verbs/checkpoint_bytes.hpp"
#include "tests/fuzz/readers.hpp"
#include "tests/fuzz/scratch_file.hpp"

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

/// In a folder a file counts if its checksum fits it, and what is written there next is the newest. Not of every input: files are slow.
void read_as_file(std::string_view bytes) {
  if (bytes.size() % 8 != 0) return;
  const ScratchFolder scratch;
  scratch.write("000007.checkpoint", bytes);
  const std::optional<std::string_view> content = checked_content(bytes);
  CheckpointFolder folder(scratch.path());
  std::vector<std::string> damaged;
  const std::optional<std::string> newest = folder.newest(damaged);
  if (newest.has_value() != content.has_value() || (newest && *newest != *content) || damaged.size() != (content ? 0u : 1u))
    throw std::logic_error("a file reads otherwise than its bytes");
  for (int k = 0; k < 3; ++k) folder.write(bytes);
  if (folder.newest(damaged) != std::string(bytes)) throw std::logic_error("what was written last is not the newest");
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
    if (!parts.empty() && checkpoint_parts(joined_parts(parts), ranks, complaint) != parts) throw std::logic_error("parts that are joined part otherwise");
  }
  read_as_file(bytes);
  return read_part(std::string(content)) || any;
}

}  // namespace invar::fuzz
