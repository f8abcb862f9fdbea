// The form of questions to a client and of its answers.
#pragma once

#include <string>
#include <string_view>

#include <gantry/testing/fake_host.hpp>

namespace gantry::testing::detail {

// What is wrong with a question, or nothing.
std::string question_problem(std::string_view key, std::string_view method,
                             std::string_view params);
// What the client lacks for it: "elicitation", "sampling", "roots", or nothing.
std::string lacking(const ClientCan& client, std::string_view method, std::string_view params);
// What is wrong with the answer to it, or nothing.
std::string answer_problem(const Asked& asked, std::string_view answer);

}  // namespace gantry::testing::detail
