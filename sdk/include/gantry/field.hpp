// gantry/field.hpp: the words a struct is described with; fields.hpp explains and uses them.
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

// One JSON value kept as its text, for what has no fixed shape.
struct JsonText {
  std::string text = "null";
};

// Bounds of a member; what is not set does not bind.
struct Bounds {
  std::optional<double> minimum, maximum;        // of a number, or of each in a list of numbers
  std::optional<std::size_t> shortest, longest;  // characters of a string, elements of a list
  std::array<std::string_view, 16> choices{};    // of a string, or of each in a list of strings
  std::size_t choice_count = 0;
};

template <class Owner, class T>
struct Field {
  std::string_view name;
  T Owner::*member;
  std::string_view description;
  Bounds bounds{};
  bool may_be_absent = false;

  // A number from `low` to `high`, both allowed.
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
  // A string of so many characters, or a list of so many elements.
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
  // May be left out; the member then keeps the value its struct gives it.
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

// A struct that says what it is made of.
template <class T>
concept Described = requires {
  T::fields();
};

template <class T>
concept NamedEnum = std::is_enum_v<T> && requires(T value) {
  gantry_names(value);
};

}  // namespace gantry
