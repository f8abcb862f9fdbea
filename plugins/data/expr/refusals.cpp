// The error messages for invalid expressions.
#include <gantry/schema/nearest.hpp>

#include <algorithm>
#include <array>

#include "expr/nodes.hpp"

namespace gantry::data::expr {
namespace {

std::string_view described(const Value& value) {
  static constexpr std::string_view kWords[] = {
      "a missing field", "null",     "an int",      "a long",    "a double", "a string",
      "an object",       "an array", "binary data", "a boolean", "a date"};
  return kWords[static_cast<std::size_t>(value.type())];
}

struct Refused {
  std::string_view name, why;
};
constexpr std::string_view kCode = "runs code, which is not allowed here";
constexpr std::string_view kNoType = "is of a type that is not supported here";
constexpr std::array kRefused = {
    Refused{"$function", kCode},
    Refused{"$accumulator", kCode},
    Refused{"$where", kCode},
    Refused{"$meta", "is not supported here: the results of $text have no score. Sort by a field"},
    Refused{"$toDecimal", "makes decimals, which are not supported here; use $toDouble"},
    Refused{"$toObjectId", "makes ObjectIds, which are not supported here; use $toString"},
    Refused{"$tsSecond", "reads timestamps, which are not supported here; use dates"},
    Refused{"$tsIncrement", "reads timestamps, which are not supported here; use dates"},
    Refused{"$numberDecimal", kNoType},
    Refused{"$oid", kNoType},
    Refused{"$timestamp", kNoType},
    Refused{"$minKey", kNoType},
    Refused{"$maxKey", kNoType},
    Refused{"$regularExpression", kNoType},
};

std::string plural(int count) {
  return std::to_string(count) + (count == 1 ? " argument" : " arguments");
}

}  // namespace

void refuse_type(std::string_view op, std::string_view wanted, const Value& got) {
  throw QueryError(std::string(op) + " needs " + std::string(wanted) + ", not " +
                   std::string(described(got)) + ".");
}

void refuse_unknown_operator(std::string_view name) {
  for (const Refused& refused : kRefused) {
    if (refused.name != name) continue;
    std::string text = std::string(name) + " " + std::string(refused.why) + ".";
    if (refused.why == kCode) throw QueryError::blocked(std::move(text));
    throw QueryError(std::move(text));
  }
  std::string text = "There is no expression operator " + std::string(name);
  if (const auto near = schema::nearest(name, operator_names())) {
    text.append("; did you mean ").append(*near).append("?");
  } else {
    text += "; to use it as a value, write {$literal: …}.";
  }
  throw QueryError(text);
}

void check_count(std::string_view name, std::size_t count, int least, int most) {
  const auto given = static_cast<int>(std::min<std::size_t>(count, kAny));
  if (given >= least && given <= most) return;
  std::string wanted = "exactly " + plural(least);
  if (most >= kAny) {
    wanted = "at least " + plural(least);
  } else if (least != most) {
    wanted = std::to_string(least) + " to " + plural(most);
  }
  throw QueryError(std::string(name) + " takes " + wanted + ", not " + std::to_string(count) + ".");
}

}  // namespace gantry::data::expr
