// gantry/fields.hpp: a plain struct as JSON: read, written, and described by a schema.
//
//   struct Args {
//     std::string text;
//     int times = 1;
//     std::optional<bool> loud;
//
//     static constexpr auto fields() {
//       return gantry::fields(
//           gantry::field("text", &Args::text, "What to say").length(1, 200),
//           gantry::field("times", &Args::times, "How often").between(1, 10).optional(),
//           gantry::field("loud", &Args::loud, "In capitals"));
//     }
//   };
//
// Members may be bool, integers, floating point, std::string, JsonText, enums with gantry_names(),
// structs with fields(), and std::optional, std::vector and std::map<std::string, …> of those.
// A member is required unless it is a std::optional or says optional(); the latter keeps the value
// the struct gives it, which the schema shows as "default".
//
// Enums: beside the enum write
//   constexpr auto gantry_names(Colour) {
//     return gantry::names<Colour>({{Colour::red, "red"}, {Colour::green, "green"}});
//   }
//
// Errors: reading refuses unknown members, missing ones, other kinds and values out of bounds with
// GANTRY_INVALID_ARGUMENT and a sentence that names the place. Threads: values; any.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include <gantry/json.hpp>
#include <gantry/json_writer.hpp>

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

#include <gantry/detail/binding.hpp>

namespace gantry {

// Reads `json` into a T. `where` leads the path in messages ("" for a call's arguments).
template <Described T>
Result<T> read(const Json& json, std::string_view where = {}) {
  T value{};
  const detail::Place place{nullptr, where, 0};
  if (Status status = detail::Binding<T>::read(json, value, {}, place); !status) return status;
  return value;
}

// The value as JSON text.
template <class T>
std::string to_json(const T& value) {
  std::string out;
  JsonWriter writer(out);
  detail::Binding<T>::write(writer, value);
  return out;
}

// The JSON Schema (2020-12) of T. `closed` refuses members that are not described.
template <Described T>
std::string schema_of(bool closed) {
  std::string out;
  JsonWriter writer(out);
  writer.begin_object();
  detail::Binding<T>::describe(writer, {}, closed);
  writer.end_object();
  return out;
}

}  // namespace gantry
