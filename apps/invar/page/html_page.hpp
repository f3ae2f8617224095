#pragma once
#include <string>
#include <utility>
#include <vector>

#include "apps/invar/chart/chart.hpp"

namespace invar {

/// One self-contained page of HTML: sections with headings, which the page lists at its top. All texts are plain; HTML characters
/// are escaped here.
class HtmlPage {
 public:
  struct Column {
    std::string title;
    bool number = false;  // to the right
  };
  enum class Verdict { neutral, good, bad };

  HtmlPage(std::string title, std::string lead) : title_(std::move(title)), lead_(std::move(lead)) {}

  void section(const std::string& heading);
  void subsection(const std::string& heading);
  void paragraph(const std::string& text);
  /// A highlighted sentence; `word` repeats in text what its colour means.
  void verdict(Verdict kind, const std::string& word, const std::string& text);
  void definitions(const std::vector<std::pair<std::string, std::string>>& entries);
  /// The first cell of each row names it.
  void table(const std::string& caption, const std::vector<Column>& columns, const std::vector<std::vector<std::string>>& rows);
  /// A chart with its numbers as an embedded CSV file.
  void chart(const Chart& chart, const std::string& caption, const std::string& csv_name, const std::string& csv);
  struct Picture {
    std::string png, alternative, caption;
  };
  /// PNG files side by side.
  void pictures(const std::vector<Picture>& pictures);
  void preformatted(const std::string& text);
  /// An embedded file, with a text before the link.
  void attachment(const std::string& words, const std::string& name, const std::string& type, const std::string& content);

  std::string html(const std::string& footer) const;

 private:
  std::string title_, lead_, body_;
  std::vector<std::string> headings_;
  int charts_ = 0;
};

/// Base64 of RFC 4648.
std::string base64(const std::string& bytes);

}  // namespace invar
