#include "host/http/endpoint/endpoint.hpp"

#include "host/http/endpoint/admin.hpp"
#include "host/http/endpoint/admin_events.hpp"
#include "host/http/endpoint/console.hpp"
#include "host/http/endpoint/exports.hpp"
#include "host/registry/registry.hpp"

namespace gantry::host::http {
namespace {

void answer_health(const RoutedRequest& in) {
  const bool draining = in.cause == Cause::stopping;
  in.reply.json(draining ? 503 : 200, draining ? R"({"status":"stopping"})" : R"({"status":"ok"})");
}

// They tell of the load of all callers, so they are for operators.
void answer_metrics(const RoutedRequest& in, const Metrics& metrics) {
  if (!is_from_this_machine(in.request) && !in.principal->agent->metrics) {
    return refuse(in.reply, transport_error(403,
                                            "Metrics are for this machine, or an agent with "
                                            "\"metrics\": true"));
  }
  in.reply.text("text/plain; version=0.0.4; charset=utf-8", metrics.text());
}

}  // namespace

Endpoint::Endpoint(rpc::Dispatcher& dispatcher, const Authenticator& auth, Sessions& sessions,
                   PreAuthLimit& pre_auth, Log& log, Metrics& metrics, EndpointOptions options)
    : dispatcher_(dispatcher),
      auth_(auth),
      open_sessions_(sessions),
      gates_(auth, pre_auth, log, metrics, std::move(options.guard), std::move(options.public_url)),
      places_(options.streams.requests, options.streams.listeners),
      sessions_(dispatcher, sessions, gates_, places_, options.max_waiting),
      posts_(dispatcher, sessions, sessions_, gates_, places_, metrics),
      sse_(std::make_unique<SseHandler>(dispatcher, gates_, places_, metrics)),
      routes_{{.path = "/mcp",
               .methods = "GET, POST, DELETE",
               .modern_methods = "POST",
               .access = Route::Access::handler,
               .preflights = true,
               .continues = true,
               .counted = true,
               .serve =
                   [this](RoutedRequest& in) {
                     in.request.method() == "POST" ? posts_.serve(in) : sessions_.serve(in);
                   }},
              {.path = "/sse",
               .methods = "GET",
               .preflights = true,
               .serve = [this](RoutedRequest& in) { sse_->listen(in); }},
              {.path = "/messages",
               .methods = "POST",
               .access = Route::Access::handler,
               .preflights = true,
               .continues = true,
               .counted = true,
               .serve = [this](RoutedRequest& in) { sse_->post(in); }},
              {.path = "/metrics",
               .methods = "GET, HEAD",
               .serve = [&metrics](RoutedRequest& in) { answer_metrics(in, metrics); }},
              {.path = "/exports/",
               .methods = "GET, HEAD",
               .preflights = true,
               .serve = [this, &dispatcher](
                            RoutedRequest& in) { serve_export(in, dispatcher, places_.requests); }},
              {.path = "/health",
               .methods = "GET, HEAD",
               .access = Route::Access::open,
               .serve = answer_health},
              {.path = ProtectedResource::kPath,
               .methods = "GET, HEAD, OPTIONS",
               .access = Route::Access::open,
               .serve = [this](RoutedRequest& in) { gates_.describe_resource(in); }},
              {.path = ProtectedResource::kPathOfMcp,
               .methods = "GET, HEAD, OPTIONS",
               .access = Route::Access::open,
               .serve = [this](RoutedRequest& in) { gates_.describe_resource(in); }}} {}

void Endpoint::serve(Console& console) {
  console_ = &console;
  routes_.push_back({.path = "/console/login",
                     .methods = "POST",
                     .access = Route::Access::page,
                     .continues = true,
                     .serve = [&console](RoutedRequest& in) { console.log_in(in); }});
  routes_.push_back({.path = "/console/logout",
                     .methods = "POST",
                     .access = Route::Access::page,
                     .continues = true,
                     .serve = [&console](RoutedRequest& in) { console.log_out(in); }});
  for (const std::string_view files : {"/", "/console/"}) {
    routes_.push_back({.path = files,
                       .methods = "GET, HEAD",
                       .access = Route::Access::open,
                       .serve = [&console](RoutedRequest& in) { console.serve_file(in); }});
  }
}

void Endpoint::serve(Admin& admin, AdminEvents* events) {
  if (events != nullptr) {
    routes_.push_back({.path = "/admin/events",
                       .methods = "GET",
                       .access = Route::Access::admin,
                       .preflights = true,
                       .serve = [events](RoutedRequest& in) { events->open(in); }});
  }
  routes_.push_back({.path = "/admin/",
                     .methods = "GET, HEAD, POST",
                     .access = Route::Access::admin,
                     .preflights = true,
                     .serve = [&admin](RoutedRequest& in) {
                       forbid_storing(in.reply);
                       admin.handle(in.request, in.reply, in.principal->name);
                     }});
}

void Endpoint::on_request(Request&& request, std::shared_ptr<Exchange> exchange) {
  begin(std::move(request), std::move(exchange), Cause::none);
}

void Endpoint::on_refused(Request&& request, std::shared_ptr<Exchange> exchange, Cause cause) {
  begin(std::move(request), std::move(exchange), cause);
}

// A request whose credential needs keys that are being fetched is parked; then it begins anew.
void Endpoint::begin(Request&& request, std::shared_ptr<Exchange> exchange, Cause cause) const {
  const std::string waits_for = route(request, exchange, cause, false);
  if (waits_for.empty()) return;
  const auto parked = std::make_shared<const Request>(std::move(request));
  const bool waits = gates_.when_checkable(waits_for, [this, parked, exchange, cause] {
    const ReleaseSnapshotOnExit release;
    try {
      if (exchange->is_open()) route(*parked, exchange, cause, true);
    } catch (...) {  // route() has answered
    }
  });
  if (!waits) route(*parked, exchange, cause, true);
}

// A failure is answered here, where it is known whether a page may read the answer; the server
// counts the exception.
std::string Endpoint::route(const Request& request, const std::shared_ptr<Exchange>& exchange,
                            Cause cause, bool waited) const {
  try {
    RoutedRequest in = gates_.receive(request, exchange, cause);
    in.waited = waited;
    pass(in);
    return std::move(in.waits_for);
  } catch (...) {
    refuse(gates_.receive(request, exchange, cause).reply,
           transport_error(500, "The server failed on this request"));
    throw;
  }
}

void Endpoint::pass(RoutedRequest& in) const {
  const Route* route = find(in.request.path());
  if (route == nullptr) {
    return refuse(in.reply, transport_error(404, "Nothing here; the endpoint is /mcp"));
  }
  if (route->access == Route::Access::admin) return pass_admin(*route, in);
  const std::uint64_t changes = auth_.changes();
  if (gates_.admits(*route, in)) route->serve(in);
  if (in.principal) check_again(in, changes);
}

// The cookie of the console is a credential here, and nowhere else. Without it /admin is there only
// if some agent can be an admin.
void Endpoint::pass_admin(const Route& route, RoutedRequest& in) const {
  in.by_cookie = console_ != nullptr && console_->has_cookie(in.request);
  if (!in.by_cookie && !gates_.has_admin())
    return refuse(in.reply, transport_error(404, "Nothing here; the endpoint is /mcp"));
  if (!gates_.admits(route, in)) return;
  if (in.by_cookie) {
    if (console_->has_session(in)) route.serve(in);
    return;
  }
  in.still_allowed = [&auth = auth_, principal = in.principal] {
    const bool is_over =
        principal->token && principal->token->accepted_until <= Authenticator::system_now();
    return !is_over && (principal->token || auth.leads_to(principal->name));
  };
  route.serve(in);
}

// A principal that was withdrawn after its credential was checked may have something open now that
// take_agents() did not find.
void Endpoint::check_again(const RoutedRequest& in, std::uint64_t changes) const {
  if (auth_.changes() == changes || auth_.leads_to(in.principal->name)) return;
  take_agents({.withdrawn = {in.principal->name}});
}

void Endpoint::take_agents(const ChangedAgents& changed) const {
  sse_->end_of(changed.withdrawn);
  open_sessions_.end_of(changed.withdrawn);
  dispatcher_.take_agents(changed);
}

const Route* Endpoint::find(std::string_view path) const {
  for (const Route& route : routes_) {
    if (route.covers(path)) return &route;
  }
  return nullptr;
}

}  // namespace gantry::host::http
