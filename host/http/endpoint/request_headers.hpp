// host/http/endpoint/request_headers.hpp: the headers of an HTTP request, for the protocol's core.
#pragma once

#include <optional>
#include <string_view>

#include "host/http/message.hpp"
#include "host/rpc/message/headers.hpp"

namespace gantry::host::http {

// Borrows the request. Any thread.
struct RequestHeaders final : rpc::Headers {
  explicit RequestHeaders(const Request& r) : request(r) {}
  std::optional<std::string_view> get(std::string_view name) const override {
    return request.header(name);
  }
  const Request& request;
};

}  // namespace gantry::host::http
