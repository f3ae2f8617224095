// Builds the Node tree from the events of yaml-cpp, which knows nothing of duplicate keys, merges
// and further documents.
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <map>
#include <sstream>

#include "apps/invar/spec/node.hpp"
#include "apps/invar/spec/shortened.hpp"
#include "apps/invar/spec/source_text.hpp"

namespace invar::spec {
namespace {

constexpr std::size_t deepest = 64, most_nodes = 200000, largest_file = 16 << 20, most_path_bytes = 64 << 20;

/// The input is beyond a limit; the mistake has been recorded.
struct GiveUp {};

class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(const SourceText& source, Diagnostics& diagnostics)
      : source_(source), diagnostics_(diagnostics) {}

  Node take_root() { return std::move(root_); }
  SourcePosition position(const YAML::Mark& mark) const {
    if (mark.is_null()) return source_.whole();
    return source_.at(static_cast<std::size_t>(mark.line), static_cast<std::size_t>(mark.column));
  }
  /// Where the innermost list or map that was not finished begins.
  const SourcePosition* unfinished() const {
    return open_.empty() ? nullptr : &open_.back().node.position;
  }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    Node node;
    node.position = position(mark);
    if (!open_.empty()) {  // the mark is that of the next token
      const Frame& frame = open_.back();
      node.position = frame.has_key ? frame.key_position : frame.node.position;
    }
    finish(std::move(node), anchor);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    check_tag(mark, tag);
    check_text(mark, value);
    Node node;
    node.form = Node::Form::scalar;
    node.text = value;
    node.quoted = tag == "!";
    node.position = position(mark);
    finish(std::move(node), anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) {
      diagnostics_.error(position(mark), "", "this alias refers to itself");
      throw GiveUp();
    }
    count_ += found->second.count;
    check_size(position(mark), found->second.depth);
    finish(found->second.node, 0, found->second.depth, found->second.count);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Node::Form::list);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Node::Form::map);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

 private:
  struct Frame {
    Node node;
    YAML::anchor_t anchor = 0;
    std::size_t depth = 1, count = 1;  // of the tree below, itself included
    bool has_key = false, key_is_wrong = false;
    std::string key;
    SourcePosition key_position;
    std::map<std::string, SourcePosition> seen;  // keys so far
  };
  struct Anchored {
    Node node;
    std::size_t depth, count;
  };

  void check_tag(const YAML::Mark& mark, const std::string& tag) {
    if (tag.empty() || tag == "?" || tag == "!") return;
    const std::string_view core = "tag:yaml.org,2002:";
    const std::string shown = tag.starts_with(core) ? "!!" + tag.substr(core.size()) : tag;
    diagnostics_.error(position(mark), path(), "tags such as '" + shortened(shown) + "' are not supported",
                       "leave the tag out");
  }

  /// Escapes of quoted text can write what may not stand in a file: a name would end at a zero byte.
  void check_text(const YAML::Mark& mark, const std::string& value) {
    for (const char c : value)
      if (const auto code = static_cast<unsigned char>(c); (code < 0x20 && c != '\t' && c != '\n' && c != '\r') || code == 0x7F) {
        diagnostics_.error(position(mark), path(), "control character " + std::to_string(code) + " in the text");
        return;
      }
  }

  void check_size(const SourcePosition& at, std::size_t below) {
    if (open_.size() + below > deepest) {
      diagnostics_.error(at, "", "nested deeper than " + std::to_string(deepest) + " levels");
      throw GiveUp();
    }
    if (count_ > most_nodes) {
      diagnostics_.error(at, "", "more than " + std::to_string(most_nodes) + " values",
                         "use a data file for long data");
      throw GiveUp();
    }
  }

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
            Node::Form form) {
    check_tag(mark, tag);
    check_size(position(mark), 1);
    Frame frame;
    frame.node.form = form;
    frame.node.position = position(mark);
    frame.anchor = anchor;
    open_.push_back(std::move(frame));
  }

  void close() {
    Frame frame = std::move(open_.back());
    open_.pop_back();
    finish(std::move(frame.node), frame.anchor, frame.depth, frame.count);
  }

  /// Puts a complete node where it belongs.
  void finish(Node node, YAML::anchor_t anchor, std::size_t depth = 1, std::size_t count = 1) {
    check_size(node.position, depth);
    ++count_;
    if (anchor != 0) {
      count_ += count;  // one more copy
      anchors_[anchor] = {node, depth, count};
    }
    if (open_.empty()) {
      node.key_position = node.position;
      root_ = std::move(node);
      return;
    }
    Frame& frame = open_.back();
    frame.depth = std::max(frame.depth, depth + 1);
    frame.count += count;
    if (frame.node.form == Node::Form::list) {
      node.key_position = node.position;
      frame.node.children.push_back(std::move(node));
    } else if (!frame.has_key) {
      take_key(frame, node);
    } else {
      take_value(frame, std::move(node));
    }
  }

  void take_key(Frame& frame, const Node& node) {
    const auto wrong = [&](const std::string& message, const std::string& allowed = {}) {
      diagnostics_.error(node.position, path(), message, allowed);
      frame.key_is_wrong = true;
    };
    frame.has_key = true;
    frame.key_is_wrong = false;
    frame.key = node.text;
    frame.key_position = node.position;
    if (node.form != Node::Form::scalar)
      return wrong("a key must be one word, got " + node.described());
    if (node.text.empty()) return wrong("a key must not be empty");
    if (node.text == "<<" && !node.quoted)
      return wrong("merge keys '<<' are not supported", "write the entries out");
    const auto [first, is_new] = frame.seen.emplace(node.text, node.position);
    if (!is_new)
      wrong("duplicate key '" + shortened(node.text) + "'", "first given at " + first->second.text());
  }

  /// Of the innermost open list or map.
  std::string path() const {
    std::string out;
    for (std::size_t i = 0; i + 1 < open_.size(); ++i) {
      const Frame& frame = open_[i];
      if (frame.node.form == Node::Form::list)
        out += '[' + std::to_string(frame.node.children.size()) + ']';
      else
        out += (out.empty() ? "" : ".") + frame.key;
    }
    return out;
  }

  void take_value(Frame& frame, Node node) {
    frame.has_key = false;
    if (frame.key_is_wrong) return;
    node.key = std::move(frame.key);
    node.key_position = frame.key_position;
    frame.node.children.push_back(std::move(node));
  }

  const SourceText& source_;
  Diagnostics& diagnostics_;
  std::vector<Frame> open_;
  std::map<YAML::anchor_t, Anchored> anchors_;
  Node root_;
  std::size_t count_ = 0;
};

