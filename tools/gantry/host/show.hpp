// tools/gantry/host/show.hpp: shows what a host answers.
//
// Main thread.
#pragma once

#include <functional>
#include <string>

#include <rapidjson/fwd.h>

#include "tools/gantry/host/host.hpp"

namespace gantry::cli {

struct HostQuestion {
  const char* method;
  std::string params;  // a JSON object
  bool json;           // the answer is shown as JSON
};

// Asks the host and shows the answer, else `text` of it, page by page. Returns the exit code.
int show_answer(const HostChoice& choice, const HostQuestion& question,
                const std::function<std::string(const rapidjson::Value&)>& text);

}  // namespace gantry::cli
