// /exports/ID: downloads, for whoever may use /mcp.
#include <algorithm>

#include "host/http/endpoint/incoming.hpp"
#include "host/http/endpoint/outflow.hpp"

namespace gantry::host::http {
namespace {

constexpr std::string_view kExports = "/exports/";

// What can stand in an export:// URI and in a header as it is.
bool is_id(std::string_view text) {
  return !text.empty() && text.size() <= 128 && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '-' ||
           c == '_';
  });
}

Wanted wanted_of(const Request& request, std::string_view id) {
  Wanted wanted;
  wanted.tag = "\"" + std::string(id) + "\"";
  const auto condition = request.header("if-range");
  const bool heeds = request.method() == "GET" && (!condition || *condition == wanted.tag);
  if (heeds) wanted.range = request.header("range").value_or("");
  return wanted;
}

}  // namespace

void Endpoint::exports(const Request& request, std::shared_ptr<Exchange> exchange, Cause refused) {
  Reply reply = reply_to(request, std::move(exchange));
  const std::string_view method = request.method();
  const bool preflights = method == "OPTIONS" && request.header("origin");
  if (!preflights && method != "GET" && method != "HEAD") {
    reply.set_extra("Allow", "GET, HEAD");
    return refuse(reply, transport_error(405, "Method not allowed"));
  }
  if (auto no = preflights ? guard_.check_page(request) : guard_.check(request)) {
    return refuse(reply, transport_error(no->status, std::move(no->message)));
  }
  if (preflights) return preflight(request, reply);
  if (is_refused(request, reply, refused)) return;
  if (const auto name = contradicted(request)) {
    return refuse(reply, rpc::Error::header_mismatch("The header " + std::string(*name) +
                                                     " stands twice with different values"));
  }
  if (is_slowed_down(request, reply)) return;
  const Principal* principal = authenticate(request, reply);
  if (principal == nullptr) return;
  const std::string_view id = request.path().substr(kExports.size());
  if (!is_id(id)) return Outflow::refuse_missing(reply);
  auto place = streams_.enter();
  if (!place) {
    reply.set_extra("Retry-After", "1");
    return refuse(reply, rpc::Error::busy());
  }
  std::make_shared<Outflow>(std::move(reply),
                            dispatcher_.download(*principal, id, party_of(request, *principal)),
                            std::move(place), wanted_of(request, id))
      ->begin();
}

}  // namespace gantry::host::http
