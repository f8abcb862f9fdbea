// The form of what prompts, resources, lists and completions answer.
#pragma once

#include <string>
#include <string_view>

#include <gantry/testing/reply.hpp>

namespace gantry::testing::detail {

// The "uri" among the arguments of a resource; empty when there is none.
std::string uri_of(std::string_view arguments);

// Fills messages, contents, listed or values of a reply from what was written; returns what is
// wrong with it, or nothing. `uri` and `mime_type` stand in for those a content does not have.
std::string take_form(std::string_view kind, const std::string& uri, const std::string& mime_type,
                      Reply& reply);

}  // namespace gantry::testing::detail
