// host/config/positions.hpp (private): the line number of each value of a JSON text.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include <rapidjson/document.h>

#include <gantry/result.hpp>

namespace gantry::host {

// A configuration's document and, by JSON pointer, the line of each value (of members: of their
// name).
struct Located {
  rapidjson::Document document;
  std::map<std::string, int, std::less<>> lines;

  // The line of the value, or of the nearest one around it.
  int line_of(std::string_view pointer) const;
};

// Parses JSON with comments and trailing commas. Errors name file and line; a name twice in one
// object is one.
Result<Located> locate(std::string_view text, const std::string& file);

}  // namespace gantry::host
