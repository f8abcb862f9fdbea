// host/calls/question.hpp: one input request to a client's user or model, and the check of its
// answer.
//
// Values and pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <gantry/result.hpp>
#include <gantry/schema/validator.hpp>

#include "host/calls/abilities.hpp"
#include "sdk/contract/question_forms.hpp"

namespace gantry::host {

struct Question {
  std::string method;
  std::string params;  // JSON object, compact
  contract::QuestionKind kind = contract::QuestionKind::form;
  Ability needs = Ability::form;
  std::optional<schema::Validator> form;  // the schema of accepted content
};

// `params` empty = {}. GANTRY_INVALID_ARGUMENT, with a sentence for the plugin's author: an unknown
// method, params that are not an object of that method's form, or a requestedSchema that is not a
// schema.
Result<Question> read_question(std::string_view method, std::string_view params);

// True if `json` answers the question: it has the method's form and, if a form was accepted, its
// content fits the requested schema.
bool is_answer(const Question& question, std::string_view json);

}  // namespace gantry::host
