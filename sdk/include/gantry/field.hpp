// gantry/field.hpp: describes the members of a struct; fields.hpp explains and uses it.
//
// Owns: nothing. Names, descriptions and choices are views: pass string literals. Values, usable in
// constant expressions; any thread.
//
// Costs: reading and writing use the tuple of fields as it is, so that a description costs no
// memory and no start-up time. Errors: none at run time; a struct that cannot be described does not
// compile.
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

// A JSON value kept as text, for values without a fixed shape: as a member it accepts any value,
// and its schema says nothing. As the return value of a handler it is the structured result. The
// text must be one JSON value; it is written as it is, and broken text makes the call an internal
// error.
struct JsonText {
  // Json::parse() reads it back up to 64 levels of nesting.
  std::string text = "null";
};

// The bounds of a member; unset ones do not apply. They are checked when a value is read and appear
// in the schema as minimum, maximum, minLength, maxLength, minItems, maxItems and enum. Bounds that
// do not fit the member's type are ignored. Without bounds of its own an integer of less than 64
// bits has the bounds of its type, and an unsigned one is at least 0.
struct Bounds {
  // Inclusive; of a number, or of each number in a list.
  std::optional<double> minimum, maximum;
  // Inclusive; characters of a string, or elements of a list.
  std::optional<std::size_t> shortest, longest;
  // The only values of a string, or of each string in a list; none if the count is 0.
  std::array<std::string_view, 16> choices{};
  std::size_t choice_count = 0;
};

// One member of a struct. Each function returns a changed copy, for chaining inside fields().
template <class Owner, class T>
struct Field {
  std::string_view name;
  T Owner::*member;
  std::string_view description;
  Bounds bounds{};
  bool may_be_absent = false;

  // A number from `low` to `high`, inclusive; of a list, each of its numbers. Both are doubles:
  // bounds of 64-bit integers beyond 2^53 are rounded.
  // Checked when a value is read. Writing does not check: a handler's own result is not bounded by
  // it.
  constexpr Field between(double low, double high) const {
    Field copy = *this;
    copy.bounds.minimum = low;
    copy.bounds.maximum = high;
    return copy;
  }
  // A number without an upper bound.
  constexpr Field at_least(double low) const {
    Field copy = *this;
    copy.bounds.minimum = low;
    return copy;
  }
  // The number of characters (code points, not bytes) of a string, or of elements of a list. The
  // elements of a list of strings cannot be bounded in length.
  constexpr Field length(std::size_t shortest, std::size_t longest) const {
    Field copy = *this;
    copy.bounds.shortest = shortest;
    copy.bounds.longest = longest;
    return copy;
  }
  // One of these strings, compared byte for byte; at most 16 (use an enum for more). Use once for a
  // field. It applies to each element of a list of strings.
  template <class... Text>
  constexpr Field one_of(Text... text) const {
    static_assert(sizeof...(text) <= 16, "one_of() takes at most 16 choices");
    Field copy = *this;
    ((copy.bounds.choices[copy.bounds.choice_count++] = text), ...);
    return copy;
  }
  // The member may be absent; it then keeps the default value of its struct, which the schema
  // shows. Not needed for a std::optional member. An explicit null is a value, not absence: only a
  // JsonText accepts it.
  constexpr Field optional() const {
    Field copy = *this;
    copy.may_be_absent = true;
    return copy;
  }
};

// `name` is the member's name in JSON. `description` is for the model; it is also the remedy in the
// message for a missing member, so write a phrase such as "How often".
template <class Owner, class T>
constexpr Field<Owner, T> field(std::string_view name, T Owner::*member,
                                std::string_view description) {
  return {name, member, description};
}

// The return value of a struct's static constexpr fields(), in the order of its schema.
template <class... Fields>
constexpr auto fields(Fields... list) {
  return std::make_tuple(list...);
}

// The names of an enum's values, as they appear in JSON and in the schema's "enum".
template <class Enum, std::size_t N>
using EnumNames = std::array<std::pair<Enum, std::string_view>, N>;

// The return value of gantry_names(E), which the lookup by argument type finds beside the enum. A
// value without a name is written as null and cannot be read.
template <class Enum, std::size_t N>
constexpr EnumNames<Enum, N> names(const std::pair<Enum, std::string_view> (&list)[N]) {
  EnumNames<Enum, N> out{};
  for (std::size_t i = 0; i < N; ++i) out[i] = list[i];
  return out;
}

// A struct that describes its members. It needs a default constructor: reading begins with T{}.
template <class T>
concept Described = requires {
  T::fields();
};

// An enum with gantry_names().
template <class T>
concept NamedEnum = std::is_enum_v<T> && requires(T value) {
  gantry_names(value);
};

}  // namespace gantry
