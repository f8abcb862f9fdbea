// tools/gantry/text/listing.hpp: a list in an answer of a host as a table.
//
// Pure functions.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <rapidjson/fwd.h>

namespace gantry::cli {

struct Listing {
  const char* member;  // of the answer: an array of objects
  std::string none;    // the sentence when it is empty, without its end of line
  std::vector<std::string> heading;
  // The row of an object. Its cells need not be printable.
  std::function<std::vector<std::string>(const rapidjson::Value&)> row;
};

// One line for each object under the heading, or the sentence. Its lines take at most `width`
// columns (0: any number).
std::string listing_table(const rapidjson::Value& answer, const Listing& listing,
                          std::size_t width);

}  // namespace gantry::cli
