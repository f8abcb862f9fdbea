// host/config/positions.hpp: the line number of each value of a JSON text that an operator wrote,
// and sentences about its faults.
//
// Pure functions; any thread.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <rapidjson/document.h>

#include <gantry/result.hpp>
#include <gantry/schema/error.hpp>

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

// A line "FILE:LINE: …" for each of `errors`; `root` is the name of the whole document.
std::string located_sentences(const std::vector<schema::Error>& errors, const Located& located,
                              const std::string& file, std::string_view root);

}  // namespace gantry::host
