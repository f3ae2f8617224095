#include "libfem/mesh/gmsh_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <span>
#include <unordered_map>

#include "libfem/mesh/gmsh_kind.hpp"

namespace invar {
namespace {

const char* why_unsupported(long long code) {
  switch (code) {
    case 16:
      return "8-node quadrilaterals are not supported; mesh with Mesh.SecondOrderIncomplete=0";
    case 17: return "20-node hexahedra are not supported; mesh with Mesh.SecondOrderIncomplete=0";
    case 6:
    case 13:
    case 18: return "prisms are not supported; mesh with tetrahedra or hexahedra";
    case 7:
    case 14:
    case 19: return "pyramids are not supported; mesh with tetrahedra or hexahedra";
    default:
      return "use points, lines, triangles, quadrilaterals, tetrahedra or hexahedra with "
             "Mesh.ElementOrder=1 or 2";
  }
}

/// Whether a tag and its negative fit into an int.
bool fits(long long tag) {
  constexpr long long largest = 1 << 30;
  return tag >= -largest && tag <= largest;
}

/// Maps the file's node tags to positions.
class NodeNumbers {
 public:
  void assign(const std::vector<long long>& tags, const GmshScanner& scanner) {
    const long long largest = tags.empty() ? 0 : *std::ranges::max_element(tags);
    is_dense_ = largest / 8 <= static_cast<long long>(tags.size());
    if (is_dense_) dense_.assign(largest + 1, -1);
    else sparse_.reserve(tags.size());
    for (size_t i = 0; i < tags.size(); ++i) {
      int& number = is_dense_ ? dense_[tags[i]] : sparse_.try_emplace(tags[i], -1).first->second;
      if (number >= 0)
        scanner.fail("node " + std::to_string(tags[i]) +
                     " is defined twice; each needs its own number");
      number = static_cast<int>(i);
    }
  }
  /// −1 if there is no such node.
  int find(long long tag) const {
    if (is_dense_)
      return tag >= 0 && tag < static_cast<long long>(dense_.size()) ? dense_[tag] : -1;
    const auto found = sparse_.find(tag);
    return found == sparse_.end() ? -1 : found->second;
  }

 private:
  bool is_dense_ = true;
  std::vector<int> dense_;
  std::unordered_map<long long, int> sparse_;
};

class Parser {
 public:
  explicit Parser(GmshScanner& scanner) : in_(scanner) { file_.group_sets.emplace_back(); }

  GmshFile parse() {
    format();
    for (auto section = in_.word(); !section.empty(); section = in_.word()) {
      if (section[0] != '$') in_.fail("a section such as $Nodes should start here");
      const std::string name(section.substr(1));
      if (name == "PhysicalNames") physical_names();
      else if (name == "Entities" && is_4_) entities();
      else if (name == "Nodes") is_4_ ? nodes_4() : nodes_2();
      else if (name == "Elements") is_4_ ? elements_4() : elements_2();
      else if (name == "PartitionedEntities")
        in_.fail("the mesh is partitioned; save it in one part");
      else {
        in_.skip_behind("$End" + name);
        continue;
      }
      in_.expect("$End" + name);
    }
    if (tags_.empty()) in_.fail("the file has no $Nodes; is it a complete mesh?");
    if (file_.elements.empty()) in_.fail("the file has no $Elements; is it a complete mesh?");
    return std::move(file_);
  }

 private:
  void format() {
    in_.expect("$MeshFormat");
    in_.end_line();
    const size_t at = in_.place();
    const std::string version(in_.word());
    if (version != "2.2" && version != "4.1")
      in_.fail_at(at, "this is not format 2.2 or 4.1; save with -format msh41 or msh22");
    is_4_ = version == "4.1";
    const long long binary = in_.ascii_integer("the file type"),
                    size = in_.ascii_integer("the data size");
    if (binary != 0 && binary != 1) in_.fail("the file type must be 0 (ASCII) or 1 (binary)");
    if (size != 8) in_.fail("the data size must be 8");
    if (binary == 1) {
      in_.end_line();
      in_.set_binary(true);
      if (in_.raw<std::int32_t>("the byte-order mark") != 1)
        in_.fail("the file has another byte order than this machine; save it here, or as ASCII");
    }
    in_.expect("$EndMeshFormat");
  }

  void physical_names() {
    const size_t n = in_.ascii_count("the number of physical names", 4);
    for (size_t i = 0; i < n; ++i) {
      const auto dim = in_.ascii_integer("a dimension"), tag = in_.ascii_integer("a group's tag");
      if (!fits(dim) || !fits(tag)) in_.fail("the dimension or the tag of a group is out of range");
      file_.group_names[{static_cast<int>(dim), std::abs(static_cast<int>(tag))}] = in_.quoted();
    }
  }

