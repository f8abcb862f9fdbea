// values/matcher.hpp: decides conditions on one stored value that SQL cannot express exactly.
//
// A matcher is bound to the statement as a pointer and called by the registered function
// gantry_match(?, column) while the statement steps, on that thread. Several statements may use one
// matcher at the same time, so match() must not modify it. Text and blob bytes are valid only until
// match() returns. An exception ends the statement with an error.
#pragma once

#include <span>
#include <string>

#include "values/stored_value.hpp"

namespace gantry::data {

class Matcher {
 public:
  virtual ~Matcher() = default;
  virtual bool match(const StoredValue& value) const = 0;
  // For ORDER BY gantry_key(?, column): bytes whose order is that of the values.
  virtual std::string key(const StoredValue&) const { return {}; }
  // For gantry_shown(?, column, …): the value that stands for the columns. Its bytes may be in
  // `room`.
  virtual StoredValue shown(std::span<const StoredValue>, std::string& /*room*/) const {
    return {};
  }
};

}  // namespace gantry::data
