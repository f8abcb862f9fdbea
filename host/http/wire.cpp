#include "host/http/wire.hpp"

#include <algorithm>
#include <array>
#include <boost/beast/http/status.hpp>
#include <charconv>
#include <ctime>

namespace gantry::host::http {
namespace {

namespace beast_http = boost::beast::http;

bool is_token_char(char c) {
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) return true;
  return c != '\0' && std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool is_token(std::string_view s) {
  return !s.empty() && std::all_of(s.begin(), s.end(), is_token_char);
}

bool is_value(std::string_view s) {
  return std::all_of(s.begin(), s.end(), [](char c) {
    auto u = static_cast<unsigned char>(c);
    return (u >= 0x20 && u != 0x7f) || c == '\t';
  });
}

void append_number(std::string& out, std::size_t n, int base = 10) {
  std::array<char, 24> digits;
  auto end = std::to_chars(digits.data(), digits.data() + digits.size(), n, base).ptr;
  out.append(digits.data(), end);
}

void append_field(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append(": ").append(value).append("\r\n");
}

// The Date header's text; made anew once a second and thread.
std::string_view date_now() {
  struct Cache {
    std::time_t at = 0;
    std::array<char, 40> text{};
    std::size_t size = 0;
  };
  thread_local Cache cache;
  timespec now{};
  clock_gettime(CLOCK_REALTIME_COARSE, &now);
  if (now.tv_sec != cache.at) {
    std::tm utc{};
    gmtime_r(&now.tv_sec, &utc);
    static constexpr const char* kDays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                              "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    // Names spelt here: strftime would follow the process's locale.
    int n =
        std::snprintf(cache.text.data(), cache.text.size(), "%s, %02d %s %04d %02d:%02d:%02d GMT",
                      kDays[utc.tm_wday], utc.tm_mday, kMonths[utc.tm_mon], utc.tm_year + 1900,
                      utc.tm_hour, utc.tm_min, utc.tm_sec);
    cache.size = n > 0 ? static_cast<std::size_t>(n) : 0;
    cache.at = now.tv_sec;
  }
  return {cache.text.data(), cache.size};
}

void append_status_line(std::string& out, int status) {
  if (status == 200) {
    out.append("HTTP/1.1 200 OK\r\n");
    return;
  }
  out.append("HTTP/1.1 ");
  append_number(out, static_cast<std::size_t>(status));
  const auto phrase =
      beast_http::obsolete_reason(beast_http::int_to_status(static_cast<unsigned>(status)));
  out.append(" ").append(phrase.data(), phrase.size()).append("\r\n");
}

void append_framing(std::string& out, const ReplyHead& head) {
  if (head.framing == Framing::chunked) {
    append_field(out, "Transfer-Encoding", "chunked");
  } else if (head.framing == Framing::length && has_body(head.status)) {
    out.append("Content-Length: ");
    append_number(out, head.length);
    out.append("\r\n");
  }
}

}  // namespace

bool has_body(int status) { return status != 204 && status != 304; }

bool is_sendable(Headers headers, std::string_view content_type) {
  return is_value(content_type) && std::all_of(headers.begin(), headers.end(), [](const Header& h) {
           return is_token(h.name) && is_value(h.value);
         });
}

void append_head(std::string& out, const ReplyHead& head, Headers extra) {
  append_status_line(out, head.status);
  append_field(out, "Date", date_now());
  if (!head.content_type.empty()) append_field(out, "Content-Type", head.content_type);
  if (head.stream) {
    append_field(out, "Cache-Control", "no-cache");
    append_field(out, "X-Accel-Buffering", "no");
  }
  append_framing(out, head);
  if (!head.keep) {
    append_field(out, "Connection", "close");
  } else if (head.request_minor == 0) {
    append_field(out, "Connection", "keep-alive");
  }
  for (const auto& header : extra) append_field(out, header.name, header.value);
  out.append("\r\n");
}

std::string chunk_line(std::size_t size) {
  std::string line;
  append_number(line, size, 16);
  line.append("\r\n");
  return line;
}

}  // namespace gantry::host::http
