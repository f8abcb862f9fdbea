// sdk/contract/answer_forms.hpp: the forms of content blocks, and of the elements of what prompts,
// resources and completions answer.
//
// Each wrong_…() returns what is wrong, or an empty text. They read JSON through `Value`, a view of
// one value with is_string(), as_string() (the text of a string, optional) and find(name) (the
// member of an object, optional; nothing of another value): each host of plugins has a JSON reader
// of its own. Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gantry::contract {

template <class Value>
bool has_text(const Value& object, std::string_view name) {
  const std::optional<Value> member = object.find(name);
  return member && member->is_string();
}

template <class Value>
std::string text_of(const Value& object, std::string_view name) {
  const std::optional<Value> member = object.find(name);
  return member ? std::string(member->as_string().value_or("")) : std::string();
}

// A content block of MCP: "text", "image", "audio", "resource" or "resource_link". The result is
// the rest of a sentence about the block.
template <class Value>
std::string wrong_block(const Value& block) {
  if (!has_text(block, "type")) return "is no JSON object with a \"type\"";
  const std::string type = text_of(block, "type");
  if (type == "text") return has_text(block, "text") ? "" : "has no \"text\"";
  if (type == "image" || type == "audio") {
    const bool whole = has_text(block, "data") && has_text(block, "mimeType");
    return whole ? "" : "has no \"data\" or no \"mimeType\"";
  }
  if (type == "resource_link") {
    return has_text(block, "uri") && has_text(block, "name") ? "" : "has no \"uri\" or no \"name\"";
  }
  if (type != "resource") return "has the unknown \"type\" '" + type + "'";
  const std::optional<Value> of = block.find("resource");
  const bool whole = of && has_text(*of, "uri") && (has_text(*of, "text") || has_text(*of, "blob"));
  return whole ? "" : "has no \"resource\" with a \"uri\" and a \"text\" or \"blob\"";
}

// A message of a prompt.
template <class Value>
std::string wrong_message(const Value& message) {
  const std::string role = text_of(message, "role");
  if (role != "user" && role != "assistant") {
    return "a message's \"role\" is '" + role + "'; expected 'user' or 'assistant'";
  }
  const std::optional<Value> content = message.find("content");
  if (content && has_text(*content, "type")) return {};
  return "a message's \"content\" is no content block with a \"type\"";
}

// One of the contents of a resource.
template <class Value>
std::string wrong_content(const Value& content) {
  if (has_text(content, "text") || has_text(content, "blob")) return {};
  return "a content has neither \"text\" nor \"blob\"; expected one of them";
}

// A value that a completion offers.
template <class Value>
std::string wrong_value(const Value& value) {
  return value.is_string() ? "" : "a completion's value is no text";
}

}  // namespace gantry::contract
