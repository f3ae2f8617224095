#include "apps/invar/spec/source_text.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace invar::spec {
namespace {

bool continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// Bytes of the UTF-8 character at the front of `s`; 0 when it is not one (RFC 3629).
std::size_t utf8_length(std::string_view s) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(s[i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2
                             : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
  if (length == 0 || length > s.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if (!continuation(s[i])) return 0;
  if (length < 3) return length;
  const unsigned char second = byte(1);
  const bool wrong = (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
                     (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F);
  return wrong ? 0 : length;
}

}  // namespace

SourceText::SourceText(std::string_view text, const std::string& name)
    : text_(text), file_(std::make_shared<const std::string>(name)) {
  if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
  starts_.push_back(0);
  for (std::size_t i = 0; i < text_.size(); ++i)
    if (text_[i] == '\n') starts_.push_back(i + 1);
  if (std::none_of(text_.begin(), text_.end(), continuation)) return;
  characters_.push_back(0);
  for (char c : text_) characters_.push_back(characters_.back() + (continuation(c) ? 0 : 1));
}

std::string_view SourceText::line(std::size_t index) const {
  const std::size_t begin = starts_[index];
  const std::size_t end = index + 1 < starts_.size() ? starts_[index + 1] - 1 : text_.size();
  std::string_view out = text_.substr(begin, end - begin);
  if (out.ends_with('\r')) out.remove_suffix(1);
  return out;
}

SourcePosition SourceText::at(std::size_t line, std::size_t byte) const {
  line = std::min(line, starts_.size() - 1);
  const std::size_t begin = starts_[line];
  const std::size_t here = std::min(begin + byte, text_.size());
  const std::size_t column = characters_.empty() ? here - begin
                                                 : characters_[here] - characters_[begin];
  return {file_, static_cast<int>(line) + 1, static_cast<int>(column) + 1};
}

void SourceText::check_characters(Diagnostics& diagnostics) const {
  for (std::size_t l = 0; l < starts_.size(); ++l) {
    const std::string_view whole_line = line(l);
    for (std::size_t i = 0; i < whole_line.size();) {
      const std::size_t length = utf8_length(whole_line.substr(i));
      const unsigned char c = static_cast<unsigned char>(whole_line[i]);
      if (length == 0) {
        diagnostics.error(at(l, i), "", "not UTF-8 text", "save the file as UTF-8");
        return;
      }
      if ((c < 0x20 && c != '\t') || c == 0x7F) {
        diagnostics.error(at(l, i), "", "control character " + std::to_string(c) + " in the text");
        return;
      }
      i += length;
    }
  }
}

std::optional<std::string> read_text_file(const std::string& file, const std::string& what,
                                          std::size_t largest, Diagnostics& diagnostics) {
  const auto fail = [&](const std::string& message) {
    diagnostics.error(SourcePosition::whole(file), "", message);
    return std::optional<std::string>();
  };
  std::error_code code;
  const std::filesystem::file_status status = std::filesystem::status(file, code);
  if (!std::filesystem::exists(status)) return fail("no such file");
  if (std::filesystem::is_directory(status)) return fail("this is a folder, not a " + what);
  if (!std::filesystem::is_regular_file(status)) return fail("this is a device or a pipe, not a " + what);
  std::ifstream in(file, std::ios::binary);
  if (!in) return fail(std::string("cannot be opened: ") + std::strerror(errno));
  std::string text;
  char block[1 << 16];
  while (in.read(block, sizeof block) || in.gcount() > 0) {
    text.append(block, static_cast<std::size_t>(in.gcount()));
    if (text.size() > largest)
      return fail("larger than " + std::to_string(largest >> 20) + " MB: not a " + what);
  }
  if (in.bad()) return fail("cannot be read");
  return text;
}

}  // namespace invar::spec
