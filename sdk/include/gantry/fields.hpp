// gantry/fields.hpp: reads and writes a plain struct as JSON, and describes it by a schema.
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
// A member is required unless it is a std::optional or says optional(). An absent optional() member
// keeps the struct's default value, which the schema shows as "default".
//
// Enums: beside the enum write
//   constexpr auto gantry_names(Colour) {
//     return gantry::names<Colour>({{Colour::red, "red"}, {Colour::green, "green"}});
//   }
//
// Errors: reading refuses unknown and missing members, wrong kinds and values out of bounds with
// GANTRY_INVALID_ARGUMENT and a message that names the place. Threads: values; any.
#pragma once

#include <string>
#include <string_view>

#include <gantry/detail/binding.hpp>
#include <gantry/field.hpp>
#include <gantry/json.hpp>
#include <gantry/json_writer.hpp>

namespace gantry {

// Reads `json` into a T. `where` is the prefix of paths in messages ("" for a call's arguments).
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

// The JSON Schema (2020-12) of T. `closed`: other members are refused.
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
