#include "tools/gantry/mcp/client.hpp"

#include <rapidjson/document.h>

#include <gantry/abi/version.h>

#include "tools/gantry/host/exchange.hpp"
#include "tools/gantry/mcp/events.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli {
namespace {

constexpr const char* kRevision = "2026-07-28";
constexpr int kMaxPages = 1000;

// The request with the members that every request of this revision carries.
std::string mcp_request(const std::string& method, const std::string& params,
                        const std::string& capabilities) {
  auto given = parsed(params);
  auto& pool = given.GetAllocator();
  const auto meta = parsed(std::string(R"({"io.modelcontextprotocol/protocolVersion":")") +
                           kRevision + R"(","io.modelcontextprotocol/clientCapabilities":)" +
                           capabilities + R"(,"io.modelcontextprotocol/clientInfo":)" +
                           object({{"name", "gantry"}, {"version", GANTRY_SDK_VERSION}}) +
                           R"(,"progressToken":1})");
  given.AddMember("_meta", rapidjson::Value(meta, pool), pool);
  return rpc_request(method, compact(given));
}

std::vector<std::string> mcp_headers(const std::string& method, const std::string& name,
                                     const std::string& key) {
  std::vector<std::string> out{
      "Content-Type: application/json", "Accept: application/json, text/event-stream",
      std::string("MCP-Protocol-Version: ") + kRevision, "Mcp-Method: " + method};
  if (!name.empty()) out.push_back("Mcp-Name: " + printable(name));
  if (!key.empty()) out.push_back("Authorization: Bearer " + key);
  return out;
}

std::string page_of(const std::string& cursor) {
  return cursor.empty() ? "{}" : object({{"cursor", cursor}});
}

}  // namespace

Result<Client> Client::create(const std::string& url, const std::string& key, const Stop& stop) {
  auto base = checked_base(url, key);
  if (!base) return base.status();
  return Client(*base + "/mcp", key, stop);
}

Status Client::refused(long status) const {
  if (status == 401) {
    return {
        GANTRY_NOT_FOUND,
        "the server at " + url_ +
            (key_.empty()
                 ? " needs a key: give it in GANTRY_API_KEY, or with --url URL --key KEY"
                 : " does not know this key: it is of another server, expired or revoked; gantry "
                   "key list shows the keys of a state directory")};
  }
  return {GANTRY_NOT_FOUND,
          url_ + " answered " + std::to_string(status) + " and is no MCP server of " + kRevision};
}

Result<std::string> Client::ask(const std::string& method, const std::string& params,
                                const std::string& name, const OnProgress& on_progress) const {
  Events events([&](const rapidjson::Value& message) {
    if (on_progress && text_at(message, "method") == "notifications/progress" &&
        message.HasMember("params")) {
      on_progress(message["params"]);
    }
  });
  const HttpRequest request{.url = url_,
                            .headers = mcp_headers(method, name, key_),
                            .body = mcp_request(method, params, capabilities_),
                            .seconds = 0,
                            .stop = stop_};
  const auto answer = exchange(request, [&](std::string_view body) { events.read(body); });
  if (!answer) {
    if (answer.status().code() != GANTRY_NOT_FOUND) return answer.status();
    return Status(GANTRY_NOT_FOUND, "no server can be asked at " + url_ + ": " + answer.message());
  }
  const bool streamed = header(answer->headers, "content-type").starts_with("text/event-stream");
  std::string message = streamed ? events.answer() : answer->body;
  const auto document = parsed(message);
  if (answer->status == 401 || !document.IsObject() || !document.HasMember("jsonrpc")) {
    return refused(answer->status);
  }
  return message;
}

Result<rapidjson::Document> Client::tools() const {
  rapidjson::Document out = parsed(R"({"tools":[]})");
  std::string cursor;
  for (int page = 0; page < kMaxPages; ++page) {
    const auto answer = ask("tools/list", page_of(cursor));
    if (!answer) return answer.status();
    const auto result = result_of(*answer);
    if (!result) return result.status();
    const auto listed = parsed(*result);
    for (const auto& tool : items(member(listed, "tools"))) {
      out["tools"].PushBack(rapidjson::Value(tool, out.GetAllocator()), out.GetAllocator());
    }
    cursor = text_at(listed, "nextCursor");
    if (cursor.empty()) break;
  }
  return out;
}

}  // namespace gantry::cli