  void entities() {
    begin_data();
    size_t counts[4];
    for (size_t& n : counts) n = in_.count<std::uint64_t>("the number of entities", 8);
    for (int dim = 0; dim < 4; ++dim)
      for (size_t i = 0; i < counts[dim]; ++i) {
        const auto tag = in_.integer<std::int32_t>("an entity's tag");
        for (int d = 0; d < (dim == 0 ? 3 : 6); ++d) in_.real("a bound of an entity");
        std::vector<int> groups;
        const size_t n_groups = in_.count<std::uint64_t>("the number of physical groups", 2);
        for (size_t g = 0; g < n_groups; ++g) groups.push_back(group("a group's tag"));
        if (!groups.empty()) {
          set_of_entity_[{dim, tag}] = static_cast<int>(file_.group_sets.size());
          file_.group_sets.push_back(std::move(groups));
        }
        if (dim == 0) continue;
        const size_t n_bounds = in_.count<std::uint64_t>("the number of bounding entities", 2);
        for (size_t b = 0; b < n_bounds; ++b) in_.integer<std::int32_t>("a bounding entity");
      }
  }

  void nodes_2() {
    const size_t n = begin_nodes(in_.ascii_count("the number of nodes", in_.binary() ? 28 : 8));
    begin_data();
    for (size_t i = 0; i < n; ++i) {
      tags_.push_back(node_tag(in_.integer<std::int32_t>("a node's number")));
      point();
    }
    numbers_.assign(tags_, in_);
  }

  void nodes_4() {
    begin_data();
    const size_t n_blocks = in_.count<std::uint64_t>("the number of node blocks", 4);
    const size_t n =
        begin_nodes(in_.count<std::uint64_t>("the number of nodes", in_.binary() ? 32 : 8));
    for (int i = 0; i < 2; ++i) in_.integer<std::uint64_t>("the range of node numbers");
    for (size_t b = 0; b < n_blocks; ++b) {
      const auto dim = in_.integer<std::int32_t>("an entity's dimension");
      in_.integer<std::int32_t>("an entity's tag");
      const bool parametric = in_.integer<std::int32_t>("the parametric flag") != 0;
      const size_t in_block =
          in_.count<std::uint64_t>("the number of nodes in a block", in_.binary() ? 32 : 8);
      for (size_t i = 0; i < in_block; ++i)
        tags_.push_back(node_tag(in_.integer<std::uint64_t>("a node's number")));
      for (size_t i = 0; i < in_block; ++i) {
        point();
        for (long long d = 0; parametric && d < std::min(dim, 3LL); ++d)
          in_.real("a parametric coordinate");
      }
    }
    if (tags_.size() != n)
      in_.fail("the blocks hold " + std::to_string(tags_.size()) + " nodes, not the " +
               std::to_string(n) + " announced");
    numbers_.assign(tags_, in_);
  }

  void elements_2() {
    const size_t n = begin_elements(in_.ascii_count("the number of elements", 8));
    begin_data();
    std::unordered_map<long long, int> set_of_group;
    for (size_t done = 0; done < n;) {
      size_t place = in_.place(), follow = 1;
      if (!in_.binary()) in_.ascii_integer("an element's number");
      GmshFile::Elements& elements = elements_of(in_.integer<std::int32_t>("an element's type"));
      if (in_.binary()) follow = in_.count<std::int32_t>("the number of elements that follow", 8);
      if (follow == 0 || follow > n - done)
        in_.fail_at(place, "more elements follow than announced, or none");
      const size_t n_tags = in_.count<std::int32_t>("the number of tags", 2);
      for (size_t i = 0; i < follow; ++i, ++done) {
        if (in_.binary()) {
          place = in_.place();
          in_.raw<std::int32_t>("an element's number");
        }
        int tag = 0;
        if (n_tags > 0) tag = group("a group's tag");
        for (size_t t = 1; t < n_tags; ++t) in_.integer<std::int32_t>("a tag");
        const auto [set, is_new] =
            set_of_group.try_emplace(tag, static_cast<int>(file_.group_sets.size()));
        if (is_new)
          file_.group_sets.push_back(tag == 0 ? std::vector<int>{} : std::vector<int>{tag});
        element<std::int32_t>(elements, set->second, place);
      }
    }
  }

