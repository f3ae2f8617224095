#include "apps/invar/spec/reference_page.hpp"

#include <algorithm>

#include "apps/invar/spec/page_outline.hpp"
#include "apps/invar/spec/same.hpp"

namespace invar::spec {
namespace {

using Kind = Type::Kind;

/// Text of a table cell.
std::string cell(const std::string& text) {
  std::string out;
  for (char c : text) out += c == '|' ? std::string("\\|") : c == '\n' ? " " : std::string(1, c);
  return out;
}

std::string code_list(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "`" : ", `") + word + '`';
  return out;
}

bool has_explanation(const Type& choice) {
  return std::ranges::any_of(choice.choices, [](const Type::Choice& c) { return !c.doc.empty(); });
}

/// `text` with the word x replaced where it stands alone.
std::string with_axis(const std::string& text, const std::string& axis) {
  const auto in_word = [&](std::size_t i) {
    const auto c = i < text.size() ? static_cast<unsigned char>(text[i]) : ' ';
    return std::isalnum(c) || c == '_' || c >= 128;
  };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == 'x' && (i == 0 || !in_word(i - 1)) && !in_word(i + 1)) out += axis;
    else out += text[i];
  return out;
}

/// Text in lines of some 120 characters. No line begins with what Markdown would take for a list, a heading or a
/// quotation.
std::string wrapped(const std::string& text, const std::string& indent = "") {
  std::string out;
  std::size_t column = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const bool may_begin = std::string_view("-+*#>=|0123456789").find(text[at]) == std::string_view::npos;
    if (at > 0) {
      const bool breaks = may_begin && column + end - at > 120;
      out += breaks ? '\n' + indent : " ";
      column = breaks ? indent.size() : column + 1;
    }
    out.append(text, at, end - at);
    column += end - at;
    at = end + 1;
  }
  return out;
}

class PageWriter {
 public:
  PageWriter(const Table& table, const std::string& preface) : outline_(table) {
    for (const PageOutline::Record& r : outline_.records()) {
      out_ += (r.place.empty() ? "# " : "## ") + r.heading + "\n\n" + wrapped(r.table->doc()) + "\n\n";
      if (!r.table->path_doc().empty()) out_ += wrapped(r.table->path_doc()) + "\n\n";
      if (r.place.empty()) out_ += preface;
      write(r);
    }
  }
  std::string page() { return std::move(out_); }

 private:
  void write(const PageOutline::Record& r) {
    tag_ = r.table->tag();
    anchor_ = r.anchor;
    write(r.groups.common);
    for (const KeyGroups::Shared& s : r.groups.shared) {
      const bool few = s.of.size() <= s.but.size();
      out_ += wrapped(few ? "Of " + code_list(s.of) + ':' : "Of every `" + tag_ + "` but " + code_list(s.but) + ':') + "\n\n";
      write(s.group);
    }
    if (!r.variants.empty()) write_links(r);
    for (std::size_t i = 0; i < r.variants.size(); ++i) {
      const PageOutline::Variant& v = r.variants[i];
      if (v.heading.empty()) continue;
      out_ += "### " + v.heading + "\n\n";
      anchor_ = v.anchor;
      if (v.home == v.anchor) out_ += wrapped(r.table->variants()[i].doc()) + "\n\n";
      else out_ += "As [" + v.home_heading + "](#" + v.home + "), and:\n\n";
      write(v.more);
      write_shared(r, r.table->variants()[i].name());
    }
  }

  /// All variants, wherever they are described.
  void write_links(const PageOutline::Record& r) {
    std::string links;
    for (std::size_t i = 0; i < r.variants.size(); ++i) {
      const PageOutline::Variant& v = r.variants[i];
      links += (i ? ", [`" : "[`") + r.table->variants()[i].name() + "`](#" + (v.anchor.empty() ? v.home : v.anchor) + ')';
    }
    out_ += wrapped("Each `" + tag_ + "`, with its additional keys: " + links + '.') + "\n\n";
  }

  /// Names the keys that a variant shares with some others.
  void write_shared(const PageOutline::Record& r, const std::string& variant) {
    std::vector<std::string> keys;
    for (const KeyGroups::Shared& s : r.groups.shared)
      if (std::ranges::count(s.of, variant) > 0)
        for (const Table::Entry* e : s.group.entries) keys.push_back(e->key);
    if (!keys.empty()) out_ += wrapped("Also, as [above](#" + r.anchor + "): " + code_list(keys) + '.') + "\n\n";
  }

