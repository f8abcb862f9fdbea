#include "host/auth/jwt/jws.hpp"

#include "host/auth/jwt/strict_json.hpp"
#include "host/base/text.hpp"

namespace gantry::host::jwt {
namespace {

// A member that may be absent; false if it is there and is no text.
bool take_text(const rapidjson::Value& header, std::string_view name,
               std::optional<std::string>& out) {
  const auto* value = member_of(header, name);
  if (value == nullptr) return true;
  const auto text = plain_text(value, Jws::kMaxName);
  if (text) out = *text;
  return text.has_value();
}

bool read_header(std::string_view text, Jws& out) {
  rapidjson::Document header;
  if (text.size() > Jws::kMaxHeader || !read_object(text, header)) return false;
  // They change what the other members or the payload mean.
  for (const std::string_view name : {"crit", "b64", "zip", "enc", "cty"}) {
    if (member_of(header, name) != nullptr) return false;
  }
  const auto alg = plain_text(member_of(header, "alg"), Jws::kMaxName);
  if (!alg) return false;
  out.alg = *alg;
  return take_text(header, "typ", out.typ) && take_text(header, "kid", out.kid);
}

}  // namespace

bool read_jws(std::string_view token, Jws& out) {
  if (token.size() > Jws::kMaxToken) return false;
  const auto first = token.find('.');
  const auto second = first == token.npos ? token.npos : token.find('.', first + 1);
  if (second == token.npos || token.find('.', second + 1) != token.npos) return false;
  const auto header = from_base64url(token.substr(0, first));
  const auto payload = from_base64url(token.substr(first + 1, second - first - 1));
  auto signature = from_base64url(token.substr(second + 1));
  if (!header || !payload || !signature || signature->empty()) return false;
  out.signed_text = token.substr(0, second);
  out.signature = std::move(*signature);
  return read_header(*header, out) && read_object(*payload, out.payload);
}

std::string_view issuer_of(const Jws& token) {
  return plain_text(member_of(token.payload, "iss"), Jws::kMaxName).value_or(std::string_view());
}

}  // namespace gantry::host::jwt
