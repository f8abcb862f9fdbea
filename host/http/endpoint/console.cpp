#include "host/http/endpoint/console.hpp"

#include <array>
#include <vector>

#include <rapidjson/document.h>

#include "host/console/files.hpp"
#include "host/http/endpoint/conditions.hpp"

namespace gantry::host::http {
namespace {

constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'";

// The values of the cookies of this name. A page on another port may have set one of its own.
std::vector<std::string_view> cookies(const Request& request, std::string_view name) {
  std::vector<std::string_view> out;
  for (std::size_t i = 0; i < request.header_count(); ++i) {
    const Header header = request.header_at(i);
    if (header.name != "cookie") continue;
    std::string_view rest = header.value;
    while (!rest.empty()) {
      const auto end = rest.find(';');
      const std::string_view pair = trimmed(rest.substr(0, end));
      if (pair.starts_with(name) && pair.substr(name.size()).starts_with('='))
        out.push_back(pair.substr(name.size() + 1));
      rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    }
  }
  return out;
}

// The member of the body, which holds nothing else; nothing for another body.
std::optional<std::pair<std::string, std::string>> only_member(const std::string& body) {
  rapidjson::Document document;
  document.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag>(
      body.data(), body.size());
  if (document.HasParseError() || !document.IsObject() || document.MemberCount() != 1)
    return std::nullopt;
  const auto& member = *document.MemberBegin();
  if (!member.value.IsString()) return std::nullopt;
  return std::pair(std::string(member.name.GetString(), member.name.GetStringLength()),
                   std::string(member.value.GetString(), member.value.GetStringLength()));
}

AgentPtr operators_agent() {
  Agent agent;
  agent.name = "console";
  agent.tier = Tier::admin;
  return share(std::move(agent));
}

}  // namespace

Console::Console(console::Logins& logins, const Authenticator& auth, PreAuthLimit& pre_auth,
                 Log& log)
    : logins_(logins), auth_(auth), pre_auth_(pre_auth), log_(log), agent_(operators_agent()) {}

std::string Console::cookie_name() const { return "gantry_console_" + std::to_string(port_); }

void Console::serve_file(RoutedRequest& in) const {
  in.reply.set_origin({});
  if (in.page_refusal && !in.request.header("origin"))  // a foreign Host
    return refuse(in.reply, transport_error(in.page_refusal->status, in.page_refusal->message));
  const console::File* const file = console::find_file(in.request.path());
  if (file == nullptr)
    return refuse(in.reply, transport_error(404, "Nothing here; the console is at /"));
  const std::array headers{Header{"Content-Security-Policy", kPolicy},
                           Header{"X-Content-Type-Options", "nosniff"},
                           Header{"Referrer-Policy", "no-referrer"},
                           Header{"Cross-Origin-Opener-Policy", "same-origin"},
                           Header{"Cross-Origin-Resource-Policy", "same-origin"},
                           Header{"Cache-Control", "no-cache"},
                           Header{"ETag", file->etag}};
  const bool is_known = status_by_conditions(in.request, file->etag) == 304;
  in.reply.exchange().reply(is_known ? 304 : 200, is_known ? std::string_view() : file->type,
                            is_known ? std::string() : std::string(file->bytes), headers);
}

void Console::refuse_login(RoutedRequest& in, int status, std::string why) const {
  pre_auth_.count(in.request.peer);
  log_.write(Level::warn, "console login refused", {{"reason", why}, {"peer", in.request.peer}});
  refuse(in.reply, transport_error(status, std::move(why)));
}

std::optional<std::string> Console::session_of_key(RoutedRequest& in, std::string_view key) const {
  Refusal refusal;
  const PrincipalPtr principal = auth_.check({std::nullopt, key}, refusal, true);
  if (!principal) {
    refuse_login(in, 401, "This key is not accepted");
    return std::nullopt;
  }
  if (principal->agent->tier != Tier::admin) {
    refuse_login(in, 403, "The console needs the key of an agent with the tier admin");
    return std::nullopt;
  }
  return logins_.open_for(principal->name);
}

std::optional<std::string> Console::session_for(RoutedRequest& in) const {
  const auto given = only_member(in.request.body);
  if (given && given->first == "key") return session_of_key(in, given->second);
  if (!given || given->first != "token") {
    refuse(in.reply, transport_error(400, "The body must be {\"token\": …} or {\"key\": …}"));
    return std::nullopt;
  }
  auto session = logins_.open_by_link(given->second);
  if (!session)
    refuse_login(in, 401, "This link was used or is too old; run gantry open for another one");
  return session;
}

void Console::log_in(RoutedRequest& in) const {
  forbid_storing(in.reply);
  if (const auto wait = pre_auth_.blocked(in.request.peer)) {
    in.reply.add_header("Retry-After", std::to_string(*wait));
    return refuse(in.reply, transport_error(429, "Too Many Requests"));
  }
  const auto session = session_for(in);
  if (!session) return;
  const bool is_https = in.request.header("origin").value_or("").starts_with("https://");
  in.reply.add_header("Set-Cookie", cookie_name() + "=" + *session +
                                        "; HttpOnly; SameSite=Strict; Path=/; Max-Age=" +
                                        std::to_string(logins_.limits().longest.count()) +
                                        (is_https ? "; Secure" : ""));
  log_.write(Level::info, "console login", {{"peer", in.request.peer}});
  in.reply.empty(204);
}

void Console::log_out(RoutedRequest& in) const {
  forbid_storing(in.reply);
  const std::string name = cookie_name();
  for (const std::string_view secret : cookies(in.request, name)) logins_.close(secret);
  in.reply.add_header("Set-Cookie", name + "=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0");
  in.reply.empty(204);
}

bool Console::has_cookie(const Request& request) const {
  return !request.header("authorization") && !request.header("x-mcp-api-key") &&
         !cookies(request, cookie_name()).empty();
}

bool Console::has_session(RoutedRequest& in) const {
  for (const std::string_view secret : cookies(in.request, cookie_name())) {
    const auto session = logins_.find(secret);
    if (!session) continue;
    const std::string& by = session->principal.empty() ? session->name : session->principal;
    in.principal = std::make_shared<const Principal>(Principal{agent_, by, "console"});
    in.still_allowed = [&logins = logins_, kept = std::string(secret)] {
      return logins.find(kept).has_value();
    };
    return true;
  }
  refuse(in.reply, {rpc::kSessionOrCredential,
                    "The console's session is over; run gantry open for a new link",
                    401,
                    {}});
  return false;
}

}  // namespace gantry::host::http
