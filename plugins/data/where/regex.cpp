#include "where/regex.hpp"

#include <utility>

#include "values/query_error.hpp"
#include "where/refusal.hpp"

namespace gantry::data::where {
namespace {

Pattern read(std::string_view pattern, std::string_view options) {
  try {
    return Pattern(pattern, options);
  } catch (const QueryError& error) {
    throw Refusal{error.error()};
  }
}

}  // namespace

Regex::Regex(std::string_view pattern, std::string_view options)
    : Pattern(read(pattern, options)) {}

}  // namespace gantry::data::where