  void elements_4() {
    begin_data();
    const size_t n_blocks = in_.count<std::uint64_t>("the number of element blocks", 4);
    size_t left = begin_elements(in_.count<std::uint64_t>("the number of elements", 4));
    for (int i = 0; i < 2; ++i) in_.integer<std::uint64_t>("the range of element numbers");
    for (size_t b = 0; b < n_blocks; ++b) {
      const size_t at = in_.place();
      const int dim = static_cast<int>(in_.integer<std::int32_t>("an entity's dimension"));
      const int tag = static_cast<int>(in_.integer<std::int32_t>("an entity's tag"));
      GmshFile::Elements& elements = elements_of(in_.integer<std::int32_t>("an element's type"));
      if (dim != dimension_of(elements.type.shape))
        in_.fail_at(at, "elements of shape " + std::string(name_of(elements.type.shape)) +
                            " on an entity of dimension " + std::to_string(dim));
      const size_t in_block = in_.count<std::uint64_t>("the number of elements in a block", 4);
      if (in_block > left) in_.fail_at(at, "the blocks hold more elements than announced");
      left -= in_block;
      const auto set = set_of_entity_.find({dim, tag});
      for (size_t i = 0; i < in_block; ++i) {
        const size_t place = in_.place();
        in_.integer<std::uint64_t>("an element's number");
        element<std::uint64_t>(elements, set == set_of_entity_.end() ? 0 : set->second, place);
      }
    }
    if (left > 0)
      in_.fail("the blocks hold " + std::to_string(left) + " elements fewer than announced");
  }

  size_t begin_nodes(size_t n) {
    if (!tags_.empty()) in_.fail("a second $Nodes section; a mesh has one");
    if (n == 0) in_.fail("the mesh has no nodes; was it generated before it was saved?");
    if (n > 1u << 30) in_.fail("more than 2^30 nodes");
    tags_.reserve(n);
    file_.coordinates.reserve(3 * n);
    return n;
  }
  size_t begin_elements(size_t n) {
    if (tags_.empty()) in_.fail("$Elements before $Nodes; the nodes come first");
    if (!file_.elements.empty()) in_.fail("a second $Elements section; a mesh has one");
    return n;
  }
  /// Skips the line break between text and binary data.
  void begin_data() {
    if (in_.binary()) in_.end_line();
  }
  long long node_tag(long long tag) {
    if (tag < 0) in_.fail("node number " + std::to_string(tag) + "; it must not be negative");
    return tag;
  }
  void point() {
    for (int d = 0; d < 3; ++d) {
      const double x = in_.real("a coordinate");
      if (!std::isfinite(x)) in_.fail("a coordinate is not a finite number");
      file_.coordinates.push_back(x);
    }
  }
  /// A group's tag without its sign, which is an orientation.
  int group(const char* what) {
    const long long tag = in_.integer<std::int32_t>(what);
    if (!fits(tag)) in_.fail("a group's tag is out of range");
    return static_cast<int>(std::abs(tag));
  }

  GmshFile::Elements& elements_of(long long code) {
    const auto kind = std::ranges::find(gmsh_kinds, code, &GmshKind::code);
    if (kind == std::end(gmsh_kinds))
      in_.fail("element type " + std::to_string(code) + ": " + why_unsupported(code));
    order_ = kind->order;
    const auto known = std::ranges::find(file_.elements, kind->type, &GmshFile::Elements::type);
    if (known != file_.elements.end()) return *known;
    return file_.elements.emplace_back(GmshFile::Elements{kind->type, {}, {}, {}});
  }

  template <class Tag>
  void element(GmshFile::Elements& to, int set, size_t place) {
    const int n = node_count(to.type);
    int nodes[27];
    for (int a = 0; a < n; ++a) {
      const long long tag = in_.integer<Tag>("a node of an element");
      nodes[a] = numbers_.find(tag);
      if (nodes[a] < 0)
        in_.fail("an element has node " + std::to_string(tag) + ", which is not defined in $Nodes");
    }
    for (int a = 0; a < n; ++a) to.nodes.push_back(order_.empty() ? nodes[a] : nodes[order_[a]]);
    to.groups.push_back(set);
    to.place.push_back(place);
  }

  GmshScanner& in_;
  GmshFile file_;
  bool is_4_ = false;
  std::vector<long long> tags_;
  NodeNumbers numbers_;
  std::map<std::pair<int, long long>, int> set_of_entity_;
  std::span<const int> order_;  // of the element type last looked up
};

}  // namespace

GmshFile parse_gmsh(GmshScanner& scanner) { return Parser(scanner).parse(); }

}  // namespace invar
