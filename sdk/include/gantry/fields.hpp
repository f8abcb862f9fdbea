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
// The schema of Args, as Offer::tool() announces it:
//   {"type":"object","properties":{
//     "text":{"type":"string","minLength":1,"maxLength":200,"description":"What to say"},
//     "times":{"type":"integer","minimum":1,"maximum":10,"description":"How often","default":1},
//     "loud":{"type":"boolean","description":"In capitals"}},
//    "required":["text"],"additionalProperties":false}
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
// GANTRY_INVALID_ARGUMENT and a message that names the place, the caller's fault:
//   times: expected integer from 1 to 10, got 11
//   options.colour: expected one of "red", "green", got "blue"
//   txt: unknown name; allowed: text, times, loud
// It stops at the first error. Values of up to 40 bytes are quoted in the message, so do not read
// secrets this way. The first of several members with one name counts. Threads: values; any.
#pragma once

#include <string>
#include <string_view>

#include <gantry/detail/binding.hpp>
#include <gantry/field.hpp>
#include <gantry/json.hpp>
#include <gantry/json_writer.hpp>

namespace gantry {

// Reads `json` into a T. `where` is the prefix of paths in messages ("" for a call's arguments,
// where the value itself is then called "arguments"). The T owns all its data: it does not refer to
// the text. Handlers with a struct parameter need not call this.
template <Described T>
Result<T> read(const Json& json, std::string_view where = {}) {
  T value{};
  const detail::Place place{nullptr, where, 0};
  if (Status status = detail::Binding<T>::read(json, value, {}, place); !status) return status;
  return value;
}

// The value as JSON text: members in the order of fields(), empty std::optional members left out, a
// number that is not finite as null. T is any type that a member may have. Never fails.
// The caller owns the text. Values outside the bounds of their fields are written as they are.
template <class T>
std::string to_json(const T& value) {
  std::string out;
  JsonWriter writer(out);
  detail::Binding<T>::write(writer, value);
  return out;
}

// The JSON Schema (2020-12) of T, as Offer::tool() makes it. `closed`: other members are refused,
// at every depth, as read() does; for results false, so that a later version may add members.
// The text is made anew each time, and belongs to the caller.
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
