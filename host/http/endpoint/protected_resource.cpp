#include "host/http/endpoint/protected_resource.hpp"

#include <algorithm>
#include <array>

#include "host/auth/token_check.hpp"
#include "host/base/json.hpp"
#include "host/base/text.hpp"

namespace gantry::host::http {
namespace {

constexpr std::string_view kMcp = "/mcp";

// A scope of RFC 6749: visible ASCII without quote and backslash, so that it can be quoted.
bool is_scope(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return c > 0x20 && c < 0x7f && c != '"' && c != '\\';
  });
}

// Refresh tokens are the issuer's and the client's affair (MCP 2026-07-28).
bool is_ours(std::string_view scope) { return is_scope(scope) && scope != "offline_access"; }

void append_texts(std::string& out, std::string_view name, const std::vector<std::string>& texts) {
  append_name(out, name);
  out += '[';
  for (const std::string& text : texts) {
    if (out.back() != '[') out += ',';
    append_json_string(out, text);
  }
  out += ']';
}

std::string metadata_of(const std::string& resource, const IssuerSummary& summary) {
  std::string out = "{";
  append_text_member(out, "resource", resource);
  append_texts(out, "authorization_servers", summary.issuers);
  std::vector<std::string> scopes = summary.scopes;
  std::erase_if(scopes, [](const std::string& scope) { return !is_ours(scope); });
  if (!scopes.empty()) append_texts(out, "scopes_supported", scopes);
  append_texts(out, "bearer_methods_supported", {"header"});
  append_text_member(out, "resource_name", "Gantry");
  return out + "}";
}

std::string joined_scopes(const std::vector<std::string>& scopes) {
  std::string out;
  for (const std::string& scope : scopes) {
    if (is_ours(scope)) out.append(out.empty() ? "" : " ").append(scope);
  }
  return out;
}

void answer_metadata(const Reply& reply, int status, std::string body) {
  const std::array<Header, 5> headers{{{"Access-Control-Allow-Origin", "*"},
                                       {"Access-Control-Allow-Methods", "GET, HEAD, OPTIONS"},
                                       {"Access-Control-Allow-Headers", "MCP-Protocol-Version"},
                                       {"Access-Control-Max-Age", "600"},
                                       {"Cache-Control", "max-age=3600"}}};
  reply.exchange().reply(status, body.empty() ? "" : "application/json", std::move(body), headers);
}

}  // namespace

std::optional<std::string> ProtectedResource::resource_of(const Request& request) const {
  const auto host = request.header("host");
  if (!host || !guard_.allows_host(*host)) return std::nullopt;
  if (is_loopback(host_of(*host))) return "http://" + lower(*host) + std::string(kMcp);
  if (!public_url_.empty()) return public_url_;
  // A name that the operator gave; beyond loopback tokens travel by TLS alone.
  if (!guard_.is_named(*host)) return std::nullopt;
  return "https://" + lower(*host) + std::string(kMcp);
}

void ProtectedResource::serve(RoutedRequest& in) const {
  if (in.request.method() == "OPTIONS") return answer_metadata(in.reply, 204, {});
  const TokenCheck* tokens = auth_.tokens();
  const auto resource = tokens == nullptr ? std::nullopt : resource_of(in.request);
  if (!resource || !tokens->is_configured()) {
    return refuse(in.reply, transport_error(404, "Nothing here; the endpoint is /mcp"));
  }
  answer_metadata(in.reply, 200, metadata_of(*resource, *tokens->summary()));
}

std::string ProtectedResource::challenge(const Request& request, std::string_view error,
                                         std::vector<std::string> scopes) const {
  std::string out = "Bearer realm=\"gantry\"";
  const auto add = [&out](std::string_view name, std::string_view value) {
    if (!value.empty()) out.append(", ").append(name).append("=\"").append(value).append("\"");
  };
  const TokenCheck* tokens = auth_.tokens();
  if (tokens != nullptr && tokens->is_configured()) {
    if (const auto resource = resource_of(request)) {
      const std::string base = resource->substr(0, resource->size() - kMcp.size());
      add("resource_metadata", base + std::string(kPathOfMcp));
    }
    if (scopes.empty()) scopes = tokens->summary()->least_scopes;
    add("scope", joined_scopes(scopes));
  }
  add("error", error);
  return out;
}

}  // namespace gantry::host::http
