// write/names.hpp: checks names of classes and fields, makes ids. Pure; any thread.
#pragma once

#include <string>

#include <gantry/status.hpp>

namespace gantry::data::write {

// `what` is "class" or "field". Not fine: empty, not UTF-8, with NUL or other control characters,
// longer than 200 bytes; for a class also what belongs to SQLite or Gantry: sqlite_…, _gantry….
Status check_name(const std::string& what, const std::string& name);

// 24 hexadecimal digits of time, random bits and a count: an index takes them in order, and no two
// are the same. One thread.
class IdMaker {
 public:
  std::string next();

 private:
  void begin();

  std::string prefix_;  // empty: there was no id yet
  unsigned count_ = 0;
};

}  // namespace gantry::data::write
