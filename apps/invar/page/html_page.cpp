#include "apps/invar/page/html_page.hpp"

#include <cctype>

#include "apps/invar/chart/chart_style.hpp"
#include "apps/invar/page/style.hpp"

namespace invar {
namespace {

std::string link_to(std::size_t section) { return "section-" + std::to_string(section + 1); }

std::string style() {
  return ":root{" + std::string(light_colours) + "}@media (prefers-color-scheme:dark){:root{" + std::string(dark_colours) + "}}" +
         std::string(page_style) + std::string(chart_rules);
}

/// A link with the content of a file.
std::string file_link(const std::string& name, const std::string& type, const std::string& content) {
  return "<a download=\"" + escaped(name) + "\" href=\"data:" + type + ";base64," + base64(content) + "\">" + escaped(name) + "</a>";
}

/// Text with possible line breaks after the points of long names such as materials.rubber.young, but not in numbers.
std::string breakable(const std::string& text) {
  if (text.size() <= 20 || text.find('/') != std::string::npos) return escaped(text);  // paths must be searchable
  std::string out;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = text.find('.', begin);
    while (end != std::string::npos && end + 1 < text.size() && !std::isalpha(static_cast<unsigned char>(text[end + 1]))) end = text.find('.', end + 1);
    end = end == std::string::npos ? text.size() : end + 1;
    out += escaped(text.substr(begin, end - begin)) + (end < text.size() ? "<wbr>" : "");
    begin = end;
  }
  return out;
}

std::string cell_class(const HtmlPage::Column& column) { return column.number ? " class=\"num\"" : ""; }

}  // namespace

std::string base64(const std::string& bytes) {
  constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned block = 0;
    for (std::size_t k = 0; k < 3; ++k) block = block << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) out += i + k <= bytes.size() ? letters[block >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

void HtmlPage::section(const std::string& heading) {
  if (!headings_.empty()) body_ += "</section>\n";
  const std::string id = link_to(headings_.size());
  body_ += "<section aria-labelledby=\"" + id + "\"><h2 id=\"" + id + "\">" + escaped(heading) + "</h2>\n";
  headings_.push_back(heading);
}

void HtmlPage::subsection(const std::string& heading) { body_ += "<h3>" + escaped(heading) + "</h3>\n"; }

void HtmlPage::paragraph(const std::string& text) { body_ += "<p>" + escaped(text) + "</p>\n"; }

void HtmlPage::verdict(Verdict kind, const std::string& word, const std::string& text) {
  const char* style = kind == Verdict::good ? " good" : kind == Verdict::bad ? " bad" : "";
  body_ += std::string("<p class=\"verdict") + style + "\"><strong>" + escaped(word) + "</strong> " + escaped(text) + "</p>\n";
}

void HtmlPage::definitions(const std::vector<std::pair<std::string, std::string>>& entries) {
  body_ += "<dl>";
  for (const auto& [name, text] : entries) body_ += "<dt>" + escaped(name) + "</dt><dd>" + escaped(text) + "</dd>";
  body_ += "</dl>\n";
}

void HtmlPage::table(const std::string& caption, const std::vector<Column>& columns, const std::vector<std::vector<std::string>>& rows) {
  body_ += "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"" + escaped(caption) + "\"><table><caption>" + escaped(caption) +
           "</caption><thead><tr>";
  for (const Column& c : columns) body_ += "<th scope=\"col\"" + cell_class(c) + ">" + breakable(c.title) + "</th>";
  body_ += "</tr></thead><tbody>\n";
  for (const auto& row : rows) {
    body_ += "<tr>";
    for (std::size_t k = 0; k < row.size() && k < columns.size(); ++k)
      body_ += k == 0 ? "<th scope=\"row\"" + cell_class(columns[k]) + ">" + breakable(row[k]) + "</th>"
                      : "<td" + cell_class(columns[k]) + ">" + escaped(row[k]) + "</td>";
    body_ += "</tr>\n";
  }
  body_ += "</tbody></table></div>\n";
}

void HtmlPage::chart(const Chart& chart, const std::string& caption, const std::string& csv_name, const std::string& csv) {
  // On a narrow screen the chart scrolls, so that its text remains legible; keyboard users need a focusable element.
  body_ += "<figure><div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"" + escaped(chart.title) + "\">" +
           chart.svg("chart-" + std::to_string(++charts_)) + "</div><figcaption>" + escaped(caption) + ' ' +
           file_link(csv_name, "text/csv", csv) + "</figcaption></figure>\n";
}

void HtmlPage::attachment(const std::string& words, const std::string& name, const std::string& type, const std::string& content) {
  body_ += "<p>" + escaped(words) + file_link(name, type, content) + "</p>\n";
}

void HtmlPage::pictures(const std::vector<Picture>& pictures) {
  if (pictures.size() > 1) body_ += "<div class=\"pair\">";
  for (const Picture& p : pictures)
    body_ += "<figure><img alt=\"" + escaped(p.alternative) + "\" src=\"data:image/png;base64," + base64(p.png) + "\"><figcaption>" +
             escaped(p.caption) + "</figcaption></figure>";
  if (pictures.size() > 1) body_ += "</div>";
  body_ += '\n';
}

void HtmlPage::preformatted(const std::string& text) { body_ += "<pre><code>" + escaped(text) + "</code></pre>\n"; }

std::string HtmlPage::html(const std::string& footer) const {
  std::string out = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
                    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">"
                    "<link rel=\"icon\" href=\"data:,\"><title>" + escaped(title_) + "</title><style>" + style() + "</style></head>\n<body>"
                    "<a class=\"skip\" href=\"#content\">Skip to the content</a>\n<header><h1>" + escaped(title_) + "</h1><p class=\"lead\">" +
                    escaped(lead_) + "</p><nav aria-label=\"Sections\"><ul>";
  for (std::size_t k = 0; k < headings_.size(); ++k) out += "<li><a href=\"#" + link_to(k) + "\">" + escaped(headings_[k]) + "</a></li>";
  out += "</ul></nav></header>\n<main id=\"content\">\n" + body_ + (headings_.empty() ? "" : "</section>\n") + "</main>\n<footer><p>" +
         escaped(footer) + "</p></footer></body></html>\n";
  return out;
}

}  // namespace invar
