// /metrics: what the host counts, for whoever may use /mcp.
#include "host/http/endpoint/incoming.hpp"

namespace gantry::host::http {

void Endpoint::metrics(const Request& request, std::shared_ptr<Exchange> exchange, Cause refused) {
  Reply reply = reply_to(request, std::move(exchange));
  if (request.method() != "GET" && request.method() != "HEAD") {
    reply.set_extra("Allow", "GET, HEAD");
    return refuse(reply, transport_error(405, "Method not allowed"));
  }
  if (auto no = guard_.check(request)) {
    return refuse(reply, transport_error(no->status, std::move(no->message)));
  }
  if (is_refused(request, reply, refused) || is_slowed_down(request, reply) ||
      authenticate(request, reply) == nullptr)
    return;
  reply.text("text/plain; version=0.0.4; charset=utf-8", metrics_.text());
}

}  // namespace gantry::host::http
