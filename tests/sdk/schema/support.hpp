// Helpers of the validator's tests.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <gantry/schema/validator.hpp>

namespace gantry::schema::test {

// How often this thread has called operator new so far.
std::size_t allocations();

inline rapidjson::Document parse(std::string_view json) {
  rapidjson::Document document;
  document.Parse<rapidjson::kParseFullPrecisionFlag>(json.data(), json.size());
  if (document.HasParseError()) throw std::invalid_argument("not JSON: " + std::string(json));
  return document;
}

inline Validator compiled(std::string_view schema, const CompileOptions& options = {}) {
  Result<Validator> result = Validator::compile(schema, options);
  if (!result) throw std::invalid_argument(result.message());
  return *result;
}

inline bool accepts(std::string_view schema, std::string_view instance) {
  const Validator validator = compiled(schema);
  const auto document = parse(instance);
  const bool good = validator.validate(document);
  EXPECT_EQ(good, validator.errors(document).empty()) << schema << " on " << instance;
  return good;
}

// The sentence a schema is refused with, or "".
inline std::string refusal(std::string_view schema, const CompileOptions& options = {}) {
  const Result<Validator> result = Validator::compile(schema, options);
  return result ? "" : result.message();
}

inline std::string explained(std::string_view schema, std::string_view instance) {
  return explain(compiled(schema).errors(parse(instance)));
}

}  // namespace gantry::schema::test
