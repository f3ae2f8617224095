#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>

#include "libfem/mesh/surface_files.hpp"

namespace invar {
namespace {

class ObjParser {
 public:
  explicit ObjParser(GmshScanner& scanner) : scanner_(scanner) { file_.group_sets = {{}}; }

  GmshFile parse() {
    while (scanner_.remaining() > 0) {
      line_ = scanner_.place();
      if (scanner_.remaining() == 0) break;
      const std::string_view keyword = scanner_.word(), rest = scanner_.rest_of_line();
      if (keyword == "v") add_vertex(rest);
      if (keyword == "f" || keyword == "l") add_element(rest, keyword == "l");
      if (keyword == "o") objects_ = tags_in(rest), set_ = number_of_set();
      if (keyword == "g") groups_ = tags_in(rest), set_ = number_of_set();
    }
    const int n = static_cast<int>(file_.coordinates.size() / 3);
    for (const GmshFile::Elements& elements : file_.elements)
      for (std::size_t i = 0; i < elements.nodes.size(); ++i)
        if (elements.nodes[i] >= n) scanner_.fail_at(elements.place[i / node_count(elements.type)], "a vertex that the file does not have");
    return std::move(file_);
  }

 private:
  static std::string_view next_word(std::string_view& rest) {
    const std::size_t begin = std::min(rest.find_first_not_of(" \t"), rest.size());
    rest.remove_prefix(begin);
    const std::string_view word = rest.substr(0, rest.find_first_of(" \t"));
    rest.remove_prefix(word.size());
    return word;
  }

  void add_vertex(std::string_view rest) {
    for (int i = 0; i < 3; ++i) {
      const std::string_view word = next_word(rest);
      double x = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), x);
      if (word.empty() || error != std::errc() || end != word.data() + word.size()) scanner_.fail_at(line_, "a vertex needs three numbers");
      file_.coordinates.push_back(x);
    }
  }

  /// "7", "7/1", "7//3" or "7/1/3"; negative: counted from the last one.
  int vertex(std::string_view word) const {
    const std::string_view digits = word.substr(0, word.find('/'));
    long long number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const long long known = static_cast<long long>(file_.coordinates.size() / 3), at = number < 0 ? known + number : number - 1;
    if (error != std::errc() || end != digits.data() + digits.size() || at < 0 || at > 2000000000)
      scanner_.fail_at(line_, "'" + std::string(word.substr(0, 24)) + "' is not the number of a vertex");
    return static_cast<int>(at);
  }

  void add_element(std::string_view rest, bool curve) {
    std::vector<int> nodes;
    for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) nodes.push_back(vertex(word));
    if (curve) {
      if (nodes.size() < 2) scanner_.fail_at(line_, "a line needs two vertices");
      for (std::size_t i = 0; i + 1 < nodes.size(); ++i) append({Shape::segment, 1}, {nodes[i], nodes[i + 1]});
      return;
    }
    if (nodes.size() < 3) scanner_.fail_at(line_, "a face needs three vertices");
    if (nodes.size() > 4) scanner_.fail_at(line_, "a face has more than four vertices; export triangles");
    append({nodes.size() == 3 ? Shape::triangle : Shape::quadrilateral, 1}, nodes);
  }

  void append(CellType type, const std::vector<int>& nodes) {
    auto of = std::ranges::find(file_.elements, type, &GmshFile::Elements::type);
    if (of == file_.elements.end()) of = file_.elements.insert(of, {type, {}, {}, {}});
    of->nodes.insert(of->nodes.end(), nodes.begin(), nodes.end());
    of->groups.push_back(set_);
    of->place.push_back(line_);
  }

  std::vector<int> tags_in(std::string_view names) {
    std::vector<int> tags;
    for (std::string_view name = next_word(names); !name.empty(); name = next_word(names)) {
      const int tag = tags_.try_emplace(std::string(name), static_cast<int>(tags_.size()) + 1).first->second;
      for (const int dim : {1, 2}) file_.group_names[{dim, tag}] = name;
      tags.push_back(tag);
    }
    return tags;
  }

  int number_of_set() {
    std::vector<int> set = objects_;
    set.insert(set.end(), groups_.begin(), groups_.end());
    std::ranges::sort(set);
    set.erase(std::unique(set.begin(), set.end()), set.end());
    if (set.empty()) return 0;
    const auto [entry, is_new] = sets_.try_emplace(set, static_cast<int>(file_.group_sets.size()));
    if (is_new) file_.group_sets.push_back(set);
    return entry->second;
  }

  GmshScanner& scanner_;
  GmshFile file_;
  std::size_t line_ = 0;
  std::map<std::string, int> tags_;
  std::map<std::vector<int>, int> sets_;
  std::vector<int> objects_, groups_;  // current ones
  int set_ = 0;
};

}  // namespace

GmshFile parse_obj(GmshScanner& scanner) { return ObjParser(scanner).parse(); }

}  // namespace invar
