// tests/evaluation.hpp: expressions and documents as JSON, for tests of expressions.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "errors/query_error.hpp"
#include "expr/accumulators/accumulator.hpp"
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

// The result of the accumulator for documents with one value `v` each; an empty text is a document
// without it.
inline std::string gathered(const std::string& spec, const std::vector<std::string>& values) {
  try {
    Variables variables;
    const auto plan = parse_accumulator("total", value_of(spec), variables);
    Context context;
    context.slots.resize(variables.slots());
    const auto accumulator = plan->start(context);
    for (const std::string& value : values) {
      context.root = context.current = value_of(value.empty() ? "{}" : R"({"v":)" + value + "}");
      plan->feed(*accumulator, context);
    }
    return text_of(accumulator->result());
  } catch (const QueryError& error) {
    return std::string("refused: ") + error.what();
  }
}
// The same for {op: "$v"}.
inline std::string simple(const std::string& op, const std::vector<std::string>& values) {
  return gathered(R"({")" + op + R"(":"$v"})", values);
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
