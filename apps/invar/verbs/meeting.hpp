#pragma once
#include <optional>

namespace invar {

/// Places to which ranks may come by different ways, because one has met an error alone and the others go on waiting for it.
enum class Meeting { failure, end };

/// The largest of the ranks' values when all have come to `place`. Nothing where some do not come within `patience` (seconds), or
/// have come to another place. Then this rank is alone and waits for nobody any more, at other places neither: whatever it passes
/// on its way to the end, that takes `patience` once. Without end of patience the others' end is waited for, which is this rank's.
std::optional<int> largest_at(Meeting place, int value, double patience);

/// For how long a rank that failed waits for the others, which may have failed as well but later (seconds).
inline constexpr double patience_after_failure = 4;

}  // namespace invar
