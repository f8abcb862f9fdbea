// sql/predicate.hpp: the condition of a statement: plain SQL, and what only matchers can decide.
//
// Both are AND-ed; an empty text is true. Plain SQL runs first and may use indexes. A matcher calls
// the engine for each row that is left, and a caller's condition in it may fail on a row: so it is
// fenced by the class's boundary (sql/select.hpp).
#pragma once

#include <utility>

#include "values/fragment.hpp"

namespace gantry::data {

struct Predicate {
  Fragment plain, matched;

  bool empty() const { return plain.empty() && matched.empty(); }
  // True for no row.
  static Predicate never() { return {Fragment{"0", {}}, {}}; }
  bool is_never() const { return plain.text == "0"; }
  // AND-s another one to this. What is true for no row stays so.
  Predicate& also(const Predicate& other) {
    if (is_never() || other.is_never()) return *this = never();
    add(other.plain, plain);
    add(other.matched, matched);
    return *this;
  }
  // Both parts as one operand.
  Fragment whole() const {
    if (empty()) return {"1", {}};
    Fragment all{"(", {}};
    add(plain, all);
    add(matched, all);
    return std::move(all.add(")"));
  }

 private:
  static void add(const Fragment& more, Fragment& to) {
    if (more.empty()) return;
    const bool is_first = to.empty() || to.text == "(";
    to.add(is_first ? "" : " AND ").add(more);
  }
};

}  // namespace gantry::data
