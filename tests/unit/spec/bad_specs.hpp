#pragma once
#include <string>
#include <vector>

#include "tests/unit/spec/demo_table.hpp"

namespace invar::spec {

/// A wrong text in the valid spec, and the exact message.
struct BadSpec {
  std::string name, right, wrong, message;
  bool schema_sees_it = true;  // JSON Schema knows no YAML syntax
};

inline std::vector<BadSpec> bad_specs() {
  return {
      {"misspelt_required_key", "young: 2e9", "youngs: 2e9",
       "spec.yaml:11:5: error: unknown key 'youngs'; did you mean 'young'?\n"
       "    in materials.foot; allowed: region, model, young, poisson\n1 mistake"},
      {"unknown_section", "expect:", "expects:",
       "spec.yaml:26:1: error: unknown key 'expects'; did you mean 'expect'?\n"
       "    allowed: title, mesh, materials, boundary, cases, design, objective, solver, expect\n"
       "1 mistake"},
      {"missing_section", "title: demo\n", "",
       "spec.yaml:1:1: error: missing key 'title'\n    expected text: one line\n1 mistake"},
      {"missing_parameter", "    c1: 1.7e5\n", "",
       "spec.yaml:5:3: error: missing key 'c1'\n"
       "    in materials.rubber; expected a number > 0 [Pa]: first constant\n1 mistake"},
      {"negative_modulus", "young: 2e9", "young: -2e9",
       "spec.yaml:11:12: error: value -2e9 is out of range, expected a number > 0 [Pa]\n"
       "    in materials.foot.young\n1 mistake"},
      {"open_bound", "young: 2e9", "young: 2e9\n    poisson: 0.5",
       "spec.yaml:12:14: error: value 0.5 is out of range, expected a number between -1 (excluded)"
       " and 0.5 (excluded)\n    in materials.foot.poisson\n1 mistake"},
      {"text_for_number", "young: 2e9", "young: 2 GPa",
       "spec.yaml:11:12: error: expected a number, got '2 GPa'\n"
       "    in materials.foot.young\n1 mistake"},
      {"quoted_number", "young: 2e9", "young: \"2e9\"",
       "spec.yaml:11:12: error: expected a number, got the quoted text '2e9'\n"
       "    in materials.foot.young; write it without quotes\n1 mistake"},
      {"list_for_number", "young: 2e9", "young: [1, 2]",
       "spec.yaml:11:12: error: expected a number, got a list\n"
       "    in materials.foot.young\n1 mistake"},
      {"leading_zero", "young: 2e9", "young: 010",
       "spec.yaml:11:12: error: ambiguous number '010'\n    in materials.foot.young; some YAML readers interpret a leading 0 as octal; write it without\n1 mistake",
       false},
      {"undefined_number", "young: 2e9", "young: .nan",
       "spec.yaml:11:12: error: a number must not be undefined, got '.nan'\n"
       "    in materials.foot.young\n1 mistake",
       false},
      {"infinite_number", "young: 2e9", "young: .inf",
       "spec.yaml:11:12: error: a number must be finite, got '.inf'\n"
       "    in materials.foot.young\n1 mistake",
       false},
      {"huge_number", "young: 2e9", "young: 1e999",
       "spec.yaml:11:12: error: the number '1e999' does not fit into double precision\n"
       "    in materials.foot.young\n1 mistake",
       false},
      {"no_value", "young: 2e9", "young:",
       "spec.yaml:11:5: error: 'young' has no value\n"
       "    in materials.foot.young; expected a number > 0 [Pa]\n1 mistake"},
      {"unknown_model", "model: yeoh", "model: yoeh",
       "spec.yaml:6:12: error: unknown value 'yoeh'; did you mean 'yeoh'?\n"
       "    in materials.rubber.model; allowed: linear, yeoh\n1 mistake"},
      {"missing_model", "    model: yeoh\n", "",
       "spec.yaml:5:3: error: missing key 'model'\n"
       "    in materials.rubber; expected linear | yeoh: the law\n1 mistake"},
      {"parameter_of_another_model", "c1: 1.7e5", "c1: 1.7e5\n    young: 1",
       "spec.yaml:8:5: error: key 'young' does not belong to model: yeoh, but to linear\n"
       "    in materials.rubber; allowed: region, model, c1, c2, c3\n1 mistake"},
      {"two_meshes", "mesh:\n", "mesh:\n  file: a.msh\n",
       "spec.yaml:4:3: error: only one of file, box may be given\n"
       "    in mesh; given: file, box\n1 mistake"},
      {"no_mesh", "  box: {size: [1, 2, 3e-1]}", "  {}",
       "spec.yaml:2:1: error: exactly one of file, box is needed\n    in mesh\n1 mistake"},
      {"short_list", "[1, 2, 3e-1]", "[1, 2]",
       "spec.yaml:3:15: error: the list has 2 entries, expected 3\n"
       "    in mesh.box.size\n1 mistake"},
      {"wrong_element", "[1, 2, 3e-1]", "[1, 2, 0]",
       "spec.yaml:3:22: error: value 0 is out of range, expected a number > 0 [m]\n"
       "    in mesh.box.size[2]\n1 mistake"},
      {"fractional_integer", "3e-1]}", "3e-1], cells: [1, 1, 1.5]}",
       "spec.yaml:3:43: error: expected an integer, got '1.5'\n"
       "    in mesh.box.cells[2]\n1 mistake"},
      {"map_for_text", "name: rubber.c2", "name: {a: b}",
       "spec.yaml:20:11: error: expected text, got a map\n    in design[1].name\n1 mistake"},
      {"choice_in_list", "scale: linear", "scale: Linear",
       "spec.yaml:21:12: error: unknown value 'Linear'; did you mean 'linear'?\n"
       "    in design[1].scale; allowed: log, linear\n1 mistake"},
      {"neither_alternative", "region: [base, \"left edge\"]", "region: al",
       "spec.yaml:9:13: error: expected all, or a list of texts, got 'al'; did you mean 'all'?\n"
       "    in materials.foot.region\n1 mistake"},
      {"empty_list", "[base, \"left edge\"]", "[]",
       "spec.yaml:9:13: error: the list has 0 entries, expected at least 1\n"
       "    in materials.foot.region\n1 mistake"},
      {"scalar_for_section", "boundary:\n  left: {u: 0, v: 0.1*y}", "boundary: fixed",
       "spec.yaml:12:11: error: expected a map from region to a map, got 'fixed'\n"
       "    in boundary\n1 mistake"},
      {"empty_record", "{u: 0, v: 0.1*y}", "{}",
       "spec.yaml:13:3: error: at least one of u, v is needed\n    in boundary.left\n1 mistake"},
      {"yes_is_no_boolean", "expect:", "solver: {line_search: yes}\nexpect:",
       "spec.yaml:26:23: error: expected true or false, got 'yes'\n"
       "    in solver.line_search\n1 mistake",
       false},
      {"duplicate_key", "model: yeoh", "model: yeoh\n    model: linear",
       "spec.yaml:7:5: error: duplicate key 'model'\n"
       "    in materials.rubber; first given at spec.yaml:6:5\n1 mistake",
       false},
      {"merge", "model: yeoh", "model: yeoh\n    <<: {c2: 1}",
       "spec.yaml:7:5: error: merge keys '<<' are not supported\n"
       "    in materials.rubber; write the entries out\n1 mistake",
       false},
      {"tag", "young: 2e9", "young: !!float 2e9",
       "spec.yaml:11:12: error: tags such as '!!float' are not supported\n"
       "    in materials.foot; leave the tag out\n1 mistake",
       false},
      {"several", "young: 2e9", "young: -1\n    region: all\n    poison: 0",
       "spec.yaml:11:12: error: value -1 is out of range, expected a number > 0 [Pa]\n"
       "    in materials.foot.young\n"
       "spec.yaml:12:5: error: duplicate key 'region'\n"
       "    in materials.foot; first given at spec.yaml:9:5\n"
       "spec.yaml:13:5: error: unknown key 'poison'; did you mean 'poisson'?\n"
       "    in materials.foot; allowed: region, model, young, poisson\n3 mistakes",
       false},
  };
}

}  // namespace invar::spec
