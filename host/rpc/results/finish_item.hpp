// host/rpc/results/finish_item.hpp: from what a prompt, resource or completion answered to the
// message its caller gets. (finish.hpp does it for tools.)
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

// What was asked for, and of whom.
struct Asked {
  enum class What { prompt, resource, completion };
  What what = What::prompt;
  std::string name;  // as the client wrote it: name, URI or URI template
  // Of a resource.
  std::string mime_type;
  std::chrono::milliseconds ttl{0};
  bool is_public = false;
};

// The message, and what is to be logged because it is not the client's business; else empty.
struct Finished {
  Answer answer;
  std::string story;
};
Finished finish_item(ItemAnswer&& answer, const Asked& asked, std::string_view id,
                     std::string_view revision, std::string_view modern_meta);

// What a client hears of an item that is not there or that it may not see.
Error not_there(const Asked& asked, std::string_view revision);

}  // namespace gantry::host::rpc
