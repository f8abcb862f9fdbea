// host/plugin/uris.hpp: what a plugin may give as the URI of a resource or as a URI template.
//
// Internal to host/loader. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include <gantry/result.hpp>

namespace gantry::host {

inline constexpr std::size_t kMaxUri = 2048;

// An absolute URI (RFC 3986): a scheme, a colon and something behind it. The error begins with
// `place`.
Status check_uri(const std::string& place, std::string_view text);

// A URI with expressions of RFC 6570, level 1: "{name}", each name once, a literal between any two,
// none in the scheme. The error begins with `place`.
Status check_uri_template(const std::string& place, std::string_view text);

}  // namespace gantry::host
