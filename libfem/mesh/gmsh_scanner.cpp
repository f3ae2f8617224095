#include "libfem/mesh/gmsh_scanner.hpp"

#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <memory>

namespace invar {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

/// A word for a message: short, without control characters.
std::string shown(std::string_view word) {
  std::string text(word.substr(0, 24));
  std::ranges::replace_if(
      text, [](unsigned char c) { return c < 32 || c > 126; }, '?');
  return "'" + text + (word.size() > 24 ? "…'" : "'");
}

/// Whether the data may be the beginning of a Gmsh file.
bool may_be_gmsh(std::string_view data) {
  while (!data.empty() && is_blank(data.front())) data.remove_prefix(1);
  const std::string_view head = std::string_view("$MeshFormat").substr(0, data.size());
  return data.starts_with(head);
}

/// Meshes are compressed to between a third and a tenth. A much larger ratio indicates a decompression bomb.
bool is_bomb(size_t size, z_off_t compressed) {
  constexpr size_t harmless = 256u << 20, densest = 200;
  return size > harmless && compressed > 0 && size / densest > static_cast<size_t>(compressed);
}

}  // namespace

GmshScanner::GmshScanner(const std::string& path) : GmshScanner(path, ".msh", &may_be_gmsh) {}

GmshScanner::GmshScanner(const std::string& path, const std::string& suffix, Judge may_be) : path_(path) {
  const std::string wanted = "give the path of a " + suffix + " or " + suffix + ".gz file";
  std::error_code code;
  const std::filesystem::file_status status = std::filesystem::status(path, code);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) && !std::filesystem::is_directory(status))
    throw MeshError(path + ": is a device or a pipe; " + wanted);
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
  if (!file)
    throw MeshError(path + ": cannot be opened; " + wanted);
  gzbuffer(file.get(), 1 << 18);
  for (size_t size = 0;;) {
    data_.resize(std::max<size_t>(2 * size, 1 << 20));
    const int got = gzread(file.get(), data_.data() + size,
                           static_cast<unsigned>(std::min<size_t>(data_.size() - size, 1 << 30)));
    int status = Z_OK;
    const char* text = gzerror(file.get(), &status);
    if (got < 0 || (status != Z_OK && status != Z_STREAM_END))
      throw MeshError(path + ": cannot be read (" +
                      (status == Z_ERRNO       ? "input/output error, or not a file"
                       : status == Z_BUF_ERROR ? "the compressed file is truncated"
                                               : text) +
                      "); give a complete " + suffix + " or " + suffix + ".gz file");
    size += got;
    if (is_bomb(size, gzoffset(file.get())))
      throw MeshError(path + ": holds more than two hundred times the bytes of the compressed file; give a mesh");
    if (got == 0 || !may_be(std::string_view(data_).substr(0, std::min<size_t>(size, 1 << 16)))) {
      data_.resize(size);
      break;
    }
  }
}

void GmshScanner::fail_at(size_t position, const std::string& what) const {
  position = std::min(position, data_.size());
  const auto line = 1 + std::count(data_.begin(), data_.begin() + position, '\n');
  throw MeshError(path_ +
                  (binary_ ? ":byte " + std::to_string(position) : ":" + std::to_string(line)) +
                  ": " + what);
}

void GmshScanner::fail_truncated(const char* what) const {
  fail_at(data_.size(), std::string("the file ends where ") + what + " should be; it is truncated");
}

size_t GmshScanner::checked_count(long long n, const char* what, size_t bytes, size_t at) const {
  if (n < 0 || static_cast<unsigned long long>(n) > remaining() / bytes)
    fail_at(at, std::string(what) + " is " + std::to_string(n) +
                    "; the rest of the file is too short for that, so one of them is wrong");
  return static_cast<size_t>(n);
}

void GmshScanner::skip_blanks() {
  while (position_ < data_.size() && is_blank(data_[position_])) ++position_;
}

std::string_view GmshScanner::word() {
  skip_blanks();
  const size_t begin = position_;
  while (position_ < data_.size() && !is_blank(data_[position_])) ++position_;
  return std::string_view(data_).substr(begin, position_ - begin);
}

void GmshScanner::expect(std::string_view expected) {
  skip_blanks();
  const size_t begin = position_;
  const auto found = word();
  if (found == expected) return;
  fail_at(begin, found.empty()
                     ? "the file ends without " + std::string(expected) + "; it is truncated"
                     : "found " + shown(found) + " where " + std::string(expected) +
                           " should be; do the counts agree with the lines?");
}

std::string GmshScanner::quoted() {
  const auto line =
      std::string_view(data_).substr(position_, data_.find('\n', position_) - position_);
  const size_t open = line.find('"');
  const size_t close = open == line.npos ? line.npos : line.find('"', open + 1);
  if (close == line.npos) fail("a name in double quotes should be here");
  position_ += close + 1;
  return std::string(line.substr(open + 1, close - open - 1));
}

long long GmshScanner::ascii_integer(const char* what) {
  skip_blanks();
  if (position_ == data_.size()) fail_truncated(what);
  const size_t begin = position_;
  const auto text = word();
  long long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    fail_at(begin, "found " + shown(text) + " where " + what + ", an integer, should be");
  return value;
}

double GmshScanner::ascii_real(const char* what) {
  skip_blanks();
  if (position_ == data_.size()) fail_truncated(what);
  const size_t begin = position_;
  const auto text = word();
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range)
    return std::strtod(std::string(text).c_str(), nullptr);
  if (error != std::errc() || end != text.data() + text.size())
    fail_at(begin, "found " + shown(text) + " where " + what + ", a number, should be");
  return value;
}

void GmshScanner::end_line() {
  const size_t end = data_.find('\n', position_);
  position_ = end == data_.npos ? data_.size() : end + 1;
}

std::string_view GmshScanner::rest_of_line() {
  const size_t begin = position_;
  position_ = std::min(data_.find_first_of("\n\r", position_), data_.size());
  return std::string_view(data_).substr(begin, position_ - begin);
}

void GmshScanner::skip_behind(const std::string& text) {
  const size_t found = data_.find(text, position_);
  if (found == data_.npos) fail("the file has no " + text + " for this; it is truncated");
  position_ = found + text.size();
}

}  // namespace invar
