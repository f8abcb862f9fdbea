// tools/gantry/chat/session_text.hpp: answers and conversations as text.
//
// Pure functions; any thread.
#pragma once

#include <string>
#include <vector>

#include "tools/gantry/chat/loop.hpp"

namespace gantry::cli::chat {

// {answer, tool_calls, usage, cost_usd, rounds, model} on one line.
std::string answer_json(const Played& played);

// The word for programs: cancelled, refused or failed.
std::string error_code(const Status& status);

// A paragraph for each message.
std::string history_text(const std::vector<Message>& messages);

}  // namespace gantry::cli::chat
