// sdk/contract/question_forms.hpp: the forms of input requests (gantry.input/1) and of their
// answers.
//
// Each wrong_…() returns what is wrong, or an empty text. They read JSON through `Value`, as those
// of answer_forms.hpp, which here also has is_object(), is_array(), as_integer() (optional) and
// elements(), a range of values. Schemas are the caller's to compile. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sdk/contract/answer_forms.hpp"

namespace gantry::contract {

enum class QuestionKind : std::uint8_t { form, url, sample, sample_with_tools, roots };

template <class Value>
std::string wrong_elicitation(const Value& params, QuestionKind& kind) {
  if (!has_text(params, "message")) return "params.message must be a string";
  const std::string mode = params.find("mode") ? text_of(params, "mode") : "form";
  if (mode == "url") {
    kind = QuestionKind::url;
    return has_text(params, "url") ? "" : "params.url must be a string";
  }
  if (mode != "form") return "params.mode must be \"form\" or \"url\"";
  kind = QuestionKind::form;
  const std::optional<Value> schema = params.find("requestedSchema");
  return schema && schema->is_object() ? "" : "params.requestedSchema must be an object";
}

template <class Value>
std::string wrong_sampling(const Value& params, QuestionKind& kind) {
  const std::optional<Value> messages = params.find("messages");
  if (!messages || !messages->is_array()) return "params.messages must be an array";
  const std::optional<Value> tokens = params.find("maxTokens");
  if (!tokens || tokens->as_integer().value_or(0) < 1) {
    return "params.maxTokens must be a whole number from 1 on";
  }
  const bool has_tools = params.find("tools") || params.find("toolChoice");
  kind = has_tools ? QuestionKind::sample_with_tools : QuestionKind::sample;
  return {};
}

// The params of a question; sets its kind.
template <class Value>
std::string wrong_question(std::string_view method, const Value& params, QuestionKind& kind) {
  if (!params.is_object()) return "params must be one JSON object";
  if (method == "elicitation/create") return wrong_elicitation(params, kind);
  if (method == "sampling/createMessage") return wrong_sampling(params, kind);
  kind = QuestionKind::roots;
  if (method == "roots/list") return {};
  return "the method must be \"elicitation/create\", \"sampling/createMessage\" or \"roots/list\"";
}

// Whether the answer of a form was accepted: its content, {} when absent, must fit the schema.
template <class Value>
bool is_accepted(const Value& answer) {
  return text_of(answer, "action") == "accept";
}

template <class Value>
std::string wrong_elicited(const Value& answer) {
  const std::string action = text_of(answer, "action");
  const bool is_known = action == "accept" || action == "decline" || action == "cancel";
  return is_known ? "" : "\"action\" is not 'accept', 'decline' or 'cancel'";
}

template <class Value>
std::string wrong_sampled(const Value& answer) {
  const std::string role = text_of(answer, "role");
  if (role != "assistant" && role != "user") return "\"role\" is not 'assistant' or 'user'";
  const std::optional<Value> model = answer.find("model");
  if (model && !model->is_string()) return "\"model\" is no text";
  const std::optional<Value> content = answer.find("content");
  const std::string wrong = "\"content\" is no content block with a \"type\", or an array of them";
  if (!content) return wrong;
  if (!content->is_array()) return has_text(*content, "type") ? "" : wrong;
  for (const Value& block : content->elements()) {
    if (!has_text(block, "type")) return wrong;
  }
  return {};
}

template <class Value>
std::string wrong_roots(const Value& answer) {
  const std::string wrong = "\"roots\" is no array of objects with a \"uri\"";
  const std::optional<Value> roots = answer.find("roots");
  if (!roots || !roots->is_array()) return wrong;
  for (const Value& root : roots->elements()) {
    if (!has_text(root, "uri")) return wrong;
  }
  return {};
}

// The answer to a question of this kind.
template <class Value>
std::string wrong_answer(QuestionKind kind, const Value& answer) {
  if (!answer.is_object()) return "it is no JSON object";
  switch (kind) {
    case QuestionKind::form:
    case QuestionKind::url:
      return wrong_elicited(answer);
    case QuestionKind::sample:
    case QuestionKind::sample_with_tools:
      return wrong_sampled(answer);
    case QuestionKind::roots:
      break;
  }
  return wrong_roots(answer);
}

}  // namespace gantry::contract
