#pragma once
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "libfem/mesh/mesh_error.hpp"

namespace invar {

/// Bounds-checked reading of a mesh file (Gmsh or other) in memory: words and numbers of the ASCII form, raw values of the
/// binary form. Every failure is a MeshError with the place in the file.
class GmshScanner {
 public:
  /// Whether a file that begins with these bytes may be of the wanted format.
  using Judge = bool (*)(std::string_view begin);

  /// Loads a plain or gzip file. Reading stops early if it is no Gmsh file, or is compressed far more than meshes can be.
  explicit GmshScanner(const std::string& path);
  /// The same for another format, named by its suffix (".obj").
  GmshScanner(const std::string& path, const std::string& suffix, Judge may_be);
  /// Uses the uncompressed content of a file; `path` is used in messages.
  GmshScanner(std::string path, std::string content) : path_(std::move(path)), data_(std::move(content)) {}

  /// Position of the next value.
  size_t place() {
    if (!binary_) skip_blanks();
    return position_;
  }
  size_t remaining() const { return data_.size() - position_; }
  void set_binary(bool binary) { binary_ = binary; }
  bool binary() const { return binary_; }

  /// Next blank-separated word; empty at the end of the file.
  std::string_view word();
  /// Reads the next word, which must be `expected`.
  void expect(std::string_view expected);
  /// Text between the next pair of quotes on this line.
  std::string quoted();
  long long ascii_integer(const char* what);
  double ascii_real(const char* what);
  /// Skips to the beginning of the next line.
  void end_line();
  /// The rest of the line; the scanner is then at its end.
  std::string_view rest_of_line();
  /// The whole file.
  std::string_view content() const { return data_; }
  /// Skips past the next occurrence of `text`.
  void skip_behind(const std::string& text);

  /// An integer in the file's form: a word, or the bytes of a T.
  template <class T>
  long long integer(const char* what) {
    return binary_ ? static_cast<long long>(raw<T>(what)) : ascii_integer(what);
  }
  double real(const char* what) { return binary_ ? raw<double>(what) : ascii_real(what); }
  /// The number of items that take at least `bytes` each; fails if the file is too short for them.
  template <class T>
  size_t count(const char* what, size_t bytes) {
    const size_t at = place();
    return checked_count(integer<T>(what), what, bytes, at);
  }
  size_t ascii_count(const char* what, size_t bytes) {
    const size_t at = place();
    return checked_count(ascii_integer(what), what, bytes, at);
  }
  template <class T>
  T raw(const char* what) {
    T value;
    if (remaining() < sizeof value) fail_truncated(what);
    std::memcpy(&value, data_.data() + position_, sizeof value);
    position_ += sizeof value;
    return value;
  }

  [[noreturn]] void fail(const std::string& what) const { fail_at(position_, what); }
  [[noreturn]] void fail_at(size_t position, const std::string& what) const;

 private:
  [[noreturn]] void fail_truncated(const char* what) const;
  size_t checked_count(long long n, const char* what, size_t bytes, size_t at) const;
  void skip_blanks();

  std::string path_, data_;
  size_t position_ = 0;
  bool binary_ = false;
};

}  // namespace invar
