#include "tools/gantry/mcp/shown_request.hpp"

#include <rapidjson/document.h>

#include "tools/gantry/mcp/progress_line.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli {

Result<rapidjson::Document> ask_shown(const Client& client, const std::string& method,
                                      const std::string& params, const std::string& name,
                                      std::optional<Refusal>& refusal) {
  ProgressLine line;
  const auto answer =
      client.ask(method, params, name, [&line](const rapidjson::Value& told) { line.show(told); });
  line.clear();
  if (!answer) return answer.status();
  const auto document = parsed(*answer);
  if (Refusal found; is_refused(document, found)) {
    refusal = found;
    return Status::failed(found.message);
  }
  rapidjson::Document result;
  result.CopyFrom(document["result"], result.GetAllocator());
  return result;
}

}  // namespace gantry::cli
