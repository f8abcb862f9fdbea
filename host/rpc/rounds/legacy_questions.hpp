// host/rpc/rounds/legacy_questions.hpp: turns a handler's input requests into requests to a legacy
// client, and its responses into answers.
//
// Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gantry::host::rpc {

struct Question {
  std::string key, method;
  std::string params;  // JSON object
  std::string answer;  // JSON object; empty: no answer yet
};

// The questions of {key: {"method":…,"params":…}}, with the params that `revision` knows.
std::vector<Question> questions_of(std::string_view requests, std::string_view revision);

// The request as a whole message.
std::string request_message(std::string_view id, const Question& question);

// {key: answer} of the answered questions.
std::string answers_of(const std::vector<Question>& questions);

}  // namespace gantry::host::rpc
