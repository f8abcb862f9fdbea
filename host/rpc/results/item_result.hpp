// host/rpc/results/item_result.hpp: the response message for a finished prompt, resource or
// completion. (tool_result.hpp makes those of tools.)
//
// Pure functions; any thread.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "host/calls/calls.hpp"
#include "host/rpc/message/context.hpp"
#include "host/rpc/message/error.hpp"

namespace gantry::host::rpc {

// The item that was requested.
struct Asked {
  enum class What { prompt, resource, completion };
  What what = What::prompt;
  std::string name;  // as the client wrote it: name, URI or URI template
  // Set for resources only.
  std::string mime_type;
  std::chrono::milliseconds ttl{0};  // for which the client may cache the answer
  bool is_public = false;            // the answer is the same for all callers
};

// The message, and an error text for the log that the client must not see; empty if the plugin made
// no error.
struct ItemResult {
  Answer answer;
  std::string log_text;
};
// `id` is JSON text; `modern_meta` the `,"_meta":{…}` of modern results.
ItemResult item_result(ItemAnswer&& answer, const Asked& asked, std::string_view id,
                       std::string_view revision, std::string_view modern_meta);

// The error for an item that does not exist or that the client may not see.
Error not_there(const Asked& asked, std::string_view revision);

}  // namespace gantry::host::rpc
