// filter/path.hpp: follows a dotted path through documents and arrays.
//
// Immutable after construction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "values/value.hpp"

namespace gantry::data::filter {

// The values visited for an array at the path's end: each element and then the array, or the array
// only.
enum class Leaf { elements_too, whole };

class Path {
 public:
  explicit Path(std::string_view dotted);
  // A path that begins at a value, which may be an array; empty: the value itself.
  static Path of_value(std::optional<std::string_view> dotted);

  // Calls `visit(const Value&)` for every value at the path until one call returns true; returns
  // whether one did. An absent field is visited as missing. A numeric part is a name in objects and
  // an index in arrays.
  template <class Visit>
  bool any(const Value& document, Leaf leaf, Visit&& visit) const {
    using Function = std::remove_reference_t<Visit>;
    const Visitor visitor{std::addressof(visit), [](const void* function, const Value& value) {
                            return (*static_cast<const Function*>(function))(value);
                          }};
    if (is_of_value_ && document.is_array()) return in_array(document, 0, leaf, visitor);
    return in_object(document, 0, leaf, visitor);
  }

  const std::string& text() const { return text_; }
  // The prefix of the path before the first possible array index: the field that must be read.
  const std::string& read_path() const { return read_path_; }

 private:
  struct Visitor {
    const void* function;
    bool (*call)(const void* function, const Value& value);
    bool operator()(const Value& value) const { return call(function, value); }
  };
  struct Part {
    std::string name;
    std::int64_t place;  // array index, or -1
  };

  bool in_object(const Value& object, std::size_t part, Leaf leaf, const Visitor& visit) const;
  bool in_leaf(const Array& elements, const Value& whole, Leaf leaf, const Visitor& visit) const;
  bool in_array(const Value& array, std::size_t part, Leaf leaf, const Visitor& visit) const;
  bool in_element(const Value& element, bool here, std::size_t part, Leaf leaf,
                  const Visitor& visit) const;

  Path() = default;

  std::string text_;
  std::string read_path_;
  std::vector<Part> parts_;
  bool is_of_value_ = false;
};

}  // namespace gantry::data::filter
