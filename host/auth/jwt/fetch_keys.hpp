// host/auth/jwt/fetch_keys.hpp: gets the text of a key set over HTTP.
//
// Blocks; any thread but an I/O thread.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include <gantry/result.hpp>

namespace gantry::host::jwt {

// The text at a URL, or the reason why there is none. Gives up soon after `stop` is set.
using FetchKeys =
    std::function<Result<std::string>(const std::string& url, const std::atomic<bool>& stop)>;

// By libcurl: at most 5 s and 256 KiB, no redirects, only status 200. TLS certificates are checked
// against the system's authorities.
Result<std::string> fetch_keys(const std::string& url, const std::atomic<bool>& stop);

}  // namespace gantry::host::jwt
