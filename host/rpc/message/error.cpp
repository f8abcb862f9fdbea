#include "host/rpc/message/error.hpp"

#include "host/base/json.hpp"
#include "host/base/text.hpp"
#include "host/rpc/message/envelope.hpp"
#include "host/rpc/message/era.hpp"

namespace gantry::host::rpc {

namespace {

// Bytes of a name that a message quotes: a client's name can be as long as its request.
constexpr std::size_t kMaxName = 1u << 10;

}  // namespace

Error Error::method_not_found(std::string_view method, bool modern) {
  return {kMethodNotFound, "Method not found: " + std::string(method), modern ? 404 : 200, {}};
}

Error Error::unsupported_version(std::string_view requested) {
  std::string data = "{\"supported\":[" + json_string(kModernRevision) + "],\"requested\":";
  append_json_string(data, shortened(requested, kMaxName));
  data += '}';
  return {kUnsupportedVersion,
          "Unsupported protocol version '" + std::string(requested) +
              "'; supported: " + std::string(kModernRevision),
          400, std::move(data)};
}

std::string Error::to_message(std::string_view id) const {
  std::string out = response_head(id, "error");
  out += "{\"code\":" + std::to_string(code) + ",\"message\":";
  append_json_string(out, shortened(message, kMaxMessage));
  if (!data.empty()) out += ",\"data\":" + data;
  out += "}}";
  return out;
}

}  // namespace gantry::host::rpc
