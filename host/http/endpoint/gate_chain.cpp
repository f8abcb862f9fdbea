#include "host/http/endpoint/gate_chain.hpp"

#include "host/http/endpoint/cors.hpp"
#include "host/rpc/message/classify.hpp"

namespace gantry::host::http {
namespace {

bool has_one_value(std::string_view name) {
  return name.starts_with("mcp-") || name == "authorization" || name == "origin" ||
         name == "x-mcp-api-key" || name == "last-event-id";
}

// The name of a single-valued header that was sent with two values. A proxy that reads the other
// value would see a different request.
std::optional<std::string_view> contradicted(const Request& request) {
  for (std::size_t i = 1; i < request.header_count(); ++i) {
    const Header header = request.header_at(i);
    if (!has_one_value(header.name)) continue;
    if (*request.header(header.name) != header.value) return header.name;
  }
  return std::nullopt;
}

// `methods` as in Allow.
bool lists(std::string_view methods, std::string_view method) {
  while (!methods.empty()) {
    const auto end = methods.find(", ");
    if (methods.substr(0, end) == method) return true;
    methods = end == std::string_view::npos ? std::string_view() : methods.substr(end + 2);
  }
  return false;
}

bool is_preflight(const Route& route, const Request& request) {
  return route.preflights && request.method() == "OPTIONS" && request.header("origin");
}

bool refused(const RoutedRequest& in, const rpc::Error& error) {
  refuse(in.reply, error);
  return false;
}

bool refused(const RoutedRequest& in, int status, std::string message) {
  return refused(in, transport_error(status, std::move(message)));
}

Credentials credentials_of(const Request& request) {
  return {request.header("authorization"), request.header("x-mcp-api-key")};
}

}  // namespace

GateChain::GateChain(const Authenticator& auth, PreAuthLimit& pre_auth, Log& log, Metrics& metrics,
                     GuardOptions guard, std::string public_url)
    : auth_(auth),
      pre_auth_(pre_auth),
      log_(log),
      metrics_(metrics),
      guard_(std::move(guard)),
      resource_(auth_, guard_, std::move(public_url)) {}

RoutedRequest GateChain::receive(const Request& request, std::shared_ptr<Exchange> exchange,
                                 Cause cause) const {
  RoutedRequest in{request, Reply(std::move(exchange)), cause, guard_.check_page(request)};
  const auto origin = request.header("origin");
  if (origin && !in.page_refusal) in.reply.set_origin(std::string(*origin));
  return in;
}

bool GateChain::may_read(const Request& page) const {
  return page.header("origin") && !guard_.check_page(page);
}

bool GateChain::admits(const Route& route, RoutedRequest& in) const {
  if (route.counted) in.reply.count(metrics_, {});
  const bool is_own = in.by_cookie || route.access == Route::Access::page;
  if (is_own) in.reply.set_origin({});
  if (!is_own && is_preflight(route, in.request)) {
    if (has_allowed_page(in)) answer_preflight(in);
    return false;
  }
  if (!has_method(route, in)) return false;
  if (route.access == Route::Access::open) return true;
  if (is_own) return has_own_page(in) && has_room(route, in) && is_consistent(in);
  return has_json(in) && has_allowed_page(in) && has_required_header(in) && has_room(route, in) &&
         is_consistent(in) && is_within_limit(route, in) && has_credential(route, in);
}

bool GateChain::has_method(const Route& route, RoutedRequest& in) const {
  const bool modern = in.request.header("mcp-protocol-version") == rpc::kModernRevision;
  const std::string_view methods =
      modern && !route.modern_methods.empty() ? route.modern_methods : route.methods;
  if (lists(methods, in.request.method())) return true;
  in.reply.add_header("Allow", std::string(methods));
  return refused(in, 405, "Method not allowed");
}

bool GateChain::has_json(RoutedRequest& in) const {
  if (in.request.method() != "POST" || Guard::has_json(in.request)) return true;
  return refused(in, 415, "Content-Type must be application/json");
}

bool GateChain::has_allowed_page(RoutedRequest& in) const {
  return !in.page_refusal || refused(in, in.page_refusal->status, in.page_refusal->message);
}

bool GateChain::has_own_page(RoutedRequest& in) const {
  const std::string_view why =
      in.page_refusal ? "Host or Origin is not allowed" : Guard::foreign_page(in.request);
  if (why.empty()) return true;
  log_.write(Level::warn, "console refused",
             {{"reason", why},
              {"path", in.request.path()},
              {"origin", in.request.header("origin").value_or("")},
              {"peer", in.request.peer}});
  return refused(in, 403, "Not from this server's own page: " + std::string(why));
}

void GateChain::answer_preflight(RoutedRequest& in) const {
  const auto requested = in.request.header("access-control-request-headers").value_or("");
  in.reply.set_preflight(allowed_request_headers(requested, guard_.required_header()));
  in.reply.empty(204);
}

bool GateChain::has_required_header(RoutedRequest& in) const {
  return guard_.has_required_header(in.request) || refused(in, 403, "A required header is missing");
}

bool GateChain::has_room(const Route& route, RoutedRequest& in) const {
  switch (in.cause) {
    case Cause::none:
      return true;
    case Cause::too_large:
      return refused(in, 413, "The body is larger than this server takes");
    case Cause::busy:
      return refused(in, rpc::Error::busy());
    case Cause::stopping:
      break;
  }
  const std::string_view method = in.request.method();
  if (route.continues && (method == "POST" || method == "DELETE")) return true;
  return refused(in, rpc::Error::stopping());
}

bool GateChain::is_consistent(RoutedRequest& in) const {
  const auto name = contradicted(in.request);
  if (!name) return true;
  return refused(in, rpc::Error::header_mismatch("The header " + std::string(*name) +
                                                 " stands twice with different values"));
}

// A request with a valid credential is not limited, because other clients may share its address.
// The credential is checked here only if the address is blocked, and then not at any price: a flood
// of forged tokens must not keep the processor busy with signatures.
bool GateChain::is_within_limit(const Route& route, RoutedRequest& in) const {
  if (!auth_.is_configured()) return true;
  const auto wait = pre_auth_.blocked(in.request.peer);
  if (!wait) return true;
  const bool affordable =
      !auth_.needs_signature(credentials_of(in.request)) || pre_auth_.may_verify();
  if (affordable && is_known(in.request, route.access == Route::Access::admin)) return true;
  metrics_.rate_limited("pre_auth");
  in.reply.add_header("Retry-After", std::to_string(*wait));
  return refused(in, 429, "Too Many Requests");
}

bool GateChain::has_credential(const Route& route, RoutedRequest& in) const {
  if (route.access == Route::Access::handler) return true;
  const bool for_admin = route.access == Route::Access::admin;
  if (authenticate(in, for_admin) == nullptr) return false;
  if (!for_admin || in.principal->agent->tier == Tier::admin) return true;
  log_.write(Level::warn, "admin refused",
             {{"reason", "tier"}, {"by", in.principal->name}, {"peer", in.request.peer}});
  return refused(in, 403, "This needs an agent with the tier admin");
}

bool GateChain::is_known(const Request& request, bool must_bear) const {
  Refusal refusal;
  return auth_.check(credentials_of(request), refusal, must_bear) != nullptr;
}

void GateChain::count_failure(const Request& request) const {
  if (!is_known(request, false)) pre_auth_.count(request.peer);
}

bool GateChain::when_checkable(const std::string& waits_for, std::function<void()> ready) const {
  return auth_.tokens() != nullptr && auth_.tokens()->when_checkable(waits_for, std::move(ready));
}

void GateChain::stop_waiting() const {
  if (auth_.tokens() != nullptr) auth_.tokens()->stop_waiting();
}

bool GateChain::challenged(RoutedRequest& in, const TokenGrant& grant, Tier wanted,
                           std::string_view id) const {
  auto scopes = grant.scopes_for(wanted);
  if (scopes.empty()) return false;
  in.reply.add_header("WWW-Authenticate",
                      resource_.challenge(in.request, "insufficient_scope", std::move(scopes)));
  refuse(in.reply, {rpc::kSessionOrCredential, "Insufficient scope", 403, {}}, id);
  return true;
}

PrincipalPtr GateChain::authenticate(RoutedRequest& in, bool must_bear) const {
  Refusal refusal;
  in.principal = auth_.check(credentials_of(in.request), refusal, must_bear);
  if (in.principal != nullptr) return in.principal;
  if (!refusal.waits_for.empty() && !in.waited) {
    in.waits_for = std::move(refusal.waits_for);
    return nullptr;
  }
  pre_auth_.count(in.request.peer);
  metrics_.auth_failed(refusal.reason);
  log_.write(Level::warn, "credential refused",
             {{"reason", refusal.reason},
              {"peer", in.request.peer},
              {"fingerprint", refusal.fingerprint}});
  refuse_credential(in, refusal);
  return nullptr;
}

void GateChain::refuse_credential(RoutedRequest& in, const Refusal& refusal) const {
  if (refusal.reason == "unavailable") {
    return refuse(in.reply, {rpc::kInternalError, "The credential cannot be checked now", 500, {}});
  }
  if (refusal.grant && challenged(in, *refusal.grant, Tier::readonly, "null")) return;
  in.reply.add_header(
      "WWW-Authenticate",
      resource_.challenge(in.request, refusal.reason == "missing" ? "" : "invalid_token"));
  refuse(in.reply, {rpc::kSessionOrCredential, "Unauthorized", 401, {}});
}

}  // namespace gantry::host::http
