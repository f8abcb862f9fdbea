// host/base/exact_json.hpp: JSON text of plugins into a document, its numbers as written.
//
// RapidJSON 1.1 misreads some zeros and its arithmetic overflows at huge exponents (numbers.hpp):
// what plugins say is read through here, as what clients say is by the message. Pure; any thread.
#pragma once

#include <rapidjson/document.h>

#include <string>
#include <string_view>

#include "host/base/numbers.hpp"

namespace gantry::host {

// Levels of objects and arrays that a plugin's JSON may have: what reads it after us, here and at
// the client, recurses.
inline constexpr std::size_t kMaxJsonDepth = 200;

// Whether JSON text has more levels than that. Of text that is no JSON the answer means nothing.
bool nests_too_deep(std::string_view json);

// Whether `json` is one JSON value of at most kMaxJsonDepth levels, which `document` is then; else
// what it is means nothing. A number that is not zero with an exponent of nine digits or more
// counts as no JSON.
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
