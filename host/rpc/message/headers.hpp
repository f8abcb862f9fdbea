// host/rpc/message/headers.hpp: the HTTP headers that the protocol reads, and the coding of their
// values.
//
// Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gantry::host::rpc {

class Headers {
 public:
  virtual ~Headers() = default;
  // The first field of this lower-case name, without blanks around it; nothing when absent. The
  // view lives as long as the request.
  virtual std::optional<std::string_view> get(std::string_view name) const = 0;
};

// Decodes a header of the modern era: plain text, or `=?base64?…?=`. Nothing if the Base64 is not
// strict, its content is not UTF-8, or plain text has characters that must be encoded.
std::optional<std::string> header_text(std::string_view value);

}  // namespace gantry::host::rpc
