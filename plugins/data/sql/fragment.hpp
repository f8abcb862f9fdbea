// sql/fragment.hpp: a piece of SQL text with the values bound to its question marks, in order.
//
// The text holds only our own words and identifiers from the catalog; everything a caller wrote is
// in `binds`. Two fragments of the same shape have the same text, so that prepared statements are
// found again.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace gantry::data {

struct Bytes {
  std::string data;
};

// Decides about one stored value what SQL cannot express exactly. Called by the registered
// function gantry_match(?, column, …) while a statement steps, on the thread that steps it; one
// matcher may be used by several statements at once, so match() changes nothing.
class Matcher;

using Bind = std::variant<std::nullptr_t, std::int64_t, double, std::string, Bytes,
                          std::shared_ptr<const Matcher>>;

struct Fragment {
  std::string text;
  std::vector<Bind> binds;

  bool empty() const { return text.empty(); }
  Fragment& add(std::string_view sql) { return text += sql, *this; }
  Fragment& add(const Fragment& other) {
    text += other.text;
    binds.insert(binds.end(), other.binds.begin(), other.binds.end());
    return *this;
  }
  Fragment& bind(Bind value) {
    text += '?';
    binds.push_back(std::move(value));
    return *this;
  }
};

}  // namespace gantry::data