  void write(const KeyGroup& group) {
    if (!group.entries.empty()) {
      out_ += "| key | value | default | meaning |\n|---|---|---|---|\n";
      for (std::size_t i = 0; i < group.entries.size();) i += write_row(group.entries, i);
      out_ += '\n';
    }
    for (const Table::Rule* rule : group.rules) {
      const char* many = rule->least == 0 ? "At most one of " : rule->most == 1 ? "Exactly one of " : "At least one of ";
      out_ += many + code_list(rule->keys) + ".\n\n";
    }
    for (const Table::Entry* e : group.entries) write_choices(*e, e->type);
  }

  /// Writes a row of a key, or of three that differ in their axis; returns how many it took.
  std::size_t write_row(const std::vector<const Table::Entry*>& entries, std::size_t at) {
    const Table::Entry& e = *entries[at];
    std::vector<std::string> keys{e.key};
    std::string doc = e.doc;
    if (at + 2 < entries.size() && differ_in_axis(e, *entries[at + 1], "y") && differ_in_axis(e, *entries[at + 2], "z")) {
      keys = {e.key, entries[at + 1]->key, entries[at + 2]->key};
      doc = with_axis(doc, "x, y, z");
    }
    const std::string missing = e.required ? "required" : "";
    out_ += "| " + code_list(keys) + " | " + value(e) + " | " + (e.default_text ? '`' + cell(*e.default_text) + '`' : missing) +
            " | " + cell(doc) + (e.beside.empty() ? "" : "; only beside `" + e.beside + '`') + " |\n";
    return keys.size();
  }

  static bool differ_in_axis(const Table::Entry& x, const Table::Entry& other, const std::string& axis) {
    if (!x.key.ends_with('x')) return false;
    Table::Entry moved = x;
    moved.key.back() = axis[0];
    moved.doc = with_axis(x.doc, axis);
    return same(moved, other);
  }

  std::string value(const Table::Entry& e) const { return e.key == tag_ ? "a word, below" : value(e.type); }
  std::string value(const Type& type) const {
    switch (type.kind) {
      case Kind::record: return "[a map](#" + outline_.anchor_of(*type.table) + ')';
      case Kind::map: {
        std::string out = "a map from " + type.key_name + " to " + value(type.inner[0]);
        if (type.table)
          for (const Table::Entry& e : type.table->entries()) out += "; `" + e.key + "`: " + cell(e.doc);
        return out;
      }
      case Kind::choice: return has_explanation(type) ? "a word, below" : cell(type.described());
      case Kind::list:
        if (type.inner[0].kind == Kind::record) return "a list of [maps](#" + outline_.anchor_of(*type.inner[0].table) + ')';
        return cell(type.described());
      case Kind::either: {
        std::string out;
        for (const Type& t : type.inner) out += (out.empty() ? "" : ", or ") + value(t);
        return out;
      }
      default: return cell(type.described());
    }
  }

  /// Words that have an explanation, where they are met first.
  void write_choices(const Table::Entry& e, const Type& type) {
    for (const Type& t : type.inner)
      if (type.kind == Kind::either) write_choices(e, t);
    if (type.kind != Kind::choice || e.key == tag_ || !has_explanation(type)) return;
    const auto known = std::ranges::find_if(choices_, [&](const ChoicesAt& c) { return c.key == e.key && same(*c.type, type); });
    if (known != choices_.end()) {
      out_ += "`" + e.key + "`: [as there](#" + known->anchor + ").\n\n";
      return;
    }
    choices_.push_back({e.key, &type, anchor_});
    out_ += "`" + e.key + "`:\n\n";
    for (const Type::Choice& c : type.choices) out_ += wrapped("- `" + c.word + '`' + (c.doc.empty() ? "" : ": " + c.doc), "  ") + '\n';
    out_ += '\n';
  }

  /// Words of a key that are explained under a heading.
  struct ChoicesAt {
    std::string key;
    const Type* type;
    std::string anchor;
  };

  PageOutline outline_;
  std::vector<ChoicesAt> choices_;
  std::string tag_, anchor_, out_;  // of what is written: its table's tag, its heading's anchor
};

}  // namespace

std::string reference_page(const Table& table, const std::string& preface) { return PageWriter(table, preface).page(); }

}  // namespace invar::spec
