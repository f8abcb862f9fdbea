// host/rpc/message/error.hpp: JSON-RPC errors and their HTTP statuses.
//
// The one table of codes and statuses. Values; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gantry::host::rpc {

// Bytes of a message, which may quote a name from the client.
inline constexpr std::size_t kMaxMessage = 2u << 10;

enum Code : int {
  kParseError = -32700,
  kInvalidRequest = -32600,
  kMethodNotFound = -32601,
  kInvalidParams = -32602,
  kInternalError = -32603,
  kServerError = -32000,  // where no other code fits: sessions, methods, media types, load
  kSessionOrCredential = -32001,
  kResourceNotFound = -32002,  // legacy
  kHeaderMismatch = -32020,
  kMissingCapability = -32021,
  kUnsupportedVersion = -32022,
};

// One error. `message` is for the client and its user, so it names no internal detail.
struct Error {
  int code = kInternalError;
  std::string message;
  int status = 200;  // of the HTTP answer, if that has not begun
  std::string data;  // JSON text or empty

  static Error parse(std::string why) { return {kParseError, "Parse error: " + why, 400, {}}; }
  static Error invalid_request(std::string why) {
    return {kInvalidRequest, std::move(why), 400, {}};
  }
  // The id of a request of the same session that has no answer yet.
  static Error id_in_use() { return invalid_request("A request with this id is still unanswered"); }
  // Also of a task that another owner has: it does not reveal that there is one.
  static Error unknown_task() {
    return invalid_params("There is no task of this id, or not any more");
  }
  static Error header_mismatch(std::string why) {
    return {kHeaderMismatch, std::move(why), 400, {}};
  }
  // For a malformed envelope; the protocol prescribes the status.
  static Error envelope(std::string why) { return {kInvalidParams, std::move(why), 400, {}}; }
  static Error invalid_params(std::string why) { return {kInvalidParams, std::move(why), 200, {}}; }
  static Error internal() { return {kInternalError, "Internal error", 200, {}}; }
  static Error busy() { return {kServerError, "server busy", 503, {}}; }
  static Error stopping() {
    return {kServerError, "This server is shutting down and takes nothing new", 503, {}};
  }
  // HTTP 404 in the modern era, else 200.
  static Error method_not_found(std::string_view method, bool modern);
  // `required`: the capabilities that the client must declare, as a ClientCapabilities object.
  static Error missing_capability(std::string why, std::string required) {
    return {kMissingCapability, std::move(why), 400, "{\"requiredCapabilities\":" + required + "}"};
  }
  // `requested` is a version that this server does not speak in that era.
  static Error unsupported_version(std::string_view requested);

  // The whole message: {"jsonrpc":"2.0","id":ID,"error":{…}}; `id` is JSON text. A sentence of more
  // than 2 KiB loses its middle.
  std::string to_message(std::string_view id) const;
};

}  // namespace gantry::host::rpc
