// core/forms.hpp: the parameters of the requests the fixtures make, and what is in the answers.
#pragma once

#include <string>
#include <string_view>

#include <gantry/json.hpp>

namespace conformance {

// Parameters of elicitation/create; `schema` is JSON.
std::string form(std::string_view message, std::string_view schema);
// A form with one required member; `type` as JSON Schema names it.
std::string form_of_one(std::string_view message, std::string_view member, std::string_view type);

// Parameters of sampling/createMessage: one message of the user.
std::string prompt(std::string_view text, int max_tokens);

// A member of an accepted form as text: strings as they are, else their JSON; empty = not there.
std::string accepted(const gantry::Json& answer, std::string_view member);

// The text a model answered with.
std::string sampled(const gantry::Json& answer);

// "action=accept, content={…}".
std::string outcome(const gantry::Json& answer);

// The names of the roots, or their URIs, with commas between.
std::string roots(const gantry::Json& answer);

// The content block {"type":"text","text":…}.
std::string text_block(std::string_view text);

}  // namespace conformance
