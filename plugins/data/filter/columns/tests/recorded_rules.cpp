#include "recorded_rules.hpp"

#include <algorithm>
#include <array>

namespace gantry::data::testing {
namespace {

constexpr std::array<std::string_view, 9> kUnlisted = {
    "\"$expr\"",          "\"$jsonSchema\"", "\"$where\"",      "\"$text\"",  "\"$geoWithin\"",
    "\"$geoIntersects\"", "\"$near\"",       "\"$nearSphere\"", "\"$within\""};

bool names_any(std::string_view where) {
  return std::any_of(kUnlisted.begin(), kUnlisted.end(), [where](std::string_view name) {
    return where.find(name) != std::string_view::npos;
  });
}

}  // namespace

std::string_view difference(std::string_view where, std::string_view answer) {
  if (where.find(R"({"$type":"int"})") != std::string_view::npos) {
    return "JSON has one kind of integer: it is an int where it fits 32 bits, else a long";
  }
  if (answer != "refused") return {};
  if (names_any(where)) return "operators that are not on our list are refused by name";
  if (where.find(R"("$exists":)") != std::string_view::npos) {
    return "$exists takes a boolean or a number, nothing that merely counts as one";
  }
  const bool literal = where.find(R"("$eq":{"$)") != std::string_view::npos ||
                       where.find(R"("$ne":{"$)") != std::string_view::npos;
  if (literal)
    return "an operator as operand of $eq or $ne is taken for a mistake, not for a value";
  return {};
}

}  // namespace gantry::data::testing
