#include "plan/typing/allowed_values.hpp"

#include <algorithm>
#include <variant>

#include <gantry/schema/nearest.hpp>

#include "values/json_text.hpp"
#include "values/utf8.hpp"

namespace gantry::data::typing {
namespace {

constexpr std::size_t kMostShown = 10;

std::string json_of(const Literal& value) {
  std::string json;
  if (const auto* const text = std::get_if<std::string>(&value)) return quoted_json(*text);
  if (const auto* const integer = std::get_if<std::int64_t>(&value)) {
    append_json_integer(*integer, json);
  } else {
    append_json_double(std::get<double>(value), json);
  }
  return json;
}

bool is_equal(const Literal& value, const Value& literal) {
  if (const auto* const text = std::get_if<std::string>(&value)) {
    return literal.is_string() && *text == literal.text();
  }
  const auto* const integer = std::get_if<std::int64_t>(&value);
  const double number =
      integer != nullptr ? static_cast<double>(*integer) : std::get<double>(value);
  return literal.is_number() && literal.number() == number;
}

// The nearest of the texts, else the first values.
std::string hint(const std::vector<Literal>& allowed, const Value& literal) {
  std::vector<std::string> texts;
  std::string all;
  for (std::size_t i = 0; i < allowed.size(); ++i) {
    if (const auto* const text = std::get_if<std::string>(&allowed[i])) texts.push_back(*text);
    if (i < kMostShown) all += (i == 0 ? "" : ", ") + json_of(allowed[i]);
  }
  if (allowed.size() > kMostShown) all += ", …";
  const auto near = literal.is_string() ? schema::nearest(literal.text(), texts)
                                        : std::optional<std::string_view>();
  return (near ? "Did you mean " + quoted_json(*near) + "? " : std::string()) + "Its values are " +
         all + ".";
}

}  // namespace

bool warn_of_value(const ClassView& cls, std::string_view field, std::string_view name,
                   const Value& literal, Warnings& warnings) {
  if (!literal.is_string() && !literal.is_number()) return false;
  const FieldView* const found = cls.find(field);
  const bool is_known = found != nullptr && !found->allowed.empty() && found->kind != Kind::date &&
                        found->kind != Kind::boolean;
  if (!is_known) return false;
  const bool is_allowed =
      std::any_of(found->allowed.begin(), found->allowed.end(),
                  [&](const Literal& value) { return is_equal(value, literal); });
  if (is_allowed) return false;
  warnings.add("'" + clipped(name) + "' never is " +
               (literal.is_string() ? quoted_json(clipped(literal.text())) : "this number") + ". " +
               hint(found->allowed, literal));
  return true;
}

}  // namespace gantry::data::typing
