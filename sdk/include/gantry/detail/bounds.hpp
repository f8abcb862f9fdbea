// gantry/detail/bounds.hpp: the position of a value in its arguments, and the checks of its bounds.
//
// A violation is a Status for the caller that names the position, the expected and the given value.
// Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <gantry/field.hpp>
#include <gantry/json.hpp>
#include <gantry/json_writer.hpp>
#include <gantry/result.hpp>

namespace gantry::detail {

// The current position in the value; converted to text only for a message.
struct Place {
  const Place* parent = nullptr;
  std::string_view name;  // a member's name; empty for an element
  std::size_t index = 0;

  std::string text() const {
    const std::string before = parent != nullptr ? parent->text() : std::string();
    if (name.empty())
      return parent != nullptr ? before + "[" + std::to_string(index) + "]" : before;
    return before.empty() ? std::string(name) : before + "." + std::string(name);
  }
};

inline Status wrong(const Place& place, const std::string& expected, const std::string& got) {
  const std::string path = place.text();
  return Status::invalid((path.empty() ? std::string("arguments") : path) + ": expected " +
                         expected + ", got " + got);
}

// A value as shown in messages: short scalars literally, otherwise the kind.
inline std::string shown(const Json& json) {
  constexpr std::size_t kLongest = 40;
  const bool scalar = !json.is_object() && !json.is_array();
  return std::string(scalar && json.text().size() <= kLongest ? json.text() : json.kind_name());
}

inline std::string number_text(double value) {
  std::string out;
  JsonWriter(out).number(value);
  return out;
}

inline std::string range_text(const std::optional<double>& low, const std::optional<double>& high) {
  if (low && high) return " from " + number_text(*low) + " to " + number_text(*high);
  if (low) return " of at least " + number_text(*low);
  if (high) return " of at most " + number_text(*high);
  return {};
}

inline bool within(double value, const Bounds& bounds) {
  return (!bounds.minimum || value >= *bounds.minimum) &&
         (!bounds.maximum || value <= *bounds.maximum);
}

inline void describe_range(JsonWriter& out, const Bounds& bounds) {
  if (bounds.minimum) out.key("minimum").number(*bounds.minimum);
  if (bounds.maximum) out.key("maximum").number(*bounds.maximum);
}

// Checks a size against shortest and longest; `unit` is "characters" or "elements".
inline Status check_size(std::size_t size, const Bounds& bounds, const char* unit,
                         const Place& place) {
  if ((!bounds.shortest || size >= *bounds.shortest) &&
      (!bounds.longest || size <= *bounds.longest)) {
    return {};
  }
  const std::string low = std::to_string(bounds.shortest.value_or(0));
  const std::string expected = bounds.longest
                                   ? low + " to " + std::to_string(*bounds.longest) + " " + unit
                                   : "at least " + low + " " + unit;
  return wrong(place, expected, std::to_string(size));
}

// Counts characters, not bytes, as "minLength" does.
inline std::size_t characters(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xc0) != 0x80 ? 1 : 0;
  return count;
}

}  // namespace gantry::detail
