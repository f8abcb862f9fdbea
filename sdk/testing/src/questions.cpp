#include "questions.hpp"

#include <rapidjson/document.h>

#include <gantry/json.hpp>
#include <gantry/schema/validator.hpp>

#include "sdk/contract/names.hpp"
#include "sdk/contract/question_forms.hpp"
#include "use.hpp"

namespace gantry::testing::detail {
namespace {

using contract::QuestionKind;

QuestionKind kind_of(std::string_view method, std::string_view params) {
  QuestionKind kind = QuestionKind::roots;
  if (const Result<Json> json = Json::parse(params)) {
    (void)contract::wrong_question(method, *json, kind);
  }
  return kind;
}

// Properties of a form are strings, numbers, booleans or lists of choices; objects are not allowed.
std::string form_problem(const Json& schema) {
  const std::optional<Json> properties = schema.find("properties");
  if (text_member(schema, "type") != "object" || !properties || !properties->is_object()) {
    return "params.requestedSchema is no schema of an object with \"properties\"";
  }
  for (const auto& [name, property] : properties->members()) {
    const std::string type = text_member(property, "type").value_or("");
    const bool flat = type == "string" || type == "number" || type == "integer" ||
                      type == "boolean" || type == "array";
    if (!flat) return "params.requestedSchema: property '" + name + "' is no flat value";
  }
  return {};
}

// The content of a form that was accepted.
std::string content_problem(const Json& params, const Json& answer) {
  const std::optional<Json> content = answer.find("content");
  rapidjson::Document document;
  const std::optional<Json> schema = params.find("requestedSchema");
  document.Parse(schema->text().data(), schema->text().size());
  const Result<schema::Validator> validator = schema::Validator::compile(document);
  if (!validator) return validator.message();
  return mismatch(*validator, content ? content->text() : "{}", "content");
}

}  // namespace

std::string question_problem(std::string_view key, std::string_view method,
                             std::string_view params) {
  if (!contract::is_input_key(key)) return "the key is not 1 to 64 of A-Z a-z 0-9 _ . -";
  const Result<Json> json = Json::parse(params);
  if (!json) return "params must be one JSON object";
  QuestionKind kind = QuestionKind::roots;
  std::string problem = contract::wrong_question(method, *json, kind);
  if (!problem.empty() || kind != QuestionKind::form) return problem;
  return form_problem(*json->find("requestedSchema"));
}

std::string lacking(const ClientCan& client, std::string_view method, std::string_view params) {
  switch (kind_of(method, params)) {
    case QuestionKind::form:
      return client.elicit ? "" : "elicitation";
    case QuestionKind::url:
      return client.elicit_url ? "" : "elicitation";
    case QuestionKind::sample:
    case QuestionKind::sample_with_tools:
      return client.sample ? "" : "sampling";
    case QuestionKind::roots:
      break;
  }
  return client.list_roots ? "" : "roots";
}

std::string answer_problem(const Asked& asked, std::string_view answer) {
  const Result<Json> json = Json::parse(answer);
  if (!json) return "it is no JSON object";
  const QuestionKind kind = kind_of(asked.method, asked.params);
  std::string problem = contract::wrong_answer(kind, *json);
  if (!problem.empty() || kind != QuestionKind::form || !contract::is_accepted(*json)) {
    return problem;
  }
  return content_problem(*Json::parse(asked.params), *json);
}

}  // namespace gantry::testing::detail
