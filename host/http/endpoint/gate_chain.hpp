// host/http/endpoint/gate_chain.hpp: the checks that the requests of all routes pass, in one order:
//
//   method, content type, Host and Origin, required header, size and load, contradictory headers,
//   pre-auth limit, credential, tier
//
// A preflight of a page passes the method's and Host and Origin alone: it cannot carry the rest.
// Requests of our own page and those with its cookie need neither the header nor a credential here.
// The first check that fails answers. Any thread.
#pragma once

#include <memory>

#include "host/http/endpoint/protected_resource.hpp"
#include "host/http/endpoint/route.hpp"
#include "host/limits/pre_auth.hpp"
#include "host/observe/log.hpp"
#include "host/observe/metrics.hpp"

namespace gantry::host::http {

// It has more than twenty methods: one for each check.
class GateChain {
 public:
  // All must outlive the chain. `public_url`: HttpSettings::public_url.
  GateChain(const Authenticator& auth, PreAuthLimit& pre_auth, Log& log, Metrics& metrics,
            GuardOptions guard, std::string public_url = {});

  // A request with its reply. A page of an allowed origin may read every reply.
  RoutedRequest receive(const Request& request, std::shared_ptr<Exchange> exchange,
                        Cause cause) const;
  // True: the route's handler may serve the request. False: it has been answered.
  bool admits(const Route& route, RoutedRequest& in) const;

  // The principal, also in `in.principal`; or null, and the request has been answered or
  // `in.waits_for` is set: then it is to be served again once that is there. `must_bear`: a request
  // without a credential is refused, even where others are served as the agent `local`.
  PrincipalPtr authenticate(RoutedRequest& in, bool must_bear = false) const;
  // Calls `ready` once, on another thread, when what a request waits for may be there. False: too
  // many wait.
  bool when_checkable(const std::string& waits_for, std::function<void()> ready) const;
  // Nothing that waits is called after this returns.
  void stop_waiting() const;
  // Answers that the token of `grant` needs scopes which permit `wanted`; false: none do.
  bool challenged(RoutedRequest& in, const TokenGrant& grant, Tier wanted,
                  std::string_view id) const;
  // Serves the metadata of this resource.
  void describe_resource(RoutedRequest& in) const { resource_.serve(in); }
  // Counts a request that is refused before its credential is checked, unless that is valid.
  void count_failure(const Request& request) const;

  // Scripts of this page may read why its request was refused.
  bool may_read(const Request& page) const;
  // Some agent has the tier admin.
  bool has_admin() const { return auth_.has_admin(); }

 private:
  bool has_method(const Route& route, RoutedRequest& in) const;
  bool has_json(RoutedRequest& in) const;
  bool has_allowed_page(RoutedRequest& in) const;
  bool has_own_page(RoutedRequest& in) const;
  void answer_preflight(RoutedRequest& in) const;
  bool has_required_header(RoutedRequest& in) const;
  bool has_room(const Route& route, RoutedRequest& in) const;
  bool is_consistent(RoutedRequest& in) const;
  bool is_within_limit(const Route& route, RoutedRequest& in) const;
  bool has_credential(const Route& route, RoutedRequest& in) const;
  bool is_known(const Request& request, bool must_bear) const;
  void refuse_credential(RoutedRequest& in, const Refusal& refusal) const;

  const Authenticator& auth_;
  PreAuthLimit& pre_auth_;
  Log& log_;
  Metrics& metrics_;
  const Guard guard_;
  const ProtectedResource resource_;
};

}  // namespace gantry::host::http
