#include "host/calls/question.hpp"

#include <rapidjson/document.h>

#include "host/base/exact_json.hpp"
#include "host/base/json.hpp"
#include "host/calls/members.hpp"

namespace gantry::host {
namespace {

using contract::QuestionKind;

Ability needed_for(QuestionKind kind) {
  switch (kind) {
    case QuestionKind::form:
      return Ability::form;
    case QuestionKind::url:
      return Ability::url;
    case QuestionKind::sample:
      return Ability::sample;
    case QuestionKind::sample_with_tools:
      return Ability::sample_with_tools;
    case QuestionKind::roots:
      break;
  }
  return Ability::roots;
}

// A form whose members are all optional may come back without content.
bool fits_form(const schema::Validator& form, const rapidjson::Value& answer) {
  static const rapidjson::Value kNothing(rapidjson::kObjectType);
  const rapidjson::Value* const content = member(answer, "content");
  const rapidjson::Value& given = content != nullptr ? *content : kNothing;
  return given.IsObject() && form.validate(given);
}

}  // namespace

Result<Question> read_question(std::string_view method, std::string_view params) {
  if (params.empty()) params = "{}";
  rapidjson::Document document;
  if (!parse_exact<rapidjson::kParseValidateEncodingFlag>(params, document)) {
    return Status::invalid("params must be one JSON object");
  }
  Question question;
  question.method = method;
  append_compact(question.params, params);
  const std::string wrong = contract::wrong_question(method, JsonView(document), question.kind);
  if (!wrong.empty()) return Status::invalid(wrong);
  question.needs = needed_for(question.kind);
  if (question.kind != QuestionKind::form) return question;
  auto compiled = schema::Validator::compile(*member(document, "requestedSchema"));
  if (!compiled) return Status::invalid("params.requestedSchema: " + compiled.message());
  question.form = std::move(compiled).value();
  return question;
}

bool is_answer(const Question& question, std::string_view json) {
  rapidjson::Document answer;
  if (!parse_exact<rapidjson::kParseValidateEncodingFlag>(json, answer)) return false;
  const JsonView view(answer);
  if (!contract::wrong_answer(question.kind, view).empty()) return false;
  return !question.form || !contract::is_accepted(view) || fits_form(*question.form, answer);
}

}  // namespace gantry::host
