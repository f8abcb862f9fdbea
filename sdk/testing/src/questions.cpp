#include "questions.hpp"

#include <rapidjson/document.h>

#include <gantry/json.hpp>
#include <gantry/schema/validator.hpp>

#include "sdk/contract/names.hpp"
#include "state.hpp"

namespace gantry::testing::detail {
namespace {

constexpr std::string_view kElicit = "elicitation/create";
constexpr std::string_view kSample = "sampling/createMessage";
constexpr std::string_view kRoots = "roots/list";

std::optional<std::string> text_member(const Json& object, std::string_view name) {
  const std::optional<Json> member = object.find(name);
  return member ? member->as_string() : std::nullopt;
}

bool is_url_mode(const Json& params) { return text_member(params, "mode") == "url"; }

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

std::string elicit_problem(const Json& params) {
  if (!text_member(params, "message")) return "params.message is missing";
  if (is_url_mode(params)) return text_member(params, "url") ? "" : "params.url is missing";
  const std::optional<Json> schema = params.find("requestedSchema");
  return schema ? form_problem(*schema) : "params.requestedSchema is missing";
}

std::string sample_problem(const Json& params) {
  const std::optional<Json> messages = params.find("messages");
  const std::optional<Json> most = params.find("maxTokens");
  if (!messages || !messages->is_array()) return "params.messages is no array";
  return most && most->as_integer() ? "" : "params.maxTokens is no integer";
}

std::string content_problem(const Json& params, std::string_view content) {
  const std::optional<Json> schema = params.find("requestedSchema");
  if (!schema) return {};
  rapidjson::Document document;
  document.Parse(schema->text().data(), schema->text().size());
  const Result<schema::Validator> validator = schema::Validator::compile(document);
  return validator ? mismatch(*validator, content, "content") : validator.message();
}

std::string elicited_problem(const Json& params, const Json& answer) {
  const std::string action = text_member(answer, "action").value_or("");
  if (action == "decline" || action == "cancel") return {};
  if (action != "accept") return "\"action\" is not 'accept', 'decline' or 'cancel'";
  if (is_url_mode(params)) return {};
  const std::optional<Json> content = answer.find("content");
  return content ? content_problem(params, content->text()) : "\"content\" is missing";
}

}  // namespace

std::string question_problem(std::string_view key, std::string_view method,
                             std::string_view params) {
  if (!contract::is_input_key(key)) return "the key is not 1 to 64 of A-Z a-z 0-9 _ . -";
  const Result<Json> json = Json::parse(params);
  if (!json || !json->is_object()) return "params is no JSON object";
  if (method == kElicit) return elicit_problem(*json);
  if (method == kSample) return sample_problem(*json);
  return method == kRoots ? "" : "the method '" + std::string(method) + "' is not one to ask with";
}

std::string lacking(const ClientCan& client, std::string_view method, std::string_view params) {
  if (method == kSample) return client.sample ? "" : "sampling";
  if (method == kRoots) return client.list_roots ? "" : "roots";
  const Result<Json> json = Json::parse(params);
  const bool can = json && is_url_mode(*json) ? client.elicit_url : client.elicit;
  return can ? "" : "elicitation";
}

std::string answer_problem(const Asked& asked, std::string_view answer) {
  const Result<Json> json = Json::parse(answer);
  if (!json || !json->is_object()) return "it is no JSON object";
  if (asked.method == kSample) {
    return json->find("role") && json->find("content") && json->find("model")
               ? ""
               : "it has no \"role\", \"content\" or \"model\"";
  }
  if (asked.method == kRoots) {
    const std::optional<Json> roots = json->find("roots");
    return roots && roots->is_array() ? "" : "it has no array \"roots\"";
  }
  const Result<Json> params = Json::parse(asked.params);
  return elicited_problem(*params, *json);
}

}  // namespace gantry::testing::detail
