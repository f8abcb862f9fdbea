// host/http/endpoint/protected_resource.hpp: what clients are told of the issuers of tokens: the
// metadata of this resource (RFC 9728) and the challenges that name it.
//
// Both depend on the name under which the client reached the server, which the guard has checked:
// a client gives up if the resource is not where it asked. Immutable; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/auth/authenticator.hpp"
#include "host/http/endpoint/route.hpp"

namespace gantry::host::http {

class ProtectedResource {
 public:
  static constexpr std::string_view kPath = "/.well-known/oauth-protected-resource";
  static constexpr std::string_view kPathOfMcp = "/.well-known/oauth-protected-resource/mcp";

  // `auth` must outlive this. `public_url`: the address of /mcp beyond loopback, or empty.
  ProtectedResource(const Authenticator& auth, const Guard& guard, std::string public_url)
      : auth_(auth), guard_(guard), public_url_(std::move(public_url)) {}

  // Answers GET, HEAD and OPTIONS of the metadata, for scripts of every page; 404 where no issuer
  // is configured or the resource's own address is unknown.
  void serve(RoutedRequest& in) const;

  // The value of WWW-Authenticate. `error`: of RFC 6750, or empty. Without `scopes` those that a
  // client needs first.
  std::string challenge(const Request& request, std::string_view error,
                        std::vector<std::string> scopes = {}) const;

 private:
  // The address of /mcp for this client; nothing: its Host is none that this server knows.
  std::optional<std::string> resource_of(const Request& request) const;

  const Authenticator& auth_;
  const Guard& guard_;
  const std::string public_url_;
};

}  // namespace gantry::host::http
