// core/envelope.hpp: what the query tools write around the data engine's answer.
#pragma once

#include <gantry/data.hpp>

#include <string>
#include <string_view>

namespace query {

// Answers `call` with {class_name, ROWS_NAME: rows, …meta}, rows passed through unread; without a
// rows_name there are none. Arguments go to the operation as they came. Fails the call as the
// operation failed.
void answer(const gantry::Data& data, gantry::Call& call, std::string_view op,
            std::string_view rows_name);

// Writes `"class_name":"…"` of the arguments.
std::string class_name_member(const gantry::Call& call);

// The members of a JSON object text, each with a comma before it; "" for "{}".
std::string more_members(std::string_view object);

}  // namespace query
