#include "tools/gantry/mcp/events.hpp"

#include <rapidjson/document.h>

#include "tools/gantry/text/json.hpp"

namespace gantry::cli {

void Events::take(std::string_view data) {
  const auto message = parsed(data);
  if (!message.IsObject()) return;
  if (message.HasMember("method")) return on_notification_(message);
  answer_ = data;
}

}  // namespace gantry::cli
