// tests/filter.hpp: filters and documents as JSON.
#pragma once

#include <string>
#include <string_view>

#include "errors/query_error.hpp"
#include "filter/condition.hpp"
#include "values/extended_json.hpp"

namespace gantry::data::filter {

inline Value json(std::string_view text) { return read_extended(text).value(); }

inline bool passes(std::string_view filter, std::string_view document) {
  expr::Variables variables;
  const ConditionPtr condition = parse_condition(json(filter), variables);
  expr::Context context;
  context.root = context.current = json(document);
  context.slots.resize(variables.slots());
  return condition->passes(context);
}

// The error message for the filter; "" if it is valid.
inline std::string refusal(std::string_view filter) {
  try {
    expr::Variables variables;
    parse_condition(json(filter), variables);
  } catch (const QueryError& error) {
    return error.what();
  }
  return "";
}

}  // namespace gantry::data::filter
