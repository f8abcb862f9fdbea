// sdk/contract/nested_answer.hpp: a plugin's call of another item (gantry.invoke/1), and the answer
// in parts.
//
// Pure functions; any thread. They run the code of the plugin that takes the parts.
#pragma once

#include <string>
#include <string_view>

#include <gantry/abi/invoke.h>

namespace gantry::contract {

// True if it has all members of version 1. A newer plugin's structure may be longer.
inline bool is_complete(const gantry_invocation* what) {
  return what != nullptr && GANTRY_HAS(what, gantry_invocation, narrowing);
}
// The refusal of one that is_complete() does not accept.
inline constexpr std::string_view kSizeNotSet = "gantry_invocation.size is not set";

// Nothing for an answer that takes no parts.
void give_part(gantry_answer answer, std::string_view type, std::string_view body);

// The body of the part "error". `details`: a JSON object, or empty.
std::string error_json(std::string_view code, std::string_view message,
                       std::string_view details = {});

// Gives the part "error" and returns `status`.
gantry_status give_error(gantry_answer answer, gantry_status status, std::string_view code,
                         std::string_view message, std::string_view details = {});

}  // namespace gantry::contract
