// cases/case.hpp: one recorded question with its answer, and the engine's result.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "values/value.hpp"

namespace gantry::data::cases {

struct Case {
  std::string id;
  Value setup;    // [[collection, documents], …]
  Value command;  // a find, count, distinct or aggregate command
  Value expected;
  bool wants_error = false;
  bool any_order = false;
  Array any_order_in;  // names of fields with arrays without a defined order
};

// Empty if the line is not a case.
std::optional<Case> read_case(std::string_view line);

enum class Verdict { right, wrong, refused, accepted, skipped };

struct Judgement {
  Verdict verdict = Verdict::skipped;
  std::string got;  // the answer or the refusal, for lists of failures
};

// Runs the case over collections in memory. `strict`: int, long and double are three types.
Judgement judge(const Case& one, bool strict);

// Equality of answers: numbers by value, doubles to a relative 1e-13, members in any order.
bool same_answer(const Value& a, const Value& b, bool strict);
bool same_list(const Array& a, const Array& b, bool any_order, bool strict);

// The engine's answer: documents for find and aggregate, an array for distinct, a number for count.
// Throws QueryError. Missing: not a read command.
Value answer(const Value& setup, const Value& command);

}  // namespace gantry::data::cases
