#include "host/calls/question.hpp"

#include <algorithm>

#include <rapidjson/document.h>

#include "host/base/exact_json.hpp"
#include "host/base/json.hpp"
#include "host/calls/members.hpp"

namespace gantry::host {
namespace {

using Value = rapidjson::Value;

std::string_view text_of(const Value& object, const char* name) {
  const Value* const value = member(object, name);
  if (value == nullptr || !value->IsString()) return {};
  return {value->GetString(), value->GetStringLength()};
}

Status read_elicitation(const Value& params, Question& question) {
  if (!has_string(params, "message")) return Status::invalid("params.message must be a string");
  const bool has_mode = member(params, "mode") != nullptr;
  const std::string_view mode = has_mode ? text_of(params, "mode") : "form";
  if (mode == "url") {
    question.needs = Ability::url;
    return has_string(params, "url") ? Status::ok()
                                     : Status::invalid("params.url must be a string");
  }
  if (mode != "form") return Status::invalid("params.mode must be \"form\" or \"url\"");
  question.needs = Ability::form;
  const Value* const wanted = member(params, "requestedSchema");
  if (wanted == nullptr || !wanted->IsObject()) {
    return Status::invalid("params.requestedSchema must be an object");
  }
  Result<schema::Validator> compiled = schema::Validator::compile(*wanted);
  if (!compiled) return Status::invalid("params.requestedSchema: " + compiled.message());
  question.form = std::move(compiled).value();
  return Status::ok();
}

Status read_sampling(const Value& params, Question& question) {
  const Value* const messages = member(params, "messages");
  if (messages == nullptr || !messages->IsArray()) {
    return Status::invalid("params.messages must be an array");
  }
  const Value* const tokens = member(params, "maxTokens");
  if (tokens == nullptr || !tokens->IsInt64() || tokens->GetInt64() < 1) {
    return Status::invalid("params.maxTokens must be a whole number from 1 on");
  }
  const bool tools = member(params, "tools") != nullptr || member(params, "toolChoice") != nullptr;
  question.needs = tools ? Ability::sample_with_tools : Ability::sample;
  return Status::ok();
}

bool answers_elicitation(const Question& question, const Value& answer) {
  const std::string_view action = text_of(answer, "action");
  if (action == "decline" || action == "cancel") return true;
  if (action != "accept") return false;
  if (!question.form) return true;
  // A form whose members are all optional may come back without content.
  static const Value kNothing(rapidjson::kObjectType);
  const Value* const content = member(answer, "content");
  const Value& given = content != nullptr ? *content : kNothing;
  return given.IsObject() && question.form->validate(given);
}

bool is_content(const Value& value) { return value.IsObject() && has_string(value, "type"); }

bool answers_sampling(const Value& answer) {
  const std::string_view role = text_of(answer, "role");
  if (role != "assistant" && role != "user") return false;
  const Value* const model = member(answer, "model");
  if (model != nullptr && !model->IsString()) return false;
  const Value* const content = member(answer, "content");
  if (content == nullptr) return false;
  if (!content->IsArray()) return is_content(*content);
  return std::all_of(content->Begin(), content->End(), is_content);
}

bool answers_roots(const Value& answer) {
  const Value* const roots = member(answer, "roots");
  if (roots == nullptr || !roots->IsArray()) return false;
  return std::all_of(roots->Begin(), roots->End(),
                     [](const Value& root) { return root.IsObject() && has_string(root, "uri"); });
}

}  // namespace

Result<Question> read_question(std::string_view method, std::string_view params) {
  if (params.empty()) params = "{}";
  rapidjson::Document document;
  if (!parse_exact<rapidjson::kParseValidateEncodingFlag>(params, document) ||
      !document.IsObject()) {
    return Status::invalid("params must be one JSON object");
  }
  Question question;
  question.method = method;
  append_compact(question.params, params);
  Status status = Status::ok();
  if (method == "elicitation/create") {
    status = read_elicitation(document, question);
  } else if (method == "sampling/createMessage") {
    status = read_sampling(document, question);
  } else if (method == "roots/list") {
    question.needs = Ability::roots;
  } else {
    status = Status::invalid(
        "the method must be \"elicitation/create\", \"sampling/createMessage\" or \"roots/list\"");
  }
  if (!status) return status;
  return question;
}

bool is_answer(const Question& question, std::string_view json) {
  rapidjson::Document answer;
  if (!parse_exact<rapidjson::kParseValidateEncodingFlag>(json, answer) || !answer.IsObject())
    return false;
  switch (question.needs) {
    case Ability::form:
    case Ability::url:
      return answers_elicitation(question, answer);
    case Ability::sample:
    case Ability::sample_with_tools:
      return answers_sampling(answer);
    case Ability::roots:
      return answers_roots(answer);
    case Ability::tasks:
      break;
  }
  return false;
}

}  // namespace gantry::host
