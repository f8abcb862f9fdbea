#include "filter/refuse.hpp"

#include <gantry/schema/nearest.hpp>

#include <algorithm>
#include <array>
#include <vector>

#include "filter/parser.hpp"
#include "values/utf8.hpp"

namespace gantry::data::filter {
namespace {

struct Known {
  std::string_view name, sentence;
  bool runs_code = false;
};
constexpr std::array kRefused = {
    Known{"$where", "$where runs code, which is not done here; say it with $expr.", true},
    Known{"$function", "$function runs code, which is not done here; say it with $expr.", true},
    Known{"$accumulator", "$accumulator runs code, which is not done here.", true},
    Known{"$jsonSchema", "$jsonSchema is not supported; use $type, $exists and comparisons."},
    Known{
        "$text",
        "$text needs a search index: it stands at the top of a where, or of the first $match of an "
        "aggregate, of a class that has one. Use $regex."},
    Known{"$inQuery", "$inQuery is for the where of typed classes; use $lookup in a pipeline."},
    Known{"$notInQuery", "$notInQuery is for the where of typed classes; use $lookup."},
    Known{"$select", "$select is for the where of typed classes; use $lookup in a pipeline."},
    Known{"$dontSelect", "$dontSelect is for the where of typed classes; use $lookup."},
};

constexpr std::array<std::string_view, 8> kRoot = {
    "$and", "$or", "$nor", "$expr", "$comment", "$alwaysTrue", "$alwaysFalse", "$sampleRate"};

bool is_root(std::string_view name) {
  return std::find(kRoot.begin(), kRoot.end(), name) != kRoot.end();
}

std::string_view nearest(std::string_view name) {
  std::vector<std::string_view> names(kRoot.begin(), kRoot.end());
  for (const auto& family : field_operators()) {
    for (const FieldOperator& known : family) names.push_back(known.name);
  }
  return schema::nearest(name, names).value_or(std::string_view());
}

std::string unknown_sentence(std::string_view name) {
  std::string text = "There is no query operator " + clipped(name, 64);
  const std::string_view known = nearest(name);
  if (known.empty()) return text + "; a name that begins with $ is an operator.";
  return text + "; the nearest is " + std::string(known) + ".";
}

std::string misplaced_sentence(std::string_view name, bool at_root) {
  const std::string op(name);
  if (at_root) return op + " stands behind a field's name: {field: {" + op + ": …}}.";
  return op + " stands at the top of a filter, not behind a field's name.";
}

}  // namespace

std::string a_type(const Value& value) {
  const std::string_view name = value.type_name();
  if (value.is_nullish()) return std::string(name);
  const bool vowel = std::string_view("aeio").find(name[0]) != std::string_view::npos;
  return (vowel ? "an " : "a ") + std::string(name);
}

void refuse_operand(std::string_view op, std::string_view wanted, const Value& got) {
  throw QueryError(std::string(op) + " needs " + std::string(wanted) + ", not " + a_type(got) +
                   ".");
}

void refuse_operator(std::string_view name, bool at_root) {
  const auto refused = std::find_if(kRefused.begin(), kRefused.end(),
                                    [&](const Known& known) { return known.name == name; });
  if (refused != kRefused.end() && refused->runs_code) {
    throw QueryError::blocked(std::string(refused->sentence));
  }
  if (refused != kRefused.end()) throw QueryError(std::string(refused->sentence));
  const bool misplaced = at_root ? find_field_operator(name) != nullptr : is_root(name);
  throw QueryError(misplaced ? misplaced_sentence(name, at_root) : unknown_sentence(name));
}

}  // namespace gantry::data::filter
