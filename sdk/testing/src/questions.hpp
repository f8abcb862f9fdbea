// Checks the form of questions to a client and of their answers.
#pragma once

#include <string>
#include <string_view>

#include <gantry/testing/fake_host.hpp>

namespace gantry::testing::detail {

// The error in a question, or empty.
std::string question_problem(std::string_view key, std::string_view method,
                             std::string_view params);
// The client's missing capability: "elicitation", "sampling", "roots", or empty.
std::string lacking(const ClientCan& client, std::string_view method, std::string_view params);
// The error in the answer, or empty.
std::string answer_problem(const Asked& asked, std::string_view answer);

}  // namespace gantry::testing::detail
