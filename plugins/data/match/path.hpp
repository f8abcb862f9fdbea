// match/path.hpp: a dotted path through a document, arrays on the way included.
//
// Immutable after it is made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "values/value.hpp"

namespace gantry::data::match {

// What an array at the path's end gives: each element and then the array, or the array alone.
enum class Leaf { elements_too, whole };

class Path {
 public:
  explicit Path(std::string_view dotted);

  // Calls `visit(const Value&)` for everything the path leads to until one call says true; whether
  // one did. A field that is not there is visited as missing. A numeric part is a name in objects
  // and a place in arrays.
  template <class Visit>
  bool any(const Value& document, Leaf leaf, Visit&& visit) const {
    using Function = std::remove_reference_t<Visit>;
    const Visitor visitor{std::addressof(visit), [](const void* function, const Value& value) {
                            return (*static_cast<const Function*>(function))(value);
                          }};
    return in_object(document, 0, leaf, visitor);
  }

  const std::string& text() const { return text_; }
  // The part of it that does not depend on places in arrays: what must be read to follow it.
  const std::string& read_path() const { return read_path_; }

 private:
  struct Visitor {
    const void* function;
    bool (*call)(const void* function, const Value& value);
    bool operator()(const Value& value) const { return call(function, value); }
  };
  struct Part {
    std::string name;
    std::int64_t place;  // in an array, or -1
  };

  bool in_object(const Value& object, std::size_t part, Leaf leaf, const Visitor& visit) const;
  bool in_leaf(const Array& elements, const Value& whole, Leaf leaf, const Visitor& visit) const;
  bool in_array(const Value& array, std::size_t part, Leaf leaf, const Visitor& visit) const;
  bool in_element(const Value& element, bool here, std::size_t part, Leaf leaf,
                  const Visitor& visit) const;

  std::string text_;
  std::string read_path_;
  std::vector<Part> parts_;
};

}  // namespace gantry::data::match
