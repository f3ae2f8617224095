#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace invar {

/// A file that `invar init` writes, as it stands in apps/invar/starters: the build embeds them.
struct StarterFile {
  std::string_view name, text;  // "tensile.yaml"
};

/// Sorted by name.
std::span<const StarterFile> starter_files();

/// Stems of the specs among them.
std::vector<std::string> starter_names();
/// The first line of its spec, a comment.
std::string starter_summary(std::string_view name);

}  // namespace invar
