#include "host/http/endpoint/exports.hpp"

#include <algorithm>

#include "host/base/text.hpp"
#include "host/http/endpoint/conditions.hpp"
#include "host/http/endpoint/outflow.hpp"

namespace gantry::host::http {
namespace {

constexpr std::string_view kExports = "/exports/";

// Characters that need no escaping in an export:// URI and in a header.
bool is_id(std::string_view text) {
  return !text.empty() && text.size() <= 128 && std::all_of(text.begin(), text.end(), [](char c) {
    return is_digit(c) || is_letter(c) || c == '-' || c == '_';
  });
}

RangeRequest range_request(const Request& request, std::string_view id) {
  RangeRequest wanted;
  wanted.tag = "\"" + std::string(id) + "\"";
  wanted.status = status_by_conditions(request, wanted.tag);
  const auto condition = request.header("if-range");
  const bool heeds = request.method() == "GET" && (!condition || *condition == wanted.tag);
  if (heeds) wanted.range = request.header("range").value_or("");
  return wanted;
}

}  // namespace

void serve_export(RoutedRequest& in, rpc::Dispatcher& dispatcher, Gate& streams) {
  const std::string_view id = in.request.path().substr(kExports.size());
  if (!is_id(id)) return Outflow::refuse_missing(in.reply);
  auto place = streams.enter();
  if (!place) {
    in.reply.add_header("Retry-After", "1");
    return refuse(in.reply, rpc::Error::busy());
  }
  auto download = dispatcher.download(*in.principal, id, party_of(in.request, *in.principal));
  std::make_shared<Outflow>(std::move(in.reply), std::move(download), std::move(place),
                            range_request(in.request, id))
      ->begin();
}

}  // namespace gantry::host::http
