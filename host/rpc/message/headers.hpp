// host/rpc/message/headers.hpp: the transport's headers as the protocol sees them, and how values
// travel in them.
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

// What a header of the modern era means: the text itself, or what `=?base64?…?=` holds. Nothing
// when the Base64 is not strict, what it holds is no UTF-8, or the text has characters that must
// be wrapped so.
std::optional<std::string> header_text(std::string_view value);

}  // namespace gantry::host::rpc
