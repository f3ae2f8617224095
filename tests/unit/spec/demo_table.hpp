#pragma once
#include <stdlib.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "apps/invar/spec/spec_error.hpp"
#include "apps/invar/spec/validate.hpp"

namespace invar::spec {

inline constexpr std::array<ParamSpec, 2> demo_linear = {{
    {.key = "young", .unit = "Pa", .doc = "Young's modulus", .lower = 0, .lower_open = true},
    {.key = "poisson", .unit = "1", .doc = "Poisson's ratio", .default_value = 0.3, .lower = -1,
     .upper = 0.5, .lower_open = true, .upper_open = true},
}};
inline constexpr std::array<ParamSpec, 3> demo_yeoh = {{
    {.key = "c1", .unit = "Pa", .doc = "first constant", .lower = 0, .lower_open = true},
    {.key = "c2", .unit = "Pa", .doc = "second constant", .default_value = 0.0},
    {.key = "c3", .unit = "Pa", .doc = "third constant", .default_value = 0.0},
}};

/// A table like the real one, small.
inline Table demo_table() {
  const Type number_or_formula = either({number("m"), expression("m")});
  const Table box = Table("box", "A box of hexahedra.")
                        .required("size", list_of(number("m").above(0), 3), "edge lengths")
                        .defaulted("cells", list_of(integer().at_least(1), 3), "[1, 1, 1]",
                                   "cells along each edge");
  const Table mesh = Table("mesh", "Where the mesh comes from.")
                         .optional("file", path(), "Gmsh file")
                         .optional("box", record(box), "built in")
                         .exactly_one_of({"file", "box"});
  const Table material =
      Table("material", "What a region is made of.")
          .defaulted("region", either({choice({{"all", "everything"}}), list_of(text())}), "all",
                     "where it is")
          .tagged("model", "the law",
                  {parameters("linear", "Hooke's law.", demo_linear),
                   parameters("yeoh", "Yeoh's rubber.", demo_yeoh)});
  const Table side = Table("boundary", "What holds a region.")
                         .optional("u", number_or_formula, "displacement along x")
                         .optional("v", number_or_formula, "displacement along y")
                         .at_least_one_of({"u", "v"});
  const Table experiment = Table("case", "One experiment.")
                               .optional("boundary", map_of(record(side), "region"), "as above")
                               .defaulted("steps", integer().at_least(1), "10", "load steps");
  const Table variable = Table("variable", "What may change.")
                             .required("name", text(), "material.parameter")
                             .optional("lower", number().or_infinite(), "bound")
                             .defaulted("scale", choice({{"log", "positive"}, {"linear", "any"}}),
                                        "log", "how the optimiser sees it");
  const Table term =
      Table("term", "One term of the objective.")
          .tagged("type", "what is compared",
                  {Table("reaction", "A force curve.").required("data", path(), "measured"),
                   Table("marker", "A displacement.")
                       .required("at", list_of(number("m"), 3), "where")})
          .defaulted("weight", number().above(0), "1", "factor");
  const Table solver = Table("solver", "How equations are solved.")
                           .defaulted("rtol", number().above(0).below(1), "1e-8", "tolerance")
                           .defaulted("line_search", boolean(), "true", "step back when needed");
  Table spec("invar spec", "What is simulated and what is wanted.");
  spec.required("title", text(), "one line")
      .required("mesh", record(mesh), "geometry")
      .required("materials", map_of(record(material)), "laws by name")
      .optional("boundary", map_of(record(side), "region"), "supports")
      .optional("cases", map_of(record(experiment), "case"), "experiments")
      .optional("design", list_of(record(variable)), "design variables")
      .optional("objective", list_of(record(term)), "sum of terms")
      .defaulted("solver", record(solver), "{}", "numerics")
      .optional("expect", map_of(list_of(number(), 2), "quantity"), "value and tolerance");
  return spec;
}

inline const std::string good_spec = R"(title: demo
mesh:
  box: {size: [1, 2, 3e-1]}
materials:
  rubber:
    model: yeoh
    c1: 1.7e5
  foot:
    region: [base, "left edge"]
    model: linear
    young: 2e9
boundary:
  left: {u: 0, v: 0.1*y}
cases:
  pull:
    boundary:
      right: {u: "lambda: 2"}
design:
  - {name: rubber.c1, lower: -.inf}
  - name: rubber.c2
    scale: linear
objective:
  - type: reaction
    data: data/pull.csv
  - {type: marker, at: [0, 0, 1], weight: 2}
expect:
  energy: [1.5, 1e-3]
)";

/// Validates a text; the messages, or "" when it is right.
inline std::string mistakes(const std::string& text, const Table& table = demo_table()) {
  Diagnostics diagnostics;
  const std::optional<Node> root = parse(text, "spec.yaml", diagnostics);
  if (root) validate(*root, table, "/somewhere", diagnostics);
  return diagnostics.empty() ? "" : diagnostics.text();
}

/// `good_spec` with one passage replaced.
inline std::string changed(const std::string& from, const std::string& to) {
  std::string text = good_spec;
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::logic_error("no '" + from + "' in the demo spec");
  return text.replace(at, from.size(), to);
}

/// A folder that goes away.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "invar-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    path = name;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path); }
  std::filesystem::path path;
};

/// All of a file.
inline std::string content(const std::filesystem::path& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

}  // namespace invar::spec
