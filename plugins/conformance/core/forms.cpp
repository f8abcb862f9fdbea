#include "core/forms.hpp"

#include <gantry/json_writer.hpp>

namespace conformance {
namespace {

std::string text_of(const std::optional<gantry::Json>& value) {
  if (!value) return {};
  return value->as_string().value_or(std::string(value->text()));
}

}  // namespace

std::string form(std::string_view message, std::string_view schema) {
  std::string out;
  gantry::JsonWriter(out)
      .begin_object()
      .key("message")
      .string(message)
      .key("requestedSchema")
      .raw(schema)
      .end_object();
  return out;
}

std::string form_of_one(std::string_view message, std::string_view member, std::string_view type) {
  std::string schema;
  gantry::JsonWriter out(schema);
  out.begin_object().key("type").string("object").key("properties").begin_object();
  out.key(member).begin_object().key("type").string(type).end_object().end_object();
  out.key("required").begin_array().string(member).end_array().end_object();
  return form(message, schema);
}

std::string prompt(std::string_view text, int max_tokens) {
  std::string params;
  gantry::JsonWriter out(params);
  out.begin_object().key("messages").begin_array().begin_object();
  out.key("role").string("user").key("content").raw(text_block(text)).end_object().end_array();
  out.key("maxTokens").number(max_tokens).end_object();
  return params;
}

std::string accepted(const gantry::Json& answer, std::string_view member) {
  const auto content = answer.find("content");
  return content ? text_of(content->find(member)) : std::string();
}

std::string sampled(const gantry::Json& answer) {
  const auto content = answer.find("content");
  if (!content) return {};
  if (!content->is_array()) return text_of(content->find("text"));
  std::string out;
  for (const gantry::Json& block : content->elements()) out += text_of(block.find("text"));
  return out;
}

std::string outcome(const gantry::Json& answer) {
  const auto content = answer.find("content");
  return "action=" + text_of(answer.find("action")) +
         ", content=" + (content ? std::string(content->text()) : "{}");
}

std::string roots(const gantry::Json& answer) {
  std::string out;
  const auto list = answer.find("roots");
  if (!list) return out;
  for (const gantry::Json& root : list->elements()) {
    const std::string name = text_of(root.find("name"));
    out += (out.empty() ? "" : ", ") + (name.empty() ? text_of(root.find("uri")) : name);
  }
  return out;
}

std::string text_block(std::string_view text) {
  std::string out;
  gantry::JsonWriter(out)
      .begin_object()
      .key("type")
      .string("text")
      .key("text")
      .string(text)
      .end_object();
  return out;
}

}  // namespace conformance
