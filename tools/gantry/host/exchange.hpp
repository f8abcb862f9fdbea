// tools/gantry/host/exchange.hpp: one HTTP request and its answer.
//
// Any thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gantry/result.hpp>

#include "tools/gantry/dev/stop.hpp"

namespace gantry::cli {

struct HttpRequest {
  std::string url;
  std::vector<std::string> headers;  // "Name: value"
  std::string body;                  // of a POST; empty: a GET
  long seconds = 120;                // for the whole answer; 0: no limit
  const Stop* stop = nullptr;        // closes the connection when the user stops; null: never
};

// Names in lower case.
using HttpHeaders = std::vector<std::pair<std::string, std::string>>;

// The value of the first header of that name; empty: there is none.
std::string header(const HttpHeaders& headers, std::string_view name);

struct HttpAnswer {
  long status = 0;
  std::string body;  // at most 64 MiB
  HttpHeaders headers{};
};

// `on_data` gets the body so far, each time that a part of it arrived. GANTRY_NOT_FOUND: the server
// could not be reached, with curl's sentence; GANTRY_CANCELLED: the user stopped it.
using OnData = std::function<void(std::string_view body)>;
Result<HttpAnswer> exchange(const HttpRequest& request, const OnData& on_data = {});

// The base of `url` without slashes at its end and without /mcp. GANTRY_NOT_FOUND with a sentence
// about --url, when it is no HTTP URL, or about --key, when that cannot be in a header.
Result<std::string> checked_base(const std::string& url, const std::string& key);

}  // namespace gantry::cli
