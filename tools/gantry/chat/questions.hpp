// tools/gantry/chat/questions.hpp: what a tool asks the user before it goes on.
//
// Main thread.
#pragma once

#include <string>

#include <rapidjson/fwd.h>

#include "tools/gantry/chat/person.hpp"

namespace gantry::cli::chat {

// Whether a result of tools/call waits for answers.
bool is_waiting(const rapidjson::Value& result);

// `text` is the JSON object of inputResponses: {"KEY":{"action":…,"content":{…}}}. Questions that a
// chat cannot answer are declined. stopped: the user pressed Ctrl-C; all that is open is cancelled.
struct Answers {
  std::string text;
  bool stopped = false;
};
Answers answers_to(const rapidjson::Value& result, Person& person);

// The params of the same call again, with the answers and the state of `result`.
std::string with_answers(const std::string& params, const rapidjson::Value& result,
                         const std::string& answers);

}  // namespace gantry::cli::chat
