// host/approvals/question.hpp: an approval as a question to the client's user.
//
// Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "host/approvals/approval.hpp"

namespace gantry::host {

// The key of the question among the input requests of a call.
inline constexpr std::string_view kApprovalKey = "gantry-approval";

// The most bytes of arguments and preview that a person is shown. A larger call cannot be approved:
// a part that is not shown must not run.
inline constexpr std::size_t kMaxShown = 32u << 10;

// JSON text as people may safely see it: characters that change how the text around them looks,
// such as controls and marks of direction, as escapes. They stand inside strings only.
std::string visible_json(std::string_view json);

// {"gantry-approval":{"method":"elicitation/create","params":{…}}}
std::string approval_requests(const ApprovalAsk& ask);

// The answer under kApprovalKey in `answers`, a JSON object: true for accept; nothing: there is
// none, or it has no form of an answer.
std::optional<bool> approval_answer(std::string_view answers);

// `answers` without kApprovalKey.
std::string without_approval_answer(std::string_view answers);

}  // namespace gantry::host
