#include <gantry/schema/validator.hpp>

#include <rapidjson/error/en.h>

#include "compile/compiler.hpp"
#include "compile/index.hpp"
#include "report/sink.hpp"
#include "run/runner.hpp"

namespace gantry::schema {
namespace {

using rapidjson::Value;

// The nesting of arrays and objects, counted without recursion, is more than `limit`.
bool nested_deeper(const Value& root, std::uint32_t limit) {
  std::vector<const Value*> level{&root};
  for (std::uint32_t depth = 0; !level.empty(); ++depth) {
    if (depth > limit) return true;
    std::vector<const Value*> next;
    for (const Value* value : level) {
      if (value->IsArray()) {
        for (const Value& item : value->GetArray()) next.push_back(&item);
      } else if (value->IsObject()) {
        for (const auto& member : value->GetObject()) next.push_back(&member.value);
      }
    }
    level = std::move(next);
  }
  return false;
}

}  // namespace

Validator::Validator(std::shared_ptr<const detail::Program> program)
    : program_(std::move(program)) {}

Result<Validator> Validator::compile(std::string_view schema_json, const CompileOptions& options) {
  if (schema_json.size() > options.max_bytes) {
    return Status::invalid("the schema is longer than " + std::to_string(options.max_bytes) +
                           " bytes");
  }
  constexpr unsigned kFlags = rapidjson::kParseFullPrecisionFlag | rapidjson::kParseIterativeFlag |
                              rapidjson::kParseValidateEncodingFlag;
  rapidjson::Document document;
  document.Parse<kFlags>(schema_json.data(), schema_json.size());
  if (document.HasParseError()) {
    return Status::invalid(std::string("the schema is not JSON: ") +
                           rapidjson::GetParseError_En(document.GetParseError()) + " At offset " +
                           std::to_string(document.GetErrorOffset()) + ".");
  }
  return compile(document, options);
}

Result<Validator> Validator::compile(const Value& schema, const CompileOptions& options) {
  if (nested_deeper(schema, options.max_nesting)) {
    return Status::invalid("the schema is nested deeper than " +
                           std::to_string(options.max_nesting) + " levels");
  }
  auto program = std::make_shared<detail::Program>();
  program->max_depth = options.max_depth;
  program->max_steps = options.max_steps;
  detail::Index index(options.max_schemas);
  if (Status s = index.add_root(schema); !s) return s;
  if (Status s = detail::compile(index, *program); !s) return s;
  return Validator(std::move(program));
}

bool Validator::validate(const Value& instance) const {
  return detail::Runner(*program_, nullptr).check(instance);
}

std::vector<Error> Validator::errors(const Value& instance, std::size_t max) const {
  detail::Sink sink(*program_, max);
  detail::Runner runner(*program_, &sink);
  runner.check(instance);
  if (runner.stopped() != nullptr) sink.report_limit(runner.stopped());
  return std::move(sink).take();
}

}  // namespace gantry::schema