/// Any event of a second document is one too many.
class SecondDocument : public YAML::EventHandler {
 public:
  YAML::Mark mark = YAML::Mark::null_mark();
  void OnDocumentStart(const YAML::Mark& at) override { mark = at; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

/// A message of yaml-cpp, rephrased for users.
std::string explained(const std::string& message) {
  namespace E = YAML::ErrorMsg;
  if (message == E::MAP_VALUE) return "a ':' cannot stand here";
  if (message == E::END_OF_MAP_FLOW) return "this '{' is never closed";
  if (message == E::END_OF_SEQ_FLOW) return "this '[' is never closed";
  if (message == E::EOF_IN_SCALAR) return "this quote is never closed";
  if (message == E::UNKNOWN_ANCHOR) return "this alias has no anchor";
  return message;
}

std::string advice(const std::string& message) {
  namespace E = YAML::ErrorMsg;
  if (message == E::MAP_VALUE || message == E::END_OF_MAP || message == E::END_OF_SEQ ||
      message == E::BLOCK_ENTRY || message == E::MAP_KEY)
    return "check the indentation and the line before; text with ': ' needs quotes";
  return {};
}

bool tabs_in_indentation(const SourceText& source, Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.size();
  for (std::size_t l = 0; l < source.line_count(); ++l) {
    const std::string_view line = source.line(l);
    const std::size_t first = line.find_first_not_of(" \t");
    const std::size_t tab = line.find('\t');
    if (first == std::string_view::npos || line[first] == '#' || tab > first) continue;
    diagnostics.error(source.at(l, tab), "", "tab in the indentation", "indent with spaces");
  }
  return diagnostics.size() != before;
}

/// Bytes of the paths that `assign_paths` would write. Long keys with many entries below them have more than the text.
std::size_t path_bytes(const Node& node, std::size_t length) {
  std::size_t sum = length;
  for (const Node& child : node.children) {
    sum += path_bytes(child, length + child.key.size() + 8);
    if (sum > most_path_bytes) break;
  }
  return sum;
}

std::optional<Node> build(const SourceText& source, Diagnostics& diagnostics) {
  TreeBuilder builder(source, diagnostics);
  SecondDocument second;
  std::istringstream in{std::string(source.text())};
  try {
    YAML::Parser parser(in);
    if (!parser.HandleNextDocument(builder)) {
      diagnostics.error(source.whole(), "", "the file is empty", "a spec is a map of sections");
      return {};
    }
    if (parser.HandleNextDocument(second))
      diagnostics.error(builder.position(second.mark), "", "a second document begins here",
                        "a spec is one document; remove the '---'");
  } catch (const YAML::Exception& e) {
    const bool brackets =
        e.msg == YAML::ErrorMsg::END_OF_SEQ_FLOW || e.msg == YAML::ErrorMsg::END_OF_MAP_FLOW;
    const SourcePosition* begin = brackets ? builder.unfinished() : nullptr;
    diagnostics.error(begin ? *begin : builder.position(e.mark), "",
                      "malformed YAML: " + explained(e.msg), advice(e.msg));
    return {};
  } catch (const GiveUp&) {
    return {};
  }
  Node root = builder.take_root();
  if (path_bytes(root, 0) > most_path_bytes) {
    diagnostics.error(source.whole(), "", "the keys are too long, with too many entries below them", "shorten them");
    return {};
  }
  assign_paths(root, "");
  return root;
}

}  // namespace

std::optional<Node> parse(std::string_view text, const std::string& name,
                          Diagnostics& diagnostics) {
  const SourceText source(text, name);
  const std::size_t before = diagnostics.size();
  source.check_characters(diagnostics);
  if (diagnostics.size() != before || tabs_in_indentation(source, diagnostics)) return {};
  return build(source, diagnostics);
}

std::optional<Node> parse_file(const std::filesystem::path& file, Diagnostics& diagnostics) {
  const std::optional<std::string> text =
      read_text_file(file.string(), "spec", largest_file, diagnostics);
  if (!text) return {};
  return parse(*text, file.string(), diagnostics);
}

std::optional<Node> parse_value(std::string_view text, const SourcePosition& at,
                                Diagnostics& diagnostics) {
  Diagnostics own;
  std::optional<Node> node;
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    node = Node();
  else
    node = parse(text, "value", own);
  for (const Diagnostic& d : own.sorted()) diagnostics.error(at, d.path, d.message, d.allowed);
  if (!node) return {};
  node->place(at);
  return node;
}

}  // namespace invar::spec
