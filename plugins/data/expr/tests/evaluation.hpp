// tests/evaluation.hpp: expressions and documents as JSON, for tests of expressions.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>

#include "errors/query_error.hpp"
#include "expr/expression.hpp"
#include "values/extended_json.hpp"

namespace gantry::data::expr {

inline Value value_of(std::string_view json) {
  auto value = read_extended(json);
  EXPECT_TRUE(value) << json;
  return value ? *value : Value();
}

inline std::string text_of(const Value& value) {
  if (value.is_missing()) return "missing";
  std::string out;
  append_value_json(value, JsonDialect::extended, out);
  return out;
}

// The result of the expression for the document, as Extended JSON; "missing"; or "refused: why".
inline std::string evaluated(std::string_view expression, std::string_view document = "{}") {
  try {
    Variables variables;
    const ExpressionPtr parsed = parse_expression(value_of(expression), variables);
    Context context;
    context.root = context.current = value_of(document);
    context.slots.resize(variables.slots());
    return text_of(parsed->evaluate(context));
  } catch (const QueryError& error) {
    return std::string("refused: ") + error.what();
  }
}

// The first of the parts that the refusal does not say, with the answer; "" if it says them all.
inline std::string unsaid(const std::string& answer,
                          std::initializer_list<std::string_view> parts) {
  if (!answer.starts_with("refused: ")) return "an answer: " + answer;
  for (const std::string_view part : parts) {
    if (answer.find(part) == answer.npos) return std::string(part) + " in: " + answer;
  }
  return "";
}

inline bool is_refused(std::string_view expression, std::string_view document = "{}") {
  return evaluated(expression, document).substr(0, 8) == "refused:";
}

}  // namespace gantry::data::expr
