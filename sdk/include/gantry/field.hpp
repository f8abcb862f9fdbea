// gantry/field.hpp: describes the members of a struct; fields.hpp explains and uses it.
//
// Values, usable in constant expressions; any thread.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace gantry {

// A JSON value kept as text, for values without a fixed shape.
struct JsonText {
  std::string text = "null";
};

// The bounds of a member; unset ones do not apply.
struct Bounds {
  std::optional<double> minimum, maximum;        // of a number, or of each number in a list
  std::optional<std::size_t> shortest, longest;  // characters of a string, elements of a list
  std::array<std::string_view, 16> choices{};    // of a string, or of each string in a list
  std::size_t choice_count = 0;
};

template <class Owner, class T>
struct Field {
  std::string_view name;
  T Owner::*member;
  std::string_view description;
  Bounds bounds{};
  bool may_be_absent = false;

  // A number from `low` to `high`, inclusive.
  constexpr Field between(double low, double high) const {
    Field copy = *this;
    copy.bounds.minimum = low;
    copy.bounds.maximum = high;
    return copy;
  }
  constexpr Field at_least(double low) const {
    Field copy = *this;
    copy.bounds.minimum = low;
    return copy;
  }
  // The number of characters of a string, or of elements of a list.
  constexpr Field length(std::size_t shortest, std::size_t longest) const {
    Field copy = *this;
    copy.bounds.shortest = shortest;
    copy.bounds.longest = longest;
    return copy;
  }
  // One of these strings; at most 16 (use an enum for more).
  template <class... Text>
  constexpr Field one_of(Text... text) const {
    static_assert(sizeof...(text) <= 16, "one_of() takes at most 16 choices");
    Field copy = *this;
    ((copy.bounds.choices[copy.bounds.choice_count++] = text), ...);
    return copy;
  }
  // The member may be absent; it then keeps the default value of its struct.
  constexpr Field optional() const {
    Field copy = *this;
    copy.may_be_absent = true;
    return copy;
  }
};

template <class Owner, class T>
constexpr Field<Owner, T> field(std::string_view name, T Owner::*member,
                                std::string_view description) {
  return {name, member, description};
}

template <class... Fields>
constexpr auto fields(Fields... list) {
  return std::make_tuple(list...);
}

// The names of an enum's values.
template <class Enum, std::size_t N>
using EnumNames = std::array<std::pair<Enum, std::string_view>, N>;

template <class Enum, std::size_t N>
constexpr EnumNames<Enum, N> names(const std::pair<Enum, std::string_view> (&list)[N]) {
  EnumNames<Enum, N> out{};
  for (std::size_t i = 0; i < N; ++i) out[i] = list[i];
  return out;
}

// A struct that describes its members.
template <class T>
concept Described = requires {
  T::fields();
};

template <class T>
concept NamedEnum = std::is_enum_v<T> && requires(T value) {
  gantry_names(value);
};

}  // namespace gantry
