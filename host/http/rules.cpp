#include "host/http/rules.hpp"

#include <algorithm>

#include "host/base/text.hpp"

namespace gantry::host::http {
namespace {

bool is_host_char(char c) {
  if (is_digit(c) || is_letter(c)) return true;
  return c != '\0' && std::string_view("-._~:[]%").find(c) != std::string_view::npos;
}

bool is_host(std::string_view text) { return std::all_of(text.begin(), text.end(), is_host_char); }

}  // namespace

std::size_t http_scheme_size(std::string_view uri) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (same_ignoring_case(uri.substr(0, scheme.size()), scheme)) return scheme.size();
  }
  return 0;
}

Refusal check_target(std::string_view method, std::string_view target, TargetParts& parts) {
  parts = {target, std::nullopt};
  if (target == "*" && method == "OPTIONS") return {};
  if (const auto scheme = http_scheme_size(target)) {
    const std::string_view rest = target.substr(scheme);
    const auto end = std::min(rest.find_first_of("/?"), rest.size());
    parts = {rest.substr(end), rest.substr(0, end)};
    if (parts.path.empty()) parts.path = "/";
    if (!is_host(*parts.authority) || parts.authority->empty()) {
      return {400, "The request target does not name a host with an optional port."};
    }
  }
  if (parts.path.empty() || parts.path.front() != '/') {
    return {400,
            "The request target must be a path that starts with '/', or an http URI with one."};
  }
  bool plain = std::all_of(parts.path.begin(), parts.path.end(),
                           [](char c) { return c > ' ' && c < 0x7f && c != '#'; });
  if (!plain) return {400, "The request target holds a character that must be percent-encoded."};
  return {};
}

Refusal HeadRules::field(std::string_view name, std::string_view value) {
  switch (name.size()) {  // compares the size first, since most fields are none of these
    case 4:
      return same_ignoring_case(name, "host") ? host(value) : Refusal();
    case 6:
      return same_ignoring_case(name, "expect") ? expect(value) : Refusal();
    case 14:
      return same_ignoring_case(name, "content-length") ? content_length(value) : Refusal();
    case 17:
      return same_ignoring_case(name, "transfer-encoding") ? transfer_encoding(value) : Refusal();
    default:
      return {};
  }
}

Refusal HeadRules::host(std::string_view value) {
  if (host_) return {400, "More than one Host header."};
  host_ = true;
  if (!is_host(value)) {
    return {400, "The Host header is not a host name with an optional port."};
  }
  return {};
}

Refusal HeadRules::content_length(std::string_view value) {
  if (length_) return {400, "More than one Content-Length header."};
  if (encoding_) return {400, "Both Content-Length and Transfer-Encoding."};
  length_ = true;
  if (value.empty() || !std::all_of(value.begin(), value.end(), is_digit)) {
    return {400, "Content-Length is not a number."};
  }
  return {};
}

Refusal HeadRules::transfer_encoding(std::string_view value) {
  if (encoding_) return {400, "More than one Transfer-Encoding header."};
  if (length_) return {400, "Both Content-Length and Transfer-Encoding."};
  encoding_ = true;
  if (minor_ == 0) return {400, "HTTP/1.0 has no Transfer-Encoding."};
  if (!same_ignoring_case(value, "chunked")) {
    return {501, "The only Transfer-Encoding understood here is chunked."};
  }
  return {};
}

Refusal HeadRules::expect(std::string_view value) {
  if (!same_ignoring_case(value, "100-continue")) {
    return {417, "The only expectation met here is 100-continue."};
  }
  expects_continue_ = minor_ > 0;
  return {};
}

Refusal HeadRules::finish() const {
  if (!host_ && minor_ > 0) return {400, "The Host header is missing."};
  return {};
}

}  // namespace gantry::host::http
