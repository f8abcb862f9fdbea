#include "host/http/endpoint/reply.hpp"

#include <array>

#include "host/base/json.hpp"

namespace gantry::host::http {

template <class Send>
bool Reply::with_headers(Send&& send, Headers own) const {
  std::array<Header, 7 + kMostOwn + kMostMore> headers;
  std::size_t count = 0;
  for (const Header& header : own) headers[count++] = header;
  if (!origin_.empty()) {
    headers[count++] = {"Access-Control-Allow-Origin", origin_};
    headers[count++] = {"Access-Control-Expose-Headers",
                        "Mcp-Session-Id, WWW-Authenticate, Retry-After, Content-Disposition, "
                        "Content-Range, ETag"};
    headers[count++] = {"Vary", "Origin"};
  }
  if (!preflight_.empty()) {
    headers[count++] = {"Access-Control-Allow-Methods", "GET, POST, DELETE"};
    headers[count++] = {"Access-Control-Allow-Headers", preflight_};
    headers[count++] = {"Access-Control-Max-Age", "600"};
  }
  if (!session_.empty()) headers[count++] = {"Mcp-Session-Id", session_};
  for (const auto& [name, value] : more_) headers[count++] = {name, value};
  return send(Headers(headers.data(), count));
}

void Reply::counted(bool sent, int status) const {
  if (sent && metrics_ != nullptr && status != 204) metrics_->request(method_, status);
}

void Reply::json(int status, std::string body) const {
  const bool sent = with_headers([&](Headers headers) {
    return exchange_->reply(status, "application/json", std::move(body), headers);
  });
  counted(sent, status);
}

void Reply::text(std::string_view content_type, std::string body) const {
  with_headers([&](Headers headers) {
    return exchange_->reply(200, content_type, std::move(body), headers);
  });
}

void Reply::empty(int status) const {
  const bool sent = with_headers(
      [&](Headers headers) { return exchange_->reply(status, "", std::string(), headers); });
  counted(sent, status);
}

bool Reply::open_stream() const {
  const bool opened =
      with_headers([&](Headers headers) { return exchange_->open_stream(headers); });
  counted(opened, 200);
  return opened;
}

bool Reply::open_body(int status, std::string_view content_type, std::uint64_t length,
                      Headers own) const {
  const bool opened = with_headers(
      [&](Headers headers) { return exchange_->open_body(status, content_type, length, headers); },
      own);
  counted(opened, status);
  return opened;
}

std::string as_event(std::string_view message) {
  constexpr std::string_view kBegin = "event: message\ndata: ";
  std::string out;
  out.reserve(kBegin.size() + message.size() + 2);
  out.append(message);
  put_on_one_line(out);  // a line break would end the event's data
  return out.insert(0, kBegin).append("\n\n");
}

}  // namespace gantry::host::http
