// sdk/contract/uris.hpp: URIs of resources, and URI templates (RFC 6570, level 1).
//
// Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gantry/result.hpp>

namespace gantry::contract {

inline constexpr std::size_t kMaxUri = 2048;

// An absolute URI (RFC 3986): a scheme, a colon and something behind it. The error begins with
// `place`.
Status check_uri(const std::string& place, std::string_view text);

// A URI with expressions of RFC 6570, level 1: "{name}", each name once, a literal between any two,
// none in the scheme. The error begins with `place`.
Status check_uri_template(const std::string& place, std::string_view text);

// Name and value of each variable of a template, in its order.
using UriVariables = std::vector<std::pair<std::string, std::string>>;

// The variables of `uri` when `uri_template` (RFC 6570, level 1: literals and "{name}") stands for
// it. A variable takes one character or more up to the next '/', as few as will do; its value is
// percent-decoded. Nothing when the URI does not match, when a value has a broken escape or is no
// UTF-8, or when the template has a brace without its partner. Linear in practice, at worst the
// product of both lengths.
std::optional<UriVariables> match_uri(std::string_view uri_template, std::string_view uri);

}  // namespace gantry::contract
