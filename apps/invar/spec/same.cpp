#include "apps/invar/spec/same.hpp"

#include <algorithm>

namespace invar::spec {
namespace {

template <class T>
bool all_same(const std::vector<T>& a, const std::vector<T>& b) {
  return std::ranges::equal(a, b, [](const T& x, const T& y) { return same(x, y); });
}

}  // namespace

bool same(const Type& a, const Type& b) {
  const auto words = [](const Type::Choice& x, const Type::Choice& y) { return x.word == y.word && x.doc == y.doc; };
  return a.kind == b.kind && a.unit == b.unit && a.lower == b.lower && a.upper == b.upper &&
         a.lower_open == b.lower_open && a.upper_open == b.upper_open && a.may_be_infinite == b.may_be_infinite &&
         a.min_size == b.min_size && a.max_size == b.max_size && a.key_name == b.key_name &&
         std::ranges::equal(a.choices, b.choices, words) && all_same(a.inner, b.inner) &&
         (a.table == b.table || (a.table && b.table && same(*a.table, *b.table)));
}

bool same(const Table::Entry& a, const Table::Entry& b) {
  return a.key == b.key && a.doc == b.doc && a.required == b.required && a.default_text == b.default_text && a.beside == b.beside &&
         same(a.type, b.type);
}

bool same(const Table::Rule& a, const Table::Rule& b) {
  return a.keys == b.keys && a.least == b.least && a.most == b.most;
}

bool same(const Table& a, const Table& b) {
  return a.name() == b.name() && a.doc() == b.doc() && a.tag() == b.tag() && a.path_doc() == b.path_doc() && all_same(a.entries(), b.entries()) &&
         all_same(a.rules(), b.rules()) && all_same(a.variants(), b.variants());
}

}  // namespace invar::spec
