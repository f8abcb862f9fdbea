#include "host/http/endpoint/guard.hpp"

#include <arpa/inet.h>

#include <algorithm>

#include "host/base/text.hpp"
#include "host/http/rules.hpp"

namespace gantry::host::http {
namespace {

bool is_ip_literal(std::string_view host) {
  const std::string text(host);
  in6_addr address{};
  return inet_pton(AF_INET, text.c_str(), &address) == 1 ||
         inet_pton(AF_INET6, text.c_str(), &address) == 1;
}

// "https://host:port" without its scheme; nothing for "null" and other texts that are not an
// origin.
std::optional<std::string_view> authority_of(std::string_view origin) {
  const auto scheme = http_scheme_size(origin);
  if (scheme == 0) return std::nullopt;
  return origin.substr(scheme);
}

// "host", "host:port" or "[address]:port": no user, no path, a port that can be one.
bool is_authority(std::string_view text) {
  if (text.find_first_of("@/?# ") != std::string_view::npos) return false;
  if (text.starts_with('[') && text.find(']') == std::string_view::npos) return false;
  const std::string_view host = host_of(text);
  std::string_view rest = text.substr(host.size() + (text.starts_with('[') ? 2 : 0));
  if (rest.empty()) return true;
  if (rest.front() != ':') return false;
  rest.remove_prefix(1);
  return rest.size() <= 5 && rest.find_first_not_of("0123456789") == std::string_view::npos &&
         (rest.size() < 5 || rest <= "65535");
}

// A rule is a whole origin, a host, or with a leading dot all subdomains of a host.
bool origin_matches(std::string_view rule, std::string_view origin, std::string_view host) {
  if (rule == "*" || same_ignoring_case(rule, origin) || same_ignoring_case(rule, host))
    return true;
  return rule.starts_with('.') && host.size() > rule.size() &&
         same_ignoring_case(rule, host.substr(host.size() - rule.size()));
}

// The value of a header, for a refusal.
std::string named(std::string_view value) { return "'" + shortened(value, 100) + "'"; }

}  // namespace

std::string_view host_of(std::string_view authority) {
  if (authority.starts_with('[')) {
    const auto end = authority.find(']');
    return end == std::string_view::npos ? authority : authority.substr(1, end - 1);
  }
  return authority.substr(0, authority.find(':'));
}

bool is_loopback(std::string_view host) {
  if (same_ignoring_case(host, "localhost")) return true;
  const std::string text(host);
  in_addr v4{};
  if (inet_pton(AF_INET, text.c_str(), &v4) == 1) return (ntohl(v4.s_addr) >> 24) == 127;
  in6_addr v6{};
  if (inet_pton(AF_INET6, text.c_str(), &v6) != 1) return false;
  return IN6_IS_ADDR_LOOPBACK(&v6) || (IN6_IS_ADDR_V4MAPPED(&v6) && v6.s6_addr[12] == 127);
}

bool is_from_this_machine(const Request& request) {
  constexpr std::string_view kOfProxies[] = {"forwarded", "via", "x-forwarded-for",
                                             "x-forwarded-host", "x-real-ip"};
  const auto host = request.header("host");
  return is_loopback(request.peer) && host && is_loopback(host_of(*host)) &&
         std::none_of(std::begin(kOfProxies), std::end(kOfProxies),
                      [&](std::string_view name) { return request.header(name).has_value(); });
}

Guard::Guard(GuardOptions options) : options_(std::move(options)) {
  const std::string_view rule = options_.require_header;
  const auto colon = rule.find(':');
  required_name_ = trimmed(rule.substr(0, colon));
  if (colon != std::string_view::npos) required_value_ = trimmed(rule.substr(colon + 1));
}

bool Guard::allows_host(std::string_view authority) const {
  if (!is_authority(authority)) return false;
  const std::string_view host = host_of(authority);
  if (is_loopback(host) || is_named(authority)) return true;
  // Any attacker can make a name resolve to this address; an address literal is safe.
  return !options_.loopback && is_ip_literal(host);
}

bool Guard::is_named(std::string_view authority) const {
  const std::string_view host = host_of(authority);
  return std::any_of(options_.allowed_hosts.begin(), options_.allowed_hosts.end(),
                     [host](const std::string& name) { return same_ignoring_case(name, host); });
}

bool Guard::allows_origin(std::string_view origin, std::string_view own) const {
  const auto authority = authority_of(origin);
  if (authority && !is_authority(*authority)) return false;
  const std::string_view host = authority ? host_of(*authority) : std::string_view();
  for (const auto& rule : options_.allowed_origins) {
    if (origin_matches(rule, origin, host)) return true;
  }
  if (!authority) return false;
  if (!own.empty() && same_ignoring_case(*authority, own)) return true;
  return options_.loopback && is_loopback(host);
}

std::optional<Refused> Guard::check_page(const Request& request) const {
  const auto host = request.header("host");
  if (host && !allows_host(*host)) {
    return Refused{403, "Host not allowed: " + named(*host) +
                            " is not in http.allowed_hosts (gantryd --allow-host)"};
  }
  const auto origin = request.header("origin");
  if (origin && !allows_origin(*origin, host.value_or(""))) {
    return Refused{403, "Origin not allowed: " + named(*origin) +
                            " is not in http.allowed_origins (gantryd --allow-origin)"};
  }
  return std::nullopt;
}

bool Guard::has_required_header(const Request& request) const {
  if (required_name_.empty()) return true;
  const auto sent = request.header(required_name_);
  return sent && (required_value_.empty() || *sent == required_value_);
}

std::string_view Guard::foreign_page(const Request& request) {
  const auto host = request.header("host"), origin = request.header("origin"),
             site = request.header("sec-fetch-site");
  if (!host) return "Host or Origin is not allowed";
  const auto authority = authority_of(origin.value_or(""));
  if (origin && !(authority && same_ignoring_case(*authority, *host)))
    return "Origin is another one";
  if (site && *site != "same-origin") return "Sec-Fetch-Site is not same-origin";
  if (!site && !origin) return "neither Sec-Fetch-Site nor Origin was sent";
  if (request.method() == "POST" && !has_json(request))
    return "Content-Type is not application/json";
  return {};
}

bool Guard::has_json(const Request& request) {
  const std::string_view type = request.header("content-type").value_or("");
  return same_ignoring_case(trimmed(type.substr(0, type.find(';'))), "application/json");
}

}  // namespace gantry::host::http
