// host/base/exact_json.hpp: parses a plugin's JSON with its numbers exactly as written.
//
// RapidJSON 1.1 misreads some zeros and its arithmetic overflows at huge exponents (numbers.hpp).
// All JSON of plugins is parsed here; rpc::Message does the same for clients. Pure; any thread.
#pragma once

#include <rapidjson/document.h>

#include <string>
#include <string_view>

#include "host/base/numbers.hpp"

namespace gantry::host {

// Levels of objects and arrays that a plugin's JSON may have. Later readers, here and in clients,
// are recursive.
inline constexpr std::size_t kMaxJsonDepth = 200;

// True if the JSON text has more levels than kMaxJsonDepth. Unspecified for text that is not JSON.
bool nests_too_deep(std::string_view json);

// Parses `json`, one JSON value of at most kMaxJsonDepth levels, into `document`. On false,
// `document` is unspecified. A number other than zero with an exponent of nine digits or more is
// refused.
template <unsigned kFlags = rapidjson::kParseNoFlags>
bool parse_exact(std::string_view json, rapidjson::Document& document) {
  if (nests_too_deep(json)) return false;
  std::string mended;
  if (make_readable(json, mended)) return false;
  constexpr unsigned kExact =
      kFlags | rapidjson::kParseFullPrecisionFlag | rapidjson::kParseIterativeFlag;
  document.Parse<kExact>(json.data(), json.size());
  return !document.HasParseError();
}

}  // namespace gantry::host
