#pragma once
#include <cstddef>
#include <memory>

namespace invar {

/// A number of bytes that several owners share, such as the device memory for stored states of all cases of a run.
class ByteBudget {
 public:
  explicit ByteBudget(std::size_t bytes) : left_(bytes) {}
  ByteBudget(const ByteBudget&) = delete;
  ByteBudget& operator=(const ByteBudget&) = delete;

  std::size_t left() const { return left_; }

  /// A part of a budget; it returns with the last copy. Null: so much is not left.
  using Share = std::shared_ptr<const void>;
  static Share take(const std::shared_ptr<ByteBudget>& from, std::size_t bytes) {
    if (bytes > from->left_) return nullptr;
    from->left_ -= bytes;
    return Share(from.get(), [from, bytes](const void*) { from->left_ += bytes; });
  }

 private:
  std::size_t left_;
};

}  // namespace invar
